package plain

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/queue"
)

// form is one session being answered: pure state. Option numbers count all options of a question, also hidden ones,
// so that a number means the same all the time.
type form struct {
	s      queue.Session
	answer queue.Answer // a reply for each question, in order; a radio's text stays here while an option is chosen
	taken  []bool       // which questions were answered
	at     int          // the question on view; the number of questions: the review
	hidden panes.Hidden
	all    bool // hidden options are shown
	wrote  bool // the person changed something, here or in the draft
	own    bool // the person chose or typed something here: no draft from elsewhere takes its place
}

func newForm(s queue.Session, hidden panes.Hidden, draft *queue.Draft) *form {
	f := &form{s: s, hidden: hidden, answer: queue.StartAnswer(s.Ask), taken: make([]bool, len(s.Ask.Questions))}
	if draft == nil {
		return f
	}
	f.wrote, f.answer.Comment = true, draft.Answer.Comment
	for i, q := range s.Ask.Questions {
		for _, r := range draft.Answer.Replies {
			if r.Question == q.ID {
				f.answer.Replies[i] = cloned(r)
			}
		}
		f.taken[i] = len(s.Ask.Questions) > 1 && slices.Contains(draft.Answered, q.ID)
	}
	f.at = max(f.open(0), 0)
	return f
}

func cloned(r queue.Reply) queue.Reply {
	r.Selected, r.Notes = slices.Clone(r.Selected), maps.Clone(r.Notes)
	return r
}

// draft is everything chosen and typed, also what would not be sent.
func (f *form) draft() queue.Draft {
	d := queue.Draft{Session: f.s.ID, Answer: queue.Answer{Comment: f.answer.Comment}}
	for i, r := range f.answer.Replies {
		d.Answer.Replies = append(d.Answer.Replies, cloned(r))
		if f.taken[i] {
			d.Answered = append(d.Answered, r.Question)
		}
	}
	return d
}

func (f *form) several() bool { return len(f.s.Ask.Questions) > 1 }
func (f *form) review() bool  { return f.at >= len(f.s.Ask.Questions) }

// q and reply are the question on view and what is answered to it; in a review, the last.
func (f *form) q() queue.Question   { return f.s.Ask.Questions[f.index()] }
func (f *form) reply() *queue.Reply { return &f.answer.Replies[f.index()] }
func (f *form) index() int          { return min(f.at, len(f.s.Ask.Questions)-1) }

// open is the first question from i on, and then from the start, that was not answered; -1: none.
func (f *form) open(i int) int {
	n := len(f.taken)
	for k := range n {
		if at := (i + k) % n; !f.taken[at] {
			return at
		}
	}
	return -1
}

// take counts the question on view as answered and goes to the next open one, else to the review.
func (f *form) take() {
	f.own = true
	f.taken[f.index()] = true
	if f.at = f.open(f.at + 1); f.at < 0 {
		f.at = len(f.s.Ask.Questions)
	}
}

// sent is what would go out now: where the text is one of the rows, it stays behind an option.
func (f *form) sent() queue.Answer {
	out := queue.Answer{Comment: f.answer.Comment}
	for i := range f.answer.Replies {
		out.Replies = append(out.Replies, f.sentReply(i))
	}
	return out
}

func (f *form) sentReply(i int) queue.Reply {
	r := cloned(f.answer.Replies[i])
	if f.s.Ask.Questions[i].Radio() && len(r.Selected) > 0 {
		r.Text = ""
	}
	return r
}

// choose sets the selection to the options of these numbers; the error says why not.
func (f *form) choose(numbers []int) error {
	q := f.q()
	if q.Mode == queue.ModeText {
		return fmt.Errorf("this question has no options: it wants your words")
	}
	var ids []string
	for _, n := range slices.Sorted(slices.Values(numbers)) { // said back in the order in which it goes out
		switch {
		case n < 1 || n > len(q.Options):
			return fmt.Errorf("there is no option %d: they go from 1 to %d", n, len(q.Options))
		case f.hides(q.Options[n-1]):
			return fmt.Errorf("option %d is hidden: the word hidden shows it first", n)
		case !slices.Contains(ids, q.Options[n-1].ID):
			ids = append(ids, q.Options[n-1].ID)
		}
	}
	if q.Max > 0 && len(ids) > q.Max {
		return fmt.Errorf("%d are too many: %s", len(ids), wanted(q))
	}
	f.set(ids)
	return nil
}

