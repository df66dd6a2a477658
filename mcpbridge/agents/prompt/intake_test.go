package prompt

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

// endingStore ends a context at its first watch, as a signal at that moment would.
type endingStore struct {
	queue.Store
	ends context.CancelCauseFunc
}

func (s endingStore) Follow(ctx context.Context, ids ...string) (queue.Watcher, error) {
	s.ends(ErrThere)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return s.Store.Follow(ctx, ids...)
}

// asking returns a prompt of an agent.
func asking(t *testing.T) Asked {
	asked, ok := Claude(recorded(t, "claude", "question"), func() string { return "t" })
	require.True(t, ok)
	return asked
}

func goesOn(context.Context) error { return nil }

func intake(t *testing.T, store queue.Store) (*Intake, *queue.Queue) {
	q := queue.New(store)
	in, err := Open(t.Context(), Options{Queue: q, Settings: config.Default})
	require.NoError(t, err)
	t.Cleanup(func() { _ = in.Close() })
	return in, q
}

func TestASignalThatComesAsTheWaitBeginsIsAnAnswerThereToo(t *testing.T) {
	t.Parallel()
	ctx, ends := context.WithCancelCause(t.Context())
	in, q := intake(t, endingStore{storetest.NewMemory(), ends})
	s, _, err := in.Await(ctx, asking(t), goesOn)
	require.ErrorIs(t, err, ErrThere)
	s, err = q.Store.Get(t.Context(), s.ID)
	require.NoError(t, err)
	require.Equal(t, queue.StatusElsewhere, s.Status())
	require.True(t, s.Final)
}

func TestAWaitEndsByWhatEndsItAndSaysWhy(t *testing.T) {
	t.Parallel()
	for reason, why := range map[string]error{queue.CallerGone: ErrGone, leftAlone: ErrAlone, "left to " + strings.TrimPrefix(asking(t).Where, "in ") + " because of the settings": ErrOff} {
		in, q := intake(t, storetest.NewMemory())
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
	in, q := intake(t, storetest.NewMemory())
	asked := asking(t)
	answer := queue.Answer{Replies: []queue.Reply{{Question: "q1", Selected: []string{"Detailed"}}}}
	s, own, err := in.Await(t.Context(), asked, func(ctx context.Context) error {
		_, err := q.Do(ctx, queue.SourceID(asked.Origin.Source), queue.Command{By: queue.ByHuman,
			Surface: queue.SurfaceDashboard, Do: queue.Settle{Answer: answer}})
		require.NoError(t, err)
		return ErrThere // at the same moment
	})
	require.ErrorIs(t, err, ErrThere)
	require.True(t, own)
	s, err = q.Store.Get(t.Context(), s.ID)
	require.NoError(t, err)
	require.Equal(t, queue.StatusSelected, s.Status(), "the first answer wins")
	require.True(t, s.Final)
	why, untaken := s.Untaken()
	require.True(t, untaken, "and the agent was not told")
	require.Equal(t, "answered in claude before", why)
}

func TestEscInGeminiInterruptsItsQuestion(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "session.jsonl")
	line := func(kind, at string) string {
		return fmt.Sprintf(`{"id":"x","timestamp":%q,"type":%q,"content":"Request cancelled."}`+"\n", at, kind)
	}
	before := line("info", "2026-11-21T21:51:30Z") + line("user", "2026-11-21T21:51:33Z") +
		`{"timestamp":"2026-11-21T21:51:33Z","type":"info","content":[{"text":"Request cancelled."}]}` + "\n"
	require.NoError(t, os.WriteFile(file, []byte(before), 0o600))
	raw := strings.Replace(string(recorded(t, "gemini", "question")), "/home/ana/.gemini/x", file, 1)
	asked, ok := Gemini([]byte(raw), func() string { return "t" })
	require.True(t, ok)
	in, q := intake(t, storetest.NewMemory())
	looks := 0
	s, own, err := in.Await(t.Context(), asked, func(context.Context) error {
		if looks++; looks == 1 {
			return os.WriteFile(file, []byte(before+line("info", "2026-11-21T21:51:33.5Z")), 0o600)
		}
		return ErrGone
	})
	require.ErrorIs(t, err, ErrInterrupted)
	require.True(t, own)
	s, err = q.Store.Get(t.Context(), s.ID)
	require.NoError(t, err)
	require.Equal(t, queue.StatusElsewhere, s.Status())
	require.Equal(t, "in gemini", s.Outcome.Reason)
	require.True(t, s.Final)
}

