package say

import (
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// Result says how a session with an outcome ended, on one line: "answered: SQLite", "cancelled: not now",
// "timed out, no answer".
func Result(s queue.Session) string {
	if s.Outcome.Answered() {
		return stateAnswered + ": " + s.Summary()
	}
	return s.Summary()
}

// Question returns one of several questions as it is told afterwards: its header with the first line of its text, and
// the context, which is the rest of the text. The context keeps its lines, and hidden characters.
func Question(q queue.Question) (name, context string) {
	first, rest, _ := strings.Cut(strings.TrimSpace(q.Text), "\n")
	return strings.TrimSpace(OneLine(q.Header) + "  " + OneLine(first)), strings.TrimSpace(rest)
}

// WithTheTeam says that the team was asked about a question.
const WithTheTeam = "with the team"

// standings holds the reasons why a question is not urgent, by face, and for little room on a screen.
var standings = map[queue.Standing]struct{ screen, short, command, lines string }{
	queue.StandingAttached: {"in its own form", "in form", "open elsewhere", "open in a form of its own"},
	queue.StandingTeam:     {WithTheTeam, "team", WithTheTeam, WithTheTeam},
	queue.StandingParked:   {"parked", "parked", WithTheTeam + ", parked", WithTheTeam + ", parked"},
	queue.StandingGone:     {"gone", "gone", "gone", "its agent disconnected"},
}

// Perhaps says that a question was probably answered at its agent.
func Perhaps(s queue.Session) string { return "perhaps answered " + OneLine(s.Perhaps) }

// Standing says why a question is not urgent here, and the same in fewer words; empty: it is urgent. where is the pane
// of its own form.
func Standing(w queue.Waiting, where string) (long, short string) {
	switch {
	case w.Standing == queue.StandingLater:
		return Later(*w.Session), Later(*w.Session)
	case w.Standing == queue.StandingOthers:
		return MeantFor(w.Ask.Audience), "for others"
	case w.Standing == queue.StandingPerhaps:
		return Perhaps(*w.Session), "answered?"
	case w.Standing == queue.StandingAttached && where != "":
		return "in " + where, "in " + where
	}
	return standings[w.Standing].screen, standings[w.Standing].short
}

// Idle says why a question is not urgent, in a command's list or among lines; empty: it is urgent.
func Idle(w queue.Waiting, f Face) string {
	switch {
	case w.Standing == queue.StandingLater:
		return Later(*w.Session)
	case w.Standing == queue.StandingOthers:
		return MeantFor(w.Ask.Audience)
	case w.Standing == queue.StandingPerhaps:
		return Perhaps(*w.Session)
	case f == FaceLines:
		return standings[w.Standing].lines
	}
	return standings[w.Standing].command
}
