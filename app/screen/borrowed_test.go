package screen

import (
	"context"
	"errors"
	"testing"

	"github.com/gdamore/tcell/v2"

	"github.com/choicetui/choicetui/app/desk"
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
)

// panesFake is tmux as a test wants it: agents by name, and what was pasted.
type panesFake struct {
	at     map[string]desk.Reached // by client
	pasted []string
}

func (f *panesFake) Reach(_ context.Context, o queue.Origin) desk.Reached { return f.at[o.Client] }

func (f *panesFake) Paste(_ context.Context, o queue.Origin, text string) (string, error) {
	f.pasted = append(f.pasted, o.Client+": "+text)
	return f.at[o.Client].Where, nil
}

// chatBench is a dashboard where one question of shop was answered: chat is open, to shop · claude in tmux 2:1.
func chatBench(t *testing.T, w, h int) (*bench, *panesFake) {
	ways := &panesFake{at: map[string]desk.Reached{"claude-code": {Alive: true, Where: "2:1"},
		"codex-mcp-client": {Alive: true, Where: "3:0"}, "gemini-cli-mcp-client": {Alive: true, Err: errors.New("zsh is in front in its pane")}}}
	b := newBenchWith(t, w, h, func(o *Options) { o.Chat = ways })
	b.ask(database(), shop())
	b.calm()
	b.press("enter")
	b.calm()
	return b, ways
}

func (b *bench) ctrl(k tcell.Key) {
	b.Key(tcell.NewEventKey(k, 0, tcell.ModNone))
	b.settle()
}

func one(mode string, change func(*queue.Question)) queue.Ask {
	a := database()
	q := &a.Questions[0]
	q.Mode = mode
	q.Min, q.Max = queue.Bounds(mode, len(q.Options))
	if change != nil {
		change(q)
	}
	return a
}

func lines(s string) []string {
	var out []string
	for l := range splitLines(s) {
		out = append(out, l)
	}
	return out
}

func (b *bench) fixed() *config.Settings { return &b.settings.s }
