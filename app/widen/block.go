package widen

import (
	"strings"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/widen"
)

// boxInside is the width between the borders of the box above a discussion, margins included, in cells.
const boxInside = 66

// Block returns the request to sum up a discussion, which a model reads. Long text wraps in its box, whose right border
// stays where it is.
func Block(decision, question string, d widen.Discussion) string {
	edge := strings.Repeat("═", boxInside)
	lines := []string{"╔" + edge + "╗"}
	for _, text := range say.SummaryTitle(decision, question) {
		for _, line := range ink.Wrap(text, boxInside-4) {
			room := max(boxInside-2-ink.Width(line), 0)
			lines = append(lines, "║  "+line+strings.Repeat(" ", room)+"║")
		}
	}
	lines = append(lines, "╚"+edge+"╝", "", "")
	thread := ""
	if d.ThreadURL != nil {
		thread = *d.ThreadURL
	}
	return strings.Join(lines, "\n") +
		say.SummaryRequest(d.Participants, d.MessageCount, thread, d.Messages, d.More())
}

// QuestionText returns the question of a session on one line: the texts of its questions, else its title.
func QuestionText(s queue.Session) string {
	var texts []string
	for _, q := range s.Ask.Questions {
		switch {
		case !queue.Blank(q.Text):
			texts = append(texts, say.OneLine(q.Text))
		case !queue.Blank(q.Header):
			texts = append(texts, say.OneLine(q.Header))
		}
	}
	if len(texts) == 0 {
		return say.Title(s.Ask)
	}
	return strings.Join(texts, " ")
}
