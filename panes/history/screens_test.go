package history

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
)

// golden compares the page with a golden screen: all but its lowest rule, which is the host's.
func (b *bench) golden(name string) {
	b.T.Helper()
	w, h := b.Size()
	raw, err := os.ReadFile(filepath.Join("..", "..", "testdata", "screens", fmt.Sprintf("%s-%dx%d.txt", name, w, h)))
	require.NoError(b.T, err)
	want := strings.Split(strings.TrimSuffix(string(raw), "\n"), "\n")
	require.Len(b.T, want, h)
	got := strings.Split(b.picture(), "\n")[:h-3]
	require.Equal(b.T, strings.Join(want[:h-3], "\n"), strings.Join(got, "\n"))
	require.Equal(b.T, strings.Join(want[h-2:], "\n"), strings.TrimSuffix(roomtest.Foot(b.Room, w), "\n"))
}

func atSizes(t *testing.T, name string, open func(b *bench)) {
	for _, s := range [][2]int{{30, 10}, {34, 12}, {40, 12}, {50, 20}, {60, 20}, {80, 24}, {120, 40}, {200, 60}} {
		t.Run(fmt.Sprintf("%dx%d", s[0], s[1]), func(t *testing.T) {
			b := newBench(t, s[0], s[1])
			open(b)
			b.golden(name)
		})
	}
}

func TestScreenHistory(t *testing.T) {
	atSizes(t, "history", func(b *bench) {
		b.yesterday()
		b.open()
	})
}

func TestScreenHistoryOfSeveralMachines(t *testing.T) {
	atSizes(t, "history-hosts", func(b *bench) {
		b.Queue.Host = "laptop"
		o := infra()
		o.Host = "devbox"
		b.yesterdayOf(o)
		b.open()
	})
}

func TestScreenHistoryNarrowed(t *testing.T) {
	atSizes(t, "history-found", func(b *bench) {
		b.yesterday()
		b.open()
		b.press("/")
		b.typeText("database?")
		b.press("enter")
	})
}

func TestScreenHistoryReadAllOfIt(t *testing.T) {
	atSizes(t, "history-read", func(b *bench) {
		b.yesterday()
		b.open()
		b.press("j", "j")
		b.drafted("k7f3m2qx", queue.Answer{Replies: []queue.Reply{{Question: "q1", Text: "ask the DBA first"}}})
		b.press("enter")
	})
}

func TestScreenHistoryEmpty(t *testing.T) {
	atSizes(t, "history-empty", func(b *bench) { b.open() })
}
