package app

import (
	"strings"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/editor"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
)

// settingsPane is the settings on screen. The page and the area beside a question are two views of this one state.
type settingsPane struct {
	cursor  int // of config.Table
	listed  int // of the hidden options
	inList  bool
	field   *editor.Field // the value being typed; nil: none
	undo    []earlier     // what the changes made here have replaced, newest last
	note    string        // what the last change did
	problem string        // what is wrong with the file
	broken  bool          // the file cannot be read as a whole, so nothing here may change it
	sources map[string]string
	keys    string // what is wrong with the person's own keys
	area    bool   // the area was on screen at the last draw
}

// settingsPage is the settings over the whole screen.
type settingsPage struct{ d *Dashboard }

// openSettings brings the page up; from the area it keeps the cursor.
func (d *Dashboard) openSettings() {
	if _, open := d.page.(*settingsPage); open {
		return
	}
	d.open(&settingsPage{d})
}

func (p *settingsPage) place() keys.Place     { return p.d.settingsPlace() }
func (p *settingsPage) editor() *editor.Field { return p.d.set.field }
func (p *settingsPage) typed()                {}
func (p *settingsPage) foot() panes.FootView  { return p.d.settingsFoot() }

func (p *settingsPage) draw(c ink.Canvas, r ink.Rect) {
	v := p.d.settingsView(true)
	v.Right = p.d.waitsShort()
	v.Draw(c, r)
}

func (p *settingsPage) act(a keys.Action, _ string) { p.d.actSettings(a) }

func (d *Dashboard) settingsPlace() keys.Place {
	if d.set.field != nil {
		return keys.PlaceValue
	}
	return keys.PlaceSettings
}

// settingsView is what page and area draw.
func (d *Dashboard) settingsView(focus bool) panes.SettingsView {
	s := &d.set
	v := panes.SettingsView{Values: d.settings.Values(), Sources: s.sources, Cursor: s.cursor, Focus: focus,
		Problem: strings.Trim(s.problem+" · "+s.keys, " ·"), Note: s.note, Field: s.field}
	if s.inList {
		v.InList, v.Listed, v.Cursor = true, d.settings.HiddenOptions, s.listed
	}
	return v
}

// drawSettings draws the area beside a question, and the line of its field over the rule below.
func (d *Dashboard) drawSettings(c ink.Canvas, a panes.Areas) {
	if d.set.area = !a.Settings.Empty(); !d.set.area {
		return
	}
	focus := d.focus == areaSettings
	v := d.settingsView(focus)
	if !focus {
		v.Cursor = 0 // the first rows, as they were
	}
	rule := ink.Rect{X: a.Settings.X, Y: a.Settings.Y - 1, W: a.Settings.W, H: 1}
	v.DrawArea(c, rule, a.Settings, d.keys.KeyOf(keys.PlaceQuestion, keys.ActSettings))
	c.Put(a.Divider.X, rule.Y, 1, ink.Plain, c.Glyphs.TeeLeft)
	if focus && v.Field != nil {
		v.DrawField(c, a.Lower)
	}
}

// settingsFoot says what keys do in the settings.
func (d *Dashboard) settingsFoot() panes.FootView {
	s, g := &d.set, d.glyphs
	row := config.Table[s.cursor]
	if s.field != nil {
		v := panes.FootView{Line: g.Enter + " save", Keys: []keys.Hint{{Keys: d.keys.KeyOf(keys.PlaceValue, keys.ActBack), Word: "leaves it as it is", Short: "leave"}}}
		if row.Range() != "" {
			v.Tails = []ink.Tail{{row.Range(), ""}}
		}
		return v
	}
	v := panes.FootView{Line: d.settingsLine(row)}
	if d.page == nil {
		room := d.size.w - ink.Width(v.Line) - 3
		v.Tails = []ink.Tail{{ink.Cut(d.settingsView(true).Explain(), room, d.glyphs.Ellipsis), ""}}
	}
	v.Keys = d.keys.Hints(keys.PlaceSettings, func(b keys.Binding) keys.Word {
		switch {
		case b.Action == keys.ActChat, b.Action == keys.ActSettings && d.page != nil, b.Action == keys.ActUndo && len(s.undo) == 0,
			b.Action == keys.ActEditFile && s.inList:
			return keys.Word{}
		case b.Action == keys.ActSettings:
			return keys.Word{Long: "all of them"}
		}
		return b.Word()
	})
	back := keys.Hint{Action: keys.ActBack, Keys: d.keys.KeyOf(keys.PlaceSettings, keys.ActBack), Word: "back"}
	v.Keys = append(v.Keys[:max(len(v.Keys)-1, 0):max(len(v.Keys)-1, 0)], append([]keys.Hint{back}, v.Keys[max(len(v.Keys)-1, 0):]...)...)
	return v
}

