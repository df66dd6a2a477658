package transfer_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/jetstream"
	"github.com/choicetui/choicetui/queue/spool"
	"github.com/choicetui/choicetui/queue/storetest"
	"github.com/choicetui/choicetui/queue/transfer"
)

func directory(t *testing.T) queue.Store {
	t.Helper()
	s, err := spool.Open(t.TempDir() + "/queue")
	require.NoError(t, err)
	return s
}

// onServer returns a function that opens one empty queue after the other on a server.
func onServer(t *testing.T) func() queue.Store {
	t.Helper()
	n, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true,
		StoreDir: t.TempDir(), NoSigs: true, NoLog: true})
	require.NoError(t, err)
	n.Start()
	t.Cleanup(n.Shutdown)
	require.True(t, n.ReadyForConnections(10*time.Second))
	return func() queue.Store {
		s, err := jetstream.Open(jetstream.Options{URL: n.ClientURL(), Bucket: "t-" + queue.NewToken()})
		require.NoError(t, err)
		t.Cleanup(func() { _ = s.Close() })
		return s
	}
}

// copyAll copies everything, with the open sessions.
func copyAll(ctx context.Context, from, to queue.Store) (transfer.Report, error) {
	return transfer.Run(ctx, transfer.Options{From: from, To: to, Now: time.Now(), WithOpen: true})
}

func do(t *testing.T, store queue.Store, id string, actions ...queue.Action) {
	t.Helper()
	for _, a := range actions {
		_, err := queue.New(store).Do(t.Context(), id, queue.Command{By: queue.ByHuman, Do: a})
		require.NoError(t, err, "%T", a)
	}
}

// archive ends a session and moves it into the history.
func archive(t *testing.T, store queue.Store, s queue.Session, after time.Duration) {
	t.Helper()
	require.NoError(t, store.Archive(t.Context(), storetest.Finish(t, store, s, after)))
}

var settle = queue.Settle{Answer: storetest.Answer("a")}

// whole is the report on the queue of fill.
var whole = transfer.Report{Waiting: 2, Messages: 1, Untold: 1, Answered: 1, History: 5, Drafts: 2}

// send stores a message to an agent.
func send(t *testing.T, store queue.Store) {
	t.Helper()
	message, err := queue.New(store).Create(t.Context(), queue.Session{Origin: queue.Origin{Client: "codex"},
		Ask: queue.Ask{Kind: queue.KindMessage, Title: "go", Prompt: "go on", TimeoutSeconds: 300, OnTimeout: "none"}})
	require.NoError(t, err)
	require.True(t, message.IsMessage())
}

// fill stores sessions of every kind. It returns a pending one.
func fill(t *testing.T, store queue.Store) (pending string) {
	t.Helper()
	ctx, claim := t.Context(), queue.Claim{Instance: "i", Conn: "c"}
	for i := range 3 {
		archive(t, store, storetest.Create(t, store), time.Duration(i)*time.Minute)
	}
	again := storetest.Create(t, store) // an agent shows a prompt of its own twice
	archive(t, store, again, time.Minute)
	again.AskedAt = again.AskedAt.Add(time.Second)
	_, err := store.Create(ctx, again)
	require.NoError(t, err)
	do(t, store, again.ID, settle, queue.Take{Claim: claim}, queue.Collect{Claim: claim}) // closed, and not archived

	asked, other := storetest.Create(t, store), storetest.Create(t, store)
	do(t, store, asked.ID, queue.Take{Claim: claim}, queue.Move{By: time.Minute})
	send(t, store)
	do(t, store, storetest.Create(t, store).ID, settle)
	owing := storetest.Create(t, store)
	do(t, store, owing.ID, queue.CallTeam{Call: "x", Backend: "http", Decision: "d", For: time.Second}, settle,
		queue.Take{Claim: claim}, queue.Collect{Claim: claim})
	for session, reason := range map[string]string{asked.ID: "typed", again.ID: "not sent"} {
		require.NoError(t, store.SaveDraft(ctx, queue.Draft{Session: session, Instance: "me", Reason: reason}))
	}
	return other.ID
}

