package say

import (
	"errors"
	"fmt"
	"time"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/rules"
)

// A permission rule of the person allows a request that they allowed before, so that they are not asked again. This
// file has the words for rules and their effects.

// ByRuleOf names the rule that settled a session, and its owner if several people share the queue. It is empty if no
// rule did.
func ByRuleOf(o queue.Outcome) string {
	if o.By != queue.ByRule {
		return ""
	}
	words := byRule + " " + OneLine(o.Rule)
	if o.Person != "" {
		words += " of " + OneLine(o.Person)
	}
	return words
}

// byWhoseRule names the owner of the rule that settled a session, or returns unknown if only one person uses the queue.
func byWhoseRule(o queue.Outcome, unknown string) string {
	if o.Person != "" {
		return "by " + OneLine(o.Person) + "'s rule"
	}
	return unknown
}

// Rule holds the columns of a rule in a list: the request it allows, the agent, the directory and the end of its time.
type Rule struct{ What, Who, Dir, Until string }

// RuleOf returns the columns of a rule; home is written as ~.
func RuleOf(r rules.Rule, home string, now time.Time) Rule {
	l := Rule{What: OneLine(r.Tool) + ": " + OneLine(r.Text), Who: Who(queue.Origin{Client: r.Client}),
		Dir: OneLine(Tilde(r.Dir, home)), Until: "until " + Stamp(r.Until, now)}
	if r.Label != "" {
		l.What = OneLine(r.Tool) + " " + OneLine(r.Label) + ": " + OneLine(r.Text)
	}
	if r.Thread != "" {
		l.Who += ", one session"
	}
	return l
}

// ruleMakes describes the Enter that makes a rule: the request that is allowed from then on, its directory, the agent
// and the end of the time. unread counts the lines of the request that were not on screen. In a narrow pane the line
// has only the request and the time, because the directory is on screen above.
func ruleMakes(r rules.Rule, home string, unread int, in Speech, now time.Time) Line {
	dir := OneLine(Tilde(r.Dir, home))
	who, clock := Who(queue.Origin{Client: r.Client}), r.Until.Local().Format("15:04")
	until := clock
	if !sameDay(r.Until, now) {
		until += " tomorrow"
	}
	scope := Nice(" for "+who+" until "+until, " until "+until, " until "+clock)
	if r.Thread != "" {
		scope = Nice(" for the rest of this "+who+" session, at most until "+until,
			" for the rest of this "+who+" session", " for this session", " this session")
	}
	return Line{Pieces: []Piece{Fixed(in.Enter + " " + in.verb("allow ")), shownAbove(r.Kind, r.Text),
		Nice(" in "+dir, " here"), scope}}.Behind(notRead(in, unread))
}

// shownAbove returns the request that a rule allows, in full or as a reference to the text above. It is never cut,
// because half a command would be another command.
func shownAbove(kind, text string) Piece {
	what := "command"
	if kind == queue.PartDiff {
		what = "change"
	}
	shown, _ := queue.Part{Kind: kind, Text: text}.Shown()
	return wholeName(OneLine(shown.Text), "the whole "+what+" above", "the "+what+" above", "it")
}

// notRead warns that lines of the request were not on screen yet. It is empty if all were.
func notRead(in Speech, lines int) Tail {
	if lines == 0 {
		return nil
	}
	return Tail{Count(lines, "line") + " unread", fmt.Sprintf("%d unread", lines), fmt.Sprintf("%s%d", in.Down, lines)}
}

// AllowedBefore counts how often the person allowed the same request before, and tells when last. It is empty for a
// request that they never allowed.
func AllowedBefore(a rules.Allowed, now time.Time) string {
	if a.Times == 0 { // returns at once in the usual case, because each key press calls this several times
		return ""
	}
	last := Stamp(a.Last, now)
	if sameDay(a.Last, now) {
		last = a.Last.Local().Format("15:04")
	}
	if a.Times == 1 {
		return "allowed once, " + last
	}
	return fmt.Sprintf("allowed %d times, last %s", a.Times, last)
}

// noRule has the words for each reason why no permission rule can be made.
var noRule = []struct {
	err   error
	words string
}{
	{rules.ErrMarked, "anything that deletes, leaves the project or uses the network is asked about each time"},
	{rules.ErrParts, "a rule covers one command or one change, nothing more"},
	{rules.ErrShell, "a rule covers one plain command, without ; & | > < $ ` or a second line"},
	{rules.ErrHidden, "anything with hidden characters is asked about each time"},
	{rules.ErrNowhere, "no rule is possible, because the directory is not known here"},
	{rules.ErrNobody, "no rule is possible, because the agent is not known"},
	{rules.ErrNoOnce, "its agent does not offer to allow this once"},
	{rules.ErrNoApproval, "rules cover only agents' own prompts"},
}

// whyNoRule explains why no rule can be made from a request.
func whyNoRule(err error) string {
	for _, n := range noRule {
		if errors.Is(err, n.err) {
			return n.words
		}
	}
	return OneLine(err.Error())
}
