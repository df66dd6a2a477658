package plain

import (
	"slices"
	"strings"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// announce writes the question on view in full.
func (d *Desk) announce() {
	f := d.form
	s := f.s
	d.out.write("")
	d.say("%s %s: %s", kindWord(s.Ask), s.ID, say.OneLine(s.Ask.Title))
	d.say("From %s.", d.origin(s.Origin))
	if i := slices.IndexFunc(d.waiting, func(w queue.Waiting) bool { return w.ID == s.ID }); i >= 0 && d.waiting[i].Standing == queue.StandingAttached && d.o.Attach == "" {
		d.say("It is open in a form of its own elsewhere.")
	}
	if _, odd := queue.Visible(allText(s.Ask)); odd {
		d.say("! It holds hidden characters; they are written as <U+202E> and the like.")
	}
	d.out.block("| ", s.Ask.Prompt)
	if f.Reviewing() {
		d.announceReview()
	} else {
		d.announceQuestion()
	}
	d.say("Time: %s.%s", d.timeLeft(s), then(s))
	if f.Changed() {
		d.say("From your draft: %s.", say.Heard(f.summary()))
	}
	d.say("%s", d.hint())
}

func kindWord(a queue.Ask) string {
	if a.Kind == queue.KindApproval {
		return "Approval"
	}
	return "Question"
}

// origin is who asks, and where from.
func (d *Desk) origin(o queue.Origin) string {
	words := d.names.Of(o)
	dir := say.Tilde(say.OneLine(o.Cwd), d.o.Home)
	if dir != "" {
		words += ", " + dir
	}
	if o.Branch != "" {
		words += " (" + say.OneLine(o.Branch) + ")"
	}
	return words
}

// announceQuestion writes one question with its options. What is ours stands before the number's colon, so that no
// label can claim to be recommended or chosen.
func (d *Desk) announceQuestion() {
	f := d.form
	q := f.Here()
	if f.Several() {
		d.say("%d of %d%s", f.At()+1, f.Len(), headed(q.Question, ": "))
		d.out.block("| ", q.Text)
	}
	if q.Mode == queue.ModeText {
		d.say("Your own words are wanted.")
	} else {
		d.say("%s:", capital(wanted(q.Question)))
	}
	hidden := 0
	for i, o := range q.Options {
		if q.Folded(o.ID) && !q.Marked(o.ID) {
			hidden++
			continue
		}
		mark := ""
		if q.Marked(o.ID) {
			mark += ", chosen"
		}
		if o.Recommended {
			mark += ", recommended"
		}
		d.say("  %d%s: %s", i+1, mark, say.OneLine(o.Label))
		d.out.block("     | ", o.Description)
		d.out.block("     note | ", q.NoteOn(o.ID))
	}
	if hidden > 0 {
		d.say("  %d more by your settings not shown: the word hidden shows them.", hidden)
	}
	if q.Placeholder != "" {
		d.out.block("For your own words it suggests | ", q.Placeholder)
	}
	d.out.block("Your own words so far | ", q.Words())
	d.out.block("Comment | ", f.CommentText())
}

func headed(q queue.Question, before string) string {
	if q.Header == "" {
		return ""
	}
	return before + say.OneLine(q.Header)
}

// announceReview writes the answers to several questions before they go out.
func (d *Desk) announceReview() {
	d.say("Review, all are answered:")
	for i, q := range d.form.s.Ask.Questions {
		name := say.OneLine(q.Header)
		if name == "" {
			name = say.OneLine(q.Text)
		}
		d.say("  %d: %s: %s", i+1, name, say.Heard(q.Summary(d.form.Question(i).Sent())))
	}
	d.out.block("Comment | ", d.form.CommentText())
}

// hint says what can be typed, the most useful first.
func (d *Desk) hint() string {
	f, w := d.form, d.words
	q := f.Here()
	var parts []string
	switch {
	case f.Reviewing():
		parts = append(parts, "Enter sends after a last look, a number changes one")
	case q.Mode == queue.ModeMulti || q.Mode == queue.ModeHybrid && !q.Question.Radio():
		parts = append(parts, "Type the numbers of all you choose, such as 1 3")
	case q.Mode != queue.ModeText:
		parts = append(parts, "Type a number")
	}
	if q.TakesText() && !f.Reviewing() {
		parts = append(parts, w.short("text")+" and your own words")
	}
	if q.Annotate && len(q.Options) > 0 && !f.Reviewing() {
		parts = append(parts, w.short("note")+" 1 and a note on option 1")
	}
	if f.MayComment().OK() {
		parts = append(parts, w.short("comment")+" and a comment")
	}
	parts = append(parts, w.short("cancel")+" to cancel", "help for the rest")
	return strings.Join(parts, "; ") + "."
}

// timeLeft is the deadline in words.
func (d *Desk) timeLeft(s queue.Session) string {
	if s.Deadline.IsZero() {
		return "the clock stands still"
	}
	return say.Spoken(s.Deadline.Sub(d.now())) + " left, until " + s.Deadline.Local().Format("15:04:05")
}

// then says what the clock does at the end.
func then(s queue.Session) string {
	if s.Deadline.IsZero() {
		return ""
	}
	return " Then " + atTheEnd(s) + "."
}

func atTheEnd(s queue.Session) string {
	if s.Ask.OnTimeout == queue.OnTimeoutDefaults {
		a := queue.StartAnswer(s.Ask)
		for _, r := range a.Replies {
			if len(r.Selected) > 0 {
				return "this is sent: " + say.Heard(s.Ask.Summary(a))
			}
		}
	}
	return "no answer is given"
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

func who(o queue.Origin) string { return say.Who(o) }

// allText is everything in an ask that a person may read.
func allText(a queue.Ask) string {
	parts := []string{a.Title, a.Prompt, a.ConfirmMessage, a.Comment}
	for _, q := range a.Questions {
		parts = append(parts, q.Header, q.Text, q.Placeholder)
		for _, o := range q.Options {
			parts = append(parts, o.Label, o.Description, o.Note)
		}
	}
	return strings.Join(parts, "\n")
}
