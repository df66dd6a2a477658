package screen

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// need has agents need the person in their own panes, and nobody else.
func (b *bench) need(notices ...queue.Presence) {
	b.t.Helper()
	b.desk.Take(queue.Changes{Presence: true}, append([]queue.Presence{{Instance: "bridge", Role: queue.RoleBridge}},
		notices...))
	b.settle()
}

func (b *bench) needing(o queue.Origin, says string, idle bool) queue.Presence {
	return queue.Presence{Instance: "n-" + says, Role: queue.RoleNotice, Origin: &o,
		Notice: &queue.Notice{Says: says, Idle: idle, At: b.now()}}
}

func TestScreenAgentsNeedThePersonInTheirPanes(t *testing.T) {
	atSizes(t, "needed", func(b *bench) {
		b.ask(database(), shop())
		b.clock.Pass(11 * time.Second)
		b.need(b.needing(web(), "Confirm Shell Command: make all", false),
			b.needing(infra(), "Claude is waiting for your input", true))
	})
	atSizes(t, "needed-alone", func(b *bench) {
		b.need(b.needing(web(), "Confirm Shell Command: make all", false),
			b.needing(infra(), "Claude is waiting for your input", true))
	})
}

func TestAnAgentThatNeedsThePersonIsNotCountedAmongWhatWaits(t *testing.T) {
	b := newBench(t, 80, 24)
	b.ask(database(), shop())
	b.need(b.needing(web(), "Claude needs your permission", false))
	require.Contains(t, b.picture(), "─ 1 waiting ─")
	require.Contains(t, b.picture(), "needs you in its own pane: Claude needs your permission")
	b.need()
	require.NotContains(t, b.picture(), "needs you")
}

func TestWhereThereIsNoRowTheRuleSaysWhoNeedsThePerson(t *testing.T) {
	b := newBench(t, 60, 12)
	b.ask(database(), shop())
	b.need(b.needing(web(), "Claude needs your permission", false))
	require.Contains(t, b.picture(), "─ 1 waiting · 1 needs you in its pane ─")
}

func TestPGoesToThePaneOfTheFirstAgentThatNeedsThePerson(t *testing.T) {
	var went []string
	b := newBenchWith(t, 80, 24, func(o *Options) {
		o.GoToPane = func(_ context.Context, o queue.Origin) error { went = append(went, o.Name()); return nil }
	})
	b.press("p")
	require.Contains(t, b.said(), "no agent needs you in its pane")
	shop, infra := shop(), infra()
	shop.PID, infra.PID = 7, 8
	b.need(b.needing(infra, "Claude is waiting for your input", true), b.needing(shop, "Claude needs you", false))
	b.press("p")
	require.Equal(t, []string{"shop · claude"}, went, "one that asks something comes before one that is idle")
	b.press("esc")
	require.NotContains(t, b.picture(), "needs you", "put away")
	b.press("p")
	require.Len(t, went, 1)
}

func TestTheStripOfWhoNeedsThePersonTakesTheFocus(t *testing.T) {
	var went []string
	b := newBenchWith(t, 80, 24, func(o *Options) {
		o.GoToPane = func(_ context.Context, o queue.Origin) error { went = append(went, o.Name()); return nil }
	})
	b.ask(database(), shop())
	other := infra()
	other.PID = 8
	b.need(b.needing(other, "Claude needs your permission", false))
	b.picture() // a key goes by what was drawn
	b.press("tab", "enter")
	require.Equal(t, []string{"infra · codex"}, went)
	require.Equal(t, "Which database?", b.title())
	_, pending := b.view.Pending()
	require.True(t, pending, "nothing was answered")
	b.press("x")
	require.NotContains(t, b.picture(), "needs you")
	_, pending = b.view.Pending()
	require.True(t, pending, "nothing was cancelled")
}
