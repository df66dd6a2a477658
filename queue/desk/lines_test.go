package desk_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

// panesFake replaces tmux: it has agents by client, and records the pasted lines.
type panesFake struct {
	at     map[string]desk.Reached
	fail   error
	pasted []string
	note   queue.Action // if set, Send also stores this result in the queue
	queue  *queue.Queue
}

func (f *panesFake) Reach(_ context.Context, o queue.Origin) desk.Reached {
	return f.at[o.Client]
}

func (f *panesFake) noteIt(ctx context.Context, id string, do queue.Action) {
	if done, err := f.queue.Do(ctx, id, queue.Command{By: queue.ByHuman, Surface: queue.SurfaceNative, Do: do}); err == nil {
		_ = f.queue.Store.Archive(ctx, done)
	}
}

func (f *panesFake) Send(ctx context.Context, s queue.Session) (desk.Sent, error) {
	o, text := s.Origin, s.Ask.Prompt
	sent := desk.Sent{Surface: queue.SurfaceTmux, Where: f.at[o.Client].Where}
	if f.at[o.Client].Direct {
		sent.Surface = queue.SurfaceNative
	}
	switch do := f.note.(type) {
	case queue.Deliver:
		do.Claim = *s.Claim
		f.noteIt(ctx, s.ID, do)
	case queue.Cancel:
		f.noteIt(ctx, s.ID, do)
	}
	if f.fail != nil {
		return sent, f.fail
	}
	f.pasted = append(f.pasted, o.Client+": "+text)
	return sent, nil
}

func shop() queue.Origin { return queue.Origin{Client: "claude-code", Cwd: "/src/shop", Agent: "a1"} }
func infra() queue.Origin {
	return queue.Origin{Client: "codex-mcp-client", Cwd: "/src/infra", Agent: "a2"}
}
func web() queue.Origin {
	return queue.Origin{Client: "gemini-cli-mcp-client", Cwd: "/src/web", Agent: "a3"}
}

// placeOf returns an origin whose bridge is another process.
func placeOf(o queue.Origin, instance string) queue.Origin {
	o.Instance = instance
	return o
}

// lines is a desk with a view that can write to agents; a test may change its settings.
type lines struct {
	*bench
	view *desk.View
	chat *desk.Chat
	ways *panesFake
	set  *roomtest.Settings
}

// newLines returns a desk on which a question of shop was answered, so that a line would go to shop, in the tmux pane
// 2:1.
func newLines(t *testing.T) *lines {
	t.Helper()
	l := &lines{set: &roomtest.Settings{S: config.Default()}}
	l.ways = &panesFake{at: map[string]desk.Reached{
		"claude-code":           {Alive: true, Where: "2:1"},
		"codex-mcp-client":      {Alive: true, Where: "3:0"},
		"gemini-cli-mcp-client": {Alive: true, Err: errors.New("zsh is in front in its pane")}}}
	l.bench = newBench(t, func(o *desk.Options) {
		o.Settings, o.Chat = l.set, l.ways
		o.Go = func(f func()) { f() }
	})
	l.ways.queue = l.q
	l.view = view(l.bench)
	l.chat = desk.NewChat(l.view)
	l.answer(shop())
	return l
}

// answer asks a question as an agent and answers it.
func (l *lines) answer(o queue.Origin) queue.Session {
	l.t.Helper()
	s := l.askAs("Which database?", 300, o)
	require.NoError(l.t, l.view.Send())
	l.calm()
	return s
}

// run sets the processes that run: the instance bridge, and these.
func (l *lines) run(others ...queue.Presence) {
	l.Take(queue.Changes{Presence: true}, append(others, queue.Presence{Instance: "bridge", Role: queue.RoleBridge}))
	l.calm()
}

// leave ends an agent, and every bridge except the instance bridge.
func (l *lines) leave(client string) {
	l.ways.at[client] = desk.Reached{Err: errors.New("it is no longer running")}
	l.run()
}

// other is the instance of another bridge.
var other = queue.Presence{Instance: "other", Role: queue.RoleBridge}

func (l *lines) open() {
	l.chat.Compose()
	l.calm()
}

// write opens the composer and types.
func (l *lines) write(text string) {
	l.open()
	l.chat.Type(text)
	l.calm()
}

func (l *lines) close() {
	l.chat.Close()
	l.calm()
}

func (l *lines) next() bool {
	defer l.calm()
	return l.chat.Next()
}

func (l *lines) send() error {
	defer l.calm()
	return l.chat.Send()
}

// to returns the name of the agent that a line would go to.
func (l *lines) to() string {
	l.t.Helper()
	require.NotNil(l.t, l.chat.Addressed())
	return l.chat.NameOf(l.chat.Addressed())
}

func (l *lines) unfetched() []queue.Session { return l.chat.Unfetched(l.chat.Addressed()) }

// archive returns the archived sessions, newest first.
func (l *lines) archive() []queue.Session {
	l.t.Helper()
	page, _, err := l.q.Store.History(l.t.Context(), "", 100, queue.Whole)
	require.NoError(l.t, err)
	return page
}

// last returns the newest event of one type.
func last[E desk.Event](t *testing.T, b *bench) (found E) {
	t.Helper()
	any := false
	for _, e := range b.events {
		if e, ok := e.(E); ok {
			found, any = e, true
		}
	}
	require.True(t, any, "%T was not told", found)
	return found
}
