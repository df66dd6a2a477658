package mcpbridge

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// team returns the action with which the person asks their team.
func team() queue.Widen {
	return queue.Widen{Widened: queue.Widened{
		Decision: "01KPXFGJ00000000000000000A", Mission: "shop", QuestionID: "provide_choice.x",
		Team: []queue.Member{{UserID: "U1", Name: "Alice Johnson"}},
	}}
}

const block = "╔═══╗\n║  WIDEN SUMMARIZATION REQUEST  ║\n╚═══╝\n--- Messages ---\n[Alice] <b>PostgreSQL</b> & \"more\"\n---\n"

// askedForSummary widens the one live question and asks its agent for a summary.
func (r *rig) askedForSummary(request string) queue.Session {
	r.t.Helper()
	s := r.only()
	if s.Widen == nil {
		r.do(s.ID, team())
	}
	return r.do(s.ID, queue.AskSummary{ID: request, Block: block})
}

func discussed(m said) map[string]any {
	d, _ := m.structured()["summarization_request"].(map[string]any)
	return d
}

func TestACallWaitsOnWhileTheTeamIsAskedAndNoClockEndsIt(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.dashboard()
		r.start("claude-code")
		r.call(1, single+`,"timeout_seconds":60`, `,"_meta":{"progressToken":"tok"}`)
		s := r.only()
		r.do(s.ID, team())
		time.Sleep(2 * time.Second)
		require.Equal(t, "waiting for the person: Store, which is with their team", r.next().Params.Message)
		time.Sleep(time.Hour)
		synctest.Wait()
		require.True(t, r.get(s.ID).Pending(), "its minute is long over")
		r.do(s.ID, queue.Regroup{State: queue.WidenParked})
		r.answer(s.ID, "pg")
		for m := r.next(); ; m = r.next() {
			if m.Method == "" {
				require.Equal(t, []any{"pg"}, m.selection()["selected_ids"])
				break
			}
			require.NotContains(t, m.Params.Message, "left")
		}
	})
}

func TestAWidenedQuestionIsHandedOffAsEveryOther(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		closed := r.dashboard()
		r.start("claude-code")
		r.call(1, single, `,"_meta":{"progressToken":"tok"}`)
		s := r.only()
		r.do(s.ID, team())
		r.do(s.ID, queue.Regroup{State: queue.WidenParked})
		time.Sleep(900 * time.Millisecond)
		require.NoError(t, closed())
		time.Sleep(9 * time.Second)
		r.next()
		require.NotNil(t, r.get(s.ID).Claim, "its dashboard may come back")
		time.Sleep(2 * time.Second)
		m := r.next()
		for m.Method != "" {
			m = r.next()
		}
		require.Equal(t, "pending_terminal_launch", m.structured()["action_status"])
		require.Contains(t, m.text(), "the person has asked their team and no clock runs")
		require.Empty(t, discussed(m))
	})
}

func TestAWaitingCallReturnsAtOnceWithTheDiscussionToSumUp(t *testing.T) {
	for tool, args := range map[string]string{
		"provide_choice": "{" + single + "}", "requestUserChoice": choiceArgs, "ask_user_question": questionArgs,
	} {
		bubble(t, func(t *testing.T, r *rig) {
			r.dashboard()
			r.start("claude-code")
			r.tool(1, tool, args)
			s := r.askedForSummary("r1")
			got := r.result(1)
			require.False(t, got.failed(), "waiting on is a success")
			require.Equal(t, map[string]any{
				"decision_id": "01KPXFGJ00000000000000000A", "request_id": "r1", "session_id": s.ID, "block": block,
			}, discussed(got), tool)
			require.Contains(t, got.text(), block, "as it came")
			require.Contains(t, got.text(), "submit_summary within 30 seconds")
			require.Contains(t, got.text(), `"session_id": "`+s.ID+`"`)
			require.Contains(t, got.text(), "do not choose yourself")
			s = r.only()
			require.Equal(t, time.Now().UTC().Truncate(time.Millisecond), *s.Widen.Request.WrittenAt)
			require.Nil(t, s.Claim)
			require.Nil(t, s.DroppedAt, "it will come back")
		})
	}
}

