package desk

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// pressing lists keys as a frontend describes them.
var pressing = map[string]Press{
	"esc":            {Effect: Elsewhere},
	"j":              {Effect: Moving},
	"1":              {Effect: Marking},
	"2":              {Effect: Marking},
	"toggle 1":       {Effect: Marking, Toggles: true},
	"toggle 2":       {Effect: Marking, Toggles: true},
	"x":              {Effect: Marking},
	"submit 2":       {Effect: Choosing},
	"confirm 2":      {Effect: Choosing},
	"next":           {Effect: Stepping},
	"enter":          {Effect: Sending},
	"approve y":      {Effect: Marking, Decides: true},
	"approve enter":  {Effect: Sending, Decides: true},
	"approve submit": {Effect: Choosing, Decides: true},
}

// moment is one event, some milliseconds after noon, with the expected result: why a key is refused, or the guard's
// message.
type moment struct {
	at   int
	does string
	want string
}

const (
	taken   = ""
	soon    = "too soon"
	refused = "not taken"
	early   = "too early"
	stray   = "stray key"
)

// TestTheGuardKeepsItsRules has a case for each sentence of docs/design.md section 6, "What the person meant is what is
// sent".
func TestTheGuardKeepsItsRules(t *testing.T) {
	for name, moments := range map[string][]moment{
		"time begins with the first frame": {{0, "ask a", ""}, {4000, "2", soon}, {5000, "frame", ""}, {5499, "2", soon},
			{5500, "2", taken}},
		"a later frame begins no time": {{0, "ask a", ""}, {0, "frame", ""}, {400, "frame", ""}, {500, "2", taken}},
		"keys that open pages, go back or move are never refused": {{0, "ask a", ""}, {0, "esc", taken}, {0, "frame", ""},
			{1, "esc", taken}, {1, "j", taken}},

		"what the person brought up is marked at once and sent after Settle": {{0, "bring a", ""}, {0, "frame", ""},
			{1, "j", taken}, {1, "2", taken}, {499, "enter", early}, {500, "enter", taken}},
		"where a digit sends it waits as Enter does": {{0, "bring a", ""}, {0, "frame", ""}, {499, "submit 2", soon},
			{500, "submit 2", taken}},
		"another step of a form is taken at once": {{0, "bring a", ""}, {0, "frame", ""}, {1, "2", taken},
			{60, "next", taken}},
		"a question behind a page that closes is brought up": {{0, "ask a", ""}, {0, "frame", ""}, {1000, "cover", ""},
			{2000, "uncover", ""}, {2000, "frame", ""}, {2001, "2", taken}, {2100, "enter", early}, {2500, "enter", taken}},

		"what came up on its own is marked and sent after Settle": {{0, "ask a", ""}, {0, "frame", ""}, {499, "enter", early},
			{500, "2", taken}, {600, "enter", taken}},
		"so is what comes on view behind a page": {{0, "ask a", ""}, {0, "frame", ""}, {1000, "cover", ""}, {1500, "ask b", ""},
			{2000, "uncover", ""}, {2000, "frame", ""}, {2499, "2", soon}, {2500, "2", taken}},
		"so is what changes behind a page": {{0, "ask a", ""}, {0, "frame", ""}, {1000, "cover", ""}, {1500, "ask a", ""},
			{2000, "uncover", ""}, {2000, "frame", ""}, {2499, "2", soon}},
		"an approval waits also where the person brought it up": {{0, "bring a", ""}, {0, "frame", ""},
			{499, "approve y", soon}, {500, "approve y", taken}},

		"a choice that was refused is remembered": {{0, "ask a", ""}, {0, "frame", ""}, {100, "2", soon},
			{100, "says", "next Enter refused: 2"}, {60000, "says", "next Enter refused: 2"}, {60000, "enter", refused},
			{60001, "says", "next Enter refused: 2"}, {60499, "enter", early}, {60500, "says", "behind: 2"},
			{60500, "enter", taken}},
		"so is a digit that would have sent": {{0, "bring a", ""}, {0, "frame", ""}, {100, "submit 2", soon},
			{600, "enter", refused}},
		"so is a choice that the form refused": {{0, "ask a", ""}, {0, "frame", ""}, {600, "form refuses 7", ""},
			{700, "says", "next Enter refused: 7, no such option"}, {700, "enter", refused}, {1200, "enter", taken}},
		"so is a step of a form refused": {{0, "ask a", ""}, {0, "frame", ""}, {100, "2", soon}, {600, "next", refused}},
		"the choice made again clears it": {{0, "ask a", ""}, {0, "frame", ""}, {100, "2", soon}, {600, "2", taken},
			{600, "says", ""}, {650, "enter", taken}},
		"another choice clears it where one is taken": {{0, "ask a", ""}, {0, "frame", ""}, {100, "2", soon},
			{600, "1", taken}, {650, "enter", taken}},
		"also after the Enter that was refused for it": {{0, "ask a", ""}, {0, "frame", ""}, {100, "2", soon},
			{600, "enter", refused}, {700, "2", taken}, {700, "says", ""}, {750, "enter", taken}},
		"where several are marked only the same key clears it": {{0, "ask a", ""}, {0, "frame", ""}, {100, "toggle 2", soon},
			{600, "toggle 1", taken}, {700, "enter", refused}, {800, "toggle 1", taken}, {900, "says", "next Enter refused: toggle 2"},
			{900, "toggle 2", taken}, {950, "enter", taken}},
		"a key that moves clears nothing": {{0, "ask a", ""}, {0, "frame", ""}, {100, "2", soon}, {600, "j", taken},
			{700, "enter", refused}},
		"the same key of another question clears it, which it may have been meant for": {{0, "ask a", ""}, {0, "frame", ""},
			{100, "2", soon}, {200, "ask b", ""}, {200, "frame", ""}, {700, "2", taken}, {750, "enter", taken}},
		"a mark in a question that is replaced counts as refused": {{0, "ask a", ""}, {0, "frame", ""}, {500, "2", taken},
			{520, "ask b", ""}, {520, "frame", ""}, {1100, "says", "next Enter refused: 2, for the one before"},
			{1100, "enter", refused}, {1600, "enter", taken}},
		"a mark that was sent does not": {{0, "ask a", ""}, {0, "frame", ""}, {500, "2", taken}, {600, "enter", taken},
			{620, "ask b", ""}, {620, "frame", ""}, {1120, "enter", taken}},
		"nor does one where the same question changed": {{0, "ask a", ""}, {0, "frame", ""}, {500, "2", taken},
			{600, "ask a", ""}, {600, "frame", ""}, {1100, "enter", taken}},
		"a choice made between sending and storing was meant for the next question": {{0, "ask a", ""}, {0, "frame", ""},
			{500, "2", taken}, {800, "enter", taken}, {1400, "2", taken}, {1500, "stored", ""}, {1500, "bring b", ""},
			{1500, "frame", ""}, {2000, "enter", refused}, {2600, "2", taken}, {3200, "enter", taken}},
		"where none was made there is nothing to repeat": {{0, "ask a", ""}, {0, "frame", ""}, {500, "2", taken},
			{800, "enter", taken}, {1500, "stored", ""}, {1500, "bring b", ""}, {1500, "frame", ""},
			{2000, "enter", taken}},
		"nor does one that the person left": {{0, "ask a", ""}, {0, "frame", ""}, {500, "2", taken}, {600, "bring b", ""},
			{600, "frame", ""}, {1100, "enter", taken}},

		"an Enter that is refused makes nobody wait longer": {{0, "ask a", ""}, {0, "frame", ""}, {100, "enter", early},
			{100, "says", "press it again"}, {499, "enter", early}, {500, "says", ""}, {500, "enter", taken}},
		"nor does one behind the Enter refused for a key": {{0, "ask a", ""}, {0, "frame", ""}, {100, "2", soon},
			{1000, "enter", refused}, {1499, "enter", early}, {1500, "enter", taken}},
		"Enter waits a moment after a mark": {{0, "ask a", ""}, {0, "frame", ""}, {600, "2", taken}, {649, "enter", early},
			{650, "enter", taken}},
		"and for Pause where it decides": {{0, "ask a", ""}, {0, "frame", ""}, {600, "approve y", taken},
			{899, "approve enter", early}, {899, "says", "press it again"}, {900, "says", ""}, {900, "approve enter", taken}},
		"Enter waits after a key that means nothing": {{0, "ask a", ""}, {0, "frame", ""}, {1000, "stray", ""},
			{1499, "enter", stray}, {1500, "enter", taken}},
		"and so does a digit that sends": {{0, "ask a", ""}, {0, "frame", ""}, {1000, "stray", ""}, {1499, "submit 2", stray},
			{1500, "submit 2", taken}},
		"a mark does not, but where it decides": {{0, "ask a", ""}, {0, "frame", ""}, {1000, "stray", ""}, {1001, "2", taken},
			{1499, "approve y", stray}, {1500, "approve y", taken}},
		"the first Enter after a digit that sent belongs to it": {{0, "bring a", ""}, {0, "frame", ""},
			{500, "submit 2", taken}, {510, "bring b", ""}, {510, "frame", ""}, {1100, "enter", early},
			{1100, "says", "press it again"}, {1101, "enter", taken}},
		"so does one that comes too soon anyway": {{0, "bring a", ""}, {0, "frame", ""}, {500, "submit 2", taken},
			{510, "bring b", ""}, {510, "frame", ""}, {800, "enter", early}, {1010, "enter", taken}},
		"so does one for which a form would continue": {{0, "bring a", ""}, {0, "frame", ""}, {500, "submit 2", taken},
			{510, "bring b", ""}, {510, "frame", ""}, {1100, "next", early}, {1101, "next", taken}},
		"a second later an Enter belongs to nothing": {{0, "bring a", ""}, {0, "frame", ""}, {500, "submit 2", taken},
			{510, "bring b", ""}, {510, "frame", ""}, {1499, "enter", early}, {1999, "submit 2", taken},
			{2010, "bring c", ""}, {2010, "frame", ""}, {2999, "enter", taken}},
		"nor does one after a mark": {{0, "bring a", ""}, {0, "frame", ""}, {500, "submit 2", taken}, {510, "bring b", ""},
			{510, "frame", ""}, {950, "2", taken}, {1050, "enter", taken}},
		"nor one after a digit that only brought up the confirmation": {{0, "bring a", ""}, {0, "frame", ""},
			{500, "confirm 2", taken}, {510, "ask a", ""}, {510, "frame", ""}, {1100, "approve enter", taken}},
		"what was used for something sent was taken": {{0, "ask a", ""}, {0, "frame", ""}, {500, "x", taken},
			{1200, "cancel", ""}, {1210, "stored", ""}, {1210, "bring b", ""}, {1210, "frame", ""}, {1300, "says", ""},
			{1800, "enter", taken}},

		"what a letter offered waits": {{0, "ask a", ""}, {0, "frame", ""}, {1000, "offer", ""}, {1499, "enter", early},
			{1500, "enter", taken}},
	} {
		t.Run(name, func(t *testing.T) {
			g := Guard{frames: true}
			for _, m := range moments {
				require.Equal(t, m.want, m.happens(&g), "%s at %d", m.does, m.at)
			}
		})
	}
}

