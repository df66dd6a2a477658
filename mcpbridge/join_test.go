package mcpbridge

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestWithdrawalTakesTheQuestionBack(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.dashboard()
		r.start("mine")
		r.ask(1, "")
		s := r.only()
		r.cancelled(1, "user pressed Esc")
		r.silent()
		s = r.get(s.ID)
		require.Equal(t, queue.StatusCancelled, s.Outcome.Status)
		require.Equal(t, queue.ByCaller, s.Outcome.By)
		require.Equal(t, "user pressed Esc", s.Outcome.Reason)
		require.Nil(t, s.Claim)
	})
}

func TestALostPatienceLeavesTheQuestionForTheSameAsk(t *testing.T) {
	for _, reason := range []string{"McpError: MCP error -32001: Request timed out", "request timeout", "TIMED OUT", "context deadline exceeded"} {
		bubble(t, func(t *testing.T, r *rig) {
			r.dashboard()
			r.start("mine")
			r.ask(1, "")
			s := r.only()
			r.cancelled(1, reason)
			r.ask(2, "") // right behind it
			s = r.only()
			require.Equal(t, "2", s.Origin.CallID, "taken over")
			require.Nil(t, s.DroppedAt)
			r.answer(s.ID, "pg")
			got := r.result(2)
			require.Equal(t, []any{"pg"}, got.selection()["selected_ids"])
			require.Contains(t, got.structured()["reason"], "was not asked again")
			r.silent()
		})
	}
}

func TestAnAnswerNobodyFetchedGoesToTheSameAskOfTheSameAgent(t *testing.T) {
	for name, c := range map[string]struct {
		agent  string
		later  time.Duration
		joined bool
	}{
		"soon":               {"7-1", time.Minute, true},
		"too late":           {"7-1", 11 * time.Minute, false},
		"another agent":      {"8-2", time.Minute, false},
		"an agent unknown":   {"", time.Minute, false},
		"at the last moment": {"7-1", 10 * time.Minute, true},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, r *rig) {
				r.dashboard()
				r.start("mine")
				r.ask(1, "")
				s := r.only()
				r.stop()
				require.NotNil(t, r.get(s.ID).DroppedAt, "gone, and the question stays")
				r.answer(s.ID, "lite")
				time.Sleep(c.later)
				r.start("mine", func(o *Options) { o.Origin.Agent = c.agent })
				r.ask(1, "")
				if !c.joined {
					require.Len(t, r.live(), 2)
					return
				}
				got := r.result(1)
				require.Equal(t, s.ID, got.structured()["session_id"])
				require.Contains(t, got.structured()["reason"], "not fetched until now")
				require.Contains(t, got.selection()["summary"], "not fetched until now")
				require.Empty(t, r.live())
			})
		})
	}
}

func TestADeadBridgesClaimIsTakenOver(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.dashboard()
		r.start("mine")
		r.ask(1, "")
		s := r.only()
		// The bridge is killed: its presence goes, its claim stays.
		dead := *s.Claim
		r.stop()
		_, err := r.q.Do(t.Context(), s.ID, queue.Command{Do: queue.Take{Claim: dead}})
		require.NoError(t, err)

		r.start("mine")
		r.ask(5, "")
		s = r.only()
		require.NotEqual(t, dead, *s.Claim)
		r.answer(s.ID, "pg")
		require.Equal(t, "selected", r.result(5).structured()["action_status"])
	})
}

func TestTheSameAskTwiceAtOnceIsTwoQuestions(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.dashboard()
		r.start("mine")
		r.ask(1, "")
		r.ask(2, "")
		require.Len(t, r.live(), 2)
	})
}

func TestACancelThatRacesWithTheAnswerLosesNothing(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.dashboard()
		r.start("mine")
		for i := 1; i <= 100; i++ {
			r.ask(i, "")
			s := r.only()
			raced := make(chan bool)
			go func() { r.answer(s.ID, "pg"); close(raced) }()
			r.cancelled(i, "Request timed out")
			<-raced
			s = r.get(s.ID)
			select {
			case line := <-r.out.lines:
				var m said
				require.NoError(t, json.Unmarshal(line, &m))
				require.True(t, s.Final, "written, so collected")
			default:
				require.False(t, s.Final, "not written, so it can still be fetched")
				require.Nil(t, s.Claim)
				r.poll(1000+i, s.ID, "")
				require.Equal(t, "selected", r.result(1000 + i).structured()["action_status"])
			}
		}
	})
}

func TestAResultThatCannotBeWrittenIsNotCollected(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.dashboard()
		r.start("mine")
		r.ask(1, "")
		s := r.only()
		r.out.mu.Lock()
		r.out.fail = errors.New("broken pipe")
		r.out.mu.Unlock()
		r.answer(s.ID, "pg")
		s = r.get(s.ID)
		require.False(t, s.Final)
		require.Nil(t, s.Claim)
		require.NotNil(t, s.DroppedAt)
	})
}
