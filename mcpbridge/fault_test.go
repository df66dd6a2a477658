package mcpbridge

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// faulty is a store whose disk can be full, whose notifications can break and whose methods can panic.
type faulty struct {
	queue.Store
	full, deaf, mad atomic.Bool
	away, empty     atomic.Bool           // the server does not answer; it is a new one without sessions
	slow            atomic.Int64          // how long each write waits before and after it is done
	created         func(s queue.Session) // runs after the session was stored and before Create returns
	doubt           atomic.Int32          // one of the constants below
	looked          func()                // runs after the next read of the live sessions
	late            []queue.Session       // sessions that arrive stores later
}

// The next Create returns queue.ErrInDoubt, and its session is stored at once, later, or never.
const (
	storedInDoubt = 1 + iota
	storedLater
	neverStored
)

// inDoubt handles a Create that is not acknowledged.
func (f *faulty) inDoubt(ctx context.Context, s queue.Session) error {
	switch f.doubt.Swap(0) {
	case storedInDoubt:
		_, err := f.Store.Create(ctx, s)
		return errors.Join(queue.ErrInDoubt, err)
	case storedLater:
		f.late = append(f.late, s)
		return queue.ErrInDoubt
	case neverStored:
		return queue.ErrInDoubt
	}
	return nil
}

// arrive stores the sessions that were sent before, unless another session has taken their place.
func (f *faulty) arrive(ctx context.Context) {
	for _, s := range f.late {
		_, _ = f.Store.Create(ctx, s)
	}
	f.late = nil
}

func (f *faulty) rest() { time.Sleep(time.Duration(f.slow.Load())) }

var errFull = errors.New("no space left on device")

func (f *faulty) Create(ctx context.Context, s queue.Session) (queue.Session, error) {
	if f.away.Load() {
		return queue.Session{}, errAway
	}
	if f.full.Load() {
		return queue.Session{}, errFull
	}
	if err := f.inDoubt(ctx, s); err != nil {
		return queue.Session{}, err
	}
	f.rest()
	defer f.rest()
	s, err := f.Store.Create(ctx, s)
	if f.created != nil {
		f.created(s)
	}
	return s, err
}

func (f *faulty) Put(ctx context.Context, s queue.Session) (queue.Session, error) {
	if f.away.Load() {
		return queue.Session{}, errAway
	}
	if f.full.Load() {
		return queue.Session{}, errFull
	}
	f.rest()
	defer f.rest()
	return f.Store.Put(ctx, s)
}

// Live returns how a call looks whether the same was asked before, where it does not watch everything.
func (f *faulty) Live(ctx context.Context) ([]queue.Session, []queue.Broken, error) {
	live, broken, err := f.Store.Live(ctx)
	if f.looked != nil {
		f.looked()
		f.looked = nil
	}
	return live, broken, err
}

func (f *faulty) Present(ctx context.Context, roles ...string) ([]queue.Presence, error) {
	if f.mad.Load() {
		panic("mad")
	}
	return f.Store.Present(ctx, roles...)
}

func (f *faulty) Watch(ctx context.Context, news queue.News, ids ...string) (queue.Watcher, error) {
	switch {
	case f.away.Load():
		return nil, errAway
	case f.deaf.Load():
		return nil, errors.New("too many watches")
	}
	w, err := f.Store.Watch(ctx, news, ids...)
	return &deafWatcher{w, f}, err
}

type deafWatcher struct {
	queue.Watcher
	store *faulty
}

func (w *deafWatcher) Next(ctx context.Context) (queue.Changes, error) {
	changes, err := w.Watcher.Next(ctx)
	if w.store.deaf.Load() {
		return queue.Changes{}, errors.New("watch broke")
	}
	return changes, err
}

func faultyRig(r *rig) *faulty {
	f := &faulty{Store: r.store}
	r.store, r.q = f, queue.New(f)
	r.q.Host = *sharedBy
	return f
}

func TestAFullDiskIsAClearErrorAndNobodyIsAsked(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		f := faultyRig(r)
		f.full.Store(true)
		r.start("mine")
		r.ask(1, "")
		got := r.result(1)
		require.True(t, got.failed())
		require.Equal(t, "unavailable", got.structured()["error"])
		require.Contains(t, got.text(), "no space left on device")
		require.Empty(t, r.live())
	})
}

func TestTheClockIsRightEvenIfItCannotBeStored(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		f := faultyRig(r)
		r.dashboard()
		r.start("mine")
		r.ask(1, `,"timeout_seconds":5`)
		id := r.only().ID
		f.full.Store(true)
		require.Equal(t, "timeout", r.result(1).structured()["action_status"])
		require.False(t, r.get(id).Final)
	})
}

// cut has the store's server not answer, or answer again.
func (f *faulty) cut(away bool) {
	f.away.Store(away)
	f.deaf.Store(away)
}

func (f *faulty) Get(ctx context.Context, id string) (queue.Session, error) {
	switch {
	case f.away.Load():
		return queue.Session{}, errAway
	case f.empty.Load():
		return queue.Session{}, queue.ErrNotFound
	}
	return f.Store.Get(ctx, id)
}

