package claude

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/mcpbridge/agents/agenttest"
	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
	"github.com/choicetui/choicetui/mcpbridge/call"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

// endingStore ends a context at its first watch, as a signal at that moment would.
type endingStore struct {
	queue.Store
	ends context.CancelCauseFunc
}

func (s endingStore) Watch(ctx context.Context, news queue.News, ids ...string) (queue.Watcher, error) {
	s.ends(prompt.ErrThere)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return s.Store.Watch(ctx, news, ids...)
}

// asking returns a prompt of an agent.
func asking(t *testing.T) prompt.Asked {
	asked, ok := Read(agenttest.Read(t, "claude", "question"), func() string { return "t" })
	require.True(t, ok)
	return asked
}

func goesOn(context.Context) error { return nil }

func TestASignalThatComesAsTheWaitBeginsIsAnAnswerThereToo(t *testing.T) {
	t.Parallel()
	ctx, ends := context.WithCancelCause(t.Context())
	in, q := agenttest.Intake(t, endingStore{storetest.NewMemory(), ends})
	s, _, err := in.Await(ctx, asking(t), goesOn)
	require.ErrorIs(t, err, prompt.ErrThere)
	s, err = q.Store.Get(t.Context(), s.ID)
	require.NoError(t, err)
	require.Equal(t, queue.StatusElsewhere, s.Status())
	require.True(t, s.Final)
}

func TestAWaitEndsByWhatEndsItAndSaysWhy(t *testing.T) {
	t.Parallel()
	for reason, why := range map[string]error{queue.CallerGone: prompt.ErrGone, prompt.LeftAlone: prompt.ErrAlone, "left to " + strings.TrimPrefix(asking(t).Where, "in ") + " because of the settings": prompt.ErrOff} {
		in, q := agenttest.Intake(t, storetest.NewMemory())
		s, own, err := in.Await(t.Context(), asking(t), func(context.Context) error { return why })
		require.ErrorIs(t, err, why)
		require.True(t, own)
		s, err = q.Store.Get(t.Context(), s.ID)
		require.NoError(t, err)
		require.Equal(t, queue.StatusCancelled, s.Status())
		require.Equal(t, reason, s.Outcome.Reason)
	}
}

func TestWhatThePersonAnsweredFirstStaysTheirAnswer(t *testing.T) {
	t.Parallel()
	in, q := agenttest.Intake(t, storetest.NewMemory())
	asked := asking(t)
	answer := queue.Answer{Replies: []queue.Reply{{Question: "q1", Selected: []string{"Detailed"}}}}
	s, own, err := in.Await(t.Context(), asked, func(ctx context.Context) error {
		_, err := q.Do(ctx, queue.SourceID(asked.Origin.Source), queue.Command{By: queue.ByHuman,
			Surface: queue.SurfaceDashboard, Do: queue.Settle{Answer: answer}})
		require.NoError(t, err)
		return prompt.ErrThere // at the same moment
	})
	require.ErrorIs(t, err, prompt.ErrThere)
	require.True(t, own)
	s, err = q.Store.Get(t.Context(), s.ID)
	require.NoError(t, err)
	require.Equal(t, queue.StatusSelected, s.Status(), "the first answer wins")
	require.True(t, s.Final)
	why, untaken := s.Untaken()
	require.True(t, untaken, "and the agent was not told")
	require.Equal(t, "answered in claude before", why)
}

func TestTheTimeIsTheSettingsOrLessWhereTheAgentWaitsForLess(t *testing.T) {
	t.Parallel()
	for limit, seconds := range map[time.Duration]int{0: 300, time.Minute: 60, 24 * time.Hour: 300} {
		q := queue.New(storetest.NewMemory())
		in, err := prompt.Open(t.Context(), call.ProcessOrigin(nil), prompt.Options{Queue: q, Settings: config.Default, Limit: limit})
		require.NoError(t, err)
		s, _, err := in.Await(t.Context(), asking(t), func(context.Context) error { return prompt.ErrGone })
		require.ErrorIs(t, err, prompt.ErrGone)
		require.Equal(t, seconds, s.Ask.TimeoutSeconds)
		require.Equal(t, queue.OnTimeoutNone, s.Ask.OnTimeout)
	}
}

// awayStore is a store on a server that cannot be reached for its next reads.
type awayStore struct {
	queue.Store
	away *atomic.Int32
}

func (s awayStore) Get(ctx context.Context, id string) (queue.Session, error) {
	if s.away.Add(-1) >= 0 {
		return queue.Session{}, queue.ErrUnreachable
	}
	return s.Store.Get(ctx, id)
}

func TestAWaitOutlastsAServerThatIsAwayForAWhile(t *testing.T) {
	t.Parallel()
	var away atomic.Int32
	in, q := agenttest.Intake(t, awayStore{storetest.NewMemory(), &away})
	asked, looks := asking(t), 0
	s, own, err := in.Await(t.Context(), asked, func(ctx context.Context) error {
		switch looks++; looks {
		case 1: // it was asked: the server goes, and the person answers once it is back
			away.Store(2)
		case 3:
			answer := queue.Answer{Replies: []queue.Reply{{Question: "q1", Selected: []string{"Detailed"}}}}
			_, err := q.Do(ctx, queue.SourceID(asked.Origin.Source), queue.Command{By: queue.ByHuman,
				Do: queue.Settle{Answer: answer}})
			require.NoError(t, err)
		}
		return nil
	})
	require.NoError(t, err)
	require.True(t, own)
	require.Equal(t, queue.StatusSelected, s.Status())
}

// withoutHistory is a store that shows only live sessions, as a server does to the credentials of an agent.
type withoutHistory struct{ queue.Store }

func (s withoutHistory) Get(ctx context.Context, id string) (queue.Session, error) {
	v, err := s.Store.Get(ctx, id)
	if errors.Is(err, queue.ErrNotFound) || v.Final {
		return queue.Session{}, fmt.Errorf("not shown: %w", queue.ErrRefused)
	}
	return v, err
}

func TestAnAgentThatMayNotReadTheHistoryCanAsk(t *testing.T) {
	t.Parallel()
	in, q := agenttest.Intake(t, withoutHistory{storetest.NewMemory()})
	ends := func(ctx context.Context) error {
		live, _, err := q.Store.Live(ctx)
		require.NoError(t, err)
		require.Len(t, live, 1, "it is in the queue")
		return prompt.ErrThere
	}
	_, _, err := in.Await(t.Context(), asking(t), ends)
	require.ErrorIs(t, err, prompt.ErrThere)
}
