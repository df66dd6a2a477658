package desk

import (
	"errors"
	"time"
)

// Settle is how long a question must have been on screen before a key may answer it.
const Settle = 500 * time.Millisecond

// Pause is how long a letter that acts without Enter waits for another key, because typing that was meant for another
// pane continues within that time. Enter also waits this long after a mark on an approval or a confirmation.
const Pause = 300 * time.Millisecond

// habit is how long an Enter is refused after a key that sent at once: people who are used to pressing Enter after each
// choice press it there too.
const habit = time.Second

// beyondRhythm is how much longer than Settle a deliberate key waits, so that nobody who presses two keys a second
// meets it.
const beyondRhythm = 50 * time.Millisecond

// pasted is how long Enter waits after a mark on a question. No person types that fast, but a paste does.
const pasted = 50 * time.Millisecond

// Errors of Guard.Refuses and Guard.RefusesChange.
var (
	ErrTooSoon  = errors.New("too soon")  // the question is new; the guard remembers the refused choice
	ErrNotTaken = errors.New("not taken") // Enter was pressed after a choice that was refused
	ErrEarly    = errors.New("too early")
	ErrStray    = errors.New("stray key") // the key belongs to typing that was meant for another pane
)

// Effect classifies what a key would do at the moment when it is pressed.
type Effect int

// Effects of keys.
const (
	Elsewhere Effect = iota // opens a page, goes back, takes back: never refused
	Moving                  // moves the cursor or goes to another step, and marks nothing
	Marking                 // marks, takes a mark away, or changes what Enter does
	Choosing                // sends one particular option at once
	Stepping                // Enter that takes an answer and continues within the form
	Sending                 // Enter that sends, or that brings up the confirmation
)

// Press is a pressed key, with everything that the guard needs to judge it.
type Press struct {
	Key     string // the key's name as the screen shows it
	Effect  Effect
	Decides bool // pressed on an approval, a confirmation or a review, which always count as new
	// the key marks one of several allowed options, so only the same key again replaces a refused one
	Toggles bool
	Letter  bool // the key is a letter that may be part of a sentence

	Deliberate bool // a press that is too soon makes the wait begin again, and is not remembered as a choice
}

// isEnter reports whether the key is an Enter that continues or sends.
func (p Press) isEnter() bool { return p.Effect == Stepping || p.Effect == Sending }

// FirstLetter returns the press of a letter that opens the text field of a question with no options.
func FirstLetter(key string) Press { return Press{Key: key, Effect: Marking, Letter: true} }

// Guard refuses keys that were probably not meant for the question on view. The rules are in docs/design.md section 6,
// "What the person meant is what is sent":
//
//   - If a question came up on its own, keys that mark and keys that send work once it has been on screen for Settle.
//     If the person brought it up, only keys that send wait.
//   - A choice that was refused is remembered. The next Enter is refused too, and says so. Repeating the choice clears
//     it from memory; so does that Enter, and the next one works after Settle.
//   - Enter waits a moment after a mark, and after a key that means nothing here.
//   - The first Enter within a second after a key that sent at once is refused, unless something was marked since.
//   - A key that confirms counts a little later than Settle. An earlier press makes that time begin again.
//   - The repeats of a held key are no presses (repeat.go).
//
// All times are those at which a key was read or a frame was written, not those at which the program handled it.
type Guard struct {
	frames    bool      // the frontend reports frames with Drawn
	script    bool      // a script types: Enter need not wait after a mark, or on a question that the script opened
	off       bool      // the guard refuses nothing
	drawn     bool      // the question on view has been on screen
	frame     int       // see Frame
	shownAt   time.Time // since when the question has been on screen
	broughtUp bool      // the person brought up the question
	covered   bool      // a page or another pane is in front of the question
	on        string    // the id of the session on view

	strokes   strokes       // which keys are held; see IsPress
	cameLater time.Duration // how much later the question came up because a key had to wait

	markedAt       time.Time // when a mark that Enter would send was last set or moved
	markKey        string    // the key that set the mark; empty: none was set since the last answer
	missedKey      string    // the key of a choice that was not taken; empty: none
	missedWhy      string    // why the form did not take the missed key; empty: the guard refused it
	missedBefore   bool      // the missed choice was made in a question that was replaced
	refusedFor     string    // the key of the choice for which Enter was refused
	refusesUntil   time.Time // until when Enter waits after it was refused for the missed choice
	sentAtOnce     time.Time // when a key sent at once; zero: something was marked since, or Enter was pressed
	hasSent        bool      // the action of the present key has sent something
	holdsUntil     time.Time // until when Enter waits because a letter began the action that it would complete
	saysEarlyUntil time.Time // until when Says reports an Enter that came too soon
	strayAt        time.Time // when a key was pressed that means nothing here

	meant // whether the text being typed was meant for the question

	// judge replaces these rules in tests: with wrong rules the test of random keys must fail. nil: these rules apply.
	judge func(g *Guard, p Press, now time.Time) error
}