func TestAPollThatComesLaterGetsTheDiscussionOnceAndTheNextOneWaits(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.dashboard()
		r.start("mine")
		r.ask(1, "")
		s := r.only()
		r.result(1) // its soft limit is over
		r.askedForSummary("r1")
		time.Sleep(10 * time.Minute)
		require.Nil(t, r.only().Widen.Request.WrittenAt, "its time does not run before the agent has it")
		r.tool(2, "poll_selection", `{"session_id": "`+s.ID+`"}`)
		require.Equal(t, block, discussed(r.result(2))["block"])
		written := *r.only().Widen.Request.WrittenAt
		time.Sleep(time.Second)
		r.poll(3, s.ID, "")
		r.silent()
		require.Equal(t, written, *r.only().Widen.Request.WrittenAt)
		r.askedForSummary("r2")
		require.Equal(t, "r2", discussed(r.result(3))["request_id"], "a new one is handed over too")
		r.poll(4, s.ID, "")
		r.answer(s.ID, "lite")
		require.Equal(t, []any{"lite"}, r.result(4).selection()["selected_ids"])
	})
}

func TestTwoCallsNeverGetTheSameDiscussion(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.dashboard()
		r.start("mine")
		r.ask(1, "")
		s := r.only()
		r.askedForSummary("r1")
		r.poll(2, s.ID, `,"wait_seconds":5`)
		with := 0
		for range 2 {
			if m := r.next(); discussed(m) != nil {
				with++
			}
		}
		require.Equal(t, 1, with)
	})
}

func TestADiscussionThatWasNeverWrittenIsOfferedToTheNextCall(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.dashboard()
		r.start("mine")
		r.ask(1, "")
		r.silent()
		r.out.mu.Lock()
		r.out.fail = errors.New("pipe")
		r.out.mu.Unlock()
		s := r.askedForSummary("r1")
		require.Nil(t, r.only().Widen.Request.WrittenAt)
		require.Nil(t, r.only().Claim)
		r.in.Close()
		<-r.done
		r.start("mine")
		r.ask(2, "")
		require.Equal(t, s.ID, discussed(r.result(2))["session_id"], "the same ask again")
		require.NotNil(t, r.only().Widen.Request.WrittenAt)
	})
}

func TestADeferralReachesTheAgentAndClosesTheSession(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.dashboard()
		r.start("claude-code")
		r.ask(1, "")
		s := r.only()
		r.do(s.ID, team())
		r.do(s.ID, queue.Defer{Rationale: "the audit comes first"})
		got := r.result(1)
		require.False(t, got.failed())
		require.Equal(t, "deferred", got.structured()["action_status"])
		require.Equal(t, "the audit comes first", got.structured()["reason"])
		require.Empty(t, got.selection()["selected_ids"])
		require.Empty(t, r.live(), "collected and archived")
		r.ask(2, "")
		require.NotEqual(t, s.ID, r.only().ID, "a deferral is never the answer to the same ask again")
	})
}

func TestAnAnswerSaysWhatTheTeamSaid(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.dashboard()
		r.start("claude-code")
		r.ask(1, "")
		s := r.only()
		r.do(s.ID, team())
		r.do(s.ID, queue.Settle{
			Answer: queue.Answer{Replies: []queue.Reply{{Question: "choice", Selected: []string{"lite"}}}},
			Team:   &queue.Resolution{Summary: queue.Summary{Text: "They want PostgreSQL", Source: queue.SourceOwner}, Rationale: "one file"},
		})
		got := r.result(1)
		require.Equal(t, map[string]any{
			"decision_id":  "01KPXFGJ00000000000000000A",
			"summary_json": map[string]any{"text": "They want PostgreSQL", "source": "mission_owner_override"}, "rationale": "one file",
		}, got.structured()["team"])
		require.Contains(t, got.text(), "then decided otherwise: “They want PostgreSQL”. Their reason: “one file”.")
	})
}

func TestWhatAnInterviewAsksIsNoToolsToFetch(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		s, err := r.q.Create(t.Context(), queue.Session{Ask: question(), Key: "of the interview",
			Origin: queue.Origin{Dialect: queue.DialectInterview, Client: "interview", Host: "h", Cwd: "/nowhere", Agent: "7-1"}})
		require.NoError(t, err)
		r.start("claude-code")
		r.poll(1, s.ID, "")
		require.Equal(t, "not_found", r.result(1).structured()["error"])
		require.Nil(t, r.get(s.ID).Claim)
	})
}

func TestAParkedQuestionHoldsNoMessageBackAndABlockedOneDoes(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.settings.SoftLimits = map[string]int{"claude": 0}
		r.dashboard()
		r.start("claude-code")
		r.ask(1, "")
		s := r.only()
		r.do(s.ID, team())
		r.write("hello")
		r.listen(2, "", "")
		time.Sleep(time.Hour)
		r.silent()
		r.do(s.ID, queue.Regroup{State: queue.WidenParked})
		require.Equal(t, "hello", r.result(2).structured()["text"])
	})
}
