package plain

import (
	"context"
	"time"

	"github.com/choicetui/choicetui/panes/say"
)

// beforeWithin limits the time in which what the agent was doing is read.
const beforeWithin = 3 * time.Second

// writeBefore writes what the agent of the question on view was doing when it asked.
func (l *Lines) writeBefore(string) {
	s := l.view.Session()
	switch {
	case l.view.Up() == "":
		l.say(say.NothingPendingLine(l.desk.Needed()))
		return
	case l.o.Before == nil:
		l.say(say.Sentence(say.ErrBeforeUnknown.Error()))
		return
	}
	l.desk.Beside(func() {
		ctx, cancel := context.WithTimeout(context.Background(), beforeWithin)
		defer cancel()
		found, err := l.o.Before(ctx, s)
		l.desk.Do(func() {
			if err != nil {
				l.say(say.Sentence(say.OneLine(err.Error())))
				return
			}
			l.say("Before " + say.ShortQuoted(say.Title(s.Ask), 60) + ", from " + say.OneLine(found.Where) + ":")
			for _, line := range found.Lines {
				l.block(bar, line.Text)
			}
		})
	})
}
