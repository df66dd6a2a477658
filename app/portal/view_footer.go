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
	TeamBack     bool   // the button that leaves the page about the team
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
func (g *page) footer() footerView {
	f := g.view.FormOf(g.id)
	made := footerView{Button: wordsSend, Keys: map[string]string{
		"cancel":    g.key(action.Cancel),
		"undo_last": g.key(action.UndoLast)}}
	if f == nil || g.otherFooter(&made) {
		return made
	}
	plan := g.plan(f)
	line := say.Enter(plan, typingIn(f), g.agent(), g.speech())
	if says := g.view.Guard.Says(g.all.d.Now()); says.Behind != "" {
		line = line.Behind(say.Tail{say.NotTaken(says.Behind)})
	}
	if g.asksFirst(f) {
		line = say.Twice(line, g.speech())
	}
	roundLine, inRound := g.roundFooter(&made)
	if inRound {
		line = roundLine
	}
	if why, refused := g.guardLine(f); refused { // counts more than what Enter would do
		line = why
	}
	g.setLine(&made, line)
	made.Others = g.others(f, inRound)
	if plan.Step == form.StepSend { // the button says Send already
		made.Line = strings.TrimPrefix(made.Line, "send ")
	}
	made.Button, made.Waits = buttonOf(plan.Step), plan.Step == form.StepNothing
	if made.Waits || plan.Step == form.StepArm { // a button that does nothing yet is named after what it will do
		made.Button = buttonOf(f.StepWhole())
	}
	if inFooter(f.Typing()) {
		g.addReasonField(&made, f)
	}
	if inRound {
		made.Button, made.Waits = wordsGoOn, made.Waits || g.linesUnread() > 0
	}
	return made
}

// otherFooter fills in the bar if it is now about something else than the form: an answer that is held back or being
// stored, an offer, a question that was set aside, or the team. It reports whether that is so.
func (g *page) otherFooter(made *footerView) bool {
	out := g.all.d.Outbox().Of(g.id)
	_, paused := g.view.Paused()
	switch c := g.consult(); {
	case g.held() != nil:
		made.Held, made.Button = true, "Send now"
		what, left := g.last.Ask.Summary(g.held().Answer()), g.held().Until().Sub(g.all.d.Now())
		made.Line = say.Held(what, left, g.speech()).In("·")
	case out != nil:
		made.Sending, made.SendingWords = true, "Sending…"
		if out.Err != nil {
			made.SendingWords = say.Capital(say.AnswerUnsaved(say.Cause(out.Err)))
		}
	case g.board.Offers():
		g.setLine(made, g.offered.line)
		made.Offer = g.offered.verb
	case paused && g.form() != nil:
		g.setLine(made, g.pausedLine())
		made.Button, made.Paused = wordsBringBack, true
	case c != nil:
		g.consultFooter(made, c)
	default:
		return false
	}
	return true
}

// others returns the buttons for the actions on the question that Enter does not carry out. inRound: similar approvals
// are looked through.
func (g *page) others(f *form.Form, inRound bool) []buttonView {
	list := []buttonView{{action.AskTeam, "Ask the team…", ""}, {action.Fetch, "Get what they said…", ""},
		{action.Wait, "Wait for them…", ""}, {action.GoOn, "Answer others…", ""}}
	if f.Takes(form.FieldDetail).OK() {
		list = append(list, buttonView{action.Detail, "More detail…", ""})
	}
	if _, aside := g.session().AsideUntil(g.all.d.Now()); aside {
		list = append(list, buttonView{action.Later, wordsBringBack, ""})
	} else if !inRound {
		list = append(list, buttonView{action.Later, "Later…", ""})
	}
	list = append(list, buttonView{action.Defer, wordsDefer, ""})
	if inRound {
		list = append(list, buttonView{action.Previous, "Previous", ""},
			buttonView{action.Next, wordsGoOn, ""})
	}
	if !inRound && f.Approves() {
		list = append(list, buttonView{action.Rule, "Make a rule…", ""})
		if n := g.view.Round.Alike(); n > 0 {
			list = append(list, buttonView{action.Alike, say.Capital(say.RoundHint(n).Long), ""})
		}
	}
	return g.buttons(list...)
}

// buttons returns the buttons whose action is possible now and allowed on this page, with their keys.
func (g *page) buttons(list ...buttonView) (possible []buttonView) {
	at := g.board.At()
	for _, b := range list {
		if g.form() != nil && at.WhyNot(b.Do).OK() && g.mayNot(b.Do) == "" {
			b.Key = g.key(b.Do)
			possible = append(possible, b)
		}
	}
	return possible
}

