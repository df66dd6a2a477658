package panes

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/queue"
)

func TestTextTooLongIsSaidWhileTyping(t *testing.T) {
	f := textForm(queue.ModeText)
	f.StartText()
	f.editor.SetText(strings.Repeat("x", queue.MaxPromptBytes-100))
	p := f.Enter(ink.Unicode)
	require.Equal(t, "100 bytes left", p.Tails[0][0])
	f.editor.SetText(strings.Repeat("x", queue.MaxPromptBytes+7))
	require.Contains(t, f.Enter(ink.Unicode).Words, "7 bytes too many: at most 32768")
	f.EndTyping()
	p = f.Enter(ink.Unicode)
	require.Equal(t, StepNothing, p.Step)
	require.Equal(t, "your words: 7 bytes too many: at most 32768", p.Words)
	f.StartComment()
	f.editor.SetText(strings.Repeat("é", queue.MaxNote+1))
	require.Contains(t, f.Enter(ink.Unicode).Words, "1 character too many: at most 8000")
	f.EndTyping()
	f.StartReason()
	f.editor.SetText(strings.Repeat("é", queue.MaxNote+1))
	require.Equal(t, StepNothing, f.Enter(ink.Unicode).Step)
}

func TestAnAgentsNoteIsTypedOnAsItIsSeen(t *testing.T) {
	const hidden = "safe\u200c\x1b[201~ txt\u202e"
	f := textForm(queue.ModeHybrid)
	f.Session.Ask.Comment = hidden
	f.comment = hidden
	f.StartComment()
	require.Equal(t, "safe<U+200C><U+001B>[201~ txt<U+202E>", f.editor.Text())
	f.TypedChanged()
	require.Equal(t, hidden, f.comment)
	require.False(t, f.Touched())
	f.editor.Paste("!")
	f.TypedChanged()
	require.Equal(t, "safe<U+200C><U+001B>[201~ txt<U+202E>!", f.comment)
	f.editor.Undo()
	f.EndTyping()
	require.Equal(t, hidden, f.comment)
}

func textForm(mode string) *Form {
	return NewForm(queue.Session{ID: "s", Ask: queue.Ask{Kind: queue.KindChoice, Title: "T", Prompt: "P",
		Questions: []queue.Question{{ID: "q1", Mode: mode, Annotate: true}}, TimeoutSeconds: 60, OnTimeout: queue.OnTimeoutNone}}, nil, nil)
}
