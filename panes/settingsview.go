package panes

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/editor"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/reading"
	"github.com/choicetui/choicetui/panes/say"
)

// SettingsView is the settings as a page, or as an area beside a question.
type SettingsView struct {
	Values  map[string]json.RawMessage // in force, by key
	Sources map[string]string          // where a value comes from; none: the default
	Cursor  int                        // of config.Table, or of Listed
	Listed  []config.HiddenOption      // the list of hidden options, where InList
	InList  bool
	Focus   bool
	Problem string        // what is wrong with the file
	Note    string        // what the last change did: `saved · was 120 · u undo`
	Right   string        // of the page's rule: `1 waits 4:12`
	Field   *editor.Field // the value being typed
}

// SettingsRows is how many rows the area beside a question has, where there is room.
const SettingsRows = 8

// Draw draws the page into r, rule included.
func (v SettingsView) Draw(c ink.Canvas, r ink.Rect) {
	name := "settings"
	if v.InList {
		name = "settings · hidden options"
	}
	ink.DrawNamedRule(c, r.Row(0), name, v.Right)
	y := r.Y + 1
	for _, l := range v.problemLines(r) {
		c.Put(r.X, y, r.W-1, ink.Danger.Bold(true), l)
		y++
	}
	words, rows := v.explained(c, r)
	w := min(r.W, reading.ProseWidth) // a name and its value belong together
	list := ink.Rect{X: r.X, Y: y, W: w, H: max(r.Y+r.H-1-rows-y, 0)}
	above, below := v.drawRows(c, list)
	v.drawMiddle(c, r.Row(list.Y+list.H-r.Y), above, below)
	for n, l := range words {
		c.Put(r.X, r.Y+r.H-rows+n, r.W-1, ink.Plain, l)
	}
}

// DrawArea draws the area: its rule, and the rows below it.
func (v SettingsView) DrawArea(c ink.Canvas, rule, r ink.Rect, key string) {
	name := "settings"
	if key != "" {
		name += " " + c.Glyphs.Dot + " " + key
	}
	note := v.Note
	if v.Problem != "" {
		note = "! the file is wrong"
	}
	ink.DrawNamedRule(c, rule, name, fitParts(note, rule.W-ink.Width(name)-8))
	v.drawRows(c, r)
}

// DrawField draws the line in which a value is typed.
func (v SettingsView) DrawField(c ink.Canvas, r ink.Rect) {
	c.Fill(r, ink.Plain)
	used := c.Put(r.X, r.Y, r.W, ink.Bold, config.Table[v.Cursor].Label+": ")
	v.Field.Draw(c, ink.Rect{X: r.X + used, Y: r.Y, W: max(r.W-used, 1), H: 1})
}

// fitParts leaves out as many parts of `saved · was 120 · u undo` as do not fit, from the end.
func fitParts(note string, w int) string {
	for ink.Width(note) > w {
		at := strings.LastIndex(note, " · ")
		if at < 0 {
			break
		}
		note = note[:at]
	}
	return note
}

// drawMiddle draws the line between rows and explanation: what is out of sight and the last change, or the value
// being typed.
func (v SettingsView) drawMiddle(c ink.Canvas, r ink.Rect, above, below int) {
	if v.Field != nil {
		v.DrawField(c, r)
		return
	}
	left := ""
	if above > 0 {
		left = fmt.Sprintf("%s %d", c.Glyphs.Up, above)
	}
	if below > 0 {
		if left != "" {
			left += " "
		}
		left += fmt.Sprintf("%s %d", c.Glyphs.Down, below)
	}
	ink.DrawNamedRule(c, r, left, fitParts(v.Note, r.W-ink.Width(left)-8))
}

func (v SettingsView) problemLines(r ink.Rect) []string {
	if v.Problem == "" {
		return nil
	}
	lines := ink.Wrap("! "+say.OneLine(v.Problem), max(r.W-1, 1))
	if most := max(r.H/5, 1); len(lines) > most {
		rest := lines[most-1] + " " + lines[most]
		lines = append(lines[:most-1], ink.Cut(rest, r.W-1, "…"))
	}
	return lines
}

