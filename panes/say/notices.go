package say

import (
	"fmt"
	"time"

	"github.com/choicetui/choicetui/queue"
)

const needsYou = "needs you in its own pane"

// Needed says that so many agents need the person in their own panes.
func Needed(n int) string {
	if n == 1 {
		return needsYou
	}
	return fmt.Sprintf("%d need you in their own panes", n)
}

// NeededBriefly is the same in a rule, longest form first.
func NeededBriefly(n int) []string {
	if n == 1 {
		return []string{"1 needs you in its pane", "1 in its pane"}
	}
	return []string{fmt.Sprintf("%d need you in their panes", n), fmt.Sprintf("%d in their panes", n)}
}

// NoticeSays returns the words of an agent that needs the person, on one line; empty: it said nothing.
func NoticeSays(n queue.Presence) string { return OneLine(n.Notice.Says) }

// NoticeAlone is the same where nothing above it says that it is about the agent's own pane.
func NoticeAlone(n queue.Presence) string {
	if said := NoticeSays(n); said != "" {
		return needsYou + ": " + said
	}
	return needsYou
}

// NoticeLine returns a notice in lines; agent is its agent's name.
func NoticeLine(n queue.Presence, agent string, now time.Time) string {
	words := agent + " " + needsYou + " since " + ClockTime(n.Notice.At, now)
	if said := NoticeSays(n); said != "" {
		words += ": " + Short(said, 200)
	}
	return words
}

// NoPaneNeeded says why no agent's pane can be brought up while nothing waits.
const NoPaneNeeded = "nothing is waiting, and no agent needs you in its pane"
