package settings

import (
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/desk/deed"
)

// Foot says what the keys do. The explanation of a setting is on the page itself.
func (p *Page) Foot() panes.Foot {
	if p.s.field != nil {
		return p.valueFoot()
	}
	return panes.Foot{Line: say.Words(p.enterWords()), Hints: p.hints()}
}

// Foot returns the keys, and the explanation of the setting under the cursor, for which the area itself has no room.
func (a *Area) Foot() panes.Foot {
	if a.s.field != nil {
		return a.valueFoot()
	}
	words := a.enterWords()
	w, _ := a.s.host.Size()
	about := ink.Cut(a.row().About(), w-ink.Width(words)-3, a.s.host.Ink(nil).Glyphs.Ellipsis)
	return panes.Foot{Line: say.Words(words).Behind(say.Tail{about, ""}), Hints: a.hints()}
}

// valueFoot returns the foot while a value is typed: what Enter does, and which values are possible.
func (f shared) valueFoot() panes.Foot {
	line := say.Words(f.s.host.Ink(nil).Glyphs.Enter + " save").Behind(say.Tail{f.row().Range(), ""})
	return panes.Foot{Line: line, Hints: f.hints()}
}

// hints returns the keys of the settings, or of the value being typed.
func (f shared) hints() []keys.Hint { return panes.Hints(f.s.host.Keys(), f.Place(), f.rows) }

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
		return "the file is broken: " + m.KeyOf(keys.PlaceSettings, keys.ActEditFile) + " edits it"
	case row.Kind == config.HiddenOptions && len(s.hidden()) == 0:
		return m.KeyOf(keys.PlaceQuestion, deed.Hide) + " on an option hides it"
	case row.Kind == config.HiddenOptions:
		return enter + " shows them"
	}
	arrows := m.KeyFor(keys.PlaceSettings, deed.TabBack, 1) + m.KeyFor(keys.PlaceSettings, deed.TabNext, 1)
	return arrows + " change  " + enter + " type a value"
}
