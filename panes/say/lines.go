package say

import (
	"fmt"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/form"
)

// AskHeading returns the first line of a question, for the plain mode and commands: its kind, its id and its title.
func AskHeading(s queue.Session) string {
	kind := "Question"
	if s.Ask.Kind == queue.KindApproval {
		kind = "Approval"
	}
	return fmt.Sprintf("%s %s: %s", kind, s.ID, Title(s.Ask))
}

// AskedFrom names the asking agent and where it works; agent is its name, which tells it from other agents.
func AskedFrom(agent string, o queue.Origin, home string) string {
	return "From " + agentAndPlace(agent, o, home) + "."
}

// agentAndPlace returns an agent's name, its directory and its branch.
func agentAndPlace(agent string, o queue.Origin, home string) string {
	if dir := Tilde(OneLine(o.Cwd), home); dir != "" {
		agent += ", " + dir
	}
	if o.Branch != "" {
		agent += " (" + OneLine(o.Branch) + ")"
	}
	return agent
}

// FormAnswered counts the answered questions of a form, longest form first. done is the sign for an answered question.
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

// DraftCame says that another process has changed the draft of the question on view. role is the role of that process.
func DraftCame(role string, f *form.Form) string {
	if draftedIn[role] == "" {
		return "Drafted elsewhere: " + Heard(Sent(f)) + "."
	}
	return DraftLine(role, f)
}

// DraftLine repeats the draft of the question on view and names the process that keeps it, by its role.
func DraftLine(role string, f *form.Form) string {
	return Drafted(role, FaceLines) + ": " + Heard(Sent(f)) + "."
}

// AndMore counts the entries that a list leaves out.
func AndMore(n int) string { return fmt.Sprintf("and %d more", n) }

// NotText refuses a typed line that contains arrows or other keys.
const NotText = "That line contains keys that are not text, so it was ignored: type it again."

// RunsAt names the agent and where it works, in a confirmation; agent is its name, which tells it from other agents.
func RunsAt(agent string, o queue.Origin, home string) string {
	return "It runs in: " + agentAndPlace(agent, o, home) + "."
}

// ClosedLine tells how a question ended that was not ended here.
func ClosedLine(s queue.Session) string {
	return "Closed: " + ShortQuoted(Title(s.Ask), 100) + " " + endedWords(s) + "."
}

// SentLine tells which answer or cancel was sent from here, and to which agent.
func SentLine(s queue.Session, agent string) string {
	if s.Outcome.WantsDetail() {
		return Capital(askedDetail) + " on " + ShortQuoted(Title(s.Ask), 100) + "; " + agent + " is told."
	}
	if e := s.Outcome.Ending(); !e.Answered {
		return Capital(e.Word) + " " + ShortQuoted(Title(s.Ask), 100) + "; " + agent + " is told."
	}
	return "Sent: " + Heard(s.Summary()) + " to " + agent + "."
}

// draftedIn names the place where a draft was made, by the role of the running process that keeps it.
var draftedIn = map[string]string{
	queue.RoleDashboard: "drafted in another dashboard",
	queue.RoleAttach:    "drafted with choicetui attach",
	queue.RolePortal:    "drafted in the browser",
}

// Drafted names the place where the answer on view was drafted, by the role of the process that keeps the draft. The
// role is empty if that process has ended, or if the draft was made at this same place, which a screen does not
// mention.
func Drafted(role string, f Face) string {
	words := draftedIn[role]
	if words == "" {
		return f.screenOrLines("drafted before", "From your draft")
	}
	if role == queue.RoleDashboard && f == FacePage {
		words = "drafted in the dashboard"
	}
	return f.screenOrLines(words, Capital(words))
}
