package portal

import (
	"fmt"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// spoken is what a screen reader was told of: what waits, and which question the page shows.
type spoken struct {
	asked map[string]bool // the ids of the questions that were pending at the last draw; nil: the page was not drawn
	id    string          // the id of the question whose heading got the focus
	ended bool            // that question was over then
}

// tellNews returns what a screen reader is to be told: a question that has come since the last draw, and how many more.
// A page that has just been opened tells nothing, since its content is read as a whole.
func (g *page) tellNews() string {
	if !g.pages.desk.Loaded() {
		return ""
	}
	waiting, first := g.waiting(), g.spoken.asked == nil
	was := g.spoken.asked
	g.spoken.asked = make(map[string]bool, len(waiting))
	var come []queue.Session
	for _, w := range waiting {
		if g.spoken.asked[w.ID] = true; !first && !was[w.ID] {
			come = append(come, *w.Session)
		}
	}
	if len(come) == 0 {
		return g.tellEnd(was)
	}
	words := fmt.Sprintf("%s asks: %s", g.pages.desk.Name(come[0].Origin), say.Short(say.Title(come[0].Ask), mostNews))
	if n := len(come) - 1; n > 0 {
		words += fmt.Sprintf(", and %d more", n)
	}
	return words
}

// tellEnd returns what a screen reader is told when the question on the page has ended. was are the ids of the
// questions that were pending before.
func (g *page) tellEnd(was map[string]bool) string {
	s := g.session()
	if g.id == "" || s.ID != g.id || s.Pending() || !was[g.id] {
		return ""
	}
	return say.Short(say.Title(s.Ask), mostNews) + ": " + say.Capital(say.Result(s))
}

// focusTitle gives the heading the focus when another question has come on view, or when the one on view has ended and
// what had the focus is gone. A screen reader then reads it, and its keys go to it.
func (g *page) focusTitle() {
	ended := g.id != "" && !g.session().Pending()
	if g.spoken.id == g.id && (g.spoken.ended || !ended) || g.id != "" && g.last.ID != g.id {
		return
	}
	if g.spoken.id, g.spoken.ended = g.id, ended; g.id != "" && !g.isTyping() {
		g.focus = "title"
	}
}
