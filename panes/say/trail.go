package say

import (
	"fmt"
	"strings"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// Trail returns the words for the events of a session's audit trail.
type Trail struct {
	Session  queue.Session
	Home     string      // shown as ~
	Here     queue.Names // the names of this machine, to tell it from others where agents run
	Whole    bool        // names the agent's machine even if it is this one
	Frontend Frontend    // frontendHistory, which calls the person `you`, or OnCommand
}

// Rules returns the conditions under which the question was asked: its time, whether it must be confirmed, and whether
// it was opened with choicetui attach.
func (t Trail) Rules() string {
	a := t.Session.Ask
	if t.Session.IsMessage() { // a line to an agent has no conditions
		return ""
	}
	words := " · " + Took(time.Duration(a.TimeoutSeconds)*time.Second) + " to answer"
	if a.OnTimeout == queue.OnTimeoutDefaults {
		words += ", then the defaults"
	}
	if a.Confirm {
		words += " · with confirmation"
	}
	if a.HandOff {
		words += " · " + attached
	}
	return words
}

// teamTold returns the label of the event that ends telling the team. why is the reason why they are not told.
func teamTold(why string) string {
	if why != "" {
		return "Team not told"
	}
	return "Team told"
}

// Event returns an event's label, and the words that follow its time.
func (t Trail) Event(e queue.Event) (label, words string) {
	s := t.Session
	switch e.Kind {
	case queue.EventAsked:
		return "Asked", " by " + t.askingAgent()
	case queue.EventSent:
		return "Written", t.doneBy(e) + ", to " + t.askingAgent()
	case queue.EventAttached:
		return "Opened", openedWords(e.Detail)
	case queue.EventMoved:
		return "Time limit changed", t.doneBy(e) + movedWords(e.Detail, e.At)
	case queue.EventLater:
		return "Set aside", t.doneBy(e) + laterWords(e.Detail, e.At)
	case queue.EventTeamCalled:
		return "Team called", t.doneBy(e)
	case queue.EventTeamRefused:
		return "Team not asked", ": its server refused"
	case queue.EventTeamTold:
		return teamTold(e.Detail), afterColon(e.Detail)
	case queue.EventWidened:
		return "Team asked", t.doneBy(e) + afterColon(e.Detail)
	case queue.EventRegrouped:
		return regrouped(e.Detail), t.doneBy(e)
	case queue.EventSummaryAsked:
		return "Summary requested", " from " + Who(s.Origin)
	case queue.EventSummaryGiven:
		return "Summary given", " by " + Who(s.Origin)
	case queue.EventSummaryMissed:
		return "No summary", " from " + Who(s.Origin)
	case queue.EventSettled:
		return t.settledWords(e)
	case queue.EventCollected:
		return collected(s, e)
	case queue.EventExpired:
		return "Not " + stateDelivered, afterColon(e.Detail)
	}
	return "", ""
}

// collected returns the label and the words of the event that ends a session at its agent.
func collected(s queue.Session, e queue.Event) (label, words string) {
	if s.Outcome != nil && s.Outcome.By == queue.ByCaller { // nobody had to be told
		return "Closed", ""
	}
	if e.Detail != "" {
		return "Sent", " to " + Who(s.Origin) + afterColon(e.Detail)
	}
	return Capital(stateDelivered), " to " + Who(s.Origin)
}

// openedWords tells that a form was opened, and in which tmux pane if that is known.
func openedWords(pane string) string {
	if pane == "" {
		return " " + attached
	}
	return " " + attached + ", tmux pane " + OneLine(pane)
}

// regrouped returns the label of the event that the person waits for the team, or has left the question with the team
// to answer others.
func regrouped(state string) string {
	if state == queue.WidenParked {
		return "Not waiting"
	}
	return "Waiting"
}

// settledWords describes how the session ended: by whom, through which surface, after how long.
func (t Trail) settledWords(e queue.Event) (label, words string) {
	s := t.Session
	took := ", after " + Clock(s.Took().Truncate(time.Second))
	if t.Frontend == OnCommand || s.Outcome.By == queue.ByRule { // a command shows the time of each event anyway
		took = ""
	}
	if s.IsMessage() {
		if label = Capital(stateDelivered); s.Outcome.Status != queue.StatusDelivered {
			label = "Not sent"
		}
		return label, took + ": " + s.Summary()
	}
	switch o, ending := s.Outcome, s.Outcome.Ending(); {
	case ending.Answered:
		if source := teamSource(o.Team); source != "" {
			took += ", " + source
		}
		return "Answered", t.doneBy(e) + took
	case ending.Elsewhere:
		return Capital(o.EndedThere()), " " + OneLine(o.Reason) + took
	case o.Status == queue.StatusTimeout:
		words = took + "; no answer was given"
		if sum := s.Ask.Summary(o.Answer); len(o.Answer.Replies) > 0 {
			words = took + "; the defaults were taken: " + sum
		}
		return Capital(ending.Word), words
	case o.By == queue.ByCaller:
		return Capital(ending.Word), " by " + Who(s.Origin) + took + afterColon(o.Reason)
	case o.WantsDetail():
		return Capital(ending.Word), t.doneBy(e) + took + "; " + AskedDetail(*o)
	case o.Status == queue.StatusCancelled && !queue.Blank(o.Reason):
		return Capital(ending.Word), t.doneBy(e) + took + ": “" + OneLine(o.Reason) + "”"
	default:
		return Capital(ending.Word), t.doneBy(e) + took + afterColon(o.Reason)
	}
}

// Told returns the words for an event in the output of a command: its label, and details that may be empty. They do not
// name the agent, because the command does so in another line.
func (t Trail) Told(e queue.Event) (what, how string) {
	t.Frontend = OnCommand
	what, how = t.Event(e)
	switch e.Kind {
	case queue.EventAsked, queue.EventCollected:
		how = ""
	case queue.EventSent:
		how = ""
		if e.Person != "" { // several people share the queue
			how = t.doneBy(e)
		}
	case queue.EventSettled:
		if t.Session.Outcome.Answered() {
			how += ": " + t.Session.Summary()
		}
	}
	if what == "" { // an event of a newer choicetui
		what = e.Kind
	}
	return strings.ToLower(OneLine(what)), OneLine(strings.TrimLeft(how, " ,:;"))
}

// afterColon returns a detail behind a colon, or nothing for a blank one.
func afterColon(detail string) string {
	if queue.Blank(detail) {
		return ""
	}
	return ": " + OneLine(detail)
}

// doneBy names the party that acted, and the surface.
func (t Trail) doneBy(e queue.Event) string {
	words := people[e.By][0]
	if t.Frontend == OnCommand {
		words = people[e.By][1]
	}
	switch {
	case e.Given != "":
		words = byLink(e.Given)
	case e.By == queue.ByRule && t.Session.Outcome != nil:
		words = ByRuleOf(*t.Session.Outcome)
	case e.Person != "":
		words = byPerson(e.Person)
	}
	if words != "" {
		words = " " + words
	}
	if through := throughSurface(e.Surface, t.Frontend); through != "" {
		words += ", " + through
	}
	return words
}

// movedWords translates the audit trail's detail of a moved deadline (`+60s to 2026-11-20T14:08:00Z`).
// then is the time of the move.
func movedWords(detail string, then time.Time) string {
	var by int
	var until string
	if _, err := fmt.Sscanf(detail, "%ds to %s", &by, &until); err != nil {
		return afterColon(detail)
	}
	at, err := time.Parse(time.RFC3339, until)
	if err != nil {
		return afterColon(detail)
	}
	d, way := time.Duration(by)*time.Second, "more"
	if d < 0 {
		d, way = -d, "less"
	}
	return fmt.Sprintf(": %s %s, now ends at %s", Clock(d), way, Stamp(at, then))
}

// askingAgent names the agent with its version and place.
func (t Trail) askingAgent() string {
	o := t.Session.Origin
	words := Who(o)
	if o.Version != "" {
		words += " " + OneLine(o.Version)
	}
	host := t.Here.Elsewhere(o)
	if t.Whole {
		host = OneLine(o.Host)
	}
	return On(AgentAndPlace(words, o, t.Home), host)
}

// TeamAsked tells who of the team was asked and when, and whether the person waits for them; where is the address of
// their discussion, empty if it is not known.
func TeamAsked(w queue.Widened, now time.Time) (who, where string) {
	who = "team asked " + Stamp(w.At, now)
	if names := w.Names(); names != "" {
		who += ": " + names
	}
	if w.State != queue.WidenParked {
		who += "; you are waiting for them"
	} else if w.ParkedAt != nil {
		who += "; not waiting since " + Stamp(*w.ParkedAt, now)
	}
	if w.ThreadURL != "" {
		where = "their thread: " + OneLine(w.ThreadURL)
	}
	return who, where
}

// TeamStands says that the team was asked about a question and that its clock is stopped.
const TeamStands = WithTheTeam + " · clock paused"

// teamSource says whether the final answer is that of the team. It is empty if the team was not asked.
func teamSource(r *queue.Resolution) string {
	if r == nil {
		return ""
	}
	switch r.Summary.Source {
	case queue.SourceTeam:
		return "as the team said"
	case queue.SourceOwner:
		return "not as the team said"
	}
	return "after the team was asked"
}

// TeamReview returns the team's part in an outcome as pairs of label and text: the summary of the discussion, and the
// person's reason. The texts keep their line breaks. The reason of a deferral is left out, because the outcome itself
// has it.
func TeamReview(o queue.Outcome) (named [][2]string) {
	if o.Team == nil {
		return nil
	}
	if !queue.Blank(o.Team.Summary.Text) {
		named = append(named, [2]string{"the team: ", Text(o.Team.Summary.Text)})
	}
	if !queue.Blank(o.Team.Rationale) && o.Status != queue.StatusDeferred {
		named = append(named, [2]string{"reason: ", Text(o.Team.Rationale)})
	}
	return named
}
