package screen

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestACopyInsideTmuxSaysWhatHappenedToIt(t *testing.T) {
	for name, c := range map[string]struct {
		asked bool
		err   error
		want  string
	}{
		"the terminal was asked": {true, nil, "copied: claude mcp add --scope user choicetui -- "},
		"only tmux has it":       {false, nil, "copied into tmux's buffer: prefix ]"},
		"neither":                {false, errors.New("no server running"), "not copied: no server running"},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, 80, 24)
			var got string
			b.o.Copy = func(_ context.Context, text string) (bool, error) {
				got = text
				return c.asked, c.err
			}
			b.press("c")
			b.calm()
			b.Key(event("1"))
			require.Contains(t, b.said(), "copying…", "tmux may take its time: nothing waits for it")
			b.settle()
			require.Contains(t, b.said(), c.want)
			require.Equal(t, b.o.Connect[0].Command, got)
		})
	}
}

func TestALateCopySaysNothingOverTheNextKeysWords(t *testing.T) {
	b := newBench(t, 80, 24)
	b.o.Copy = func(context.Context, string) (bool, error) { return true, nil }
	b.press("c")
	b.calm()
	b.Key(event("1"))
	b.clock.Pass(1)
	b.Key(event("l"))
	was := b.message.text
	b.settle()
	require.Equal(t, was, b.message.text)
}
