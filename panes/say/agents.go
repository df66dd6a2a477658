package say

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// fewNamed limits how many people are named in a line that is mainly about something else.
const fewNamed = 2

// byPerson names the person who acted, if several share the queue.
func byPerson(person string) string { return "by " + OneLine(person) }

// MeantFor names the people that a question is meant for.
func MeantFor(names []string) string { return "for " + firstNames(names) }

// Answering names the other people who are answering a question just now, in full and in fewer words. Both are empty if
// nobody is.
func Answering(persons []string) (long, short string) {
	switch len(persons) {
	case 0:
		return "", ""
	case 1:
		name := OneLine(persons[0])
		user, _, _ := strings.Cut(name, "@")
		return name + " is answering", user + " answers"
	}
	return firstNames(persons) + " are answering", fmt.Sprintf("%d answer", len(persons))
}

// AnsweringNow returns the long form of Answering as a sentence. A name at its beginning keeps its spelling.
func AnsweringNow(persons []string) string {
	long, _ := Answering(persons)
	if long == "" {
		return ""
	}
	return long + "."
}

// firstNames lists people: the first few by name, the others by number.
func firstNames(persons []string) string {
	list := make([]queue.Member, len(persons))
	for i, p := range persons {
		list[i].Name = p
	}
	return teamNames(list, fewNamed)
}

// RunsOn names the other machine on which an agent runs.
func RunsOn(host string) string { return "it runs on " + OneLine(host) }

// On returns an agent's name or place, followed by "on" and its machine. Either may be empty. It cleans neither: the
// caller cleans both with OneLine before, or the result after.
func On(name, host string) string {
	if host == "" {
		return name
	}
	return strings.TrimSpace(name + " on " + host)
}

// RunsIn returns where an agent works, as far as that is known: its directory, with home as ~, its branch, its tmux
// pane and its machine. where is the name of the pane in tmux, if it was found.
func RunsIn(o queue.Origin, home, where string) string {
	var parts []string
	if dir := Tilde(OneLine(o.Cwd), home); dir != "" {
		if o.Branch != "" {
			dir += " (" + OneLine(o.Branch) + ")"
		}
		parts = append(parts, dir)
	}
	switch {
	case where != "":
		parts = append(parts, "tmux "+where)
	case o.Pane != "":
		parts = append(parts, "tmux "+OneLine(o.Pane))
	}
	if o.Host != "" {
		parts = append(parts, "on "+OneLine(o.Host))
	}
	if len(parts) == 0 {
		return "an unknown place"
	}
	return strings.Join(parts, ", ")
}

const needsYou = "needs you in its own pane"

// Needed counts the agents that need the person in their own panes.
func Needed(n int) string {
	if n == 1 {
		return needsYou
	}
	return fmt.Sprintf("%d agents need you in their own panes", n)
}

// unfitWords says why a prompt of an agent can be answered only in the agent's own pane.
var unfitWords = map[queue.Unfit]string{
	queue.UnfitAnswer: "it takes this answer only there",
	queue.UnfitSecret: "it asks for a secret",
	queue.UnfitLarge:  "it is larger than 1 MiB",
	queue.UnfitShown:  "it cannot be shown whole",
}

// NoticeSays returns, on one line, why an agent needs the person in its own pane: the reason why its prompt cannot be
// answered here, and its words. An agent without a pane refuses what it wanted to ask, and that comes first then. It
// may be empty.
func NoticeSays(n queue.Presence) string {
	why := unfitWords[n.Notice.Why]
	if why == "" && n.Notice.Why != "" { // a newer version has more reasons
		why = unfitWords[queue.UnfitShown]
	}
	parts := []string{why, OneLine(n.Notice.Says)}
	if n.Notice.Unasked {
		parts = append([]string{Who(*n.Origin) + " refuses this unasked"}, parts...)
	}
	return strings.Join(slices.DeleteFunc(parts, queue.Blank), ": ")
}

// NoticeWords returns NoticeSays for a row without a heading that says what the row is about.
func NoticeWords(n queue.Presence) string {
	said := NoticeSays(n)
	switch {
	case n.Notice.Unasked:
		return said
	case said == "":
		return needsYou
	}
	return needsYou + ": " + said
}

// NoticeLine returns a line, for commands and the plain mode, about an agent that needs the person in its own pane;
// agent is its name.
func NoticeLine(n queue.Presence, agent string, now time.Time) string {
	since := " since " + ClockTime(n.Notice.At, now)
	said := Short(NoticeSays(n), 200)
	switch {
	case n.Notice.Unasked:
		return said + " (" + agent + "," + since + ")"
	case said == "":
		return agent + " " + needsYou + since
	}
	return agent + " " + needsYou + since + ": " + said
}
