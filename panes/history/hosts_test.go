package history

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
)

// asked returns the line of a picture that says who asked.
func asked(picture string) string {
	for l := range strings.Lines(picture) {
		if strings.HasPrefix(l, "Asked ") {
			return strings.TrimSpace(l)
		}
	}
	return ""
}

func TestARowNamesTheMachineWhereItIsAnother(t *testing.T) {
	for _, w := range []int{80, 120} {
		b := newBench(t, w, 30)
		b.Queue.Host = "laptop"
		here, there := shop(), infra()
		here.Host, there.Host = "laptop", "build\u202e-7"
		b.past(2*time.Hour, small("Which port?", 300), here, time.Second, queue.Settle{Answer: chose("pg")}, true)
		b.past(time.Hour, small("Which region?", 300), there, time.Second, queue.Settle{Answer: chose("pg")}, true)
		b.Calm()
		b.open()
		rows := strings.Split(b.picture(), "\n")
		require.Contains(t, rows[2], "Which region?")
		require.Contains(t, rows[2], "infra on build<")
		require.Contains(t, asked(b.picture()), "(main) on build<U+202E>-7")
		require.NotContains(t, rows[3], " on ")
		b.press("j")
		require.NotContains(t, asked(b.picture()), "laptop", "in the preview; the whole of it says where, too")
		b.press("enter")
		require.Contains(t, asked(b.picture()), " on laptop")
	}
}

func TestAWordFindsTheMachine(t *testing.T) {
	for _, word := range []string{"DevBox", "@devbox"} { // the second as in the list of what waits
		b := newBench(t, 80, 24)
		b.Queue.Host = "laptop"
		o := infra()
		o.Host = "devbox"
		b.yesterdayOf(o)
		b.open()
		b.press("/")
		b.typeText(word)
		require.Contains(t, b.picture(), "2 found")
	}
}
