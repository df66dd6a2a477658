package say

import (
	"errors"
	"fmt"
	"time"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/rules"
)

// Words about the person's rules: requests that they allowed once and need not be asked about again.

// ruled names the rule that settled a session, and its owner if several people share the queue; empty: no rule did.
func ruled(o queue.Outcome) string {
	if o.By != queue.ByRule {
		return ""
	}
	words := byRule + " " + OneLine(o.Rule)
	if o.Person != "" {
		words += " of " + OneLine(o.Person)
	}
	return words
}

// byWhoseRule names the owner of the rule that settled a session, or returns unknown if one person has the queue.
func byWhoseRule(o queue.Outcome, unknown string) string {
	if o.Person != "" {
		return "by " + OneLine(o.Person) + "'s rule"
	}
	return unknown
}

// RuledLine says that a rule allowed what an agent asked for; agent is what that is called.
func RuledLine(s queue.Session, agent string) string {
	return Capital(ruled(*s.Outcome)) + ": " + Heard(s.Summary()) + " to " + agent + ", for " +
		ShortQuoted(Title(s.Ask), 100) + "."
}

// Rule holds the columns of a rule in a list: what it allows, to whom, where and until when.
type Rule struct{ What, Who, Dir, Until string }

// RuleOf returns a rule as it is listed.
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

// ruleMakes says what Enter does where a rule is made: what is allowed from then on, in which directory, to whom and
// until when. unread is the number of lines of the request that were not on screen. A narrow pane keeps what is allowed
// and until when, because it shows the directory above.
func ruleMakes(r rules.Rule, home string, unread int, in Speech, now time.Time) Line {
	dir := OneLine(Tilde(r.Dir, home))
	who, clock := Who(queue.Origin{Client: r.Client}), r.Until.Local().Format("15:04")
	until := clock
	if !sameDay(r.Until, now) {
		until += " tomorrow"
	}
	scope := Nice(" for "+who+" until "+until, " until "+until, " until "+clock)
	if r.Thread != "" {
		scope = Nice(" for this session of "+who+", until "+until+" at most", " for this session of "+who,
			" this session")
	}
	return Line{Pieces: []Piece{Fixed(in.Enter + " always allow "), shownAbove(r.Kind, r.Text),
		Nice(" in "+dir, " here"), scope}}.Behind(notRead(in, unread), in.leavesIt())
}

// shownAbove returns the request that a rule covers in full, or refers to it as shown above: half a command would be
// another command.
func shownAbove(kind, text string) Piece {
	what := "command"
	if kind == queue.PartDiff {
		what = "change"
	}
	return wholeName(OneLine(text), "the whole "+what+" above", "the "+what+" above", "it")
}

// notRead warns that lines of the request were not on screen; empty: all were.
func notRead(in Speech, lines int) Tail {
	if lines == 0 {
		return nil
	}
	return Tail{Count(lines, "line") + " unread", fmt.Sprintf("%d unread", lines), fmt.Sprintf("%s%d", in.Down, lines)}
}

// ownRuleMakes says what Enter does where the agent itself keeps the rule, by one of its choices: what it allows from
// then on, for how long, and whose rule it is. See ruleMakes for unread.
func ownRuleMakes(s queue.Session, own queue.Option, unread int, in Speech) Line {
	who := Who(s.Origin)
	scope := Nice(" for this session of "+who, " for this session", " this session")
	if own.Act == queue.ActAlways {
		scope = Nice(" until "+who+" is started anew", " until it starts anew")
	}
	part := s.Ask.Approval.Parts[0]
	return Line{Pieces: []Piece{Fixed(in.Enter + " always allow "), shownAbove(part.Kind, part.Text),
		scope}}.Behind(notRead(in, unread), Tail{"by " + who + "'s own rule", who + "'s rule"}, in.leavesIt())
}

// AllowedBefore says how often the person allowed the same thing before, and when last; empty: never.
func AllowedBefore(a rules.Allowed, now time.Time) string {
	if a.Times == 0 { // as good as always, and asked several times at every key
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

// noRule holds the reasons why no rule can be made.
var noRule = []struct {
	err   error
	words string
}{
	{rules.ErrMarked, "what destroys, leaves the project or goes to the network is asked each time"},
	{rules.ErrParts, "a rule covers one command or one change, and nothing beside it"},
	{rules.ErrShell, "a rule covers one plain command, without ; & | > < $ ` or a second line"},
	{rules.ErrHidden, "what holds hidden characters is asked each time"},
	{rules.ErrNowhere, "a rule holds in one directory, and this one is not known"},
	{rules.ErrNobody, "a rule holds for one agent, and this one is not known"},
	{rules.ErrNoOnce, "its agent does not offer to allow this once"},
	{rules.ErrNoApproval, "a rule covers what an agent wants to be allowed by itself"},
}

// whyNoRule says why no rule can be made from a request.
func whyNoRule(err error) string {
	for _, n := range noRule {
		if errors.Is(err, n.err) {
			return n.words
		}
	}
	return OneLine(err.Error())
}
