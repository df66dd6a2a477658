package panes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// tab is one question of a form while another is on screen.
type tab struct {
	reply  queue.Reply
	cursor int
	row    int // the option it is on, or textRow: rows may go meanwhile
	find   string
	scroll int
	seen   int
	taken  bool // answered; it may still be changed
}

// Several reports whether the ask has more than one question: tabs, and a review before sending.
func (f *Form) Several() bool { return len(f.Session.Ask.Questions) > 1 }

// Reviewing reports whether the review is on screen.
func (f *Form) Reviewing() bool { return f.Several() && f.at == len(f.tabs) }

// Confirming reports whether the confirmation step is on screen.
func (f *Form) Confirming() bool { return f.confirming }

// StartConfirm brings the confirmation step up; nothing is sent yet.
func (f *Form) StartConfirm() {
	f.confirming, f.confirmTop, f.confirmSeen = true, 0, 0
}

// EndConfirm goes back to the options.
func (f *Form) EndConfirm() { f.confirming = false }

// openTabs prepares one tab a question, as the answer given has it.
func (f *Form) openTabs(start queue.Answer, answered []string) {
	for i, q := range f.Session.Ask.Questions {
		t := tab{reply: queue.Reply{Question: q.ID}, taken: slices.Contains(answered, q.ID), cursor: -1}
		if i < len(start.Replies) {
			t.reply = start.Replies[i]
		}
		t.reply = clone(t.reply)
		t.reply.Question = q.ID
		f.tabs = append(f.tabs, t)
	}
	if len(f.tabs) == 0 { // an ask without questions is no ask; keep the form drawable
		f.tabs = []tab{{reply: clone(queue.Reply{}), cursor: -1}}
	}
	f.at = -1
	f.enterTab(max(f.firstOpen(), 0))
}

// firstOpen is the first question without an answer, -1 if all have one.
func (f *Form) firstOpen() int {
	return slices.IndexFunc(f.tabs, func(t tab) bool { return !t.taken })
}

// keepTab remembers the question on screen as it is.
func (f *Form) keepTab() {
	if f.at < 0 || f.at >= len(f.tabs) {
		return
	}
	t := &f.tabs[f.at]
	t.reply, t.cursor, t.find = f.reply, f.cursor, f.find
	if f.cursor < len(f.rows) {
		t.row = f.rows[f.cursor]
	}
	t.scroll, t.seen = f.scroll, f.seen
}

// enterTab puts question i on screen; len(tabs) is the review.
func (f *Form) enterTab(i int) {
	f.keepTab()
	f.at = i
	f.armed, f.startOver = false, false
	f.Thaw()
	if i >= len(f.tabs) {
		f.cursor = 0
		return
	}
	t := f.tabs[i]
	f.reply, f.find = t.reply, t.find
	f.scroll, f.seen = t.scroll, t.seen
	f.layRows()
	if t.cursor < 0 {
		f.cursor = f.startRow()
		f.followDot()
		return
	}
	if f.cursor = slices.Index(f.rows, t.row); f.cursor >= 0 {
		return
	}
	if f.cursor = min(t.cursor, max(len(f.rows)-1, 0)); f.find == "" {
		f.followDot() // to the option that took its place
	}
}

// Tab goes n questions on, the review behind the last; it reports whether it moved.
func (f *Form) Tab(n int) bool {
	to := min(max(f.at+n, 0), len(f.tabs))
	f.own = true
	if !f.Several() || to == f.at {
		return false
	}
	f.enterTab(to)
	return true
}

// TakeAnswer takes the answer on screen and goes to the next open question, after the last to the review.
func (f *Form) TakeAnswer() {
	f.keepTab()
	f.tabs[f.at].taken, f.touched, f.own = true, true, true
	f.enterTab(f.nextOpen())
}

// nextOpen is the open question that follows the one on screen, wrapping around; with none left the review.
func (f *Form) nextOpen() int {
	for n := 1; n < len(f.tabs); n++ {
		if i := (f.at + n) % len(f.tabs); !f.tabs[i].taken {
			return i
		}
	}
	return len(f.tabs)
}

// AllRecommended answers every open question with what its agent recommends, and leaves the others.
func (f *Form) AllRecommended() {
	f.own = true
	at, missing := f.at, 0
	for i := range f.tabs {
		if f.tabs[i].taken {
			continue
		}
		f.enterTab(i)
		if f.Recommended(); f.Note != "" {
			f.Note = ""
			missing++
			continue
		}
		f.keepTab()
		f.tabs[i].taken, f.touched = true, true
	}
	if f.enterTab(at); f.firstOpen() < 0 {
		f.enterTab(len(f.tabs))
	}
	if missing > 0 {
		f.Note = fmt.Sprintf("%s without a recommendation", say.Count(missing, "question"))
	}
}

