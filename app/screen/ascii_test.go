package screen

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/choicetui/choicetui/panes/ink"
)

func TestScreenWithoutUTF8HoldsOnlyASCII(t *testing.T) {
	atSizes(t, "ascii", func(b *bench) {
		b.look.glyphs = ink.ASCII
		five(b)
		b.press("n")
		b.write("only the managed offering")
		b.press("enter")
	})
	for name, set := range map[string]func(b *bench){
		"empty":    func(b *bench) {},
		"help":     func(b *bench) { b.press("?") },
		"settings": func(b *bench) { b.press("s") },
		"history":  func(b *bench) { yesterday(b); b.press("h", "enter") },
		"review": func(b *bench) {
			five(b)
			b.press("x")
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, 80, 24)
			b.look.glyphs = ink.ASCII
			set(b)
			picture := b.picture()
			for _, r := range picture {
				assert.Less(t, r, rune(0x80), "%q in\n%s", r, picture)
				if r >= 0x80 {
					break
				}
			}
		})
	}
}
