package transfer_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"sync"
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

// place is a store and its name in the trail.
type place struct {
	queue.Store
	name string
}

func memory(name string) place { return place{storetest.NewMemory(), name} }

func directory(t *testing.T, name string) place {
	t.Helper()
	s, err := spool.Open(t.TempDir() + "/queue")
	require.NoError(t, err)
	return place{s, name}
}

// running is the only server of these tests. Each queue has its own bucket on it.
var running struct {
	once sync.Once
	url  string
	err  error
	stop func()
}

func TestMain(m *testing.M) {
	if from := os.Getenv(childMoves); from != "" {
		os.Exit(moveAsChild(from))
	}
	code := m.Run()
	if running.stop != nil {
		running.stop()
	}
	os.Exit(code)
}

func onServer(t *testing.T, name string) place {
	t.Helper()
	running.once.Do(func() {
		var dir string
		if dir, running.err = os.MkdirTemp("", "choicetui-transfer-"); running.err != nil {
			return
		}
		n, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true,
			StoreDir: dir, NoSigs: true, NoLog: true})
		if running.err = err; err != nil {
			return
		}
		n.Start()
		if !n.ReadyForConnections(10 * time.Second) {
			running.err = fmt.Errorf("the server does not start")
		}
		running.url = n.ClientURL()
		running.stop = func() { n.Shutdown(); _ = os.RemoveAll(dir) }
	})
	require.NoError(t, running.err)
	s, err := jetstream.Open(jetstream.Options{URL: running.url, Bucket: "t-" + queue.NewToken()})
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return place{s, name}
}

func move(ctx context.Context, from, to place) (transfer.Report, error) {
	return transfer.Run(ctx, transfer.Options{From: queue.New(from.Store), To: to.Store, Name: to.name})
}

func mustMove(t *testing.T, from, to place) transfer.Report {
	t.Helper()
	r, err := move(t.Context(), from, to)
	require.NoError(t, err, "from %s to %s", from.name, to.name)
	return r
}

func give(t *testing.T, at place, id string, actions ...queue.Action) {
	t.Helper()
	for _, do := range actions {
		_, err := queue.New(at.Store).Do(t.Context(), id, queue.Command{By: queue.ByHuman, Do: do})
		require.NoError(t, err, "%T at %s", do, at.name)
	}
}

// fetched returns the actions that end a session whose answer its agent has collected.
func fetched() []queue.Action {
	claim := queue.Claim{Instance: "i", Conn: "c"}
	return []queue.Action{queue.Take{Claim: claim}, queue.Collect{Claim: claim}}
}

// requireOpen checks which sessions are open at a place, and that all others there are closed.
func requireOpen(t *testing.T, at place, want map[string]string) {
	t.Helper()
	live, broken, err := at.Live(t.Context())
	require.NoError(t, err)
	require.Empty(t, broken)
	open := map[string]string{}
	for _, s := range live {
		if !s.Final {
			open[s.ID] = s.Status()
		}
	}
	require.Equal(t, want, open, "at %s", at.name)
}

// journey is a queue whose sessions are answered on the way: at the place in the field's name, or not at all.
type journey struct{ waits, answered, there, ended string }

func depart(t *testing.T, at place) journey {
	t.Helper()
	ids := make([]string, 4)
	for i := range ids {
		ids[i] = storetest.Create(t, at.Store).ID
	}
	j := journey{ids[0], ids[1], ids[2], ids[3]}
	require.NoError(t, at.SaveDraft(t.Context(), queue.Draft{Session: j.waits, Instance: "me", Reason: "typed"}))
	give(t, at, j.answered, queue.Settle{Answer: storetest.Answer("a")})
	return j
}

// answerThere settles one session at another place, and collects the answer of a second one there.
func (j journey) answerThere(t *testing.T, at place) {
	t.Helper()
	settle := queue.Settle{Answer: storetest.Answer("c")}
	give(t, at, j.there, settle)
	give(t, at, j.ended, append([]queue.Action{settle}, fetched()...)...)
}

