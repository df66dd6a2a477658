package screen

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/choicetui/choicetui/panes/roomtest"
)

// README shows two pictures, in docs/screens. They are drawn from the cells of the screen, so that they show what the
// program shows: go test ./app/screen -update draws them again.
var picturesOf = []string{"one-80x24"}

// pictured reports whether a golden screen has a picture.
func pictured(name string) bool { return slices.Contains(picturesOf, name) }

// drawn compares the screen's picture with docs/screens/NAME.svg.
func (b *bench) drawn(name string) {
	b.t.Helper()
	b.draw()
	cells, w, h := b.screen.GetContents()
	b.same(filepath.Join("docs", "screens", name+".svg"), string(svg(cells, w, h)))
}

func TestPictureOfAnApproval(t *testing.T) {
	b := newBench(t, 80, 24)
	b.ask(roomtest.ApproveCommand(), shop())
	b.clock.Pass(time.Second)
	b.press("1")
	b.clock.Pass(time.Second)
	b.drawn("approval-80x24")
}
