package desk

import (
	"errors"
	"time"
)

// Settle is the time for which a question must have been on screen before a key may answer it.
const Settle = 500 * time.Millisecond

// Pause is the time for which a letter that acts on its own waits for another key, because typing meant for another
// pane continues within it. A field that a letter opened and that is typed into within Pause was opened by such typing.
// It is also how long Enter waits after a mark on an approval or a confirmation.
const Pause = 300 * time.Millisecond

// habit is the time for which the first Enter after a key that sent at once belongs to that key: people who are used to
// pressing Enter after each choice press it there too.
const habit = time.Second

// pasted is the time for which Enter waits after a mark on a question. No person types faster, but a paste does.
const pasted = 50 * time.Millisecond

// Why the guard refuses a key.
var (
	ErrTooSoon  = errors.New("too soon")  // the question is new; the guard remembers what the key would have chosen
	ErrNotTaken = errors.New("not taken") // Enter, after a key that was not taken
	ErrEarly    = errors.New("too early")
	ErrStray    = errors.New("stray key") // typing meant for another pane
)

// Effect says what a key would do at the moment it is pressed.
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

// Press is a key as the guard judges it.
type Press struct {
	Key     string // as the screen writes it
	Effect  Effect
	Decides bool // on an approval, a confirmation or a review: these always count as new
	Toggles bool // of a mark where several are allowed: only the same key makes up for one that was not taken
	Letter  bool // a sentence may hold it
}

// FirstLetter returns the letter that opens the field of an answer which is only words.
func FirstLetter(key string) Press { return Press{Key: key, Effect: Marking, Letter: true} }

// Guard keeps keys from answering what they were not meant for. Its rules are those of docs/design.md section 6, "What
// the person meant is what is sent":
//
//   - On a question that came up on its own, keys that mark and keys that send work once it has been on screen for
//     Settle. Where the person brought it up only keys that send wait.
//   - A choice that was refused is remembered. The next Enter is refused too, and says so. The choice made again clears
//     that, and so does this one Enter, after Settle.
//   - Enter waits a moment after a mark, and after a key that means nothing here.
//   - The first Enter within a second after a key that sent at once is refused, unless something was marked since.
//
// All times are when a key was read and when a frame was written, not when the program came to it.
type Guard struct {
	frames  bool      // the face reports when a frame is on screen; see Drawn
	script  bool      // no person types: Enter need not wait after a mark, nor where the script opened the question
	off     bool      // nothing is refused
	drawn   bool      // what is on view has been on screen
	frame   int       // see Frame
	shown   time.Time // since when
	brought bool      // the person brought it up
	covered bool      // something else is in front of it
	on      string    // the session on view

	marked  time.Time // when the mark was last put or moved that Enter would send
	pressed string    // the key that put it; empty: none did since the last answer
	missed  string    // a choice that was not taken; empty: none
	why     string    // why the form did not take it; empty: the guard refused it
	before  bool      // it was made in a question that was replaced
	told    string    // the choice not taken that Enter was refused for
	wait    time.Time // until when Enter waits after that
	atOnce  time.Time // when a key sent at once; zero: something was marked since, or Enter was pressed
	ended   bool      // the key being taken has sent something
	held    time.Time // until when Enter waits because a letter began what it would do
	again   time.Time // until when an Enter that came too soon says so
	stray   time.Time // when a key came that means nothing here

	opened time.Time // when a letter opened the field being typed
	runOn  bool      // the field was typed into so soon after that it may be typing for another pane
	asked  bool      // Enter was refused for that
	typed  time.Time // the last key in such a field, that Enter included

	// judge replaces the rules, for the controls of the property test. nil: the rules hold.
	judge func(g *Guard, p Press, now time.Time) error
}

// cameUp notes that a session is on view, and not because the person brought it up. A choice made in a session that it
// replaces counts as one that was not taken.
func (g *Guard) cameUp(id string, now time.Time) {
	if id != g.on {
		g.replaced()
	}
	g.turn(id, false, now)
}

// replaced notes that the session on view leaves it without the person's doing. That is so also where its answer was
// stored a while after it was sent: a choice made since then was meant for the next one.
func (g *Guard) replaced() {
	if g.pressed != "" {
		g.remember(g.pressed, "")
		g.before = true
	}
}

