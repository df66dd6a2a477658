package say

import (
	"slices"
	"strings"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

// approvalMarks explains, as a part of a sentence, the marks of queue.Approval.
var approvalMarks = map[string]string{
	queue.MarkDestroys: "may be destructive",
	queue.MarkRights:   "has the rights of another user or of the machine, or reaches keys",
	queue.MarkSends:    "sends something away, publishes or deploys",
	queue.MarkRuns:     "runs code that is not shown here",
	queue.MarkOutside:  "reaches outside the project",
	queue.MarkReads:    "reads outside the project",
	queue.MarkNetwork:  "uses the network",
}

// ApprovalTitle returns the title above a request that is shown in full: the tool alone, where the title names the tool
// and repeats the request. It is visible and on one line.
func ApprovalTitle(a queue.Ask) string {
	if a.Approval == nil {
		return Title(a)
	}
	tool, _ := a.Approval.Shown()
	if tool = OneLine(tool); tool != "" && strings.HasPrefix(Title(a), tool+": ") {
		return tool
	}
	return Title(a)
}

// Allows returns the plan of a confirmation with the request as its object, in place of the option that allows it.
func Allows(p form.Plan, a queue.Ask) form.Plan {
	if _, allows := p.Has(form.PieceAllows); allows {
		p.Object = request(a)
	}
	return p
}

// request names the request of an approval on one line: its command, or else its title.
func request(a queue.Ask) string {
	if parts := a.Approval.Parts; len(parts) > 0 && parts[0].Kind == queue.PartCommand {
		p, _ := parts[0].Shown()
		return OneLine(p.Text)
	}
	return Title(a)
}

// Marked explains the red marks of an approval, without a subject: `may be destructive`. It is empty for an approval
// without them.
func Marked(a *queue.Approval) string {
	if a == nil {
		return ""
	}
	return explained(a.Red())
}

// Tagged explains the grey marks of an approval, as Marked does the red ones: `uses the network`.
func Tagged(a *queue.Approval) string {
	if a == nil {
		return ""
	}
	return explained(a.Grey())
}

// explained returns what an approval with these marks does.
func explained(marks []string) string {
	var does []string
	for _, m := range marks {
		does = append(does, approvalMarks[m])
	}
	if len(does) == 0 {
		return ""
	}
	return AllOf(does)
}

// partNames names the kinds of an approval's parts. A part is named only if the approval has several.
var partNames = map[string]string{
	queue.PartCommand: "command",
	queue.PartDiff:    "change",
	queue.PartAddress: "address",
	queue.PartPlan:    "plan",
	queue.PartText:    "input",
	queue.PartFile:    "file",
}

// PartHeading returns the heading of a shown part of an approval: `change: src/main.go`, or
// `change, only blanks differ: link.go → /etc/x.go`. It is empty if the part needs none; beside means that there are
// other parts.
func PartHeading(p queue.Part, beside bool) string {
	place := PartPlace(p)
	switch {
	case !beside && place == "" && !p.OnlyBlanks:
		return ""
	case p.Kind == queue.PartText && place != "":
		return place
	}
	words := partNames[p.Kind]
	if p.OnlyBlanks {
		words += ", only blanks differ"
	}
	if place != "" {
		words += ": " + place
	}
	return words
}

// PartPlace returns the label of a shown part, and where it leads if it is a link: `link.go → /etc/x.go`.
func PartPlace(p queue.Part) string {
	place := OneLine(p.Label)
	if p.Leads != "" {
		place += " → " + OneLine(p.Leads)
	}
	return place
}

// ApprovalBelow names the directory of an approval, the tool too if ApprovalTitle does not, and what is left out.
func ApprovalBelow(a queue.Ask, home string) string {
	if a.Approval == nil {
		return ""
	}
	where := ApprovalWhere(a.Approval, home)
	if tool, dir := a.Approval.Shown(); ApprovalTitle(a) == OneLine(tool) {
		where = Tilde(OneLine(dir), home)
	}
	return strings.Join(slices.DeleteFunc([]string{where, OneLine(a.Approval.LeftOut)}, queue.Blank), " · ")
}

// ApprovalWhere names the tool and the directory of an approval: `Bash in ~/src/shop`. It is empty if the agent named
// neither.
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

// MarkedLine returns Marked as a sentence, for lines and the browser.
func MarkedLine(a *queue.Approval) string {
	if words := Marked(a); words != "" {
		return "It " + words + "."
	}
	return ""
}

// TaggedLine returns Tagged as a sentence, for lines and the browser.
func TaggedLine(a *queue.Approval) string {
	if words := Tagged(a); words != "" {
		return "It " + words + "."
	}
	return ""
}

// PartLine introduces a shown part of an approval in the plain mode: `Permission is needed for this change
// (src/main.go):`.
func PartLine(p queue.Part) string {
	words, place := "Permission is needed for this "+partNames[p.Kind], PartPlace(p)
	switch {
	case p.Kind == queue.PartText && place != "":
		return strings.ToUpper(place[:1]) + place[1:] + ":"
	case p.OnlyBlanks:
		words += ", in which only blanks differ"
	}
	if place != "" {
		words += " (" + place + ")"
	}
	return words + ":"
}

// ReasonLine introduces the prompt of an approval below its parts, so that it does not pass for one of them.
const ReasonLine = "The agent's reason:"

// ApprovalWhereLine says the same as ApprovalBelow in sentences, and always names the tool, for the plain mode and
// commands.
func ApprovalWhereLine(a *queue.Approval, home string) string {
	if a == nil {
		return ""
	}
	tool, dir := a.Shown()
	words := ""
	switch tool, dir = OneLine(tool), Tilde(OneLine(dir), home); {
	case tool != "" && dir != "":
		words = "Tool: " + tool + ", in " + dir + "."
	case tool != "":
		words = "Tool: " + tool + "."
	case dir != "":
		words = "In " + dir + "."
	}
	if left := OneLine(a.LeftOut); left != "" {
		words = strings.TrimSpace(words + " " + Sentence(left))
	}
	return words
}

// notOffered explains why the key that allows, or the key that refuses, has no effect: the agent offers no such choice.
func notOffered(in Speech, a action.Name) string {
	digits := in.Keys.KeyOf(action.PlaceApproval, action.Digit)
	digits = in.Frontend.screenOrLines(Keyed("; ", digits, " choose an option"), "")
	if a == action.Allow {
		return "its agent offers no way to allow this once" + digits
	}
	return "its agent offers no refusal" + digits
}
