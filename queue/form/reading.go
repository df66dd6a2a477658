package form

import (
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// Text returns the text to read before answering the question on view, as Markdown: the prompt of the ask and the
// question's own text, without a first line that repeats the title, and without hints.
func Text(f *Form) string {
	prompt := Shared(f)
	own, _ := CutHints(f.Here().Text)
	switch {
	case f.Several() && prompt != "" && strings.Contains(own, "\n\n"):
		return own + "\n\n---\n\n" + prompt // its own context ends where that of all questions begins
	case f.Several():
		return strings.TrimSpace(own + "\n\n" + prompt)
	case own != "" && own != f.ask.Title && own != prompt:
		return prompt + "\n\n" + own
	}
	return prompt
}

// Shared returns the text that all questions of the form share, as Markdown: the prompt without hints, and without a
// first line that repeats the title, as a heading or alone.
func Shared(f *Form) string {
	prompt, _ := CutHints(f.ask.Prompt)
	first, rest, _ := strings.Cut(prompt, "\n")
	words := strings.TrimLeft(first, "#")
	says := strings.TrimSpace(words) == strings.TrimSpace(f.ask.Title)
	if heads := words != first || rest == "" && f.Several(); heads && says {
		return strings.TrimLeft(rest, "\n")
	}
	return prompt
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

// LongName returns a name for the question where there is room. Without a header it is the first line of its text; the
// rest of the text is its context.
func LongName(q *Question) string {
	if Named(q) {
		return q.Name()
	}
	asks, _ := CutHints(q.Text)
	for line := range strings.Lines(asks) {
		if name, _ := queue.VisibleLine(line); name != "" {
			return name
		}
	}
	return q.Name()
}
