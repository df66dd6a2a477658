package jetstream

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

func TestClocksThatAreHalfAMinuteApartLoseAndDoubleNothing(t *testing.T) {
	t.Parallel()
	s := open(t)
	at := func(apart time.Duration) *queue.Queue {
		q := queue.New(again(t, s))
		q.Now = func() time.Time { return time.Now().Add(apart) }
		return q
	}
	agent, ahead, behind := queue.New(s), at(30*time.Second), at(-30*time.Second)
	answer := queue.Settle{Answer: storetest.Answer("a")}
	for _, person := range []*queue.Queue{ahead, behind} {
		v := storetest.Create(t, s)
		first, err := person.Do(t.Context(), v.ID, queue.Command{ID: "first", By: queue.ByHuman, Do: answer})
		require.NoError(t, err)
		_, err = agent.Do(t.Context(), v.ID, queue.Command{By: queue.ByClock, Do: queue.TimeOut{}})
		require.NoError(t, err)
		got, err := s.Get(t.Context(), v.ID)
		require.NoError(t, err)
		require.Equal(t, first.Outcome, got.Outcome)
		require.Empty(t, storetest.Violations(got, []string{"first"}), "and nothing is dated before what came before it")
	}

	ask := storetest.Ask()
	ask.TimeoutSeconds = 10 // less than the clocks are apart
	v, err := agent.Create(t.Context(), queue.Session{Ask: ask, Origin: queue.Origin{Dialect: "provide_choice"}})
	require.NoError(t, err)
	_, err = ahead.Do(t.Context(), v.ID, queue.Command{By: queue.ByHuman, Do: answer})
	require.ErrorIs(t, err, queue.ErrSettled, "to a clock that is ahead the time is up, and that is stored")
	got, err := behind.Do(t.Context(), v.ID, queue.Command{By: queue.ByHuman, Do: answer})
	require.ErrorIs(t, err, queue.ErrSettled, "the first one who ends it wins")
	require.Equal(t, queue.ByClock, got.Outcome.By)
}

func TestAMachineWithAWrongClockGoesByTheServers(t *testing.T) {
	t.Parallel()
	right := open(t)
	_, err := right.Present(t.Context())
	require.NoError(t, err)
	require.WithinDuration(t, time.Now(), right.Now(), time.Second)
	for _, wrong := range []time.Duration{-10 * time.Minute, 10 * time.Minute, -26 * time.Hour} {
		s := again(t, right)
		s.link.now = func() time.Time { return time.Now().Add(wrong) }
		q := queue.New(s)
		q.Now = s.Now
		release, err := s.Announce(t.Context(), queue.Presence{Instance: "bridge", Role: queue.RoleBridge})
		require.NoError(t, err)
		require.WithinDuration(t, time.Now(), q.Now(), sameClock, wrong)
		v, err := q.Create(t.Context(), queue.Session{Ask: storetest.Ask(), Origin: queue.Origin{Dialect: "provide_choice"}})
		require.NoError(t, err)
		require.WithinDuration(t, time.Now().Add(time.Duration(v.Ask.TimeoutSeconds)*time.Second), v.Deadline, sameClock)
		_, err = queue.New(right).Do(t.Context(), v.ID, queue.Command{By: queue.ByHuman,
			Do: queue.Settle{Answer: storetest.Answer("a")}})
		require.NoError(t, err)
		require.NoError(t, release())
	}
}

func TestAClockThatIsSetOrAMachineThatSleptHasTheServerAskedAgain(t *testing.T) {
	t.Parallel()
	s := open(t)
	wrong := -10 * time.Minute
	s.link.now = func() time.Time { return time.Now().Add(wrong) }
	v := storetest.Create(t, s)
	require.WithinDuration(t, time.Now(), s.Now(), sameClock)

	wrong = time.Hour
	s.Now()
	_, err := s.Get(t.Context(), v.ID)
	require.NoError(t, err)
	require.WithinDuration(t, time.Now(), s.Now(), sameClock)
}