// happens applies a moment, and returns the result.
func (m moment) happens(g *Guard) string {
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC).Add(time.Duration(m.at) * time.Millisecond)
	does, what, _ := strings.Cut(m.does, " ")
	switch does {
	case "ask":
		g.noteCameUp(what, now)
	case "bring":
		g.noteBroughtUp(what, now)
	case "cancel":
		g.noteSent()
	case "stored":
		g.noteReplaced()
	case "frame":
		g.Drawn(now)
	case "cover", "uncover":
		g.noteCover(does == "cover", now)
	case "stray":
		g.Stray(now)
	case "offer": // like a letter that asks before it acts
		s := View{Guard: *g, Batch: &Batch{}}
		s.Take(Press{Key: "M", Effect: Marking, Decides: true, Letter: true}, now, func() { s.Guard.HoldEnter(now) })
		*g = s.Guard
	case "form":
		g.NotTaken("7", "no such option")
	case "says":
		return inWords(g.Says(now))
	default:
		p := pressing[m.does]
		p.Key = m.does
		if err := g.Refuses(p, now); err != nil {
			return err.Error()
		}
		g.beginAction(p, now)
		if does == "submit" || does == "enter" {
			g.noteSent()
		}
		g.noteTaken(p, p.Effect == Marking, now)
	}
	return ""
}

