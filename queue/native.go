package queue

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
)

// DialectNative is the format of an agent's own prompts: its questions, approvals, plans and forms.
const DialectNative = "native"

// ByRule is the party of an answer by one of the person's permission rules: the person allowed this request before,
// and does not want to be asked again. See Outcome.Rule and package rules.
const ByRule = "rule"

// MaxSource limits the length of a native question's source, in characters.
const MaxSource = 400

// MaxDecided limits the bytes of what a person decides about in an agent's own prompt: a command, a change, a plan or a
// form. What is longer stays in the agent's pane, because nothing of it may be cut.
const MaxDecided = 1 << 20

// Effects of an approval's option at the agent.
const (
	ActOnce    = "once"    // allows this action once
	ActSession = "session" // allows it and similar actions until the agent ends
	ActAlways  = "always"  // allows it by a rule that the agent keeps
	ActRefuse  = "refuse"
)

// Marks say what an approved action may do beyond its project. One with a red mark needs a confirmation; one without
// may need it too. A grey mark is only shown, and keeps the action out of rules.
const (
	MarkDestroys = "destroys" // removes or overwrites, perhaps for good
	MarkRights   = "rights"   // has the rights of another user or of the machine, or reaches keys
	MarkSends    = "sends"    // sends something away, publishes or deploys
	MarkRuns     = "runs"     // runs what nobody has seen
	MarkOutside  = "outside"  // reaches outside the project
	MarkReads    = "reads"    // grey: only reads outside the project
	MarkNetwork  = "network"  // grey: talks to other machines
)

// Marks lists the marks, those that weigh most first.
var Marks = []string{MarkDestroys, MarkRights, MarkSends, MarkRuns, MarkOutside, MarkReads, MarkNetwork}

// IsRed reports whether an action with this mark is confirmed.
func IsRed(mark string) bool { return mark != MarkReads && mark != MarkNetwork }

// Red returns the red marks of an approval.
func (a *Approval) Red() []string {
	return slices.DeleteFunc(slices.Clone(a.Marks), func(m string) bool { return !IsRed(m) })
}

// Grey returns the grey marks of an approval.
func (a *Approval) Grey() []string { return slices.DeleteFunc(slices.Clone(a.Marks), IsRed) }

// AllowThis is the question of an agent's own approval. Frontends do not show it, because title and options say the
// same.
const AllowThis = "May it do this?"

// Approval describes in full the action that an agent wants permission for. The prompt of an ask with an approval
// contains only the reason.
type Approval struct {
	Tool  string   `json:"tool,omitempty"` // the agent's own name of the tool: Bash, apply_patch
	Parts []Part   `json:"parts"`          // in the order in which a person reads them
	Dir   string   `json:"dir,omitempty"`  // directory in which the action would run
	Marks []string `json:"marks,omitempty"`

	// LeftOut says, in our own words, what else the agent offers and where that can be chosen; empty: nothing is left
	// out. Parts are never left out.
	LeftOut string `json:"left_out,omitempty"`

	// Request is the SHA-256, in hexadecimal digits, of the requested action as it was received, without the agent's
	// own words about it. Two different requests may look the same in Parts. It is empty if an older version stored
	// the approval.
	Request string `json:"request,omitempty"`
}

// Kinds of a Part.
const (
	PartCommand = "command"
	PartDiff    = "diff"
	PartAddress = "address"
	PartPlan    = "plan" // Markdown
	PartText    = "text" // the other input of a tool
	PartFile    = "file" // what is done with the file of this path, other than a change of its text
)

// Part contains one piece of the action, such as a command or a diff, as the agent sent it.
type Part struct {
	Kind  string `json:"kind"`
	Label string `json:"label,omitempty"` // of a diff and a file its path, else the name of the text
	// Leads is the place to which a path leads that is a symbolic link or lies below one. It is empty for other paths,
	// and LeadsNowhere where the place could not be found out.
	Leads string `json:"leads,omitempty"`
	Text  string `json:"text"`
	// OnlyBlanks means that the two sides of a diff differ only in blanks, tabs and line ends. Only Shown sets it.
	OnlyBlanks bool `json:"-"`
}

// LeadsNowhere is the value of Part.Leads for links in a circle, and for links that could not be followed. It is no
// path, because paths that links lead to are absolute.
const LeadsNowhere = "?"