// contents returns all that a store has, as text, without the revisions.
func contents(t *testing.T, store queue.Store) (all map[string]string) {
	t.Helper()
	all = map[string]string{}
	add := func(where string, s queue.Session) {
		s.Revision = 0
		raw, err := json.Marshal(s)
		require.NoError(t, err)
		drafts, err := store.Drafts(t.Context(), s.ID)
		require.NoError(t, err)
		name := fmt.Sprint(where, s.ID, s.SettledAt())
		require.Empty(t, all[name], "twice")
		all[name] = fmt.Sprintf("%s %+v", raw, drafts)
	}
	live, broken, err := store.Live(t.Context())
	require.NoError(t, err)
	require.Empty(t, broken)
	for _, s := range live {
		if s.Closed() {
			add("ended ", s)
		} else {
			add("open ", s)
		}
	}
	page, next, err := store.History(t.Context(), "", 1000, queue.Whole)
	require.NoError(t, err)
	require.Empty(t, next)
	for _, s := range page {
		add("ended ", s)
	}
	return all
}

func TestRun_CopiesEverythingBetweenAllStores(t *testing.T) {
	t.Parallel()
	server := onServer(t)
	memory := func() queue.Store { return storetest.NewMemory() }
	dir := func() queue.Store { return directory(t) }
	for name, stores := range map[string][2]func() queue.Store{
		"directory to directory": {dir, dir}, "directory to server": {dir, server}, "server to directory": {server, dir},
		"server to server": {server, server}, "memory": {memory, memory},
	} {
		t.Run(name, func(t *testing.T) {
			from, to := stores[0](), stores[1]()
			fill(t, from)
			before := contents(t, from)
			require.Len(t, before, 10)
			for range 2 { // a second run has nothing to do
				report, err := copyAll(t.Context(), from, to)
				require.NoError(t, err)
				require.Equal(t, whole, report)
				require.Equal(t, before, contents(t, to))
				require.Equal(t, before, contents(t, from), "the old place is only read")
			}
		})
	}
}

func TestRun_CopiesWhatIsOpenOnlyIfThePersonSaysSo(t *testing.T) {
	t.Parallel()
	claim := queue.Claim{Instance: "i", Conn: "c"}
	for name, open := range map[string]func(t *testing.T, from queue.Store){
		"pending": func(t *testing.T, from queue.Store) { storetest.Create(t, from) },
		"everything": func(t *testing.T, from queue.Store) {
			fill(t, from)
		},
		"the team is not told": func(t *testing.T, from queue.Store) {
			do(t, from, storetest.Create(t, from).ID,
				queue.CallTeam{Call: "x", Backend: "http", Decision: "d", For: time.Second}, settle,
				queue.Take{Claim: claim}, queue.Collect{Claim: claim})
		},
		"nor is it told before its agent has the answer": func(t *testing.T, from queue.Store) {
			do(t, from, storetest.Create(t, from).ID,
				queue.CallTeam{Call: "x", Backend: "http", Decision: "d", For: time.Second}, settle)
		},
	} {
		t.Run(name, func(t *testing.T) {
			from, to := storetest.NewMemory(), storetest.NewMemory()
			open(t, from)
			report, err := transfer.Run(t.Context(), transfer.Options{From: from, To: to, Now: time.Now()})
			require.ErrorIs(t, err, transfer.ErrOpen)
			require.NotZero(t, report.Open())
			require.Empty(t, contents(t, to))
		})
	}
	from, to := storetest.NewMemory(), storetest.NewMemory()
	do(t, from, storetest.Create(t, from).ID, settle)
	report, err := transfer.Run(t.Context(), transfer.Options{From: from, To: to, Now: time.Now()})
	require.NoError(t, err, "nobody acts on an answer that its agent has to fetch")
	require.Equal(t, transfer.Report{Answered: 1}, report)

	from, to = storetest.NewMemory(), storetest.NewMemory()
	send(t, from)
	storetest.Create(t, from)
	report, err = transfer.Run(t.Context(), transfer.Options{From: from, To: to, Now: time.Now().Add(time.Hour)})
	require.NoError(t, err, "their time is over")
	require.Equal(t, transfer.Report{Answered: 1, History: 1}, report)
}

// errPower is the error of a store that stops working in the middle.
var errPower = errors.New("the power went")

// failing is a store that stops working at its nth write, before or after the write is done.
type failing struct {
	queue.Store
	left int
	late bool
}

func (f *failing) write(do func() error) error {
	f.left--
	switch {
	case f.left < -1, f.left == -1 && !f.late:
		return errPower
	case f.left == -1:
		_ = do()
		return errPower
	}
	return do()
}

