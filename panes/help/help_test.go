package help

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// bench is the help, under a host whose keys a test may choose.
type bench struct {
	*roomtest.Bench
	*Page
	keys action.Map
}

func (b *bench) Keys() action.Map { return b.keys }
func (b *bench) Waits() ink.Line  { return ink.PlainLine("1 waiting 5:00") }

func newBench(t *testing.T, w, h int) *bench {
	b := &bench{Bench: roomtest.New(t, w, h, nil), keys: action.Table}
	b.Page = New(b, action.PlaceQuestion)
	b.picture()
	return b
}

func (b *bench) picture() string       { return b.Picture(b.Page) }
func (b *bench) press(names ...string) { b.Press(b.Page, names...) }

func TestHelpIsNarrowedWhileTypingAndEscShowsAllAgain(t *testing.T) {
	b := newBench(t, 80, 24)
	b.press("/")
	require.Equal(t, action.PlaceFind, b.Place())
	assert.Contains(t, b.picture(), "mark the recommended option", "all keys are listed")
	b.Write(b.Page, "q")
	assert.False(t, b.Closed, "a letter is text in the find line, not a key")
	b.Write(b.Page, "uit")
	assert.Contains(t, b.picture(), "saves drafts")
	assert.NotContains(t, b.picture(), "add a note to this option")
	assert.Contains(t, b.picture(), "/ filter the keys: quit")
	assert.Equal(t, "⏎ done · 2 found\nEsc show all again\n", roomtest.Footer(b.Page, 80))
	b.press("enter")
	assert.Contains(t, b.picture(), "/quit · 2 found")
	b.press("esc")
	assert.Contains(t, b.picture(), "add a note to this option", "the first Esc shows all again")
	assert.False(t, b.Closed)
	b.press("esc")
	assert.True(t, b.Closed, "the second leaves")
}

func TestTheKeysOfAPlaceTakeAtMostTwentyLines(t *testing.T) {
	for place := action.PlaceEmpty; place.String() != "an unnamed place"; place++ {
		b := newBench(t, 80, 24)
		b.Page = New(b, place)
		lines := strings.Split(strings.TrimRight(b.picture(), "\n"), "\n")[1:]
		assert.Equal(t, place.String(), lines[0])
		assert.LessOrEqual(t, len(lines), 20, place.String())
		assert.NotContains(t, b.picture(), "below")
		assert.NotContains(t, roomtest.Footer(b.Page, 80), "scroll")
	}
}

func TestTheKeyThatOpensTheListClosesIt(t *testing.T) {
	b := newBench(t, 80, 24)
	b.press("?")
	assert.True(t, b.Closed)
	b = newBench(t, 80, 24)
	b.press("/")
	b.Write(b.Page, "?")
	assert.False(t, b.Closed, "while words are typed it is a character")
}

func TestEscWhileTypingShowsAllAndPastedTextNarrowsToo(t *testing.T) {
	b := newBench(t, 80, 24)
	b.press("/")
	panes.Paste(b, "no such\nkey")
	assert.Contains(t, b.picture(), "no key matches these words")
	b.Field().SetText("note")
	b.Typed()
	assert.Contains(t, b.picture(), "add a note to this option")
	assert.NotContains(t, b.picture(), "mark or unmark")
	b.press("esc")
	assert.Contains(t, b.picture(), "mark or unmark")
	assert.Nil(t, b.Field())
	assert.False(t, b.Closed)
}

func TestTheListScrollsToItsEndAndBack(t *testing.T) {
	b := newBench(t, 60, 20)
	b.press("/", "enter")
	first := b.picture()
	b.press("down")
	assert.Regexp(t, ` ▼ \d+ lines below`, b.picture())
	b.press("G")
	end := b.picture()
	assert.NotContains(t, end, "▼")
	b.press("pgdn")
	assert.Equal(t, end, b.picture())
	b.press("up")
	assert.Contains(t, b.picture(), " ▼ 2 lines below", "one up from the end")
	b.press("g")
	assert.Equal(t, first, b.picture())
}

func TestTheListHasThePersonsOwnKeysAndThePlaceItWasOpenedFromFirst(t *testing.T) {
	b := newBench(t, 80, 24)
	b.keys, _ = action.New(map[string][]string{"note": {"N"}, "find": {"f2"}}, ink.Width)
	b.Page = New(b, action.PlaceSettings)
	assert.Equal(t, "the settings", strings.Split(b.picture(), "\n")[1])
	assert.Contains(t, roomtest.Footer(b.Page, 80), "F2 all keys")
	b.press("/", "enter")
	assert.Contains(t, roomtest.Footer(b.Page, 80), "F2 filter")
	b.Page = New(b, action.PlaceQuestion)
	assert.Contains(t, b.picture(), "  N              add a note to this option")
}
