package say

import (
	"strings"

	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/deed"
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

// PartHeading names a part of an approval: `change: src/main.go`.
func PartHeading(p queue.Part) string {
	if label := OneLine(p.Label); label != "" {
		return partNames[p.Kind] + ": " + label
	}
	return partNames[p.Kind]
}

// ApprovalWhere names the tool and the directory of an approval: `Bash in ~/src/shop`; empty: the agent did not say.
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
	allow := Keyed(" · ", key(deed.Allow), " allows once")
	refuse := Keyed(" · ", key(deed.Refuse), " refuses")
	return []Piece{Fixed(in.notYet() + nothing), Nice(allow+refuse, refuse, "")}
}

// MarkedLine returns Marked as a sentence, for lines and the browser.
func MarkedLine(a *queue.Approval) string {
	if words := Marked(a); words != "" {
		return Capital(words) + "."
	}
	return ""
}

// PartLine names a part of an approval in lines.
func PartLine(p queue.Part) string { return "To be allowed, " + PartHeading(p) + ":" }

// ApprovalWhereLine returns ApprovalWhere as a sentence, for lines.
func ApprovalWhereLine(a *queue.Approval, home string) string {
	if words := ApprovalWhere(a, home); words != "" {
		return "By " + words + "."
	}
	return ""
}

// notOffered says that the agent offers no such choice.
func notOffered(in Speech, a keys.Action) string {
	digits := in.Face.side(Keyed(": ", in.Keys.KeyOf(keys.PlaceApproval, deed.Digit), " choose"), "")
	if a == deed.Allow {
		return "its agent offers no way to allow this once" + digits
	}
	return "its agent offers no refusal" + digits
}