var errAway = fmt.Errorf("%w: there is no connection to the server", queue.ErrUnreachable)

func TestACallIsToldThatThePersonCannotBeReachedAndToCallAgain(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		f := faultyRig(r)
		f.cut(true)
		r.start("mine")
		r.ask(1, "")
		got := r.result(1)
		require.True(t, got.failed())
		require.Equal(t, "unavailable", got.structured()["error"])
		require.Contains(t, got.text(), "The person cannot be reached just now")
		require.Contains(t, got.text(), "call again in a minute with the same arguments")
		f.cut(false)
		r.dashboard()
		r.ask(2, "")
		r.answer(r.only().ID, "pg")
		require.Equal(t, "selected", r.result(2).structured()["action_status"])
	})
}

func TestAQuestionWhoseStoringNobodyConfirmedIsNotDoubledByTheNextCall(t *testing.T) {
	for name, c := range map[string]struct {
		becomes int32
		arrives string // the time at which it arrives: before, during or after the next call
	}{
		"stored": {storedInDoubt, ""}, "stored before the next call": {storedLater, "before"},
		"stored while it looks": {storedLater, "during"}, "stored after it": {storedLater, "after"},
		"never stored": {neverStored, ""},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, r *rig) {
				f := faultyRig(r)
				f.doubt.Store(c.becomes)
				r.start("mine")
				r.dashboard()
				r.ask(1, "")
				require.Equal(t, "unavailable", r.result(1).structured()["error"])
				if c.arrives == "before" {
					f.arrive(t.Context())
				}
				time.Sleep(time.Minute)
				if c.arrives == "during" {
					f.looked = func() { f.arrive(t.Context()) }
				}
				r.ask(2, "")
				synctest.Wait()
				f.arrive(t.Context())
				s := r.only()
				require.NotNil(t, s.Claim)
				r.answer(s.ID, "pg")
				require.Equal(t, "selected", r.result(2).structured()["action_status"])
			})
		})
	}
}

func TestAQuestionWhoseStoringNobodyConfirmedAndThatEndedSinceIsAskedAnew(t *testing.T) {
	for _, pause := range []time.Duration{10 * time.Minute, 25 * time.Hour} { // after a day it is archived
		bubble(t, func(t *testing.T, r *rig) {
			f := faultyRig(r)
			f.doubt.Store(storedInDoubt)
			r.start("mine")
			r.dashboard()
			r.ask(1, "")
			require.True(t, r.result(1).failed())
			first := r.only().ID
			time.Sleep(pause)
			require.NoError(t, r.q.Sweep(t.Context(), r.live()))
			require.Equal(t, queue.StatusTimeout, r.get(first).Outcome.Status)
			r.ask(2, "")
			synctest.Wait()
			var again []string
			for _, s := range r.live() {
				if s.Outcome == nil {
					again = append(again, s.ID)
				}
			}
			require.Len(t, again, 1)
			require.NotEqual(t, first, again[0])
			r.answer(again[0], "pg")
			require.Equal(t, "selected", r.result(2).structured()["action_status"])
		})
	}
}

func TestAQuestionThatWasStoredAfterAllAndThatNobodyAsksAgainHasNobodyWhoWaits(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		f := faultyRig(r)
		f.doubt.Store(storedInDoubt)
		r.start("mine")
		r.dashboard()
		r.ask(1, "")
		require.True(t, r.result(1).failed())
		require.Nil(t, r.only().Claim)
	})
}

func TestACallWhoseServerStaysAwayEndsAndIsContinuedLater(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		f := faultyRig(r)
		r.dashboard()
		r.start("claude-code")
		began := time.Now()
		r.ask(1, "")
		s := r.only()
		f.cut(true)
		r.dashboard() // rings
		got := r.result(1)
		require.Less(t, time.Since(began), 70*time.Second, "it does not hang")
		require.True(t, got.failed())
		require.Equal(t, "unavailable", got.structured()["error"])
		require.Contains(t, got.text(), "The question is kept and nothing was decided")
		require.Contains(t, got.text(), s.ID)

		f.cut(false)
		r.poll(2, s.ID, "") // at once: the claim of the first call was not given back yet
		r.answer(s.ID, "pg")
		require.Equal(t, "selected", r.result(2).structured()["action_status"])
		require.True(t, r.get(s.ID).Final)
	})
}

func TestADeadlineWithoutTheServerIsNoTimeout(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		f := faultyRig(r)
		r.dashboard()
		r.start("mine")
		r.ask(1, `,"timeout_seconds":5`)
		id := r.only().ID
		time.Sleep(2 * time.Second)
		f.cut(true)
		answer := queue.Settle{Answer: queue.Answer{Replies: []queue.Reply{{Question: "choice", Selected: []string{"pg"}}}}}
		_, err := queue.New(f.Store).Do(t.Context(), id, queue.Command{By: queue.ByHuman, Do: answer}) // by the person's process
		require.NoError(t, err)
		time.Sleep(6 * time.Second)
		f.cut(false)
		require.Equal(t, "selected", r.result(1).structured()["action_status"], "the person was in time")
	})
}

