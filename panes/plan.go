package panes

import (
	"fmt"
	"strings"
	"time"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
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
	Parts []ink.Part // of Words, most important first
	Tails []ink.Tail // most important first
}

// Enter plans what Enter does on this form.
func (f *Form) Enter(g ink.Glyphs) Plan {
	switch f.field {
	case FieldNone:
		switch {
		case f.confirming:
			return f.confirmParts(f.enterConfirm(g))
		case f.Reviewing():
			return f.reviewParts(f.enterReview(g))
		case f.Several():
			return f.severalParts(f.enterSeveral(f.enterRow(g), g))
		case f.Session.Ask.Confirm:
			p := f.enterUnconfirmed(f.enterRow(g), g)
			p.Parts = append(p.Parts, ink.Part{Text: ", then confirm", Short: []string{", confirm"}, Nice: true})
			return p
		}
		return f.enterRow(g)
	case FieldReason:
		who := say.Who(f.Session.Origin)
		return f.measured(Plan{Step: StepCancel, Words: g.Enter + " cancel and tell " + who, Parts: []ink.Part{{Text: who, Least: leastLabel}}})
	case FieldFind:
		return Plan{Step: StepEnd, Words: fmt.Sprintf("%s done · %d of %d match", g.Enter, f.optionRows(), len(f.q().Options))}
	}
	p := Plan{Step: StepEnd, Words: g.Enter + " done"}
	if f.field == FieldText && f.q().Mode == queue.ModeText {
		p.Tails = []ink.Tail{{"then " + g.Enter + " send your words", "then " + g.Enter + " sends", ""}}
	}
	return f.measured(p)
}

// leastLabel is how few cells are left of what an Enter line names.
const leastLabel = 8

// severalParts are the parts of a plan that takes one answer and goes on.
func (f *Form) severalParts(p Plan) Plan {
	if p.Step != StepTake {
		return p
	}
	if next := f.nextOpen(); next < len(f.tabs) {
		name := f.tabName(next)
		return p.nice(", on to "+name, ", on to "+ink.Cut(name, leastLabel, f.glyphs().Ellipsis), ", next")
	}
	return p.nice(", on to the review", ", review")
}

// reviewParts are the parts of a plan in the review.
func (f *Form) reviewParts(p Plan) Plan {
	if i := f.firstOpen(); i >= 0 {
		p.Parts = append(p.Parts, ink.Part{Text: f.tabName(i), Least: leastLabel})
	}
	return p.nice(" not answered yet", " open")
}

// confirmParts are the parts of a plan in the confirmation.
func (f *Form) confirmParts(p Plan) Plan {
	p.Parts = append(p.Parts, ink.Part{Text: f.choice(), Least: leastLabel})
	p = p.nice(" does nothing here: ", " does nothing: ", " nothing: ")
	return p.nice(" not seen ", " unseen ")
}

// nice adds a part that gives way before any warning does.
func (p Plan) nice(text string, short ...string) Plan {
	p.Parts = append(p.Parts, ink.Part{Text: text, Short: short, Nice: true})
	return p
}

// Closing adds to a plan that sends that the form then closes: the least important thing in the line.
func (p Plan) Closing() Plan {
	if p.Step == StepSend {
		p.Words += ", then this closes"
		p = p.nice(", then this closes", ", then closes", "")
	}
	return p
}

func (f *Form) optionRows() int {
	n := len(f.rows)
	if f.q().TakesText() {
		n--
	}
	return n
}

func (f *Form) enterRow(g ink.Glyphs) Plan {
	q, text := f.q(), !queue.Blank(f.reply.Text)
	switch {
	case len(f.rows) == 0:
		shows := say.Keyed(": ", f.key(keys.ActBack), " shows all options")
		return Plan{Words: "nothing matches" + shows}.nice(" shows all options", " shows all")
	case f.onText() && !text:
		return Plan{Step: StepType, Words: g.Enter + " type your words"}
	case f.Radio() && len(f.reply.Selected) == 0 && !f.onText():
		return Plan{Words: "move to an option first"}
	case f.Radio():
		p := f.send(g)
		if text && !f.onText() {
			p.Tails = append([]ink.Tail{{"your words stay, unsent", "words unsent", "unsent"}}, p.Tails...)
		}
		return p
	}
	n := len(f.reply.Selected)
	switch {
	case q.Mode == queue.ModeText:
		return f.send(g)
	case n < q.Min:
		have := fmt.Sprintf("%d marked, %s wanted", n, span(q))
		return Plan{Words: fmt.Sprintf("%s mark %d more · %s", g.Enter, q.Min-n, have)}.nice(have, fmt.Sprintf("%d of %s", n, span(q)))
	case n == 0 && q.Mode == queue.ModeHybrid && !text:
		typing := say.Keyed(", or ", f.key(keys.ActText), " to type")
		return Plan{Words: g.Enter + " mark something" + typing + " · nothing marked yet"}.nice(" · nothing marked yet", "")
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
func (f *Form) send(g ink.Glyphs) Plan {
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
				labels = append(labels, say.OneLine(o.Label))
			}
		}
	}
	p := Plan{Step: StepSend}
	label := strings.Join(labels, ", ")
	words, added := label, f.added(r, a)
	if label != "" {
		p.Parts = []ink.Part{{Text: label, Least: leastLabel}}
	}
	if len(labels) > 1 {
		words = fmt.Sprintf("%d: %s", len(labels), label)
	}
	if words == "" && len(added) > 0 {
		words, added = added[0], added[1:]
	}
	if len(added) > 0 {
		plus := " + " + strings.Join(added, " + ")
		p.Parts = append(p.Parts, ink.Part{Text: plus, Short: shortAdded(added)})
		words += plus
	}
	p.Words = g.Enter + " send " + words
	if f.leavesNotes() {
		p.Tails = []ink.Tail{{"your notes stay, unsent: they are off", "notes unsent"}}
	}
	return p
}

// added is what goes out beside what is marked.
func (f *Form) added(r queue.Reply, a queue.Answer) (plus []string) {
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
	return plus
}

// shortAdded are the shorter forms of what is added: " + words, note", then how many texts.
func shortAdded(added []string) []string {
	short := []string{" + " + strings.Replace(strings.Join(added, ", "), "your words", "words", 1)}
	if len(added) > 1 {
		short = append(short, fmt.Sprintf(" +%d texts", len(added)))
	}
	return short
}

// Arm remembers the first Enter with nothing marked.
func (f *Form) Arm() { f.armed = true }

// Clock says under a minute what happens when the time is up; empty before.
func (f *Form) Clock(now time.Time) ink.Tail {
	s := f.Session
	if s.Deadline.IsZero() || say.ShownLeft(s, now) >= time.Minute || s.Outcome != nil {
		return nil
	}
	if s.Ask.OnTimeout == queue.OnTimeoutDefaults {
		if d := queue.StartAnswer(s.Ask); len(d.Replies) > 0 && len(d.Replies[0].Selected) > 0 {
			what, dots := s.Ask.Summary(d), f.glyphs().Ellipsis
			return ink.Tail{"at 0:00 sends " + what, "at 0:00 sends " + ink.Cut(what, 2*leastLabel, dots), "0:00 sends " + ink.Cut(what, leastLabel, dots)}
		}
	}
	return ink.Tail{"at 0:00 no answer", "0:00 no answer", "0:00 none"}
}