// settingsLine says what the row's keys do.
func (d *Dashboard) settingsLine(row config.Row) string {
	enter, arrows := d.glyphs.Enter, d.keys.KeyOf(keys.PlaceSettings, keys.ActChangeBack)+d.keys.KeyOf(keys.PlaceSettings, keys.ActChange)
	edit := d.keys.KeyOf(keys.PlaceSettings, keys.ActEditFile)
	switch {
	case d.set.inList && len(d.settings.HiddenOptions) == 0:
		return ""
	case d.set.inList:
		return enter + " shows it again, from now on"
	case d.set.broken:
		return "the file is broken: " + edit + " edits it"
	case row.Kind == config.HiddenOptions && len(d.settings.HiddenOptions) == 0:
		return d.keys.KeyOf(keys.PlaceQuestion, keys.ActHide) + " on an option hides it"
	case row.Kind == config.HiddenOptions:
		return enter + " shows them"
	case !row.Typed():
		return enter + " edits the file"
	case !row.Steps():
		return enter + " type a value"
	}
	return arrows + " change  " + enter + " type a value"
}

// actSettings does what a key asks for in the settings, page or area.
func (d *Dashboard) actSettings(a keys.Action) {
	switch {
	case d.set.field != nil:
		d.actValue(a)
	case d.set.inList:
		d.actHiddenList(a)
	default:
		d.actRows(a)
	}
}

func (d *Dashboard) actRows(a keys.Action) {
	s := &d.set
	last := len(config.Table) - 1
	row := config.Table[s.cursor]
	switch a {
	case keys.ActUp, keys.ActDown, keys.ActFirst, keys.ActLast:
		s.cursor, s.note = moved(s.cursor, a, last), ""
	case keys.ActChange:
		d.stepSetting(row, 1)
	case keys.ActChangeBack:
		d.stepSetting(row, -1)
	case keys.ActEnter:
		d.enterSetting(row)
	case keys.ActUndo:
		d.undoSetting()
	case keys.ActEditFile:
		d.editSettings()
	case keys.ActBack:
		d.leaveSettings()
	}
}

// moved is where a cursor goes with a motion.
func moved(at int, a keys.Action, last int) int {
	switch a {
	case keys.ActUp:
		at--
	case keys.ActDown:
		at++
	case keys.ActFirst:
		at = 0
	case keys.ActLast:
		at = last
	}
	return min(max(at, 0), max(last, 0))
}

func (d *Dashboard) enterSetting(row config.Row) {
	switch {
	case row.Kind == config.HiddenOptions:
		d.set.inList, d.set.listed = true, 0
		d.openSettings() // the area has no room for a list
	case !row.Typed():
		d.editSettings()
	case d.mayChange():
		d.set.note = ""
		d.set.field = editor.OneLine(panes.SettingText(row, d.settings.Values()[row.Key]))
	}
}

// actValue ends typing a value: Enter takes it, or says what would be right and keeps it.
func (d *Dashboard) actValue(a keys.Action) {
	row := config.Table[d.set.cursor]
	switch a {
	case keys.ActBack:
		d.set.field = nil
	case keys.ActEnter:
		next := d.settings.Clone()
		if err := next.SetTyped(row.Key, d.set.field.Text()); err != nil {
			d.message = problemWords(err)
			return
		}
		d.set.field = nil
		d.changeSetting(row, next.Values()[row.Key])
	}
}

func (d *Dashboard) actHiddenList(a keys.Action) {
	s, list := &d.set, d.settings.HiddenOptions
	switch a {
	case keys.ActBack:
		s.inList = false
	case keys.ActUp, keys.ActDown, keys.ActFirst, keys.ActLast:
		s.listed = moved(s.listed, a, len(list)-1)
	case keys.ActUndo:
		d.undoSetting()
	case keys.ActEnter:
		if s.listed < len(list) && d.mayChange() {
			next := config.Settings{HiddenOptions: toggled(list, list[s.listed], true)}
			row := config.Table[s.cursor]
			d.changeSetting(row, next.Values()[row.Key])
			s.listed = min(s.listed, max(len(list)-2, 0))
		}
	}
}

// leaveSettings closes the page, or gives the focus back to the question.
func (d *Dashboard) leaveSettings() {
	d.set.note = ""
	if d.page != nil {
		d.close()
		return
	}
	d.focus = areaQuestion
}
