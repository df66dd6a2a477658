package say

import (
	"slices"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// AnsweredElsewhere returns the lines that say how a question is answered in another terminal: in its form, or by a
// command with the flags that this question takes.
func AnsweredElsewhere(s queue.Session) []string {
	lines := []string{"answer it in another terminal with one of these:", "  choicetui    opens the dashboard",
		"  choicetui attach " + s.ID}
	command, confirm := "  choicetui answer "+s.ID, ""
	if s.Ask.Confirm {
		confirm = " --confirm"
	}
	if len(s.Ask.Questions) != 1 {
		return append(lines, command+flagsOfAForm(s.Ask)+confirm+"    one for each question: choicetui show "+s.ID)
	}
	question := s.Ask.Questions[0]
	if len(question.Options) > 0 {
		lines = append(lines, command+" --select ID"+confirm+"    ID is "+oneOfTheIDs(s.ID, question))
	}
	if question.TakesText() {
		lines = append(lines, command+` --text "your own words"`+confirm)
	}
	return lines
}

// flagsOfAForm returns the flags that answer an ask of several questions, each with the name of its question.
func flagsOfAForm(ask queue.Ask) (flags string) {
	if slices.ContainsFunc(ask.Questions, func(q queue.Question) bool { return len(q.Options) > 0 }) {
		flags += " --select QUESTION=ID"
	}
	if slices.ContainsFunc(ask.Questions, queue.Question.TakesText) {
		flags += ` --text QUESTION="your own words"`
	}
	return flags
}

// oneOfTheIDs names the ids of a question's options, or says where to find them if they are many.
func oneOfTheIDs(session string, question queue.Question) string {
	const most = 6
	var ids []string
	for _, option := range question.Options {
		ids = append(ids, `"`+OneLine(option.ID)+`"`)
	}
	if len(ids) > most {
		return "one that choicetui show " + session + " names"
	}
	last := len(ids) - 1
	if question.Max > 1 {
		return strings.Join(ids, ", ") + ", or several with commas"
	}
	if last == 0 {
		return ids[0]
	}
	return strings.Join(ids[:last], ", ") + " or " + ids[last]
}
