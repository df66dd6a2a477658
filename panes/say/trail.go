package say

import (
	"fmt"
	"strings"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// Trail tells what happened to a session.
type Trail struct {
	Session queue.Session
	Home    string      // shown as ~
	Here    queue.Names // this machine, where agents run on others too
	Whole   bool        // with the agent's machine, also where it is this one
	Face    Face        // faceHistory, where the person reads of themselves, or FaceCommand
}

// Rules say under what conditions it was asked.
func (t Trail) Rules() string {
	a := t.Session.Ask
	if t.Session.IsMessage() { // it asks nothing
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

// Event returns an event's label, and the words behind its time.
func (t Trail) Event(e queue.Event) (label, words string) {
	s := t.Session
	switch e.Kind {
	case queue.EventAsked:
		return "Asked", " by " + t.asker()
	case queue.EventSent:
		return "Written", t.doer(e) + ", to " + t.asker()
	case queue.EventAttached:
		return "Opened", openedWords(e.Detail)
	case queue.EventMoved:
		return "Moved", t.doer(e) + movedWords(e.Detail)
	case queue.EventLater:
		return "Set aside", t.doer(e) + laterWords(e.Detail)
	case queue.EventTeamCalled:
		return "Team called", t.doer(e)
	case queue.EventTeamTold:
		return "Team told", behind(e.Detail)
	case queue.EventWidened:
		return "Team asked", t.doer(e) + behind(e.Detail)
	case queue.EventRegrouped:
		return regrouped(e.Detail), t.doer(e)
	case queue.EventSummaryAsked:
		return "Summary asked", " from " + Who(s.Origin)
	case queue.EventSummaryGiven:
		return "Summary given", " by " + Who(s.Origin)
	case queue.EventSummaryMissed:
		return "No summary", " from " + Who(s.Origin)
	case queue.EventSettled:
		return t.settled(e)
	case queue.EventCollected:
		if s.Outcome != nil && s.Outcome.By == queue.ByCaller { // nobody had to be told
			return "Closed", ""
		}
		if e.Detail != "" {
			return "Sent", " to " + Who(s.Origin) + behind(e.Detail)
		}
		return Capital(stateDelivered), " to " + Who(s.Origin)
	case queue.EventLapsed:
		return "Not " + stateDelivered, behind(e.Detail)
	case queue.EventDeparted:
		return "Left", t.doer(e) + ", for " + OneLine(e.Detail)
	}
	return "", ""
}

// openedWords say that a form was opened, and in which pane where that is known.
func openedWords(pane string) string {
	if pane == "" {
		return " " + attached
	}
	return " " + attached + ", tmux pane " + OneLine(pane)
}

// regrouped says whether the person waits for the team or continues meanwhile.
func regrouped(state string) string {
	if state == queue.WidenParked {
		return "Parked"
	}
	return "Waited for"
}

// settled says how the session ended: by whom, through what, after how long.
func (t Trail) settled(e queue.Event) (label, words string) {
	s := t.Session
	took := ", after " + Clock(s.Took().Truncate(time.Second))
	if t.Face == FaceCommand || s.Outcome.By == queue.ByRule { // both times stand beside it; a rule takes none
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
		return "Answered", t.doer(e) + took
	case ending.Elsewhere:
		return Capital(endedThere(*o)), " " + OneLine(o.Reason) + took
	case o.Status == queue.StatusTimeout:
		words = took + "; no answer was given"
		if sum := s.Ask.Summary(o.Answer); len(o.Answer.Replies) > 0 {
			words = took + "; the defaults were taken: " + sum
		}
		return Capital(ending.Word), words
	case o.By == queue.ByCaller:
		return Capital(ending.Word), " by " + Who(s.Origin) + took + behind(o.Reason)
	case o.WantsDetail():
		return Capital(ending.Word), t.doer(e) + took + "; " + AskedDetail(*o)
	case o.Status == queue.StatusCancelled && !queue.Blank(o.Reason):
		return Capital(ending.Word), t.doer(e) + took + ": “" + OneLine(o.Reason) + "”"
	default:
		return Capital(ending.Word), t.doer(e) + took + behind(o.Reason)
	}
}

// Told returns an event as a command tells it: what happened, and how, which may be nothing. The agent is named
// elsewhere.
func (t Trail) Told(e queue.Event) (what, how string) {
	t.Face = FaceCommand
	what, how = t.Event(e)
	switch e.Kind {
	case queue.EventAsked, queue.EventCollected:
		how = ""
	case queue.EventSent:
		how = ""
		if e.Person != "" { // several share the queue
			how = t.doer(e)
		}
	case queue.EventSettled:
		if t.Session.Outcome.Answered() {
			how += ": " + t.Session.Summary()
		}
	}
	if what == "" { // of a newer choicetui
		what = e.Kind
	}
	return strings.ToLower(OneLine(what)), OneLine(strings.TrimLeft(how, " ,:;"))
}

func behind(detail string) string {
	if queue.Blank(detail) {
		return ""
	}
	return ": " + OneLine(detail)
}

// doer says who did something, and through which surface.
func (t Trail) doer(e queue.Event) string {
	words := people[e.By][0]
	if t.Face == FaceCommand {
		words = people[e.By][1]
	}
	switch {
	case e.Given != "":
		words = byLink(e.Given)
	case e.By == queue.ByRule && t.Session.Outcome != nil:
		words = ruled(*t.Session.Outcome)
	case e.Person != "":
		words = byPerson(e.Person)
	}
	if words != "" {
		words = " " + words
	}
	if through := throughSurface(e.Surface, t.Face); through != "" {
		words += ", " + through
	}
	return words
}

// movedWords reads the trail's own words for a moved deadline (`+60s to 2026-11-20T14:08:00Z`).
func movedWords(detail string) string {
	var by int
	var until string
	if _, err := fmt.Sscanf(detail, "%ds to %s", &by, &until); err != nil {
		return behind(detail)
	}
	at, err := time.Parse(time.RFC3339, until)
	if err != nil {
		return behind(detail)
	}
	d, way := time.Duration(by)*time.Second, "more"
	if d < 0 {
		d, way = -d, "less"
	}
	return fmt.Sprintf(": %s %s, until %s", Clock(d), way, at.Local().Format("15:04:05"))
}

// asker names the agent with its version and place.
func (t Trail) asker() string {
	o := t.Session.Origin
	words := Who(o)
	if o.Version != "" {
		words += " " + OneLine(o.Version)
	}
	host := t.Here.Elsewhere(o)
	if t.Whole {
		host = OneLine(o.Host)
	}
	return On(placed(words, o, t.Home), host)
}

// Words of commands and the history about a question that the team was asked.

// TeamAsked says of a question that is with the team who was asked and when, and whether the person waits; where is
// where they talk, empty where that is not known.
func TeamAsked(w queue.Widened, now time.Time) (who, where string) {
	who = "team asked " + Stamp(w.At, now)
	if names := w.Names(); names != "" {
		who += ": " + names
	}
	if w.State != queue.WidenParked {
		who += "; you wait for them"
	} else if w.ParkedAt != nil {
		who += "; parked since " + Stamp(*w.ParkedAt, now)
	}
	if w.ThreadURL != "" {
		where = "their thread: " + OneLine(w.ThreadURL)
	}
	return who, where
}

// TeamStands says where a question is that the team was asked, and what its clock does.
func TeamStands(s queue.Session) string {
	if s.Parked() {
		return "parked " + WithTheTeam + ", " + clockStands
	}
	return WithTheTeam + ", " + clockStands
}

// teamSource says where the final answer comes from; empty: the team was not asked.
func teamSource(r *queue.Resolution) string {
	if r == nil {
		return ""
	}
	switch r.Summary.Source {
	case queue.SourceTeam:
		return "as the team said"
	case queue.SourceOwner:
		return "otherwise than the team said"
	}
	return "after the team was asked"
}

// TeamReview returns the team's part in an outcome, each with its name: the summary of the discussion, and the person's
// reason. They keep their lines. Of a deferral the reason is told already.
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
