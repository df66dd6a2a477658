package queue

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// DialectNative is the format of an agent's own prompts: its questions, approvals, plans and forms.
const DialectNative = "native"

// ByRule settled what the person allowed before and made a rule of. See Outcome.Rule.
const ByRule = "rule"

// MaxSource limits the length of a native question's source, in characters.
const MaxSource = 400

// Effects of an approval's option at the agent.
const (
	ActOnce    = "once"    // allows this one
	ActSession = "session" // allows it and what is alike until the agent ends
	ActAlways  = "always"  // makes a rule of the agent's own
	ActRefuse  = "refuse"
)

// Why an approval is marked: it then wants the confirmation step. A mark never spares it.
const (
	MarkDestroys = "destroys"
	MarkOutside  = "outside" // reaches outside the project
	MarkNetwork  = "network"
)

// Approval describes in full the action that an agent wants permission for. The prompt of an ask with an approval
// contains only the reason.
type Approval struct {
	Tool  string   `json:"tool,omitempty"` // the agent's own name for it: Bash, apply_patch
	Parts []Part   `json:"parts"`          // in the order in which a person reads them
	Dir   string   `json:"dir,omitempty"`  // where it would run
	Marks []string `json:"marks,omitempty"`

	// Request is the SHA-256 of what the agent wants to be allowed as it was received, in hexadecimal digits, without
	// its own words about it. What is drawn in Parts may be the same of two requests that differ. Empty: an older
	// version did not keep it.
	Request string `json:"request,omitempty"`
}

// Kinds of part.
const (
	PartCommand = "command"
	PartDiff    = "diff"
	PartAddress = "address"
	PartPlan    = "plan" // Markdown
	PartText    = "text"
)

// Part holds one thing that would be allowed, as the agent gave it.
type Part struct {
	Kind  string `json:"kind"`
	Label string `json:"label,omitempty"` // a file's path, a host
	Text  string `json:"text"`
}

// SourceID returns the session id for an agent's own prompt. The same source always gets the same id, so that the
// person is asked once, whoever watches.
func SourceID(source string) string {
	sum := sha256.Sum256([]byte(source))
	return IDFrom(sum[:])
}

// Native reports whether the ask is a prompt of the agent's own and not a model's call of one of our tools: only its
// intake collects it.
func (o Origin) Native() bool { return o.Source != "" }

// check lists what keeps the origin out of the queue.
func (o Origin) check() []Problem {
	var c checker
	c.checkText("origin.source", o.Source, MaxSource, false)
	return c.problems
}

// checkApproval lists what keeps an approval out of the queue.
func checkApproval(c *checker, a Ask) {
	if a.Approval == nil {
		return
	}
	if a.Kind != KindApproval {
		c.addProblem("approval", "does not go with kind "+a.Kind, "it left out, or kind approval")
	}
	c.checkText("approval.tool", a.Approval.Tool, MaxLabel, false)
	c.checkText("approval.dir", a.Approval.Dir, MaxNote, false)
	if len(a.Approval.Parts) == 0 {
		c.addProblem("approval.parts", "is empty", "what is to be allowed")
	}
	for i, p := range a.Approval.Parts {
		at := fmt.Sprintf("approval.parts[%d]", i)
		if !slices.Contains([]string{PartCommand, PartDiff, PartAddress, PartPlan, PartText}, p.Kind) {
			c.addProblem(at+".kind", "is "+Quote(p.Kind), "command, diff, address, plan or text")
		}
		c.checkText(at+".label", p.Label, MaxNote, false)
		c.checkText(at+".text", p.Text, MaxAskBytes, true)
	}
	for i, m := range a.Approval.Marks {
		if !slices.Contains([]string{MarkDestroys, MarkOutside, MarkNetwork}, m) {
			c.addProblem(fmt.Sprintf("approval.marks[%d]", i), "is "+Quote(m), "destroys, outside or network")
		}
	}
}

// checkActs lists what of the options keeps an ask out of the queue, as only an approval's do something at the agent.
func checkActs(c *checker, a Ask) {
	for i, q := range a.Questions {
		for j, o := range q.Options {
			at := fmt.Sprintf("questions[%d].options[%d].", i, j)
			known := slices.Contains([]string{"", ActOnce, ActSession, ActAlways, ActRefuse}, o.Act)
			if a.Approval != nil && !known {
				c.addProblem(at+"act", "is "+Quote(o.Act), "once, session, always or refuse")
			}
			if o.Exact && (a.Approval == nil || o.Act != ActSession && o.Act != ActAlways) {
				c.addProblem(at+"exact", "does not go with what makes no rule of an agent's",
					"it left out, or an approval and act session or always")
			}
		}
	}
}

// Text joins all parts of an approval in one text, to be searched for words. A nil approval has none.
func (a *Approval) Text() string {
	if a == nil {
		return ""
	}
	words := []string{a.Tool, a.Dir}
	for _, p := range a.Parts {
		words = append(words, p.Label, p.Text)
	}
	return strings.Join(words, " ")
}

// checkRule refuses a rule that is nobody's, and one that would allow what the person is to confirm.
func checkRule(s Session, a Settle, by string) error {
	switch {
	case (a.Rule != "") != (by == ByRule):
		return invalid("rule", "is no rule of the person's, or nobody's", "by rule, and which one")
	case by != ByRule:
	case s.Ask.Confirm || a.Confirmed || s.Ask.Approval != nil && len(s.Ask.Approval.Marks) > 0:
		return invalid("rule", "does not go with what is to be confirmed", "a person")
	}
	return nil
}

// Shown returns the part as a person is to see it before they allow it, and whether it holds what would not be seen. It
// is Visible, and stricter: what selects, joins or tints an emoji takes no ink, and no shell takes another blank than
// the plain one to end a word, so these are shown by code point. A plan is prose, where such blanks belong; the wide
// blank of East Asian text and the line ends of other systems are shown in commands alone.
func (p Part) Shown() (shown Part, odd bool) {
	inLabel, inText := false, false
	p.Label, inLabel = exactly(p.Label, false)
	if p.Kind == PartPlan {
		p.Text, inText = visible(p.Text, true)
	} else {
		p.Text, inText = exactly(p.Text, p.Kind == PartCommand)
	}
	return p, inLabel || inText
}

// exactly is a stricter Visible, for text that is not prose. strict is for text that a shell would run.
func exactly(text string, strict bool) (shown string, odd bool) {
	if isPlainASCII(text) {
		return text, false
	}
	blank := false
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		if r != ' ' && unicode.Is(unicode.Zs, r) && (strict || r != wideBlank) || strict && r == '\r' {
			fmt.Fprintf(&b, "<U+%04X>", r)
			blank = true
		} else {
			b.WriteString(text[:size])
		}
		text = text[size:]
	}
	shown, odd = visible(b.String(), true)
	return shown, odd || blank
}

// wideBlank is the blank of East Asian text.
const wideBlank = '\u3000'

// Shown returns the tool and the directory as a person is to see them; Parts have a Shown of their own.
func (a *Approval) Shown() (tool, dir string) {
	tool, _ = exactly(a.Tool, false)
	dir, _ = exactly(a.Dir, false)
	return tool, dir
}

// Odd reports whether the approval holds characters that would not be seen for what they are.
func (a *Approval) Odd() bool {
	if a == nil {
		return false
	}
	for _, text := range []string{a.Tool, a.Dir} {
		if _, odd := exactly(text, false); odd {
			return true
		}
	}
	return slices.ContainsFunc(a.Parts, func(p Part) bool { _, odd := p.Shown(); return odd })
}
