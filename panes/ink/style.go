package ink

import (
	"slices"
	"strings"
	"sync"
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
	Key    = Bold.Foreground(accent)            // a key in the footer, in the help and beside an offer
	Good   = Plain.Foreground(tcell.ColorGreen) // chosen, sent or added
	Danger = Plain.Foreground(tcell.ColorRed)   // lost, destroyed or removed
	Warn   = Danger.Bold(true)                  // a warning to be read before anything is sent
)

// accent marks only the cursor and the keys: cyan.
const accent = tcell.ColorTeal

// lastMinute is the time left from which on a question's time is bold.
const lastMinute = time.Minute

// Time returns the style of a question's time left: plain, bold in the last minute, and as a warning if at most warn is
// left.
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

// hues lists placeholders for the colours of agents' names. Theme.Of replaces each by a colour of the theme; nothing
// else has these colours.
var hues = [...]tcell.Color{tcell.NewRGBColor(0, 0, 1), tcell.NewRGBColor(0, 0, 2), tcell.NewRGBColor(0, 0, 3),
	tcell.NewRGBColor(0, 0, 4), tcell.NewRGBColor(0, 0, 5), tcell.NewRGBColor(0, 0, 6)}

// appeared holds the agents that have a colour, in the order in which they were first drawn. It never has more names
// than there are colours.
var appeared struct {
	sync.Mutex
	names []string
}

// ForgetAgents gives all colours to the agents that appear from now on. A new screen calls it.
func ForgetAgents() {
	appeared.Lock()
	defer appeared.Unlock()
	appeared.names = nil
}

// HueOf returns an agent's colour, by its directory and client.
func HueOf(o queue.Origin) Hue { return HueNamed(o.Name()) }

// HueNamed returns the colour of an agent by its queue.Origin.Name. The first agents to appear get one each; the others
// have none.
func HueNamed(name string) Hue {
	appeared.Lock()
	defer appeared.Unlock()
	if at := slices.Index(appeared.names, name); at >= 0 {
		return Hue(at)
	}
	if len(appeared.names) < len(hues) {
		appeared.names = append(appeared.names, name)
		return Hue(len(appeared.names) - 1)
	}
	return Hue(len(hues))
}

// Of returns a style with the colour of the agent's name.
func (h Hue) Of(style Style) Style {
	if int(h) >= len(hues) {
		return style
	}
	return style.Foreground(hues[h])
}

// Within returns a text in a style, with the first occurrence of the agent's name in its colour.
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
