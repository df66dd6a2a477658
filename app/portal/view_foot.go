package portal

import (
	"strings"
	"time"

	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/form"
)

// footView is the bar below a question: what the button would do, and how it can end otherwise.
type footView struct {
	Line, Enter  string // what Enter would do, and how Enter is written if the line begins with it
	Button       string
	Waits        bool // the button does nothing yet
	Rests        bool // the question was set aside, and the button brings it back
	Held         bool
	Offer        string // the button of what is offered
	Reason       *fieldView
	Ready        []readyView
	EndIt        string // the button that ends the question
	Detail       bool   // more detail is being asked for
	MayDetail    bool
	MayLater     bool
	Sending      bool
	SendingWords string
	Keys         map[string]string
	MayDefer     bool   // a question with the team can be left to wait, without an answer
	Rule         bool   // a rule can be made
	Alike        string // the button that looks through similar approvals; empty: there are none
	Round        string // the button that leaves them; empty: none are looked through
}

type readyView struct {
	N     int
	Words string
	On    bool
}

// foot returns the bar below the question.
func (v viewer) foot() footView {
	f := v.seat.FormOf(v.id)
	made := footView{Button: say.Page.Send, MayLater: v.seat.MayLater() == nil, Keys: map[string]string{
		"cancel": v.key(keys.ActCancel), "more_detail": v.key(keys.ActDetail), "later": v.key(keys.ActLater),
		"undo_last": v.key(keys.ActUndoLast), "make_rule": v.key(keys.ActRule),
		"look_through": v.key(keys.ActAlike), "defer": v.key(keys.ActDefer), "next": v.key(keys.ActNext),
		"previous": v.key(keys.ActPrevious)}}
	out := v.all.d.Outbox().Of(v.id)
	switch {
	case f == nil:
		return made
	case v.held() != nil:
		made.Held, made.Button = true, say.Page.SendNow
		what, left := v.last.Ask.Summary(v.held().Answer()), v.held().Until().Sub(v.all.d.Now())
		made.Line = say.Held(what, left, v.speech()).In("·")
		return made
	case out != nil:
		made.Sending, made.SendingWords = true, say.Page.Sending
		if out.Err != nil {
			made.SendingWords = say.Capital(say.AnswerUnsaved(errText(out.Err)))
		}
		return made
	case v.hand.Offers():
		v.setLine(&made, v.offered.line)
		made.Offer = v.offered.verb
		return made
	}
	if _, rests := v.seat.Rests(); rests && v.form() != nil {
		v.setLine(&made, v.resting())
		made.Button, made.Rests, made.MayLater = say.Page.BringBack, true, false
		return made
	}
	if v.deferring() {
		v.deferFoot(&made)
		return made
	}
	made.MayDetail = f.Takes(form.FieldDetail).OK()
	made.MayDefer = v.form() != nil && v.seat.Team.MayDefer() == nil && verbs(v).mayNot(keys.ActDefer) == ""
	plan := v.plan(f)
	line := say.Enter(plan, typingIn(f), v.agent(), v.speech())
	guarded, ok := v.guarded(f)
	if says := v.seat.Guard.Says(v.all.d.Now()); says.Behind != "" {
		line = line.Behind(say.NotTaken(says.Behind))
	}
	rounds, inRound := v.roundFoot(&made)
	if inRound {
		line = rounds
	}
	if ok {
		line = guarded
	}
	v.setLine(&made, line)
	if plan.Step == form.StepSend { // which the button says
		made.Line = strings.TrimPrefix(made.Line, "send ")
	}
	made.Button, made.Waits = say.Page.Button(plan.Step), plan.Step == form.StepNothing
	if made.Waits || plan.Step == form.StepArm { // it says already what it will do
		made.Button = say.Page.Button(f.StepWhole())
	}
	if inFoot(f.Typing()) {
		v.reasons(&made, f)
	}
	if inRound {
		made.Button, made.MayLater = say.Page.GoOn, false
		made.Waits = made.Waits || v.linesUnread() > 0
		return made
	}
	v.widerChoice(&made)
	return made
}

// widerChoice fills in the buttons that decide more than the question on view.
func (v viewer) widerChoice(made *footView) {
	if v.form() == nil || !v.form().Approves() {
		return
	}
	at := v.hand.At()
	made.Rule = at.WhyNot(keys.ActRule).OK() && verbs(v).mayNot(keys.ActRule) == ""
	if n := v.seat.Round.Alike(); n > 0 && verbs(v).mayNot(keys.ActAlike) == "" {
		made.Alike = say.Capital(say.RoundHint(n).Long)
	}
}