func inWords(s Says) string {
	words := ""
	switch {
	case s.NotTaken != "":
		words = "next Enter refused: " + s.NotTaken
	case s.Again:
		words = "press it again"
	case s.Behind != "":
		words = "behind: " + s.Behind
	}
	if s.Why != "" {
		words += ", " + s.Why
	}
	if s.Before {
		words += ", for the one before"
	}
	return words
}

func TestAScriptNeedNotWaitAfterAMark(t *testing.T) {
	g := Guard{script: true}
	for _, m := range []moment{{0, "ask a", ""}, {499, "2", soon}, {500, "2", taken}, {500, "enter", taken},
		{600, "approve y", taken}, {600, "approve enter", taken}} {
		require.Equal(t, m.want, m.happens(&g), "%s at %d", m.does, m.at)
	}
}

func TestAGuardThatIsOffRefusesNothing(t *testing.T) {
	g := Guard{off: true, frames: true}
	for _, m := range []moment{{0, "ask a", ""}, {0, "approve y", taken}, {0, "stray", ""}, {0, "approve enter", taken}} {
		require.Equal(t, m.want, m.happens(&g), "%s at %d", m.does, m.at)
	}
}

func TestTheGuardKnowsWhenItsWordsChange(t *testing.T) {
	at := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	after := func(ms int) time.Time { return at.Add(time.Duration(ms) * time.Millisecond) }
	g := Guard{}
	g.noteCameUp("a", at)
	require.Zero(t, g.Due(at))
	require.Error(t, g.Refuses(Press{Effect: Sending}, after(200)))
	require.Equal(t, after(500), g.Due(after(200)))
	require.Zero(t, g.Due(after(500)))
	g.NotTaken("7", "")
	require.Error(t, g.Refuses(Press{Effect: Sending}, after(1000)))
	require.Equal(t, after(1500), g.Due(after(1000)))
}

