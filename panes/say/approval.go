package say

import (
	"strings"

	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/queue"
)

// Words of approvals, beside those of every question.

// approvalMarks explain the marks of an approval.
var approvalMarks = map[string]string{
	queue.MarkDestroys: "may destroy something",
	queue.MarkOutside:  "reaches outside the project",
	queue.MarkNetwork:  "talks to other machines",
}

// Marked says why an approval is marked: `it may destroy something and talks to other machines`; empty: it is not.
func Marked(a *queue.Approval) string {
	if a == nil || len(a.Marks) == 0 {
		return ""
	}
	return "it " + allMarks(a.Marks)
}

// Warnings returns what must be read before an ask is answered, in one line, the longest form first: why an approval is
// marked, and that it contains hidden characters.
func Warnings(a *queue.Approval, odd bool) []string {
	forms := make([]string, 3)
	add := func(words ...string) {
		for i := range forms {
			forms[i] = strings.TrimSpace(forms[i] + " ! " + words[i])
		}
	}
	marked := Marked(a)
	if marked != "" {
		short := strings.Join(a.Marks, ", ")
		add(marked, short, short)
	}
	switch {
	case odd && marked != "":
		add(HiddenCharacters, HiddenCharacters, "<U+…>")
	case odd:
		add(HiddenCharacters, HiddenCharacters, HiddenCharacters)
	}
	return forms
}

// allMarks returns the words of marks as part of a sentence.
func allMarks(marks []string) string {
	var does []string
	for _, m := range marks {
		does = append(does, approvalMarks[m])
	}
	if n := len(does); n > 1 {
		return strings.Join(does[:n-1], ", ") + " and " + does[n-1]
	}
	return strings.Join(does, "")
}

// partNames name the kinds of an approval's parts, for a part among others.
var partNames = map[string]string{
	queue.PartCommand: "command",
	queue.PartDiff:    "change",
	queue.PartAddress: "address",
	queue.PartPlan:    "plan",
	queue.PartText:    "text",
}

// PartHeading names a part of what is to be allowed: `change: src/main.go`.
func PartHeading(p queue.Part) string {
	if label := OneLine(p.Label); label != "" {
		return partNames[p.Kind] + ": " + label
	}
	return partNames[p.Kind]
}

// ApprovalWhere says by what it would be done, and where: `Bash in ~/src/shop`; empty: the agent did not say.
func ApprovalWhere(a *queue.Approval, home string) string {
	if a == nil {
		return ""
	}
	tool, dir := a.Shown()
	words := OneLine(tool)
	if dir := Tilde(OneLine(dir), home); dir != "" {
		words = strings.TrimSpace(words + " in " + dir)
	}
	return words
}

// markFirst says how an approval is marked, as nothing is marked there at first.
func markFirst(in Speech) []Piece {
	const nothing = "nothing is marked"
	key := func(a keys.Action) string { return in.Keys.KeyOf(keys.PlaceApproval, a) }
	allow := Keyed(" · ", key(keys.ActAllow), " allows once")
	refuse := Keyed(" · ", key(keys.ActRefuse), " refuses")
	return []Piece{Fixed(in.notYet() + nothing), Nice(allow+refuse, refuse, "")}
}

// MarkedLine is Marked in lines, where the sign is written out, and in the browser.
func MarkedLine(a *queue.Approval) string {
	if words := Marked(a); words != "" {
		return Capital(words) + "."
	}
	return ""
}

// PartLine names a part of what is to be allowed in lines.
func PartLine(p queue.Part) string { return "To be allowed, " + PartHeading(p) + ":" }

// ApprovalWhereLine is ApprovalWhere in lines.
func ApprovalWhereLine(a *queue.Approval, home string) string {
	if words := ApprovalWhere(a, home); words != "" {
		return "By " + words + "."
	}
	return ""
}

// notOffered says that the agent offers no such choice.
func notOffered(in Speech, a keys.Action) string {
	digits := in.Face.side(Keyed(": ", in.Keys.KeyOf(keys.PlaceApproval, keys.ActDigit), " choose"), "")
	if a == keys.ActAllow {
		return "its agent offers no way to allow this once" + digits
	}
	return "its agent offers no refusal" + digits
}

// RefusalLabel precedes the words that go with a refusal, where there is room for it: see Speech.
func RefusalLabel(in Speech, fits func(label string) bool) string {
	refuse := in.Keys.KeyOf(keys.PlaceApproval, keys.ActRefuse) + " refuse · "
	if long := refuse + "what to tell the agent (optional): "; fits(long) {
		return long
	}
	return refuse + "why: "
}

// SuggestedRefusals are offered with the arrow keys when an approval is refused.
var SuggestedRefusals = []string{
	"not this way: find another",
	"this is more than is needed: ask for less",
	"say first what it is for",
	"stop here, I will take over",
}

// Why an approval is not decided where nobody sits at a terminal, and where it can be.
const (
	ApprovalUntyped     = "a person decides an approval, at a terminal: nothing was sent"
	ApprovalInDashboard = "choicetui opens the dashboard, in which it waits"
)

// TypesYes asks for the word yes before a command decides an approval; does is what that would send.
func TypesYes(does, agent string) string {
	return "This sends " + does + " to " + agent + ". Type yes to do so:"
}

// SendsAnswer names what an answer to an approval sends.
func SendsAnswer(summary string) string { return "“" + summary + "”" }

// SendsCancel names what a cancel of an approval sends.
func SendsCancel(reason string) string {
	if queue.Blank(reason) {
		return "a cancel"
	}
	return "a cancel, “" + Short(reason, 100) + "”,"
}

// NotDecided says that another line than yes was typed.
const NotDecided = "nothing was sent: the whole word yes was wanted"
