package say

import (
	"fmt"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// surfaces has the words for the surface that an answer came from (a dashboard, the browser, …), indexed by the
// Frontend that shows them.
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

// throughSurface names the surface that an answer came from. For an unknown surface it is empty, or `elsewhere` on a
// screen and on the page, whose own question ended there.
func throughSurface(surface string, f Frontend) string {
	words := surfaces[surface][f]
	if words == "" && (f == OnScreen || f == OnPage) {
		return "elsewhere"
	}
	return words
}

// people has the words for the party that acted: those of the history, and those of commands.
var people = map[string][2]string{
	queue.ByHuman:  {"by you", "by a person"},
	queue.ByClock:  {"by the clock", "by the clock"},
	queue.ByCaller: {"by the agent", "by the agent"},
	queue.ByRule:   {"by your rule", "by a rule"},
}

// byLink names the link that an agent was given and by which somebody acted on the page.
func byLink(given string) string { return "by the link given to " + OneLine(given) }

// ByWhom names the origin of an outcome: the person if several share the queue, the rule if a rule answered, else the
// surface. An answer by a link that an agent was given names the link, because anybody may have used it.
func ByWhom(o *queue.Outcome, f Frontend) string {
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

// Settler names the party and the surface that settled a session: "by a person, in the dashboard".
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
	if through := throughSurface(o.Surface, OnCommand); through != "" {
		return by + ", " + through
	}
	return by
}

const (
	someAgent   = "the agent"     // an agent whose name is not known
	aScript     = "the script"    // the caller of choicetui ask, because the name "ask" would read as a verb
	anInterview = "the interview" // the caller of choicetui interview, which asks one question after the other
)

// Who returns the agent's name for phrases such as "cancel and tell AGENT".
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

// Over describes in three parts how a question ended that is still on screen. The line over the question has the time.
type Over struct{ Head, What, How string }

// OverOf describes how a session with an outcome ended.
func OverOf(s queue.Session, f Frontend) Over {
	o := s.Outcome
	reason := ""
	if !queue.Blank(o.Reason) {
		reason = "“" + OneLine(o.Reason) + "”"
	}
	switch ending := o.Ending(); {
	case o.Status == queue.StatusLost:
		return Over{"Gone: ", o.Reason, ""}
	case ending.Elsewhere:
		return Over{Capital(o.EndedThere()) + " ", OneLine(o.Reason), ""}
	case o.By == queue.ByRule:
		return Over{"Answered: ", s.Summary(), byWhoseRule(*o, people[o.By][0])}
	case o.Status == queue.StatusTimeout && len(o.Answer.Replies) > 0:
		return Over{"Timed out: ", s.Ask.Summary(o.Answer), "its defaults were sent"}
	case o.Status == queue.StatusTimeout:
		return Over{"Timed out: ", "no answer", ""}
	case s.Stopped():
		return Over{Capital(queue.ReasonInterrupted) + " in ", Who(s.Origin), ""}
	case o.By == queue.ByCaller && reason == "":
		return Over{Capital(ending.Word) + " by ", Who(s.Origin), ""}
	case o.By == queue.ByCaller && s.Origin.Client == queue.ClientAsk: // our own words
		return Over{Capital(ending.Word) + ": ", OneLine(o.Reason), ""}
	case o.By == queue.ByCaller:
		return Over{Capital(ending.Word) + ": ", reason, "by " + Who(s.Origin)}
	case o.WantsDetail() && reason == "":
		return Over{Capital(askedDetail) + " ", ByWhom(o, f), ""}
	case o.WantsDetail():
		return Over{Capital(askedDetail) + ": ", reason, ByWhom(o, f)}
	case ending.Answered:
		return Over{"Answered: ", s.Summary(), ByWhom(o, f)}
	case reason == "":
		return Over{Capital(ending.Word) + " ", ByWhom(o, f), ""}
	default:
		return Over{Capital(ending.Word) + ": ", reason, ByWhom(o, f)}
	}
}

const (
	moreDetail  = "more detail"
	askedDetail = "asked for " + moreDetail
)

// AskedDetail says which further detail the person asked for instead of answering. WantsDetail of the outcome must be
// true.
func AskedDetail(o queue.Outcome) string {
	if queue.Blank(o.Reason) {
		return askedDetail
	}
	return askedDetail + ": “" + OneLine(o.Reason) + "”"
}

// AlreadyEnded explains, behind the id of a session with an outcome, that a command came too late: "was already
// answered: SQLite".
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

// EndedAt describes how and when a question ended, for the line over it, in full and in fewer words: "answered 14:02".
func EndedAt(o queue.Outcome) (long, short string) {
	ending, at := o.Ending(), " "+o.At.Local().Format("15:04")
	switch {
	case o.WantsDetail():
		return askedDetail + at, moreDetail + at
	case ending.Elsewhere:
		return AnsweredThere(o) + at, o.EndedThere() + at
	case o.By == queue.ByRule:
		return stateAnswered + " " + byRule + at, byRule + at
	}
	return ending.Word + at, ending.Word + at
}

const byRule = "by rule"

// AnsweredThere describes how a session ended at its agent: `answered in AGENT`, `interrupted in AGENT`.
func AnsweredThere(o queue.Outcome) string { return o.EndedThere() + " " + OneLine(o.Reason) }

// MissedOf returns words that count the questions that ended without the person, by how they ended. Those that timed
// out come first.
func MissedOf(missed []queue.Session) string {
	counted := map[string]int{}
	for i := range missed {
		counted[missed[i].Outcome.Ended()]++
	}
	var parts []string
	for _, ending := range slices.Backward(queue.Endings()) {
		if n := counted[ending.Name]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, ending.Word))
		}
	}
	return "! " + strings.Join(parts, ", ") + " unanswered"
}

// NothingConfirmed describes the end of the time for an answer that the person has not confirmed.
func NothingConfirmed(o queue.Origin) string {
	if o.Native() {
		return "nothing is confirmed; " + Who(o) + asksItself
	}
	return "nothing is confirmed; " + Who(o) + " is told the time ran out"
}

// CancelsConfirmation describes the effect of cancelling an answer that the person has not confirmed.
func CancelsConfirmation(o queue.Origin) string {
	if o.Native() {
		return "cancel: " + Who(o) + asksItself
	}
	return "cancel and tell " + Who(o) + " no"
}

// asksItself says that an agent asks again with its own prompt.
const asksItself = " asks with its own prompt"

// The states of a question, in words that are the same everywhere. queue.Ending has a word for each way to end.
const (
	stateWaiting   = "waiting"
	stateAnswered  = "answered"
	stateDelivered = "delivered"
	stateCancelled = "cancelled"
)

// Closed tells that the question on screen has ended, however it ended.
const Closed = "this question is closed"

// ClosedBack describes the key that leaves a closed question, behind the key's name and in the footer. The key brings
// up the next pending question, or if ends is set leaves the screen that ends with the question.
func ClosedBack(ends bool) (does, footer string) {
	if ends {
		return "leaves", "leave"
	}
	return "continues", "continue"
}
