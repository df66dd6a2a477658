package statistics

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue/desk"
)

// deskHost is a host with a view at a desk and no screen.
type deskHost struct {
	panes.Host
	view *desk.View
}

func (h deskHost) View() *desk.View { return h.view }

// BenchmarkStatisticsOf100000 is what counting 100,000 settled sessions on disk takes.
func BenchmarkStatisticsOf100000(b *testing.B) {
	q := roomtest.SettledSpool(b, 100_000)
	for b.Loop() {
		d := desk.New(desk.Options{Services: desk.Services{Queue: q, Settings: &roomtest.Settings{S: config.Default()}, Instance: "me"}})
		p := New(deskHost{view: d.View(desk.ViewOptions{})})
		p.all = true
		p.startCount()
		for !p.done {
			require.True(b, d.Work())
			d.Drain()
		}
		require.Equal(b, 100_000, p.stats.Asked)
	}
}
