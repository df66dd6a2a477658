package portal

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

func TestAHintStandsAboveThePromptOnThePage(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	a := one(queue.ModeSingle, nil)
	a.Prompt = "[WIDEN-HINT] Ask the <b>team</b>\u202e.\nWe need a store."
	page := b.open("/choice/" + b.ask(a).ID)
	page.shows("main", `<p class="nudge">Ask the &lt;b&gt;team&lt;/b&gt;&lt;U&#43;202E&gt;.</p>`)
	require.NotContains(t, page.part("main"), "WIDEN-HINT")
}
