package say

import (
	"time"

	"github.com/choicetui/choicetui/queue"
)

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