func (f *failing) Create(ctx context.Context, s queue.Session) (made queue.Session, err error) {
	err = f.write(func() error { made, err = f.Store.Create(ctx, s); return err })
	return made, err
}

func (f *failing) Put(ctx context.Context, s queue.Session) (put queue.Session, err error) {
	err = f.write(func() error { put, err = f.Store.Put(ctx, s); return err })
	return put, err
}

func (f *failing) Archive(ctx context.Context, s queue.Session) error {
	return f.write(func() error { return f.Store.Archive(ctx, s) })
}

func (f *failing) SaveDraft(ctx context.Context, d queue.Draft) error {
	return f.write(func() error { return f.Store.SaveDraft(ctx, d) })
}

// A stopped copy is run again: at once, after the old queue was used, and after somebody looked at the incomplete place.
func TestRun_StoppedAnywhereIsRunAgain(t *testing.T) {
	t.Parallel()
	claim := queue.Claim{Instance: "j", Conn: "c"}
	for name, meanwhile := range map[string]func(t *testing.T, from, to queue.Store, pending string){
		"at once": func(*testing.T, queue.Store, queue.Store, string) {},
		"the old queue was used": func(t *testing.T, from, _ queue.Store, pending string) {
			storetest.Create(t, from)
			do(t, from, pending, settle, queue.Take{Claim: claim})
			require.NoError(t, from.SaveDraft(t.Context(), queue.Draft{Session: pending, Instance: "me", Reason: "more"}))
		},
		"a question ended": func(t *testing.T, from, _ queue.Store, pending string) {
			do(t, from, pending, settle, queue.Take{Claim: claim}, queue.Collect{Claim: claim})
			s, err := from.Get(t.Context(), pending)
			require.NoError(t, err)
			require.NoError(t, from.Archive(t.Context(), s))
		},
		"a dashboard was open at the new place": func(t *testing.T, _, to queue.Store, _ string) {
			live, _, err := to.Live(t.Context())
			require.NoError(t, err)
			require.NoError(t, queue.New(to).Sweep(t.Context(), live))
		},
	} {
		t.Run(name, func(t *testing.T) {
			for way, stopped := 0, true; way < 2; way++ {
				for stop := 0; stopped || stop == 0; stop++ {
					from, to := storetest.NewMemory(), storetest.NewMemory()
					pending := fill(t, from)
					_, err := copyAll(t.Context(), from, &failing{to, stop, way == 1})
					if stopped = err != nil; stopped {
						require.ErrorIs(t, err, errPower)
					} else {
						require.Greater(t, stop, 10, "it never stopped")
					}
					meanwhile(t, from, to, pending)
					before := contents(t, from)
					_, err = copyAll(t.Context(), from, to)
					require.NoError(t, err, "stopped at write %d", stop)
					require.Equal(t, before, contents(t, to))
					require.Equal(t, before, contents(t, from))
				}
			}
		})
	}
}

// What is at the new place and not at the old one is never overwritten, whether it came before or after a copy.
func TestRun_RefusesAPlaceThatIsAhead(t *testing.T) {
	t.Parallel()
	for name, use := range map[string]func(t *testing.T, to queue.Store, pending string){
		"asked there":     func(t *testing.T, to queue.Store, _ string) { storetest.Create(t, to) },
		"answered there":  func(t *testing.T, to queue.Store, pending string) { do(t, to, pending, settle) },
		"cancelled there": func(t *testing.T, to queue.Store, pending string) { do(t, to, pending, queue.Cancel{}) },
		"ended there": func(t *testing.T, to queue.Store, _ string) {
			archive(t, to, storetest.Create(t, to), time.Minute)
		},
		"postponed there": func(t *testing.T, to queue.Store, pending string) { do(t, to, pending, queue.Later{}) },
	} {
		t.Run(name, func(t *testing.T) {
			from, to := storetest.NewMemory(), storetest.NewMemory()
			pending := fill(t, from)
			_, err := copyAll(t.Context(), from, to)
			require.NoError(t, err)
			use(t, to, pending)
			before := contents(t, to)
			_, err = copyAll(t.Context(), from, to)
			require.ErrorIs(t, err, transfer.ErrOther)
			require.Equal(t, before, contents(t, to))
		})
	}
	from, to := storetest.NewMemory(), storetest.NewMemory()
	s := storetest.Create(t, from)
	s.AskedAt = s.AskedAt.Add(-time.Hour)
	_, err := to.Create(t.Context(), s)
	require.NoError(t, err)
	_, err = copyAll(t.Context(), from, to)
	require.ErrorIs(t, err, transfer.ErrOther, "another session with the same id")
}

