package portal

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// tells has the pages tell what an agent was doing. reads counts how often that was read.
func (b *bench) tells(lines ...say.BeforeLine) (reads *int) {
	reads = new(int)
	b.pages.o.Before = func(context.Context, queue.Session) (say.Before, error) {
		*reads++
		return say.Before{Where: "claude transcript", Lines: lines}, nil
	}
	return reads
}

func TestThePageShowsWhatTheAgentWasDoing(t *testing.T) {
	b := newBench(t)
	reads := b.tells(say.NewBeforeLine("<b>Payments</b> \x1b[2Jneed a store.", 0), say.NewBeforeLine("+one", '+'))
	c := b.open("/choice/" + b.ask(one(queue.ModeSingle, nil)).ID)
	c.shows("main", "Before this")
	require.Zero(t, *reads, "nothing is read before somebody wants it")
	c.presses("P")
	for _, text := range []string{"claude transcript", "&lt;b&gt;Payments&lt;/b&gt; &lt;U&#43;001B&gt;[2Jneed a store.",
		`<span class="add">&#43;one</span>`} {
		c.shows("panel", text)
	}
	c.presses("P")
	require.Empty(t, c.part("panel"))
	require.Equal(t, 1, *reads)
	require.NoError(t, b.settings.Update(func(s *config.Settings) { s.Peek = false }))
	b.owned(func() { b.d.SetSettings(b.settings.Settings()) })
	c.until(func(m message) bool { return !strings.Contains(m.Parts["main"], "Before this") })
}

func TestALinkToOneQuestionDoesNotShowWhatTheAgentWasDoing(t *testing.T) {
	b := newBench(t)
	reads := b.tells(say.NewBeforeLine("secret", 0))
	s := b.ask(one(queue.ModeSingle, nil))
	b.grant = Grant{Only: s.ID}
	c := b.open("/choice/" + s.ID)
	require.NotContains(t, c.part("main"), "Before this")
	c.presses("P")
	c.shows("status", "not by this link")
	require.Zero(t, *reads)
}
