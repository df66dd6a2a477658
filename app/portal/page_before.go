package portal

import (
	"context"
	"errors"
	"time"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

const (
	// beforeWithin limits the time for reading what an agent was doing.
	beforeWithin = 3 * time.Second
	// The agent may write its last words down a moment after it asks, so what it was doing is read again. While none of
	// its words are there, beforeSoon is the first pause; it grows with the time since the question came, to beforeLate
	// at most, and ends after beforeLast. Else it is read once more, after beforeAgain.
	beforeSoon, beforeAgain = 250 * time.Millisecond, time.Second
	beforeLate, beforeLast  = 3 * time.Second, time.Minute
)

// showsBefore reports whether the page may show what agents were doing. A link to one question does not show it, since
// an agent may have been given that link.
func (p *page) showsBefore() bool {
	return p.pages.o.Before != nil && p.web.MayList() && p.pages.desk.Settings().Peek
}

// showBefore opens the panel with all that is known, or closes it.
func (p *page) showBefore() {
	switch {
	case p.panel == panelBefore:
		p.panel = ""
		return
	case p.id == "" || p.pages.o.Before == nil:
		p.message = say.Sentence(say.ErrBeforeUnknown.Error())
		return
	}
	p.closeField()
	if p.panel = panelBefore; p.before.Of != p.id {
		p.before = beforeView{Of: p.id, Says: wordsLoading}
	}
	p.readBefore(beforeLast)
}

// followBefore reads what the agent was doing for a question that has come on view. Its end is shown below that.
func (p *page) followBefore() {
	if p.before.Of != p.id && p.showsBefore() {
		p.before = beforeView{Of: p.id}
		p.readBefore(0)
	}
}

// readBefore reads what the agent of the page's question was doing. age is the time since the question came on view.
func (p *page) readBefore(age time.Duration) {
	s := p.session()
	p.pages.desk.Beside(func() {
		ctx, cancel := context.WithTimeout(context.Background(), beforeWithin)
		defer cancel()
		found, err := p.pages.o.Before(ctx, s)
		p.pages.post(func() {
			if p.before.Of != s.ID {
				return
			}
			p.before = newBeforeView(s, found, err)
			p.drawSoon()
			if pause := beforePause(age, found.Awaits); pause > 0 {
				time.AfterFunc(pause, func() { p.pages.post(func() { p.readBeforeAgain(s.ID, age+pause) }) })
			}
		})
	})
}

// readBeforeAgain does the same if the same question is still pending on the page.
func (p *page) readBeforeAgain(id string, age time.Duration) {
	if p.before.Of == id && p.id == id && p.session().Pending() && p.showsBefore() {
		p.readBefore(age)
	}
}

// beforePause returns the pause after a read, that long after the question came; 0: it was the last read.
func beforePause(age time.Duration, awaits bool) time.Duration {
	switch {
	case awaits && age < beforeLast:
		return min(max(age/4, beforeSoon), beforeLate)
	case age < beforeAgain:
		return beforeAgain
	}
	return 0
}

// newBeforeView returns the content of what was read, or of the error. Hidden characters become visible.
func newBeforeView(s queue.Session, found say.Before, err error) beforeView {
	made := beforeView{Of: s.ID, Says: say.OneLine(found.Where), Unknown: errors.Is(err, say.ErrBeforeUnknown)}
	if err != nil {
		made.Says = say.Sentence(say.OneLine(err.Error()))
	}
	for _, l := range found.Lines {
		class := map[byte]string{'+': "add", '-': "del"}[l.Sign]
		made.Lines = append(made.Lines, beforeLine{Text: say.Text(l.Text), Class: class})
	}
	return made
}
