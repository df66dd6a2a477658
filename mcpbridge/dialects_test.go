package mcpbridge

import (
	"encoding/json"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

const (
	choiceArgs   = `{"question": "Which database?", "options": [{"title": "Use PostgreSQL", "description": "d", "isRecommended": true}, {"title": "Use SQLite", "description": "d"}]}`
	hitlArgs     = `{"question": "Drop the table?", "options": ["Drop it", "Keep it"], "requireConfirmation": true, "confirmationMessage": "It cannot be undone."}`
	questionArgs = `{"questions": [{"question": "Format?", "header": "Format", "options": [{"label": "Short"}, {"label": "Long"}], "multiSelect": false},
		{"question": "Sections?", "options": ["A", "B", "C"], "multiSelect": true}]}`
)

// tool calls any tool without waiting for the result.
func (r *rig) tool(id int, name, arguments string) {
	var flat any
	require.NoError(r.t, json.Unmarshal([]byte(arguments), &flat)) // one message a line
	raw, err := json.Marshal(flat)
	require.NoError(r.t, err)
	r.send(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, name, raw)
}

func (r *rig) settle(s queue.Session, confirmed bool, replies ...queue.Reply) {
	r.t.Helper()
	for i := range replies {
		replies[i].Question = s.Ask.Questions[i].ID
	}
	r.do(s.ID, queue.Settle{Answer: queue.Answer{Replies: replies}, Confirmed: confirmed})
}

func TestRequestUserChoiceBringsBackExactlyTheTitleOrTheWords(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.dashboard()
		r.start("mine")
		r.tool(1, "requestUserChoice", choiceArgs)
		r.settle(r.only(), false, queue.Reply{Selected: []string{"Use SQLite"}})
		got := r.result(1)
		require.Equal(t, "Use SQLite", got.text())
		require.Equal(t, "Use SQLite", got.structured()["answer"])
		require.NotEmpty(t, got.structured()["advice"], "the context is short")
		require.False(t, got.failed())

		r.tool(2, "requestUserChoice", choiceArgs)
		r.settle(r.only(), false, queue.Reply{Text: "ask the team"})
		require.Equal(t, "ask the team", r.result(2).text())

		r.tool(3, "requestUserChoice", choiceArgs)
		r.do(r.only().ID, queue.Cancel{Reason: "not now"})
		got = r.result(3)
		require.True(t, got.failed())
		require.Equal(t, "No choice was made: cancelled: not now. Do not choose for the person.", got.text()[:len("No choice was made: cancelled: not now. Do not choose for the person.")])

		r.tool(6, "requestUserChoice", choiceArgs)
		r.do(r.only().ID, queue.Cancel{Reason: "what it costs", Code: queue.ReasonMoreDetail})
		got = r.result(6)
		require.Equal(t, "more_detail", got.structured()["reason_code"])
		require.Contains(t, got.text(), "The person wants more detail before deciding: “what it costs”. Ask again with it.")

		r.tool(4, "requestUserChoice", choiceArgs)
		s := r.only()
		time.Sleep(49 * time.Second)
		time.Sleep(2 * time.Second)
		require.Equal(t, "pending", r.result(4).structured()["status"])
		r.tool(5, "poll_selection", `{"session_id": "`+s.ID+`", "wait_seconds": 600}`)
		time.Sleep(5 * time.Minute)
		got = r.result(5)
		require.True(t, got.failed())
		require.Contains(t, got.text(), "No choice was made: timed out")
	})
}

func TestARefusedRequestAsksNobody(t *testing.T) {
	for name, args := range map[string]string{
		"requestUserChoice": `{"question": "", "options": 3}`,
		"hitl_request":      `{"question": "Q", "options": [], "allowFreeText": true}`,
		"ask_user_question": `{"questions": [{"options": {}}]}`,
		"poll_selection":    `{}`,
	} {
		bubble(t, func(t *testing.T, r *rig) {
			r.start("mine")
			r.tool(1, name, args)
			got := r.result(1)
			require.True(t, got.failed())
			require.Contains(t, got.text(), "nobody was asked")
			require.NotEmpty(t, got.structured()["problems"])
			require.Equal(t, "error", got.structured()["status"])
			require.Zero(t, r.opened)
		})
	}
}

func TestQuestionsAreAnsweredByTheirText(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.dashboard()
		r.start("mine")
		r.tool(1, "ask_user_question", questionArgs)
		s := r.only()
		require.Len(t, s.Ask.Questions, 2)
		r.settle(s, false, queue.Reply{Text: "JSON", Notes: map[string]string{"Short": "too short"}}, queue.Reply{Selected: []string{"C", "A"}})
		got := r.result(1)
		require.Equal(t, map[string]any{"Format?": "JSON", "Sections?": "A, C"}, got.structured()["answers"])
		require.Equal(t, map[string]any{"Format?": map[string]any{"notes": "Short: too short"}}, got.structured()["annotations"])
	})
}

