package mcpbridge

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// startAt shakes hands at a protocol version.
func (r *rig) startAt(version string) {
	r.run()
	r.send(`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"x","version":"9"}}}`, version)
	require.Equal(r.t, version, r.next().Result["protocolVersion"])
}

// batch is the next line, which has to be an array.
func (r *rig) batch() (all []said) {
	r.t.Helper()
	require.NoError(r.t, json.Unmarshal(<-r.out.lines, &all))
	return all
}

const askInBatch = `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"provide_choice","arguments":{` + single + `}}}`

func TestABatchIsAnsweredByOneArrayWhereTheVersionHasThem(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.dashboard()
		r.startAt("2025-03-26")
		r.send(`[{"jsonrpc":"2.0","method":"notifications/initialized"},{"jsonrpc":"2.0","id":7,"result":{}}]`)
		r.silent()
		r.send(`[`+askInBatch+`,{"jsonrpc":"2.0","id":"p","method":"ping"},{"jsonrpc":"2.0","method":"notifications/x"},`+
			strings.Replace(askInBatch, "Store", "Cache", 1)+`,{"jsonrpc":"2.0","id":4,"method":"initialize"},5]`, 1, 2)
		r.silent()
		r.send(`{"jsonrpc":"2.0","id":9,"method":"ping"}`)
		require.Equal(t, "9", string(r.next().ID), "a batch keeps nothing else waiting")
		for _, s := range r.live() {
			r.answer(s.ID, "pg")
		}
		got := map[string]said{}
		for _, m := range r.batch() {
			got[string(m.ID)] = m
		}
		require.Len(t, got, 5)
		for _, id := range []string{"1", "2"} {
			require.Equal(t, []any{"pg"}, got[id].selection()["selected_ids"])
		}
		require.Contains(t, got, `"p"`)
		require.Equal(t, "initialize must not be in a batch", got["4"].Error.Message)
		require.Equal(t, -32600, got["null"].Error.Code)
		require.Empty(t, r.live(), "both were delivered")
	})
}

func TestACallOfABatchCanBeCancelled(t *testing.T) {
	bubble(t, func(t *testing.T, r *rig) {
		r.dashboard()
		r.startAt("2025-03-26")
		r.send(`[`+askInBatch+`,{"jsonrpc":"2.0","id":2,"method":"ping"}]`, 1)
		r.cancelled(1, "no")
		all := r.batch()
		require.Len(t, all, 1)
		require.Equal(t, "2", string(all[0].ID))
		r.send(`[`+askInBatch+`,{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3}}]`, 3)
		r.silent()
		for _, s := range r.live() { // a call that is already in the queue is withdrawn
			require.Equal(t, queue.StatusCancelled, s.Status())
		}
	})
}

func TestWhatIsNoBatchIsRefusedAtOnce(t *testing.T) {
	for name, c := range map[string]struct {
		version, line string
		code          int
	}{
		"empty":           {"2025-03-26", `[]`, -32600},
		"no JSON":         {"2025-03-26", `[{"jsonrpc":`, -32700},
		"too long":        {"2025-03-26", `[` + strings.Repeat(`1,`, 100) + `1]`, -32600},
		"before it":       {"2024-11-05", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, -32600},
		"after it":        {"2025-06-18", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, -32600},
		"the newest ones": {"2025-11-25", `[{"jsonrpc":"2.0","id":1,"method":"ping"}]`, -32600},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(t *testing.T, r *rig) {
				r.startAt(c.version)
				r.send("%s", c.line)
				got := r.next()
				require.Equal(t, c.code, got.Error.Code)
				require.Equal(t, "null", string(got.ID))
			})
		})
	}
}