// requireBack checks that a place has all sessions, open and closed, and that the open ones can be closed there.
func (j journey) requireBack(t *testing.T, at place) {
	t.Helper()
	requireOpen(t, at, map[string]string{j.waits: queue.StatusPending, j.answered: queue.StatusSelected,
		j.there: queue.StatusSelected})
	drafts, err := at.Drafts(t.Context(), j.waits)
	require.NoError(t, err)
	require.Len(t, drafts, 1)
	for id, option := range map[string]string{j.answered: "a", j.there: "c", j.ended: "c"} {
		s, err := at.Get(t.Context(), id)
		require.NoError(t, err)
		require.Equal(t, []string{option}, s.Outcome.Answer.Replies[0].Selected)
		require.Equal(t, id == j.ended, s.Final)
	}
	give(t, at, j.waits, queue.Settle{Answer: storetest.Answer("b")})
	for _, id := range []string{j.waits, j.answered, j.there} {
		give(t, at, id, fetched()...)
		s, err := at.Get(t.Context(), id)
		require.NoError(t, err)
		require.NoError(t, at.Archive(t.Context(), s))
		s, err = at.Get(t.Context(), id)
		require.NoError(t, err)
		require.Equal(t, queue.StatusSelected, s.Outcome.Status)
	}
}

func TestAQueueGoesThereAndBackWithWhatWasAnsweredThere(t *testing.T) {
	t.Parallel()
	for name, places := range map[string][]place{
		"memory":               {memory("a"), memory("b")},
		"directories":          {directory(t, "a"), directory(t, "b")},
		"three directories":    {directory(t, "a"), directory(t, "b"), directory(t, "c")},
		"a server and back":    {directory(t, "a"), onServer(t, "b")},
		"from a server":        {onServer(t, "a"), directory(t, "b")},
		"two on a server":      {onServer(t, "a"), onServer(t, "b")},
		"server and directory": {directory(t, "a"), onServer(t, "b"), directory(t, "c")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := places[0]
			j := depart(t, home)
			report := mustMove(t, home, places[1])
			require.Equal(t, transfer.Report{Waiting: 3, Answered: 1, Verified: true}, report)
			requireOpen(t, home, map[string]string{})
			j.answerThere(t, places[1])
			round := append(places[1:], home)
			for i := range round[1:] {
				report = mustMove(t, round[i], round[i+1])
			}
			want := transfer.Report{Waiting: 1, Answered: 2, History: 1, Verified: true}
			require.Equal(t, want, report)
			for range 2 { // a second run finds everything moved and changes nothing
				again := mustMove(t, places[len(places)-1], home)
				require.Equal(t, want, again)
			}
			for _, other := range places[1:] {
				requireOpen(t, other, map[string]string{})
			}
			j.requireBack(t, home)
		})
	}
}

func TestWhatWasMovedIsNotHandedOutToASecondPlace(t *testing.T) {
	t.Parallel()
	for name, places := range map[string][]place{
		"directories": {directory(t, "a"), directory(t, "b"), directory(t, "c")},
		"servers":     {onServer(t, "a"), onServer(t, "b"), onServer(t, "c")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := depart(t, places[0])
			storetest.Finish(t, places[0].Store, storetest.Create(t, places[0].Store), time.Second)
			mustMove(t, places[0], places[1])
			report := mustMove(t, places[0], places[2])
			require.Equal(t, transfer.Report{History: 1, Elsewhere: map[string]int{"b": 4}, Verified: true}, report)
			requireOpen(t, places[2], map[string]string{})
			j.answerThere(t, places[1])
			report = mustMove(t, places[1], places[2])
			require.Equal(t, transfer.Report{Waiting: 1, Answered: 2, History: 2, Verified: true}, report)
			report = mustMove(t, places[0], places[2])
			require.Equal(t, transfer.Report{Waiting: 1, Answered: 2, History: 2, Verified: true}, report, "there it is, another way")
			report = mustMove(t, places[0], places[1])
			require.Equal(t, transfer.Report{History: 2, Elsewhere: map[string]int{"c": 3}, Verified: true}, report)
			mustMove(t, places[2], places[0])
			j.requireBack(t, places[0])
		})
	}
}

