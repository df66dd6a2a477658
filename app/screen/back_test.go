package screen

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestNothingThatLeadsBackToAnOpenFieldStandsForThePerson has a question that takes only words come up on its own, and
// types what somebody types for another pane: with one Enter behind the text nothing is sent, whatever key was pressed
// before it, and a text that was put aside is asked about when it comes back.
func TestNothingThatLeadsBackToAnOpenFieldStandsForThePerson(t *testing.T) {
	for name, keys := range map[string][]string{
		"help twice":         {"?", "?", "pause", "what is this", "enter"},
		"help and its words": {"?", "?", " what is this", "enter"},
		"help, q":            {"?", "q", " yes please", "enter"},
		"help, Esc":          {"?", "pause", "esc", "pause", "yes please", "enter"},
		"aside and back":     {"hello there", "esc", "pause", "enter", "pause", "enter"},
		"asked, then aside":  {"hello there", "enter", "esc", "pause", "enter", "pause", "enter"},
		"three Enters":       {"hello there", "esc", "enter", "enter", "enter"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, pace := range []time.Duration{60 * time.Millisecond, 100 * time.Millisecond, 250 * time.Millisecond,
				300 * time.Millisecond, 400 * time.Millisecond} {
				b := newBench(t, 80, 24)
				s := b.ask(words(), shop())
				b.clock.Pass(3 * time.Second)
				b.settle()
				for _, k := range keys {
					switch {
					case k == "pause":
						b.clock.Pass(600 * time.Millisecond)
						b.settle()
					case len(k) > 1 && k != "enter" && k != "esc":
						for _, r := range k {
							b.Key(event(string(r)))
							b.clock.Pass(pace)
							b.settle()
						}
					default:
						b.Key(event(k))
						b.clock.Pass(pace)
						b.settle()
					}
				}
				require.True(t, b.get(s.ID).Pending(), "%v a key\n%s", pace, b.picture())
			}
		})
	}
}

// TestALetterThatWouldAskTheTeamIsAskedAbout has a question whose text names the key for the team come up where no team
// is set up, with the person known to be there.
func TestALetterThatWouldAskTheTeamIsAskedAbout(t *testing.T) {
	for _, letter := range []string{"w"} {
		b := newBench(t, 80, 24)
		s := b.ask(words(), shop())
		b.gainFocus()
		b.clock.Pass(3 * time.Second)
		b.keyboard.noteFocus()
		b.Key(event(letter))
		b.clock.Pass(time.Second)
		b.settle()
		require.Contains(t, b.footer(), "twice: send", letter)
		b.Key(event("enter"))
		b.settle()
		require.True(t, b.get(s.ID).Pending(), letter)
		require.Contains(t, b.footer(), "Was this meant for claude?", letter)
	}
}