func TestTheResultComesInTheFormatThatAsked(t *testing.T) {
	for name, c := range map[string]struct {
		args  string
		reply []queue.Reply
		field string
		want  any
	}{
		"requestUserChoice": {choiceArgs, []queue.Reply{{Selected: []string{"Use SQLite"}}}, "answer", "Use SQLite"},
		"hitl_request":      {hitlArgs, []queue.Reply{{Selected: []string{"Keep it"}}}, "selectedOption", "Keep it"},
		"ask_user_question": {questionArgs, []queue.Reply{{Selected: []string{"Short"}}, {Selected: []string{"B"}}}, "answers", map[string]any{"Format?": "Short", "Sections?": "B"}},
		"provide_choice":    {`{` + single + `}`, []queue.Reply{{Selected: []string{"pg"}}}, "action_status", "selected"},
	} {
		for i, poll := range []string{"provide_choice", "poll_selection"} {
			bubble(t, func(t *testing.T, r *rig) {
				r.start("mine") // no dashboard: handed off at once
				r.tool(1, name, c.args)
				first := r.result(1)
				require.False(t, first.failed())
				s := r.only()
				require.Contains(t, first.text(), s.ID)
				require.Contains(t, first.text(), "choicetui attach "+s.ID)
				require.Contains(t, first.text(), "do not choose yourself")
				r.tool(2, poll, fmt.Sprintf(`{"session_id": %q, "wait_seconds": %d}`, s.ID, 60*i))
				if i == 0 {
					require.Contains(t, r.result(2).text(), "do not choose yourself", "a look, not a wait")
					r.settle(s, true, c.reply...)
					r.tool(2, poll, fmt.Sprintf(`{"session_id": %q}`, s.ID))
				} else {
					r.silent()
					r.settle(s, true, c.reply...)
				}
				got := r.result(2)
				require.Equal(t, c.want, got.structured()[c.field])
				require.Empty(t, r.live())
			})
		}
	}
}

func TestTwoIdenticalRequestsOfDifferentClientsEachGetTheirOwnResult(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.dashboard()
		a := r.start("claude")
		inA, outA, doneA := a.in, a.out, a.done
		r.tool(1, "hitl_request", hitlArgs)
		first := r.only()
		r.start("claude", func(o *Options) { o.Origin.Agent = "8-2" })
		r.tool(1, "hitl_request", hitlArgs)
		require.Len(t, r.live(), 2, "the same question, twice")
		var second queue.Session
		for _, s := range r.live() {
			require.Empty(t, s.Key)
			if s.ID != first.ID {
				second = s
			}
		}

		for _, tool := range []string{"provide_choice", "poll_selection"} { // while its call waits, and by the other client
			r.tool(7, tool, `{"session_id": "`+first.ID+`"}`)
			require.Equal(t, "not_found", r.result(7).structured()["error"])
		}
		r.settle(second, true, queue.Reply{Selected: []string{"Drop it"}})
		got := r.result(1)
		require.Equal(t, second.ID, got.structured()["requestId"])
		require.Equal(t, "Drop it", got.structured()["selectedOption"])
		require.True(t, r.get(first.ID).Pending(), "the other one is untouched")

		r.settle(first, true, queue.Reply{Selected: []string{"Keep it"}})
		synctest.Wait()
		var m said
		require.NoError(t, json.Unmarshal(<-outA.lines, &m))
		require.Equal(t, first.ID, m.structured()["requestId"])
		require.Equal(t, "Keep it", m.structured()["selectedOption"])
		inA.Close()
		<-doneA
	})
}

func TestAConfirmationIsASecondExplicitStep(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.dashboard()
		r.start("mine")
		r.tool(1, "hitl_request", hitlArgs)
		s := r.only()
		require.True(t, s.Ask.Confirm)
		require.Equal(t, "It cannot be undone.", s.Ask.ConfirmMessage)
		_, err := r.q.Do(t.Context(), s.ID, queue.Command{By: queue.ByHuman, Do: queue.Settle{
			Answer: queue.Answer{Replies: []queue.Reply{{Question: theOnly(s), Selected: []string{"Drop it"}}}}}})
		require.Error(t, err, "not without a yes")
		r.silent()
		r.settle(s, true, queue.Reply{Selected: []string{"Drop it"}})
		require.Equal(t, "confirmed", r.result(1).structured()["status"])
	})
}

func theOnly(s queue.Session) string { return s.Ask.Questions[0].ID }

func TestABoundQuestionGoesWithItsCall(t *testing.T) {
	for name, c := range map[string]struct {
		gone   func(r *rig)
		reason string
	}{
		"cancelled by the client":  {func(r *rig) { r.cancelled(1, "user pressed Esc") }, "user pressed Esc"},
		"the client lost patience": {func(r *rig) { r.cancelled(1, "Request timed out") }, "Request timed out"},
		"the client is gone":       {func(r *rig) { r.stop() }, queue.CallerGone},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, r *rig) {
				r.dashboard()
				r.start("mine")
				r.tool(1, "hitl_request", hitlArgs)
				s := r.only()
				c.gone(r)
				s = r.get(s.ID)
				require.Equal(t, queue.StatusCancelled, s.Status())
				require.Equal(t, queue.ByCaller, s.Outcome.By)
				require.Equal(t, c.reason, s.Outcome.Reason)
			})
		})
	}
}

