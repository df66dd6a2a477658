package http

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestALineComesOverHTTPWithTheNextResultOfItsOwnSession(t *testing.T) {
	w := newWeb(t)
	alpha, beta := w.agent("alpha"), w.agent("beta")
	for _, a := range []*agent{alpha, beta} {
		one := a.ask(1, "")
		w.answer(w.eventually(func(s queue.Session) bool { return claimed(s) && s.Pending() }).ID, "pg")
		require.NotContains(t, one.result(1).structured(), "messages")
	}
	var to queue.Origin
	require.Eventually(t, func() bool { // the result is sent before the question is put away
		page, _, err := w.store.History(t.Context(), "", 10, queue.Whole)
		require.NoError(t, err)
		for _, s := range page {
			if s.Origin.Client == "alpha" {
				to = s.Origin
			}
		}
		return to.Client != ""
	}, 20*time.Second, 5*time.Millisecond)
	line, err := w.q.Create(context.Background(), queue.NewMessage(to, "hello"))
	require.NoError(t, err)

	poll := toolCall(2, `"session_id":"zzzzzzzz"`, "")
	require.NotContains(t, beta.open(http.MethodPost, poll).result(2).structured(), "messages")
	got := alpha.open(http.MethodPost, poll).result(2)
	messages := got.structured()["messages"].([]any)
	require.Len(t, messages, 1)
	require.Equal(t, "hello", messages[0].(map[string]any)["text"])
	content := got.Result["content"].([]any)
	require.Len(t, content, 2)
	require.Contains(t, content[1].(map[string]any)["text"], "\n\nhello")
	require.Equal(t, queue.StatusDelivered, w.gone(line.ID).Status())
	require.NotContains(t, alpha.open(http.MethodPost, poll).result(2).structured(), "messages", "once")

	list := alpha.open(http.MethodPost, `{"jsonrpc":"2.0","id":3,"method":"tools/list"}`).result(3)
	for _, tool := range list.Result["tools"].([]any) {
		if tool := tool.(map[string]any); tool["name"] == "provide_choice" {
			c := jsonschema.NewCompiler()
			require.NoError(t, c.AddResource("schema.json", tool["outputSchema"]))
			schema, err := c.Compile("schema.json")
			require.NoError(t, err)
			require.NoError(t, schema.Validate(map[string]any(got.structured())))
		}
	}
}

func TestALineWhoseConnectionBrokeStays(t *testing.T) {
	w := newWeb(t)
	a := w.agent("alpha")
	first := a.ask(1, "")
	s := w.eventually(func(s queue.Session) bool { return claimed(s) && s.Pending() })
	line, err := w.q.Create(context.Background(), queue.NewMessage(s.Origin, "hello"))
	require.NoError(t, err)
	first.primed().cancel()
	w.eventually(released)
	w.answer(s.ID, "pg")
	now, err := w.store.Get(t.Context(), line.ID)
	require.NoError(t, err)
	require.True(t, now.Pending())
	require.Nil(t, now.Claim)
	got := a.open(http.MethodPost, toolCall(2, `"session_id":"`+s.ID+`"`, "")).result(2)
	require.Equal(t, "selected", got.structured()["action_status"])
	require.Len(t, got.structured()["messages"], 1)
}