// noteCameUp notes that a session came on view without the person's doing. A choice that was made in the session before
// counts as not taken.
func (g *Guard) noteCameUp(id string, now time.Time) {
	if id != g.on {
		g.noteReplaced()
	}
	g.broughtUp = false
	g.restartWaits(id, now)
}

// noteReplaced notes that the session on view is replaced without the person's doing. Its last choice counts as not
// taken, so that the next Enter does not send something else. The same is true of a session whose answer the person has
// sent and that stays on view until the answer is stored: a choice made meanwhile was meant for the next question.
func (g *Guard) noteReplaced() {
	if g.markKey != "" {
		g.rememberChoice(g.markKey, "")
		g.missedBefore = true
	}
}

// noteBroughtUp notes that the person brought up what is on view.
func (g *Guard) noteBroughtUp(id string, now time.Time) {
	g.broughtUp = true
	g.restartWaits(id, now)
	if g.strokes.delayed {
		g.cameLater = repeatWait
	}
	g.noteHere(g.strayAt)
}

// restartWaits starts the waiting times again, for the session id that is now on view.
func (g *Guard) restartWaits(id string, now time.Time) {
	if id != g.on {
		g.on, g.markKey, g.refusedFor = id, "", ""
		g.replaceSession(now)
	}
	g.drawn, g.shownAt, g.saysEarlyUntil, g.cameLater = !g.frames, now, time.Time{}, 0
	g.frame++
}

// noteCover notes whether something is in front of the question. Returning to an unchanged question counts as the
// person's doing.
func (g *Guard) noteCover(on bool, now time.Time) {
	switch {
	case on == g.covered:
		return
	case on: // noteCameUp resets this if the question changes while it is covered
		g.broughtUp = true
	default:
		g.restartWaits(g.on, now) // a stray key may have opened the page, so it shows nothing of who is here
	}
	g.covered = on
}

// Frame returns a number that increases whenever the view changes. A frontend that reports frames late uses it to tell
// which view a frame showed.
func (g *Guard) Frame() int { return g.frame }

// Drawn notes when a frame was written to the terminal. The waiting times of the view start with its first frame.
func (g *Guard) Drawn(at time.Time) {
	if !g.drawn {
		g.drawn, g.shownAt = true, at
	}
}

// Refuses returns the reason why a key is not taken now: ErrTooSoon, ErrNotTaken, ErrEarly or ErrStray. nil: the caller
// runs its action through View.Take. If the form then does not accept the key, the caller reports that with NotTaken.
func (g *Guard) Refuses(p Press, now time.Time) error {
	if p.Effect < Marking || g.off {
		return nil
	}
	if g.judge != nil {
		return g.judge(g, p, now)
	}
	habitual := false // an Enter that is pressed only because it usually follows a choice
	if p.isEnter() {
		habitual, g.sentAtOnce = !g.script && now.Sub(g.sentAtOnce) < habit, time.Time{}
	}
	if p.isEnter() && g.missedKey != "" {
		g.refusedFor, g.missedKey, g.refusesUntil = g.missedKey, "", now.Add(Settle)
		return ErrNotTaken
	}
	err := g.checkTime(p, now)
	switch {
	case err == nil && habitual:
		g.saysEarlyUntil, err = now.Add(Settle), ErrEarly
	case err == nil:
	case p.Deliberate:
		g.WaitAgain(now)
	case p.isEnter():
		g.saysEarlyUntil = lastOf(now, g.enterReady(p))
	default:
		g.rememberChoice(p.Key, "")
	}
	return err
}

