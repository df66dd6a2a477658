package say

import (
	"fmt"
)

// Words of an interview, beside its questions.

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
