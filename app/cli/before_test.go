package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/mcpbridge/agents/claude"
	"github.com/choicetui/choicetui/mcpbridge/agents/transcript"
	"github.com/choicetui/choicetui/panes/peek"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// textOf returns lines as text.
func textOf(lines []say.BeforeLine) string {
	var list []string
	for _, l := range lines {
		list = append(list, l.Text)
	}
	return strings.Join(list, "\n")
}

func TestATurnEndsWithItsLastWordsAndALineThatSumsItUp(t *testing.T) {
	failed := 1
	turn := transcript.Turn{Words: []string{"I look at the carts.", "Payments need a store."},
		Plan: []transcript.Step{{Text: "carts", State: transcript.Done}, {Text: "payments", State: transcript.Current}},
		Acts: []transcript.Act{{Kind: transcript.Command, Text: "go test ./cart"}, {Kind: transcript.ReadFile, Text: "/s/a.go"},
			{Kind: transcript.Edit, Text: "/s/cart/store.go", Added: 1, Removed: 1, Diff: "-a\n+b\n"},
			{Kind: transcript.Command, Text: "go vet", Exit: &failed, Failed: true}}}
	require.Equal(t, "✓ 1. carts\n▸ 2. payments\n\n✓ go test ./cart\n✓ read a.go\n✎ cart/store.go +1 −1\n-a\n+b\n"+
		"✗ go vet (exit 1)\n\nI look at the carts.\n“Payments need a store.”\n"+
		"✎ cart/store.go +1 −1   ✗ go vet (exit 1)   ▸ plan 2 of 2: payments",
		textOf(turnLines(turn, nil, "/s")))
	require.Empty(t, turnLines(transcript.Turn{}, nil, ""))
}

func TestAnApprovalHasTheLinesAroundItsChangeAndThePlaceOfItsCommand(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, ".git"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, ".git", "HEAD"), []byte("ref: refs/heads/payments\n"), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.go"), []byte("one\ntwo\nthree\n"), 0o600))
	a := &queue.Approval{Dir: dir, Parts: []queue.Part{{Kind: queue.PartDiff, Label: "a.go", Text: "-two\n+2"}}}
	lines := turnLines(transcript.Turn{}, a, dir)
	require.Equal(t, "what it wants to change in a.go, with the lines around it:\n one\n-two\n+2\n three", textOf(lines))
	require.Equal(t, byte('+'), lines[3].Sign)
	a.Parts = []queue.Part{{Kind: queue.PartCommand, Text: "rm -rf /"}}
	require.Equal(t, "the command would run in "+dir+", on the branch payments",
		textOf(turnLines(transcript.Turn{}, a, "/elsewhere")))
	require.Empty(t, turnLines(transcript.Turn{}, a, dir), "the heading names it")
}

func TestATranscriptIsReadOnlyWhereTheSessionIsKnownForCertain(t *testing.T) {
	r := beforeReader{func() config.Settings { return config.Default() }}
	for _, c := range []struct {
		o    queue.Origin
		over bool
		want bool
	}{
		{o: queue.Origin{Client: "claude-code", Cwd: "/src/shop"}},
		{o: queue.Origin{Client: "claude-code", Cwd: "/src/shop", ToolUse: "toolu_1"}, want: true},
		{o: queue.Origin{Client: "claude-code", Cwd: "/src/shop", ToolUse: "toolu_1"}, over: true, want: true},
		{o: queue.Origin{Client: "claude-code", Cwd: "/src/shop", Thread: "5f0c"}, want: true},
		{o: queue.Origin{Client: "claude-code", Cwd: "/src/shop", Thread: "5f0c"}, over: true},
		{o: queue.Origin{Client: "claude-code", Cwd: "/src/shop", Thread: "5f0c", Subagent: "reviewer"}},
		{o: queue.Origin{Client: "claude-code", Thread: "5f0c", Subagent: "reviewer", Source: "claude:5f0c/a1/x"}, want: true},
		{o: queue.Origin{Client: "codex-mcp-client", Thread: "01a2000d-938f-77a0-9c03-595a8ce1966f"}, want: true},
	} {
		s := queue.Session{Origin: c.o}
		if c.over {
			s.Outcome = &queue.Outcome{}
		}
		w, ok := r.transcriptOf(s)
		require.Equal(t, c.want, ok, "%+v", c.o)
		if c.o.Source != "" {
			require.Equal(t, "a1", w.Subagent)
		}
	}
}

func TestWithoutATranscriptThePaneIsShown(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	r := beforeReader{func() config.Settings { return config.Default() }}
	pane := func(context.Context, queue.Session, peek.Shot) (peek.Shot, error) {
		return peek.Shot{Pane: "%3", Where: "tmux 2:1", Text: "$ make"}, nil
	}
	host, _ := os.Hostname()
	o := queue.Session{Origin: queue.Origin{Client: "claude-code", Cwd: "/src/shop", Host: host, ToolUse: "toolu_1"}}
	shot, err := r.lookBefore(pane)(t.Context(), o, peek.Shot{})
	require.NoError(t, err)
	require.Equal(t, "$ make", shot.Text)
	shot, err = r.lookBefore(nil)(t.Context(), o, peek.Shot{})
	require.NoError(t, err)
	require.Empty(t, shot.Lines)
	require.True(t, shot.Awaits, "the agent may write its transcript a moment later")
	gone := errors.New("it is gone")
	failing := func(context.Context, queue.Session, peek.Shot) (peek.Shot, error) { return peek.Shot{}, gone }
	_, err = r.lookBefore(failing)(t.Context(), o, peek.Shot{})
	require.ErrorIs(t, err, gone)
}

