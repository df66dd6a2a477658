package transfer_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
	"github.com/choicetui/choicetui/queue/transfer"
)

// world consists of three places between which a queue is moved, while agents ask and people answer at each of them.
// After a stopped move they obey its report: nobody uses the incomplete place until the move is done.
type world struct {
	ctx     context.Context
	random  *rand.Rand
	places  []place
	asked   []string
	answers map[string]string // by session: the answer that a person was told is stored
	fetched map[string]bool   // by session: an agent was told that it has the answer
	stopped [][2]int          // moves to run again
	barred  []int             // the incomplete place of each stopped move
	wrong   []string

	heedless bool
	sweep    func(at place) error // calls Queue.Sweep, like a dashboard
	copy     func(ctx context.Context, from, to place) (transfer.Report, error)
}

func newWorld(ctx context.Context, seed uint64, places ...place) *world {
	w := &world{ctx: ctx, random: rand.New(rand.NewPCG(seed, 5)), places: places, answers: map[string]string{},
		fetched: map[string]bool{}}
	w.sweep = func(at place) error {
		live, _, err := at.Live(ctx)
		return errors.Join(err, queue.New(at.Store).Sweep(ctx, live))
	}
	w.copy = move
	return w
}

func (w *world) complain(format string, args ...any) {
	w.wrong = append(w.wrong, fmt.Sprintf(format, args...))
}

// free lists the places that may be used.
func (w *world) free() (all []int) {
	for i := range w.places {
		if !slices.Contains(w.barred, i) {
			all = append(all, i)
		}
	}
	return all
}

func (w *world) anywhere() place {
	free := w.free()
	return w.places[free[w.random.IntN(len(free))]]
}

// queueAt returns a place's queue on a machine whose clock is wrong by up to half a minute.
func (w *world) queueAt(at place) *queue.Queue {
	q, off := queue.New(at.Store), time.Duration(w.random.IntN(61)-30)*time.Second
	q.Now = func() time.Time { return time.Now().Add(off) }
	return q
}

// step does one random thing at a random place.
func (w *world) step() error {
	switch n := w.random.IntN(12); {
	case n < 2 || len(w.asked) == 0:
		return w.ask()
	case n < 5:
		return w.answer(w.asked[w.random.IntN(len(w.asked))])
	case n < 7:
		return w.fetch(w.asked[w.random.IntN(len(w.asked))])
	case n < 8:
		return w.sweep(w.anywhere())
	case n < 9 && len(w.stopped) > 0:
		return w.resume(w.random.IntN(len(w.stopped)))
	}
	return w.move()
}

func (w *world) ask() error {
	s, err := w.queueAt(w.anywhere()).Create(w.ctx, queue.Session{Ask: storetest.Ask(),
		Origin: queue.Origin{Dialect: "provide_choice", Client: "claude", Cwd: "/src/shop"}})
	w.asked = append(w.asked, s.ID)
	return err
}

// answer answers a session at every place. At most one answer may ever succeed.
func (w *world) answer(id string) error {
	option := []string{"a", "b", "c"}[w.random.IntN(3)]
	_, err := w.queueAt(w.anywhere()).Do(w.ctx, id, queue.Command{By: queue.ByHuman,
		Do: queue.Settle{Answer: storetest.Answer(option)}})
	switch was, twice := w.answers[id]; {
	case storetest.Refused(err), errors.Is(err, queue.ErrNotFound):
		return nil
	case err != nil:
		return err
	case twice:
		w.complain("%s was answered twice: %s, %s", id, was, option)
	}
	w.answers[id] = option
	return nil
}

