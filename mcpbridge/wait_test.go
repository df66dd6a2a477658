package mcpbridge

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
)

func TestAnAnswerReachesTheCallerAndClosesTheSession(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.dashboard()
		r.start("claude-code")
		r.ask(1, "")
		s := r.only()
		require.Equal(t, "provide_choice", s.Origin.Dialect)
		require.Equal(t, "claude-code", s.Origin.Client)
		require.Equal(t, "9", s.Origin.Version)
		require.Equal(t, "1", s.Origin.CallID)
		require.Equal(t, s.Origin.Instance, s.Claim.Instance)
		r.silent()
		r.answer(s.ID, "lite")
		got := r.result(1)
		require.False(t, got.failed())
		require.Equal(t, "selected", got.structured()["action_status"])
		require.Equal(t, s.ID, got.structured()["session_id"])
		require.Equal(t, []any{"lite"}, got.selection()["selected_ids"])
		require.Contains(t, got.text(), `"selected_ids":["lite"]`)
		require.Empty(t, r.live(), "collected and archived")
		require.True(t, r.get(s.ID).Final)
	})
}

func TestACancelByThePersonCarriesTheReason(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.dashboard()
		r.start("claude-code")
		r.ask(1, "")
		r.do(r.only().ID, queue.Cancel{Reason: "neither"})
		got := r.result(1)
		require.Equal(t, "cancelled", got.structured()["action_status"])
		require.Equal(t, "neither", got.structured()["reason"])
		require.Equal(t, "human", got.structured()["settled_by"])
	})
}

func TestTheDeadlineEndsTheCallAndIsStored(t *testing.T) {
	for _, action := range []string{config.TimeoutNone, config.TimeoutDefaults} {
		bubble(t, func(t *testing.T, r *rig) {
			r.dashboard()
			r.settings.TimeoutAction = action
			r.start("codex-mcp-client")
			r.ask(1, `,"timeout_seconds":20,"default_selection_ids":["lite"]`)
			s := r.only()
			time.Sleep(15 * time.Second)
			moved := r.do(s.ID, queue.Move{By: time.Minute})
			time.Sleep(30 * time.Second)
			r.silent()
			got := r.result(1)
			require.Equal(t, moved.Deadline, time.Now().UTC().Truncate(time.Millisecond))
			require.Equal(t, "timeout", got.structured()["action_status"])
			require.Equal(t, "clock", got.structured()["settled_by"])
			want := []any{}
			if action == config.TimeoutDefaults {
				want = append(want, "lite")
			}
			require.Equal(t, want, got.selection()["selected_ids"])
			require.Equal(t, moved.Deadline, r.get(s.ID).Outcome.At)
		})
	}
}

func TestHeartbeatsGrowAndComeBeforeTheResult(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.dashboard()
		r.start("opencode")
		began := time.Now()
		r.call(1, single+`,"timeout_seconds":95`, `,"_meta":{"progressToken":"tok"}`)
		last := 0.0
		for n := range 10 {
			beat := r.next()
			require.Equal(t, "notifications/progress", beat.Method)
			require.Equal(t, "tok", beat.Params.ProgressToken)
			require.Greater(t, beat.Params.Progress, last)
			last = beat.Params.Progress
			at := time.Duration(max(1, n*10)) * time.Second
			require.Equal(t, at, time.Since(began))
			require.Equal(t, fmt.Sprintf("waiting for the person: Store, %d s left", 95-int(at/time.Second)), beat.Params.Message)
		}
		require.Equal(t, "timeout", r.result(1).structured()["action_status"])
		r.silent()
	})
}

func TestStillWaitingIsASuccessAndThePollGetsTheAnswerOnce(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		closed := r.dashboard()
		r.start("mine")
		began := time.Now()
		r.ask(1, "")
		s := r.only()
		got := r.result(1)
		require.Equal(t, 50*time.Second, time.Since(began))
		require.False(t, got.failed())
		require.Equal(t, "pending_terminal_launch", got.structured()["action_status"])
		require.NotContains(t, got.selection(), "url", "a dashboard is open")
		require.Contains(t, got.text(), "do not choose yourself")
		require.Contains(t, got.text(), s.ID)
		now := r.only()
		require.Nil(t, now.Claim)
		require.Nil(t, now.DroppedAt, "it will come back")

		closed()
		r.poll(2, s.ID, `,"wait_seconds":0`)
		require.Equal(t, "choicetui attach "+s.ID, r.result(2).selection()["url"], "no dashboard")
		r.poll(3, s.ID, `,"wait_seconds":3`)
		began = time.Now()
		require.Equal(t, "pending_terminal_launch", r.result(3).structured()["action_status"])
		require.Equal(t, 3*time.Second, time.Since(began))

		r.poll(4, s.ID, "")
		time.Sleep(time.Second)
		r.poll(5, s.ID, "")
		busy := r.result(5)
		require.True(t, busy.failed())
		require.Equal(t, "in_use", busy.structured()["error"])
		r.answer(s.ID, "pg")
		require.Equal(t, []any{"pg"}, r.result(4).selection()["selected_ids"])

		r.poll(6, s.ID, "")
		used := r.result(6)
		require.True(t, used.failed())
		require.Equal(t, "already_collected", used.structured()["error"])
		require.Equal(t, "PostgreSQL", used.structured()["answered"])
		require.Contains(t, used.text(), "settled at 20")
		require.Contains(t, used.text(), "collected at 20")
	})
}

