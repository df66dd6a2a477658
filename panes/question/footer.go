package question

import (
	"slices"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

// thenKeys lists the actions that the footer names behind Esc while an answer in words is typed, in order.
var thenKeys = []action.Name{action.AskTeam, action.Fetch, action.Defer, action.Detail, action.Later, action.Cancel,
	action.Help}

// afterBack returns the keys in the footer while an answer in words is typed: those of the field, and those that Esc
// leads to. They have no action, so that none of them is beside the button.
func (r *Room) afterBack(v *display, here []action.Hint) (hints []action.Hint) {
	hints = append(hints, action.Hint{Room: action.Always,
		Keys: v.keys.KeyOf(action.PlaceQuestion, action.Back) + ", then:"})
	all := panes.Hints(r.host, action.PlaceQuestion, r.table)
	for _, a := range thenKeys {
		at := slices.IndexFunc(all, func(h action.Hint) bool { return h.Action == a })
		if at < 0 {
			continue
		}
		h := all[at]
		h.Action = ""
		if a == action.Cancel || a == action.Help {
			h.Room = action.Always
		} else if w, _ := r.host.Size(); w < narrowFooter { // each key is named, if need be without a word
			h = h.Shorter()
			h.Short, h.Bare = "", true
			if a == action.Detail || a == action.Later {
				h.Room = action.Always
			}
		}
		hints = append(hints, h)
	}
	for _, h := range panes.Hints(r.host, action.PlaceTyping, r.table) {
		if h.Action == action.NewLine || h.Action == action.EditorHere {
			h.Room = action.Spare
			hints = append(hints, h)
		}
	}
	if at := slices.IndexFunc(here, func(h action.Hint) bool { return h.Action == action.PageDown }); at >= 0 {
		hints = append([]action.Hint{here[at]}, hints...)
	}
	return hints
}

// narrowFooter is the width below which the footer names the keys behind Esc in few words.
const narrowFooter = 60

// Footer says what Enter would do, and the keys of the place.
func (r *Room) Footer() panes.Footer {
	v := r.frame(placed, outside)
	if v == nil {
		return panes.Footer{}
	}
	if v.inBatch {
		return r.batchFooter(v)
	}
	place := r.Place()
	made := panes.Footer{Hints: panes.Hints(r.host, place, r.Table())}
	if v.setAsideWords != nil {
		made.Line = say.Words(v.speech().Enter + " Bring it back now")
		made.Hints = slices.DeleteFunc(made.Hints, func(h action.Hint) bool {
			// they do the same as Enter
			return h.Action == action.Copy || h.Action == action.Later || h.Action == action.Back
		})
		return made
	}
	switch _, asks := r.host.View().Guard.Doubts(true); {
	case asks && v.editor() != nil && v.form.Typing() != form.FieldFind: // every other key is text
		made.Hints = slices.DeleteFunc(made.Hints, func(h action.Hint) bool { return h.Action != action.Back })
	case typesAnswer(v):
		made.Hints = r.afterBack(v, made.Hints)
	}
	if l, ok := r.guardLine(v); ok && v.session.Pending() {
		made.Line = l
		return made
	}
	switch made.Line = r.enterLine(v, place); {
	case v.form.Typing() == form.FieldRefusal && v.form.Unconfirmed(): // nothing is marked
		made.Line = say.RefusesWith(say.Who(v.session.Origin), v.speech())
	}
	if r.asksFirst(v) {
		made.Line = say.Twice(made.Line, v.speech())
	}
	return made
}

// enterLine says what Enter would do now, or why it does nothing.
func (r *Room) enterLine(v *display, place action.Place) say.Line {
	switch {
	case v.session.Pending():
	case v.form.Typing() != form.FieldNone:
		return say.Line{}.With(say.Piece{Forms: []string{"Close the text field (sends nothing)",
			"Done typing; sends nothing"}})
	case v.onlyText():
		return closedText(v.keys.KeyOf(place, action.Back))
	default:
		return r.closedLine(v, place)
	}
	switch out := r.host.View().Desk().Outbox().Of(v.session.ID); {
	case out == nil:
	case out.Err != nil:
		return say.Words(say.AnswerUnsaved(say.Cause(out.Err)))
	case v.session.Origin.Remote && !out.IsPostponed():
		return say.Words("sending to " + say.OneLine(v.session.Origin.Host) + " " + v.glyphs.Ellipsis)
	}
	if typesAnswer(v) && queue.Blank(v.form.TypedText()) && !(typesFirst(v) && v.proposal() != nil) {
		return r.invites(v)
	}
	if v.form.Typing() == form.FieldNone && v.postponed {
		held := r.host.View().Undoable().Answer() // the form may hold another answer by now
		return say.SendsNow(v.session.Ask.Summary(held), v.speech())
	}
	if !v.ofTeam && r.plan(v).Step == form.StepSend && r.host.View().Team.AsksWhy() {
		return teamOtherwise(say.TeamPicked(v.session.Ask, v.form.Answer()), v.speech())
	}
	l := say.Enter(r.plan(v), v.form.Typing(), say.Who(v.session.Origin), v.speech())
	var team say.Tail
	if v.withTeam {
		l, team = r.teamGets(v, l)
	}
	tails := l.Tails
	l.Tails = nil
	l.Beside = r.notTaken()
	return l.Behind(r.answeringTail(v), r.draftTail(v), team).Behind(tails...)
}

// closedLine names what leaves a closed question: Enter, or only the key that goes back, where a text was not sent or
// the screen closes with the question.
func (r *Room) closedLine(v *display, place action.Place) say.Line {
	key, ends := v.glyphs.Enter, r.host.View().ShowsHandOff()
	if ends || len(v.form.Typed()) > 0 {
		key = v.keys.KeyOf(place, action.Back)
	}
	return closedQuestion(key, ends)
}

// closedQuestion returns the Enter line of a closed question; key leaves it. ends: the screen was
// opened on that question and closes with it.
func closedQuestion(key string, ends bool) say.Line {
	does, _ := say.ClosedBack(ends)
	leaves := say.Keyed(": ", key, " "+does)
	return say.Words(say.Closed).With(say.Piece{Forms: []string{leaves, ""}})
}

// closedText returns the Enter line of a closed question while only its text is on screen; back shows the rest.
func closedText(back string) say.Line {
	shows := say.Keyed(": ", back, " shows how it was answered")
	return say.Words(say.Closed).With(say.Piece{Forms: []string{shows, ""}})
}

// teamOtherwise says what Enter does if the person picked another option than the team: it asks why, and the next Enter
// sends.
func teamOtherwise(what string, in say.Speech) say.Line {
	return say.Line{Pieces: []say.Piece{say.Fixed(in.Enter + " Continue with "), say.Named(say.OneLine(what)),
		say.Nice(", and say why you differ from the team", ", and say why")}}
}

// guardLine returns why the guard refused a key, in place of the words about Enter; ok: there is such a reason.
func (r *Room) guardLine(v *display) (l say.Line, ok bool) {
	view := r.host.View()
	if typing := v.form.Typing(); typing != form.FieldNone && typing != form.FieldFind {
		if _, asks := view.Guard.Doubts(true); asks {
			return r.askMeant(v), true
		}
	}
	if typing := v.form.Typing(); typing != form.FieldNone && typing != form.FieldText {
		return l, false
	}
	says := view.Guard.Says(view.Desk().Now())
	l = say.NotYet(says.NotTaken, says.Why, says.Before, says.Again, v.speech())
	return l, len(l.Pieces) > 0
}

// notTaken names the choice that the guard refused before; empty: none was refused.
func (r *Room) notTaken() string {
	view := r.host.View()
	if key := view.Guard.Says(view.Desk().Now()).Behind; key != "" {
		return say.NotTaken(key)
	}
	return ""
}

// askMeant asks whether the text being typed was meant for this question, or for one of its keys.
func (r *Room) askMeant(v *display) say.Line {
	p := v.form.Plan(form.Facts{})
	if b := r.keyboard.KeyTyped(); b != nil {
		return say.KeyOrText(*b, v.form.TypedText(), p, v.speech())
	}
	whom := say.Who(v.session.Origin)
	if v.ofTeam {
		whom = say.YourTeam
	}
	return say.WasMeant(whom, say.DoesWith(v.form.Typing(), p), v.speech())
}

// asksFirst reports whether Enter would ask about the text being typed before it does what it is for.
func (r *Room) asksFirst(v *display) bool {
	switch typing := v.form.Typing(); {
	case typing == form.FieldNone, typing == form.FieldFind,
		typing == form.FieldText && v.form.Plan(form.Facts{}).Step == form.StepNothing:
		return false
	}
	doubts, asks := r.host.View().Guard.Doubts(v.form.TextSends())
	return !asks && (doubts || r.keyboard.LetterTyped())
}

// invites says what to do while the answer in words is empty, and how many times Enter is pressed behind it.
func (r *Room) invites(v *display) say.Line {
	once := r.host.View().Guard.Here(r.host.View().Desk().Now())
	return say.TypesAnswer(once, v.form.Several(), v.speech())
}

// plan returns the effect of Enter, given the screen's facts, with questions named as in the tabs.
func (r *Room) plan(v *display) form.Plan {
	d := r.host.View().Desk()
	facts := form.Facts{Unseen: prompt{v}.unread(), Cut: v.saysUnread(), Gone: v.session.Gone(d.Alive)}
	if !v.ofTeam { // neither the end of the time nor this Enter sends what is answered about the team
		facts.Soon, facts.Closes = v.soon(d.Now()), r.host.View().ClosesWith(v.session.ID)
	}
	if v.form.ConfirmsApart() {
		facts.UnseenHere = v.confirm.unseen
	}
	p := say.Allows(v.form.Plan(facts), v.session.Ask)
	if p.Step == form.StepOpen {
		p.Object = v.tabName(v.form.FirstOpen())
	}
	for i, piece := range p.Pieces {
		if piece.Kind == form.PieceNext {
			p.Pieces[i].Text = v.tabName(piece.N)
		}
	}
	return p
}

// answeringTail says who else is answering the question; nil: nobody.
func (r *Room) answeringTail(v *display) say.Tail {
	persons := r.host.View().Desk().Answering(v.session.ID)
	if len(persons) == 0 {
		return nil
	}
	long, short := say.Answering(persons)
	return say.Tail{long, short}
}

// draftTail says where the answer on view was drafted, as long as the person has not changed it; nil: on this screen.
func (r *Room) draftTail(v *display) say.Tail {
	role, foreign := r.host.View().Foreign()
	if !foreign {
		return nil
	}
	return say.Tail{say.Drafted(role, say.OnScreen), "drafted"}
}

// teamGets adds to the Enter line of a question about which the team was asked what goes to the team, and returns the
// tail about it. Both stay as they are if Enter does not answer the question.
func (r *Room) teamGets(v *display, l say.Line) (say.Line, say.Tail) {
	switch r.plan(v).Step {
	case form.StepSend, form.StepConfirm, form.StepArm:
	default:
		return l, nil
	}
	if c := r.host.View().Team.Begun; c != nil && c.Picks && c.Candidate.Summary != "" && !v.ofTeam {
		return l, say.Tail{"with the team's summary", "+ summary"}
	}
	if v.untold || v.ofTeam { // most answers about the team only lead on
		return l, nil
	}
	return l.With(say.Piece{Forms: []string{" and tell the team", ", tell team"}}), nil
}
