package say

import (
	"fmt"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/form"
)

// A question in lines, from its heading to what can be typed.

// AskHeading begins a question: its kind, its id and its title.
func AskHeading(s queue.Session) string {
	kind := "Question"
	if s.Ask.Kind == queue.KindApproval {
		kind = "Approval"
	}
	return fmt.Sprintf("%s %s: %s", kind, s.ID, Title(s.Ask))
}

// AskedFrom says who asks and where; agent is what the agent is called beside others.
func AskedFrom(agent string, o queue.Origin, home string) string {
	return "From " + placed(agent, o, home) + "."
}

// placed returns an agent's name with where it works.
func placed(agent string, o queue.Origin, home string) string {
	if dir := Tilde(OneLine(o.Cwd), home); dir != "" {
		agent += ", " + dir
	}
	if o.Branch != "" {
		agent += " (" + OneLine(o.Branch) + ")"
	}
	return agent
}

// FormAnswered says how many of several questions are answered, longest form first; done is the sign for an answered
// one.
func FormAnswered(f *form.Form, done string) []string {
	n := 0
	for i := range f.Len() {
		if f.Question(i).Taken() {
			n++
		}
	}
	return []string{fmt.Sprintf("%d of %d answered", n, f.Len()), fmt.Sprintf("%d answered", n),
		fmt.Sprintf("%s %d", done, n)}
}

// DraftCame says what a draft that came from elsewhere has made of the question on view.
func DraftCame(role string, f *form.Form) string {
	if draftedIn[role] == "" {
		return "Drafted elsewhere: " + Heard(Sent(f)) + "."
	}
	return DraftLine(role, f)
}

// DraftLine says what is drafted for the question on view, and where that was, by the role of the process that keeps
// the draft.
func DraftLine(role string, f *form.Form) string {
	return Drafted(role, FaceLines) + ": " + Heard(Sent(f)) + "."
}

// AndMore says how many of a list are left out.
func AndMore(n int) string { return fmt.Sprintf("and %d more", n) }

// Words of the line face about a line that was typed.

// NotText refuses a line that holds arrows or other keys.
const NotText = "That line holds keys that are not text, so it was not taken: type it again."

// Confirmations that lines ask for, and their results.

// RunsAt says where it runs; agent is what the agent is called beside others.
func RunsAt(agent string, o queue.Origin, home string) string {
	return "It runs in: " + placed(agent, o, home) + "."
}

// News that lines tell on their own.

// ClosedLine says how a question ended that was not ended here.
func ClosedLine(s queue.Session) string {
	return "Closed: " + ShortQuoted(Title(s.Ask), 100) + " " + ending(s) + "."
}

// SentLine says what was sent or cancelled here, and to which agent.
func SentLine(s queue.Session, agent string) string {
	if s.Outcome.WantsDetail() {
		return Capital(askedDetail) + " on " + ShortQuoted(Title(s.Ask), 100) + "; " + agent + " is told."
	}
	if e := s.Outcome.Ending(); !e.Answered {
		return Capital(e.Word) + " " + ShortQuoted(Title(s.Ask), 100) + "; " + agent + " is told."
	}
	return "Sent: " + Heard(s.Summary()) + " to " + agent + "."
}

// draftedIn says where a draft was made that another running process keeps, by the role of that process.
var draftedIn = map[string]string{
	queue.RoleDashboard: "drafted in another dashboard",
	queue.RoleAttach:    "drafted with choicetui attach",
	queue.RolePortal:    "drafted in the browser",
}

// Drafted says where the answer on view comes from, by the role of the process that keeps it as a draft. Without a role
// that process has ended, or the draft is this seat's own, which a screen does not mention.
func Drafted(role string, f Face) string {
	words := draftedIn[role]
	if words == "" {
		return f.side("drafted before", "From your draft")
	}
	if role == queue.RoleDashboard && f == FacePage {
		words = "drafted in the dashboard"
	}
	return f.side(words, Capital(words))
}