// checkTime returns the error of a key that comes too soon; nil: it does not.
func (g *Guard) checkTime(p Press, now time.Time) error {
	sends := p.Effect == Choosing || p.Effect == Sending
	needsTime := !g.broughtUp || p.Decides || sends && !g.script // the person must have had time to see the question
	seen := g.settle()
	if p.Deliberate {
		seen += beyondRhythm
	}
	isNew := !g.drawn || now.Sub(g.shownAt) < seen
	enterWaits := now.Before(g.refusesUntil) || now.Before(g.holdsUntil) || now.Sub(g.markedAt) < g.waitAfterMark(p)
	switch {
	case needsTime && isNew && p.isEnter():
		return ErrEarly
	case needsTime && isNew:
		return ErrTooSoon
	case p.isEnter() && enterWaits:
		return ErrEarly
	case (p.isEnter() || sends || p.Decides) && now.Sub(g.strayAt) < Settle:
		return ErrStray
	}
	return nil
}

// enterReady returns when Enter would be taken, as far as is known now.
func (g *Guard) enterReady(p Press) time.Time {
	return lastOf(g.shownAt.Add(g.settle()), g.refusesUntil, g.holdsUntil, g.markedAt.Add(g.waitAfterMark(p)),
		g.strayAt.Add(Settle))
}

// waitAfterMark returns how long Enter waits after a mark.
func (g *Guard) waitAfterMark(p Press) time.Duration {
	switch {
	case g.script:
		return 0
	case p.Decides:
		return Pause
	}
	return pasted
}

// lastOf returns the latest of the times.
func lastOf(times ...time.Time) (last time.Time) {
	for _, t := range times {
		if t.After(last) {
			last = t
		}
	}
	return last
}

// rememberChoice remembers a choice that was not taken: its key, and why the form did not take it.
func (g *Guard) rememberChoice(key, why string) {
	g.missedKey, g.missedWhy, g.missedBefore, g.refusedFor, g.saysEarlyUntil = key, why, false, "", time.Time{}
}

// NotTaken notes that the form did not accept a key that marks or that changes the effect of Enter; why is the reason
// in words.
func (g *Guard) NotTaken(key, why string) { g.rememberChoice(key, why) }

// beginAction notes that the action of a key is about to run.
func (g *Guard) beginAction(p Press, now time.Time) { g.hasSent, g.key, g.keyAt = false, p, now }

// noteSent notes that the person's decision is being sent. Earlier keys no longer count.
func (g *Guard) noteSent() { g.missedKey, g.refusedFor, g.markKey, g.hasSent = "", "", "", true }

// dropMark notes that the last choice has reached its purpose without an answer: the team is asked instead. It does not
// count as not taken when the session on view is replaced.
func (g *Guard) dropMark() { g.markKey = "" }

// noteTaken notes that the action of a key has run. marked says that Enter has to wait after it.
func (g *Guard) noteTaken(p Press, marked bool, now time.Time) {
	g.saysEarlyUntil = time.Time{}
	if marked {
		g.markedAt = now
	}
	switch {
	case p.Effect == Choosing, p.Effect == Sending:
		g.missedKey, g.refusedFor = "", "" // markKey stays until noteSent, as Enter may only have opened a confirmation
		if p.Effect == Choosing && g.hasSent {
			g.sentAtOnce = now
		}
	case p.Effect == Marking && !g.hasSent:
		g.markKey, g.sentAtOnce = p.Key, time.Time{}
		if !p.Toggles || p.Key == g.missedKey || p.Key == g.refusedFor {
			g.missedKey, g.refusedFor, g.refusesUntil = "", "", time.Time{}
		}
	}
}

// WaitAgain makes the time that the question on view must have been on screen begin again, because a key was pressed
// that counts only after that time.
func (g *Guard) WaitAgain(now time.Time) {
	if g.drawn {
		g.shownAt = now
	}
}

// HoldEnter makes Enter wait for Settle, because a letter began the action that Enter would complete.
func (g *Guard) HoldEnter(now time.Time) { g.holdsUntil = now.Add(Settle) }

