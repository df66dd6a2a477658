package say

import (
	"fmt"
)

// Words of an interview, beside its questions.

// InterviewEnds says that all but so many questions of an interview are decided, and that these are with the team.
func InterviewEnds(left, of int) string {
	return fmt.Sprintf("%d of %d with the team; decide them to finish the interview", left, of)
}
