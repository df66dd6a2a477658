package say

import (
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// Result describes how a session with an outcome ended, on one line: "answered: SQLite", "cancelled: not now", "timed
// out, no answer".
func Result(s queue.Session) string {
	if s.Outcome.Answered() {
		return stateAnswered + ": " + s.Summary()
	}
	return s.Summary()
}

// Question splits a question for the history: name is its header with the first line of its text, context the rest of
// the text. context keeps its line breaks and its hidden characters.
func Question(q queue.Question) (name, context string) {
	first, rest, _ := strings.Cut(strings.TrimSpace(q.Text), "\n")
	return strings.TrimSpace(OneLine(q.Header) + "  " + OneLine(first)), strings.TrimSpace(rest)
}

// WithTheTeam tells that the team was asked about a question.
const WithTheTeam = "with the team"

// standings has the words for why a question is not urgent: for a screen, a narrow screen (short), a command and lines.
var standings = map[queue.Standing]struct{ screen, short, command, lines string }{
	queue.StandingAttached: {"in its own form", "in form", "open elsewhere", "open in its own form"},
	queue.StandingTeam:     {WithTheTeam, "team", WithTheTeam, WithTheTeam},
	queue.StandingParked:   {WithTheTeam, "team", WithTheTeam + ", parked", WithTheTeam + ", parked"},
	queue.StandingGone:     {"gone", "gone", "gone", "its agent disconnected"},
}

// Perhaps tells that a question was probably answered at its agent.
func Perhaps(s queue.Session) string { return "perhaps answered " + OneLine(s.Perhaps) }

// Standing explains why a question is not urgent here, in full and in fewer words. Both are empty if it is urgent.
// where is the tmux pane in which the question is open alone, with choicetui attach.
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

// Idle explains why a question is not urgent, for a command's list or for lines. It is empty if the question is urgent.
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
