package settings

import (
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
)

// line is one line of the list: the heading of a group, or the setting or hidden option at an index.
type line struct {
	heading string
	at      int
}

// lines returns the lines of the list, and the index of the line with the cursor.
func (v view) lines() (list []line, cursor int) {
	n := len(v.rows)
	if v.inList {
		n = max(len(v.hidden), 1)
	}
	group := ""
	for at := range n {
		if v.grouped {
			if name := config.Table[v.rows[at]].Group; name != group {
				group = name
				list = append(list, line{heading: name})
			}
		}
		if at == v.cursor {
			cursor = len(list)
		}
		list = append(list, line{at: at})
	}
	return list, cursor
}

// drawRows draws the lines around the cursor, as many as fit, and returns how many are above and below them.
func (v view) drawRows(c ink.Canvas, r ink.Rect) (above, below int) {
	list, cursor := v.lines()
	n := len(list)
	top := min(max(cursor-r.H+1, 0), max(n-r.H, 0))
	if cursor < n-1 && top < n-r.H && cursor-top == r.H-1 && r.H > 2 {
		top++ // keeps the line after the cursor in sight
	}
	if top > 0 && top == cursor && list[top-1].heading != "" && r.H > 1 {
		top-- // keeps the heading of the first setting of a group in sight
	}
	for row := range min(r.H, n-top) {
		if l := list[top+row]; l.heading != "" {
			c.Put(r.X+1, r.Y+row, r.W-1, ink.Dim, l.heading)
		} else {
			v.drawRow(c, r.Row(row), l.at)
		}
	}
	return top, max(n-top-r.H, 0)
}

// labelWidth is the width of the column of labels on the page; the values begin behind it. On a page narrower than
// leastForColumn the values end at the right edge, as they do in the area.
const (
	labelWidth     = 26
	leastForColumn = 48
)

// drawRow draws the setting, or the hidden option, at an index.
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
	if v.grouped && r.W >= leastForColumn {
		x := r.X + 2 + labelWidth
		c.Put(r.X+2, r.Y, labelWidth-1, style, s.Label)
		c.Put(x, r.Y, r.W-1-x+r.X, style, ink.Cut(value, r.W-1-x+r.X, c.Glyphs.Ellipsis))
		return
	}
	x := c.PutRight(r.X, r.Y, r.W-1, style, ink.Cut(value, r.W-8, c.Glyphs.Ellipsis))
	c.Put(r.X+2, r.Y, x-r.X-3, style, ink.Cut(s.Label, x-r.X-3, c.Glyphs.Ellipsis))
}

// value returns the value at the end of a row.
func (v view) value(c ink.Canvas, s config.Row, w int) string {
	text := say.SettingValue(s, v.values[s.Key])
	switch {
	case s.Kind == config.HiddenOptions && text != "none" && w > 45:
		return text + " " + c.Glyphs.Dot + " " + c.Glyphs.Enter + " shows them"
	case s.Steps():
		return c.Glyphs.Left + " " + text + " " + c.Glyphs.Right
	}
	return text
}

// drawHidden draws the row of a hidden option, or says that there is none.
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