func TestALetterActsAPauseLaterUnlessAnotherKeyOvertakesIt(t *testing.T) {
	at := time.Date(2026, 11, 20, 14, 0, 0, 0, time.UTC)
	done := 0
	do := func() { done++ }
	var late PostponedLetter
	guard := Guard{drawn: true} // since the zero time
	require.Zero(t, late.Due())

	late.Postpone("o", false, do, at)
	require.Equal(t, at.Add(Pause), late.Due())
	require.False(t, late.Act(at.Add(Pause-1)))
	require.True(t, late.Act(at.Add(Pause)))
	require.Equal(t, 1, done)
	require.False(t, late.Act(at.Add(time.Hour)), "once")

	late.Postpone("o", false, do, at)
	late.Overtake("p", &guard, at.Add(Pause/2))
	require.False(t, late.Act(at.Add(time.Hour)))
	require.Equal(t, 1, done)
	require.ErrorIs(t, guard.Refuses(Press{Effect: Sending}, at.Add(Settle/2)), ErrStray, "it was typing")

	late.Postpone("o", false, do, at)
	late.Overtake("p", &guard, at.Add(Pause))
	require.Equal(t, 2, done, "its time had come before the other key")
}

func TestALetterThatRepeatsActsOnceForEachPress(t *testing.T) {
	at := time.Date(2026, 11, 20, 14, 0, 0, 0, time.UTC)
	for repeats, want := range map[bool]int{true: 3, false: 1} {
		done := 0
		var late PostponedLetter
		var guard Guard
		for n := range 3 {
			now := at.Add(time.Duration(n) * Pause / 2)
			late.Overtake("+", &guard, now)
			late.Postpone("+", repeats, func() { done++ }, now)
		}
		require.False(t, late.Act(at.Add(Pause)), "it waits anew with each press")
		require.True(t, late.Act(at.Add(2*Pause)))
		require.Equal(t, want, done)
	}
}
