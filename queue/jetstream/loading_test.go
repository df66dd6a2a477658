package jetstream

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

// load is a set of agents and dashboards on one queue, each with its own connection, and a record of their results.
type load struct {
	t      *testing.T
	agents []*loadAgent

	mu       sync.Mutex
	begun    map[string]time.Time // by session: when it was asked, and then when its answer was sent
	answered map[string]string    // by session: the command that settled it, as the agent was told
	expected map[string]bool      // by key: an agent got its answer
	visible  []time.Duration
	returned []time.Duration
	failed   []error
}

// loadAgent acts like `choicetui mcp`: it announces itself, looks for an earlier question like its own, and follows
// its question and the dashboards.
type loadAgent struct {
	load  *load
	name  string
	store *Store
}

func newLoad(t *testing.T, url string, agents, dashboards int) *load {
	t.Helper()
	l := &load{t: t, begun: map[string]time.Time{}, answered: map[string]string{}, expected: map[string]bool{}}
	ctx, cancel := context.WithCancel(context.Background())
	var all sync.WaitGroup
	slots := make(chan struct{}, 5)
	join := func(each func(*Store) error) *Store {
		s := openAt(t, Options{URL: url})
		all.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			if err := each(s); err != nil {
				l.fail(err)
			}
		})
		return s
	}
	for i := range dashboards {
		join(func(s *Store) error { return l.look(ctx, s, i, dashboards) })
	}
	for i := range agents {
		a := &loadAgent{load: l, name: fmt.Sprint("agent-", i)}
		a.store = join(func(s *Store) error { return a.join(ctx, s) })
		l.agents = append(l.agents, a)
	}
	all.Wait()
	t.Cleanup(cancel)
	require.Empty(t, l.failures())
	return l
}

// look announces a dashboard and lets it read changes until ctx ends.
func (l *load) look(ctx context.Context, s *Store, number, of int) error {
	if err := announce(ctx, s, fmt.Sprint("dashboard-", number), queue.RoleDashboard); err != nil {
		return err
	}
	w, err := watchStubbornly(func() (queue.Watcher, error) { return s.Watch(ctx, queue.AllNews) })
	if err != nil {
		return err
	}
	go func() {
		for ctx.Err() == nil {
			if ch, err := w.Next(ctx); err == nil {
				l.show(ctx, s, ch, number, of)
			} else if !errors.Is(err, queue.ErrUnreachable) && ctx.Err() == nil {
				l.fail(err)
				return
			}
		}
	}()
	return nil
}

func announce(ctx context.Context, s *Store, name, role string) error {
	return stubborn(func() error {
		_, err := s.Announce(ctx, queue.Presence{Instance: name, Role: role})
		return err
	})
}

func watchStubbornly(open func() (queue.Watcher, error)) (w queue.Watcher, err error) {
	err = stubborn(func() (err error) {
		w, err = open()
		return err
	})
	return w, err
}

// join announces an agent and lets it follow which dashboards are open.
func (a *loadAgent) join(ctx context.Context, s *Store) error {
	if err := announce(ctx, s, a.name, queue.RoleBridge); err != nil {
		return err
	}
	w, err := watchStubbornly(func() (queue.Watcher, error) { return s.Watch(ctx, queue.FewNews, queue.NewID()) })
	if err != nil {
		return err
	}
	return w.Close()
}

// stubborn calls do until the server is reachable.
func stubborn(do func() error) (err error) {
	for range 600 {
		if err = do(); !errors.Is(err, queue.ErrUnreachable) {
			return err
		}
		time.Sleep(100 * time.Millisecond)
	}
	return err
}

// show handles a change like a dashboard: it records the sessions, and answers its share of the questions.
func (l *load) show(ctx context.Context, s *Store, ch queue.Changes, number, of int) {
	for _, v := range ch.Sessions {
		if v.Outcome != nil || v.Revision > 1 {
			continue
		}
		l.note(&l.visible, v.ID)
		sum := fnv.New32a()
		_, _ = sum.Write([]byte(v.ID))
		if int(sum.Sum32())%of == number {
			go l.answer(ctx, s, v)
		}
	}
}

func (l *load) note(list *[]time.Duration, id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if begin, ok := l.begun[id]; ok {
		*list = append(*list, time.Since(begin))
	}
}

func (l *load) begin(id string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.begun[id] = time.Now()
}

// answer sends an answer, always as the same command, until it is stored. It waits until all dashboards had time to
// show the question, so that the two measurements do not mix.
func (l *load) answer(ctx context.Context, s *Store, v queue.Session) {
	time.Sleep(200 * time.Millisecond)
	c := queue.Command{ID: "by-" + v.ID, By: queue.ByHuman, Do: queue.Settle{Answer: storetest.Answer("a")}}
	l.begin(v.ID)
	err := stubborn(func() error {
		_, err := queue.New(s).Do(ctx, v.ID, c)
		return err
	})
	final := errors.Is(err, queue.ErrFinal) || errors.Is(err, queue.ErrSettled) // the session arrived twice, after a reconnect
	if err != nil && !final && ctx.Err() == nil {
		l.fail(fmt.Errorf("failed to answer %s: %w", v.ID, err))
	}
}

