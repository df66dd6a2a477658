package say

import (
	"fmt"
	"strings"

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
