package portal

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/app/notify"
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

// heard records the notifications, with the setting for them.
type heard struct {
	notify.Watch
	mu   sync.Mutex
	told []string
}

func (h *heard) Tell(asked, ending []queue.Session, n config.Notify, _ func(queue.Origin) string, _ time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, s := range asked {
		h.told = append(h.told, fmt.Sprintf("asked %s by %s", s.Ask.Title, n.Desktop))
	}
	for _, s := range ending {
		h.told = append(h.told, fmt.Sprintf("ending %s by %s", s.Ask.Title, n.Desktop))
	}
}

func (h *heard) so(t *testing.T, want ...string) {
	t.Helper()
	told := func() string {
		h.mu.Lock()
		defer h.mu.Unlock()
		return fmt.Sprint(h.told)
	}
	if !assert.Eventually(t, func() bool { return fmt.Sprint(want) == told() }, patience, 5*time.Millisecond) {
		t.Fatalf("want %q, told %s", want, told())
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.told = nil
}

// toldBench returns a bench with notifications, and with a question that was pending before.
func toldBench(t *testing.T) (*bench, *heard) {
	b, h := newBench(t), &heard{}
	b.ask(asking("before", question("q1", queue.ModeSingle)))
	b.stop()
	b.wait(time.Second)
	require.NoError(t, b.settings.Update(func(c *config.Settings) { c.Notify.Desktop = "tell" }))
	b.alerts = h
	b.start()
	return b, h
}

func TestAPortalTellsAPersonWhoUsesNoPageOfWhatIsNew(t *testing.T) {
	t.Parallel()
	b, h := toldBench(t)
	s := b.ask(asking("new", question("q1", queue.ModeSingle)))
	h.so(t, "asked new by tell")
	page := b.open("/choice/" + s.ID)
	page.presses("j")
	b.ask(asking("seen", question("q1", queue.ModeSingle)))
	b.wait(time.Minute)
	b.ask(asking("away again", question("q1", queue.ModeSingle)))
	h.so(t, "asked away again by tell")
}

func TestAPortalTellsOfATimeThatIsNearlyUp(t *testing.T) {
	t.Parallel()
	b, h := toldBench(t)
	require.NoError(t, b.settings.Update(func(c *config.Settings) { c.Notify.WarnSeconds = 20 }))
	b.owned(func() { b.d.SetSettings(b.settings.Settings()) })
	s := b.ask(asking("new", question("q1", queue.ModeSingle)))
	h.so(t, "asked new by tell")
	b.elsewhere(s.ID, queue.Move{To: b.q.Now().Add(21 * time.Second)})
	h.so(t, "ending new by tell")
}

func TestAPortalLeavesTheCommandToADashboardAndItsOwnPagesAreNone(t *testing.T) {
	t.Parallel()
	b, h := toldBench(t)
	_, err := b.store.Announce(t.Context(), queue.Presence{Instance: desk.PagesInstance(b.instance), Role: queue.RoleDashboard})
	require.NoError(t, err)
	b.ask(asking("one", question("q1", queue.ModeSingle)))
	h.so(t, "asked one by tell")
	_, err = b.store.Announce(t.Context(), queue.Presence{Instance: "zz", Role: queue.RoleDashboard})
	require.NoError(t, err)
	require.Eventually(t, func() (known bool) {
		b.owned(func() { known = b.d.Alive("zz") })
		return known
	}, patience, 5*time.Millisecond)
	b.ask(asking("two", question("q1", queue.ModeSingle)))
	h.so(t, "asked two by off")
}
