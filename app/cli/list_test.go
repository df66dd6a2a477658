package cli

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

func TestListsSayUntilWhenAQuestionIsSetAside(t *testing.T) {
	t.Parallel()
	q := queue.New(storetest.NewMemory())
	s := storetest.Create(t, q.Store)
	s, err := q.Do(t.Context(), s.ID, queue.Command{By: queue.ByHuman, Do: queue.Later{}})
	require.NoError(t, err)
	now := time.Now()
	waiting := queue.WaitingOrder([]queue.Session{s}, func(string) bool { return true }, "", now)

	var out bytes.Buffer
	require.NoError(t, listJSON(&out, waiting, now))
	var all []map[string]any
	require.NoError(t, json.Unmarshal(out.Bytes(), &all))
	require.Equal(t, s.LaterUntil.Format(time.RFC3339Nano), all[0]["later_until"])

	out.Reset()
	require.NoError(t, listTable(&out, waiting, "", now))
	require.Contains(t, out.String(), "later "+s.LaterUntil.Local().Format("15:04"))

	out.Reset()
	require.NoError(t, printSession(&out, s))
	require.Contains(t, out.String(), `"later_until"`)
	require.Contains(t, out.String(), `"kind": "set_aside"`)

	out.Reset()
	require.NoError(t, listJSON(&out, waiting, s.LaterUntil.Add(time.Second)))
	require.NotContains(t, out.String(), "later_until", "it is back")
}