func TestDoctorSaysIfNothingInTheNewestSessionIsUnderstood(t *testing.T) {
	home := t.TempDir()
	w := transcript.Where{Reader: claude.Transcripts{}, Home: home}
	write := func(name, text string, at time.Time) {
		path := filepath.Join(home, ".claude", "projects", "-shop", name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		require.NoError(t, os.Chtimes(path, at, at))
	}
	warned := func() bool {
		return checkBefore(transcript.NewestOf(t.Context(), w), finding{Check: "claude", Status: isOK}).Status == isWarn
	}
	now := time.Now()
	require.False(t, warned(), "there is no session")
	write("short.jsonl", "{}", now.Add(-time.Hour))
	require.False(t, warned(), "a session that has hardly begun")
	write("new.jsonl", strings.Repeat(`{"kind":"said","words":"hello"}`+"\n", 200), now)
	require.True(t, warned())
	write("newer.jsonl", strings.Repeat(`{"kind":"said","words":"hello"}`+"\n", 200)+
		`{"type":"assistant","message":{"content":[{"type":"text","text":"hello"}]}}`+"\n", now.Add(time.Minute))
	require.False(t, warned())
}

// TestATranscriptThatIsWrittenLateIsReadAsSoonAsItIsThere has no pane to show meanwhile.
func TestATranscriptThatIsWrittenLateIsReadAsSoonAsItIsThere(t *testing.T) {
	home := t.TempDir()
	t.Setenv("CLAUDE_CONFIG_DIR", filepath.Join(home, ".claude"))
	host, _ := os.Hostname()
	r := beforeReader{func() config.Settings { return config.Default() }}
	const said = `{"type":"user","message":{"content":"go"}}
{"type":"assistant","message":{"content":[{"type":"text","text":"I make it."}]}}
{"type":"assistant","message":{"content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":{"command":"make"}}]}}
{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"toolu_1","content":"ok"}]}}
`
	const late = `{"type":"assistant","message":{"content":[{"type":"text","text":"Now I have to know."}]}}
{"type":"assistant","message":{"content":[{"type":"tool_use","id":"toolu_2","name":"AskUserQuestion","input":{}}]}}
`
	noPane := errors.New("its pane is not known")
	tries := 0
	pane := func(context.Context, queue.Session, peek.Shot) (peek.Shot, error) {
		tries++
		return peek.Shot{}, noPane
	}
	for name, o := range map[string]queue.Origin{
		"by one of our tools": {Client: "claude-code", ToolUse: "toolu_2"},
		"by its own prompt":   {Client: "claude-code", Dialect: queue.DialectNative, Thread: "5f0c", CallID: "toolu_2", Source: "claude:5f0c/toolu_2"},
	} {
		o.Host, o.Cwd = host, "/src/shop"
		path := filepath.Join(home, ".claude", "projects", "-src-shop", "5f0c.jsonl")
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		_ = os.Remove(path)
		tries = 0
		s := queue.Session{Origin: o}
		shot := peek.Shot{}
		look := func() (err error) {
			shot, err = r.lookBefore(pane)(t.Context(), s, shot)
			return err
		}
		require.ErrorIs(t, look(), noPane, name)
		require.True(t, shot.Awaits, name)
		require.NoError(t, os.WriteFile(path, []byte(said), 0o600))
		for range 3 { // its words of before the last call are not those of this turn's question
			require.NoError(t, look(), name)
			require.True(t, shot.Awaits, name)
			require.Empty(t, shot.Lines, name)
		}
		require.Equal(t, 1, tries, "its pane is looked for once")
		require.NotEmpty(t, shot.Sought, "%s: while the file is as it was, it is not read again: %+v", name, shot)
		require.NoError(t, os.WriteFile(path, []byte(said+late), 0o600))
		require.NoError(t, look(), name)
		require.False(t, shot.Awaits, name)
		require.Equal(t, "✓ make\n\nI make it.\n“Now I have to know.”\n✓ make", textOf(shot.Lines), name)
		same := shot
		require.NoError(t, look(), name)
		require.Equal(t, same, shot, name)
	}

	// Without the call's name the last turn is shown, and looked at again as long as it has no words.
	path := filepath.Join(home, ".claude", "projects", "-src-shop", "5f0c.jsonl")
	wordless := strings.SplitAfterN(said, "\n", 3)
	require.NoError(t, os.WriteFile(path, []byte(wordless[0]+wordless[2]), 0o600))
	s := queue.Session{Origin: queue.Origin{Client: "claude-code", Host: host, Cwd: "/src/shop", Dialect: queue.DialectNative,
		Thread: "5f0c", CallID: "k7f3", Source: "claude:5f0c/k7f3"}}
	shot, err := r.lookBefore(pane)(t.Context(), s, peek.Shot{})
	require.NoError(t, err)
	require.True(t, shot.Awaits)
	require.Equal(t, "✓ make\n✓ make", textOf(shot.Lines))
	again, err := r.lookBefore(pane)(t.Context(), s, shot)
	require.NoError(t, err)
	require.Equal(t, shot, again)
	require.NoError(t, os.WriteFile(path, []byte(said), 0o600))
	shot, err = r.lookBefore(pane)(t.Context(), s, shot)
	require.NoError(t, err)
	require.False(t, shot.Awaits)
	require.Contains(t, textOf(shot.Lines), "“I make it.”")
}
