package chat_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/app/desk"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/roomtest"
)

// screens compares the composer with the lower rows of the golden screens, at every size.
func screens(t *testing.T, name string, set func(*bench)) {
	for size, d := range map[string][2]int{"30x10": {30, 10}, "34x12": {34, 12}, "40x12": {40, 12}, "50x20": {50, 20},
		"60x20": {60, 20}, "80x24": {80, 24}, "120x40": {120, 40}, "200x60": {200, 60}} {
		t.Run(size, func(t *testing.T) {
			w, h := d[0], d[1]
			b := newBench(t, w, h)
			b.ways.at = map[string]desk.Reached{"claude-code": {Alive: true, Where: "2:1"}}
			b.answer(infra(), web(), shop())
			set(b)
			golden, err := os.ReadFile(filepath.Join("..", "..", "testdata", "screens", name+"-"+size+".txt"))
			require.NoError(t, err)
			want := strings.Split(string(golden), "\n")
			top := h - 2 - b.room.Rows(w, h)
			before, _, tee := strings.Cut(want[top], "┴")
			if tee {
				b.tee = ink.Width(before)
			}
			got := strings.Split(b.picture(), "\n")
			require.Equal(t, want[top:h-2], got[top:h-2])
			require.Equal(t, strings.Join(want[h-2:h], "\n")+"\n", roomtest.Foot(b.room, w))
		})
	}
}

const readme = "the README still says SQLite, please fix it in the same commit"

func TestTheScreenOfAnOpenComposer(t *testing.T) {
	screens(t, "chat-open", func(b *bench) { b.write(readme) })
}

func TestTheScreenOfAClosedComposer(t *testing.T) {
	screens(t, "chat-closed", func(b *bench) {
		b.write(readme)
		b.Ask(ask("Deploy 2.4.1 to production?", 42), infra())
		b.Ask(ask("Which endpoints get a rate limit?", 552), web())
		b.Pass(time.Second)
	})
}
