package say

import (
	"fmt"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// Words of an interview, beside its questions.

// InterviewFaulty says everything that is wrong with an interview's file.
func InterviewFaulty(file string, problems []string) string {
	return OneLine(file) + " is no interview:\n  - " + strings.Join(problems, "\n  - ")
}

// InterviewProblem returns one problem of a file, with its line if it is known.
func InterviewProblem(line int, p queue.Problem) string {
	if line == 0 {
		return Text(p.String())
	}
	return fmt.Sprintf("line %d: %s", line, Text(p.String()))
}

// InterviewChanged gives the reason why a question is withdrawn.
const InterviewChanged = "the question was changed in its file"

// InterviewUnderWay says that another process asks the same questions.
func InterviewUnderWay(file string) string {
	return "another choicetui asks the questions of " + OneLine(file) + " at this moment"
}

// InterviewFinished says that an interview was finished before.
func InterviewFinished(path string) string {
	return OneLine(path) + " is there already; --force overwrites it"
}

// InterviewPartialBroken says that what was answered before cannot be read.
func InterviewPartialBroken(path string, err error) string {
	return "what was answered before cannot be read: " + OneLine(path) + ": " + OneLine(err.Error()) +
		"; mend the file, or move it away to begin anew"
}

// InterviewPartialOther says that what was answered before belongs to another interview.
func InterviewPartialOther(path, mission string) string {
	return OneLine(path) + " holds the answers of another interview, " + ShortQuoted(mission, 60) +
		"; move it away, or name other answers with --answers"
}

// InterviewDone says where the answers are.
func InterviewDone(answered, deferred int, answers, decisions string) string {
	words := fmt.Sprintf("The interview is finished: %d answered", answered)
	if deferred > 0 {
		words += fmt.Sprintf(", %d deferred", deferred)
	}
	return words + ". The answers are in " + OneLine(answers) + ", the decisions in " + OneLine(decisions) + "."
}

// InterviewLeft says where what was answered so far is.
func InterviewLeft(answered, of int, partial string) string {
	return fmt.Sprintf("the interview was left: %d of %d questions are decided, kept in %s", answered, of,
		OneLine(partial))
}

// InterviewGoOn says how to continue it.
func InterviewGoOn(file string) string {
	return "choicetui interview " + OneLine(file) + " goes on from there"
}

// InterviewHint is shown in a dashboard that an interview opened, while nothing is pending.
func InterviewHint(questions int) string {
	return fmt.Sprintf("interview: %s · q leaves it, and it can be resumed", Count(questions, "question"))
}

// InterviewEnds says that all but so many questions of an interview are decided, and that these are with the team.
func InterviewEnds(left, of int) string {
	return fmt.Sprintf("%d of %d with the team; decide them to finish the interview", left, of)
}

// InterviewUntold says that the team was not told of all decisions yet.
func InterviewUntold(n int) string {
	return Count(n, "decision") + " could not be told to the team yet; any choicetui that runs tries it again"
}