// ask lets the agents in turn ask many questions, at a rate per second, and wait for the answers.
func (l *load) ask(many, rate int) *sync.WaitGroup {
	all := &sync.WaitGroup{}
	l.mu.Lock()
	first := len(l.expected)
	l.mu.Unlock()
	all.Go(func() {
		for i := range many {
			all.Go(func() {
				if err := l.agents[i*7919%len(l.agents)].ask(fmt.Sprint("key-", first+i)); err != nil {
					l.fail(err)
				}
			})
			time.Sleep(time.Second / time.Duration(rate))
		}
	})
	return all
}

// ask asks one question and collects its answer, even if the server goes away meanwhile.
func (a *loadAgent) ask(key string) error {
	claim := queue.Claim{Instance: a.name, Conn: key}
	if err := a.lookAround(); err != nil {
		return fmt.Errorf("failed to look before %s: %w", key, err)
	}
	id, err := a.create(key, claim)
	if err != nil {
		return fmt.Errorf("failed to ask %s: %w", key, err)
	}
	v, err := a.await(id)
	if err != nil {
		return fmt.Errorf("failed to wait for %s: %w", key, err)
	}
	a.load.note(&a.load.returned, id)
	err = stubborn(func() error {
		done, err := queue.New(a.store).Do(context.Background(), id, queue.Command{ID: "got-" + id, By: queue.ByCaller,
			Do: queue.Collect{Claim: claim}})
		if err == nil {
			err = a.store.Archive(context.Background(), done)
		}
		if errors.Is(err, queue.ErrFinal) { // collected before, but the acknowledgement was lost
			err = nil
		}
		return err
	})
	e, _ := v.Last(queue.EventSettled)
	a.load.mu.Lock()
	a.load.answered[id] = e.ID
	a.load.mu.Unlock()
	a.load.expect(key)
	return err
}

// lookAround reads what a bridge reads before it asks: the open dashboards, and pending questions that may be the
// same.
func (a *loadAgent) lookAround() error {
	return stubborn(func() error {
		_, err := a.store.Present(context.Background(), queue.RoleDashboard)
		if err == nil {
			_, _, err = a.store.Live(context.Background())
		}
		return err
	})
}

// await follows a question until it has an outcome.
func (a *loadAgent) await(id string) (queue.Session, error) {
	ctx := context.Background()
	w, err := watchStubbornly(func() (queue.Watcher, error) { return a.store.Watch(ctx, queue.FewNews, id) })
	if err != nil {
		return queue.Session{}, err
	}
	defer w.Close()
	for {
		ch, err := w.Next(ctx)
		if err != nil && !errors.Is(err, queue.ErrUnreachable) {
			return queue.Session{}, err
		}
		for _, v := range ch.Sessions {
			if v.Outcome != nil {
				return v, nil
			}
		}
	}
}

// create asks until the question is in the queue. Before each attempt it looks for the question, like a repeated ask
// that joins it.
func (a *loadAgent) create(key string, claim queue.Claim) (id string, err error) {
	q := queue.New(a.store)
	q.NewID = func() string {
		id = queue.NewID()
		a.load.begin(id)
		return id
	}
	doubtful := map[string]bool{}
	err = stubborn(func() error {
		for old := range doubtful {
			_, err := a.store.Get(context.Background(), old)
			if err == nil {
				id = old
				return nil
			} else if errors.Is(err, queue.ErrUnreachable) {
				return err
			}
		}
		_, err := q.Create(context.Background(), queue.Session{Ask: storetest.Ask(), Key: key, Claim: &claim,
			Origin: queue.Origin{Dialect: "provide_choice", Client: "claude", Cwd: "/src/shop", Instance: a.name}})
		if errors.Is(err, queue.ErrInDoubt) {
			doubtful[id] = true
			err = fmt.Errorf("%w: %w", queue.ErrUnreachable, err)
		}
		return err
	})
	return id, err
}

func (l *load) fail(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.failed = append(l.failed, err)
}

func (l *load) failures() []error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.failed
}

func (l *load) expect(key string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.expected[key] = true
}

func (l *load) clearFigures() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.visible, l.returned = nil, nil
}

func (l *load) anyID() string { return slices.Sorted(maps.Keys(l.answered))[0] }

// wrong returns what was lost or duplicated, according to the queue afterwards.
func (l *load) wrong(s *Store) (wrong []string) {
	l.t.Helper()
	live, _, err := s.Live(l.t.Context())
	require.NoError(l.t, err)
	for _, v := range live {
		wrong = append(wrong, v.ID+" is left over")
	}
	keys := map[string]int{}
	for cursor, more := "", true; more; more = cursor != "" {
		var page []queue.Session
		page, cursor, err = s.History(l.t.Context(), cursor, 100, queue.Whole)
		require.NoError(l.t, err)
		for _, v := range page {
			keys[v.Key]++
			wrong = append(wrong, storetest.Violations(v, []string{l.answered[v.ID]})...)
		}
	}
	for key := range l.expected {
		if keys[key] != 1 {
			wrong = append(wrong, fmt.Sprintf("%s is %d times in the history", key, keys[key]))
		}
	}
	if len(keys) > len(l.expected) {
		wrong = append(wrong, "more is in the history than was asked")
	}
	return wrong
}
