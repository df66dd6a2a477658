package portal

import (
	"context"
	"time"

	"github.com/choicetui/choicetui/panes/say"
)

// beforeView is the panel with what the agent was doing when it asked. It is read when the panel is opened, and not
// kept once it is closed.
type beforeView struct {
	Says  string // where the lines are from, or why there are none
	Lines []beforeLine
}

// beforeLine is a line of the panel, with the class of its colour.
type beforeLine struct{ Text, Class string }

// beforeWithin limits the time for reading what the agent was doing.
const beforeWithin = 3 * time.Second

// showBefore opens the panel, or closes it.
func (v verbs) showBefore() {
	s := v.session()
	switch {
	case v.panel == panelBefore:
		v.goBack()
		return
	case v.id == "" || v.all.o.Before == nil:
		v.notice = say.Sentence(say.BeforeUnknown)
		return
	}
	texts(v).closeField()
	v.panel, v.before = panelBefore, beforeView{Says: labels.Loading}
	page := v.page
	v.all.d.Beside(func() {
		ctx, cancel := context.WithTimeout(context.Background(), beforeWithin)
		defer cancel()
		found, err := page.all.o.Before(ctx, s)
		page.all.post(func() { page.tookBefore(s.ID, found, err) })
	})
}

// tookBefore shows what was read, if the panel is still open.
func (g *page) tookBefore(id string, found say.Before, err error) {
	if g.panel != panelBefore || g.id != id {
		return
	}
	g.before = beforeView{Says: say.OneLine(found.Where)}
	if err != nil {
		g.before = beforeView{Says: say.Sentence(say.OneLine(err.Error()))}
	}
	for _, l := range found.Lines {
		class := map[byte]string{'+': "add", '-': "del"}[l.Sign]
		g.before.Lines = append(g.before.Lines, beforeLine{Text: say.Text(l.Text), Class: class})
	}
	g.drawSoon()
}