// drawRows draws the rows around the cursor and returns how many are above and below them.
func (v SettingsView) drawRows(c ink.Canvas, r ink.Rect) (above, below int) {
	n := len(config.Table)
	if v.InList {
		n = max(len(v.Listed), 1)
	}
	top := min(max(v.Cursor-r.H+1, 0), max(n-r.H, 0))
	if v.Cursor < n-1 && top < n-r.H && v.Cursor-top == r.H-1 && r.H > 2 {
		top++ // the row after the cursor is in sight
	}
	for row := range min(r.H, n-top) {
		v.drawRow(c, r.Row(row), top+row)
	}
	return top, max(n-top-r.H, 0)
}

func (v SettingsView) drawRow(c ink.Canvas, r ink.Rect, at int) {
	style := ink.Plain
	here := at == v.Cursor
	if here && v.Focus && v.Field == nil {
		style = style.Reverse(true)
		c.Fill(r, style)
	}
	if here && (v.Focus || v.InList) {
		c.Put(r.X, r.Y, 1, style, c.Glyphs.Cursor)
	}
	if v.InList {
		v.drawHidden(c, r, style, at)
		return
	}
	s := config.Table[at]
	value := v.value(c, s, r.W)
	x := c.PutRight(r.X, r.Y, r.W-1, style, ink.Cut(value, r.W-8, c.Glyphs.Ellipsis))
	c.Put(r.X+2, r.Y, x-r.X-3, style, ink.Cut(s.Label, x-r.X-3, c.Glyphs.Ellipsis))
}

// value is the value as the row ends with it.
func (v SettingsView) value(c ink.Canvas, s config.Row, w int) string {
	raw := v.Values[s.Key]
	text := SettingText(s, raw)
	switch {
	case s.Kind == config.HiddenOptions && text != "none" && w > 45:
		return text + " " + c.Glyphs.Dot + " " + c.Glyphs.Enter + " shows them"
	case !s.Typed():
		return text
	case text == "":
		text = s.Empty
	}
	value := text
	if s.Steps() {
		value = c.Glyphs.Left + " " + text + " " + c.Glyphs.Right
	}
	if units := inUnits(s, raw); units != "" && w > 45 {
		value = units + " " + value
	}
	return value
}

func (v SettingsView) drawHidden(c ink.Canvas, r ink.Rect, style ink.Style, at int) {
	if at >= len(v.Listed) {
		c.Put(r.X+2, r.Y, r.W-3, style, "no option is hidden")
		return
	}
	h := v.Listed[at]
	x := c.PutRight(r.X, r.Y, r.W-1, style, ink.Cut(say.OneLine(h.Client), r.W/2, c.Glyphs.Ellipsis))
	words := say.OneLine(h.Label)
	if h.ID != h.Label {
		words += " (" + say.OneLine(h.ID) + ")"
	}
	c.Put(r.X+2, r.Y, x-r.X-3, style, ink.Cut(words, x-r.X-3, c.Glyphs.Ellipsis))
}

// explained is what stands below the rows about the one under the cursor, and how many rows it has: the same for
// every setting, so that nothing moves with the cursor.
func (v SettingsView) explained(c ink.Canvas, r ink.Rect) (words []string, rows int) {
	w := max(min(r.W, reading.ProseWidth)-1, 1)
	if v.InList {
		return ink.Wrap("Left out of every ask of that client with this id and label.", w), 2
	}
	for _, s := range config.Table {
		rows = max(rows, len(ink.Wrap(s.About(), w))+1)
	}
	list := 3
	if r.H >= 12 {
		list = r.H / 2
	}
	rows = max(min(rows, r.H-2-list), 2)
	words = ink.Wrap(config.Table[v.Cursor].About(), w)
	if len(words) > rows-1 {
		words = append(words[:rows-2], ink.Cut(words[rows-2]+" "+words[rows-1], w, c.Glyphs.Ellipsis))
	}
	return append(words, ink.Cut(v.source(config.Table[v.Cursor], w), w, c.Glyphs.Ellipsis)), rows
}

// Explain is the setting under the cursor in one line, for the foot of the area.
func (v SettingsView) Explain() string { return config.Table[v.Cursor].About() }

// source says what the default is and where the value in force comes from.
func (v SettingsView) source(s config.Row, w int) string {
	def := SettingText(s, config.Default().Values()[s.Key])
	if def == "" {
		def = s.Empty
	}
	from := v.Sources[s.Key]
	if from == "" {
		return "The default, " + def
	}
	if long := "From " + from + " · default " + def; ink.Width(long) <= w {
		return long
	}
	from, _, _ = strings.Cut(from, " of ")
	return "From " + from + " · default " + def
}