// resting says when a question that was set aside is back.
func (v viewer) resting() say.Line {
	until, _ := v.seat.Rests()
	return say.Words(say.Resting(until, v.speech())[0])
}

// guarded returns what the guard has to say in place of what the button would do; ok: it has something to say.
func (v viewer) guarded(f *form.Form) (l say.Line, ok bool) {
	if typing := f.Typing(); typing != form.FieldNone && typing != form.FieldFind {
		_, asked := v.seat.Guard.RanOn()
		return say.NotAttached(typing, v.speech()), asked
	}
	says := v.seat.Guard.Says(v.all.d.Now())
	l = say.NotYet(says.NotTaken, says.Why, says.Before, says.Again, v.speech())
	return l, len(l.Pieces) > 0
}

// typingIn returns the text that the line is about: only a text that ends the question, as the button does not mean
// others.
func typingIn(f *form.Form) form.Field {
	if f.Typing().Ends() {
		return f.Typing()
	}
	return form.FieldNone
}

// plan returns the effect of the button, given the page's facts.
func (v viewer) plan(f *form.Form) form.Plan {
	s, now := v.session(), v.all.d.Now()
	soon := s.HasClock() && say.ShownLeft(s, now) < time.Minute
	return f.PlanTyped(form.Facts{Soon: soon, Gone: s.Gone(v.all.d.Alive)})
}

// setLine splits the sign for Enter off a line: it is drawn as a key.
func (v viewer) setLine(b *footView, l say.Line) {
	b.Line = l.In("·")
	if rest, begins := strings.CutPrefix(b.Line, v.speech().Enter+" "); begins {
		b.Enter, b.Line = enterName, rest
	}
}

// reasons fills in the line in which the question is ended.
func (v viewer) reasons(made *footView, f *form.Form) {
	label := say.Page.Reason
	if f.Instead() {
		label = say.Capital(strings.TrimSuffix(say.InsteadLabel(func(string) bool { return true }), ": "))
	}
	made.Reason = v.field("reason", label, "", keys.ActCancel)
	made.EndIt = say.Page.CancelIt
	switch f.Typing() {
	case form.FieldRefusal:
		made.Reason = v.field("refusal", label, "", keys.ActRefuse)
		made.EndIt = say.Page.RefuseIt
		if n, _ := v.seat.Round.At(); n > 0 { // nothing is sent yet
			made.EndIt = say.Page.GoOn
		}
	case form.FieldDetail:
		made.Detail = true
		made.Reason = v.field("detail", say.Page.WantsToKnow, "", keys.ActDetail)
		made.EndIt = say.Page.DetailIt
	}
	for i, words := range suggestions(f) {
		made.Ready = append(made.Ready, readyView{i + 1, words, f.ReasonText() == words})
	}
}

// overView is a question that has ended.
type overView struct {
	headView
	Head, What, How, At, Received string
	Team                          []string // what the team said, and why it was decided so
	TooLate                       string   // what was sent from here and did not count
	Typed                         string   // what was typed and did not go out
	List                          bool
	Next, NextTitle               string
	Keys                          map[string]string
}

// over describes a question that has ended: how, and what the person can do next.
func (v viewer) over(s queue.Session) overView {
	made := overView{headView: v.head(s), List: v.grant.MayList(),
		Keys: map[string]string{"copy": v.key(keys.ActCopy), "next": v.key(keys.ActNext)}}
	if s.Outcome == nil { // its form is on its way
		made.Head = say.Page.Loading
		return made
	}
	o := say.OverOf(s, say.FacePage)
	made.Head, made.What, made.How = o.Head, o.What, o.How
	if sent, late := v.seat.TooLate(s); late {
		made.TooLate = say.TooLate(s, sent)
	}
	for _, named := range say.TeamReview(*s.Outcome) {
		made.Team = append(made.Team, say.Capital(named[0]+named[1]))
	}
	made.At = say.ClockTime(s.Outcome.At, v.all.d.Now())
	if at, ok := s.Received(); ok {
		made.Received = say.Page.Received + " " + say.ClockTime(at, v.all.d.Now())
	} else if s.Unconfirmed() {
		made.Received = say.NotConfirmed(s)
	}
	if f := v.seat.FormOf(s.ID); f != nil && len(f.Draft().Unsent(s)) > 0 {
		made.Typed = strings.Join(f.Typed(), "\n\n")
	}
	for _, w := range v.all.d.Waiting() {
		if w.ID != s.ID && made.Next == "" && made.List {
			made.Next, made.NextTitle = choicePath+w.ID, say.Title(w.Ask)
		}
	}
	return made
}

// errLine returns an error on one line.
func errLine(err error) string { return problem(err) }
