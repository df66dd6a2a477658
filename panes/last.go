package panes

import (
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/desk"
)

// LastEvent returns the desk's last event in words.
func LastEvent(l *desk.Last) say.Last {
	switch {
	case l.Lost != nil:
		if l.TooLate {
			return say.LastTooLate(*l.Lost)
		}
		return say.LastLost(*l.Lost)
	case l.ID == "":
		return say.Last{}
	}
	return say.LastSent(l.Session, say.Fate{At: l.At, Received: l.Received, TakenBack: l.TakenBack,
		Unfetched: l.Unfetched, Doubt: l.Doubt, Kept: l.Kept, Unconfirmed: l.Unconfirmed})
}
