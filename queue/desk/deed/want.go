package deed

import (
	"errors"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/widen"
)

// want carries out a Want of a deed, and returns a note about it for the person.
func (h *Hand) want(w Want, on queue.Session) Message {
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
		seat.Later()
	case WantMove:
		seat.Move(w.By)
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
		return h.wantRound(w)
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

// decides reports whether a want decides an approval, now or from now on.
func decides(w Want) bool { return w.Kind == WantSend || w.Kind == WantCancel || w.Kind == WantRule }

// MayDecide says why nobody may decide a session: untyped says that no person types there, and what an agent asks to be
// allowed is decided by a person, since an agent that has a shell could approve it itself.
func MayDecide(on queue.Session, untyped bool) Message {
	if untyped && on.Ask.Kind == queue.KindApproval {
		return says(Untyped)
	}
	return Message{}
}

// send answers the question on view. If the answer differs from what the team said, the person may say why first.
func (h *Hand) send() Message {
	if team := h.seat.Team; team.AsksWhy() {
		err := team.Do(opens(widen.LineRationale))
		h.seat.CameUp()
		return h.noteOfTeam(err)
	}
	return noteOfSending(h.seat.Send())
}

// noteOfSending returns a note if an answer is on its way already. A closed question needs none: the screen shows it.
func noteOfSending(err error) Message {
	if errors.Is(err, desk.ErrSending) {
		return says(Sending)
	}
	return Message{}
}

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

func (h *Hand) wantRound(w Want) Message {
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

// noteOfTeam returns why nothing was done about the team. The letter may have been typed for another pane then.
func (h *Hand) noteOfTeam(err error) Message {
	if err != nil {
		h.seat.Guard.Stray(h.seat.Desk().Now())
		h.face.Show(Effect{WhyNot: ofTeam(err)})
	}
	return ofTeam(err)
}
