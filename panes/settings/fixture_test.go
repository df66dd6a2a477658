package settings

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// bench is the settings on a real file, under a host whose keys, size and terminal a test may choose.
type bench struct {
	*roomtest.Bench
	*State
	t     *testing.T
	w     int // of the whole screen
	keys  action.Map
	lends bool
	focus bool // of the area
	left  bool // the focus was given back
}

func (b *bench) Keys() action.Map { return b.keys }
func (b *bench) Size() (w, h int) { return b.w, 24 }
func (b *bench) Lend(use func(context.Context)) bool {
	if b.lends {
		use(context.Background())
	}
	return b.lends
}

// newBench shows the settings in w by h cells, the two rows of the footer included. An empty text is no file.
func newBench(t *testing.T, w, h int, text string) *bench {
	t.Helper()
	path := filepath.Join(t.TempDir(), "choicetui", "config.json")
	if text != "" {
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	}
	return benchOn(t, w, h, config.Open(path))
}

func benchOn(t *testing.T, w, h int, file File) *bench {
	t.Helper()
	b := &bench{Bench: roomtest.New(t, w, h, nil), t: t, w: w, keys: action.Table, lends: true, focus: true}
	b.Desk.SetSettings(file.Settings())
	b.State = New(b, file, Options{Leave: func() { b.left = true }, Focused: func() bool { return b.focus }})
	return b
}

func (b *bench) press(names ...string) { b.t.Helper(); b.Press(b.Page, names...) }

func (b *bench) picture() string { return b.Picture(b.Page) }

// said returns the Enter line of the page, or what stands in its place.
func (b *bench) said() string {
	if b.Said != "" {
		return b.Said
	}
	return b.EnterLine(b.Page)
}

// line returns the line of a setting on the page.
func (b *bench) line(label string) string {
	for l := range strings.SplitSeq(b.picture(), "\n") {
		if strings.Contains(l, "  "+label+" ") || strings.Contains(l, "▸ "+label+" ") {
			return l
		}
	}
	return ""
}

// to moves the cursor to a setting.
func (b *bench) to(key string) {
	b.t.Helper()
	at := slices.IndexFunc(b.pageRows(), func(i int) bool { return config.Table[i].Key == key })
	if at < 0 {
		b.press("s")
		at = slices.IndexFunc(b.pageRows(), func(i int) bool { return config.Table[i].Key == key })
	}
	b.press(append([]string{"g"}, slices.Repeat([]string{"down"}, at)...)...)
	require.Equal(b.t, key, config.Table[b.cursor].Key)
}

// fileText returns what the file says.
func (b *bench) fileText() string {
	b.t.Helper()
	text, err := os.ReadFile(b.file.Path())
	require.NoError(b.t, err)
	return string(text)
}

// elsewhere has somebody else write the file.
func (b *bench) elsewhere(text string) {
	b.t.Helper()
	require.NoError(b.t, os.MkdirAll(filepath.Dir(b.file.Path()), 0o700))
	require.NoError(b.t, os.WriteFile(b.file.Path(), []byte(text), 0o600))
	b.file.(*config.File).Reload()
	b.Desk.SetSettings(b.file.Settings())
}

func ask() queue.Ask {
	options := []queue.Option{{ID: "pg", Label: "PostgreSQL"}, {ID: "lite", Label: "SQLite"}}
	return queue.Ask{Kind: queue.KindChoice, Title: "Which database?", Prompt: "For orders.", TimeoutSeconds: 300,
		OnTimeout: queue.OnTimeoutNone,
		Questions: []queue.Question{{ID: "q1", Mode: queue.ModeSingle, Min: 1, Max: 1, Options: options}}}
}
