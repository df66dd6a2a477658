package portal

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

const (
	// beforeWithin limits the time for reading what an agent was doing.
	beforeWithin = 3 * time.Second
	// The agent may write its last words down a moment after it asks, so the rows are read again. While they have none
	// of its words, beforeSoon is the first pause; it grows with the time since the question came, to beforeLate at
	// most, and ends after beforeLast. Else they are read once more, after beforeAgain.
	beforeSoon, beforeAgain = 250 * time.Millisecond, time.Second
	beforeLate, beforeLast  = 3 * time.Second, time.Minute
	// mostBeforeRows limits the lines below the question, and mostOfBeforeRow the characters of each.
	mostBeforeRows, mostOfBeforeRow = 3, 300
)

// showsBefore reports whether the page may show what agents were doing. A link to one question does not show it, since
// an agent may have been given that link.
func (g *page) showsBefore() bool {
	return g.all.o.Before != nil && g.web.MayList() && g.all.d.Settings().Peek
}

// showBefore opens the panel, or closes it.
func (g *page) showBefore() {
	switch {
	case g.panel == panelBefore:
		g.panel, g.before = "", beforeView{}
		return
	case g.id == "" || g.all.o.Before == nil:
		g.notice = say.Sentence(say.ErrBeforeUnknown.Error())
		return
	}
	g.closeField()
	g.panel, g.before = panelBefore, beforeView{Says: wordsLoading}
	g.readBefore(func(s queue.Session, found say.Before, err error) {
		if g.panel != panelBefore || g.id != s.ID {
			return
		}
		g.before = newBeforeView(s, found, err)
		g.drawSoon()
	})
}

// readBefore reads what the agent of the page's question was doing, and passes it to take on the owner's goroutine.
func (g *page) readBefore(take func(queue.Session, say.Before, error)) {
	s := g.session()
	g.all.d.Beside(func() {
		ctx, cancel := context.WithTimeout(context.Background(), beforeWithin)
		defer cancel()
		found, err := g.all.o.Before(ctx, s)
		g.all.post(func() { take(s, found, err) })
	})
}

// newBeforeView returns the content of what was read, or of the error. Hidden characters become visible.
func newBeforeView(s queue.Session, found say.Before, err error) beforeView {
	made := beforeView{Of: s.ID, Says: say.OneLine(found.Where)}
	if err != nil {
		made.Says = say.Sentence(say.OneLine(err.Error()))
	}
	for _, l := range found.Lines {
		class := map[byte]string{'+': "add", '-': "del"}[l.Sign]
		made.Lines = append(made.Lines, beforeLine{Text: say.Text(l.Text), Class: class})
	}
	return made
}

// followBefore reads the rows below a question that has come on view.
func (g *page) followBefore() {
	if g.beforeRows.Of == g.id || !g.showsBefore() {
		return
	}
	g.beforeRows = beforeView{Of: g.id}
	g.readRows(0)
}

// beforePause returns the pause after a read of the rows, that long after the question came; 0: it was the last read.
func beforePause(age time.Duration, awaits bool) time.Duration {
	switch {
	case awaits && age < beforeLast:
		return min(max(age/4, beforeSoon), beforeLate)
	case age < beforeAgain:
		return beforeAgain
	}
	return 0
}

// readRows reads the rows below the question: the last lines, or on which other machine it can be read. age is the time
// since the question came on view.
func (g *page) readRows(age time.Duration) {
	g.readBefore(func(s queue.Session, found say.Before, err error) {
		if g.beforeRows.Of != s.ID {
			return
		}
		lines := slices.DeleteFunc(slices.Clone(found.Lines), func(l say.BeforeLine) bool { return l.Text == "" })
		found.Lines = lines[max(len(lines)-mostBeforeRows, 0):]
		for i, l := range found.Lines {
			found.Lines[i].Text = queue.Shorten(l.Text, mostOfBeforeRow, "…")
		}
		if g.beforeRows = newBeforeView(s, found, err); errors.Is(err, say.ErrBeforeUnknown) {
			g.beforeRows.Says = ""
		}
		g.drawSoon()
		if pause := beforePause(age, found.Awaits); pause > 0 {
			time.AfterFunc(pause, func() { g.all.post(func() { g.readRowsAgain(s.ID, age+pause) }) })
		}
	})
}

// readRowsAgain reads the rows again if they are still shown below the same question.
func (g *page) readRowsAgain(id string, age time.Duration) {
	if g.beforeRows.Of == id && g.id == id && g.session().Pending() && g.showsBefore() {
		g.readRows(age)
	}
}