// hides reports whether an option of the question on view is hidden now.
func (f *form) hides(o queue.Option) bool { return f.hidden.In(f.q(), o.ID) && !f.all }

func (f *form) set(ids []string) {
	f.reply().Selected, f.wrote = ids, true
}

// recommended chooses what the agent recommends.
func (f *form) recommended() error {
	var numbers []int
	for i, o := range f.q().Options {
		if o.Recommended && !f.hides(o) {
			numbers = append(numbers, i+1)
		}
	}
	if len(numbers) == 0 {
		return fmt.Errorf("nothing here is recommended")
	}
	if f.q().Radio() {
		numbers = numbers[:1]
	}
	return f.choose(numbers)
}

// everything marks all options, as far as they are shown.
func (f *form) everything() error {
	var numbers []int
	for i, o := range f.q().Options {
		if !f.hides(o) {
			numbers = append(numbers, i+1)
		}
	}
	return f.choose(numbers)
}

// write puts the person's own words down; in a radio they take the option's place.
func (f *form) write(text string) {
	r := f.reply()
	r.Text, f.wrote = text, true
	if f.q().Radio() && !queue.Blank(text) {
		r.Selected = nil
	}
}

// note puts a note on an option; an empty one takes it away.
func (f *form) note(id, text string) {
	r := f.reply()
	if r.Notes == nil {
		r.Notes = map[string]string{}
	}
	r.Notes[id], f.wrote = text, true
}

// typed is all the person wrote, for a question that ended elsewhere.
func (f *form) typed() []string {
	var texts []string
	for i, q := range f.s.Ask.Questions {
		r := f.answer.Replies[i]
		texts = append(texts, r.Text)
		for _, o := range q.Options {
			if n := r.Notes[o.ID]; n != o.Note {
				texts = append(texts, n)
			}
		}
	}
	if f.answer.Comment != f.s.Ask.Comment {
		texts = append(texts, f.answer.Comment)
	}
	return slices.DeleteFunc(texts, queue.Blank)
}

// lacks says what keeps the question on view from being answered; empty: nothing.
func (f *form) lacks() string {
	q, r := f.q(), f.sentReply(f.index())
	problems := q.Check(r)
	switch n := len(r.Selected); {
	case len(problems) == 0:
		return ""
	case q.Mode == queue.ModeText && queue.Blank(r.Text):
		return "No words yet."
	case n == 0 && queue.Blank(r.Text):
		return "Nothing is chosen yet, " + wanted(q) + "."
	case n < q.Min || n > q.Max && q.Max > 0:
		return fmt.Sprintf("%d chosen, %s.", n, wanted(q))
	}
	words := make([]string, len(problems))
	for i, p := range problems {
		words[i] = p.String()
	}
	return "This cannot be sent: " + strings.Join(words, "; ") + "."
}

// summary is what goes out, in words: labels, own words, and what goes with them.
func (f *form) summary() string {
	a := f.sent()
	words := f.s.Ask.Summary(a)
	notes := 0
	for _, r := range a.Replies {
		for _, n := range r.Notes {
			if !queue.Blank(n) {
				notes++
			}
		}
	}
	switch {
	case notes == 1:
		words += " + note"
	case notes > 1:
		words += fmt.Sprintf(" + %d notes", notes)
	}
	if !queue.Blank(a.Comment) {
		words += " + comment"
	}
	return words
}

// wanted says how many options an answer takes: "one is wanted", "2 to 3 of 12 are wanted".
func wanted(q queue.Question) string {
	count := fmt.Sprintf("%d to %d of %d are wanted", q.Min, q.Max, len(q.Options))
	switch {
	case q.Mode == queue.ModeSingle || q.Radio():
		count = "one is wanted"
	case q.Min == q.Max:
		count = fmt.Sprintf("%d of %d are wanted", q.Min, len(q.Options))
	}
	switch { // text never counts towards the minimum
	case q.Mode == queue.ModeHybrid && q.Radio(), q.Mode == queue.ModeHybrid && q.Min == 0:
		count += ", or your own words"
	case q.Mode == queue.ModeHybrid:
		count += ", your own words may go with them"
	}
	return count
}
