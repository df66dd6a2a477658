package plain

import (
	"context"
	"time"

	"github.com/choicetui/choicetui/panes/say"
)

// browserWithin is what a portal and a browser may take to start.
const browserWithin = 15 * time.Second

// browsing shows questions in the person's browser.
type browsing struct {
	*voice
	browse func(ctx context.Context, session string) (link string, opened bool, err error) // nil: there are no pages
}

// open shows the question on view on the web, or all that wait where there is none. What was typed goes with
// it.
func (b browsing) open() {
	if b.browse == nil {
		b.say(say.Sentence(say.NoPages))
		return
	}
	b.seat.SaveDraft()
	b.say(say.Sentence(say.OpeningBrowser))
	id := b.seat.Up()
	b.desk.Beside(func() {
		ctx, cancel := context.WithTimeout(context.Background(), browserWithin)
		defer cancel()
		link, opened, err := b.browse(ctx, id)
		b.desk.Do(func() { b.tell(link, opened, err) })
	})
}

// tell says where the page is. Where no browser could be opened, the person has to take the link elsewhere.
func (b browsing) tell(link string, opened bool, err error) {
	switch {
	case err != nil:
		b.say(say.Sentence(say.OneLine(err.Error())))
	case opened:
		b.say(say.Capital(say.OpenedInBrowser(link)))
	default:
		b.say("No browser opens here. This link works once, within a minute: " + link)
	}
}