// StartOver forgets every answer of the form, notes and comment too: at the second press in a row.
func (f *Form) StartOver() {
	f.own = true
	if !f.touched {
		f.Note = "nothing is answered yet"
		return
	}
	if f.startOver = !f.startOver; f.startOver {
		f.Note = f.rules.Keys.KeyOf(keys.PlaceReview, keys.ActStartOver) + " again forgets all answers and notes"
		return
	}
	f.tabs, f.touched = nil, true
	f.comment = f.Session.Ask.Comment
	f.openTabs(queue.StartAnswer(f.Session.Ask), nil)
}

// ChangeOne goes back from the review to question n, counted from 1.
func (f *Form) ChangeOne(n int) {
	f.own = true
	if n > len(f.tabs) {
		f.Note = fmt.Sprintf("there is no question %d", n)
		return
	}
	f.enterTab(n - 1)
}

// replies are all answers of the form, in the order of the questions.
func (f *Form) replies() []queue.Reply {
	f.takeTyped()
	f.keepTab()
	out := make([]queue.Reply, len(f.tabs))
	for i := range f.tabs {
		out[i] = clone(f.tabs[i].reply)
	}
	return out
}

// Progress is how far a form of several questions is, for the queue: `1 of 3 answered`; empty for one question.
func (f *Form) Progress() string {
	if !f.Several() {
		return ""
	}
	n := 0
	for _, t := range f.tabs {
		if t.taken {
			n++
		}
	}
	return fmt.Sprintf("%d of %d answered", n, len(f.tabs))
}

// tabName is a question's short name.
func (f *Form) tabName(i int) string {
	q := f.Session.Ask.Questions[i]
	if h := say.OneLine(q.Header); h != "" {
		return h
	}
	if t := say.OneLine(q.Text); t != "" {
		return ink.Cut(t, 20, f.glyphs().Ellipsis)
	}
	return say.OneLine(q.ID)
}

// glyphs are the signs of the screen.
func (f *Form) glyphs() ink.Glyphs {
	if f.rules.Glyphs.Cursor == "" {
		return ink.Unicode
	}
	return f.rules.Glyphs
}

// tabLine shows the tabs at w cells; where they do not fit, the one on screen with its number.
func (f *Form) tabLine(w int, g ink.Glyphs) string {
	var parts []string
	for i := range f.tabs {
		mark := " "
		switch {
		case i == f.at:
			mark = g.Cursor
		case f.tabs[i].taken:
			mark = g.Done
		}
		parts = append(parts, mark+" "+f.tabName(i))
	}
	mark := " "
	if f.Reviewing() {
		mark = g.Cursor
	}
	parts = append(parts, mark+" review")
	if all := " " + strings.Join(parts, "   "); ink.Width(all) <= w {
		return all
	}
	if f.Reviewing() {
		return fmt.Sprintf(" %s review of %d", g.Cursor, len(f.tabs))
	}
	return ink.Cut(fmt.Sprintf(" %s %d of %d: %s", g.Cursor, f.at+1, len(f.tabs), f.tabName(f.at)), w, g.Ellipsis)
}

// enterSeveral plans Enter on a question of several: take this answer and go on.
func (f *Form) enterSeveral(p Plan, g ink.Glyphs) Plan {
	if p.Step != StepSend {
		return p
	}
	words := strings.TrimPrefix(p.Words, g.Enter+" send ")
	on := "on to the review"
	if next := f.nextOpen(); next < len(f.tabs) {
		on = "on to " + f.tabName(next)
	}
	p.Step, p.Words = StepTake, g.Enter+" "+words+", "+on
	return p
}

// enterReview plans Enter in the review: send, or go to what is still open.
func (f *Form) enterReview(g ink.Glyphs) Plan {
	var open []string
	for i, t := range f.tabs {
		if !t.taken {
			open = append(open, f.tabName(i))
		}
	}
	if len(open) > 0 {
		return Plan{Step: StepTab, Words: fmt.Sprintf("%s on to %s · %d not answered yet", g.Enter, open[0], len(open))}
	}
	words := fmt.Sprintf("%s send %s", g.Enter, say.Count(len(f.tabs), "answer"))
	if !queue.Blank(f.comment) {
		words += " + comment"
	}
	return Plan{Step: StepSend, Words: words}
}

// GoToOpen goes from the review to the first question without an answer.
func (f *Form) GoToOpen() {
	if i := f.firstOpen(); i >= 0 {
		f.enterTab(i)
	}
}
