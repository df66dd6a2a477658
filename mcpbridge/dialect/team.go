package dialect

import (
	"fmt"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// What an outcome says of the team that was asked: `team` in the structured content, and these sentences in the text.

// shownSummary limits the characters of a summary or reason that a sentence repeats; the structured content has all of
// it.
const shownSummary = 500

// asTheTeamSaid says, in a sentence, how the team took part in the answer; "" if it was not asked, or if there is no
// answer.
func asTheTeamSaid(o *queue.Outcome) string {
	if o.Team == nil || !o.Answered() {
		return ""
	}
	said := "The person asked their team first, and answered by themselves"
	switch o.Team.Summary.Source {
	case queue.SourceTeam:
		said = "The person asked their team first, and this is what came of it"
	case queue.SourceOwner:
		said = "The person asked their team first, and then decided otherwise"
	}
	return said + quotedAfter(o.Team.Summary.Text) + why(o.Team.Rationale)
}

// why returns the person's reason as a sentence of its own.
func why(reason string) string {
	if queue.Blank(reason) {
		return ""
	}
	return " Their reason" + quotedAfter(reason)
}

// quotedAfter returns the end of a sentence: a text behind a colon, or nothing but the full stop.
func quotedAfter(text string) string {
	v, _ := queue.VisibleLine(queue.Shorten(text, shownSummary, "…"))
	v = strings.TrimSpace(v)
	switch {
	case queue.Blank(v):
		return "."
	case strings.ContainsAny(v[len(v)-1:], ".!?"):
		return fmt.Sprintf(": “%s”", v)
	}
	return fmt.Sprintf(": “%s”.", v)
}

// putOff tells the model, in sentences, that the person decides later; "" if the question ended otherwise.
func putOff(s queue.Session) string {
	o := s.Outcome
	if o.Status != queue.StatusDeferred {
		return ""
	}
	said := ""
	if o.Team != nil && !queue.Blank(o.Team.Summary.Text) {
		said = " Their team has said so far" + quotedAfter(o.Team.Summary.Text)
	}
	return "The person decides this later." + why(o.Reason) + said +
		" Leave it open and go on with work that does not depend on it; do not ask the same again now."
}
