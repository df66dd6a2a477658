package screen

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/stretchr/testify/require"
)

// goldenSizes are the sizes of the golden screens. At 200x60 there is one of each kind of screen.
var (
	goldenSizes = []string{"40x12", "80x24", "120x40"}
	goldenWide  = []string{"five", "form", "confirm", "markdown-full", "day", "history", "settings", "chat-open",
		"team-review", "peek", "peek-page", "wide"}
)

// isGolden reports whether there is a golden screen NAME-SIZE.
func isGolden(name string) bool {
	at := strings.LastIndex(name, "-")
	kind, size := name[:at], name[at+1:]
	return slices.Contains(goldenSizes, size) || size == "200x60" && slices.Contains(goldenWide, kind)
}

// golden compares the screen with testdata/screens/NAME.txt. The keys that it names, beside the button and in the last
// row, are in one file for all screens, so that another key or another word for one changes one file. At sizes without
// a golden screen it only draws.
func (b *bench) golden(name string) {
	b.t.Helper()
	picture, named := b.withoutKeys()
	require.NotEmpty(b.t, strings.TrimSpace(picture))
	if !isGolden(name) {
		return
	}
	b.same(filepath.Join("testdata", "screens", name+".txt"), picture)
	b.sameKeys(name, named)
	if pictured(name) {
		b.drawn(name)
	}
}

// withoutKeys divides the screen into its picture and the keys that it names.
func (b *bench) withoutKeys() (picture, named string) {
	rows := strings.Split(strings.TrimSuffix(b.picture(), "\n"), "\n")
	last := len(rows) - 1
	named = rows[last]
	rows[last] = ""
	if at := b.frame.buttonRect(); !at.Empty() {
		row := []rune(rows[at.Y])
		button := string(row[at.X:min(at.X+at.W, len(row))])
		if words, keys, beside := strings.Cut(button, "   "); beside && strings.TrimSpace(keys) != "" {
			kept := string(row[:at.X]) + words + strings.Repeat(" ", len([]rune(button))-len([]rune(words))) +
				string(row[min(at.X+at.W, len(row)):])
			rows[at.Y], named = strings.TrimRight(kept, " "), strings.TrimSpace(keys)+"\n"+named
		}
	}
	return strings.Join(rows, "\n") + "\n", named
}

// keysFile has the keys that each golden screen names: its name, and the rows below it.
const keysFile = "../../testdata/screens/keys.txt"

var goldenKeys struct {
	sync.Mutex
	of map[string]string // by the name of the screen; nil: not read yet
}

// sameKeys compares the keys that a golden screen names, or with -update writes them.
func (b *bench) sameKeys(name, named string) {
	b.t.Helper()
	goldenKeys.Lock()
	defer goldenKeys.Unlock()
	if goldenKeys.of == nil {
		goldenKeys.of = map[string]string{}
		raw, err := os.ReadFile(keysFile)
		if !*update {
			require.NoError(b.t, err, "go test ./app/screen -update writes it")
		}
		for one := range strings.SplitSeq(strings.TrimSuffix(string(raw), "\n"), "\n\n") {
			if screen, rows, found := strings.Cut(one, "\n"); found {
				goldenKeys.of[screen] = rows
			}
		}
	}
	if *update && goldenKeys.of[name] != named {
		goldenKeys.of[name] = named
		var all []string
		for _, screen := range slices.Sorted(maps.Keys(goldenKeys.of)) {
			all = append(all, screen+"\n"+goldenKeys.of[screen])
		}
		require.NoError(b.t, os.WriteFile(keysFile, []byte(strings.Join(all, "\n\n")+"\n"), 0o644))
	}
	require.Equal(b.t, goldenKeys.of[name], named)
}