// SourceID returns the session id for an agent's own prompt. The same source always gets the same id, so that the
// person is asked once even if several processes watch the agent.
func SourceID(source string) string {
	sum := sha256.Sum256([]byte(source))
	return IDFrom(sum[:])
}

// Native reports whether the ask is the agent's own prompt and not a model's call of one of our tools. Only the
// process that took in such a prompt collects its answer.
func (o Origin) Native() bool { return o.Source != "" }

// Problems lists the problems that keep a new session out of the queue: those of its ask, within the limits for this
// origin, and those of the origin's source. The list is empty if it can be stored.
func (s Session) Problems() []Problem {
	most := callLimits
	if s.Origin.Native() {
		most = nativeLimits
	}
	var c checker
	c.checkText("origin.source", s.Origin.Source, MaxSource, optional)
	return append(s.Ask.check(most), c.problems...)
}

// checkApproval lists the problems of an ask's approval.
func checkApproval(c *checker, a Ask) {
	if a.Approval == nil {
		return
	}
	if a.Kind != KindApproval {
		c.addProblem("approval", "is not possible with kind "+a.Kind, "leave it out, or use kind approval")
	}
	c.checkText("approval.tool", a.Approval.Tool, MaxLabel, optional)
	c.checkText("approval.dir", a.Approval.Dir, MaxNote, optional)
	c.checkText("approval.left_out", a.Approval.LeftOut, MaxNote, optional)
	if len(a.Approval.Parts) == 0 {
		c.addProblem("approval.parts", "is empty", "what to allow")
	}
	for i, p := range a.Approval.Parts {
		at := fmt.Sprintf("approval.parts[%d]", i)
		if !slices.Contains([]string{PartCommand, PartDiff, PartAddress, PartPlan, PartText, PartFile}, p.Kind) {
			c.addProblem(at+".kind", "is "+Quote(p.Kind), "command, diff, address, plan, file or text")
		}
		c.checkText(at+".label", p.Label, MaxNote, optional)
		c.checkText(at+".leads", p.Leads, MaxNote, optional)
		c.checkText(at+".text", p.Text, max(c.most.text, MaxAskBytes), required)
	}
	for i, m := range a.Approval.Marks {
		if !slices.Contains(Marks, m) {
			c.addProblem(fmt.Sprintf("approval.marks[%d]", i), "is "+Quote(m), "one of "+strings.Join(Marks, ", "))
		}
	}
}

// checkActs lists the options whose effect at the agent is not valid. Only the options of an approval have such an
// effect.
func checkActs(c *checker, a Ask) {
	for i, q := range a.Questions {
		for j, o := range q.Options {
			at := fmt.Sprintf("questions[%d].options[%d].", i, j)
			known := slices.Contains([]string{"", ActOnce, ActSession, ActAlways, ActRefuse}, o.Act)
			if a.Approval != nil && !known {
				c.addProblem(at+"act", "is "+Quote(o.Act), "once, session, always or refuse")
			}
			if o.Exact && (a.Approval == nil || o.Act != ActSession && o.Act != ActAlways) {
				c.addProblem(at+"exact", "is only possible with the agent's own rule",
					"leave it out, or use an approval and act session or always")
			}
		}
	}
}

// Text joins the tool, the directory and all parts of an approval, for a search by words. It returns an empty string
// for nil.
func (a *Approval) Text() string {
	if a == nil {
		return ""
	}
	words := []string{a.Tool, a.Dir}
	for _, p := range a.Parts {
		words = append(words, p.Label, p.Leads, p.Text)
	}
	return strings.Join(words, " ")
}

// checkRule fails if an answer by a permission rule names no rule, or if an answer by anybody else names one, or if
// the ask needs the person's confirmation.
func checkRule(s Session, a Settle, by string) error {
	switch {
	case (a.Rule != "") != (by == ByRule):
		return invalid("rule", "is not a rule of the person, or has no owner", "by rule, and which one")
	case by != ByRule:
	case s.Ask.Confirm || a.Confirmed || s.Ask.Approval != nil && len(s.Ask.Approval.Marks) > 0:
		return invalid("rule", "is not possible for an answer that must be confirmed", "a person")
	}
	return nil
}