// pausedLine returns the line that says when a question that was set aside comes back.
func (g *page) pausedLine() say.Line {
	until, _ := g.view.Paused()
	return say.Words(say.Paused(until, g.speech())[0])
}

// guardLine returns why the guard refused a key, to be shown in place of the button's effect; refused is false if it
// refused none.
func (g *page) guardLine(f *form.Form) (why say.Line, refused bool) {
	if typing := f.Typing(); typing != form.FieldNone && typing != form.FieldFind {
		if _, asks := g.view.Guard.Doubts(f.TextSends()); asks {
			return g.askMeant(f), true
		}
		if typing != form.FieldText {
			return why, false
		}
	}
	says := g.view.Guard.Says(g.all.d.Now())
	why = say.NotYet(says.NotTaken, says.Why, says.Before, says.Again, g.speech())
	return why, len(why.Pieces) > 0
}

// askMeant asks whether the text being typed was meant for this question, or for one of its keys.
func (g *page) askMeant(f *form.Form) say.Line {
	plan := f.Plan(form.Facts{})
	if b := g.board.KeyTyped(); b != nil {
		return say.KeyOrText(*b, f.TypedText(), plan, g.speech())
	}
	return say.WasMeant(g.agent(), say.DoesWith(f.Typing(), plan), g.speech())
}

// asksFirst reports whether Enter in the field of the person's own words would ask about them first.
func (g *page) asksFirst(f *form.Form) bool {
	doubts, asks := g.view.Guard.Doubts(f.TextSends())
	return f.Typing() == form.FieldText && f.TextSends() && !asks && (doubts || g.board.LetterTyped())
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
func (g *page) plan(f *form.Form) form.Plan {
	s, now := g.session(), g.all.d.Now()
	soon := s.HasClock() && say.ShownLeft(s, now) < time.Minute
	return f.PlanTyped(form.Facts{Soon: soon, Gone: s.Gone(g.all.d.Alive)})
}

// setLine puts a line into the bar, and splits off the sign for Enter, which is drawn as a key.
func (g *page) setLine(b *footerView, l say.Line) {
	b.Line = l.In("·")
	if rest, begins := strings.CutPrefix(b.Line, g.speech().Enter+" "); begins {
		b.Enter, b.Line = enterName, rest
	}
}

// addReasonField fills in the field for why the person cancels or refuses, or what they want to know, with the
// label of its button and the suggested texts.
func (g *page) addReasonField(made *footerView, f *form.Form) {
	label := "Why? The agent is told (optional)"
	if f.Instead() {
		label = say.Capital(strings.TrimSuffix(say.InsteadLabel(func(string) bool { return true }), ": "))
	}
	made.Reason = g.field("reason", label, "", action.Cancel)
	made.EndIt = "Cancel the question"
	switch f.Typing() {
	case form.FieldRefusal:
		made.Reason = g.field("refusal", label, "", action.Refuse)
		made.EndIt = "Refuse it"
		if n, _ := g.view.Round.At(); n > 0 { // the button keeps the refusal and shows the next approval
			made.EndIt = wordsGoOn
		}
	case form.FieldDetail:
		made.Detail = true
		made.Reason = g.field("detail", "What do you want to know? (optional)", "", action.Detail)
		made.EndIt = "Ask for more detail"
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
func (g *page) overQuestion(s queue.Session) overView {
	made := overView{headView: g.head(s), List: g.web.MayList(),
		Keys: map[string]string{"copy": g.key(action.Copy), "next": g.key(action.Next)}}
	if s.Outcome == nil { // the desk has not loaded the form yet
		made.Head = wordsLoading
		return made
	}
	o := say.OverOf(s, say.OnPage)
	made.Head, made.What, made.How = o.Head, o.What, o.How
	if sent, late := g.view.TooLate(s); late {
		made.TooLate = say.TooLate(s, sent)
	}
	for _, named := range say.TeamReview(*s.Outcome) {
		made.Team = append(made.Team, say.Capital(named[0]+named[1]))
	}
	made.At = say.ClockTime(s.Outcome.At, g.all.d.Now())
	if at, ok := s.Received(); ok {
		made.Received = "received " + say.ClockTime(at, g.all.d.Now())
	} else if s.Unconfirmed() {
		made.Received = say.NotConfirmed(s)
	}
	if f := g.view.FormOf(s.ID); f != nil && len(f.Draft().Unsent(s)) > 0 {
		made.Typed = strings.Join(f.Typed(), "\n\n")
	}
	for _, w := range g.all.d.Waiting() {
		if w.ID != s.ID && made.Next == "" && made.List {
			made.Next, made.NextTitle = choicePath+w.ID, say.Title(w.Ask)
		}
	}
	return made
}