// fetch collects a session's answer at every place. At most one attempt may succeed.
func (w *world) fetch(id string) error {
	for _, i := range w.free() {
		at := w.places[i]
		q := w.queueAt(at)
		s, err := q.Do(w.ctx, id, queue.Command{By: queue.ByCaller, Do: fetched()[0]})
		if err == nil {
			s, err = q.Do(w.ctx, id, queue.Command{By: queue.ByCaller, Do: fetched()[1]})
		}
		switch {
		case storetest.Refused(err), errors.Is(err, queue.ErrNotFound):
			continue
		case err != nil:
			return err
		case w.fetched[id]:
			w.complain("%s was fetched twice", id)
		}
		w.fetched[id] = true
		if err := at.Archive(w.ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// move moves everything from one place to another. Every other time it is killed at a write to one of them.
func (w *world) move() error {
	for _, was := range w.stopped {
		if slices.Contains(w.barred, was[0]) || slices.Contains(w.barred, was[1]) {
			return w.resume(w.random.IntN(len(w.stopped))) // one stopped move at a time
		}
	}
	from := w.random.IntN(len(w.places))
	way := [2]int{from, (from + 1 + w.random.IntN(len(w.places)-1)) % len(w.places)}
	ends := [2]place{w.places[way[0]], w.places[way[1]]}
	if w.random.IntN(2) == 0 {
		at := w.random.IntN(2)
		ends[at].Store = &failing{ends[at].Store, w.random.IntN(8), w.random.IntN(2) == 0}
	}
	report, err := w.copy(w.ctx, ends[0], ends[1])
	if errors.Is(err, errPower) {
		w.stopped = append(w.stopped, way)
		w.bar(way, report.Verified)
		return nil
	}
	return err
}

// bar closes the place that a stopped move reports as incomplete.
func (w *world) bar(way [2]int, verified bool) {
	switch {
	case w.heedless:
		w.barred = append(w.barred, -1)
	case verified:
		w.barred = append(w.barred, way[0])
	default:
		w.barred = append(w.barred, way[1])
	}
}

// resume runs a stopped move again.
func (w *world) resume(n int) error {
	way := w.stopped[n]
	w.stopped = slices.Delete(w.stopped, n, n+1)
	w.barred = slices.Delete(w.barred, n, n+1)
	_, err := w.copy(w.ctx, w.places[way[0]], w.places[way[1]])
	return err
}

// look returns where each session is open, and where it has ended.
func (w *world) look() (open, ended map[string][]queue.Session, err error) {
	open, ended = map[string][]queue.Session{}, map[string][]queue.Session{}
	for _, i := range w.free() {
		at := w.places[i]
		live, broken, err := at.Live(w.ctx)
		if err != nil || len(broken) > 0 {
			return nil, nil, fmt.Errorf("%v, %w", broken, err)
		}
		page, _, err := at.History(w.ctx, "", 10000)
		if err != nil {
			return nil, nil, err
		}
		for _, s := range append(live, page...) {
			switch _, departed := queue.Departed(s); {
			case departed:
			case s.Final:
				ended[s.ID] = append(ended[s.ID], s)
			default:
				open[s.ID] = append(open[s.ID], s)
			}
		}
	}
	return open, ended, nil
}

// check tests the places that may be used: no session can be answered in two of them, and each session is in one of
// them, with its answer.
func (w *world) check(end bool) error {
	open, ended, err := w.look()
	for _, id := range w.asked {
		copies := append(slices.Clone(open[id]), ended[id]...)
		switch {
		case len(open[id]) > 1:
			w.complain("%s is open in %d places", id, len(open[id]))
		case len(open[id]) > 0 && len(ended[id]) > 0:
			w.complain("%s has ended, and is open", id)
		case len(copies) == 0 && (end || len(w.barred) == 0): // a barred place has sessions of its own
			w.complain("%s is nowhere", id)
		case end && w.fetched[id] && len(ended[id]) == 0:
			w.complain("%s was fetched, and is open", id)
		}
		for _, s := range copies {
			given := ""
			if s.Outcome != nil && len(s.Outcome.Answer.Replies) > 0 {
				given = s.Outcome.Answer.Replies[0].Selected[0]
			}
			if given != w.answers[id] {
				w.complain("%s was answered %q, and is %q", id, w.answers[id], given)
			}
		}
	}
	return err
}

// play does that many steps, resumes the stopped moves, and gathers everything in one place.
func (w *world) play(steps int) error {
	for n := range steps {
		if err := w.step(); err != nil {
			return err
		}
		if n%6 == 0 { // not every time, because check reads everything
			if err := w.check(false); err != nil {
				return err
			}
		}
	}
	for len(w.stopped) > 0 {
		if err := w.resume(0); err != nil {
			return err
		}
	}
	if err := w.check(true); err != nil {
		return err
	}
	for _, at := range w.places[1:] {
		if _, err := w.copy(w.ctx, at, w.places[0]); err != nil {
			return err
		}
	}
	w.places = w.places[:1]
	return w.check(true)
}

func TestRandomMovesLoseAndDoubleNothing(t *testing.T) {
	t.Parallel()
	for name, kind := range map[string]struct {
		seeds  uint64
		places func() []place
	}{
		"memory": {4, func() []place { return []place{memory("a"), memory("b"), memory("c")} }},
		"directories": {2, func() []place {
			return []place{directory(t, "a"), directory(t, "b"), directory(t, "c")}
		}},
		"servers": {2, func() []place {
			return []place{onServer(t, "a"), onServer(t, "b"), onServer(t, "c")}
		}},
		"both": {2, func() []place { return []place{directory(t, "a"), onServer(t, "b"), memory("c")} }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			open, answered, fetched := 0, 0, 0
			for seed := range kind.seeds {
				w := newWorld(t.Context(), seed, kind.places()...)
				require.NoError(t, w.play(60), "seed %d", seed)
				require.Empty(t, w.wrong, "seed %d", seed)
				open, answered, fetched = open+len(w.asked), answered+len(w.answers), fetched+len(w.fetched)
			}
			require.Greater(t, open, answered)
			require.Greater(t, answered, fetched)
			require.NotZero(t, fetched, "everything happened")
		})
	}
}

// handOut creates every departed session at the other place, whatever its destination.
func handOut(ctx context.Context, from, to place) error {
	page, _, err := from.History(ctx, "", 10000)
	for _, s := range page {
		if _, departed := queue.Departed(s); departed {
			if _, err := to.Get(ctx, s.ID); errors.Is(err, queue.ErrNotFound) {
				_, _ = to.Create(ctx, queue.Arriving(s)) // it may be killed here
			}
		}
	}
	return err
}

// leaveOut closes every session at one place of which the other has a copy, even a departed one.
func leaveOut(ctx context.Context, from, to place) error {
	live, _, err := from.Live(ctx)
	for _, s := range live {
		if _, err := to.Get(ctx, s.ID); err == nil && !s.Final {
			s, err = queue.New(from.Store).Do(ctx, s.ID, queue.Command{Do: queue.Depart{To: to.name}})
			if err := errors.Join(err, from.Archive(ctx, s)); err != nil {
				return err
			}
		}
	}
	return err
}

func TestTheRandomMovesWouldNoticeAMissingGuard(t *testing.T) {
	t.Parallel()
	before := func(sabotage func(ctx context.Context, from, to place) error) func(*world) {
		return func(w *world) {
			whole := w.copy
			w.copy = func(ctx context.Context, from, to place) (transfer.Report, error) {
				if err := sabotage(ctx, from, to); err != nil {
					return transfer.Report{}, err
				}
				return whole(ctx, from, to)
			}
		}
	}
	for name, sabotage := range map[string]func(*world){
		"nobody does what a stopped move says":          func(w *world) { w.heedless = true },
		"what departed is handed out again":             before(handOut),
		"a copy that departed counts as one that waits": before(leaveOut),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for seed := range uint64(300) {
				w := newWorld(t.Context(), seed, memory("a"), memory("b"), memory("c"))
				sabotage(w)
				err := w.play(60)
				if len(w.wrong) > 0 {
					t.Log(seed, w.wrong[0])
					return
				}
				require.NoError(t, err)
			}
			t.Fatal("nobody noticed")
		})
	}
}
