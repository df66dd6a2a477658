package say

import (
	"fmt"
	"strings"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// fewNamed limits how many people are named on a line about another subject.
const fewNamed = 2

// byPerson names the person who acted, if several share the queue.
func byPerson(person string) string { return "by " + OneLine(person) }

// MeantFor says for whom a question is meant.
func MeantFor(names []string) string { return "for " + named(names) }

// Answering names the other people who are answering a question just now, and the same in fewer words; empty: nobody.
func Answering(persons []string) (long, short string) {
	switch len(persons) {
	case 0:
		return "", ""
	case 1:
		name := OneLine(persons[0])
		user, _, _ := strings.Cut(name, "@")
		return name + " is answering", user + " answers"
	}
	return named(persons) + " are answering", fmt.Sprintf("%d answer", len(persons))
}

// AnsweringNow returns the same as a sentence; empty: nobody. The name at its beginning keeps its spelling.
func AnsweringNow(persons []string) string {
	long, _ := Answering(persons)
	if long == "" {
		return ""
	}
	return long + "."
}

// named lists people, the first few by name.
func named(persons []string) string {
	list := make([]queue.Member, len(persons))
	for i, p := range persons {
		list[i].Name = p
	}
	return teamNames(list, fewNamed)
}

// RunsOn names the other machine on which an agent runs.
func RunsOn(host string) string { return "it runs on " + OneLine(host) }

// On returns an agent's name or place with its machine behind it; either may be empty, and host is visible.
func On(name, host string) string {
	if host == "" {
		return name
	}
	return strings.TrimSpace(name + " on " + host)
}

// RunsIn says where an agent works, as far as that is known; where is its place in tmux, home is shown as ~.
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
		return "a place it does not say"
	}
	return strings.Join(parts, ", ")
}

const needsYou = "needs you in its own pane"

// Needed says that n agents need the person in their own panes.
func Needed(n int) string {
	if n == 1 {
		return needsYou
	}
	return fmt.Sprintf("%d need you in their own panes", n)
}

// NoticeSays returns the words of an agent that needs the person, on one line; empty: it said nothing.
func NoticeSays(n queue.Presence) string { return OneLine(n.Notice.Says) }

// NoticeLine returns a notice in lines; agent is its agent's name.
func NoticeLine(n queue.Presence, agent string, now time.Time) string {
	words := agent + " " + needsYou + " since " + ClockTime(n.Notice.At, now)
	if said := NoticeSays(n); said != "" {
		words += ": " + Short(said, 200)
	}
	return words
}
