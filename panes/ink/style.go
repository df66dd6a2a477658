package ink

import (
	"hash/fnv"
	"strings"
	"time"

	"github.com/gdamore/tcell/v2"

	"github.com/choicetui/choicetui/queue"
)

// Style describes how cells are drawn.
type Style = tcell.Style

// Styles of the dashboard. Colours come from the terminal's own sixteen, so that they fit every palette, and are never
// the only signal. Each role has one style.
var (
	Plain = tcell.StyleDefault
	Bold  = tcell.StyleDefault.Bold(true) // headings and messages
	Dim   = tcell.StyleDefault.Dim(true)  // secondary text, such as paths and footer words

	Title  = Bold.Underline(true)               // the question's title, the strongest text on screen
	Label  = Bold                               // the label of an option
	Tab    = Title                              // the open tab: only the cursor's row and the button are reversed
	Button = Bold.Reverse(true)                 // the Enter line where the next Enter sends
	Star   = Bold                               // the sign of a recommended option
	Accent = Plain.Foreground(accent)           // the cursor while text is typed in its row
	Key    = Bold.Foreground(accent)            // a key in the foot, in the help and beside an offer
	Good   = Plain.Foreground(tcell.ColorGreen) // chosen, sent or added
	Danger = Plain.Foreground(tcell.ColorRed)   // lost, destroyed or removed
	Warn   = Danger.Bold(true)                  // a warning to be read before anything is sent
)

// accent marks only the cursor and the keys: cyan.
const accent = tcell.ColorTeal

// lastMinute is the time left from which on it is bold.
const lastMinute = time.Minute

// Time returns the style of a time left: plain, bold in the last minute, and from warn on the style of an alarm.
func Time(left, warn time.Duration) Style {
	switch {
	case left <= warn:
		return Warn.Reverse(true)
	case left <= lastMinute:
		return Bold
	}
	return Plain
}

// Hue is the colour of an agent's name, the same everywhere.
type Hue uint8

// hues lists the colours of agents' names, which have no other meaning.
var hues = [...]tcell.Color{tcell.ColorPurple, tcell.ColorFuchsia, tcell.ColorBlue}

// HueOf returns an agent's own colour, by its directory and client.
func HueOf(o queue.Origin) Hue { return HueNamed(o.Name()) }

// HueNamed returns the colour of an agent by its queue.Origin.Name.
func HueNamed(name string) Hue {
	h := fnv.New32()
	_, _ = h.Write([]byte(name))
	return Hue(h.Sum32() % uint32(len(hues)))
}

// Of returns the style with the colour.
func (h Hue) Of(style Style) Style { return style.Foreground(hues[int(h)%len(hues)]) }

// Within returns a text in a style, with the first occurrence of the name in the colour.
func (h Hue) Within(text, name string, style Style) Line {
	return Within(text, name, style, h.Of(style.Dim(false)))
}

// Within returns a text in a style, with the first occurrence of a part in another style.
func Within(text, part string, style, own Style) Line {
	before, after, found := strings.Cut(text, part)
	if !found || part == "" {
		return Line{{text, style}}
	}
	return Line{{before, style}, {part, own}, {after, style}}
}
