package mcpbridge

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// blocks returns the texts of a result, one a content block.
func (s said) blocks() (texts []string) {
	for _, c := range s.Result["content"].([]any) {
		texts = append(texts, c.(map[string]any)["text"].(string))
	}
	return texts
}

// lines returns the person's lines in a result. Each is in a content block after the first, and in messages.
func (s said) lines(t testing.TB) (texts []string) {
	t.Helper()
	messages, _ := s.structured()["messages"].([]any)
	blocks := s.blocks()
	require.Len(t, blocks, 1+len(messages))
	for i, m := range messages {
		m := m.(map[string]any)
		require.Equal(t, "human", m["from"])
		require.Equal(t, fmt.Sprintf("The person wrote to you (from: human, sent_at: %s):\n\n%s", m["sent_at"], m["text"]), blocks[i+1])
		texts = append(texts, m["text"].(string))
	}
	return texts
}

// served returns the output schemas as the bridge lists them.
func (r *rig) served(id int) map[string]*jsonschema.Schema {
	r.t.Helper()
	r.send(`{"jsonrpc":"2.0","id":%d,"method":"tools/list"}`, id)
	all := map[string]*jsonschema.Schema{}
	for _, tool := range r.result(id).Result["tools"].([]any) {
		tool := tool.(map[string]any)
		schema := tool["outputSchema"].(map[string]any)
		require.Contains(r.t, schema["properties"], "messages", tool["name"])
		c := jsonschema.NewCompiler()
		require.NoError(r.t, c.AddResource("schema.json", schema))
		compiled, err := c.Compile("schema.json")
		require.NoError(r.t, err)
		all[tool["name"].(string)] = compiled
	}
	return all
}

// results lists calls whose results may contain lines: the tool, its arguments, and what the person does.
var results = map[string]struct {
	tool, arguments string
	person          func(r *rig, s queue.Session)
	first           string // the first block, for formats in which it is exactly the answer
}{
	"provide_choice": {"provide_choice", "{" + single + "}", func(r *rig, s queue.Session) { r.answer(s.ID, "pg") }, ""},
	"requestUserChoice": {"requestUserChoice", choiceArgs, func(r *rig, s queue.Session) {
		r.settle(s, false, queue.Reply{Selected: []string{"Use SQLite"}})
	}, "Use SQLite"},
	"requestUserChoice in own words": {"requestUserChoice", choiceArgs, func(r *rig, s queue.Session) {
		r.settle(s, false, queue.Reply{Text: "ask the team"})
	}, "ask the team"},
	"requestUserChoice cancelled": {"requestUserChoice", choiceArgs, func(r *rig, s queue.Session) { r.do(s.ID, queue.Cancel{}) }, ""},
	"hitl_request": {"hitl_request", hitlArgs, func(r *rig, s queue.Session) {
		r.settle(s, true, queue.Reply{Selected: []string{"Drop it"}})
	}, ""},
	"ask_user_question": {"ask_user_question", questionArgs, func(r *rig, s queue.Session) {
		r.settle(s, false, queue.Reply{Selected: []string{"Short"}}, queue.Reply{Selected: []string{"A"}})
	}, ""},
	"a refused question":     {"provide_choice", `{"title": "t"}`, nil, ""},
	"poll_selection":         {"poll_selection", `{"session_id": "zzzzzzzz"}`, nil, ""},
	"a refused next_message": {"next_message", `{"wait_seconds": -1}`, nil, ""},
	"submit_summary": {"submit_summary", `{"session_id": "zzzzzzzz", "candidate_summary": "s", "candidate_answer": "a",
		"source_hint": "manual"}`, nil, ""},
}

