package widen

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/widen"
)

// Limits of the options that teammates read.
const (
	mostOfLabel       = 200    // characters
	mostOfDescription = 400    // characters
	mostOfOptions     = 16_000 // bytes of all of them
)

// Letter returns exactly the text that teammates read about a session: its title, its questions with their options, the
// prompt if withPrompt is true, and below that what the agent was doing (before).
func Letter(s queue.Session, withPrompt bool, before string) (l widen.Letter) {
	l.Title, _ = queue.Visible(s.Ask.Title)
	left, texts, offers := mostOfOptions, 0, false
	for _, q := range s.Ask.Questions {
		a := askedIn(q, &left)
		if queue.Blank(a.Text) && len(q.Options) == 0 {
			continue
		}
		if !queue.Blank(a.Text) {
			texts++
		}
		offers = offers || len(q.Options) > 0
		l.Asked = append(l.Asked, a)
	}
	var words []string
	if offers && texts == 0 {
		words = append(words, l.Title) // else a server that shows only the question would show options without it
	}
	for _, a := range l.Asked {
		words = append(words, LetterQuestion(a))
	}
	if l.Question = strings.Join(words, "\n"); !offers {
		l.Asked = nil
	}
	if withPrompt {
		l.Prompt, _ = queue.Visible(s.Ask.Prompt)
	}
	if before, _ = queue.Visible(before); before != "" && l.Prompt != "" {
		before = "\n\n" + before
	}
	l.Prompt += before
	return l
}

// Limits of what teammates read of what the agent was doing: its last lines.
const (
	mostBeforeLines = 40
	mostBeforeBytes = 4000
)

// letterBefore writes what the agent was doing for the team: a heading, and below it a quote, so that nothing in it
// passes for the question. Earlier lines are left out first, because the end matters most.
func letterBefore(b say.Before) string {
	var rows []string
	left, all := mostBeforeBytes, len(b.Lines)
	for _, l := range slices.Backward(b.Lines) {
		row := strings.TrimRight("> "+queue.Shorten(l.Text, mostOfDescription, "…"), " ")
		if left -= len(row) + 1; left < 0 || len(rows) == mostBeforeLines {
			break
		}
		rows = append(rows, row)
	}
	if len(rows) == 0 {
		return ""
	}
	if more := all - len(rows); more > 0 {
		rows = append(rows, fmt.Sprintf("> (%s left out)", say.Count(more, "earlier line")))
	}
	rows = append(rows, "What the agent was doing when it asked ("+say.OneLine(b.Where)+"):")
	slices.Reverse(rows)
	return strings.Join(rows, "\n")
}

// LetterQuestion writes a question for the team: its text, and its options with their descriptions.
func LetterQuestion(a widen.AskedQuestion) string {
	var rows []string
	if !queue.Blank(a.Text) {
		rows = append(rows, a.Text)
	}
	if len(a.Options) > 0 || a.More > 0 {
		rows = append(rows, "Options:")
	}
	for n, o := range a.Options {
		mark := ""
		if o.Recommended {
			mark = " (recommended)"
		}
		rows = append(rows, strings.TrimSuffix(fmt.Sprintf("%d. %s%s: %s", n+1, o.Label, mark, o.Description), ": "))
	}
	if a.More > 0 {
		rows = append(rows, "and "+say.Count(a.More, "other"))
	}
	return strings.Join(rows, "\n")
}

// askedIn returns a question with as many of its options as fit into the remaining bytes (left), and subtracts their
// length from them. After the first option that does not fit, left is negative, so that no later one is sent either.
func askedIn(q queue.Question, left *int) (a widen.AskedQuestion) {
	a.Text, _ = queue.Visible(q.Text)
	if queue.Blank(a.Text) && len(q.Options) > 0 {
		a.Text = say.OneLine(q.Header)
	}
	for n, o := range q.Options {
		c := widen.AskedOption{Recommended: o.Recommended, Label: queue.Shorten(say.OneLine(o.Label), mostOfLabel, "…"),
			Description: queue.Shorten(say.OneLine(o.Description), mostOfDescription, "…")}
		if *left -= len(c.Label) + len(c.Description); *left < 0 {
			a.More = len(q.Options) - n
			break
		}
		a.Options = append(a.Options, c)
	}
	return a
}

// boxInside is the width between the borders of the box above a discussion, margins included, in cells.
const boxInside = 66

// summaryTask and summaryShape tell a model what to do with a discussion, and in which form to answer. The fence
// belongs to the instruction; an answer with or without one is read.
const summaryTask = `Based on the discussion above, please produce a candidate summary and answer.
Respond with ONLY the following JSON block (no prose before or after):`

const summaryShape = "```json\n" + `{ "candidate_summary": "<concise summary of the discussion consensus>", ` +
	`"candidate_answer": "<proposed answer to the question above>", "source_hint": "slack_extraction" }` + "\n```"

// Block returns the request to sum up a discussion, as a model reads it: a box with the question, the discussion, and
// the task. Long text is wrapped, so that the right border of the box stays in its column.
func Block(decision, question string, d widen.Discussion) string {
	edge := strings.Repeat("═", boxInside)
	lines := []string{"╔" + edge + "╗"}
	for _, text := range []string{"WIDEN SUMMARIZATION REQUEST", "decision_id: " + decision,
		"question: " + say.OneLine(question)} {
		for _, line := range ink.Wrap(text, boxInside-4) {
			room := max(boxInside-2-ink.Width(line), 0)
			lines = append(lines, "║  "+line+strings.Repeat(" ", room)+"║")
		}
	}
	lines = append(lines, "╚"+edge+"╝", "", "[DISCUSSION DATA]",
		"Participants: "+strings.Join(d.Participants, ", "), fmt.Sprintf("Message count: %d", d.MessageCount),
		"Thread URL: "+cmp.Or(d.ThreadURL, "none"), "", "--- Messages ---")
	lines = append(lines, d.Messages...)
	if more := d.More(); more > 0 {
		lines = append(lines, fmt.Sprintf("... (%d more messages)", more))
	}
	return strings.Join(append(lines, "---", "", summaryTask, "", summaryShape), "\n") + "\n"
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
