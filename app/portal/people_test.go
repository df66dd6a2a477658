package portal

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestPageAndListSayForWhomAQuestionIsAndWhoAnswersIt(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.owned(func() { b.q.Person = "ben" })
	a := one(queue.ModeSingle, nil)
	a.Audience = []string{"ben"}
	s := b.ask(a)
	list, page := b.open("/"), b.open("/choice/"+s.ID)
	page.shows("main", `<p class="notice">For ben.</p>`)
	list.shows("main", " · for ben")

	require.NoError(t, b.q.Store.SaveDraft(t.Context(), queue.Draft{Session: s.ID, Instance: "anas-1", Person: "ana",
		At: time.Now()}))
	page.shows("main", `<p class="notice">ana is answering.</p>`)
	list.shows("main", " · for ben · ana is answering")
}
