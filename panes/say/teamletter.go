package say

import (
	"fmt"
	"strings"

	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/queue"
)

// Words on the way to the team: the line of names, the letter, and the choice once they are asked.

// TeamLabels returns the labels of the line of names, longest first. known: it is known who would be asked.
func TeamLabels(team []queue.Member, known bool, in Speech) []string {
	key := in.Keys.KeyOf(keys.PlaceQuestion, keys.ActAskTeam)
	ask := strings.TrimSpace(key + " ask")
	if !known {
		return []string{ask + " the team · only these: ", ask + " · only: "}
	}
	n, only := len(team), " · only these: "
	return []string{ask + " " + TeamNames(team, n) + only, ask + " " + TeamNames(team, 2) + only,
		fmt.Sprintf("%s all %d · only these: ", ask, n), fmt.Sprintf("%s %d · only: ", ask, n)}
}

// TeamByName precedes the names of people who are asked although the audience does not have them.
const TeamByName = "Not in the audience, asked by name alone:"

// TeamNaming says what Enter does at the line of names. invited are those who are asked then, unknown are the names
// that nobody in the audience has; byName: they are asked all the same.
func TeamNaming(invited []queue.Member, unknown []string, byName bool, in Speech) Line {
	missing, what := Tail{}, "not known"
	if byName {
		what = "not in the audience"
	}
	if len(unknown) > 0 {
		missing = Tail{"! " + what + ": " + OneLine(strings.Join(unknown, ", ")), "! " + Count(len(unknown), "name") +
			" " + what, "! unknown"}
	}
	if len(invited) == 0 {
		return Line{Pieces: []Piece{Fixed(notYet + TeamNobody)}}.Behind(missing)
	}
	return Line{Pieces: []Piece{Fixed(in.Enter + " on with "), Named(TeamNames(invited, len(invited))),
		Nice(": see what they will read", "")}}.Behind(missing)
}

// TeamNamingLooks is the Enter line while it is not known yet who would be asked.
const TeamNamingLooks = notYet + "finding out who would be asked"

// TeamNamingLeaves returns the Enter line for the word that leaves the page, typed in place of names.
func TeamNamingLeaves(in Speech) Line { return Words(in.Enter + " leave it, nobody is asked") }

// Labels on the page of the letter.
const (
	TeamLetterName = "ask the team"
	TeamTo         = "Who is asked:"
	TeamToThen     = "Who was asked:"
	TeamReads      = "They read:"
	TeamPromptToo  = "and what the agent wrote:"
)

// TeamPromptLeft says that the agent's prompt does not go along, and how it would.
func TeamPromptLeft(lines int, in Speech) string {
	words := "The agent's text does not go along, " + Count(lines, "line")
	return words + Keyed(": ", teamKey(keys.PlaceLetter, keys.ActPromptToo, in), " adds it") + "."
}

// TeamMost says that not everybody may be in an audience of so many.
func TeamMost(most int) string {
	return fmt.Sprintf("No more than %d people can be asked. Whoever comes after them is left out.", most)
}

// TeamSend names the action that the key for sending marks.
func TeamSend(n int) string { return "send to " + countPeople(n) }

// TeamLetterEnter returns the Enter line of the letter. unread is how many lines of it were not on screen.
func TeamLetterEnter(to []queue.Member, marked, prompt bool, unread int, in Speech) Line {
	var l Line
	if !marked {
		key := teamKey(keys.PlaceLetter, keys.ActLetterSend, in)
		l.Pieces = []Piece{Nice(notYet, ""), Fixed(key + " marks it to be sent to " + countPeople(len(to)))}
	} else {
		l.Pieces = []Piece{Fixed(in.Enter + " send to "), Named(TeamNames(to, len(to)))}
		if prompt {
			l.Pieces = append(l.Pieces, Nice(" with the agent's text", " + text"))
		}
	}
	if unread > 0 {
		l = l.Behind(Tail{Count(unread, "line") + " unread", fmt.Sprintf("%d unread", unread)})
	}
	return l
}

// countPeople counts people.
func countPeople(n int) string {
	if n == 1 {
		return "1 person"
	}
	return fmt.Sprintf("%d people", n)
}

// TeamCalling says that the team is being asked.
func TeamCalling(n int, ellipsis string) string { return "Asking " + countPeople(n) + ellipsis }

// TeamCallGoesOn returns the Enter line meanwhile.
func TeamCallGoesOn(in Speech) Line {
	return idle("the team is being asked").Behind(teamBack(" goes back, asking goes on", " back", in))
}

// idle returns the Enter line while something is waited for.
func idle(words string) Line {
	return Line{Pieces: []Piece{Nice("Enter does nothing: ", ""), Fixed(words)}}
}

// teamBack returns the way back from a page of the team, and what it does.
func teamBack(does, short string, in Speech) Tail {
	key := teamKey(keys.PlaceTeamWait, keys.ActBack, in)
	if key == "" {
		return nil
	}
	return Tail{key + does, key + short, ""}
}

// TeamAskedName heads the choice between waiting and continuing once the team is asked.
const TeamAskedName = "the team is asked"

// TeamAskedLines says who was asked and where they talk.
func TeamAskedLines(s queue.Session) []string {
	w := s.Widen
	lines := []string{countPeople(len(w.Team)) + " asked: " + TeamNames(w.Team, len(w.Team)) + "."}
	if w.ThreadURL != "" {
		lines = append(lines, TeamThread(w.ThreadURL))
	}
	return lines
}

// The two ways to continue once the team is asked, longest form first.
var (
	TeamWaits  = []string{"wait for them: it keeps chat closed", "wait for them"}
	TeamGoesOn = []string{"go on with other questions: it is parked, and you come back to it",
		"go on, it is parked for later", "go on, it is parked"}
)

// TeamChoiceEnter returns the Enter line of that choice.
func TeamChoiceEnter(parks bool, in Speech) Line {
	if parks {
		return Line{Pieces: []Piece{Fixed(in.Enter + " park it"),
			Nice(" and go on with other questions", " and go on")}}
	}
	return Words(in.Enter + " wait for the team")
}
