package portal

import (
	"strings"
	"time"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

// footerView is the bar below a question: what the button does, and the buttons that end the question in another way.
type footerView struct {
	Line, Enter  string // the effect of Enter; the sign for Enter, if the line begins with it
	Button       string
	Waits        bool // the button does nothing yet
	Paused       bool // the question is set aside for a while, and the button brings it back
	Held         bool
	Offer        string // the button that accepts an offer
	Others       []buttonView
	Reason       *fieldView
	Ready        []readyView
	EndIt        string // the button that ends the question
	Detail       bool   // the line asks the agent for more detail
	Sending      bool
	SendingWords string
	Keys         map[string]string
	TeamBack     bool   // the button that leaves what the person is asked about the team
	Round        string // the button that stops looking through similar approvals; empty: the approval is shown alone
}

// buttonView is a button for another action than Enter's.
type buttonView struct {
	Do         action.Name
	Words, Key string
}

type readyView struct {
	N     int
	Words string
	On    bool
}

// footer returns the bar below the question.
func (v viewer) footer() footerView {
	f := v.shownForm()
	made := footerView{TeamBack: v.asksOfTeam(), Button: labels.Send, Keys: map[string]string{
		"cancel":    v.key(action.Cancel),
		"undo_last": v.key(action.UndoLast)}}
	if f == nil || v.otherFooter(&made) {
		return made
	}
	plan := v.plan(f)
	line := say.Enter(plan, typingIn(f), v.agent(), v.speech())
	if says := v.view.Guard.Says(v.all.d.Now()); says.Behind != "" {
		line = line.Behind(say.Tail{say.NotTaken(says.Behind)})
	}
	if v.asksFirst(f) {
		line = say.Twice(line, v.speech())
	}
	roundLine, inRound := v.roundFooter(&made)
	if inRound {
		line = roundLine
	}
	if why, refused := v.guardLine(f); refused { // counts more than what Enter would do
		line = why
	}
	v.setLine(&made, line)
	made.Others = v.others(f, inRound)
	if plan.Step == form.StepSend { // the button says Send already
		made.Line = strings.TrimPrefix(made.Line, "send ")
	}
	made.Button, made.Waits = labels.Button(plan.Step), plan.Step == form.StepNothing
	if made.Waits || plan.Step == form.StepArm { // a button that does nothing yet is named after what it will do
		made.Button = labels.Button(f.StepWhole())
	}
	if inFooter(f.Typing()) {
		v.addReasonField(&made, f)
	}
	if inRound {
		made.Button, made.Waits = labels.GoOn, made.Waits || v.linesUnread() > 0
	}
	return made
}

// otherFooter fills in the bar if it is now about something else than the form: an answer that is held back or being
// stored, an offer, or a question that was set aside. It reports whether that is so.
func (v viewer) otherFooter(made *footerView) bool {
	out := v.all.d.Outbox().Of(v.id)
	_, paused := v.view.Paused()
	switch {
	case v.held() != nil:
		made.Held, made.Button = true, labels.SendNow
		what, left := v.last.Ask.Summary(v.held().Answer()), v.held().Until().Sub(v.all.d.Now())
		made.Line = say.Postponed(what, left, v.speech()).In("·")
	case out != nil:
		made.Sending, made.SendingWords = true, labels.Sending
		if out.Err != nil {
			made.SendingWords = say.Capital(say.AnswerUnsaved(say.Cause(out.Err)))
		}
	case v.board.Offers():
		v.setLine(made, v.offered.line)
		made.Offer = v.offered.verb
	case paused && v.form() != nil:
		v.setLine(made, v.paused())
		made.Button, made.Paused = labels.BringBack, true
	default:
		return false
	}
	return true
}

// others returns the buttons for the actions on the question that Enter does not carry out. inRound: similar approvals
// are looked through.
func (v viewer) others(f *form.Form, inRound bool) []buttonView {
	list := []buttonView{{action.AskTeam, labels.AskTeam, ""}, {action.Fetch, labels.FetchThem, ""},
		{action.Wait, labels.Wait, ""}, {action.GoOn, labels.Park, ""}}
	if f.Takes(form.FieldDetail).OK() {
		list = append(list, buttonView{action.Detail, labels.Detail, ""})
	}
	if _, aside := v.session().AsideUntil(v.all.d.Now()); aside {
		list = append(list, buttonView{action.Later, labels.BringBack, ""})
	} else if !inRound {
		list = append(list, buttonView{action.Later, labels.Later, ""})
	}
	list = append(list, buttonView{action.Defer, labels.Defer, ""})
	if inRound {
		list = append(list, buttonView{action.Previous, labels.Previous, ""},
			buttonView{action.Next, labels.GoOn, ""})
	}
	if !inRound && f.Approves() {
		list = append(list, buttonView{action.Rule, labels.MakeRule, ""})
		if n := v.view.Round.Alike(); n > 0 {
			list = append(list, buttonView{action.Alike, say.Capital(say.RoundHint(n).Long), ""})
		}
	}
	return v.buttons(list...)
}

// buttons returns the buttons whose action is possible now and allowed on this page, with their keys.
func (v viewer) buttons(list ...buttonView) (possible []buttonView) {
	at := v.board.At()
	for _, b := range list {
		if v.form() != nil && at.WhyNot(b.Do).OK() && verbs(v).mayNot(b.Do) == "" {
			b.Key = v.key(b.Do)
			possible = append(possible, b)
		}
	}
	return possible
}

// paused returns the line that says when a question that was set aside comes back.
func (v viewer) paused() say.Line {
	until, _ := v.view.Paused()
	return say.Words(say.Paused(until, v.speech())[0])
}

// guardLine returns why the guard refused a key, to be shown in place of the button's effect; refused is false if it
// refused none.
func (v viewer) guardLine(f *form.Form) (why say.Line, refused bool) {
	if typing := f.Typing(); typing != form.FieldNone && typing != form.FieldFind {
		if _, asks := v.view.Guard.Doubts(f.TextSends()); asks {
			return v.askMeant(f), true
		}
		if typing != form.FieldText {
			return why, false
		}
	}
	says := v.view.Guard.Says(v.all.d.Now())
	why = say.NotYet(says.NotTaken, says.Why, says.Before, says.Again, v.speech())
	return why, len(why.Pieces) > 0
}

// askMeant asks whether the text being typed was meant for this question, or for one of its keys.
func (v viewer) askMeant(f *form.Form) say.Line {
	plan := f.Plan(form.Facts{})
	if b := v.board.KeyTyped(); b != nil {
		return say.KeyOrText(*b, f.TypedText(), plan, v.speech())
	}
	whom := v.agent()
	if v.asksOfTeam() {
		whom = say.YourTeam
	}
	return say.WasMeant(whom, say.DoesWith(f.Typing(), plan), v.speech())
}

// asksFirst reports whether Enter in the field of the person's own words would ask about them first.
func (v viewer) asksFirst(f *form.Form) bool {
	doubts, asks := v.view.Guard.Doubts(f.TextSends())
	return f.Typing() == form.FieldText && f.TextSends() && !asks && (doubts || v.board.LetterTyped())
}

// typingIn returns the field being typed if sending it ends the question, such as the reason of a cancel. The line
// beside the button is about no other field.
func typingIn(f *form.Form) form.Field {
	if f.Typing().Ends() {
		return f.Typing()
	}
	return form.FieldNone
}

// plan returns what the button would do now.
func (v viewer) plan(f *form.Form) form.Plan {
	s, now := v.session(), v.all.d.Now()
	soon := !v.asksOfTeam() && s.HasClock() && say.ShownLeft(s, now) < time.Minute
	return f.PlanTyped(form.Facts{Soon: soon, Gone: s.Gone(v.all.d.Alive)})
}

// setLine puts a line into the bar, and splits off the sign for Enter, which is drawn as a key.
func (v viewer) setLine(b *footerView, l say.Line) {
	b.Line = l.In("·")
	if rest, begins := strings.CutPrefix(b.Line, v.speech().Enter+" "); begins {
		b.Enter, b.Line = enterName, rest
	}
}

// addReasonField fills in the field for why the person cancels or refuses, or what they want to know, with the
// label of its button and the suggested texts.
func (v viewer) addReasonField(made *footerView, f *form.Form) {
	label := labels.Reason
	if f.Instead() {
		label = say.Capital(strings.TrimSuffix(say.InsteadLabel(func(string) bool { return true }), ": "))
	}
	made.Reason = v.field("reason", label, "", action.Cancel)
	made.EndIt = labels.CancelIt
	switch f.Typing() {
	case form.FieldRefusal:
		made.Reason = v.field("refusal", label, "", action.Refuse)
		made.EndIt = labels.RefuseIt
		if n, _ := v.view.Round.At(); n > 0 { // the button keeps the refusal and shows the next approval
			made.EndIt = labels.GoOn
		}
	case form.FieldDetail:
		made.Detail = true
		made.Reason = v.field("detail", labels.WantsToKnow, "", action.Detail)
		made.EndIt = labels.DetailIt
	}
	for i, words := range suggestions(f) {
		made.Ready = append(made.Ready, readyView{i + 1, words, f.ReasonText() == words})
	}
}

// overView is a question that has ended.
type overView struct {
	headView
	Head, What, How, At, Received string
	Team                          []string // the team's answer, and the reason for the decision
	TooLate                       string   // the answer that was given here and came too late
	Typed                         string   // text that was typed and not sent
	List                          bool
	Next, NextTitle               string
	Keys                          map[string]string
}

// overQuestion returns the content of a question that has ended: how it ended, and the next question.
func (v viewer) overQuestion(s queue.Session) overView {
	made := overView{headView: v.head(s), List: v.grant.MayList(),
		Keys: map[string]string{"copy": v.key(action.Copy), "next": v.key(action.Next)}}
	if s.Outcome == nil { // the desk has not loaded the form yet
		made.Head = labels.Loading
		return made
	}
	o := say.OverOf(s, say.OnPage)
	made.Head, made.What, made.How = o.Head, o.What, o.How
	if sent, late := v.view.TooLate(s); late {
		made.TooLate = say.TooLate(s, sent)
	}
	for _, named := range say.TeamReview(*s.Outcome) {
		made.Team = append(made.Team, say.Capital(named[0]+named[1]))
	}
	made.At = say.ClockTime(s.Outcome.At, v.all.d.Now())
	if at, ok := s.Received(); ok {
		made.Received = labels.Received + " " + say.ClockTime(at, v.all.d.Now())
	} else if s.Unconfirmed() {
		made.Received = say.NotConfirmed(s)
	}
	if f := v.view.FormOf(s.ID); f != nil && len(f.Draft().Unsent(s)) > 0 {
		made.Typed = strings.Join(f.Typed(), "\n\n")
	}
	for _, w := range v.all.d.Waiting() {
		if w.ID != s.ID && made.Next == "" && made.List {
			made.Next, made.NextTitle = choicePath+w.ID, say.Title(w.Ask)
		}
	}
	return made
}
