package action

import (
	"errors"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/widen"
)

// Actions by which a person asks the team or uses its replies.
const (
	AskTeam   Name = "ask_team"
	Fetch     Name = "team_fetch"
	Wait      Name = "team_wait"
	GoOn      Name = "team_park"
	Defer     Name = "defer"
	PromptToo Name = "letter_prompt"
	BeforeToo Name = "letter_before"
	Accept    Name = "team_accept"
)

// Reasons of these actions.
const (
	teamWaits  = Words("you are already waiting for the team")
	teamParked = Words("you are already free to answer others")

	// TeamPicks tells that the person picks the option in the form now, because the team's answer has none. panes/say
	// has more words for it.
	TeamPicks = Words("pick the option yourself")
)

// teamActions lists the actions that need a team.
var teamActions = []Name{AskTeam, Fetch, Wait, GoOn, PromptToo, BeforeToo, Accept, Defer, Editor}

// team returns the actions of a question that ask the team or use its replies. If an action opens a page or an input
// line, Enter has its own action there, which the guard checks again.
func team() []Row {
	return []Row{
		{Name: AskTeam, Keys: []string{"w"}, In: onQuestion,
			Strays: true, Needs: needsTeam((*widen.Consult).Begin), Do: does(verb((*widen.Consult).Begin)),
			Footer: "ask the team", Short: "team", Offered: func(at At) bool { return at.Can(AskTeam) },
			Help: "ask the team; first shows who is asked and what they will read",
			Line: Line{Word: "widen", Args: "[ID]",
				Help: "asks your team about this question, or about another; first shows who is asked"},
			Lacks: map[string]string{Command: alone}},
		{Name: PromptToo, Keys: []string{"space"}, In: onLetter,
			Footer: "add the agent's message", Short: "add", Room: Always,
			Help:  "include the agent's message, or leave it out",
			Lacks: map[string]string{Lines: noLetter, Command: alone}},
		{Name: BeforeToo, Keys: []string{"P"}, In: onLetter,
			Footer: "add what it was doing", Short: "before",
			Help:  "include what the agent was doing when it asked, or leave it out",
			Lacks: map[string]string{Lines: noLetter, Command: alone}},
		{Name: Accept, Keys: []string{"a"}, In: onTeamReview,
			Footer: "accept", Room: Always, Help: "accept the proposed answer, or send yours; asks first",
			Lacks: map[string]string{Command: alone}},
		{Name: Fetch, Keys: []string{"f"}, In: onTeamQuestion,
			Strays: true, Effect: fetchEffect, Needs: needsTeam((*widen.Consult).Fetch), Do: fetch,
			Footer: "get replies", Short: "replies", Offered: func(at At) bool { return at.Can(Fetch) },
			Help: "get what the team said and review it; asks first",
			Line: Line{Word: "fetch", Args: "[ID]",
				Help: "shows what your team said so far, with a proposed answer that you accept, edit or defer"},
			Lacks: map[string]string{Command: alone}},
		{Name: Wait, Keys: []string{"b"}, In: onTeamChoice,
			Strays: true, Effect: alwaysIs(desk.Marking),
			Needs: mayRegroup(queue.WidenBlocked, teamWaits), Do: regroup(Wait, queue.WidenBlocked),
			Footer: "wait", Offered: func(at At) bool { return at.Can(Wait) },
			Help:   "wait for the team, which keeps chat closed; asks first",
			HelpAt: map[Place]string{PlaceTeamChoice: "wait for the team, which keeps chat closed"},
			Lacks:  map[string]string{Lines: afterWiden, Command: alone}},
		{Name: GoOn, Keys: []string{"c"}, In: onTeamChoice,
			Strays: true, Effect: alwaysIs(desk.Marking),
			Needs: mayRegroup(queue.WidenParked, teamParked), Do: regroup(GoOn, queue.WidenParked),
			Footer: "other questions", Short: "move on", Offered: func(at At) bool { return at.Can(GoOn) },
			Help:   "leave the question with the team and answer others; asks first",
			HelpAt: map[Place]string{PlaceTeamChoice: "leave the question with the team and answer others"},
			Lacks:  map[string]string{Lines: afterWiden, Command: alone}},
		{Name: Defer, Keys: []string{"d"}, In: onTeamQuestion,
			Strays: true, Needs: needsTeam(opens(widen.LineDeferral)), Do: does(verb(opens(widen.LineDeferral))),
			Footer: "put off", Offered: func(at At) bool { return at.Can(Defer) },
			Help: "put the question off without an answer; asks for the reason",
			Line: Line{Word: "defer", Args: "[ID]",
				Help: "puts off a question that is with your team, and says why"},
			Lacks: map[string]string{Command: alone}},
	}
}

// fetchEffect tells the guard what it means to get the replies: they are read again, or first something is asked.
func fetchEffect(at At) desk.Effect {
	if at.View.Team.On().Reviewable() {
		return desk.Elsewhere
	}
	return desk.Marking
}