func TestABoundQuestionOfAKilledBridgeIsCancelledByTheNextSweep(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.dashboard()
		s, err := r.q.Create(t.Context(), queue.Session{
			Ask: askedAs(t, r), Origin: queue.Origin{Dialect: queue.DialectBound, Instance: "killed"}, Claim: &queue.Claim{Instance: "killed", Conn: "1"},
		})
		require.NoError(t, err)
		require.NoError(t, r.q.Sweep(t.Context(), r.live()))
		require.Equal(t, queue.CallerGone, r.get(s.ID).Outcome.Reason)
	})
}

// askedAs returns the ask of a hitl_request, as the bridge makes it.
func askedAs(t *testing.T, r *rig) queue.Ask {
	t.Helper()
	r.start("mine")
	r.tool(1, "hitl_request", hitlArgs)
	ask := r.only().Ask
	r.do(r.only().ID, queue.Cancel{})
	r.result(1)
	return ask
}

func TestAStillWaitingBoundQuestionLivesWithItsBridge(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.dashboard()
		r.start("mine")
		r.tool(1, "hitl_request", hitlArgs)
		s := r.only()
		time.Sleep(51 * time.Second)
		got := r.result(1).structured()
		require.Equal(t, "pending", got["status"])
		require.Nil(t, got["selectedOption"])
		require.Equal(t, false, got["ok"])
		require.Equal(t, s.ID, got["requestId"])
		require.NoError(t, r.q.Sweep(t.Context(), r.live()))
		require.True(t, r.get(s.ID).Pending())
		r.tool(2, "poll_selection", `{"session_id": "`+s.ID+`"}`)
		synctest.Wait()
		r.settle(s, true, queue.Reply{Selected: []string{"Keep it"}})
		require.Equal(t, true, r.result(2).structured()["ok"])
	})
}

func TestABridgeThatEndsTakesItsStillWaitingBoundQuestionsWithIt(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.start("mine") // no dashboard: handed off at once
		r.tool(1, "hitl_request", hitlArgs)
		r.result(1)
		r.tool(2, "requestUserChoice", choiceArgs)
		r.result(2)
		r.stop()
		for _, s := range r.live() {
			require.Equal(t, s.EndsWithCall(), !s.Pending(), s.Origin.Dialect)
			if s.EndsWithCall() {
				require.Equal(t, queue.CallerGone, s.Outcome.Reason)
				require.Equal(t, queue.ByCaller, s.Outcome.By)
			}
		}
	})
}

func TestATimeoutIsNeverAConfirmation(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.settings.TimeoutAction = "defaults"
		r.dashboard()
		r.start("mine")
		r.tool(1, "hitl_request", `{"question": "Go?", "options": ["Go", "Stop"], "defaultOption": "Go", "timeoutMs": 20000}`)
		require.Equal(t, []string{"Go"}, r.only().Ask.Questions[0].Defaults)
		time.Sleep(21 * time.Second)
		got := r.result(1).structured()
		require.Equal(t, "timeout", got["status"])
		require.Equal(t, "timeout", got["source"])
		require.Nil(t, got["selectedOption"])
		require.Equal(t, false, got["ok"])
	})
}

func TestAnOlderCallerIsToldTheNewField(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.dashboard()
		r.start("mine")
		r.tool(1, "provide_choice", `{"title": "T", "prompt": "P", "type": "single_select", "allow_cancel": true, "options": [{"id": "a", "label": "A", "description": "d"}]}`)
		r.answer(r.only().ID, "a")
		got := r.result(1)
		require.Contains(t, got.text(), "type is now called selection_mode")
		require.NotEmpty(t, got.structured()["deprecated"])
		require.Equal(t, "selected", got.structured()["action_status"])
	})
}

func TestNoToolCallReachesAnApproval(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.dashboard()
		r.start("mine")
		ask := askedApproval()
		s, err := r.q.Create(t.Context(), queue.Session{Ask: ask})
		require.NoError(t, err)
		for i, tool := range []string{"provide_choice", "poll_selection"} {
			r.tool(i, tool, `{"session_id": "`+s.ID+`"}`)
			require.Equal(t, "not_found", r.result(i).structured()["error"])
		}
		r.tool(5, "provide_choice", `{"kind": "approval", `+single+`}`)
		require.True(t, r.result(5).failed())
	})
}

func askedApproval() queue.Ask {
	return queue.Ask{Kind: queue.KindApproval, Title: "create_agent", Prompt: "P", TimeoutSeconds: 60, OnTimeout: queue.OnTimeoutNone, Questions: []queue.Question{{
		ID: "approval", Mode: queue.ModeSingle, Min: 1, Max: 1, Options: []queue.Option{{ID: "approve", Label: "Approve"}, {ID: "deny", Label: "Deny"}},
	}}}
}
