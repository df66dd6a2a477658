package settings

import (
	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"
	"strings"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/editor"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// shared holds what the page and the area have in common. Each of them is a panes.Room.
type shared struct {
	*tview.Box
	s     *State
	rows  panes.Table
	shown func() []int // returns the settings that have a row here, as indices of config.Table
	lists bool         // the room can list the hidden options too
}

// Page shows the settings over the whole screen.
type Page struct{ shared }

// Area shows the settings beside a question.
type Area struct{ shared }

// Rows is the number of rows of the area, without the line above them.
const Rows = 4

// newPage returns the page, with the settings of the first group until the person wants more.
func newPage(s *State) *Page {
	t := s.table(differences{
		shown: s.pageRows,
		page:  true,
		leave: s.host.Close,
		settings: action.Row{Name: action.Settings, Do: action.Just(s.showMore), Now: action.Named(s.moreWord),
			Offered: action.If(func() bool { return !s.inList })},
	})
	return &Page{shared{Box: tview.NewBox(), s: s, rows: t, shown: s.pageRows, lists: true}}
}

// newArea returns the area, with the few settings of areaRows.
func newArea(s *State) *Area {
	t := s.table(differences{
		shown: s.areaRows,
		leave: s.o.Leave,
		settings: action.Row{Name: action.Settings,
			Now: action.Says("all settings", "")},
	})
	for i := range t {
		t[i] = s.bindInArea(t[i])
	}
	return &Area{shared{Box: tview.NewBox(), s: s, rows: t, shown: s.areaRows}}
}

// row returns the setting under the cursor.
func (f shared) row() config.Row {
	rows := f.shown()
	return config.Table[rows[f.s.positionIn(rows)]]
}

// Place returns the place of the settings, or of a value being typed.
func (f shared) Place() action.Place {
	if f.s.field != nil {
		return action.PlaceValue
	}
	return action.PlaceSettings
}

// Table binds the keys of both places.
func (f shared) Table() panes.Table { return f.rows }

// Field returns the field for a value; nil: none is open.
func (f shared) Field() *editor.Field { return f.s.field }

// Typed does nothing: a value counts only with Enter.
func (f shared) Typed() {}

// Draw draws the page, with the line at its top.
func (p *Page) Draw(screen tcell.Screen) {
	const focus = true // an open page has it
	v := p.s.view(focus, p.shown())
	v.right, v.page = p.s.host.Waits(), !v.inList
	v.draw(p.s.host.Ink(screen), rect(p.Box))
}

// Draw draws the area: a line with words in the first row, and the settings below it.
func (a *Area) Draw(screen tcell.Screen) {
	r := rect(a.Box)
	if r.H < 2 {
		return
	}
	v := a.s.view(a.focused(), a.shown())
	v.inList = false
	if !v.focus {
		v.cursor = 0 // without the focus the first rows are shown
	}
	key := a.s.host.Keys().KeyOf(action.PlaceQuestion, action.Settings)
	v.drawArea(a.s.host.Ink(screen), r.Row(0), ink.Rect{X: r.X, Y: r.Y + 1, W: r.W, H: r.H - 1}, key)
}

// DrawField draws the value that is typed in the area into lower, the row below question and area, because the area is
// too narrow for it. If no value is typed, it draws nothing.
func (a *Area) DrawField(c ink.Canvas, lower ink.Rect) {
	if focus := a.focused(); focus && a.s.field != nil {
		a.s.view(focus, a.shown()).drawField(c, lower)
	}
}

// focused reports whether the area has the focus.
func (a *Area) focused() bool {
	if a.s.o.Focused != nil {
		return a.s.o.Focused()
	}
	return a.HasFocus()
}

func rect(b *tview.Box) ink.Rect {
	x, y, w, h := b.GetRect()
	return ink.Rect{X: x, Y: y, W: w, H: h}
}

// Footer says what the keys do. The explanation of a setting is on the page itself.
func (p *Page) Footer() panes.Footer {
	if p.s.field != nil {
		return p.valueFooter()
	}
	return panes.Footer{Line: say.Words(p.enterWords()), Hints: p.hints()}
}

// Footer returns the keys, and the explanation of the setting under the cursor, for which the area itself has no room.
func (a *Area) Footer() panes.Footer {
	if a.s.field != nil {
		return a.valueFooter()
	}
	words := a.enterWords()
	w, _ := a.s.host.Size()
	about := ink.Cut(a.row().About(), w-ink.Width(words)-3, a.s.host.Ink(nil).Glyphs.Ellipsis)
	return panes.Footer{Line: say.Words(words).Behind(say.Tail{about, ""}), Hints: a.hints()}
}

// valueFooter returns the footer while a value is typed: what Enter does, and which values are possible.
func (f shared) valueFooter() panes.Footer {
	line := say.Words(f.s.host.Ink(nil).Glyphs.Enter + " save")
	if allowed := strings.TrimSuffix(f.row().Range(), "."); allowed != "" {
		line = line.Behind(say.Tail{"allowed: " + strings.ToLower(allowed[:1]) + allowed[1:], ""})
	}
	return panes.Footer{Line: line, Hints: f.hints()}
}

// hints returns the keys of the settings, or of the value being typed.
func (f shared) hints() []action.Hint { return panes.Hints(f.s.host, f.Place(), f.rows) }

// enterWords says which keys change the setting under the cursor.
func (f shared) enterWords() string {
	s, m := f.s, f.s.host.Keys()
	enter := s.host.Ink(nil).Glyphs.Enter
	row, inList := f.row(), s.inList && f.lists
	switch {
	case inList && len(s.hidden()) == 0:
		return ""
	case inList:
		return enter + " show it again in future questions"
	case s.broken:
		return "the file is invalid: " + m.KeyOf(action.PlaceSettings, action.EditFile) + " to edit"
	case row.Kind == config.HiddenOptions && len(s.hidden()) == 0:
		return m.KeyOf(action.PlaceQuestion, action.Hide) + " on an option hides it"
	case row.Kind == config.HiddenOptions:
		return enter + " shows them"
	}
	arrows := m.KeyFor(action.PlaceSettings, action.TabBack, 1) + m.KeyFor(action.PlaceSettings, action.TabNext, 1)
	return arrows + " change  " + enter + " type a value"
}