func TestTheTimeIsTheSettingsOrLessWhereTheAgentWaitsForLess(t *testing.T) {
	t.Parallel()
	for limit, seconds := range map[time.Duration]int{0: 300, time.Minute: 60, 24 * time.Hour: 300} {
		q := queue.New(storetest.NewMemory())
		in, err := Open(t.Context(), Options{Queue: q, Settings: config.Default, Limit: limit})
		require.NoError(t, err)
		s, _, err := in.Await(t.Context(), asking(t), func(context.Context) error { return ErrGone })
		require.ErrorIs(t, err, ErrGone)
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
	in, q := intake(t, awayStore{storetest.NewMemory(), &away})
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
	in, q := intake(t, withoutHistory{storetest.NewMemory()})
	ends := func(ctx context.Context) error {
		live, _, err := q.Store.Live(ctx)
		require.NoError(t, err)
		require.Len(t, live, 1, "it is in the queue")
		return ErrThere
	}
	_, _, err := in.Await(t.Context(), asking(t), ends)
	require.ErrorIs(t, err, ErrThere)
}

func TestAHookThatTheAgentEndsIsAnInterruptionUnlessItsDialogWasAnswered(t *testing.T) {
	const touch = `{"command":"touch made"}`
	for name, c := range map[string]struct {
		content string
		dialog  bool
		status  string
	}{
		"a question":                    {"", false, "interrupted in claude"},
		"Esc in the dialog":             {refused, true, "interrupted in claude"},
		"answered":                      {"done", true, "answered in claude"},
		"nothing is said of the dialog": {"", true, "interrupted in claude"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := transcript{t, filepath.Join(t.TempDir(), "s.jsonl")}
			file.write(uses("1", "Bash", touch))
			asked := asking(t)
			asked.Origin.Subagent = "reviewer"
			if c.dialog {
				asked.Dialog = asks(t, file.path, "Bash", touch, "")
			}
			in, q := intake(t, storetest.NewMemory())
			ctx, ends := context.WithCancelCause(t.Context())
			s, _, err := in.Await(ctx, asked, func(context.Context) error {
				if c.content != "" {
					file.write(gives("1", c.content))
				}
				ends(ErrInterrupted)
				return nil
			})
			require.ErrorIs(t, err, ErrInterrupted)
			s, err = q.Store.Get(t.Context(), s.ID)
			require.NoError(t, err)
			require.Equal(t, c.status, s.Summary())
			require.Equal(t, c.dialog, s.Ask.NoClock)
			require.Equal(t, "reviewer", s.Origin.Subagent)
		})
	}
}

func TestOfCallsThatAreAlikeOneIsOverOnceTheNextIsAskedFor(t *testing.T) {
	t.Parallel()
	const touch = `{"command":"touch made"}`
	file := transcript{t, filepath.Join(t.TempDir(), "s.jsonl")}
	file.write(uses("1", "Bash", touch), uses("2", "Bash", touch))
	store := storetest.NewMemory()
	in, q := intake(t, store)
	asked := func(id string) Asked {
		a := asking(t)
		a.Origin.Source, a.Dialog = "claude:s/"+id, asks(t, file.path, "Bash", touch, "")
		return a
	}
	looks := 0
	s, _, err := in.Await(t.Context(), asked("1"), func(ctx context.Context) error {
		if looks++; looks == 1 {
			file.write(gives("1", "done")) // perhaps the result of the call before
		}
		if looks == 2 {
			next, _ := intake(t, store)
			next.queue.Now = func() time.Time { return time.Now().Add(time.Second) }
			_, _, err := next.enterQuestion(ctx, asked("2"))
			require.NoError(t, err)
		}
		require.Less(t, looks, 10)
		return nil
	})
	require.ErrorIs(t, err, ErrThere)
	require.Greater(t, looks, 1)
	s, err = q.Store.Get(t.Context(), s.ID)
	require.NoError(t, err)
	require.Equal(t, "answered in claude", s.Summary())
}
