package e2e

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	natsjs "github.com/nats-io/nats.go/jetstream"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/jetstream"
)

func TestWhatAServerLostIsSaidToBeGoneAndCanBeAskedAnew(t *testing.T) {
	t.Parallel()
	s := onServer(t, server.Options{})
	p := s.tmux().dashboard(110, 24)
	a := s.elsewhere().connect("claude-code")
	call := a.ask(which())
	p.meet("Which database?")
	s.server.Shutdown()
	p.see("the queue cannot be reached")
	s.o.StoreDir = filepath.Join(s.dir, "another")
	s.serve()
	p.lose("cannot be reached")
	t.Log(p.screen())
	got := call.refusal()
	t.Log(got)
	assert.Contains(t, got, "ask again")
	again := a.ask(which()) // the closed question gives way to it
	p.see("Send PostgreSQL")
	p.meet("Which database?")
	p.press("Enter")
	assert.Equal(t, []any{"pg"}, again.answer().selection()["selected_ids"])
}

func TestOnAFullServerTheAnswerWaitsAndTheAgentIsTold(t *testing.T) {
	t.Parallel()
	s := onServer(t, server.Options{JetStreamMaxStore: 64 << 10})
	p := s.tmux().dashboard(110, 24)
	a := s.elsewhere().connect("claude-code")
	call := a.ask(which())
	p.meet("Which database?")
	s.fillServer()
	another := which()
	another["title"] = "Which cache?"
	told := a.ask(another).refusal()
	t.Log(told)
	assert.Contains(t, told, "the queue's server has no room left")
	p.press("Enter")
	t.Log(said(p.see("not saved yet, trying again: the queue's server has no room left"), "not saved"))
	gate := s.run("gate")
	assert.Equal(t, 2, gate.code, "it can be read: %v", gate)
	s.server.Shutdown()
	s.o.JetStreamMaxStore = 64 << 20
	s.serve()
	assert.Equal(t, []any{"pg"}, call.answer().selection()["selected_ids"])
	p.see("PostgreSQL → shop · claude: delivered")
	until(t, "it is archived, once", func() bool { return s.count("Which database?") == 1 })
}

// fillServer writes until the server takes no more.
func (s *shared) fillServer() {
	s.Helper()
	store, err := jetstream.Open(jetstream.Options{URL: s.server.ClientURL()})
	require.NoError(s, err)
	defer store.Close()
	for size := 4000; size > 10; {
		ask := database()
		ask.Title, ask.Prompt = "Ballast", strings.Repeat("x", size)
		v, err := queue.New(store).Create(s.Context(), queue.Session{Ask: ask,
			Origin: queue.Origin{Dialect: "provide_choice", Client: "ballast", Cwd: s.work}})
		if err == nil {
			_, err = queue.New(store).Do(s.Context(), v.ID, queue.Command{By: queue.ByHuman, Do: queue.Cancel{}})
		}
		if err != nil {
			s.Log(err)
			size /= 4
		}
	}
}

// count is how many sessions of a title lie in the history.
func (s *shared) count(title string) (n int) {
	s.Helper()
	for _, v := range s.history() {
		if v.Ask.Title == title {
			n++
		}
	}
	return n
}

func TestABucketOfSomebodyElseIsRefusedInWords(t *testing.T) {
	t.Parallel()
	s := onServer(t, server.Options{})
	s.makeForeign()
	got := s.run("gate")
	t.Log(got)
	assert.Zero(t, got.code)
	assert.Contains(t, got.err, "so the prompt goes through")
	got = s.run("list")
	t.Log(got)
	assert.Contains(t, got.err, "cannot keep a queue")
	told := s.connect("claude-code").ask(which()).refusal()
	t.Log(told)
	assert.Contains(t, told, "cannot keep a queue")
	p := s.tmux().script(150, 24, "choicetui")
	assert.Equal(t, 1, p.ended())
	assert.Contains(t, p.all(), "cannot keep a queue")
	assert.NoFileExists(t, filepath.Join(s.dir, "state", "choicetui", "queue"))
}

