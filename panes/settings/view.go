package settings

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

// view holds what page and area draw.
type view struct {
	values  map[string]json.RawMessage // the present values, by key
	sources map[string]source          // the line in the file of each value that is not the default
	rows    []int                      // the listed settings, as indices of config.Table
	cursor  int                        // the index in rows, or in hidden
	hidden  []config.HiddenOption      // the list of hidden options, if inList is set
	inList  bool
	page    bool // the settings are on the page, where values have a column
	focus   bool
	problem string        // the problem of the file, or of the person's own keys
	note    []string      // the result of the last change, in parts: `saved`, `was 120`, `u undo`
	right   ink.Line      // the words at the right end of the page's first row: `1 waits 4:12`
	field   *editor.Field // the value being typed
}

// draw draws the page into r, with the line at its top.
func (v view) draw(c ink.Canvas, r ink.Rect) {
	name := "settings"
	if v.inList {
		name = "settings · hidden options"
	}
	ink.DrawDivider(c, r.Row(0), ink.PlainLine(name), v.right)
	y := r.Y + 1
	for _, l := range v.problemLines(r) {
		c.Put(r.X, y, r.W-1, ink.Warn, l)
		y++
	}
	words, rows := v.explanation(c, r)
	w := min(r.W, reading.ProseWidth) // with a wider gap the eye would lose the row from name to value
	list := ink.Rect{X: r.X, Y: y, W: w, H: max(r.Y+r.H-1-rows-y, 0)}
	above, below := v.drawRows(c, list)
	v.drawMiddle(c, r.Row(list.Y+list.H-r.Y), above, below)
	for n, l := range words {
		c.Put(r.X, r.Y+r.H-rows+n, r.W-1, ink.Plain, l)
	}
}

// drawArea draws the area: the line above it with the key for all settings, and its rows.
func (v view) drawArea(c ink.Canvas, rule, r ink.Rect, key string) {
	name := "settings"
	if key != "" {
		name += " " + c.Glyphs.Dot + " " + key + " more"
	}
	note := v.note
	if v.problem != "" {
		note = []string{"! the file has a mistake"}
	}
	ink.DrawNamedDivider(c, rule, name, fitParts(note, rule.W-ink.Width(name)-8))
	v.drawRows(c, r)
}

// drawField draws the line in which a value is typed.
func (v view) drawField(c ink.Canvas, r ink.Rect) {
	c.Fill(r, ink.Plain)
	used := c.Put(r.X, r.Y, r.W, ink.Bold, v.row().Label+": ")
	v.field.Draw(c, ink.Rect{X: r.X + used, Y: r.Y, W: max(r.W-used, 1), H: 1})
}

// fitParts joins parts: `saved · was 120 · u undo`. Parts that do not fit are left out, from the end.
func fitParts(parts []string, w int) string {
	words := strings.Join(parts, " · ")
	for n := len(parts) - 1; n > 0 && ink.Width(words) > w; n-- {
		words = strings.Join(parts[:n], " · ")
	}
	return words
}

// drawMiddle draws the line between the rows and the explanation. It counts the rows that are not on screen, and shows
// the last change or where the value comes from. While a value is typed it shows that instead.
func (v view) drawMiddle(c ink.Canvas, r ink.Rect, above, below int) {
	if v.field != nil {
		v.drawField(c, r)
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
	right := fitParts(v.note, r.W-ink.Width(left)-8)
	if right == "" && !v.inList {
		right = v.origin(r.W - ink.Width(left) - 8)
	}
	ink.DrawNamedDivider(c, r, left, right)
}

// problemLines returns the problem of the file in lines, at most a fifth of the rows.
func (v view) problemLines(r ink.Rect) []string {
	if v.problem == "" {
		return nil
	}
	lines := ink.Wrap("! "+say.OneLine(v.problem), max(r.W-1, 1))
	if most := max(r.H/5, 1); len(lines) > most {
		rest := lines[most-1] + " " + lines[most]
		lines = append(lines[:most-1], ink.Cut(rest, r.W-1, "…"))
	}
	return lines
}

// explanation returns the explanation of the setting under the cursor and the number of rows for it, which is the same
// for every setting, so that nothing moves with the cursor.
func (v view) explanation(c ink.Canvas, r ink.Rect) (words []string, rows int) {
	w := max(min(r.W, reading.ProseWidth)-1, 1)
	if v.inList {
		return ink.Wrap("Hidden in every question of that agent, by id and label.", w), 1
	}
	for _, at := range v.rows {
		rows = max(rows, len(ink.Wrap(config.Table[at].About(), w)))
	}
	listRows := 3 // the list keeps at least these
	if r.H >= 12 {
		listRows = r.H / 2
	}
	rows = max(min(rows, r.H-2-listRows), 1)
	words = ink.Wrap(v.row().About(), w)
	if len(words) > rows {
		words = append(words[:rows-1], ink.Cut(words[rows-1]+" "+words[rows], w, c.Glyphs.Ellipsis))
	}
	return words, rows
}

// row returns the setting under the cursor.
func (v view) row() config.Row { return config.Table[v.rows[v.cursor]] }

// origin returns the setting's key, the line of its value in the file, and its default, in as many words as fit w
// cells.
func (v view) origin(w int) string {
	s := v.row()
	from, set := v.sources[s.Key]
	if !set {
		return ink.Longest([]string{s.Key + " · default", s.Key, ""}, w)
	}
	where := fmt.Sprintf("line %d of %s", from.line, from.file)
	def := "default " + settingValue(s, config.Default().Values()[s.Key])
	return ink.Longest([]string{s.Key + " · " + where + " · " + def, where + " · " + def, where, ""}, w)
}
