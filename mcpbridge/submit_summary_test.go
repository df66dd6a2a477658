package mcpbridge

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// summed calls submit_summary with a summary of this session's discussion, and returns the result.
func (r *rig) summed(id int, session, more string) said {
	r.t.Helper()
	r.tool(id, "submit_summary", `{"session_id": "`+session+`", "candidate_summary": "Both want it.",
		"candidate_answer": "PostgreSQL", "source_hint": "slack_extraction"`+more+`}`)
	return r.result(id)
}

// handedOver asks, asks the team, and hands the discussion over to the agent as call 1.
func (r *rig) handedOver() queue.Session {
	r.t.Helper()
	r.ask(1, "")
	s := r.askedForSummary("r1")
	require.NotNil(r.t, discussed(r.result(1)))
	return s
}

func TestASummaryReachesThePersonAndTheAgentIsToldToPollOn(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.dashboard()
		r.start("claude-code")
		s := r.handedOver()
		got := r.summed(2, s.ID, "") // at once, while the first call may still store that the discussion was written
		require.False(t, got.failed(), got.text())
		require.Equal(t, "accepted", got.structured()["status"])
		require.Equal(t, s.ID, got.structured()["session_id"])
		require.Equal(t, "01KPXFGJ00000000000000000A", got.structured()["decision_id"])
		for _, told := range []string{got.text(), got.structured()["message"].(string)} {
			require.Contains(t, told, `poll_selection with {"session_id": "`+s.ID+`"}`)
			require.Contains(t, told, "do not choose yourself")
		}
		s = r.only()
		require.Equal(t, &queue.Candidate{Summary: "Both want it.", Answer: "PostgreSQL", SourceHint: "slack_extraction"},
			s.Widen.Candidate)
		require.True(t, s.Pending(), "the person decides")
		e, there := s.Last(queue.EventSummaryGiven)
		require.True(t, there)
		require.Equal(t, queue.ByCaller, e.By)
		r.poll(3, s.ID, "")
		r.answer(s.ID, "pg")
		require.Equal(t, []any{"pg"}, r.result(3).selection()["selected_ids"])
	})
}

func TestASummaryThatNobodyWantsIsRefusedAndSaysWhy(t *testing.T) {
	for _, c := range []struct {
		name, more, code, says string
		before                 func(r *rig) (session string)
	}{
		{"no such session", "", "not_found", `There is no session "k7f3m2qx"`,
			func(*rig) string { return "k7f3m2qx" }},
		{"no session at all", "", "not_found", "There is no session", func(*rig) string { return "../../etc" }},
		{"a line to an agent", "", "not_found", "There is no session", func(r *rig) string { return r.write("hello").ID }},
		{"the team was not asked", "", "not_wanted", "Nobody asked for a summary",
			func(r *rig) string { r.ask(1, ""); return r.only().ID }},
		{"none was asked for", "", "not_wanted", "Nobody asked for a summary",
			func(r *rig) string { r.ask(1, ""); return r.do(r.only().ID, team()).ID }},
		{"it was not handed over", "", "not_wanted", "Read the discussion first", func(r *rig) string {
			r.ask(1, "")
			r.result(1) // its soft limit is over
			return r.askedForSummary("r1").ID
		}},
		{"one was given", "", "not_wanted", "has your summary already", func(r *rig) string {
			s := r.handedOver()
			require.False(r.t, r.summed(2, s.ID, "").failed())
			return s.ID
		}},
		{"for an earlier request", `, "request_id": "r0"`, "not_wanted", "This request is over",
			func(r *rig) string { return r.handedOver().ID }},
		{"too late", "", "too_late", "more than 30 seconds", func(r *rig) string {
			s := r.handedOver()
			time.Sleep(30*time.Second + time.Millisecond)
			return s.ID
		}},
		{"decided meanwhile", "", "not_wanted", "decided already", func(r *rig) string {
			s := r.handedOver()
			r.answer(s.ID, "pg")
			return s.ID
		}},
		{"and collected", "", "not_wanted", "decided already", func(r *rig) string {
			s := r.handedOver()
			r.answer(s.ID, "pg")
			r.poll(2, s.ID, "")
			r.result(2)
			return s.ID
		}},
	} {
		bubble(t, func(t *testing.T, r *rig) {
			r.dashboard()
			r.start("mine")
			id := c.before(r)
			r.tool(9, "submit_summary", `{"session_id": "`+id+`", "candidate_summary": "s", "candidate_answer": "a",
				"source_hint": "manual"`+c.more+`}`)
			got := r.result(9)
			require.True(t, got.failed(), c.name)
			require.Equal(t, c.code, got.structured()["error"], c.name)
			require.Contains(t, got.text(), c.says, c.name)
			require.Equal(t, c.code != "not_found", strings.Contains(got.text(), "poll_selection"), c.name)
		})
	}
}

func TestOnlyTheAgentWhoseQuestionItIsSumsUp(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.dashboard()
		r.start("claude-code")
		s := r.handedOver()
		twin := newRig(t)
		twin.store, twin.q = r.store, r.q
		twin.start("claude-code", func(o *Options) { o.Origin.Agent = "8-2" })
		got := twin.summed(1, s.ID, "")
		require.True(t, got.failed())
		require.Equal(t, "not_yours", got.structured()["error"])
		require.Nil(t, r.only().Widen.Candidate)
		twin.stop()
		require.False(t, r.summed(2, s.ID, "").failed())
	})
}

func TestEveryThreadOfAnAgentIsAnAgentOfItsOwn(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.dashboard()
		r.start("codex")
		r.call(1, single, `,"_meta":{"threadId":"one"}`)
		s := r.askedForSummary("r1")
		r.result(1)
		for id, thread := range []string{"one", "two"} {
			r.send(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"submit_summary","arguments":{"session_id":%q,`+
				`"candidate_summary":"s","candidate_answer":"a","source_hint":"manual"},"_meta":{"threadId":%q}}}`, 3-id, s.ID, thread)
			got := r.result(3 - id)
			require.Equal(t, thread == "two", got.failed(), got.text())
		}
	})
}

func TestASummaryThatIsNoneIsRefusedWithEveryProblem(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.start("claude-code")
		r.tool(1, "submit_summary", `{"candidate_summary": 7, "source_hint": "slack", "anwser": "x"}`)
		got := r.result(1)
		require.True(t, got.failed())
		require.Equal(t, "invalid_request", got.structured()["error"])
		require.Len(t, got.structured()["problems"], 5, got.text())
		require.Zero(t, r.opened, "nothing was touched")
	})
}
