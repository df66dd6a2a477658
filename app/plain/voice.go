package plain

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
	"github.com/choicetui/choicetui/queue/widen"
)

// voice writes the question on view, and what happens to it, as lines. Every part of this package embeds it.
type voice struct {
	printer
	desk       *desk.Desk
	view       *desk.View
	words      vocabulary
	home       string
	complaints map[string]time.Time // when each complaint was last written; see complain
	announced  spot                 // the question that was last written in full
}

// spot names one question of a form, or the form's review.
type spot struct {
	session string
	at      int // the question's index; the number of questions: the review
}

func spotOf(f *form.Form) spot { return spot{f.Session(), f.At()} }

// complain writes a problem, at most once a minute.
func (v *voice) complain(problem string) {
	now := v.desk.Now()
	if at, said := v.complaints[problem]; said && now.Sub(at) < time.Minute {
		return
	}
	v.complaints[problem] = now
	v.say(alarm + problem)
}

// speech returns how sentences are worded here: for lines, with the person's short forms, about the question on view.
func (v *voice) speech() say.Speech {
	in := say.Speech{Frontend: say.InLines, Command: v.words.shortFormOf}
	if f := v.view.Form(); f != nil {
		in.Wanted = say.Wanted(f.Here().Question)
	}
	in.AsksTeam = v.view.Team.WhyNot((*widen.Consult).Begin) == nil
	return in
}

// sayRefusal says why an action did nothing, if it did nothing.
func (v *voice) sayRefusal(why form.WhyNot, a action.Name) {
	if !why.OK() {
		v.say(say.WhyNot(why, a, form.StepSend, v.speech()))
	}
}

// pendingQuestion returns a pending question by its id.
func (v *voice) pendingQuestion(id string) (w queue.Waiting, ok bool) {
	list := v.desk.Waiting()
	if at := v.position(id); at >= 0 {
		return list[at], true
	}
	return w, false
}

// position returns a question's index in the queue; -1 if the question is not pending.
func (v *voice) position(id string) int {
	return slices.IndexFunc(v.desk.Waiting(), func(w queue.Waiting) bool { return w.ID == id })
}

// announce writes the question on view in full.
func (v *voice) announce() {
	f, s, now := v.view.Form(), v.view.Session(), v.desk.Now()
	v.write("")
	v.say(say.AskHeading(s))
	v.say("From " + say.AgentAndPlace(v.desk.Name(s.Origin), s.Origin, v.home) + ".")
	if names := v.desk.MeantFor(s); len(names) > 0 {
		v.say(say.Sentence(say.MeantFor(names)))
	}
	if w, _ := v.pendingQuestion(s.ID); w.Standing == queue.StandingAttached && v.desk.Attach() == "" {
		v.say("It is also open in choicetui attach.")
	}
	if s.Ask.Odd() {
		v.say(alarm + "It has hidden characters, which are shown as <U+202E> and so on.")
	}
	v.announceApproval(s.Ask)
	v.writePrompt(f.Ask().Prompt)
	if f.Reviewing() {
		v.announceReview()
	} else {
		v.announceQuestion()
	}
	v.say(timeLine(s, now, clockEnds(form.AtTheEnd(s.Ask))))
	if f.Changed() && !isBlank(f) {
		role, _ := v.view.Foreign()
		v.say(draftLine(role, f))
	}
	if s.Widen != nil {
		for _, words := range teamPending(s, v.speech()) {
			v.say(words)
		}
	}
	v.say(typedHere(f, v.speech()))
}

// teamPending returns the lines about a question that is with the team: who was asked, where, and what can be typed.
func teamPending(s queue.Session, in say.Speech) []string {
	who, where := say.TeamPanel(s)
	lines := []string{"[pending-external-input] " + who}
	if where != "" {
		lines = append(lines, where)
	}
	return append(lines, bracketLetter(in, action.Fetch, "fetch", " & resolve")+" | [local answer]=type answer | "+
		bracketLetter(in, action.Defer, "defer", ""))
}