func TestAResultThatWentOutIsCollectedOnceTheServerIsBack(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		f := faultyRig(r)
		r.dashboard()
		r.start("mine")
		r.ask(1, "")
		id := r.only().ID
		r.out.before = func() { f.cut(true) } // between the outcome and its receipt
		r.answer(id, "pg")
		require.Equal(t, "selected", r.result(1).structured()["action_status"])
		time.Sleep(3 * time.Second)
		f.cut(false)
		time.Sleep(3 * time.Second)
		require.True(t, r.get(id).Final)
	})
}

func TestAQuestionThatTheServerLostIsSaidToBeGone(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		f := faultyRig(r)
		r.dashboard()
		r.start("mine")
		r.ask(1, "")
		r.only()
		f.empty.Store(true)
		r.dashboard()
		got := r.result(1)
		require.True(t, got.failed())
		require.Equal(t, "not_found", got.structured()["error"])
		require.Contains(t, got.text(), "ask again")
	})
}

func TestABrokenWatchIsReplacedByLooking(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		f := faultyRig(r)
		closed := r.dashboard()
		r.start("claude-code")
		r.ask(1, "")
		s := r.only()
		f.deaf.Store(true)
		r.dashboard() // wakes the watch, which then breaks
		time.Sleep(2 * time.Second)
		r.answer(s.ID, "pg")
		began := time.Now()
		require.Equal(t, "selected", r.result(1).structured()["action_status"])
		require.LessOrEqual(t, time.Since(began), time.Second)

		f.deaf.Store(false)
		time.Sleep(2 * time.Second)
		r.ask(2, "")
		s = r.only()
		began = time.Now()
		r.answer(s.ID, "pg")
		r.result(2)
		require.Zero(t, time.Since(began), "it hears again")
		closed()
	})
}

func TestAPanicGivesTheClaimBackAndTheLoopGoesOn(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		f := faultyRig(r)
		closed := r.dashboard()
		r.start("mine")
		r.ask(1, "")
		id := r.only().ID
		closed()
		time.Sleep(5 * time.Second)
		f.mad.Store(true) // the call reads the running processes before it hands off
		require.NotNil(t, r.next().Error)
		f.mad.Store(false)
		require.Nil(t, r.get(id).Claim)
		r.send(`{"jsonrpc":"2.0","id":2,"method":"ping"}`)
		require.Equal(t, "2", string(r.next().ID))
	})
}

func TestTwoBridgesShareOneSession(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.dashboard()
		r.start("first")
		r.ask(1, "")
		s := r.only()
		first := *r
		r.start("second")
		r.poll(1, s.ID, "")
		require.Equal(t, "in_use", r.result(1).structured()["error"])
		first.stop()
		r.poll(2, s.ID, "")
		r.silent()
		require.Equal(t, "provide_choice", r.only().Origin.Dialect)
		r.answer(s.ID, "pg")
		require.Equal(t, "selected", r.result(2).structured()["action_status"])
	})
}

func TestASlowStoreShowsNothingHalfDone(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		f := faultyRig(r)
		f.slow.Store(int64(20 * time.Millisecond))
		r.dashboard()
		r.start("mine")

		// The retry comes while the first ask is still being created, and finds it all the same.
		r.ask(1, "")
		time.Sleep(10 * time.Millisecond)
		r.cancelled(1, "Request timed out")
		r.ask(2, "")
		time.Sleep(time.Second)
		s := r.only()
		require.Equal(t, "2", s.Origin.CallID)

		// The result is out, its collect is not stored yet.
		r.answer(s.ID, "pg")
		r.result(2)
		r.poll(3, s.ID, "")
		require.Equal(t, "already_collected", r.result(3).structured()["error"])
	})
}

func TestAnAnswerFasterThanTheCreateIsSeen(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		f := faultyRig(r)
		f.created = func(s queue.Session) {
			r.answer(s.ID, "pg")
			time.Sleep(time.Second) // the watch tells of it before the call has its waiter
		}
		r.dashboard()
		r.start("mine")
		began := time.Now()
		r.ask(1, "")
		require.Equal(t, "selected", r.result(1).structured()["action_status"])
		require.Equal(t, time.Second, time.Since(began))
	})
}

func TestWhoListensIsToldThatTheServerIsAway(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		f := faultyRig(r)
		r.dashboard()
		r.start("mine")
		r.listen(1, "", "")
		r.silent()
		f.cut(true)
		closed := r.dashboard() // closing it wakes the watch
		said := r.result(1)
		require.True(t, said.failed())
		require.Contains(t, said.text(), "The person cannot be reached just now")
		r.listen(2, `"wait_seconds":0`, "")
		require.True(t, r.result(2).failed(), "and at once where nobody waits")
		f.cut(false)
		require.NoError(t, closed())
		time.Sleep(2 * time.Second)
		r.listen(3, "", "")
		r.silent()
		r.write("there you are", func(o *queue.Origin) { o.Client = "mine" })
		require.Contains(t, r.result(3).text(), "there you are")
	})
}
