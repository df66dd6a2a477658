package mcpbridge

import (
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/mcpbridge/rpc"
	"github.com/choicetui/choicetui/queue"
)

func TestACancelRightBehindItsCallIsNeverLost(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.dashboard()
		r.start("mine")
		for i := 1; i <= 200; i++ {
			call := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"provide_choice","arguments":{%s}}}`, i, single)
			cancel := fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d,"reason":"no"}}`, i)
			r.send("%s", call+"\n"+cancel)
			r.silent()
			for _, s := range r.live() {
				require.False(t, s.Pending(), "call %d goes on", i)
			}
		}
	})
}

func TestACancelKnowsNumbersFromText(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.dashboard()
		r.start("mine")
		r.send(`{"jsonrpc":"2.0","id":"5","method":"tools/call","params":{"name":"provide_choice","arguments":{%s}}}`, single)
		r.cancelled(5, "no")
		require.True(t, r.only().Pending())
		require.Equal(t, "5", r.only().Origin.CallID)
		r.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"\u0035"}}`)
		require.False(t, r.only().Pending())
	})
}

func TestFiveHundredCallsWaitAtOnce(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.dashboard()
		r.start("mine")
		for i := 1; i <= 500; i++ {
			r.ask(i, "")
		}
		live := r.live()
		require.Len(t, live, 500)
		r.send(`{"jsonrpc":"2.0","id":"ping","method":"ping"}`)
		require.Equal(t, `"ping"`, string(r.next().ID), "served while all others wait")
		for _, s := range live {
			r.answer(s.ID, "pg")
		}
		answered := map[string]bool{}
		for range 500 {
			m := r.next()
			require.Equal(t, "selected", m.structured()["action_status"])
			answered[string(m.ID)] = true
		}
		require.Len(t, answered, 500)
		require.Empty(t, r.live())
	})
}

func TestWhatIsNoRequestIsAnsweredAndTheLoopGoesOn(t *testing.T) {
	huge := strings.Repeat("x", rpc.MaxMessage+10)
	for name, c := range map[string]struct {
		line string
		id   string
		code int
	}{
		"no JSON":              {`{"jsonrpc":`, "null", -32700},
		"text":                 {`hello`, "null", -32700},
		"a batch":              {`[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, "null", -32600},
		"a number":             {`7`, "null", -32600},
		"method is no text":    {`{"jsonrpc":"2.0","id":1,"method":7}`, "null", -32600},
		"nothing":              {`{}`, "null", -32600},
		"id is null":           {`{"jsonrpc":"2.0","id":null,"method":"ping"}`, "null", -32600},
		"id is a list":         {`{"jsonrpc":"2.0","id":[1],"method":"ping"}`, "null", -32600},
		"wrong version":        {`{"jsonrpc":"1.0","id":1,"method":"ping"}`, "1", -32600},
		"unknown method":       {`{"jsonrpc":"2.0","id":"a","method":"nope"}`, `"a"`, -32601},
		"unknown tool":         {`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nope"}}`, "1", -32602},
		"too long":             {`{"jsonrpc":"2.0","id":77,"method":"tools/call","params":{"x":"` + huge + `"}}`, "77", -32600},
		"a large id stays":     {`{"jsonrpc":"2.0","id":9007199254740993,"method":"nope"}`, "9007199254740993", -32601},
		"an id that is a date": {`{"jsonrpc":"2.0","id":"2026-11-20","method":"nope"}`, `"2026-11-20"`, -32601},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, r *rig) {
				r.start("mine")
				go r.send("%s", c.line)
				got := r.next()
				require.NotNil(t, got.Error)
				require.Equal(t, c.code, got.Error.Code)
				require.Equal(t, c.id, string(got.ID))
				r.send("\r\n\n" + `{"jsonrpc":"2.0","id":2,"method":"ping"}`)
				require.Equal(t, "2", string(r.next().ID))
				require.Zero(t, r.opened)
			})
		})
	}
}

func TestAClientsResponsesAreIgnored(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.start("mine")
		r.send(`{"jsonrpc":"2.0","id":7,"result":{}}`)
		r.send(`{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"no"}}`)
		r.silent()
	})
}

func TestAnIDInFlightIsNotTakenTwice(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.dashboard()
		r.start("mine")
		r.ask(1, "")
		r.ask(1, `,"timeout_seconds":9`)
		require.Equal(t, -32600, r.next().Error.Code)
		s := r.only()
		r.answer(s.ID, "pg")
		r.result(1)
		r.ask(1, "")
		require.NotEqual(t, s.ID, r.only().ID, "free again")
	})
}

func TestPipedInputIsAnsweredToTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t)
		r.dashboard()
		r.run(func(o *Options) {
			o.In = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}
{"jsonrpc":"2.0","id":2,"method":"tools/list"}
{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"provide_choice","arguments":{}}}`)
		})
		require.NoError(t, <-r.done)
		got := map[string]bool{}
		for range 3 {
			got[string(r.next().ID)] = true
		}
		require.Equal(t, map[string]bool{"1": true, "2": true, "3": true}, got)
	})
}

func TestTheOfferSatisfiesStrictClients(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.start("codex-mcp-client")
		r.send(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
		for _, tool := range r.result(1).Result["tools"].([]any) {
			tool := tool.(map[string]any)
			require.Equal(t, map[string]any{
				"title": tool["title"], "readOnlyHint": true, "destructiveHint": false, "idempotentHint": false, "openWorldHint": false,
			}, tool["annotations"])
			require.NotEmpty(t, tool["description"])
			require.Equal(t, "object", tool["inputSchema"].(map[string]any)["type"])
			require.Equal(t, "object", tool["outputSchema"].(map[string]any)["type"])
		}
	})
}

func TestBytesThatAreNoUTF8AreRefusedThroughTheLoop(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.start("mine")
		r.call(1, strings.Replace(single, "Which?", "a\xff", 1), "")
		got := r.result(1)
		require.True(t, got.failed())
		require.Contains(t, got.text(), "prompt is not valid UTF-8")
		require.Zero(t, r.opened)
	})
}

func TestTheModernProtocolIsServedToo(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.dashboard()
		r.run()
		meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{},"io.modelcontextprotocol/clientInfo":{"name":"claude-code","version":"3"}}`
		r.send(`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{%s}}`, meta)
		require.Contains(t, r.result(1).Result, "supportedVersions")
		r.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"provide_choice","arguments":{%s},%s}}`, single, meta)
		s := r.only()
		require.Equal(t, "claude-code", s.Origin.Client)
		r.answer(s.ID, "pg")
		require.Equal(t, "selected", r.result(2).structured()["action_status"])
	})
}

func FuzzLoop(f *testing.F) {
	f.Add("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}\n[]\n{}\nx")
	f.Add(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	f.Fuzz(func(t *testing.T, in string) {
		r := newRig(t)
		r.run(func(o *Options) { o.In, o.Out = strings.NewReader(in), io.Discard })
		select {
		case err := <-r.done:
			require.NoError(t, err)
		case <-time.After(10 * time.Second):
			require.Fail(t, "hangs")
		}
	})
}

func BenchmarkCallToResult(b *testing.B) {
	r := newRig(b)
	r.dashboard()
	go answerEverything(b, r)
	r.start("claude-code")
	b.ResetTimer()
	for i := 1; b.Loop(); i++ {
		r.call(i, single, "")
		if m := r.next(); m.structured()["action_status"] != "selected" {
			b.Fatalf("%+v", m)
		}
	}
	b.StopTimer()
	r.stop()
}

// answerEverything answers every question at once.
func answerEverything(b *testing.B, r *rig) {
	w, err := r.store.Watch(b.Context(), queue.AllNews)
	require.NoError(b, err)
	for {
		changes, err := w.Next(b.Context())
		if err != nil {
			return
		}
		for _, s := range changes.Sessions {
			if s.Pending() {
				r.q.Do(b.Context(), s.ID, queue.Command{ID: queue.NewToken(), By: queue.ByHuman, Do: queue.Settle{
					Answer: queue.Answer{Replies: []queue.Reply{{Question: "choice", Selected: []string{"pg"}}}},
				}})
			}
		}
	}
}

func TestTheThreadThatEveryCallNamesIsKnownOfWhoAsks(t *testing.T) {
	long, id := strings.Repeat("x", 129), "01a2017a-bb6a-72a0-bb17-6b852ad5abe2"
	for meta, want := range map[string]string{
		`{"threadId":"` + id + `","progressToken":1}`: id, `{"progressToken":1}`: "", `{"threadId":7}`: "",
		`{"threadId":""}`: "", `{"threadId":"-t %1"}`: "", `{"threadId":"` + long + `"}`: "",
	} {
		bubble(t, func(t *testing.T, r *rig) {
			r.start("codex-mcp-client")
			defer r.dashboard()()
			r.call(1, single, `,"_meta":`+meta)
			require.Equal(t, want, r.only().Origin.Thread, meta)
		})
	}
}
