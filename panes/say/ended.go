package say

import (
	"fmt"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// surfaces holds the words for the surface that an answer came from, by face.
var surfaces = map[string][5]string{
	queue.SurfaceDashboard: {inDashboard, "in another dashboard", inDashboard, "in a dashboard", inDashboard},
	queue.SurfaceAttach:    {attached, attached, attached, attached, attached},
	queue.SurfaceWeb:       {inBrowser, inBrowser, inBrowser, inBrowser, inBrowser},
	queue.SurfaceCLI:       {onCommandLine, onCommandLine, onCommandLine, onCommandLine, onCommandLine},
}

const (
	inDashboard   = "in the dashboard"
	attached      = "with choicetui attach"
	inBrowser     = "in the browser"
	onCommandLine = "on the command line"
)

// throughSurface names the surface that an answer came from; empty if it is not known, but elsewhere on a screen, whose
// own question ended there.
func throughSurface(surface string, f Face) string {
	words := surfaces[surface][f]
	if words == "" && (f == FaceScreen || f == FacePage) {
		return "elsewhere"
	}
	return words
}

// people holds the words for the one who acted, in the history and in commands.
var people = map[string][2]string{
	queue.ByHuman:  {"by you", "by a person"},
	queue.ByClock:  {"by the clock", "by the clock"},
	queue.ByCaller: {"by the agent", "by the agent"},
	queue.ByRule:   {"by your rule", "by a rule"},
}

// byLink says that somebody acted on a page opened by a link that an agent was given.
func byLink(given string) string { return "by the link given to " + OneLine(given) }

// through returns Through of an outcome, or the person if several share the queue. An answer by a link that an agent
// was given names the link, because anybody may have used it.
func through(o *queue.Outcome, f Face) string {
	switch {
	case o.Given != "":
		return byLink(o.Given)
	case o.By == queue.ByRule:
		return byWhoseRule(*o, throughSurface(o.Surface, f))
	case o.Person != "":
		return byPerson(o.Person)
	}
	return throughSurface(o.Surface, f)
}

// Settler says by whom and through what a session was settled: "by a person, in the dashboard".
func Settler(o queue.Outcome) string {
	if o.Ending().Elsewhere {
		return "at its agent"
	}
	by := people[o.By][1]
	switch {
	case o.Given != "":
		by = byLink(o.Given)
	case o.By == queue.ByRule:
		by = byWhoseRule(o, by)
	case o.Person != "":
		by = byPerson(o.Person)
	}
	if through := throughSurface(o.Surface, FaceCommand); through != "" {
		return by + ", " + through
	}
	return by
}

const (
	someAgent = "the agent"  // whose name is not known
	aScript   = "the script" // that asked with choicetui ask: "ask" would read as a verb

	anInterview = "the interview" // that asks one question after the other
)

// Who returns the agent's name for words like "cancel and tell claude".
func Who(o queue.Origin) string {
	switch {
	case o.Dialect == queue.DialectInterview:
		return anInterview
	case o.Client == queue.ClientAsk:
		return aScript
	}
	if name := o.ClientName(); name != "" {
		return name
	}
	return someAgent
}

// ending says how a question ended that was not ended here.
func ending(s queue.Session) string {
	o := s.Outcome
	where := through(o, FaceLines)
	if where != "" {
		where = " " + where
	}
	switch {
	case o.Status == queue.StatusLost:
		return "is " + o.Reason
	case o.WantsDetail():
		return "ended" + where + ": " + AskedDetail(*o)
	case o.Answered():
		return "was answered" + where + ": " + Heard(s.Summary())
	case o.Status == queue.StatusTimeout:
		return Heard(s.Summary())
	case o.By == queue.ByCaller, o.Ending().Elsewhere:
		return "was " + Heard(s.Summary())
	}
	return "was" + strings.TrimSuffix(" "+Heard(s.Summary()), " ") + where
}

// Over says in parts how a session ended while it was on screen; the rule above it has the time.
type Over struct{ Head, What, How string }

// ClosedWithWords says that a question closed before the person's words in it were sent; key opens the history.
func ClosedWithWords(s queue.Session, key string) string {
	how, o := "closed", s.Outcome
	switch {
	case o.Status == queue.StatusTimeout:
		how = "timed out"
	case o.By == queue.ByCaller:
		how = "withdrawn by " + Who(s.Origin)
	case o.By == queue.ByHuman:
		how = "closed " + through(o, FaceScreen)
	}
	where := "the history"
	if key != "" {
		where = key
	}
	return "(" + how + " " + o.At.Local().Format("15:04") + " · your words are in " + where + ")"
}

// OverOf says how a session with an outcome ended.
func OverOf(s queue.Session, f Face) Over {
	o := s.Outcome
	reason := ""
	if !queue.Blank(o.Reason) {
		reason = "“" + OneLine(o.Reason) + "”"
	}
	switch ending := o.Ending(); {
	case o.Status == queue.StatusLost:
		return Over{"Gone: ", o.Reason, ""}
	case ending.Elsewhere:
		return Over{Capital(endedThere(*o)) + " ", OneLine(o.Reason), ""}
	case o.By == queue.ByRule:
		return Over{"Answered: ", s.Summary(), byWhoseRule(*o, people[o.By][0])}
	case o.Status == queue.StatusTimeout && len(o.Answer.Replies) > 0:
		return Over{"Timed out: ", s.Ask.Summary(o.Answer), "its defaults were sent"}
	case o.Status == queue.StatusTimeout:
		return Over{"Timed out: ", "no answer", ""}
	case o.By == queue.ByCaller && reason == "":
		return Over{"Withdrawn by ", Who(s.Origin), ""}
	case o.By == queue.ByCaller:
		return Over{"Withdrawn: ", reason, "by " + Who(s.Origin)}
	case o.WantsDetail() && reason == "":
		return Over{Capital(askedDetail) + " ", through(o, f), ""}
	case o.WantsDetail():
		return Over{Capital(askedDetail) + ": ", reason, through(o, f)}
	case ending.Answered:
		return Over{"Answered: ", s.Summary(), through(o, f)}
	case reason == "":
		return Over{Capital(ending.Word) + " ", through(o, f), ""}
	default:
		return Over{Capital(ending.Word) + ": ", reason, through(o, f)}
	}
}

// MoreDetail is the word in a column for a question that the person ended by asking for more detail.
const MoreDetail = "more detail"

const askedDetail = "asked for " + MoreDetail

// AskedDetail returns what the person asked for in place of an answer, for an outcome that WantsDetail.
func AskedDetail(o queue.Outcome) string {
	if queue.Blank(o.Reason) {
		return askedDetail
	}
	return AskedDetailAs("“" + OneLine(o.Reason) + "”")
}

// AskedDetailAs returns the same with the person's words, which are quoted already and may be empty.
func AskedDetailAs(quoted string) string {
	if quoted == "" {
		return askedDetail
	}
	return askedDetail + ": " + quoted
}

// AlreadyEnded says, behind its id, that a command comes too late for a session with an outcome, and how that ended:
// "was already answered: SQLite".
func AlreadyEnded(s queue.Session) string {
	switch {
	case s.IsMessage():
		return "cannot be taken back any more: " + s.Summary()
	case s.Outcome.Status == queue.StatusTimeout:
		return "has already ended: " + s.Summary()
	case s.Outcome.WantsDetail():
		return "was already " + stateCancelled + ": " + s.Summary()
	}
	return "was already " + Result(s)
}

// EndedAt says how and when a question ended, as the rule over it does, and the same in fewer words: "answered 14:02".
func EndedAt(o queue.Outcome) (long, short string) {
	ending, at := o.Ending(), " "+o.At.Local().Format("15:04")
	switch {
	case o.WantsDetail():
		return askedDetail + at, MoreDetail + at
	case ending.Elsewhere:
		return AnsweredThere(o) + at, endedThere(o) + at
	case o.By == queue.ByRule:
		return stateAnswered + " " + byRule + at, byRule + at
	}
	return ending.Word + at, ending.Word + at
}

const byRule = "by rule"

// AnsweredThere says how and where a session ended at its agent: `answered in codex`, `interrupted in claude`.
func AnsweredThere(o queue.Outcome) string { return endedThere(o) + " " + OneLine(o.Reason) }

func endedThere(o queue.Outcome) string {
	if o.Interrupted() {
		return queue.ReasonInterrupted
	}
	return stateAnswered
}

// missedCounts counts the missed questions by how they ended.
func missedCounts(out, withdrawn int) string {
	switch {
	case withdrawn == 0:
		return fmt.Sprintf("! %d timed out while you were away", out)
	case out == 0:
		return fmt.Sprintf("! %d withdrawn while you were away", withdrawn)
	default:
		return fmt.Sprintf("! %d timed out, %d withdrawn while away", out, withdrawn)
	}
}

// MissedOf counts the questions that ended without the person, by how they ended.
func MissedOf(missed []queue.Session) string {
	withdrawn := 0
	for i := range missed {
		if missed[i].Outcome.By == queue.ByCaller {
			withdrawn++
		}
	}
	return missedCounts(len(missed)-withdrawn, withdrawn)
}

// NothingConfirmed says what happens when the time is up for an answer that is to be confirmed.
func NothingConfirmed(o queue.Origin) string {
	if o.Native() {
		return "nothing is confirmed; " + Who(o) + asksItself
	}
	return "nothing is confirmed; " + Who(o) + " is told the time ran out"
}

// CancelsConfirmation says what cancelling such a question does.
func CancelsConfirmation(o queue.Origin) string {
	if o.Native() {
		return "cancel: " + Who(o) + asksItself
	}
	return "cancel: " + Who(o) + " is told no"
}

// asksItself says that an agent shows its own prompt again.
const asksItself = " asks in its own way"

// The states of a question as a person reads them, in every place. queue.Endings has a word for each way to end.
const (
	stateWaiting   = "waiting"
	stateAnswered  = "answered"
	stateDelivered = "delivered"
	stateCancelled = "cancelled"
)

// Closed says of a question on screen that it has ended, however it did.
const Closed = "this question is closed"

// ClosedBack says what the key that leaves a closed question does, behind the key's name and in the foot: it brings up
// the next pending question, or if ends leaves the screen that ends with the question.
func ClosedBack(ends bool) (does, foot string) {
	if ends {
		return "leaves", "leave"
	}
	return "goes on", "go on"
}
