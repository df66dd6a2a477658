// Package panes defines the parts of the screen. A Room is one part, such as the question or the queue; each is in a
// folder below this one. A Host gives a room access to the program around it. Rooms know nothing of each other. They
// learn what happens from the events of the desk (queue/desk), which holds the pending questions; the view of a screen
// at the desk holds the form of the question on view.
//
//	key ─► action.Keyboard: key table ─► the room's Table ─► guard ─► Do ─► view, form, the room's own state
//	text being typed ─► Type, Paste ─► Field ─► Typed
//	Draw ◄─ the state; it changes nothing that a key reads later
package panes

import (
	"context"
	"fmt"
	"slices"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"

	"github.com/choicetui/choicetui/panes/editor"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// Room is a part of the screen with its own state, keys and drawing. tview draws it and gives it the focus. What no row
// of the key table takes goes into its Field: see Type and Paste.
type Room interface {
	tview.Primitive
	Place() action.Place  // the place of the key table in which its keys are looked up now
	Table() Table         // the actions that it binds
	Footer() Footer       // what Enter would do, and the keys of this place
	Field() *editor.Field // the field that is being typed into; nil: none
	Typed()               // tells it that the text in this field was changed
}

// NoField is the part of a Room in which nothing is typed.
type NoField struct{}

// Field returns nil.
func (NoField) Field() *editor.Field { return nil }

// Typed does nothing.
func (NoField) Typed() {}

// Type gives a key to the field of a room that is being typed into. Without such a field it does nothing.
func Type(r Room, ev *tcell.EventKey) {
	if field := r.Field(); field != nil {
		field.Key(ev)
		r.Typed()
	}
}

// Paste gives pasted text to the field of a room that is being typed into. Without such a field it does nothing.
func Paste(r Room, text string) {
	if field := r.Field(); field != nil {
		field.Paste(text)
		r.Typed()
	}
}

// Footer holds the words of the two lines at the bottom.
type Footer struct {
	Line  say.Line      // what Enter would do now, or why it does nothing
	Hints []action.Hint // the keys of this place, in order; see Hints
}

// Table lists the rows of a room: the actions that it has, each with what the room itself does for it, and with the
// words for it in the footer. A row without Do leaves the action to the question on view, or to the screen.
type Table []action.Row

// Row returns the row of an action, and whether there is one.
func (t Table) Row(a action.Name) (action.Row, bool) {
	at := slices.IndexFunc(t, func(r action.Row) bool { return r.Name == a })
	if at < 0 {
		return action.Row{}, false
	}
	return t[at], true
}

// Hints lists the keys of a place for the footer, with the words of a room's table.
func Hints(host Host, place action.Place, t Table) []action.Hint {
	return host.Keys().Hints(place, host.Question(), t.Row)
}

// Host gives a room access to the program around it. Keys, look and settings may change between two calls.
type Host interface {
	View() *desk.View
	Keys() action.Map
	Question() action.At             // the question on view, as the keyboard sees it
	Ink(tcell.Screen) ink.Canvas     // the canvas to draw on; with nil only its glyphs and theme are used
	Size() (w, h int)                // of the whole screen
	Open(page Room)                  // shows a page in place of question and queue, or of the open page
	Close()                          // closes the page; question and queue come back, and keys are refused for a moment
	Offer(line say.Line, do func())  // the next Enter calls do; every other key cancels that
	Choose(line say.Line, do func(), // like Offer, but others returns what a further key does; nil: it cancels
		others func(key string) func())
	Say(words string)                    // shows words for a while, or until the next key
	Waits() ink.Line                     // the pending questions, for a page's first row: `1 waits 4:12`; empty: none
	DrawLower(c ink.Canvas, r ink.Rect)  // draws a page's last row: the pending questions, or the last event
	Lend(use func(context.Context)) bool // lends the terminal to another program; false: not possible now
	Copy(text string)                    // copies into the person's clipboard, and says so
}

// Filter narrows a page of lines to those with some words. Found counts these lines, and Changed is called when the
// words have changed.
type Filter struct {
	Words   string // empty: all lines are shown
	Found   func() int
	Changed func()
	field   *editor.Field // the field of the words while they are being typed, else nil
}

// Field returns the field of the words while they are being typed.
func (f *Filter) Field() *editor.Field { return f.field }

// Typed narrows the page with every letter.
func (f *Filter) Typed() {
	if f.field != nil {
		f.Words = f.field.Text()
		f.Changed()
	}
}

// In returns the place of the page's keys, or that of the words while they are being typed.
func (f *Filter) In(page action.Place) action.Place {
	if f.field != nil {
		return action.PlaceFind
	}
	return page
}

// Rows binds the keys of the words, and the key that shows all lines again and then closes the page. when reports
// whether the footer offers the filter; nil: always.
func (f *Filter) Rows(when func(action.At) bool, closePage func()) Table {
	return Table{
		{Name: action.Find, Do: action.Just(func() { f.field = editor.OneLine(f.Words) }), Offered: when},
		{Name: action.Enter, Do: action.Just(func() { f.field = nil })},
		{Name: action.Back, Do: action.Just(func() { f.back(closePage) }), Now: action.Named(f.backWord)},
	}
}

func (f *Filter) back(closePage func()) {
	switch {
	case f.field != nil:
		f.field, f.Words = nil, ""
	case f.Words != "":
		f.Words = ""
		f.Changed()
	default:
		closePage()
	}
}

// backWord says what the key does that goes back.
func (f *Filter) backWord(action.Word) action.Word {
	if f.field != nil || f.Words != "" {
		return action.Word{Long: say.ShowAll, Short: say.ShowAllShort}
	}
	return action.Word{Long: "back"}
}

// Footer names the keys of a place, and how many lines match while the words are being typed.
func (f *Filter) Footer(host Host, place action.Place, rows Table) Footer {
	footer := Footer{Hints: Hints(host, place, rows)}
	if g := host.Ink(nil).Glyphs; f.field != nil {
		footer.Line = say.Words(g.Enter + " done " + g.Dot + " " + f.found())
	}
	return footer
}

func (f *Filter) found() string { return fmt.Sprintf("%d found", f.Found()) }

// Right returns the words for the right end of the page's first row: what it is narrowed to, or others.
func (f *Filter) Right(g ink.Glyphs, others ink.Line) ink.Line {
	if f.Words == "" || f.field != nil {
		return others
	}
	return ink.PlainLine("/" + say.OneLine(f.Words) + " " + g.Dot + " " + f.found())
}

// DrawField draws the field behind a label while the words are being typed, and reports whether they are.
func (f *Filter) DrawField(c ink.Canvas, row ink.Rect, label string) bool {
	if f.field != nil {
		f.field.DrawBehind(c, row, label)
	}
	return f.field != nil
}

// Scrolled returns the new first row of a list, or its cursor, after a motion; page is the number of rows it shows. The
// owner of the list keeps it in bounds.
func Scrolled(at int, a action.Name, page int) int {
	switch a {
	case action.Up:
		return at - 1
	case action.Down:
		return at + 1
	case action.PageUp:
		return at - page
	case action.PageDown:
		return at + page
	case action.First:
		return 0
	case action.Last:
		return 1 << 20
	}
	return at
}

// Window returns which lines of a page are on screen when it is scrolled to the line top: the first one, and how many.
// rows is the number of rows that the page has for them. If not all lines fit, the last row counts the others.
func Window(top, lines, rows int) (first, shown int) {
	if shown = lines; lines > rows {
		shown = max(rows-1, 1)
	}
	return min(max(top, 0), lines-shown), shown
}

// ScrollRow returns the row of a key that moves in a page. at returns the first line on screen, the number of lines by
// which a key for a page moves, and the last line that may be the first one on screen. to scrolls to a line, which may
// be out of these bounds.
func ScrollRow(a action.Name, at func() (top, page, last int), to func(top int)) action.Row {
	return action.Row{Name: a, Do: action.Just(func() { top, page, _ := at(); to(Scrolled(top, a, page)) }),
		Needs: action.Unless(func() string {
			top, page, last := at()
			return whyNotScrolled(top, Scrolled(top, a, page), last)
		})}
}

// ScrollRows returns the rows of all keys that move in a page, as ScrollRow does. below reports whether something is
// below what is on screen: the footer offers the key for a page then.
func ScrollRows(at func() (top, page, last int), to func(top int), below func() bool) (t Table) {
	for _, a := range []action.Name{action.Up, action.Down, action.PageUp, action.PageDown, action.First, action.Last} {
		row := ScrollRow(a, at, to)
		if a == action.PageDown {
			row.Offered = action.If(below)
		}
		t = append(t, row)
	}
	return t
}

// Reasons why a key that moves in a page has no effect.
const (
	AllOnScreen  = "everything is on screen"
	TheEnd       = "this is the end"
	TheBeginning = "this is the beginning"
)

// whyNotScrolled says why a motion in a list has no effect; empty: it has one. at is the first row on screen now, and
// to is the first row after the motion, as Scrolled returns it. last is the greatest number that the first row may
// have.
func whyNotScrolled(at, to, last int) string {
	to = min(max(to, 0), last)
	switch {
	case last == 0:
		return AllOnScreen
	case to != at:
		return ""
	case to == 0:
		return TheBeginning
	}
	return TheEnd
}
