package setup

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/choicetui/choicetui/mcpbridge/agents/agent"
)

// commandWithin limits how long an agent's own command may run.
const commandWithin = time.Minute

// Apply carries out a plan. said holds lines about steps that went differently than planned; left lists the files that
// were not changed.
func (h Host) Apply(ctx context.Context, j *Journal, p Plan) (said []string, left []Left) {
	left = append(left, p.Left...)
	edits := p.Edits
	if len(p.Command) > 0 {
		var words string
		if words, edits, left = h.runAdd(ctx, j, p, left); words != "" {
			said = append(said, words)
		}
	}
	for _, e := range edits {
		if err := h.writeEdit(ctx, j, p.Client, e); err != nil {
			left = append(left, Left{e.File.Path, err})
		}
	}
	return said, left
}

// runAdd runs the agent's own command that adds the server, and returns the edits that are still needed after it: the
// command may leave values out, or change other files too. The step is noted before the command runs, so that it can be
// undone even if this process is killed meanwhile. If the command fails, runAdd says so, and the file is edited
// instead. all has what is in left, and the files that cannot be edited any more.
func (h Host) runAdd(ctx context.Context, j *Journal, p Plan, left []Left) (said string, edits []Edit, all []Left) {
	planned := []Edit{p.Edits[0]}
	for _, e := range p.Edits[1:] {
		if err := e.File.checkUnchanged(); err != nil { // before the command, which may change it too
			left = append(left, Left{e.File.Path, err})
			continue
		}
		planned = append(planned, e)
	}
	said, err := h.runNoted(ctx, j, p)
	if err != nil {
		return said, nil, append(left, Left{p.Edits[0].File.Path, err})
	}
	for _, e := range planned {
		again, _, err := h.planEdit(e.target, e.which)
		switch {
		case err != nil && e.which < 0:
			return said, nil, append(left, Left{e.File.Path, err})
		case err != nil:
			left = append(left, Left{e.File.Path, err})
		case again.changes():
			edits = append(edits, again)
		}
	}
	return said, edits, left
}

// runNoted notes the agent's command in the journal and runs it. It first drops notes of earlier commands that were
// killed before they did anything.
func (h Host) runNoted(ctx context.Context, j *Journal, p Plan) (said string, err error) {
	edit := p.Edits[0]
	for i := len(j.done) - 1; i >= 0; i-- {
		if d := j.done[i]; d.Agent == p.Client.ID && d.Path == edit.File.Path && len(d.Remove) > 0 && d.After == "" {
			if err := j.forgetNeverDone(i); err != nil {
				return "", err
			}
		}
	}
	at, err := j.noteBegin(p.Client.ID, edit, p.Client.Remove)
	if err != nil {
		return "", err
	}
	ctx, cancel := context.WithTimeout(ctx, commandWithin)
	defer cancel()
	out, failed := h.Run(ctx, h.Home, p.Command)
	now, err := ReadFile(edit.File.Path)
	if err != nil {
		return "", err
	}
	if hasServer(now.Text, edit.target) {
		if failed != nil {
			said = fmt.Sprintf("“%s” wrote its entry and then failed: %s", commandText(p.Command),
				reasonIn(out, failed))
		}
		return said, j.noteEnd(at, edit.File.Text, now.Text)
	}
	instead := "choicetui edits the file"
	if edit.byAgent() {
		instead = "“" + commandText(p.Client.Writer) + "” is told"
	}
	said = fmt.Sprintf("“%s” failed, so %s: %s", commandText(p.Command), instead, reasonIn(out, failed))
	if _, err := decode(edit.target.Format, now.Text); err != nil {
		if _, err := now.write(edit.File.Text); err != nil { // the old text could be read, so it is restored
			return said, err // the note and the copy are kept, to undo it later
		}
		said += "; it left the file broken, so the old text was restored"
	}
	return said, j.forgetNeverDone(at) // the command changed nothing, so there is nothing to undo
}

// commandText returns a command in one line.
func commandText(command []string) string { return strings.Join(command, " ") }

var (
	// escapes matches the sequences with which a program colours its lines or names the window.
	escapes = regexp.MustCompile("\x1b(\\[[0-?]*[ -/]*[@-~]|\\][^\x07\x1b]*(\x07|\x1b\\\\))")
	// errorLines match a line that begins with a word such as Error or TypeError, else one that has such a word.
	errorLines = []*regexp.Regexp{
		regexp.MustCompile(`(?im)^\W*\w*error\b.*$`),
		regexp.MustCompile(`(?im)^.*error\b.*$`),
	}
)

// reasonIn returns the line in which a command that failed says why: the first that says Error, else the first. Without
// any line it says how the command ended.
func reasonIn(out string, err error) string {
	out = strings.TrimSpace(escapes.ReplaceAllString(out, ""))
	for _, l := range errorLines {
		if line := strings.TrimSpace(l.FindString(out)); line != "" {
			return line
		}
	}
	if first, _, _ := strings.Cut(out, "\n"); first != "" {
		return strings.TrimSpace(first)
	}
	if err != nil {
		return err.Error()
	}
	return "it printed nothing"
}

// writeEdit changes one file, and notes how to undo the change. If it cannot be noted, the file is not changed.
func (h Host) writeEdit(ctx context.Context, j *Journal, c agent.Client, e Edit) error {
	at, err := j.noteBegin(c.ID, e, nil)
	if err != nil {
		return err
	}
	after := e.After
	if e.byAgent() {
		after, err = h.tellAgent(ctx, c, e)
	} else {
		j.done[at].Made, err = e.File.write(after)
	}
	if bytes.Equal(after, e.File.Text) || err != nil && !e.byAgent() { // nothing was changed
		_ = j.forgetNeverDone(at)
		return err
	}
	if noted := j.noteEnd(at, e.File.Text, after); noted != nil {
		return noted
	}
	return err
}

// tellAgent asks the agent to change a file that only the agent writes. after is the file's text after that.
func (h Host) tellAgent(ctx context.Context, c agent.Client, e Edit) (after []byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, commandWithin)
	defer cancel()
	var edits []map[string]any
	for _, s := range e.steps {
		edits = append(edits, map[string]any{"keyPath": strings.Join(s.path, "."), "value": json.RawMessage(s.raw),
			"mergeStrategy": "replace"})
	}
	said, failed := h.Ask(ctx, h.Home, c.Writer, "config/batchWrite", map[string]any{"edits": edits})
	now, err := ReadFile(e.File.Path)
	if err != nil {
		return e.File.Text, err
	}
	if rest, _, err := h.planEdit(e.target, e.which); err != nil || rest.changes() {
		said = reasonIn(said, failed)
		return now.Text, fmt.Errorf("“%s” did not change it (%s): %w", commandText(c.Writer), said, byHand(c, rest))
	}
	return now.Text, nil
}

// changedPart returns the part in which two texts differ, from each of them. A change within one line returns the whole
// line, because a piece of a word may occur elsewhere too.
func changedPart(before, after []byte) (old, now string) {
	least := min(len(before), len(after))
	head := 0 // the number of equal bytes at the beginning
	for head < least && before[head] == after[head] {
		head++
	}
	tail := 0 // the number of equal bytes at the end
	for tail < least-head && before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	if !bytes.ContainsRune(after[head:len(after)-tail], '\n') {
		head = bytes.LastIndexByte(after[:head], '\n') + 1
		if n := bytes.IndexByte(after[len(after)-tail:], '\n'); n >= 0 {
			tail -= n + 1
		} else {
			tail = 0
		}
	}
	return string(before[head : len(before)-tail]), string(after[head : len(after)-tail])
}
