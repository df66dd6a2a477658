package screen

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
)

// Pictures of the screens lie in docs/screens, drawn from the cells that the golden screens are read from, so that they
// show what the program shows: go test ./app/screen -update draws them anew.
var (
	picturesOf = []string{"one", "five", "hybrid", "form", "review", "confirm", "text", "diff", "over", "history",
		"settings", "stats", "help", "empty", "day"}
	pictureSizes = []string{"40x12", "80x24", "120x40", "200x60"}
)

// pictured reports whether a golden screen has a picture.
func pictured(name string) bool {
	at := strings.LastIndex(name, "-")
	return at > 0 && slices.Contains(picturesOf, name[:at]) && slices.Contains(pictureSizes, name[at+1:])
}

// drawn compares the screen's picture with docs/screens/NAME.svg.
func (b *bench) drawn(name string) {
	b.t.Helper()
	b.draw()
	cells, w, h := b.screen.GetContents()
	b.same(filepath.Join("docs", "screens", name+".svg"), string(svg(cells, w, h)))
}

// drawnAtSizes draws a screen that has no golden one.
func drawnAtSizes(t *testing.T, name string, set func(b *bench)) {
	for _, size := range pictureSizes {
		t.Run(size, func(t *testing.T) {
			var w, h int
			if _, err := fmt.Sscanf(size, "%dx%d", &w, &h); err != nil {
				t.Fatal(err)
			}
			b := newBench(t, w, h)
			set(b)
			b.drawn(name + "-" + size)
		})
	}
}

func TestPictureOfAQuestionWithSeveralMarks(t *testing.T) {
	drawnAtSizes(t, "multi", func(b *bench) {
		a := endpoints()
		q := &a.Questions[0]
		q.Mode, q.Min, q.Max, q.Options = queue.ModeMulti, 2, 3, q.Options[:5]
		b.ask(a, shop())
		b.calm()
		b.press("j", "space")
		b.clock.pass(time.Second)
	})
}

func TestPictureOfAnApproval(t *testing.T) {
	drawnAtSizes(t, "approval", func(b *bench) {
		b.ask(roomtest.ApproveCommand(), shop())
		b.clock.pass(time.Second)
		b.press("1")
		b.clock.pass(time.Second)
	})
}

func TestPictureOfAQuestionWhoseAgentIsGone(t *testing.T) {
	drawnAtSizes(t, "gone", func(b *bench) {
		b.askGone(database(), shop())
		b.ask(small("Deploy 2.4.1 to production?", 9), infra())
		b.press("J")
		b.clock.pass(time.Second)
	})
}

func TestPictureOfATimeThatRunsOut(t *testing.T) {
	drawnAtSizes(t, "urgent", func(b *bench) {
		b.ask(dropTable(), infra())
		b.ask(endpoints(), shop())
		b.clock.pass(53 * time.Second)
	})
}
