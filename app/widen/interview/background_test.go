package interview

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// shaky is a store whose server is away every third time, sometimes only after it did what it was to do.
type shaky struct {
	queue.Store
	dice *rand.Rand
}

// attempt does something, or fails with queue.ErrUnreachable before or after that.
func attempt[T any](s *shaky, do func() (T, error)) (T, error) {
	var none T
	switch s.dice.IntN(6) {
	case 0:
		return none, queue.ErrUnreachable
	case 1:
		_, _ = do()
		return none, queue.ErrUnreachable
	}
	return do()
}

func (s *shaky) Create(ctx context.Context, v queue.Session) (queue.Session, error) {
	return attempt(s, func() (queue.Session, error) { return s.Store.Create(ctx, v) })
}

func (s *shaky) Get(ctx context.Context, id string) (queue.Session, error) {
	return attempt(s, func() (queue.Session, error) { return s.Store.Get(ctx, id) })
}

func (s *shaky) Put(ctx context.Context, v queue.Session) (queue.Session, error) {
	return attempt(s, func() (queue.Session, error) { return s.Store.Put(ctx, v) })
}

func (s *shaky) Live(ctx context.Context) (live []queue.Session, broken []queue.Broken, err error) {
	live, err = attempt(s, func() (all []queue.Session, err error) {
		all, broken, err = s.Store.Live(ctx)
		return all, err
	})
	return live, broken, err
}

func (s *shaky) Archive(ctx context.Context, v queue.Session) error {
	_, err := attempt(s, func() (queue.Session, error) { return v, s.Store.Archive(ctx, v) })
	return err
}

func TestAQueueThatIsAwayAgainAndAgainNeitherEndsAnInterviewNorDoublesAQuestion(t *testing.T) {
	waits := 0
	for seed := range uint64(40) {
		b := newBench(t, two)
		o, err := b.options(false)
		require.NoError(t, err)
		o.Queue = queue.New(&shaky{Store: b.person.q.Store, dice: rand.New(rand.NewPCG(seed, 1))})
		i, err := Open(o)
		require.NoError(t, err)
		res, err := i.Run(t.Context())
		i.Close()
		require.NoError(t, err, "seed %d", seed)
		assert.Equal(t, Finished, res.Status)
		assert.Equal(t, "mission: shop\nanswers:\n  charter.db: MySQL\n  charter.name: shop\n", b.read("answers.yaml"))
		history, err := b.person.q.Store.CountHistory(t.Context())
		require.NoError(t, err)
		assert.Equal(t, 2, history+len(b.live()), "seed %d: one session a question", seed)
		waits += b.person.waits
	}
	assert.Greater(t, waits, 20)
}
