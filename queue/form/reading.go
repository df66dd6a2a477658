package form

import (
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// Text is what is read before the question on view is answered, as Markdown: the prompt of the ask and the question's
// own text, without a first line that says the title once more.
func Text(f *Form) string {
	prompt, q := Shared(f), f.Here()
	switch {
	case f.Several() && prompt != "" && strings.Contains(q.Text, "\n\n"):
		return q.Text + "\n\n---\n\n" + prompt // its own context ends where that of all questions begins
	case f.Several():
		return strings.TrimSpace(q.Text + "\n\n" + prompt)
	case q.Text != "" && q.Text != f.ask.Title && q.Text != prompt:
		return prompt + "\n\n" + q.Text
	}
	return prompt
}

// Shared is what all questions of the form share, as Markdown: the prompt without a first line that says
// the title once more, as a heading or alone.
func Shared(f *Form) string {
	first, rest, _ := strings.Cut(f.ask.Prompt, "\n")
	words := strings.TrimLeft(first, "#")
	says := strings.TrimSpace(words) == strings.TrimSpace(f.ask.Title)
	if heads := words != first || rest == "" && f.Several(); heads && says {
		return strings.TrimLeft(rest, "\n")
	}
	return f.ask.Prompt
}

// TabsSayTitle reports whether the title only lists the names of the questions, as it does where the agent gave none:
// the tabs do so themselves.
func TabsSayTitle(f *Form) bool {
	if !f.Several() {
		return false
	}
	var names []string
	for _, q := range f.questions {
		name := q.Header
		if name == "" {
			name, _, _ = strings.Cut(strings.TrimSpace(q.Text), "\n")
		}
		names = append(names, strings.TrimSpace(name))
	}
	title, cut := strings.CutSuffix(f.ask.Title, "…")
	all := strings.Join(names, ", ")
	return title == all || cut && strings.HasPrefix(all, title)
}

// Named reports whether the question has a name beside its text, or has none.
func Named(q *Question) bool {
	header, _ := queue.VisibleLine(q.Header)
	text, _ := queue.VisibleLine(q.Text)
	return header != "" || text == ""
}

// LongName is what the question is called where there is room. Without a header it is the first line of its text; what
// follows is its context.
func LongName(q *Question) string {
	if Named(q) {
		return q.Name()
	}
	for line := range strings.Lines(q.Text) {
		if name, _ := queue.VisibleLine(line); name != "" {
			return name
		}
	}
	return q.Name()
}
