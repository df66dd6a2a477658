package mcpbridge

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// listen calls next_message; it does not wait for the result.
func (r *rig) listen(id int, arguments, meta string) {
	r.send(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"next_message","arguments":{%s}%s}}`, id, arguments, meta)
}

// write puts a message to the rig's agent into the queue, as the dashboard does.
func (r *rig) write(text string, change ...func(*queue.Origin)) queue.Session {
	r.t.Helper()
	o := queue.Origin{Client: "claude-code", Host: "h", Cwd: "/nowhere", Agent: "7-1", PID: 7, Instance: "somebody"}
	for _, c := range change {
		c(&o)
	}
	s, err := r.q.Create(context.Background(), queue.NewMessage(o, text))
	require.NoError(r.t, err)
	return s
}

func (r *rig) listeners() (n int) {
	r.t.Helper()
	synctest.Wait()
	list, err := r.store.Present(context.Background())
	require.NoError(r.t, err)
	for _, p := range list {
		if p.Role == queue.RoleListener {
			require.Equal(r.t, "7-1", p.Origin.Agent)
			n++
		}
	}
	return n
}

func TestAMessageReachesTheAgentThatListens(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.start("claude-code")
		r.listen(1, "", `,"_meta":{"progressToken":"p"}`)
		r.silent()
		require.Equal(t, 1, r.listeners(), "the person sees that it listens")
		time.Sleep(time.Second)
		beat := r.next()
		require.Equal(t, "notifications/progress", beat.Method)
		require.Contains(t, beat.Params.Message, "listening")
		s := r.write("  fix the README\n\tin the same <commit> \n")
		got := r.result(1)
		require.False(t, got.failed())
		require.Equal(t, map[string]any{"status": "message", "from": "human", "text": "  fix the README\n\tin the same <commit> \n",
			"sent_at": s.AskedAt.Format(time.RFC3339)}, got.structured())
		require.Contains(t, got.text(), s.Ask.Prompt)
		require.Contains(t, got.text(), s.AskedAt.Format(time.RFC3339))
		require.Zero(t, r.listeners())
		require.Empty(t, r.live())
		s = r.get(s.ID)
		require.Equal(t, queue.StatusDelivered, s.Status())
		require.Equal(t, "sent to nowhere · claude, delivered with a result (next_message)", s.Summary())
	})
}

func TestMessagesComeOneACallInTheOrderTheyWereSent(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		for _, text := range []string{"one", "two", "three"} {
			r.write(text)
			time.Sleep(time.Millisecond)
		}
		r.start("claude-code")
		r.listen(1, "", "")
		r.listen(2, "", "")
		r.listen(3, "", "")
		texts := map[any]bool{}
		for range 3 {
			texts[r.next().structured()["text"]] = true
		}
		require.Equal(t, map[any]bool{"one": true, "two": true, "three": true}, texts, "each once")
		r.listen(4, `"wait_seconds":0`, "")
		require.Equal(t, map[string]any{"status": "pending"}, r.result(4).structured())
	})
}

func TestNothingIsDeliveredWhileAQuestionOfAnybodyWaits(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		closed, err := r.store.Announce(t.Context(), queue.Presence{Instance: "other", Role: queue.RoleBridge})
		require.NoError(t, err)
		s, err := r.q.Create(t.Context(), queue.Session{Origin: queue.Origin{Instance: "other", Client: "codex"},
			Claim: &queue.Claim{Instance: "other"}, Ask: question()})
		require.NoError(t, err)
		r.start("claude-code")
		r.write("hello")
		r.listen(1, "", "")
		r.silent()
		time.Sleep(50 * time.Second) // the soft limit of a client that sets none
		got := r.result(1)
		require.False(t, got.failed())
		require.Equal(t, map[string]any{"status": "pending", "waiting": 1.0}, got.structured())
		require.Contains(t, got.text(), "1 question")

		r.listen(2, "", "")
		r.silent()
		r.answer(s.ID, "a")
		require.Equal(t, "hello", r.result(2).structured()["text"])
		require.NoError(t, closed())
	})
}

func TestAQuestionWhoseCallerIsGoneHoldsMessagesBackForAMinute(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.settings.SoftLimits = map[string]int{"claude": 0}
		died, err := r.store.Announce(t.Context(), queue.Presence{Instance: "other", Role: queue.RoleBridge})
		require.NoError(t, err)
		ask := question()
		ask.TimeoutSeconds = 3600
		_, err = r.q.Create(t.Context(), queue.Session{Origin: queue.Origin{Instance: "other"}, Claim: &queue.Claim{Instance: "other"}, Ask: ask})
		require.NoError(t, err)
		r.start("claude-code")
		r.write("hello")
		r.listen(1, "", "")
		time.Sleep(10 * time.Minute)
		r.silent()
		require.NoError(t, died())
		time.Sleep(59 * time.Second)
		r.silent()
		time.Sleep(time.Second)
		require.Equal(t, "hello", r.result(1).structured()["text"])
	})
}

func TestAMessageWaitsForItsOwnAgent(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		twin, err := r.store.Announce(t.Context(), queue.Presence{Instance: "twin", Role: queue.RoleBridge})
		require.NoError(t, err)
		r.write("for the twin", func(o *queue.Origin) { o.Agent, o.Instance = "8-2", "twin" })
		r.write("for codex", func(o *queue.Origin) { o.Agent, o.Client = "9-3", "codex" })
		r.start("claude-code")
		r.listen(1, `"wait_seconds":5`, "")
		require.Equal(t, "pending", r.result(1).structured()["status"])
		require.NoError(t, twin())
		r.listen(2, `"wait_seconds":5`, "")
		require.Equal(t, "for the twin", r.result(2).structured()["text"], "it ended; this one took its place")
	})
}

func TestAMessageTakenBackIsNotDelivered(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		s := r.write("hello")
		r.do(s.ID, queue.Cancel{})
		r.start("claude-code")
		r.listen(1, `"wait_seconds":1`, "")
		require.Equal(t, "pending", r.result(1).structured()["status"])
	})
}

func TestAMessageThatIsBeingPastedIsNotAlsoFetched(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.dashboard()
		list, err := r.store.Present(t.Context())
		require.NoError(t, err)
		s := r.write("hello")
		claim := queue.Claim{Instance: list[0].Instance, Conn: "paste"}
		r.do(s.ID, queue.Take{Claim: claim})
		r.start("claude-code")
		r.listen(1, `"wait_seconds":1`, "")
		require.Equal(t, "pending", r.result(1).structured()["status"])
		r.do(s.ID, queue.Release{Claim: claim})
		r.listen(2, "", "")
		require.Equal(t, "hello", r.result(2).structured()["text"])
	})
}

func TestAMessageWhoseResultDidNotGoOutIsDeliveredAgain(t *testing.T) {
	for name, drop := range map[string]func(r *rig){
		"the pipe broke":       func(r *rig) { r.out.mu.Lock(); r.out.fail = errors.New("pipe"); r.out.mu.Unlock(); r.write("hello") },
		"the client cancelled": func(r *rig) { r.cancelled(1, "stop"); synctest.Wait(); r.write("hello") },
		"the client went":      func(r *rig) { r.in.Close(); <-r.done; r.write("hello") },
	} {
		bubble(t, func(t *testing.T, r *rig) {
			r.start("claude-code")
			r.listen(1, "", "")
			r.silent()
			drop(r)
			s := r.only()
			require.Nil(t, s.Claim, name)
			require.True(t, s.Pending(), name)
			r.in.Close()
			<-r.done
			r.start("claude-code")
			r.listen(1, "", "")
			require.Equal(t, "hello", r.result(1).structured()["text"], name)
		})
	}
}

func TestAMessageIsNoSessionToPoll(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		s := r.write("hello")
		r.start("claude-code")
		r.poll(1, s.ID, "")
		got := r.result(1)
		require.True(t, got.failed())
		require.Equal(t, "not_found", got.structured()["error"])
	})
}

func TestNextMessageSaysWhatIsWrongWithItsArguments(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.start("claude-code")
		r.listen(1, `"wait_seconds":-1,"to":"x"`, "")
		got := r.result(1)
		require.True(t, got.failed())
		require.Len(t, got.structured()["problems"], 2)
		require.Zero(t, r.opened, "nothing was touched")
	})
}

func TestTheCountIsToldAtEveryChangeDashboardOrNot(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		var n atomic.Int32
		n.Store(-1)
		r.start("claude-code", func(o *Options) { o.Count = func(k int) { n.Store(int32(k)) } })
		told := func(want int) { t.Helper(); synctest.Wait(); require.EqualValues(t, want, n.Load()) }
		r.ask(1, `,"timeout_seconds":3000`)
		r.result(1) // a hand-off, because no dashboard is open
		told(1)
		r.ask(2, `,"timeout_seconds":30`)
		r.result(2)
		told(2)
		r.write("messages do not count")
		told(2)
		time.Sleep(30 * time.Second)
		told(1)
		closed := r.dashboard()
		told(1)
		r.ask(3, "")
		told(2)
		require.NoError(t, closed())
		told(2)
		n.Store(-1)
		r.in.Close()
		<-r.done
		told(-1)
	})
}

func question() queue.Ask {
	return queue.Ask{Kind: queue.KindChoice, Title: "t", Prompt: "p", TimeoutSeconds: 600, OnTimeout: queue.OnTimeoutNone,
		Questions: []queue.Question{{ID: "choice", Mode: queue.ModeSingle, Min: 1, Max: 1, Options: []queue.Option{{ID: "a", Label: "A"}}}}}
}