func TestAWayBackThatStopsAnywhereIsRunAgainWithoutALostOrDoubledSession(t *testing.T) {
	t.Parallel()
	for way := range 4 {
		side, late := way%2, way/2 == 1
		for stop := 0; ; stop++ {
			home, there := memory("home"), memory("there")
			j := depart(t, home)
			mustMove(t, home, there)
			j.answerThere(t, there)
			first, second := &failing{there.Store, 1 << 20, late}, &failing{home.Store, 1 << 20, late}
			[]*failing{first, second}[side].left = stop
			_, err := move(t.Context(), place{first, "there"}, place{second, "home"})
			again := mustMove(t, there, home)
			require.Equal(t, transfer.Report{Waiting: 1, Answered: 2, History: 1, Verified: true}, again, "stop %d", stop)
			requireOpen(t, there, map[string]string{})
			j.requireBack(t, home)
			if err == nil {
				require.Greater(t, stop, 5, "it never stopped")
				break
			}
			require.ErrorIs(t, err, errPower)
		}
	}
}

func TestAMoveThatStopsAnywhereCanBeTurnedRound(t *testing.T) {
	t.Parallel()
	for way := range 4 {
		side, late := way%2, way/2 == 1
		for stop := 0; ; stop++ {
			home, there := memory("home"), memory("there")
			j := depart(t, home)
			first, second := &failing{home.Store, 1 << 20, late}, &failing{there.Store, 1 << 20, late}
			[]*failing{first, second}[side].left = stop
			_, err := move(t.Context(), place{first, "home"}, place{second, "there"})
			mustMove(t, there, home)
			j.answerThere(t, home)
			requireOpen(t, there, map[string]string{})
			j.requireBack(t, home)
			if err == nil {
				require.GreaterOrEqual(t, stop, 5, "it never stopped")
				break
			}
			require.ErrorIs(t, err, errPower)
		}
	}
}

// A stopped move of an older version left departed sessions among the open ones.
func TestWhatLeftForOnePlaceAndDidNotArriveIsNotHandedOutToAnother(t *testing.T) {
	t.Parallel()
	a, b, c := directory(t, "a"), directory(t, "b"), directory(t, "c")
	j := depart(t, a)
	give(t, a, j.waits, queue.Depart{To: "b"})
	report := mustMove(t, a, c)
	require.Equal(t, map[string]int{"b": 1}, report.Leaving)
	require.Equal(t, 3, report.Waiting+report.Answered)
	report = mustMove(t, a, b)
	require.Equal(t, 1, report.Waiting+report.Answered)
	require.Equal(t, map[string]int{"c": 3}, report.Elsewhere)
	mustMove(t, b, c)
	j.answerThere(t, c)
	mustMove(t, c, a)
	j.requireBack(t, a)
}

func TestAQueueThatIsMovedToItselfStaysAsItIs(t *testing.T) {
	t.Parallel()
	at := directory(t, "a")
	j := depart(t, at)
	report := mustMove(t, at, place{at.Store, "the same by another name"})
	require.Equal(t, transfer.Report{Apart: 4, Verified: true}, report)
	j.answerThere(t, at)
	j.requireBack(t, at)
}

// A restored backup has sessions again that continued elsewhere.
func TestWhatABackupBroughtBackIsClosedUnlessItWasAnsweredAgain(t *testing.T) {
	t.Parallel()
	a, b, restored := memory("a"), memory("b"), memory("a")
	j := depart(t, a)
	for _, id := range []string{j.waits, j.there} {
		s, err := a.Get(t.Context(), id)
		require.NoError(t, err)
		_, err = restored.Create(t.Context(), s)
		require.NoError(t, err)
	}
	mustMove(t, a, b)
	j.answerThere(t, b)
	give(t, restored, j.there, queue.Settle{Answer: storetest.Answer("a")})
	report := mustMove(t, restored, b)
	require.Equal(t, transfer.Report{Waiting: 1, Apart: 1, Verified: true}, report)
	requireOpen(t, restored, map[string]string{j.there: queue.StatusSelected})
	report = mustMove(t, b, restored)
	require.Equal(t, 1, report.Apart)
	requireOpen(t, b, map[string]string{j.there: queue.StatusSelected})
}

func TestTheTrailTellsTheWay(t *testing.T) {
	t.Parallel()
	a, b := directory(t, "a"), onServer(t, "b")
	j := depart(t, a)
	mustMove(t, a, b)
	mustMove(t, b, a)
	s, err := a.Get(t.Context(), j.waits)
	require.NoError(t, err)
	var way []string
	for _, e := range s.Events {
		way = append(way, strings.TrimSpace(e.Kind+" "+e.Detail))
	}
	require.Equal(t, []string{"asked provide_choice", "departed b", "departed a"}, way)
}