// broughtUp notes that the person brought up what is on view.
func (g *Guard) broughtUp(id string, now time.Time) { g.turn(id, true, now) }

func (g *Guard) turn(id string, brought bool, now time.Time) {
	if id != g.on {
		g.on, g.pressed, g.told = id, "", ""
	}
	g.brought, g.drawn, g.shown, g.again = brought, !g.frames, now, time.Time{}
	g.frame++
}

// cover notes that something is in front of the question, or is no more. Coming back to an unchanged question is the
// person's doing.
func (g *Guard) cover(on bool, now time.Time) {
	switch {
	case on == g.covered:
		return
	case on: // what comes up or changes meanwhile turns it
		g.brought = true
	default:
		g.turn(g.on, g.brought, now)
	}
	g.covered = on
}

// Frame counts how often something else came on view. A face that reports frames late tells by it which one it means.
func (g *Guard) Frame() int { return g.frame }

// Drawn notes when a frame was written to the terminal. The time of what is on view begins with its first frame.
func (g *Guard) Drawn(at time.Time) {
	if !g.drawn {
		g.drawn, g.shown = true, at
	}
}

// Refuses says why a key is not taken now; nil: it may do what it is for, through Seat.Take. NotTaken notes
// that the form did not take it. The error is ErrTooSoon, ErrNotTaken, ErrEarly or ErrStray.
func (g *Guard) Refuses(p Press, now time.Time) error {
	if p.Effect < Marking || g.off {
		return nil
	}
	if g.judge != nil {
		return g.judge(g, p, now)
	}
	habitual := false
	if p.Effect >= Stepping {
		habitual, g.atOnce = !g.script && now.Sub(g.atOnce) < habit, time.Time{}
	}
	if p.Effect >= Stepping && g.missed != "" {
		g.told, g.missed, g.wait = g.missed, "", now.Add(Settle)
		return ErrNotTaken
	}
	err := g.early(p, now)
	switch {
	case err == nil && habitual:
		g.again, err = now.Add(Settle), ErrEarly
	case err == nil:
	case p.Effect >= Stepping:
		g.again = lastOf(now, g.ready(p))
	default:
		g.remember(p.Key, "")
	}
	return err
}

// early says why a key comes too soon.
func (g *Guard) early(p Press, now time.Time) error {
	sends := p.Effect == Choosing || p.Effect == Sending
	waits := !g.brought || p.Decides || sends && !g.script
	switch {
	case waits && (!g.drawn || now.Sub(g.shown) < Settle):
		if p.Effect >= Stepping {
			return ErrEarly
		}
		return ErrTooSoon
	case p.Effect >= Stepping && (now.Before(g.wait) || now.Before(g.held) || now.Sub(g.marked) < g.afterMark(p)):
		return ErrEarly
	case (p.Effect >= Choosing || p.Decides) && now.Sub(g.stray) < Settle:
		return ErrStray
	}
	return nil
}

// ready returns when Enter would be taken, as far as is known.
func (g *Guard) ready(p Press) time.Time {
	return lastOf(g.shown.Add(Settle), g.wait, g.held, g.marked.Add(g.afterMark(p)), g.stray.Add(Settle))
}

// afterMark returns how long Enter waits after a mark.
func (g *Guard) afterMark(p Press) time.Duration {
	switch {
	case g.script:
		return 0
	case p.Decides:
		return Pause
	}
	return pasted
}

func lastOf(times ...time.Time) (last time.Time) {
	for _, t := range times {
		if t.After(last) {
			last = t
		}
	}
	return last
}

func (g *Guard) remember(key, why string) {
	g.missed, g.why, g.before, g.told, g.again = key, why, false, "", time.Time{}
}

// NotTaken notes that the form did not take a key that marks, or that changes what Enter does; why says why in words.
func (g *Guard) NotTaken(key, why string) { g.remember(key, why) }

// acts notes that a key which was not refused now does what it is for.
func (g *Guard) acts() { g.ended = false }

// sent notes that what the person decided is on its way: each key before was for that.
func (g *Guard) sent() { g.missed, g.told, g.pressed, g.ended = "", "", "", true }