// The way back: what the old place has is an earlier state of what the new one has.
func TestRun_BringsAQueueBack(t *testing.T) {
	t.Parallel()
	home, there := storetest.NewMemory(), storetest.NewMemory()
	pending := fill(t, home)
	_, err := copyAll(t.Context(), home, there)
	require.NoError(t, err)
	do(t, there, pending, settle)
	storetest.Create(t, there)
	_, err = copyAll(t.Context(), there, home)
	require.NoError(t, err)
	require.Equal(t, contents(t, there), contents(t, home))
}

// wrong is a store that stores something else than it acknowledges.
type wrong struct{ queue.Store }

func (w wrong) Create(ctx context.Context, s queue.Session) (queue.Session, error) {
	s.Ask.Prompt += "!"
	return w.Store.Create(ctx, s)
}

// deaf is a store that drops drafts.
type deaf struct{ queue.Store }

func (deaf) SaveDraft(context.Context, queue.Draft) error { return nil }

// used is a store that somebody uses when it is read again.
type used struct {
	queue.Store
	reads int
	do    func()
}

func (u *used) Live(ctx context.Context) ([]queue.Session, []queue.Broken, error) {
	if u.reads++; u.reads == 2 {
		u.do()
	}
	return u.Store.Live(ctx)
}

func TestRun_NoticesThatThePlacesDiffer(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]func(t *testing.T, from, to *storetest.Memory, pending string) (f, o queue.Store){
		"stored otherwise": func(_ *testing.T, from, to *storetest.Memory, _ string) (f, o queue.Store) {
			return from, wrong{to}
		},
		"a draft is missing": func(_ *testing.T, from, to *storetest.Memory, _ string) (f, o queue.Store) {
			return from, deaf{to}
		},
		"asked meanwhile": func(t *testing.T, from, to *storetest.Memory, _ string) (f, o queue.Store) {
			return &used{Store: from, do: func() { storetest.Create(t, from) }}, to
		},
		"answered meanwhile": func(t *testing.T, from, to *storetest.Memory, pending string) (f, o queue.Store) {
			return &used{Store: from, do: func() { do(t, from, pending, settle) }}, to
		},
		"answered at the new place": func(t *testing.T, from, to *storetest.Memory, pending string) (f, o queue.Store) {
			return from, &used{Store: to, do: func() { do(t, to, pending, settle) }}
		},
	} {
		t.Run(name, func(t *testing.T) {
			from, to := storetest.NewMemory(), storetest.NewMemory()
			source, target := c(t, from, to, fill(t, from))
			_, err := copyAll(t.Context(), source, target)
			require.ErrorIs(t, err, transfer.ErrDiffers)
		})
	}
}

func TestRun_LeavesWhatIsBrokenOrNewer(t *testing.T) {
	t.Parallel()
	dir := t.TempDir() + "/queue"
	from, err := spool.Open(dir)
	require.NoError(t, err)
	to := storetest.NewMemory()
	storetest.Create(t, from)
	broken, newer := storetest.Create(t, from), storetest.Create(t, from)
	write := func(id, text string) {
		names, err := filepath.Glob(filepath.Join(dir, "live", id, "*.json"))
		require.NoError(t, err)
		require.Len(t, names, 1)
		require.NoError(t, os.Remove(names[0]))
		require.NoError(t, os.WriteFile(names[0], []byte(text), 0o600))
	}
	write(broken.ID, "{")
	newer.Schema = queue.Schema + 1
	raw, err := json.Marshal(newer)
	require.NoError(t, err)
	write(newer.ID, strings.Replace(string(raw), `"schema"`, `"of_tomorrow":1,"schema"`, 1))
	r, err := copyAll(t.Context(), from, to)
	require.NoError(t, err)
	require.Equal(t, transfer.Report{Waiting: 1, Newer: 1, Broken: 1}, r)
	live, _, err := to.Live(t.Context())
	require.NoError(t, err)
	require.Len(t, live, 1)
}
