package portal

import (
	"slices"
	"strings"
	"time"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

// footer returns the footer below the question.
func (v shown) footer() footerView {
	f, b := v.asked.form, v.asked.footer
	made := footerView{shown: v, TeamBack: v.asked.ofTeam, Button: wordsSend}
	if f == nil || v.otherFooter(&made) {
		return made
	}
	plan := v.plan()
	line := say.Enter(plan, typingIn(f), v.agent(), v.in)
	if b.behind != "" {
		line = line.Behind(say.Tail{say.NotTaken(b.behind)})
	}
	if v.asksFirst() {
		line = say.Twice(line, v.in)
	}
	if why, refused := v.guardLine(); refused { // counts more than what Enter would do
		line = why
	}
	made.setLine(line, v.in)
	made.Others, made.Confirms = v.others(), f.Confirming()
	if plan.Step == form.StepSend { // the button says Send already
		made.Line = strings.TrimPrefix(made.Line, "send ")
	}
	made.Button, made.Waits = buttonOf(plan.Step), plan.Step == form.StepNothing
	if made.Waits || plan.Step == form.StepArm { // a button that does nothing yet is named after what it will do
		made.Button = buttonOf(f.StepWhole())
	}
	if inFooter(f.Typing()) {
		v.addReasonField(&made, f)
	}
	return made
}

// otherFooter fills in the footer if it is now about something else than the form: an answer that is held back or being
// stored, an offer, or a question that was set aside. It reports whether that is so.
func (v shown) otherFooter(made *footerView) bool {
	switch b := v.asked.footer; {
	case b.held != "":
		made.Held, made.Button, made.Line = true, "Send now", b.held
	case b.sending != "":
		made.Sending, made.SendingWords = true, b.sending
	case b.offer.verb != "":
		made.setLine(b.offer.line, v.in)
		made.Offer = b.offer.verb
	case b.paused != nil:
		made.setLine(*b.paused, v.in)
		made.Button, made.Paused = wordsBringBack, true
	default:
		return false
	}
	return true
}

// agent returns the name of the asking agent.
func (v shown) agent() string { return say.Who(v.asked.session.Origin) }

// others returns the buttons for the actions on the question that Enter does not carry out.
func (v shown) others() []buttonView {
	f := v.asked.form
	list := []buttonView{{action.AskTeam, "Ask the team…", ""}, {action.Fetch, "Get what they said…", ""},
		{action.Wait, "Wait for them…", ""}, {action.GoOn, "Answer others…", ""}}
	if f.Takes(form.FieldDetail).OK() {
		list = append(list, buttonView{action.Detail, "More detail…", ""})
	}
	if _, aside := v.asked.session.AsideUntil(v.now); aside {
		list = append(list, buttonView{action.Later, wordsBringBack, ""})
	} else {
		list = append(list, buttonView{action.Later, "Later…", ""})
	}
	list = append(list, buttonView{action.Defer, wordsDefer, ""})
	if f.Approves() {
		list = append(list, buttonView{action.Rule, "Make a rule…", ""})
	}
	if words := v.asked.footer.alike; words != "" {
		list = append(list, buttonView{action.Alike, words, ""})
	}
	return v.buttons(list...)
}

// footerButtons lists the actions that buttons in the footer may have.
var footerButtons = []action.Name{action.AskTeam, action.Fetch, action.Wait, action.GoOn, action.Detail, action.Later,
	action.Defer, action.Rule, action.Alike}

// buttons returns the buttons whose action is possible now, with their keys.
func (v shown) buttons(list ...buttonView) (possible []buttonView) {
	for _, b := range list {
		if slices.Contains(v.asked.footer.can, b.Do) {
			b.Key = v.Key(b.Do)
			possible = append(possible, b)
		}
	}
	return possible
}

// guardLine returns why the guard refused a key, to be shown in place of the button's effect; refused is false if it
// refused none.
func (v shown) guardLine() (why say.Line, refused bool) {
	b, typing := v.asked.footer, v.asked.form.Typing()
	if typing != form.FieldNone && typing != form.FieldFind {
		if b.asks {
			return v.askMeant(), true
		}
		if typing != form.FieldText {
			return why, false
		}
	}
	return b.refused, len(b.refused.Pieces) > 0
}

// askMeant asks whether the text being typed was meant for this question, or for one of its keys.
func (v shown) askMeant() say.Line {
	f := v.asked.form
	plan := f.Plan(form.Facts{})
	if b := v.asked.footer.keyTyped; b != nil {
		return say.KeyOrText(*b, f.TypedText(), plan, v.in)
	}
	whom := v.agent()
	if v.asked.ofTeam {
		whom = say.YourTeam
	}
	return say.WasMeant(whom, say.DoesWith(f.Typing(), plan), v.in)
}

// asksFirst reports whether Enter in the field of the person's own words would ask about them first.
func (v shown) asksFirst() bool {
	f, b := v.asked.form, v.asked.footer
	return f.Typing() == form.FieldText && f.TextSends() && !b.asks && (b.doubts || b.letter)
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
func (v shown) plan() form.Plan {
	s := v.asked.session
	soon := !v.asked.ofTeam && s.HasClock() && say.ShownLeft(s, v.now) < time.Minute
	p := say.Allows(v.asked.form.PlanTyped(form.Facts{Soon: soon, Gone: v.asked.footer.gone}), s.Ask)
	if _, allows := p.Has(form.PieceAllows); allows {
		p.Object = say.Short(p.Object, mostNamed) // all of it is above
	}
	return p
}

// mostNamed is the most characters of a request that are named beside the button.
const mostNamed = 80

// addReasonField fills in the field for why the person cancels or refuses, or what they want to know, with the
// label of its button and the suggested texts.
func (v shown) addReasonField(made *footerView, f *form.Form) {
	label := "Why? The agent is told (optional)"
	if f.Instead() {
		label = say.Capital(strings.TrimSuffix(say.InsteadLabel(func(string) bool { return true }), ": "))
	}
	made.Reason = v.field("reason", label, "", action.Cancel)
	made.EndIt = "Cancel the question"
	switch f.Typing() {
	case form.FieldRefusal:
		made.Reason = v.field("refusal", label, "", action.Refuse)
		made.EndIt = "Refuse it"
	case form.FieldDetail:
		made.Detail = true
		made.Reason = v.field("detail", "What do you want to know? (optional)", "", action.Detail)
		made.EndIt = "Ask for more detail"
	}
	for i, words := range v.ready {
		made.Ready = append(made.Ready, readyView{i + 1, words, f.ReasonText() == words})
	}
}

// overView is a question that has ended.
type overView struct {
	shown
	headView
	Head, What, How, At, Received string
	Team                          []string // the team's answer, and the reason for the decision
	TooLate                       string   // the answer that was given here and came too late
	Typed                         string   // text that was typed and not sent
	List                          bool
	Next, NextTitle               string
}

// over returns the content of a question that has ended: how it ended, and the next question.
func (v shown) over() overView {
	s := v.asked.session
	made := overView{shown: v, headView: v.head(), List: v.mayList}
	if s.Outcome == nil { // the desk has not loaded the form yet
		made.Head = wordsLoading
		return made
	}
	o := say.OverOf(s, say.OnPage)
	made.Head, made.What, made.How, made.TooLate = o.Head, o.What, o.How, v.asked.tooLate
	for _, named := range say.TeamReview(*s.Outcome) {
		made.Team = append(made.Team, say.Capital(named[0]+named[1]))
	}
	made.At = say.ClockTime(s.Outcome.At, v.now)
	if at, ok := s.Received(); ok {
		made.Received = "received " + say.ClockTime(at, v.now)
	} else if s.Unconfirmed() {
		made.Received = say.NotConfirmed(s)
	}
	if f := v.asked.form; f != nil && len(f.Draft().Unsent(s)) > 0 {
		made.Typed = strings.Join(f.Typed(), "\n\n")
	}
	if v.mayList && v.asked.nextID != "" {
		made.Next, made.NextTitle = choicePath+v.asked.nextID, say.Title(v.asked.next)
	}
	return made
}

// buttonOf returns the label of the button that does what Enter does.
func buttonOf(step form.Step) string {
	switch step {
	case form.StepTake, form.StepOpen, form.StepConfirm:
		return wordsGoOn
	case form.StepType:
		return "Type your words"
	}
	return wordsSend
}

// buttonOffered returns the label of the button that does what is offered.
func buttonOffered(o *action.Offer) string {
	return map[action.Name]string{action.Later: "Set it aside", action.Hide: "Hide it", action.Rule: "Make the rule",
		action.StartOver: "Reset all", action.Fetch: "Get their replies", action.Wait: "Wait for them",
		action.GoOn: "Answer others"}[o.Action]
}
