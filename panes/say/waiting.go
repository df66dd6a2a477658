package say

import (
	"fmt"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// Waiting returns words that count the pending questions, and those whose agent does not wait any more (gone). Every
// place that shows the number uses these words. onView is the id of the question on view, which may have ended; empty:
// none is. needed counts the prompts that need the person in their agents' own panes.
func Waiting(n, gone int, onView string, needed int) string {
	words := fmt.Sprintf("%d waiting", n)
	switch {
	case n == 0 && onView != "" && needed == 0:
		words = NothingElse
	case n == 0:
		words = NothingPending(needed)
	}
	switch {
	case gone == 0:
		return words
	case n == 1:
		return words + " (agent gone)"
	}
	return fmt.Sprintf("%s (%d gone)", words, gone)
}

// NothingPending tells that no question is pending or on view. While an agent needs the person in its own pane, it does
// not say that nothing is waiting; needed counts such prompts.
func NothingPending(needed int) string {
	if needed > 0 {
		return "nothing to answer"
	}
	return NothingWaiting
}

// NothingPendingLine says the same as NothingPending in lines and in commands.
func NothingPendingLine(needed int) string { return Sentence(NothingPending(needed)) }

// NothingElse says that there is no other question to go to, and no other area of the screen.
const NothingElse = "nothing else is waiting"

// NothingWaiting tells on a screen that no question is pending or on view.
const NothingWaiting = "nothing is waiting"

// Stay counts the questions that are left in the queue after quitting, and the agents' own prompts, which are withdrawn
// then; see desk.Left.
func Stay(stay, withdrawn int) string {
	words := fmt.Sprintf("%d questions stay in the queue", stay)
	if stay == 1 {
		words = "1 question stays in the queue"
	}
	switch {
	case withdrawn == 0:
		return words
	case stay > 0:
		return words + fmt.Sprintf(", %d left to their agents", withdrawn)
	case withdrawn == 1:
		return "1 request is left to its agent"
	}
	return fmt.Sprintf("%d requests are left to their agents", withdrawn)
}

// NothingFound tells that no question matches the words that narrow the queue. It is empty if the queue is not
// narrowed.
func NothingFound(find string) string {
	if find == "" {
		return ""
	}
	return "nothing matches /" + OneLine(find)
}

// NoStep explains why there is no next and no previous question. listed questions match find.
func NoStep(listed int, find string) string {
	switch {
	case find == "":
		return NothingElse
	case listed == 0:
		return NothingFound(find)
	}
	return "no other question matches /" + OneLine(find)
}

// ShowAll and ShowAllShort are the words for a key that lists everything again after a filter.
const ShowAll, ShowAllShort = "show all again", "show all"

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
	queue.StandingAttached: {"in its own form", "in form", "open elsewhere", "open in choicetui attach"},
	queue.StandingTeam:     {WithTheTeam, "team", WithTheTeam, WithTheTeam},
	queue.StandingParked:   {WithTheTeam, "team", WithTheTeam + ", not waiting", WithTheTeam + ", not waiting"},
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
func Idle(w queue.Waiting, f Frontend) string {
	switch {
	case w.Standing == queue.StandingLater:
		return Later(*w.Session)
	case w.Standing == queue.StandingOthers:
		return MeantFor(w.Ask.Audience)
	case w.Standing == queue.StandingPerhaps:
		return Perhaps(*w.Session)
	case f == InLines:
		return standings[w.Standing].lines
	}
	return standings[w.Standing].command
}
