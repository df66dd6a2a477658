package say

import (
	"errors"
	"fmt"
	"strings"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/widen"
)

// TeamNotNow says that a step is refused for a reason that is too long for a notice.
const TeamNotNow = "not possible: see the line below the title"

// YourTeam names the team in a sentence to the person.
const YourTeam = "your team"

// TeamAsking is shown with a question while the team is being asked about it.
const TeamAsking = "The team is being asked; you can answer here meanwhile."

// TeamFailed returns an error of asking the team on one line. The packages below app/widen, which reach the team, write
// their errors as sentences.
func TeamFailed(err error) string { return OneLine(err.Error()) }

// teamReasons has the words for the errors of the desk about the team. Those for an answer that is being sent differ by
// frontend; see teamReason.
var teamReasons = []struct {
	err   error
	words string
}{
	{widen.ErrNoTeam, "no team is set up yet: choicetui config set widen.backend http, or slack"},
	{widen.ErrUnknown, "checking whether the team can be reached: press again in a moment"},
	{widen.ErrAsking, "the team is being asked already"},
	{widen.ErrBusy, "it is being stored: press again in a moment"},
	{widen.ErrNotNow, "nothing to do here"},
	{widen.ErrNoQuestion, "they have to read the question too"},
	{widen.ErrNotWithTeam, "the team was not asked about this"},
	{widen.ErrNoReason, "say why it has to wait"},
	{widen.ErrNobodyNamed, "choose somebody who is asked"},
	{desk.ErrOver, nothingToEnd},
	{queue.ErrSettled, nothingToEnd},
	{queue.ErrNotDeferred, "the team was not asked about this"},
}

// TeamWhyNot explains why a step with the team was refused or failed. It is empty without an error.
func TeamWhyNot(err error, on Frontend) string {
	if err == nil {
		return ""
	}
	if words := teamReason(err, on); words != "" {
		return words
	}
	return TeamFailed(err)
}

// TeamLong reports whether an error is from a package that reaches the team, so that its text may be too long for a
// notice.
func TeamLong(err error) bool { return err != nil && teamReason(err, OnScreen) == "" }

// teamReason returns the words for an error of the desk. It is empty for any other error.
func teamReason(err error, on Frontend) string {
	if errors.Is(err, desk.ErrSending) {
		return beingSent(on)
	}
	for _, r := range teamReasons {
		if errors.Is(err, r.err) {
			return r.words
		}
	}
	return ""
}

// TeamPanel returns the words below the title of a question that the team was asked about: who was asked and when, and
// where they discuss it. where is empty if that is not known.
func TeamPanel(s queue.Session) (who, where string) {
	w := s.Widen
	you, _ := youWait(s)
	who = "With the team since " + w.At.Local().Format("15:04") + ": " + teamNames(w.Team, mostNamed) + you
	if w.ThreadURL != "" {
		where = "Their thread: " + OneLine(w.ThreadURL)
	}
	return who, where
}

// youWait says, behind the names of those who were asked, whether the person waits for them, in full and in short. It
// does not speak of chat, because lines and interviews have none.
func youWait(s queue.Session) (words, short string) {
	if s.Parked() {
		return "; you don't have to wait", "; not waiting"
	}
	return "; you are waiting for them", "; you are waiting"
}

// TeamPanelShort returns who was asked and when on one line, for little room, longest form first.
func TeamPanelShort(s queue.Session) []string {
	w := s.Widen
	you, short := youWait(s)
	at := w.At.Local().Format("15:04") + " asked "
	forms := []string{at + teamNames(w.Team, len(w.Team)) + you}
	if n := len(w.Team); n > 2 {
		forms = append(forms, at+teamNames(w.Team, 1)+you)
	}
	people := at + countPeople(len(w.Team))
	return append(forms, people+you, people+short)
}

// mostNamed limits how many members of the team a sentence names.
const mostNamed = 12

// teamNames lists the first people of the team by name, at most the given number of them, and counts the others.
func teamNames(team []queue.Member, most int) string {
	var names []string
	for i, m := range team {
		if i == most && len(team) > most+1 {
			return strings.Join(names, ", ") + " and " + Count(len(team)-most, "other")
		}
		names = append(names, OneLine(m.Name))
	}
	return strings.Join(names, ", ")
}

// teamFetches describes the Enter that fetches the team's discussion.
func teamFetches(in Speech) Line {
	return Line{Pieces: []Piece{Fixed(in.Enter + " " + in.verb("get what the team said")), Nice(" and sum it up", "")}}
}

// teamRegroups describes the Enter with which the person waits for the team, or leaves the question with the team and
// answers others (parks it).
func teamRegroups(state string, in Speech) Line {
	if state == queue.WidenParked {
		return Line{Pieces: []Piece{Fixed(in.Enter + " " + in.verb("answer other questions")),
			Nice(" (chat stays open)", "")}}
	}
	return Line{Pieces: []Piece{Fixed(in.Enter + " " + in.verb("wait for the team")), Nice(" (chat stays closed)", "")}}
}

func countPeople(n int) string {
	if n == 1 {
		return "1 person"
	}
	return fmt.Sprintf("%d people", n)
}

// teamPickNow tells what is left to do in the form after the review.
func teamPickNow(a queue.Ask) string {
	do := "pick the option"
	switch {
	case len(a.Questions) > 1:
		do = "answer the form"
	case a.Confirm:
		do = "confirm it in the form"
	}
	return do
}

// TeamPicked summarizes the answer that was picked in the form; of several questions it only counts the answers.
func TeamPicked(a queue.Ask, answer queue.Answer) string {
	if n := len(a.Questions); n > 1 {
		return Count(n, "answer")
	}
	return a.Summary(answer)
}

// TeamNews puts news of a consultation into words: why a step failed, that the page was closed because the question
// ended or the team was asked elsewhere, or whether the person now waits for the team. Other news have no words.
func TeamNews(e desk.TeamNews, frontend Frontend) string {
	switch e.News {
	case widen.Failed:
		return TeamWhyNot(e.Err, frontend)
	case widen.Closed:
		return teamClosed(e.Session, frontend)
	case widen.Regrouped:
		if e.Session.Parked() {
			return "not waiting for the team: " + Title(e.Session.Ask)
		}
		return "waiting for the team: " + Title(e.Session.Ask)
	default:
		return ""
	}
}

// teamClosed says that a question ended, or that the team was asked at another screen, before the team was asked here.
func teamClosed(s queue.Session, frontend Frontend) string {
	if s.Outcome == nil {
		return "the team was asked elsewhere meanwhile: " + s.Widen.Names()
	}
	o := OverOf(s, frontend)
	words := "closed meanwhile: " + o.Head + o.What
	if o.How != "" {
		words += ", " + o.How
	}
	return words
}
