package chat_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/chat"
	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

// ways is tmux as a test wants it: agents by client, and what was pasted.
type ways struct {
	at     map[string]desk.Reached
	fail   error
	pasted []string
}

func (f *ways) Reach(_ context.Context, o queue.Origin) desk.Reached { return f.at[o.Client] }

func (f *ways) Send(_ context.Context, s queue.Session) (desk.Sent, error) {
	o, text := s.Origin, s.Ask.Prompt
	sent := desk.Sent{Surface: queue.SurfaceTmux, Where: f.at[o.Client].Where}
	if f.at[o.Client].Direct {
		sent.Surface = queue.SurfaceNative
	}
	if f.fail != nil {
		return sent, f.fail
	}
	f.pasted = append(f.pasted, o.Client+": "+text)
	return sent, nil
}

// The agents of every room.
var (
	shop  = roomtest.Shop
	infra = roomtest.Infra
	web   = roomtest.Web
)

func ask(title string, seconds int) queue.Ask {
	return queue.Ask{Kind: queue.KindChoice, Title: title, Prompt: "I ask because two ways are open.",
		TimeoutSeconds: seconds, OnTimeout: queue.OnTimeoutNone,
		Questions: []queue.Question{{ID: "q1", Mode: queue.ModeSingle, Min: 1, Max: 1, Options: []queue.Option{
			{ID: "pg", Label: "PostgreSQL", Recommended: true}, {ID: "lite", Label: "SQLite"}}}}}
}

// bench is a composer over a desk.
type bench struct {
	*roomtest.Bench
	ways *ways
	room *chat.Room
}

func newBench(t *testing.T, w, h int) *bench {
	t.Helper()
	t.Parallel()
	f := &ways{at: map[string]desk.Reached{
		"claude-code":           {Alive: true, Where: "2:1"},
		"codex-mcp-client":      {Alive: true, Where: "3:0"},
		"gemini-cli-mcp-client": {Alive: true, Err: errors.New("zsh is in front in its pane")}}}
	b := &bench{Bench: roomtest.New(t, w, h, f), ways: f}
	b.room = chat.New(b, b.Chat, chat.Options{Tee: func() int { return 0 }, Edit: edited})
	return b
}

// edited returns an editor that writes a word behind the text.
func edited(_ context.Context, text string) (string, error) { return text + " edited", nil }

// Lend has a terminal to lend.
func (b *bench) Lend(use func(context.Context)) bool {
	use(b.T.Context())
	return true
}

// shopBench returns a composer where one question of shop was answered: chat is open, to shop · claude in tmux 2:1.
func shopBench(t *testing.T, w, h int) *bench {
	b := newBench(t, w, h)
	b.answer(shop())
	return b
}

func (b *bench) answer(agents ...queue.Origin) {
	b.T.Helper()
	for _, o := range agents {
		b.Ask(ask("Which database?", 300), o)
		require.NoError(b.T, b.View().Send())
		b.Calm()
	}
}

func (b *bench) deliver(mode string) {
	s := b.Desk.Settings()
	s.Chat.Deliver = mode
	b.Desk.SetSettings(s)
}

func (b *bench) open() {
	b.Said = ""
	b.room.Open()
	b.Calm()
	b.Desk.Refresh()
	b.Calm()
}

// write opens the composer and types.
func (b *bench) write(text string) {
	b.open()
	b.Write(b.room, text)
}

func (b *bench) press(names ...string) { b.Press(b.room, names...) }

func (b *bench) picture() string { return b.Picture(b.room) }

func (b *bench) enter() string { return b.EnterLine(b.room) }

// leave lets an agent go: only the bridge called bridge stays.
func (b *bench) leave(client string) {
	b.ways.at[client] = desk.Reached{Err: errors.New("it is no longer running")}
	b.present()
}

// present says who runs: the bridge called bridge, and these.
func (b *bench) present(others ...queue.Presence) {
	b.Desk.Take(queue.Changes{Presence: true}, append(others, queue.Presence{Instance: "bridge", Role: queue.RoleBridge}))
	b.Calm()
}

// otherBridge runs beside the one called bridge; what asks through it can leave.
func (b *bench) otherBridge(o queue.Origin) queue.Origin {
	b.present(queue.Presence{Instance: "other", Role: queue.RoleBridge})
	o.Instance = "other"
	return o
}

// hints returns the keys that the footer lists.
func (b *bench) hints(w int) string {
	_, hints, _ := strings.Cut(roomtest.Footer(b.room, w), "\n")
	return strings.TrimSuffix(hints, "\n")
}