// RefusesChange returns the reason why Enter may not change a setting now; nil: it may.
func (g *Guard) RefusesChange(now time.Time) error {
	switch {
	case now.Before(g.holdsUntil):
		return ErrEarly
	case now.Sub(g.strayAt) < Settle:
		return ErrStray
	}
	return nil
}

// Remembers reports whether a remembered choice keeps Enter from sending.
func (g *Guard) Remembers() bool { return g.missedKey != "" }

// Stray notes a key that means nothing here, or that another key followed too soon.
func (g *Guard) Stray(now time.Time) { g.strayAt = now }

// MoveMark notes that a mark which Enter would send was set or moved.
func (g *Guard) MoveMark(now time.Time) { g.markedAt = now }

// Says is the guard's message about Enter. The zero Says is no message.
type Says struct {
	NotTaken string // the next Enter is refused, because this key was not taken
	Why      string // why the form did not take that key, in words; empty: it came too soon
	Before   bool   // the key of NotTaken was for a question that was replaced before its answer was sent
	Again    bool   // an Enter came too soon, and another one would still come too soon
	Behind   string // the key of a choice that was not taken; Enter was refused once for that, and works now
}

// Says returns the message that the frontend shows now, in place of the button or after it.
func (g *Guard) Says(now time.Time) Says {
	switch {
	case g.missedKey != "":
		return Says{NotTaken: g.missedKey, Why: g.missedWhy, Before: g.missedBefore}
	case g.refusedFor != "" && now.Before(g.refusesUntil):
		return Says{NotTaken: g.refusedFor, Why: g.missedWhy, Before: g.missedBefore}
	}
	return Says{Again: now.Before(g.saysEarlyUntil), Behind: g.refusedFor}
}

// Due returns when the result of Says will change without a key; zero: it will not.
func (g *Guard) Due(now time.Time) (due time.Time) {
	for _, t := range []time.Time{g.refusesUntil, g.saysEarlyUntil} {
		if now.Before(t) && (due.IsZero() || t.Before(due)) {
			due = t
		}
	}
	return due
}

// PostponedLetter holds back a key press for Pause before it acts, if the key is a letter that acts without Enter.
// Somebody who was typing for another pane presses another key within that time (docs/design.md section 6, "What the
// person meant is what is sent"). The zero PostponedLetter holds no letter.
type PostponedLetter struct {
	do      func()
	key     string
	repeats bool
	presses int
	pressed time.Time
}

// Postpone holds a letter and its action do. Pressing the same letter again restarts the wait. With repeats, do runs
// once for each press, else once in all.
func (l *PostponedLetter) Postpone(key string, repeats bool, do func(), now time.Time) {
	presses := 1
	if l.do != nil && l.key == key {
		presses += l.presses
	}
	*l = PostponedLetter{do: do, key: key, repeats: repeats, presses: presses, pressed: now}
}

// Due returns when the postponed letter acts; zero: no letter is postponed.
func (l *PostponedLetter) Due() time.Time {
	if l.do == nil {
		return time.Time{}
	}
	return l.pressed.Add(Pause)
}

// Holds reports whether the press of a key is held back.
func (l *PostponedLetter) Holds(key string) bool { return l.do != nil && l.key == key }

// Overtake drops the postponed letter if another key was pressed before it acted. Both were part of a text then, so
// Overtake reports the letter to the guard as a stray key.
func (l *PostponedLetter) Overtake(key string, g *Guard, now time.Time) {
	if l.do == nil || l.Holds(key) || l.Act(now) {
		return
	}
	g.Stray(l.pressed)
	*l = PostponedLetter{}
}

// ActNow runs the action of the postponed letter before its time.
func (l *PostponedLetter) ActNow() { l.Act(l.Due()) }

// Act runs the action of the postponed letter if its time has come, and reports whether it did.
func (l *PostponedLetter) Act(now time.Time) bool {
	if l.do == nil || now.Before(l.Due()) {
		return false
	}
	late := *l
	*l = PostponedLetter{}
	n := 1
	if late.repeats {
		n = late.presses
	}
	for range n {
		late.do()
	}
	return true
}