// makeForeign puts a bucket of our name on the server that forgets after a minute.
func (s *shared) makeForeign() {
	s.Helper()
	nc, err := nats.Connect(s.server.ClientURL())
	require.NoError(s, err)
	defer nc.Close()
	js, err := natsjs.New(nc)
	require.NoError(s, err)
	_, err = js.CreateKeyValue(s.Context(), natsjs.KeyValueConfig{Bucket: "choicetui_pending", TTL: time.Minute})
	require.NoError(s, err)
}

func TestWhoseBridgeWasKilledAsksTheSameOnAServerAndItIsNotAskedTwice(t *testing.T) {
	t.Parallel()
	s := onServer(t, server.Options{})
	p := s.tmux().dashboard(110, 24)
	a := s.elsewhere().connect("claude-code")
	a.ask(which())
	p.meet("Which database?")
	a.kill()
	require.True(t, s.only().Gone, "that is known at once")
	again := s.elsewhere().connect("claude-code").ask(which())
	until(t, "the question has another caller", func() bool { return !s.only().Gone })
	p.press("Enter")
	assert.Equal(t, []any{"pg"}, again.answer().selection()["selected_ids"])
	require.Empty(t, s.list())
}

func TestASettingsFileThatBreaksLeavesAnOpenDashboardOnItsServer(t *testing.T) {
	t.Parallel()
	s := onServer(t, server.Options{})
	address := "nats://" + s.mine.addr
	s.env = slices.DeleteFunc(s.env, func(v string) bool { return strings.HasPrefix(v, "CHOICETUI_QUEUE=") })
	file := filepath.Join(s.dir, "config", "choicetui", "config.json")
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
	require.NoError(t, os.WriteFile(file, []byte(`{"queue": "`+address+`"}`), 0o600))
	p := s.tmux().dashboard(110, 24)
	a := s.connect("claude-code")
	require.NoError(t, os.WriteFile(file, []byte(`{"queue": "`+address+`"`), 0o600))
	const why = "the file ends too early; fix the file first: it may name another queue"
	got := s.run("list")
	assert.Equal(t, 1, got.code)
	assert.Contains(t, got.err, why)
	assert.NoDirExists(t, s.queue)
	assert.Contains(t, s.connect("codex").ask(which()).refusal(), why)

	call := a.ask(which())
	p.meet("Which database?")
	p.press("Enter")
	assert.Equal(t, []any{"pg"}, call.answer().selection()["selected_ids"])
	p.see("last good settings; your file is untouched")
}

func TestALineSentWhileTheServerIsSilentReachesItsAgentOnceAndLeavesTheComposer(t *testing.T) {
	t.Parallel()
	s := onServer(t, server.Options{})
	p := s.tmux().dashboard(110, 24)
	a := s.elsewhere().connect("claude-code")
	listen := mcp.CallToolRequest{}
	listen.Params.Name = "next_message"
	heard := make(chan answer, 1)
	go func() {
		if got, err := a.client.CallTool(context.Background(), listen); err == nil {
			heard <- read(t, got)
		}
	}()
	p.see("chat · to shop · claude")
	p.opens("i", "waiting")
	p.write("frozen chat")
	p.see("› frozen chat")
	s.mine.held.Lock()
	s.theirs.held.Lock()
	p.press("Enter")
	p.see("not sent yet, trying again", "› frozen chat")
	p.press("Enter")
	s.mine.held.Unlock()
	s.theirs.held.Unlock()
	require.Equal(t, "frozen chat", (<-heard).structured["text"])
	p.see("✓ “frozen chat” → shop", "delivered")
	p.lose("Send to")
	until(t, "it is archived", func() bool { return len(s.history()) > 0 })
	require.Len(t, s.history(), 1)
}
