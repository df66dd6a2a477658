package app

import (
	"fmt"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/editor"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
)

// helpPage is the key table, the place it was opened from first; `/` narrows it with every letter.
type helpPage struct {
	d       *Dashboard
	under   page // what comes back with Esc; nil: question or queue
	view    panes.HelpView
	finding *editor.Field // what narrows the list is being typed
}

func (p *helpPage) place() keys.Place {
	if p.finding != nil {
		return keys.PlaceFind
	}
	return keys.PlaceHelp
}

func (p *helpPage) editor() *editor.Field { return p.finding }

func (p *helpPage) typed() { p.view.Find, p.view.Top = p.finding.Text(), 0 }

func (p *helpPage) draw(c ink.Canvas, r ink.Rect) {
	p.view.Right = p.d.waitsShort()
	if p.view.Find != "" && p.finding == nil {
		p.view.Right = "/" + say.OneLine(p.view.Find) + " " + p.d.glyphs.Dot + " " + p.found()
	}
	if p.finding != nil {
		r.H--
		drawFind(c, r.Row(r.H), "/ narrow the keys: ", p.finding)
	}
	p.view.Top = p.view.Draw(c, r)
}

func (p *helpPage) found() string {
	_, n := p.view.Rows()
	return fmt.Sprintf("%d found", n)
}

// drawFind draws a line being typed over the lowest rule of a page.
func drawFind(c ink.Canvas, r ink.Rect, label string, e *editor.Field) {
	c.Fill(r, ink.Plain)
	used := c.Put(r.X, r.Y, r.W, ink.Bold, label)
	e.Draw(c, ink.Rect{X: r.X + used, Y: r.Y, W: max(r.W-used, 1), H: 1})
}

func (p *helpPage) foot() panes.FootView {
	d := p.d
	if p.finding != nil {
		return panes.FootView{Line: d.glyphs.Enter + " done " + d.glyphs.Dot + " " + p.found(),
			Keys: []keys.Hint{d.escHint(keys.PlaceFind, showAll, showAllShort)}}
	}
	back, short := "back", ""
	if p.view.Find != "" {
		back, short = showAll, showAllShort
	}
	return panes.FootView{Keys: []keys.Hint{d.escHint(keys.PlaceHelp, back, short),
		{Keys: d.keys.KeyOf(keys.PlaceHelp, keys.ActFind), Word: "find", Rank: 1},
		{Keys: d.scrollKeys(keys.PlaceHelp), Word: "scroll", Rank: 2}}}
}

func (p *helpPage) act(a keys.Action, _ string) {
	switch {
	case p.finding != nil:
		if p.finding = nil; a == keys.ActBack {
			p.view.Find = ""
		}
	case a == keys.ActFind:
		p.finding = editor.OneLine(p.view.Find)
	case a == keys.ActBack && p.view.Find != "":
		p.view.Find, p.view.Top = "", 0
	case a == keys.ActBack:
		if p.d.page = p.under; p.under == nil {
			p.d.close()
		}
	default:
		p.view.Top = scrolled(p.view.Top, a, max(p.d.size.h-4, 1))
	}
}
