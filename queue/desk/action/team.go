package action

import (
	"errors"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/widen"
)

// Actions by which a person asks the team or uses its replies.
const (
	AskTeam Name = "ask_team"
	Fetch   Name = "team_fetch"
	Wait    Name = "team_wait"
	GoOn    Name = "team_park"
	Defer   Name = "defer"
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
var teamActions = []Name{AskTeam, Fetch, Wait, GoOn, Defer}

// team returns the actions of a question that ask the team or use its replies. What the person is asked about the team
// then is a form in front of the question, in which the other actions do what they do in any form.
func team() []Row {
	return []Row{
		{Name: AskTeam, Agents: true, Keys: []string{"w"}, In: onQuestion,
			Strays: true, Needs: needsTeam((*widen.Consult).Begin), Do: does((*widen.Consult).Begin),
			Footer: "ask the team", Short: "team", Offered: func(at At) bool { return at.Can(AskTeam) },
			Help: "ask the team; first shows who is asked and what they will read",
			Line: Line{Word: "widen", Args: "[ID]",
				Help: "asks your team about this question, or about another; first shows who is asked"},
			Lacks: map[string]string{Command: alone}},
		{Name: Fetch, Keys: []string{"f"}, In: onQuestion,
			Strays: true, Effect: fetchEffect, Needs: needsTeam((*widen.Consult).Fetch), Do: fetch,
			Footer: "get replies", Short: "replies", Offered: func(at At) bool { return at.Can(Fetch) },
			Now: func(at At, h Hint) Hint {
				if at.ofTeam {
					return h.Say(Word{Long: "refresh"})
				}
				return h
			},
			Help: "get what the team said and review it; asks first", Seldom: onQuestion,
			Line: Line{Word: "fetch", Args: "[ID]",
				Help: "shows what your team said so far, with a proposed answer that you accept, edit or defer"},
			Lacks: map[string]string{Command: alone}},
		{Name: Wait, Agents: true, Keys: []string{"b"}, In: onQuestion,
			Strays: true, Effect: alwaysIs(desk.Marking),
			Needs: mayRegroup(queue.WidenBlocked, teamWaits), Do: regroup(Wait, queue.WidenBlocked),
			Footer: "wait", Offered: func(at At) bool { return at.Can(Wait) },
			Help: "wait for the team, which keeps chat closed; asks first", Seldom: onQuestion,
			Lacks: map[string]string{Lines: afterWiden, Command: alone}},
		{Name: GoOn, Agents: true, Keys: []string{"c"}, In: onQuestion,
			Strays: true, Effect: alwaysIs(desk.Marking),
			Needs: mayRegroup(queue.WidenParked, teamParked), Do: regroup(GoOn, queue.WidenParked),
			Footer: "other questions", Short: "move on", Offered: func(at At) bool { return at.Can(GoOn) },
			Help: "leave the question with the team and answer others; asks first", Seldom: onQuestion,
			Lacks: map[string]string{Lines: afterWiden, Command: alone}},
		{Name: Defer, Keys: []string{"d"}, In: onQuestion,
			Strays: true, Needs: needsTeam((*widen.Consult).PutOff), Do: does((*widen.Consult).PutOff),
			Footer: "put off", Offered: func(at At) bool { return at.Can(Defer) },
			Help: "put the question off without an answer; asks for the reason", Seldom: onQuestion,
			Line: Line{Word: "defer", Args: "[ID]",
				Help: "puts off a question that is with your team, and says why"},
			Lacks: map[string]string{Command: alone}},
	}
}

// fetchEffect tells the guard what it means to get the replies: they are read again, or first something is asked.
func fetchEffect(at At) desk.Effect {
	if reopens(at) {
		return desk.Elsewhere
	}
	return desk.Marking
}

// fetch shows the replies again that were fetched before, else offers to get them. In their review it offers to get
// them again, with a new summary.
func fetch(at At, _ Arg) Effect {
	switch {
	case reopens(at):
		return then(asksTeam((*widen.Consult).Reopen))
	case at.ofTeam:
		return offerTeam(at, Fetch, (*widen.Consult).FetchAgain)
	}
	return offerTeam(at, Fetch, (*widen.Consult).Fetch)
}

// reopens reports whether there are replies that were fetched before and are not on view.
func reopens(at At) bool { return !at.ofTeam && at.View.Team.On().Reviewable() }

// regrouping returns the verb that blocks or parks the question until the team replies.
func regrouping(state string) widen.Verb {
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
		e := offerTeam(at, a, regrouping(state))
		e.Offer.State = state
		return e
	}
}

// needsTeam returns a Row.Needs that says why a verb is not carried out.
func needsTeam(do widen.Verb) func(At, Arg) Message {
	return func(at At, _ Arg) Message { return ofTeam(at.View.Team.WhyNot(do)) }
}

// does returns a Row.Do that carries out a verb.
func does(do widen.Verb) func(At, Arg) Effect {
	return func(At, Arg) Effect { return then(asksTeam(do)) }
}

// offerTeam offers a verb, which the next Enter carries out.
func offerTeam(at At, a Name, do widen.Verb) Effect {
	return Effect{Offer: &Offer{Action: a, On: at.On, then: func(At) Effect { return then(asksTeam(do)) }}}
}