func TestALineComesWithTheNextResultOfAnyTool(t *testing.T) {
	for name, c := range results {
		bubble(t, func(t *testing.T, r *rig) {
			r.dashboard()
			r.start("claude-code")
			schemas := r.served(9)
			r.poll(8, "zzzzzzzz", "")
			require.Empty(t, r.result(8).lines(t), name)
			one := r.write("leave the\n  migration")
			time.Sleep(time.Millisecond)
			r.write("and <then> rest")
			call := func(id int) said {
				r.tool(id, c.tool, c.arguments)
				if c.person != nil {
					for _, s := range r.live() {
						if !s.IsMessage() {
							c.person(r, s)
						}
					}
				}
				return r.result(id)
			}
			got := call(1)
			require.Equal(t, []string{"leave the\n  migration", "and <then> rest"}, got.lines(t), name)
			require.NoError(t, schemas[c.tool].Validate(map[string]any(got.structured())), name)
			if c.first != "" {
				require.Equal(t, c.first, got.text(), name)
			}
			require.NotContains(t, got.text(), "migration", name)
			require.Equal(t, "sent to nowhere · claude, delivered with a result ("+c.tool+")", r.get(one.ID).Summary(), name)
			require.Empty(t, r.live(), name)
			again := call(2)
			require.Empty(t, again.lines(t), "%s: once", name)
			require.NotContains(t, again.structured(), "messages", name)
		})
	}
}

func TestAResultBringsNoLineWhileAQuestionOfItsAgentIsPending(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.dashboard()
		r.start("claude-code")
		r.write("hello")
		r.ask(1, "")
		first := r.question()
		r.tool(2, "requestUserChoice", choiceArgs)
		require.Len(t, r.live(), 3)
		r.answer(first.ID, "pg")
		require.Empty(t, r.result(1).lines(t), "another call of the agent waits")
		r.poll(3, "zzzzzzzz", "")
		require.Empty(t, r.result(3).lines(t))
		r.tool(4, "hitl_request", hitlArgs)
		synctest.Wait()
		r.cancelled(4, "stop")
		second := r.question()
		r.settle(second, false, queue.Reply{Selected: []string{"Use SQLite"}})
		got := r.result(2)
		require.Equal(t, "Use SQLite", got.text())
		require.Equal(t, []string{"hello"}, got.lines(t), "the last of them is over")
	})
}

// question returns the one question that is pending.
func (r *rig) question() (found queue.Session) {
	r.t.Helper()
	n := 0
	for _, s := range r.live() {
		if !s.IsMessage() && s.Pending() {
			found = s
			n++
		}
	}
	require.Equal(r.t, 1, n)
	return found
}

func TestAnUnansweredQuestionBringsNoLineAndOneOfAnotherAgentKeepsNoneBack(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.start("claude-code") // no dashboard: it is handed off at once
		s := r.write("hello")
		r.ask(1, "")
		got := r.result(1)
		require.Equal(t, "pending_terminal_launch", got.structured()["action_status"])
		require.Empty(t, got.lines(t))
		r.do(r.question().ID, queue.Cancel{})

		other, err := r.store.Announce(t.Context(), queue.Presence{Instance: "other", Role: queue.RoleBridge})
		require.NoError(t, err)
		_, err = r.q.Create(t.Context(), queue.Session{Origin: queue.Origin{Instance: "other", Client: "codex", Host: "h", Cwd: "/nowhere", Agent: "8-2"},
			Claim: &queue.Claim{Instance: "other"}, Ask: question()})
		require.NoError(t, err)
		synctest.Wait() // next_message looks at the watch, which has to see the question first
		r.listen(2, `"wait_seconds":0`, "")
		require.Equal(t, map[string]any{"status": "pending", "waiting": 1.0}, r.result(2).structured(), "next_message has a rule of its own")
		r.poll(3, "zzzzzzzz", "")
		require.Equal(t, []string{"hello"}, r.result(3).lines(t))
		require.Equal(t, queue.StatusDelivered, r.get(s.ID).Status())
		require.NoError(t, other())
	})
}

func TestALineIsNotGivenToAnotherAgent(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.write("for beta", func(o *queue.Origin) { o.Client, o.Cwd = "beta", "/src/b" })
		r.write("for the twin", func(o *queue.Origin) { o.Agent, o.Instance = "8-2", "twin" })
		twin, err := r.store.Announce(t.Context(), queue.Presence{Instance: "twin", Role: queue.RoleBridge})
		require.NoError(t, err)
		r.start("claude-code")
		r.poll(1, "zzzzzzzz", "")
		require.Empty(t, r.result(1).lines(t))
		require.Len(t, r.live(), 2)
		require.NoError(t, twin())
	})
}

