package deed

import (
	"errors"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/widen"
)

// team returns the actions of a question that ask the team or use its replies. If an action opens a page or an input
// line, Enter has its own action there, which the guard checks again.
func team() []Deed {
	return []Deed{
		teamRow(AskTeam, (*widen.Consult).Begin),
		{Action: Fetch, Strays: true,
			Needs: needsTeam((*widen.Consult).Fetch),
			Guard: func(at At) desk.Effect {
				if at.Seat.Team.On().Reviewable() {
					return desk.Elsewhere
				}
				return desk.Marking
			},
			Do: func(at At, _ Arg) Effect {
				if at.Seat.Team.On().Reviewable() {
					return wantTeam(verb(desk.Just((*widen.Consult).Reopen)))
				}
				return offerTeam(at, Fetch, verb((*widen.Consult).Fetch))
			}},
		teamRow(Defer, opens(widen.LineDeferral)),
		regroup(Wait, queue.WidenBlocked, TeamWaits),
		regroup(GoOn, queue.WidenParked, TeamParked),
	}
}

// regroup returns the action that blocks or parks the question until the team replies. The action only makes an offer,
// which the next Enter carries out.
func regroup(a Action, state string, already Kind) Deed {
	do := func(c *widen.Consult) (widen.Want, error) { return c.Regroup(state) }
	return Deed{Action: a, Guard: alwaysIs(desk.Marking), Strays: true,
		Needs: func(at At) Message {
			err := at.Seat.Team.WhyNot(do)
			if errors.Is(err, widen.ErrSame) {
				return Message{Kind: already, Err: err}
			}
			return ofTeam(err)
		},
		Do: func(at At, _ Arg) Effect {
			e := offerTeam(at, a, verb(do))
			e.Offer.State = state
			return e
		}}
}

// consulted contains the rows that replace those of the table while a page or an input line about the team is open.
//
// A face passes typed text to Consult.Type. Area with a number opens that part of the page, counted from 1; a face that
// shows all parts at once reports which part the person turned to. After the person has edited the answer in an editor,
// a face passes it to Teamwork.Edited and then calls Hand.Focus with Accept.
var consulted = map[Action]*Deed{}

func init() {
	page := func(a Action, guard func(At) desk.Effect, do func(At, Arg) Effect) *Deed {
		d := &Deed{Action: a, Guard: guard, Closed: true, Asked: true, Do: do}
		consulted[a] = d
		return d
	}
	just := func(do func(*widen.Consult) error) func(At, Arg) Effect {
		return func(At, Arg) Effect { return wantTeam(verb(desk.Just(do))) }
	}
	park := func(on bool) func(At, Arg) Effect {
		return just(func(c *widen.Consult) error { return c.Park(on) })
	}
	page(Back, nil, just((*widen.Consult).Leave))
	page(Area, alwaysIs(desk.Moving), func(_ At, arg Arg) Effect {
		return wantTeam(verb(desk.Just(func(c *widen.Consult) error {
			if arg.N > 0 {
				return c.Turn(arg.N - 1 - int(c.Part))
			}
			return c.Turn(1)
		})))
	})
	page(AreaBack, alwaysIs(desk.Moving), just(func(c *widen.Consult) error { return c.Turn(-1) }))
	page(PromptToo, alwaysIs(desk.Marking), just((*widen.Consult).TogglePrompt))
	page(BeforeToo, alwaysIs(desk.Marking), just((*widen.Consult).ToggleBefore))
	page(Wait, alwaysIs(desk.Marking), park(false))
	page(GoOn, alwaysIs(desk.Marking), park(true))
	page(Up, alwaysIs(desk.Marking), park(false))
	page(Down, alwaysIs(desk.Marking), park(true))

	page(Enter, entersTeam, func(At, Arg) Effect { return wantTeam((*desk.Teamwork).Enter) }).Needs =
		func(at At) Message {
			if at.consult.Line() == widen.LineRationale { // it sends what was picked in the form, or accepts
				return Message{}
			}
			return ofTeam(at.consult.WhyNot((*widen.Consult).Enter))
		}
	page(Accept, alwaysIs(desk.Marking), func(at At, _ Arg) Effect {
		if at.consult.Overrides() {
			return wantTeam(verb(opens(widen.LineRationale)))
		}
		e := offerTeam(at, Accept, (*desk.Teamwork).Enter)
		e.Offer.Consult = at.consult
		return e
	}).Needs = func(at At) Message { return ofTeam(at.consult.WhyNot((*widen.Consult).Accept)) }
	page(Fetch, alwaysIs(desk.Marking), func(at At, _ Arg) Effect {
		return offerTeam(at, Fetch, verb((*widen.Consult).FetchAgain))
	}).Needs = func(at At) Message { return ofTeam(at.consult.WhyNot((*widen.Consult).FetchAgain)) }
}

// teamRow returns a row that carries out a verb.
func teamRow(a Action, do func(*widen.Consult) (widen.Want, error)) Deed {
	return Deed{Action: a, Strays: true, Needs: needsTeam(do),
		Do: func(At, Arg) Effect { return wantTeam(verb(do)) }}
}

// needsTeam returns a Deed.Needs that says why a verb is not carried out.
func needsTeam(do func(*widen.Consult) (widen.Want, error)) func(At) Message {
	return func(at At) Message { return ofTeam(at.Seat.Team.WhyNot(do)) }
}

// wantTeam returns an effect that makes the Hand call do.
func wantTeam(do func(*desk.Teamwork) error) Effect {
	return Effect{Wants: []Want{{Kind: WantTeam, Team: do}}}
}

// offerTeam offers an action about the team, which the next Enter carries out.
func offerTeam(at At, a Action, do func(*desk.Teamwork) error) Effect {
	return Effect{Offer: &Offer{Action: a, On: at.On, then: func(At) Effect { return wantTeam(do) }}}
}

// verb adapts a method of Consult to a function of Teamwork, which calls it on the consultation on view.
func verb(do func(*widen.Consult) (widen.Want, error)) func(*desk.Teamwork) error {
	return func(t *desk.Teamwork) error { return t.Do(do) }
}

// opens returns Consult.Open with its argument.
func opens(l widen.Line) func(*widen.Consult) (widen.Want, error) {
	return desk.Just(func(c *widen.Consult) error { return c.Open(l) })
}

// entersTeam tells the guard what Enter would do on a page about the team or in a field on it. Enter behind a deferral
// or a reason sends it.
func entersTeam(at At) desk.Effect {
	switch c := at.consult; {
	case c.Sends(), c.Line() == widen.LineDeferral, c.Line() == widen.LineRationale:
		return desk.Sending
	case c.Stage == widen.Asking:
		return desk.Stepping
	}
	return desk.Elsewhere
}

// teamDecides reports whether a key on a page about the team decides on something that was not on screen before.
func teamDecides(c *widen.Consult, e desk.Effect) bool {
	return c.Line() == widen.NoLine && (c.Stage == widen.Reviewing || c.Sends() && e == desk.Sending)
}
