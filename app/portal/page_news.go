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
func (p *page) tellNews() string {
	if !p.pages.desk.Loaded() {
		return ""
	}
	waiting, first := p.waiting(), p.spoken.asked == nil
	was := p.spoken.asked
	p.spoken.asked = make(map[string]bool, len(waiting))
	var come []queue.Session
	for _, w := range waiting {
		if p.spoken.asked[w.ID] = true; !first && !was[w.ID] {
			come = append(come, *w.Session)
		}
	}
	if len(come) == 0 {
		return p.tellEnd(was)
	}
	words := fmt.Sprintf("%s asks: %s", p.pages.desk.Name(come[0].Origin), say.Short(say.Title(come[0].Ask), mostNews))
	if n := len(come) - 1; n > 0 {
		words += fmt.Sprintf(", and %d more", n)
	}
	return words
}

// tellEnd returns what a screen reader is told when the question on the page has ended. was are the ids of the
// questions that were pending before.
func (p *page) tellEnd(was map[string]bool) string {
	s := p.session()
	if p.id == "" || s.ID != p.id || s.Pending() || !was[p.id] {
		return ""
	}
	return say.Short(say.Title(s.Ask), mostNews) + ": " + say.Capital(say.Result(s))
}

// focusTitle gives the heading the focus when another question has come on view, or when the one on view has ended and
// what had the focus is gone. A screen reader then reads it, and its keys go to it.
func (p *page) focusTitle() {
	ended := p.id != "" && !p.session().Pending()
	if p.spoken.id == p.id && (p.spoken.ended || !ended) || p.id != "" && p.last.ID != p.id {
		return
	}
	if p.spoken.id, p.spoken.ended = p.id, ended; p.id != "" && !p.isTyping() {
		p.focus = "title"
	}
}