func TestALineWhoseResultDidNotGoOutStays(t *testing.T) {
	for name, drop := range map[string]func(r *rig){
		"the pipe broke": func(r *rig) {
			r.out.mu.Lock()
			r.out.fail = errors.New("pipe")
			r.out.mu.Unlock()
			r.answer(r.question().ID, "pg")
		},
		"the client cancelled": func(r *rig) { r.cancelled(1, "stop") },
		"the client went":      func(r *rig) { r.in.Close(); <-r.done },
	} {
		bubble(t, func(t *testing.T, r *rig) {
			r.dashboard()
			r.start("claude-code")
			s := r.write("hello")
			r.ask(1, "")
			synctest.Wait()
			drop(r)
			s = r.get(s.ID)
			require.True(t, s.Pending(), name)
			require.Nil(t, s.Claim, name)
			r.in.Close()
			<-r.done
			time.Sleep(2 * time.Minute) // after GoneGrace an abandoned question no longer holds lines back
			r.start("claude-code")
			r.poll(2, "zzzzzzzz", "")
			require.Equal(t, []string{"hello"}, r.result(2).lines(t), name)
		})
	}
}

func TestALineWhoseWriterWasKilledIsGivenAtMostOnceAndSaysSo(t *testing.T) {
	for name, c := range map[string]struct {
		claim queue.Claim
		lines []string
		want  string
	}{
		"before it was claimed": {queue.Claim{}, []string{"hello"}, "delivered with a result (provide_choice)"},
		"a dashboard, before it was pasted": {queue.Claim{Instance: "dead", Conn: "1"}, []string{"hello"},
			"delivered with a result (provide_choice)"},
		"while it was written": {queue.Claim{Instance: "dead", Conn: "1", Writing: true}, nil,
			"delivered with a result (perhaps: its choicetui mcp ended at that moment)"},
	} {
		for _, sweeper := range []string{"the next call", "a dashboard"} {
			bubble(t, func(t *testing.T, r *rig) {
				s := r.write("hello")
				if c.claim.Instance != "" {
					s = r.do(s.ID, queue.Take{Claim: c.claim})
				}
				if sweeper == "a dashboard" {
					require.NoError(t, r.q.Sweep(t.Context(), r.live()))
				}
				r.start("claude-code")
				r.poll(1, "zzzzzzzz", "")
				require.Equal(t, c.lines, r.result(1).lines(t), name)
				r.listen(2, `"wait_seconds":0`, "")
				require.Equal(t, "pending", r.result(2).structured()["status"], name)
				s = r.get(s.ID)
				require.Equal(t, "sent to nowhere · claude, "+c.want, s.Summary(), name)
				require.Equal(t, c.lines == nil, s.Outcome.InDoubt(), name)
			})
		}
	}
}

func TestALineThatIsBeingWrittenCannotBeTakenBack(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.start("claude-code")
		s := r.write("hello")
		tried := make(chan error, 1)
		r.out.before = func() {
			_, err := r.q.Do(t.Context(), s.ID, queue.Command{By: queue.ByHuman, Do: queue.Cancel{}})
			tried <- err
			r.out.before = nil
		}
		r.listen(1, "", "")
		require.Equal(t, "hello", r.result(1).structured()["text"])
		require.ErrorIs(t, <-tried, queue.ErrUsed)
		require.Equal(t, queue.StatusDelivered, r.get(s.ID).Status())
	})
}

func TestManyLongLinesComeWithSeveralResults(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.start("claude-code")
		var want, got []string
		for i := range 5 {
			text := fmt.Sprint(i, " ", strings.Repeat("x", 10_000))
			want = append(want, text)
			r.write(text)
			time.Sleep(time.Millisecond)
		}
		for id := 1; len(got) < len(want); id++ {
			r.poll(id, "zzzzzzzz", "")
			lines := r.result(id).lines(t)
			require.NotEmpty(t, lines)
			require.Less(t, len(lines), 3)
			got = append(got, lines...)
		}
		require.Equal(t, want, got)
	})
}

func TestOfManyResultsAtOnceOneBringsALine(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.start("claude-code")
		r.poll(1, "zzzzzzzz", "")
		r.result(1)
		r.write("hello")
		synctest.Wait()
		var lines []string
		for id := range 20 {
			r.poll(10+id, "zzzzzzzz", "")
		}
		for range 20 {
			lines = append(lines, r.next().lines(t)...)
		}
		require.Equal(t, []string{"hello"}, lines)
	})
}