// announceApproval writes what an agent wants to do: all of it, then the tool and the directory, and last the heading
// of the agent's reason, which is the prompt.
func (v *voice) announceApproval(ask queue.Ask) {
	a := ask.Approval
	if a == nil {
		return
	}
	if words := say.MarkedLine(a); words != "" {
		v.say(alarm + words)
	}
	if words := say.TaggedLine(a); words != "" {
		v.say(words)
	}
	for _, p := range a.Parts {
		p, _ = p.Shown()
		if v.ascii {
			p = p.InASCII()
		}
		v.say(say.PartLine(p))
		v.block(bar, p.Text)
	}
	if words := say.ApprovalWhereLine(a, v.home); words != "" {
		v.say(words)
	}
	if !queue.Blank(ask.Prompt) {
		v.say(say.ReasonLine)
	}
}

// writePrompt writes a prompt, and above it the agent's hints about asking the team.
func (v *voice) writePrompt(text string) {
	rest, hints := form.CutHints(text)
	v.block(bar, strings.Join(hints, "\n"))
	v.block(bar, rest)
}

// lineComment is the heading of the person's comment.
const lineComment = "Comment"

// announceQuestion writes one question with its options. The text of a form's only question is the prompt or
// the title, which is already written.
func (v *voice) announceQuestion() {
	f := v.view.Form()
	v.announced = spotOf(f)
	q := f.Here()
	if f.Several() {
		v.say(numberedHeader(f, ": "))
		v.writePrompt(q.Text)
	}
	v.say(wantedHeading(q.Question))
	v.announceOptions(q)
	v.writeTyped("Hint from the agent", q.Placeholder)
	v.writeTyped("Your own words so far", q.Words())
	v.writeTyped(lineComment, f.CommentText())
}

// wantedHeading heads the options, or says that there are none.
func wantedHeading(q queue.Question) string {
	if q.Mode == queue.ModeText {
		return "Answer in your own words."
	}
	return say.Capital(say.Wanted(q)) + ":"
}

// announceOptions writes the options of a question; after find only those that have the words.
func (v *voice) announceOptions(q *form.Question) {
	hidden := 0
	for i, o := range q.Options {
		switch {
		case q.Folded(o.ID) && !q.Marked(o.ID):
			hidden++
			continue
		case q.Narrowed() != "" && !slices.Contains(q.Rows(), i):
			continue
		}
		v.say(optionLine(i+1, o, q.Marked(o.ID)))
		v.block(underOption+bar, o.Description)
		v.writeTyped(underOption+"note", q.NoteOn(o.ID))
	}
	if hidden > 0 {
		v.say("  " + say.Count(hidden, "option") + " hidden by your settings: type hidden to see all.")
	}
}

// optionLine returns the line of an option with its number. Our own words come before the colon, so no label can claim
// to be recommended or chosen.
func optionLine(n int, o queue.Option, chosen bool) string {
	words := fmt.Sprintf("  %d", n)
	if chosen {
		words += ", chosen"
	}
	if o.Recommended {
		words += ", recommended"
	}
	return words + ": " + say.OneLine(o.Label)
}

// underOption is the indentation of the lines that belong to an option.
const underOption = "     "

// writeTyped writes a text behind its heading, such as the person's comment.
func (v *voice) writeTyped(what, text string) { v.block(what+" "+bar, text) }

// announceReview writes the answers to all questions of a form before they are sent.
func (v *voice) announceReview() {
	f := v.view.Form()
	v.announced = spotOf(f)
	v.say("Review; all questions are answered:")
	for i := range f.Len() {
		q := f.Question(i)
		v.say(fmt.Sprintf("  %d: %s: %s", i+1, q.Name(), heard(q.Summary(q.Sent()))))
	}
	v.writeTyped(lineComment, f.CommentText())
}
