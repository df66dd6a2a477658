package deed

import (
	"errors"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/widen"
)

// carryOutWant carries out a Want of a deed, and returns a message for the person if there is something to say. on is
// the session of the deed.
func (h *Hand) carryOutWant(w Want, on queue.Session) Message {
	seat := h.seat
	switch w.Kind {
	case WantSend:
		return h.send()
	case WantCancel:
		return noteOfSending(seat.Cancel())
	case WantSendNow:
		seat.SendNow()
	case WantTakeBack:
		seat.TakeBack()
	case WantEndRest:
		seat.EndRest()
	case WantLeave:
		seat.Leave()
	case WantAside:
		return because(seat.Later(), NotLater)
	case WantMove:
		return because(seat.Move(w.By), Nothing)
	case WantEndHold:
		seat.EndHold()
	case WantBroughtUp:
		seat.BroughtUp()
	case WantCameUp:
		seat.CameUp()
	case WantHide, WantUnhide:
		h.setHidden(w.Option, w.Kind == WantHide, on.ID)
	case WantRule:
		seat.Desk().AddRule(*w.Rule, func(err error) {
			if err != nil {
				h.say(h.face.Words(Message{Kind: RuleNotMade, Err: err}))
			}
		})
	case WantRound, WantTake, WantGoOn, WantStep, WantEndRound:
		return h.moveRound(w)
	case WantTeam:
		picked := h.seat.Team.On().Picks
		why := h.noteOfTeam(w.Team(h.seat.Team))
		if why.OK() && !picked && h.seat.Team.On().Picks {
			return says(TeamPicks)
		}
		return why
	}
	return Message{}
}

// wantsDecision reports whether a want decides the question on view, or stores a permission rule.
func wantsDecision(w Want) bool {
	return w.Kind == WantSend || w.Kind == WantCancel || w.Kind == WantRule
}

// NeedsPerson reports whether only a person who types may decide a session. An agent that has a shell could otherwise
// approve what it asked for.
func NeedsPerson(on queue.Session) bool { return on.Ask.Kind == queue.KindApproval }

// send sends the answer to the question on view. If the answer differs from the team's, it first opens the input line
// in which the person may say why.
func (h *Hand) send() Message {
	if team := h.seat.Team; team.AsksWhy() {
		err := team.Do(opens(widen.LineRationale))
		h.seat.CameUp()
		return h.noteOfTeam(err)
	}
	return noteOfSending(h.seat.Send())
}

// noteOfSending returns a message if an answer is on its way already. An error about a question that has ended needs no
// message, because the screen shows the end.
func noteOfSending(err error) Message {
	if errors.Is(err, desk.ErrSending) {
		return says(Sending)
	}
	return Message{}
}

// setHidden has the face store in the settings that an option is hidden, or shown again.
func (h *Hand) setHidden(entry config.HiddenOption, hide bool, session string) {
	h.hid, h.hidOn = nil, session
	if hide {
		h.hid = &entry
	}
	h.face.SetHides(entry, hide, func(err error) {
		if err != nil {
			h.hid = nil
			h.say(h.face.Words(Message{Kind: NotHidden, Err: err}))
		}
	})
}

// moveRound carries out a Want about a round of similar approvals.
func (h *Hand) moveRound(w Want) Message {
	round := h.seat.Round
	switch w.Kind {
	case WantRound:
		round.Begin()
	case WantTake:
		round.Take()
	case WantGoOn:
		round.GoOn()
	case WantEndRound:
		round.Leave()
	case WantStep:
		switch {
		case !round.Step(w.N):
			return says(RoundFirst)
		case !round.Reviewing():
			h.seat.BroughtUp()
		}
	default:
	}
	return Message{}
}

// noteOfTeam returns the message for an error of an action about the team. If there is an error, noteOfTeam also shows
// it and tells the guard that the letter may have been typed for another pane.
func (h *Hand) noteOfTeam(err error) Message {
	if err != nil {
		h.seat.Guard.Stray(h.seat.Desk().Now())
		h.face.Show(Effect{WhyNot: ofTeam(err)})
	}
	return ofTeam(err)
}