func TestAPollRightBehindTheResultSeesItCollected(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.dashboard()
		r.start("mine")
		for i := range 50 {
			r.ask(2*i, "")
			s := r.only()
			r.answer(s.ID, "pg")
			r.result(2 * i)
			r.poll(2*i+1, s.ID, "")
			require.Equal(t, "already_collected", r.result(2*i + 1).structured()["error"])
		}
	})
}

func TestPollsOfWhatIsNotThere(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.start("mine")
		for i, id := range []string{"zzzzzzzz", "../../etc", "short"} {
			r.poll(i+1, id, "")
			got := r.result(i + 1)
			require.True(t, got.failed())
			require.Equal(t, "not_found", got.structured()["error"])
		}
		made, err := r.q.Create(context.Background(), queue.Session{Ask: queue.Ask{
			Kind: queue.KindApproval, Title: "T", Prompt: "P", TimeoutSeconds: 60, OnTimeout: queue.OnTimeoutNone,
			Questions: []queue.Question{{ID: "q", Mode: queue.ModeText}},
		}})
		require.NoError(t, err)
		r.poll(9, made.ID, "")
		require.Equal(t, "not_found", r.result(9).structured()["error"], "a model must not fetch its own approval")
	})
}

func TestALateAnswerCanBeFetchedByIDForADay(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.dashboard()
		r.start("mine")
		r.ask(1, "")
		s := r.only()
		r.result(1)
		r.answer(s.ID, "lite")
		time.Sleep(23 * time.Hour)
		r.poll(2, s.ID, "")
		require.Equal(t, []any{"lite"}, r.result(2).selection()["selected_ids"])
	})
}

func TestWhenTheInputEndsQuestionsStayAndClaimsGo(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.dashboard()
		r.start("mine")
		for i := range 20 {
			r.ask(i+1, fmt.Sprintf(`,"timeout_seconds":%d`, 100+i))
		}
		require.Len(t, r.live(), 20)
		began := time.Now()
		r.stop()
		require.Zero(t, time.Since(began))
		for _, s := range r.live() {
			require.Nil(t, s.Claim)
			require.NotNil(t, s.DroppedAt)
			require.True(t, s.Pending())
		}
		r.silent()
		present, err := r.store.Present(t.Context())
		require.NoError(t, err)
		require.Len(t, present, 1, "the dashboard alone")
	})
}

func TestASignalEndsItWithItsCause(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.dashboard()
		r.start("mine")
		r.ask(1, "")
		r.only()
		r.cancel(errors.New("terminated"))
		require.ErrorContains(t, <-r.done, "terminated")
		require.NotNil(t, r.only().DroppedAt)
	})
}

func TestNothingHappensBeforeTheFirstAsk(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.start("probe")
		r.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
		r.next()
		r.call(2, `"title":"only"`, "")
		require.True(t, r.result(2).failed())
		require.Zero(t, r.opened)
		present, err := r.store.Present(t.Context())
		require.NoError(t, err)
		require.Empty(t, present)
		r.ask(3, "")
		r.result(3)
		r.ask(4, "")
		r.result(4)
		require.Equal(t, 1, r.opened)
	})
}

func TestAQueueThatCannotBeOpenedIsTriedAgain(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		broken := true
		r.start("mine", func(o *Options) {
			open := o.Open
			o.Open = func() (*queue.Queue, error) {
				if broken {
					return nil, errors.New("no space left")
				}
				return open()
			}
		})
		r.ask(1, "")
		got := r.result(1)
		require.True(t, got.failed())
		require.Equal(t, "unavailable", got.structured()["error"])
		require.Contains(t, got.text(), "no space left")
		broken = false
		r.ask(2, "")
		require.False(t, r.result(2).failed())
	})
}
