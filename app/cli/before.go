package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/choicetui/choicetui/app/before"
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/peek"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// lookBefore returns what an agent was doing when it asked: its turn, read from its own transcript if the session is
// known for certain, else what pane shows. pane is nil outside tmux.
func lookBefore(pane peek.Look) peek.Look {
	return func(ctx context.Context, o queue.Origin, last peek.Shot) (peek.Shot, error) {
		if err := checkHere(o); err != nil {
			return peek.Shot{}, err
		}
		if shot, ok := lookIntoTranscript(ctx, o, last); ok {
			return shot, nil
		}
		if pane == nil {
			return peek.Shot{}, nil // the agent may write its transcript a moment later
		}
		return pane(ctx, o, last)
	}
}

// lookIntoTranscript returns the agent's turn. ok is false if no transcript is known for certain.
func lookIntoTranscript(ctx context.Context, o queue.Origin, last peek.Shot) (shot peek.Shot, ok bool) {
	w, known := transcriptOf(o)
	if !known {
		return shot, false
	}
	at, length := before.Changed(w)
	mark := fmt.Sprint(at.UnixNano(), " ", length)
	if last.Mark == mark && last.Pane == "" {
		return last, true
	}
	turn, err := before.Read(ctx, w)
	if err != nil {
		return shot, false
	}
	text := turnText(turn)
	return peek.Shot{Where: turn.Source, Mark: mark, Text: text}, text != ""
}

// transcriptOf returns what is known about the transcript of the session that asks. ok is false if it may be another
// session's.
func transcriptOf(o queue.Origin) (w before.Where, ok bool) {
	w = before.Where{Agent: o.ClientName(), Dir: o.Cwd, Home: config.Home()}
	switch {
	case o.ToolUse != "":
		w.CallID = o.ToolUse
	case o.Thread == "" || o.Subagent != "":
		return w, false
	default:
		w.SessionID = o.Thread
	}
	return w, true
}

// turnText returns a turn as text. The person sees its end first: the last words, with one line that sums up what the
// agent did. Above them are its plan, and all that it said and did in the turn, with diffs.
func turnText(t before.Turn) string {
	var b strings.Builder
	for i, step := range t.Plan {
		fmt.Fprintf(&b, "%s %d. %s\n", map[before.StepState]string{before.Open: " ", before.Current: "▸",
			before.Done: "✓"}[step.State], i+1, say.OneLine(step.Text))
	}
	if len(t.Plan) > 0 {
		b.WriteString("\n")
	}
	for _, d := range t.Deeds {
		b.WriteString(deedText(d) + "\n")
		if d.Diff != "" {
			b.WriteString(strings.TrimRight(d.Diff, "\n") + "\n\n")
		}
	}
	if len(t.Deeds) > 0 {
		b.WriteString("\n")
	}
	for i, words := range t.Words {
		if i == len(t.Words)-1 {
			words = "“" + strings.TrimSpace(words) + "”"
		}
		b.WriteString(strings.TrimSpace(words) + "\n")
	}
	return b.String() + summedUp(t)
}

// mostSummed is the most deeds in the line that sums up a turn.
const mostSummed = 3

// summedUp returns the newest deeds of a turn and the current step of its plan in one line.
func summedUp(t before.Turn) string {
	var parts []string
	for _, d := range t.Deeds[max(len(t.Deeds)-mostSummed, 0):] {
		parts = append(parts, deedText(d))
	}
	for i, step := range t.Plan {
		if step.State == before.Current {
			parts = append(parts, fmt.Sprintf("▸ plan %d of %d: %s", i+1, len(t.Plan), say.Short(step.Text, 40)))
		}
	}
	return strings.Join(parts, "   ")
}

// deedText returns a deed in one line: a command with how it ended, or a file with the lines that changed.
func deedText(d before.Deed) string {
	words := say.Short(d.Text, 200)
	switch {
	case d.Kind == before.Edit && d.Added+d.Removed > 0:
		return fmt.Sprintf("✎ %s +%d −%d", words, d.Added, d.Removed)
	case d.Kind == before.Edit:
		return "✎ " + words
	case d.Exit != nil && *d.Exit != 0:
		return fmt.Sprintf("✗ %s (exit %d)", words, *d.Exit)
	case d.Failed:
		return "✗ " + words
	}
	return "✓ " + words
}