// fetch shows the replies again that were fetched before, else offers to get them.
func fetch(at At, _ Arg) Effect {
	if at.View.Team.On().Reviewable() {
		return then(asksTeam(verb(desk.Just((*widen.Consult).Reopen))))
	}
	return offerTeam(at, Fetch, verb((*widen.Consult).Fetch))
}

// regrouping returns the verb that blocks or parks the question until the team replies.
func regrouping(state string) func(*widen.Consult) (widen.Want, error) {
	return func(c *widen.Consult) (widen.Want, error) { return c.Regroup(state) }
}

// mayRegroup returns a Row.Needs: why the question cannot be blocked or parked. already says that it is.
func mayRegroup(state string, already Words) func(At, Arg) Message {
	return func(at At, _ Arg) Message {
		err := at.View.Team.WhyNot(regrouping(state))
		if errors.Is(err, widen.ErrSame) {
			return says(already)
		}
		return ofTeam(err)
	}
}

// regroup returns a Row.Do that offers to block or park the question; the next Enter does so.
func regroup(a Name, state string) func(At, Arg) Effect {
	return func(at At, _ Arg) Effect {
		e := offerTeam(at, a, verb(regrouping(state)))
		e.Offer.State = state
		return e
	}
}

// consulted contains the rows that replace those of the table while a page or an input line about the team is open.
//
// A frontend passes typed text to Consult.Type. Area with a number opens that part of the page, counted from 1; a
// frontend that shows all parts at once reports which part the person turned to. After the person has edited the answer
// in an editor, a frontend passes it to Teamwork.Edited and then calls Keyboard.Focus with Accept.
var consulted = map[Name]*Row{}

func init() {
	page := func(a Name, effect func(At) desk.Effect, do func(At, Arg) Effect) *Row {
		r := &Row{Name: a, Effect: effect, Closed: true, Asked: true, Do: do}
		consulted[a] = r
		return r
	}
	just := func(do func(*widen.Consult) error) func(At, Arg) Effect {
		return func(At, Arg) Effect { return then(asksTeam(verb(desk.Just(do)))) }
	}
	park := func(on bool) func(At, Arg) Effect {
		return just(func(c *widen.Consult) error { return c.Park(on) })
	}
	page(Back, nil, just((*widen.Consult).Leave))
	page(Area, alwaysIs(desk.Moving), func(_ At, arg Arg) Effect {
		return then(asksTeam(verb(desk.Just(func(c *widen.Consult) error {
			if arg.N > 0 {
				return c.Turn(arg.N - 1 - int(c.Part))
			}
			return c.Turn(1)
		}))))
	})
	page(AreaBack, alwaysIs(desk.Moving), just(func(c *widen.Consult) error { return c.Turn(-1) }))
	page(PromptToo, alwaysIs(desk.Marking), just((*widen.Consult).TogglePrompt))
	page(BeforeToo, alwaysIs(desk.Marking), just((*widen.Consult).ToggleBefore))
	page(Wait, alwaysIs(desk.Marking), park(false))
	page(GoOn, alwaysIs(desk.Marking), park(true))
	page(Up, alwaysIs(desk.Marking), park(false))
	page(Down, alwaysIs(desk.Marking), park(true))

	page(Enter, entersTeam, does((*desk.Teamwork).Enter)).Needs =
		func(at At, _ Arg) Message {
			if at.consult.Line() == widen.LineRationale { // it sends what was picked in the form, or accepts
				return Message{}
			}
			return ofTeam(at.consult.WhyNot((*widen.Consult).Enter))
		}
	page(Accept, alwaysIs(desk.Marking), func(at At, _ Arg) Effect {
		if at.consult.Overrides() {
			return then(asksTeam(verb(opens(widen.LineRationale))))
		}
		e := offerTeam(at, Accept, (*desk.Teamwork).Enter)
		e.Offer.Consult = at.consult
		return e
	}).Needs = func(at At, _ Arg) Message { return ofTeam(at.consult.WhyNot((*widen.Consult).Accept)) }
	page(Fetch, alwaysIs(desk.Marking), func(at At, _ Arg) Effect {
		return offerTeam(at, Fetch, verb((*widen.Consult).FetchAgain))
	}).Needs = func(at At, _ Arg) Message { return ofTeam(at.consult.WhyNot((*widen.Consult).FetchAgain)) }
}

// needsTeam returns a Row.Needs that says why a verb is not carried out.
func needsTeam(do func(*widen.Consult) (widen.Want, error)) func(At, Arg) Message {
	return func(at At, _ Arg) Message { return ofTeam(at.View.Team.WhyNot(do)) }
}

// does returns a Row.Do that calls do, which acts on the consultation.
func does(do func(*desk.Teamwork) error) func(At, Arg) Effect {
	return func(At, Arg) Effect { return then(asksTeam(do)) }
}

// offerTeam offers an action about the team, which the next Enter carries out.
func offerTeam(at At, a Name, do func(*desk.Teamwork) error) Effect {
	return Effect{Offer: &Offer{Action: a, On: at.On, then: func(At) Effect { return then(asksTeam(do)) }}}
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
