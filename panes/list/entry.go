package list

import (
	"strings"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// entry is one row of the queue.
type entry struct {
	queue.Waiting
	name   string // the agent's name, made distinct
	unseen bool
	draft  bool
	where  string // where it is attached
	done   string // how far a form of several questions is
}

// approve stands before the title of an approval.
const approve = "approve?"

func (e entry) title() string {
	title := say.OneLine(e.Ask.Title)
	if e.Ask.Kind == queue.KindApproval {
		title = approve + " " + title
	}
	if e.done != "" {
		title += " · " + e.done
	}
	return title
}

// style is dim where nobody is in a hurry.
func (e entry) style() ink.Style {
	if e.Standing != queue.StandingOpen {
		return ink.Dim
	}
	return ink.Plain
}

// names are the ways to say whose question it is and why it hurries nobody, longest first: the name goes before the
// reason does.
func (e entry) names() []string {
	dir := e.Origin.Dir()
	if dir == "" {
		dir = e.name
	}
	long, short := say.Standing(e.Waiting, e.where)
	if long == "" {
		return []string{e.name, dir}
	}
	return []string{e.name + " · " + long, e.name + " · " + short, dir + " · " + short, short}
}

// who is the longest of names that fits w cells, else the shortest.
func (e entry) who(w int) string { return ink.Longest(e.names(), w) }

// named is what who or inStrip say, with the agent in its colour; what hurries nobody stays dim.
func (e entry) named(words string, style ink.Style) ink.Line {
	for _, name := range []string{e.name, e.Origin.Dir()} {
		if cut := strings.TrimRight(words, ".…"); !strings.HasPrefix(words, name) && strings.HasPrefix(name, cut) {
			name = words
		}
		if name != "" && strings.HasPrefix(words, name) {
			return ink.HueOf(e.Origin).Within(words, name, style)
		}
	}
	return ink.Line{{Text: words, Style: style}}
}

// inStrip is what stands right of the title in a row of w cells, of which the title leaves so many.
func (e entry) inStrip(w, left int) string {
	names := e.names()
	switch {
	case w >= 70:
		return ink.Longest(names, w/3)
	case e.Standing == queue.StandingOpen:
		return names[1]
	}
	return ink.Longest(names[2:], min(w/3, left))
}

// drawTitle draws the title; that it is an approval is bold also once it was seen, and is the last thing to be cut.
func (e entry) drawTitle(c ink.Canvas, r ink.Rect, style ink.Style, title string) {
	x := r.X
	if rest, ok := strings.CutPrefix(title, approve); ok && e.Ask.Kind == queue.KindApproval {
		x += c.Put(x, r.Y, r.W, style.Bold(true), approve)
		title = rest
	}
	c.Put(x, r.Y, r.X+r.W-x, style.Bold(e.unseen), title)
}