// took notes that a key did what it is for; marked: Enter has to wait after it.
func (g *Guard) took(p Press, marked bool, now time.Time) {
	g.again = time.Time{}
	if marked {
		g.marked = now
	}
	switch {
	case p.Effect == Choosing, p.Effect == Sending:
		g.missed, g.told, g.pressed = "", "", ""
		if p.Effect == Choosing && g.ended {
			g.atOnce = now
		}
	case p.Effect == Marking && !g.ended:
		g.pressed, g.atOnce = p.Key, time.Time{}
		if !p.Toggles || p.Key == g.missed || p.Key == g.told {
			g.missed, g.told, g.wait = "", "", time.Time{}
		}
	}
}

// HoldEnter has Enter wait for Settle: what it would do now was begun by a letter.
func (g *Guard) HoldEnter(now time.Time) { g.held = now.Add(Settle) }

// RefusesChange says why Enter is not taken where it changes a setting; nil: it is.
func (g *Guard) RefusesChange(now time.Time) error {
	switch {
	case now.Before(g.held):
		return ErrEarly
	case now.Sub(g.stray) < Settle:
		return ErrStray
	}
	return nil
}

// Remembers reports whether a choice that was not taken keeps Enter from sending.
func (g *Guard) Remembers() bool { return g.missed != "" }

// Stray notes a key that is in no row of the place's table, or that another key overtook.
func (g *Guard) Stray(now time.Time) { g.stray = now }

// MoveMark notes that a mark which Enter would send was put or moved.
func (g *Guard) MoveMark(now time.Time) { g.marked = now }

// Says holds the guard's messages about Enter. The zero Says is empty.
type Says struct {
	NotTaken string // the next Enter is refused: this key was not taken
	Why      string // why the form did not take it, in words; empty: it came too soon
	Before   bool   // it was for a question that was replaced before its answer was sent
	Again    bool   // an Enter came too soon, and it still would be
	Behind   string // this key was not taken; Enter was refused once for it and works now
}

// Says returns what the guard has to say now in place of the button, or behind it.
func (g *Guard) Says(now time.Time) Says {
	switch {
	case g.missed != "":
		return Says{NotTaken: g.missed, Why: g.why, Before: g.before}
	case g.told != "" && now.Before(g.wait):
		return Says{NotTaken: g.told, Why: g.why, Before: g.before}
	}
	return Says{Again: now.Before(g.again), Behind: g.told}
}

// Due returns when the value of Says will change on its own; zero: it will not.
func (g *Guard) Due(now time.Time) (due time.Time) {
	for _, t := range []time.Time{g.wait, g.again} {
		if now.Before(t) && (due.IsZero() || t.Before(due)) {
			due = t
		}
	}
	return due
}

// Begin notes that a field was opened; letter: by a letter, which may be the first of a sentence.
func (g *Guard) Begin(letter bool, now time.Time) {
	g.runOn, g.asked, g.opened = false, false, time.Time{}
	if letter {
		g.opened = now
	}
}

// Type notes a key that went into the field being typed. The text may be meant for another pane if typing continued
// directly from the letter that opened the field; see RanOn.
func (g *Guard) Type(now time.Time) {
	g.noteRunOn(now)
	g.opened = time.Time{}
	if g.runOn {
		g.typed = now
	}
}

func (g *Guard) noteRunOn(now time.Time) {
	g.runOn = g.runOn || !g.opened.IsZero() && now.Sub(g.opened) < Pause
}

// TypeOn notes any other key in the field being typed.
func (g *Guard) TypeOn(now time.Time) {
	if g.runOn {
		g.typed = now
	}
}

// RanOn reports whether the text being typed may be meant for another pane; asked: an Enter was refused for that, and
// the next one is taken.
func (g *Guard) RanOn() (ranOn, asked bool) { return g.runOn, g.asked }

// EndsTyping reports whether Enter in a field does what it is for. Where the text may be meant for another pane the
// first Enter only asks, and the second is taken from Settle after the last key.
func (g *Guard) EndsTyping(now time.Time) bool {
	g.noteRunOn(now)
	g.opened = time.Time{}
	switch {
	case !g.runOn:
		return true
	case !g.asked:
		g.asked, g.typed = true, now
		return false
	case now.Sub(g.typed) < Settle:
		return false
	}
	g.runOn, g.asked = false, false
	return true
}
