package panes

import (
	"fmt"
	"strings"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// Step is what Enter would do now.
type Step int

// Steps of Enter on a question.
const (
	StepNothing Step = iota
	StepSend
	StepType // begin typing the own words
	StepArm  // nothing is marked: say so, a second Enter sends
	StepEnd  // end typing
	StepTake // take this answer and go to the next question
	StepTab  // go to the first question without an answer
	StepConfirm
	StepCancel
)

// Plan is what Enter would do now and the words that say so; the screen shows the words, the key does the step,
// so that the two cannot differ. Refused: the step is nothing and why is in the words.
type Plan struct {
	Step  Step
	Words string
	Tails []Tail // said as far as they fit, most important first
}

// Enter plans what Enter does on this form.
func (f *Form) Enter(g Glyphs) Plan {
	switch f.field {
	case FieldNone:
		switch {
		case f.confirming:
			return f.enterConfirm(g)
		case f.Reviewing():
			return f.enterReview(g)
		case f.Several():
			return f.enterSeveral(f.enterRow(g), g)
		case f.Session.Ask.Confirm:
			return f.enterUnconfirmed(f.enterRow(g), g)
		}
		return f.enterRow(g)
	case FieldReason:
		return f.measured(Plan{Step: StepCancel, Words: g.Enter + " cancel and tell " + Who(f.Session.Origin), Tails: []Tail{{f.rules.Keys.key(PlaceReason, ActReasonUp) + f.rules.Keys.key(PlaceReason, ActReasonDown) + " ready reasons"}}})
	case FieldFind:
		return Plan{Step: StepEnd, Words: fmt.Sprintf("%s done · %d of %d match", g.Enter, f.optionRows(), len(f.q().Options))}
	}
	words := g.Enter + " done"
	if f.field == FieldText && f.q().Mode == queue.ModeText {
		words += " · then " + g.Enter + " send your words"
	}
	return f.measured(Plan{Step: StepEnd, Words: words})
}

func (f *Form) optionRows() int {
	n := len(f.rows)
	if f.q().TakesText() {
		n--
	}
	return n
}

func (f *Form) enterRow(g Glyphs) Plan {
	q, text := f.q(), !queue.Blank(f.reply.Text)
	switch {
	case len(f.rows) == 0:
		return Plan{Words: "nothing matches" + keyed(": ", f.key(ActBack), " shows all options")}
	case f.onText() && !text:
		return Plan{Step: StepType, Words: g.Enter + " type your words"}
	case f.Radio() && len(f.reply.Selected) == 0 && !f.onText():
		return Plan{Words: "move to an option first"}
	case f.Radio():
		p := f.send(g)
		if text && !f.onText() {
			p.Tails = append([]Tail{{"your words stay, unsent", "words unsent"}}, p.Tails...)
		}
		return p
	}
	n := len(f.reply.Selected)
	switch {
	case q.Mode == queue.ModeText:
		return f.send(g)
	case n < q.Min:
		return Plan{Words: fmt.Sprintf("%s mark %d more · %d marked, %s wanted", g.Enter, q.Min-n, n, span(q))}
	case n == 0 && q.Mode == queue.ModeHybrid && !text:
		return Plan{Words: g.Enter + " mark something" + keyed(", or ", f.key(ActText), " to type") + " · nothing marked yet"}
	case n == 0 && !text && !f.armed:
		return Plan{Step: StepArm, Words: g.Enter + " " + g.Enter + " send nothing marked"}
	case n == 0 && !text:
		return Plan{Step: StepSend, Words: g.Enter + " again to send nothing marked"}
	}
	return f.send(g)
}

func span(q queue.Question) string {
	if q.Min == q.Max {
		return fmt.Sprint(q.Min)
	}
	return fmt.Sprintf("%d to %d", q.Min, q.Max)
}

// send words what goes out: `send 2: POST /checkout, POST /login + note`.
func (f *Form) send(g Glyphs) Plan {
	q := f.q()
	a := f.Answer()
	r := a.Replies[f.at]
	if long := tooLong(r, a.Comment); long != "" {
		return Plan{Words: long}
	}
	var labels []string
	for _, o := range q.Options {
		for _, id := range r.Selected {
			if id == o.ID {
				labels = append(labels, line(o.Label))
			}
		}
	}
	words := strings.Join(labels, ", ")
	if len(labels) > 1 {
		words = fmt.Sprintf("%d: %s", len(labels), words)
	}
	var plus []string
	if !queue.Blank(r.Text) {
		plus = append(plus, "your words")
	}
	switch len(r.Notes) {
	case 0:
	case 1:
		plus = append(plus, "note")
	default:
		plus = append(plus, fmt.Sprintf("%d notes", len(r.Notes)))
	}
	if !queue.Blank(a.Comment) && !f.Several() {
		plus = append(plus, "comment")
	}
	if words == "" && len(plus) > 0 {
		words, plus = plus[0], plus[1:]
	}
	for _, p := range plus {
		words += " + " + p
	}
	p := Plan{Step: StepSend, Words: g.Enter + " send " + words}
	if f.leavesNotes() {
		p.Tails = []Tail{{"your notes stay, unsent: they are off", "notes unsent"}}
	}
	return p
}

// Arm remembers the first Enter with nothing marked.
func (f *Form) Arm() { f.armed = true }

// Clock says under a minute what happens when the time is up; empty before.
func (f *Form) Clock(now time.Time) string {
	s := f.Session
	if s.Deadline.IsZero() || s.Deadline.Sub(now) >= time.Minute || s.Outcome != nil {
		return ""
	}
	if s.Ask.OnTimeout == queue.OnTimeoutDefaults {
		if d := queue.StartAnswer(s.Ask); len(d.Replies) > 0 && len(d.Replies[0].Selected) > 0 {
			return "at 0:00 sends " + s.Ask.Summary(d)
		}
	}
	return "at 0:00 no answer"
}

// Who is what the agent is called in words like "cancel and tell claude".
func Who(o queue.Origin) string {
	if name := o.ClientName(); name != "" {
		return name
	}
	return "the agent"
}
