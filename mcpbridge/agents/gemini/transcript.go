package gemini

import (
	"bytes"
	"encoding/json"
	"os"
	"regexp"
	"strconv"
	"strings"

	"github.com/choicetui/choicetui/mcpbridge/agents/transcript"
)

// Transcripts reads the sessions of Gemini CLI: ~/.gemini/tmp/NAME/chats/session-*.jsonl. It writes a call down only
// after it is over, so a session is known by its id or by the path that a hook was given, never by the call. Recorded
// with 0.51.0 and 0.61.0.
type Transcripts struct{}

func (Transcripts) Name() string { return "gemini session" }

func (Transcripts) Sessions(w transcript.Where) (roots []string, pattern string) {
	return w.Roots(".gemini", "tmp"), "*/chats/session-*.jsonl"
}

// Find returns the session that w names. The names of files have the first eight characters of a session's id.
func (Transcripts) Find(w transcript.Where) (files []transcript.Source, certain bool) {
	if len(w.SessionID) < 8 || !transcript.IsName(w.SessionID) {
		return nil, false
	}
	pattern := "*/chats/session-*-" + transcript.GlobSafe(w.SessionID[:8]) + ".jsonl"
	all, ok := transcript.Recent(w.Roots(".gemini", "tmp"), pattern)
	if !ok {
		return nil, false
	}
	for _, f := range all {
		if isSession(f.(transcript.File), w.SessionID) {
			files = append(files, f)
		}
	}
	return files, len(files) == 1
}

// isSession reports whether the first line of a session names it in full.
func isSession(f transcript.File, session string) bool {
	opened, err := f.Open()
	if err != nil {
		return false
	}
	defer opened.Close()
	return firstID(opened) == session
}

// firstID returns the session that the first line of a Gemini file names.
func firstID(f *os.File) string {
	head := make([]byte, 4096)
	n, _ := f.Read(head)
	line, _, _ := bytes.Cut(head[:n], []byte("\n"))
	var said struct{ SessionID string }
	_ = json.Unmarshal(line, &said)
	return said.SessionID
}

// geminiExit matches the exit status in the result of a command.
var geminiExit = regexp.MustCompile(`(?m)^Exit Code: (\d+)$`)

type geminiCall struct {
	ID, Name, Status string
	Args             json.RawMessage
	Display          json.RawMessage `json:"resultDisplay"`
	Result           []struct {
		Response struct{ Response struct{ Output string } } `json:"functionResponse"`
	}
}

// Entries reads a session, which has a message on each line; the agent's messages have its calls.
func (Transcripts) Entries(raw []byte) (all []transcript.Entry) {
	said := map[string]bool{} // the messages whose words were read: a message is written again with its calls
	for line := range bytes.Lines(raw) {
		var m struct {
			ID, Type string
			Content  json.RawMessage
			Calls    []geminiCall `json:"toolCalls"`
		}
		if json.Unmarshal(line, &m) != nil {
			continue
		}
		switch m.Type {
		case "user":
			var parts []struct{ Text string }
			var text string
			if json.Unmarshal(m.Content, &text) == nil {
				parts = append(parts, struct{ Text string }{text})
			} else {
				_ = json.Unmarshal(m.Content, &parts)
			}
			for _, p := range parts {
				if p.Text != "" {
					all = append(all, transcript.Entry{Sort: transcript.Prompted})
					break
				}
			}
		case "gemini":
			var text string
			if json.Unmarshal(m.Content, &text) == nil && text != "" && !said[m.ID] {
				all = append(all, transcript.Entry{Sort: transcript.Said, Text: text})
				said[m.ID] = true
			}
			for _, c := range m.Calls {
				all = append(all, geminiEntries(c)...)
			}
		}
	}
	return all
}

// geminiEntries returns the entries of a call and of its result: Gemini CLI writes both down together.
func geminiEntries(c geminiCall) []transcript.Entry {
	var in struct {
		Command string
		Path    string `json:"file_path"`
		Todos   []struct{ Description, Status string }
	}
	_ = json.Unmarshal(c.Args, &in)
	call := transcript.Entry{Sort: transcript.Called, ID: c.ID, Act: transcript.Act{Text: c.Name}}
	switch c.Name {
	case "run_shell_command":
		call.Act = transcript.Act{Kind: transcript.Command, Text: in.Command}
	case "write_file", "replace":
		call.Act = transcript.Act{Kind: transcript.Edit, Text: in.Path}
	case "read_file":
		call.Act = transcript.Act{Kind: transcript.ReadFile, Text: in.Path}
	case "write_todos":
		call.Act = transcript.Act{}
		call.Plan = func([]transcript.Step) (plan []transcript.Step) {
			for _, t := range in.Todos {
				plan = append(plan, transcript.Step{Text: t.Description, State: transcript.StateOf(t.Status)})
			}
			return plan
		}
	}
	failed := c.Status == "error" || c.Status == "cancelled"
	ended := transcript.Entry{Sort: transcript.Ended, ID: c.ID, Act: transcript.Act{Failed: failed}}
	var shown struct{ FileDiff string }
	if json.Unmarshal(c.Display, &shown) == nil && shown.FileDiff != "" {
		if at := strings.Index(shown.FileDiff, "@@"); at >= 0 {
			ended.Act.Diff = shown.FileDiff[at:]
		}
	}
	for _, part := range c.Result {
		// The command's own output is before this line, so the last one is Gemini's.
		found := geminiExit.FindAllStringSubmatch(part.Response.Response.Output, -1)
		if c.Name == "run_shell_command" && len(found) > 0 {
			if n, err := strconv.Atoi(found[len(found)-1][1]); err == nil {
				ended.Act.Exit = &n
			}
		}
	}
	return []transcript.Entry{call, ended}
}
