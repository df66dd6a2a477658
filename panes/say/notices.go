package say

import (
	"fmt"
	"time"

	"github.com/choicetui/choicetui/queue"
)

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
