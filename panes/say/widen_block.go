package say

import (
	"fmt"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// The request to sum up a discussion, which a model reads, and a person in plain lines.

// SummaryTitle returns the lines in the box above a discussion, before they are fitted into it.
func SummaryTitle(decision, question string) []string {
	return []string{"WIDEN SUMMARIZATION REQUEST", "decision_id: " + decision, "question: " + OneLine(question)}
}

// SummaryRequest returns the text below the box: the discussion, and what is to be made of it. messages are one line
// each; more counts the messages beyond them.
func SummaryRequest(participants []string, count int, thread string, messages []string, more int) string {
	if thread == "" {
		thread = "none"
	}
	lines := []string{"[DISCUSSION DATA]", "Participants: " + strings.Join(participants, ", "),
		fmt.Sprintf("Message count: %d", count), "Thread URL: " + thread, "", "--- Messages ---"}
	lines = append(lines, messages...)
	if more > 0 {
		lines = append(lines, fmt.Sprintf("... (%d more messages)", more))
	}
	return strings.Join(append(lines, "---", "", summaryTask, "", summaryShape), "\n") + "\n"
}

const summaryTask = `Based on the discussion above, please produce a candidate summary and answer.
Respond with ONLY the following JSON block (no prose before or after):`

const summaryShape = `{ "candidate_summary": "<concise summary of the discussion consensus>", ` +
	`"candidate_answer": "<proposed answer to the question above>", "source_hint": "slack_extraction" }`

// Words of a thread in Slack about a decision.

// LetterQuestion writes a question for the team: its text, and its options with their descriptions. more counts the
// options that are left out.
func LetterQuestion(text string, options [][2]string, more int) string {
	var rows []string
	if !queue.Blank(text) {
		rows = append(rows, text)
	}
	if len(options) > 0 || more > 0 {
		rows = append(rows, "Options:")
	}
	for n, o := range options {
		row := fmt.Sprintf("%d. %s", n+1, o[0])
		if o[1] != "" {
			row += ": " + o[1]
		}
		rows = append(rows, row)
	}
	if more > 0 {
		rows = append(rows, "and "+Count(more, "other"))
	}
	return strings.Join(rows, "\n")
}

// ThreadQuestion asks the team. mentions are those who are asked, as Slack writes them; everything is escaped already.
func ThreadQuestion(mentions, title, question string) string {
	words := mentions + " a decision needs you:\n*" + title + "*"
	if question != "" && question != title {
		words += "\n" + question
	}
	return words + "\n_Reply in this thread. What you say here is read back to the person who decides._"
}

// ThreadDecided tells the team what was decided; summary and rationale may be empty.
func ThreadDecided(answer, summary, rationale string) string {
	if queue.Blank(answer) {
		answer = "no words"
	}
	return threadWords("Decided: "+answer, summary, rationale)
}

// ThreadDeferred tells the team that the decision has to wait.
func ThreadDeferred(rationale string) string { return threadWords("Deferred for now.", "", rationale) }

func threadWords(first, summary, rationale string) string {
	if summary != "" {
		first += "\nSummary: " + summary
	}
	if rationale != "" {
		first += "\nWhy: " + rationale
	}
	return first
}
