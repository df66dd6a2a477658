package action

import (
	"errors"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/rules"
	"github.com/choicetui/choicetui/queue/widen"
)

// FollowUp makes a change outside the form, which the Do of a row may not make itself. It returns a message if there is
// something to tell the person.
type FollowUp func(*Keyboard) Message

// then returns an effect that only makes these changes outside the form.
func then(list ...FollowUp) Effect { return Effect{Then: list} }

// Changes at the view.
func sendNow(k *Keyboard) Message   { k.view.SendNow(); return Message{} }  // the answer that is held back
func takeBack(k *Keyboard) Message  { k.view.TakeBack(); return Message{} } // the answer that is held back
func resume(k *Keyboard) Message    { k.view.Resume(); return Message{} }   // the question was set aside
func leave(k *Keyboard) Message     { k.view.Leave(); return Message{} }    // the question has ended
func setAside(k *Keyboard) Message  { return because(k.view.Later(), notLater) }
func endHold(k *Keyboard) Message   { k.view.EndHold(); return Message{} }   // nobody types, so the clock runs on
func broughtUp(k *Keyboard) Message { k.view.BroughtUp(); return Message{} } // what is on view
func cameUp(k *Keyboard) Message    { k.view.CameUp(); return Message{} }    // what is on view, on its own

// cancel cancels the agent's question.
func cancel(k *Keyboard) Message {
	if k.view.OfTeam() {
		return says(AboutTeam)
	}
	return ofSending(k.view.Cancel())
}

// send sends the answer to the question on view: to its agent, or to the consultation where it is about the team. If an
// answer to the agent differs from the team's, the person is first asked why.
func send(k *Keyboard) Message {
	switch team := k.view.Team; {
	case k.view.OfTeam():
		return k.withTeam((*desk.Teamwork).Settle)
	case team.AsksWhy():
		return k.withTeam((*desk.Teamwork).Explain)
	}
	return ofSending(k.view.Send())
}

// ofSending returns a message if an answer is on its way already. An error about a question that has ended needs no
// message, because the screen shows the end.
func ofSending(err error) Message {
	if errors.Is(err, desk.ErrSending) {
		return says(desk.ErrSending)
	}
	return Message{}
}

// NeedsPerson reports whether only a person who types may decide a session. An agent that has a shell could otherwise
// approve what it asked for.
func NeedsPerson(on queue.Session) bool { return on.Ask.Kind == queue.KindApproval }

// storeRule returns the change that stores a permission rule.
func storeRule(made rules.Rule) FollowUp {
	return func(k *Keyboard) Message {
		k.view.Desk().AddRule(made, func(err error) {
			if err != nil {
				k.say(k.front.Words(says(NotDone{RuleNotKept, err})))
			}
		})
		return Message{}
	}
}

// hidden returns the change by which the settings store that an option is hidden, or shown again; session is the id of
// the question in which the person did so.
func hidden(entry config.HiddenOption, hide bool, session string) FollowUp {
	return func(k *Keyboard) Message {
		k.hid, k.hidOn = nil, session
		if hide {
			k.hid = &entry
		}
		k.front.SetHides(entry, hide, func(err error) {
			if err != nil {
				k.hid = nil
				k.say(k.front.Words(says(NotDone{NotHidden, err})))
			}
		})
		return Message{}
	}
}

// asksTeam returns the change that carries out a verb on the consultation with the team.
func asksTeam(verb widen.Verb) FollowUp {
	return func(k *Keyboard) Message {
		return k.withTeam(func(t *desk.Teamwork) error { return t.Do(verb) })
	}
}

// withTeam calls do, which acts on the consultation with the team, and returns what there is to say about it. If do
// fails, the frontend shows why, and the guard takes into account that the letter may have been typed for another pane.
func (k *Keyboard) withTeam(do func(*desk.Teamwork) error) Message {
	picks := func() bool { c := k.view.Team.Begun; return c != nil && c.Picks }
	picked := picks()
	switch err := do(k.view.Team); {
	case err != nil:
		k.view.Guard.Stray(k.view.Desk().Now())
		k.front.Show(Effect{WhyNot: ofTeam(err)})
		return ofTeam(err)
	case !picked && picks():
		return says(TeamPicks)
	}
	return Message{}
}
