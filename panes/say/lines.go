package say

import (
	"fmt"
	"strings"
	"unicode"

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

// AgentAndPlace returns an agent's name, which tells it from other agents, with its directory and its branch.
func AgentAndPlace(agent string, o queue.Origin, home string) string {
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

// AndMore counts the entries that a list leaves out.
func AndMore(n int) string { return fmt.Sprintf("and %d more", n) }

// HoldsKeys reports whether a typed line holds keys that no line of text can contain, such as the arrows or Esc.
func HoldsKeys(line string) bool {
	return strings.ContainsFunc(line, func(r rune) bool { return r != '\t' && unicode.IsControl(r) })
}

// NotText refuses a line that HoldsKeys.
const NotText = "That line contains keys that are not text, so it was ignored: type it again."

// LineCut refuses a line of which only the first bytes have come.
func LineCut(bytes int) string {
	return fmt.Sprintf("Not taken: only the first %d bytes of the line came. Type shorter lines.", bytes)
}

// draftedIn names the place where a draft was made, by the role of the running process that keeps it: for a screen and
// for lines.
var draftedIn = map[string][2]string{
	queue.RoleDashboard: {"drafted in another dashboard", "Draft from another dashboard"},
	queue.RoleAttach:    {"drafted with choicetui attach", "Draft from choicetui attach"},
	queue.RolePortal:    {"drafted in the browser", "Draft from the browser"},
}

// Drafted names the place where the answer on view was drafted, by the role of the process that keeps the draft. The
// role is empty if that process has ended, or if the draft was made at this same place, which a screen does not
// mention.
func Drafted(role string, f Frontend) string {
	words, known := draftedIn[role]
	switch {
	case !known:
		return f.screenOrLines("draft restored", "From your draft")
	case role == queue.RoleDashboard && f == OnPage:
		return "drafted in the dashboard"
	}
	return f.screenOrLines(words[0], words[1])
}
