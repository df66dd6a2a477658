package deed

import (
	"time"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue/desk"
)

// secondThoughts returns the actions by which a person puts a question off, hides an option, takes an answer back, or
// changes the time left.
func secondThoughts() []Deed {
	move := func(a Action, by time.Duration) Deed {
		return Deed{Action: a, Asked: true,
			Needs: func(at At) Message {
				_, err := at.Seat.DeadlineBy(by)
				return because(err, Nothing)
			},
			Do: func(At, Arg) Effect { return Effect{Wants: []Want{{Kind: WantMove, By: by}}} }}
	}
	return []Deed{
		{Action: Later, Asked: true, Resting: true, Guard: guardLater, Chooses: true, Do: offerLater},
		{Action: Hide, Guard: alwaysIs(desk.Marking), Do: offerHide},
		{Action: UndoLast, Closed: true, Needs: mayUndo, Do: takeBackLast},
		move(More, time.Minute),
		move(Less, -time.Minute),
	}
}

// isAside reports whether the question was set aside and is not back yet, here or on another face.
func isAside(at At) bool {
	_, aside := at.On.AsideUntil(at.Seat.Desk().Now())
	return aside
}

// guardLater tells the guard that setting a question aside changes what Enter does, and that bringing it back does not.
func guardLater(at At) desk.Effect {
	if isAside(at) {
		return desk.Elsewhere
	}
	return desk.Marking
}

// offerLater offers to set the question aside; the next Enter does so. If the question is set aside already, offerLater
// brings it back at once.
func offerLater(at At, _ Arg) Effect {
	if isAside(at) {
		return Effect{Say: says(BroughtBack), Wants: wants(WantEndRest)}
	}
	until, givesUp, err := at.Seat.LaterTimes()
	if err != nil {
		return Effect{WhyNot: because(err, NotLater)}
	}
	return Effect{Offer: &Offer{Action: Later, On: at.On, Until: until, GivesUp: givesUp,
		then: func(At) Effect { return Effect{Wants: wants(WantAside)} }}}
}

// offerHide offers to hide an option from later questions of the same client; the next Enter does so. If the option is
// hidden already, offerHide shows it again at once.
func offerHide(at At, arg Arg) Effect {
	moveToOption(at.Form, arg.N)
	q := at.Form.Here()
	o, why := q.ToHide(arg.N)
	switch {
	case !why.OK():
		at.Form.Touch()
		return effectOfForm(Hide, why)
	case !at.Hides:
		return Effect{WhyNot: says(NotHere)}
	}
	entry := config.HiddenOption{Client: at.On.Origin.Client, ID: o.ID, Label: o.Label}
	if q.IsHidden(o.ID) {
		return setHidden(WantUnhide, entry)
	}
	return Effect{Offer: &Offer{Action: Hide, On: at.On, Option: o, Marked: q.Marked(o.ID),
		then: func(At) Effect { return setHidden(WantHide, entry) }}}
}

// setHidden returns the effect that hides an option (WantHide) or shows it again (WantUnhide).
func setHidden(kind WantKind, entry config.HiddenOption) Effect {
	note := IsHidden
	if kind == WantUnhide {
		note = IsShown
	}
	return Effect{Say: says(note), Wants: []Want{{Kind: kind, Option: entry}}}
}

// mayUndo returns the reason if there is nothing that takeBackLast could take back.
func mayUndo(at At) Message {
	if at.Seat.Undoable() == nil && (at.Hid == nil || !at.Hides) {
		return says(NothingToTakeBack)
	}
	return Message{}
}

// takeBackLast takes back the answer that is held back, else it shows the option again that was just hidden.
func takeBackLast(at At, _ Arg) Effect {
	if at.Seat.Undoable() != nil {
		return Effect{Say: says(TakenBack), Wants: wants(WantTakeBack)}
	}
	return setHidden(WantUnhide, *at.Hid)
}
