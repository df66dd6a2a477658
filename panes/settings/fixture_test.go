package settings

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
)

// bench is the settings on a real file, under a host whose keys, size and terminal a test may choose.
type bench struct {
	*roomtest.Bench
	*State
	t     *testing.T
	w     int // of the whole screen
	keys  keys.Map
	lends bool
	focus bool // of the area
	left  bool // the focus was given back
}

func (b *bench) Keys() keys.Map   { return b.keys }
func (b *bench) Size() (w, h int) { return b.w, 24 }
func (b *bench) Lend(use func(context.Context)) bool {
	if b.lends {
		use(context.Background())
	}
	return b.lends
}

// newBench shows the settings in w by h cells, the two rows of the foot included. An empty text is no file.
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
	b := &bench{Bench: roomtest.New(t, w, h, nil), t: t, w: w, keys: keys.Table, lends: true, focus: true}
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
	at := slices.IndexFunc(config.Table, func(r config.Row) bool { return r.Key == key })
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

// golden returns a screen of the whole program.
func golden(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile("../../testdata/screens/" + name + ".txt")
	require.NoError(t, err)
	return string(text)
}

var sizes = [][2]int{{30, 10}, {34, 12}, {40, 12}, {50, 20}, {60, 20}, {80, 24}, {120, 40}, {200, 60}}

func atSizes(t *testing.T, name, text string, set func(b *bench)) {
	for _, s := range sizes {
		t.Run(fmt.Sprintf("%dx%d", s[0], s[1]), func(t *testing.T) {
			b := newBench(t, s[0], s[1], text)
			set(b)
			require.Equal(t, golden(t, fmt.Sprintf("%s-%dx%d", name, s[0], s[1])), b.Whole(b.Page))
		})
	}
}

func TestThePageStandsAsOnTheGoldenScreens(t *testing.T) {
	hidden := `[{"client": "a", "id": "b", "label": "c"}, {"client": "a", "id": "d", "label": "e"}]`
	atSizes(t, "settings", "{\n  \"timeout_seconds\": 120,\n  \"hidden_options\": "+hidden+"\n}\n", func(b *bench) {
		b.Ask(ask(), queue.Origin{Client: "claude-code"})
		b.Pass(48 * time.Second)
		b.press("j", "right", "right", "right", "left", "enter")
		b.field.SetText("300")
		b.press("enter")
	})
	atSizes(t, "settings-broken", "{\n  \"theme\": \"dark\",\n}\n", func(*bench) {})
}

func TestTheAreaStandsAsOnTheGoldenScreens(t *testing.T) {
	for _, size := range [][2]int{{100, 30}, {120, 40}, {200, 60}} {
		name := fmt.Sprintf("settings-area-%dx%d", size[0], size[1])
		want := strings.Split(strings.TrimSuffix(golden(t, name), "\n"), "\n")
		y := slices.IndexFunc(want, func(l string) bool { return strings.Contains(l, "─ settings · s all ─") })
		w := ink.Width(want[y][:strings.Index(want[y], "┤")])
		b := newBench(t, w, 1+Rows+2, "")
		b.w = size[0]
		b.Press(b.Area, "j", "right")
		for i, l := range strings.Split(strings.TrimSuffix(b.Picture(b.Area), "\n"), "\n") {
			left, _, _ := strings.Cut(want[y+i], "│")
			left, _, _ = strings.Cut(left, "┤")
			require.Equal(t, strings.TrimRight(left, " "), l, name)
		}
		require.Equal(t, strings.Join(want[len(want)-2:], "\n")+"\n", roomtest.Foot(b.Area, b.w), name)
	}
}
