// Package panes defines the parts of the screen. A Room is one part, such as the question or the queue; each is in a
// folder below this one. A Host gives a room access to the program around it. Rooms know nothing of each other. They
// learn what happens from the events of the desk (queue/desk), which holds the pending questions; the seat of a screen
// at the desk holds the form of the question on view.
//
//	key ─► screen: key table ─► guard ─► the room's Table ─► Do ─► seat, form, the room's own state
//	text being typed ─► Type, Paste ─► Field ─► Typed
//	Draw ◄─ the state; it changes nothing that a key reads later
package panes

import (
	"context"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"

	"github.com/choicetui/choicetui/panes/editor"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/deed"
)

// Room is a part of the screen with its own state, keys and drawing. tview draws it and gives it the focus. What no row
// of the key table takes goes into its Field: see Type and Paste.
type Room interface {
	tview.Primitive
	Place() keys.Place    // the place of the key table in which its keys are looked up now
	Table() Table         // the actions that it binds
	Foot() Foot           // what Enter would do, and the keys of this place
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

// Foot holds the words of the two lines at the bottom.
type Foot struct {
	Line  say.Line    // what Enter would do now, or why it does nothing
	Hints []keys.Hint // the keys of this place, in order; see Hints
}

// Row binds one action of the key table to what a room does for it. All fields but Action may be nil. WhyNot changes
// nothing and can be called at any time. If it returns "", Do can fail only because of the store, the form or another
// program. The foot may offer a key that WhyNot refuses: pressing it tells the person what is missing.
type Row struct {
	Action keys.Action
	Do     func(key string)          // carries out the action; nil: the screen does what the action does in every place
	Deed   bool                      // the row of this action in package deed carries it out, and Do is nil
	When   func() bool               // reports whether the foot shows the key now; nil: always
	Word   func(keys.Word) keys.Word // the words in the foot for what the key does now; nil: those of the key table
	Hint   func(keys.Hint) keys.Hint // in place of Word, if more than the words of the key changes

	// Effect says what the key would do now, for the guard. nil: in the places that the key table lists as Acts, Enter
	// sends and every other key marks.
	Effect func() desk.Effect

	// WhyNot says why the action has no effect now; empty: it has one. key is the key that was pressed; empty stands
	// for any key of the action.
	WhyNot func(key string) string
}

// Refuse says why a key that was pressed has no effect now; empty: Do is to be called.
func (r Row) Refuse(key string) string {
	if r.WhyNot == nil {
		return ""
	}
	return r.WhyNot(key)
}

// deciding lists the places in which something important is decided. There the guard refuses keys for a moment, however
// the place came on screen.
var deciding = []keys.Place{keys.PlaceApproval, keys.PlaceConfirm, keys.PlaceReview, keys.PlaceHeld, keys.PlaceLetter,
	keys.PlaceTeamChoice, keys.PlaceTeamReview, keys.PlaceRound}

// Press describes a key for the guard: the key of a binding, pressed in a place.
func (r Row) Press(b keys.Binding, place keys.Place, key string) desk.Press {
	p := desk.Press{Key: keys.Written(key), Letter: IsLetter(key), Decides: slices.Contains(deciding, place)}
	switch {
	case place == keys.PlaceReason && b.Action == deed.Enter && r.Effect != nil: // the line of a refusal
		p.Effect, p.Decides = r.Effect(), true
	case !b.ActsIn(place), place == keys.PlaceSettings:
	case r.Effect != nil:
		p.Effect = r.Effect()
	case b.Action == deed.Enter:
		p.Effect = desk.Sending
	default:
		p.Effect = desk.Marking
	}
	return p
}

// IsLetter reports whether a key types a single character, so that it may be part of a sentence.
func IsLetter(key string) bool { return utf8.RuneCountInString(key) == 1 || key == "space" }

// Because returns the WhyNot of an action whose keys all mean the same.
func Because(why func() string) func(string) string { return func(string) string { return why() } }

// Table lists a room's bindings, one row an action.
type Table []Row

// Row returns the row of an action, and whether there is one.
func (t Table) Row(a keys.Action) (Row, bool) {
	at := slices.IndexFunc(t, func(r Row) bool { return r.Action == a })
	if at < 0 {
		return Row{}, false
	}
	return t[at], true
}

// Hints lists the keys of a place for the foot: in the order of the key table, with the words of a room's table, and
// without the keys that the table does not offer now. An unbound key is left out.
func Hints(m keys.Map, place keys.Place, t Table) []keys.Hint {
	return m.Hints(place, func(h keys.Hint) keys.Hint {
		row, _ := t.Row(h.Action)
		switch {
		case row.When != nil && !row.When():
			return keys.Hint{}
		case row.Hint != nil:
			return row.Hint(h)
		case row.Word != nil:
			return h.Say(row.Word(keys.Word{Long: h.Word, Short: h.Short}))
		}
		return h
	})
}

// Says returns a Row.Word that always has the same words; short may be empty.
func Says(long, short string) func(keys.Word) keys.Word {
	return func(keys.Word) keys.Word { return keys.Word{Long: long, Short: short} }
}

// Host gives a room access to the program around it. Keys, look and settings may change between two calls.
type Host interface {
	Seat() *desk.Seat
	Keys() keys.Map
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
func (f *Filter) In(page keys.Place) keys.Place {
	if f.field != nil {
		return keys.PlaceFind
	}
	return page
}

// Rows binds the keys of the words, and the key that shows all lines again and then closes the page. when reports
// whether the foot offers the filter; nil: always.
func (f *Filter) Rows(when func() bool, closePage func()) Table {
	return Table{
		{Action: deed.Find, Do: func(string) { f.field = editor.OneLine(f.Words) }, When: when},
		{Action: deed.Enter, Do: func(string) { f.field = nil }},
		{Action: deed.Back, Do: func(string) { f.back(closePage) }, Word: f.backWord},
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
func (f *Filter) backWord(keys.Word) keys.Word {
	if f.field != nil || f.Words != "" {
		return keys.Word{Long: say.ShowAll, Short: say.ShowAllShort}
	}
	return keys.Word{Long: "back"}
}

// Foot names the keys of a place, and how many lines match while the words are being typed.
func (f *Filter) Foot(host Host, place keys.Place, rows Table) Foot {
	foot := Foot{Hints: Hints(host.Keys(), place, rows)}
	if g := host.Ink(nil).Glyphs; f.field != nil {
		foot.Line = say.Words(g.Enter + " done " + g.Dot + " " + f.found())
	}
	return foot
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
func Scrolled(at int, a keys.Action, page int) int {
	switch a {
	case deed.Up:
		return at - 1
	case deed.Down:
		return at + 1
	case keys.ActPageUp:
		return at - page
	case keys.ActPageDown:
		return at + page
	case deed.First:
		return 0
	case deed.Last:
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
func ScrollRow(a keys.Action, at func() (top, page, last int), to func(top int)) Row {
	return Row{Action: a, Do: func(string) { top, page, _ := at(); to(Scrolled(top, a, page)) },
		WhyNot: Because(func() string {
			top, page, last := at()
			return whyNotScrolled(top, Scrolled(top, a, page), last)
		})}
}

// ScrollRows returns the rows of all keys that move in a page, as ScrollRow does. below reports whether something is
// below what is on screen: the foot offers the key for a page then.
func ScrollRows(at func() (top, page, last int), to func(top int), below func() bool) (t Table) {
	for _, a := range []keys.Action{deed.Up, deed.Down, keys.ActPageUp, keys.ActPageDown, deed.First, deed.Last} {
		row := ScrollRow(a, at, to)
		if a == keys.ActPageDown {
			row.When = below
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
