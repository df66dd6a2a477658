package form

import (
	"strings"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/widen"
)

// Text returns the text to read before answering the question on view, as Markdown: the prompt of the ask and the
// question's own text. It has no hints (see Hints), and no first line that only repeats the title.
func Text(f *Form) string {
	prompt := Shared(f)
	own, _ := f.cutHints(f.Here().Text)
	switch {
	case f.ask.Approval != nil && own == queue.AllowThis:
		return prompt
	case f.Several() && prompt != "" && strings.Contains(own, "\n\n"):
		return own + "\n\n---\n\n" + prompt // a horizontal line divides the question's context from the shared one
	case f.Several():
		return strings.TrimSpace(own + "\n\n" + prompt)
	case own != "" && own != f.ask.Title && own != prompt:
		return prompt + "\n\n" + own
	}
	return prompt
}

// Shared returns the text that all questions of the form share, as Markdown. This is the prompt without hints, and
// without a first line that only repeats the title.
func Shared(f *Form) string {
	prompt, _ := f.cutHints(f.ask.Prompt)
	first, rest, _ := strings.Cut(prompt, "\n")
	words := strings.TrimLeft(first, "#")
	says := strings.TrimSpace(words) == strings.TrimSpace(f.ask.Title)
	if heads := words != first || rest == "" && f.Several(); heads && says {
		return strings.TrimLeft(rest, "\n")
	}
	return prompt
}

// TabsSayTitle reports whether the title only lists the names of the questions, as it does if the agent gave no title.
// A frontend with tabs, the row of the questions' names above the form, then need not show it.
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

// Named reports whether the question's Name is something else than the beginning of its text.
func Named(q *Question) bool {
	header, _ := queue.VisibleLine(q.Header)
	text, _ := queue.VisibleLine(q.Text)
	return header != "" || text == ""
}

// LongName returns a name for the question in a place with more room: its header, else the first line of its text.
// The rest of the text is the question's context.
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

// Hints returns the lines, without their mark, in which the agent says that the question on view is for the team. A
// frontend shows them above the prompt; Text and Shared leave them out. They do not affect the choice.
func Hints(f *Form) []string {
	_, hints := f.cutHints(f.ask.Prompt)
	if f.Several() || f.Here().Text != f.ask.Title {
		_, own := f.cutHints(f.Here().Text)
		hints = append(hints, own...)
	}
	return hints
}

// cutHints does what CutHints does, for a text of the form.
func (f *Form) cutHints(text string) (rest string, hints []string) {
	if f.ofTeam {
		return text, nil
	}
	return CutHints(text)
}

// CutHints removes the hints from a prompt, and the blank lines that are then at its beginning. It returns the hints
// that are not blank.
func CutHints(prompt string) (rest string, hints []string) {
	rest, all := widen.TakeHints(prompt)
	if len(all) == 0 {
		return prompt, nil
	}
	for _, hint := range all {
		if !queue.Blank(hint) {
			hints = append(hints, strings.TrimSpace(hint))
		}
	}
	return strings.TrimLeft(rest, "\r\n"), hints
}
