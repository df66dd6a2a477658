package screen

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue/desk/action"
)

// inALine are the places with an open input line, and the keys that lead there from a question.
var inALine = map[string]struct {
	place action.Place
	keys  []string
}{
	"a note":             {action.PlaceTyping, []string{"n"}},
	"a comment":          {action.PlaceTyping, []string{"a"}},
	"a reason":           {action.PlaceReason, []string{"x"}},
	"more detail":        {action.PlaceReason, []string{"m"}},
	"the queue's":        {action.PlaceFind, []string{"tab", "/"}},
	"a value":            {action.PlaceValue, []string{"s", "j", "enter"}},
	"the history's":      {action.PlaceFind, []string{"h", "/"}},
	"the keys'":          {action.PlaceFind, []string{"?", "/"}},
	"why it has to wait": {action.PlaceTyping, []string{"w", "enter", "enter", "enter", "d", "t"}},
	"a line to an agent": {action.PlaceChat, []string{"i"}},
}

func TestCtrlCInAnInputLineDoesWhatEscDoesThere(t *testing.T) {
	for name, c := range inALine {
		t.Run(name, func(t *testing.T) {
			at := func(leave string) (*bench, *bool) {
				b := newTeamBench(t, 120, 40).bench
				b.o.Chat = &panesFake{}
				left := b.left()
				b.ask(database(), shop())
				b.ask(endpoints(), infra())
				for _, k := range c.keys {
					b.calm()
					b.press(k)
				}
				b.reached(c.place)
				b.calm()
				b.press("c", "a")
				b.calm()
				b.press(leave)
				return b, left
			}
			esc, _ := at("esc")
			b, left := at("ctrl+c")
			require.Equal(t, esc.picture(), b.picture())
			require.Equal(t, esc.room().Place(), b.room().Place())
			if b.room().Field() == nil {
				b.clock.Pass(100 * time.Millisecond)
				b.press("ctrl+c")
				require.False(t, *left, "somebody hammers it")
				require.Equal(t, "press ^C again to quit", b.said())
				b.clock.Pass(200 * time.Millisecond)
				b.press("ctrl+c")
				require.False(t, *left, "and goes on")
			}
			b.clock.Pass(250 * time.Millisecond)
			b.press("ctrl+c")
			require.True(t, *left)
		})
	}
}

// TestCtrlC_TwoReadLateEndTheScreen presses Ctrl-C twice behind much input: what counts is not how far apart they were
// read.
func TestCtrlC_TwoReadLateEndTheScreen(t *testing.T) {
	for name, c := range map[string]struct {
		apart time.Duration // when they were read
		late  time.Duration // how late each was carried out
		key   string        // another key between; empty: none
		ends  bool
	}{
		"together":                            {0, 0, "", true},
		"almost together":                     {19 * time.Millisecond, 0, "", true},
		"before the first was carried out":    {100 * time.Millisecond, 150 * time.Millisecond, "", true},
		"with text between":                   {100 * time.Millisecond, 0, "v", true},
		"hammered":                            {100 * time.Millisecond, 0, "", false},
		"hammered, on a machine that is busy": {100 * time.Millisecond, 90 * time.Millisecond, "", false},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, 80, 24)
			left := b.left()
			b.ask(database(), shop())
			b.calm()
			b.press("n")
			b.calm()
			b.press("text")
			first := b.now()
			for n := range 2 {
				at := first.Add(time.Duration(n) * c.apart)
				if n > 0 && c.key != "" {
					b.press(c.key)
				}
				b.clock.Pass(at.Add(c.late).Sub(b.now()))
				b.keyboard.takeKeyOf(event("ctrl+c"), at)
			}
			require.Equal(t, c.ends, *left)
		})
	}
}

func TestCtrlCOutsideAnInputLineQuitsAtOnce(t *testing.T) {
	b := newBench(t, 80, 24)
	left := b.left()
	b.ask(database(), shop())
	b.press("ctrl+c")
	require.True(t, *left)
}

// checkTwoStopsEnd presses random keys at random times, and then Ctrl-C twice: that ends the screen, wherever the keys
// have led.
func checkTwoStopsEnd(t *testing.T, seed uint64) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 1))
	b := newTeamBench(t, 30+random.IntN(100), 6+random.IntN(40)).bench
	b.o.Chat = &panesFake{}
	left := b.left()
	b.ask(database(), shop())
	b.ask(endpoints(), infra())
	named := []string{"enter", "esc", "tab", "up", "down", "left", "right", "ctrl+g", "ctrl+j", "ctrl+l", "ctrl+u", "space"}
	pressed := []string{}
	for range random.IntN(40) {
		key := string(rune(' ' + random.IntN(95)))
		if random.IntN(3) == 0 {
			key = named[random.IntN(len(named))]
		}
		pressed = append(pressed, key)
		b.clock.Pass(time.Duration(random.IntN(700)) * time.Millisecond)
		b.press(key)
	}
	b.clock.Pass(1100 * time.Millisecond)
	b.press("ctrl+c")
	b.clock.Pass(time.Duration(250+random.IntN(700)) * time.Millisecond)
	b.press("ctrl+c")
	require.True(t, *left, "seed %d, after %q:\n%s", seed, pressed, b.picture())
}

func TestCtrlC_TwiceEndsTheScreenAfterAnyKeys(t *testing.T) {
	seed := rand.Uint64()
	for i := range uint64(60) {
		checkTwoStopsEnd(t, seed+i)
	}
}

func FuzzCtrlC_TwiceEndsTheScreenAfterAnyKeys(f *testing.F) {
	f.Add(uint64(1))
	f.Fuzz(checkTwoStopsEnd)
}
