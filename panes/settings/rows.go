package settings

import (
	"encoding/json"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
)

// drawRows draws the rows around the cursor and returns how many are above and below them.
func (v view) drawRows(c ink.Canvas, r ink.Rect) (above, below int) {
	n := len(v.rows)
	if v.inList {
		n = max(len(v.hidden), 1)
	}
	top := min(max(v.cursor-r.H+1, 0), max(n-r.H, 0))
	if v.cursor < n-1 && top < n-r.H && v.cursor-top == r.H-1 && r.H > 2 {
		top++ // keeps the row after the cursor in sight
	}
	for row := range min(r.H, n-top) {
		v.drawRow(c, r.Row(row), top+row)
	}
	return top, max(n-top-r.H, 0)
}

func (v view) drawRow(c ink.Canvas, r ink.Rect, at int) {
	style := ink.Plain
	here := at == v.cursor
	if here && v.focus && v.field == nil {
		c = c.Band(r)
	}
	if here && (v.focus || v.inList) {
		c.Put(r.X, r.Y, 1, style, c.Glyphs.Cursor)
	}
	if v.inList {
		v.drawHidden(c, r, style, at)
		return
	}
	s := config.Table[v.rows[at]]
	value := v.value(c, s, r.W)
	x := c.PutRight(r.X, r.Y, r.W-1, style, ink.Cut(value, r.W-8, c.Glyphs.Ellipsis))
	c.Put(r.X+2, r.Y, x-r.X-3, style, ink.Cut(s.Label, x-r.X-3, c.Glyphs.Ellipsis))
}

// value returns the value at the end of a row.
func (v view) value(c ink.Canvas, s config.Row, w int) string {
	raw := v.values[s.Key]
	text := valueText(s, raw)
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

func (v view) drawHidden(c ink.Canvas, r ink.Rect, style ink.Style, at int) {
	if at >= len(v.hidden) {
		c.Put(r.X+2, r.Y, r.W-3, style, "no option is hidden")
		return
	}
	h := v.hidden[at]
	x := c.PutRight(r.X, r.Y, r.W-1, style, ink.Cut(say.OneLine(h.Client), r.W/2, c.Glyphs.Ellipsis))
	words := say.OneLine(h.Label)
	if h.ID != h.Label {
		words += " (" + say.OneLine(h.ID) + ")"
	}
	c.Put(r.X+2, r.Y, x-r.X-3, style, ink.Cut(words, x-r.X-3, c.Glyphs.Ellipsis))
}

// valueText returns a setting's value for its row, safe to show.
func valueText(s config.Row, raw json.RawMessage) string { return say.OneLine(s.Text(raw)) }

// inUnits returns seconds as hours or minutes. It is empty if that is no shorter; see say.Units.
func inUnits(s config.Row, raw json.RawMessage) string {
	var n int
	if s.Kind != config.Seconds || json.Unmarshal(raw, &n) != nil {
		return ""
	}
	return say.Units(n)
}
