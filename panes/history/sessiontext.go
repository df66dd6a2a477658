package history

import (
	"fmt"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/reading"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/form"
)

// sessionText turns one settled session into text: who asked, the question, the events and the answer.
type sessionText struct {
	Session queue.Session
	Drafts  []queue.Draft // what the person typed and never sent, newest first
	Home    string        // shown as ~
	Year    int           // the present year; days of other years name theirs
	Here    queue.Names   // the names of this machine
	Whole   bool          // with every event, description and draft; else only what a preview shows
}

// textLine is one line of the text, with words at its right end.
type textLine struct {
	ink.Line
	right string
}

// laid is a session's text, wrapped in lines of one width.
type laid []textLine

// unbroken is a width that no line reaches, for plain text that is not wrapped.
const unbroken = 1 << 20

// plain returns the whole session as plain text, for the clipboard or a file. Hidden characters are written as <U+…>.
func (t sessionText) plain() string {
	t.Whole = true
	var b strings.Builder
	b.WriteString(say.Title(t.Session.Ask) + "\n\n")
	for _, l := range t.lay(ink.Unicode, unbroken) {
		b.WriteString(strings.TrimRight(l.String()+"  "+l.right, " ") + "\n")
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// lay wraps the text in lines of w cells.
func (t sessionText) lay(g ink.Glyphs, w int) laid {
	b := &textBlock{w: w, of: t.Session.Origin}
	t.events(b)
	if t.Whole {
		t.unsent(b)
	}
	b.gap()
	t.answers(b, g)
	b.gap()
	for _, l := range reading.Approval(t.Session.Ask.Approval, t.Home, w, g) {
		b.lines = append(b.lines, textLine{Line: l})
	}
	b.gap()
	prompt, hints := form.CutHints(t.Session.Ask.Shown().Prompt)
	for _, hint := range hints {
		for _, l := range ink.Wrap(say.OneLine(hint), w) {
			b.lines = append(b.lines, textLine{Line: ink.Line{{Text: l, Style: ink.Dim}}})
		}
	}
	if w == unbroken {
		for l := range strings.SplitSeq(strings.TrimRight(say.Text(prompt), "\n \t"), "\n") {
			b.lines = append(b.lines, textLine{Line: ink.PlainLine(l)})
		}
		return b.lines
	}
	for _, l := range reading.Markdown(prompt, w) {
		b.lines = append(b.lines, textLine{Line: l})
	}
	return b.lines
}

// decisive lists the events that a preview shows.
var decisive = []string{queue.EventAsked, queue.EventSent, queue.EventSettled, queue.EventCollected}

// events adds the events, one line each. A preview has only the decisive ones.
func (t sessionText) events(b *textBlock) {
	s, trail := t.Session, say.Trail{Session: t.Session, Home: t.Home, Here: t.Here, Whole: t.Whole}
	if marked := say.Marked(s.Ask.Approval); marked != "" {
		b.put(ink.Warn, "! ", marked)
	}
	if tagged := say.Tagged(s.Ask.Approval); tagged != "" {
		b.put(ink.Dim, "", tagged)
	}
	if s.Ask.Odd() {
		b.put(ink.Warn, "! ", say.HiddenCharacters)
	}
	day := ""
	for _, e := range s.Events {
		if !t.Whole && !slices.Contains(decisive, e.Kind) {
			continue
		}
		label, words := trail.Event(e)
		if label == "" {
			label, words = say.OneLine(e.Kind), say.OneLine(e.Detail)
		}
		when := e.At.Local().Format("15:04:05")
		if d := say.Day(e.At, t.Year); d != day {
			when, day = d+" "+when, d
		}
		style := ink.Plain
		if e.Kind == queue.EventSettled && s.Outcome.Answered() {
			style = ink.Good
		}
		b.put(style, fmt.Sprintf("%-10s ", label), when+words)
	}
	if s.Outcome == nil {
		b.put(ink.Plain, fmt.Sprintf("%-10s ", "Waiting"), queue.Undelivered)
	}
	if t.Whole {
		label := "Question"
		if s.IsMessage() {
			label = "Line"
		}
		b.put(ink.Plain, fmt.Sprintf("%-10s ", label), s.ID+trail.Rules())
	}
}

// answers adds every option with a sign for the chosen ones, the notes, the own words and the comment.
func (t sessionText) answers(b *textBlock, g ink.Glyphs) {
	if t.Session.Outcome == nil { // a message that is not fetched yet
		return
	}
	s := t.Session
	s.Ask = s.Ask.Shown()
	for i, q := range s.Ask.Questions {
		r, _ := s.Outcome.Annotated().Reply(q.ID)
		if len(s.Ask.Questions) > 1 {
			if i > 0 {
				b.gap()
			}
			name, context := say.Question(q)
			b.put(ink.Bold, "  ", name)
			if t.Whole && context != "" {
				b.put(ink.Plain, "  ", say.Text(context))
			}
		} else if t.Whole && q.Text != "" && q.Text != s.Ask.Title && q.Text != s.Ask.Prompt {
			b.put(ink.Plain, "  ", say.Text(q.Text))
			b.gap()
		}
		t.options(b, g, q, r)
		if !queue.Blank(r.Text) {
			b.put(ink.Good, "  typed  ", quoted(r.Text))
		}
	}
	if s.Ask.Confirm && s.Outcome.Answered() {
		b.put(ink.Good, "  ", strings.TrimSuffix("confirmed: "+say.Text(s.Ask.ConfirmMessage), ": "))
	}
	if c := s.Outcome.Annotated().Comment; !queue.Blank(c) {
		b.put(ink.Plain, "  comment  ", say.Text(c))
	}
	for _, named := range say.TeamReview(*s.Outcome) {
		b.put(ink.Plain, "  "+named[0], named[1])
	}
}

// quoted returns text in quotes; the closing one is never alone on a line.
func quoted(text string) string { return "“" + strings.TrimRight(say.Text(text), " \t\n") + "”" }

// options adds the options of a question, with the descriptions if the text is whole, and the notes.
func (t sessionText) options(b *textBlock, g ink.Glyphs, q queue.Question, r queue.Reply) {
	on, off := g.MarkOn, g.MarkOff
	if q.Radio() {
		on, off = g.RadioOn, g.RadioOff
	}
	for i, o := range q.Options {
		digit, mark, style := " ", off, ink.Plain
		if i < 9 {
			digit = fmt.Sprint(i + 1)
		}
		if slices.Contains(r.Selected, o.ID) {
			mark, style = on, ink.Good
		}
		star, room := "", 0
		if o.Recommended {
			if star = strings.Join(g.StarLong[:], ""); b.w < 60 {
				star = g.Star
			}
			room = ink.Width(star) + 2
		}
		label := "  " + digit + " " + mark + " "
		b.w -= room // the label leaves room for the star at the right end
		b.put(style, label, say.OneLine(o.Label)).right = star
		b.w += room
		indent := strings.Repeat(" ", ink.Width(label))
		if t.Whole && !queue.Blank(o.Description) {
			b.put(ink.Plain, indent, say.Text(o.Description))
		}
		if n := r.Notes[o.ID]; !queue.Blank(n) {
			b.put(ink.Plain, indent+g.Note+" ", say.Text(n))
		}
	}
}

// unsent adds the text that the person typed into the form and never sent.
func (t sessionText) unsent(b *textBlock) {
	said := map[string]bool{}
	for _, d := range t.Drafts {
		for _, text := range d.Unsent(t.Session) {
			if said[text] {
				continue
			}
			if len(said) == 0 {
				b.gap()
			}
			b.put(ink.Bold, "Typed but not sent: ", quoted(text))
			said[text] = true
		}
	}
}

// textBlock collects lines of w cells.
type textBlock struct {
	lines laid
	w     int
	of    queue.Origin // the agent whose name is drawn in its colour
}

// add adds a line.
func (b *textBlock) add(style ink.Style, text string) {
	line := ink.HueOf(b.of).Within(strings.TrimRight(text, " "), b.of.Name(), style)
	b.lines = append(b.lines, textLine{Line: line})
}

// put adds a text behind a label. A longer text continues in further lines, which are indented by the label's width, or
// by two cells if the column would be too narrow.
func (b *textBlock) put(style ink.Style, label, text string) *textLine {
	at, indent := len(b.lines), strings.Repeat(" ", ink.Width(label))
	if room := b.w - len(indent); room < min(leastColumn, b.w*2/3) {
		indent = "  "
		first, rest := firstWords(text, room)
		b.add(style, label+first)
		label, text = indent, rest
		if rest == "" {
			return &b.lines[at]
		}
	}
	for i, l := range ink.Wrap(text, max(b.w-len(indent), 8)) {
		head := indent
		if i == 0 {
			head = label
		}
		b.add(style, head+l)
	}
	return &b.lines[at]
}

const leastColumn = 40 // the least cells of text beside a label

// firstWords returns the first words of a text, as many as fit w cells, and the rest.
func firstWords(text string, w int) (first, rest string) {
	first = ink.Wrap(text, max(w, 1))[0]
	if !strings.HasPrefix(text, first) || ink.Width(first) > w { // the text has a tab, or its first word is longer
		return "", text
	}
	return first, strings.TrimPrefix(strings.TrimLeft(text[len(first):], " "), "\n")
}

// gap adds an empty line, unless the last line is empty.
func (b *textBlock) gap() {
	if n := len(b.lines); n > 0 && b.lines[n-1].Width() > 0 {
		b.lines = append(b.lines, textLine{})
	}
}
