package desk

import "time"

// One press is one press, however long a key is held (docs/design.md section 6). A keyboard repeats a held key, and few
// terminals say so. The guard therefore looks at the time between two presses of a key that sends:
//
//	⏎ ──── 250 to 660 ms ──── ⏎ ─ 30 to 100 ms ─ ⏎ ─ 30 to 100 ms ─ ⏎ …
//	counts                    waits for          no press, and neither is the one that waits
//	                          repeatWait
//
// So a press that may be the first repeat counts only if no other follows. What counts is when the keys were read, so
// several that are read at once, after a delay, are one press, and a press behind which another key was read only after
// repeatWait counts before that one, however late its time comes. A choice that is dropped is remembered as one that
// was not taken, because the next Enter was meant to send it.
const (
	repeatWait = 120 * time.Millisecond // how long a press waits that may be the first repeat
	repeatMost = 150 * time.Millisecond // two presses that are less apart are repeats
	repeatOf   = 2 * time.Second        // a press that comes later than this is no first repeat
	repeatLate = 30 * time.Millisecond  // if the wait ends so late, the program stood still; keys may not be read yet
	mostWaits  = 2                      // how often the wait begins again because of that
)

// Stroke is a key as it was read.
type Stroke struct {
	Key      string // its name; empty: something else than a key, such as a click or a paste
	Sends    bool   // it is Enter, or would send something now
	Chooses  string // its name on the screen, if it would send what it chooses; empty: it chooses nothing
	Repeated bool   // it is known to be a repeat of a held key
}

// strokes has the last key, and the press that waits.
type strokes struct {
	last    Stroke
	at      time.Time // when the last key was read
	anyKey  bool      // any key may be a repeat of the last one, which another program read
	waits   func()    // carries out the press that waits; nil: none waits
	due     time.Time // when that will be
	again   int       // how often the wait has begun again
	frame   int       // what was on view at the press that waits; see Guard.Frame
	delayed bool      // the last key had to wait, and was carried out then
	acting  bool      // it is being carried out
}

// IsPress reports whether a key is a press of its own that the frontend carries out now. If it is not, the key is a
// repeat, or it may be one: then ActLate calls again, with which the frontend carries the key out as if it had just
// come. A frontend calls IsPress for every key. overtaken says that a press was waiting and is dropped, because another
// key followed. If again is nil, a key that may be the first repeat counts.
func (g *Guard) IsPress(s Stroke, now time.Time, again func()) (is, overtaken bool) {
	k := &g.strokes
	if k.acting || g.script || g.off {
		return true, false
	}
	was, since := *k, now.Sub(k.at)
	*k = strokes{last: s, at: now}
	same := s.Key == was.last.Key && s.Key != "" || was.anyKey
	if was.waits != nil && !same {
		g.Stray(was.at)
		g.dropPress(was.last, false)
		return true, true
	}
	switch {
	case !s.Sends:
		return true, false
	case s.Repeated, was.waits != nil, same && since < repeatMost && !was.anyKey:
		return false, false
	case !same, since >= repeatOf, again == nil:
		return true, false
	}
	k.waits, k.due, k.frame = again, now.Add(repeatWait), g.frame
	return false, false
}

// dropPress notes that a press which waited is not carried out. replaced: something else is on view than at the press.
func (g *Guard) dropPress(s Stroke, replaced bool) {
	if s.Chooses != "" {
		g.rememberChoice(s.Chooses, "")
		g.missedBefore = replaced
	}
}

// ActBefore carries out the press that waits if another key is about to be carried out which was read at now, after the
// time of that press: nothing repeated the press in time, and the program was only too busy to carry it out. The
// results are those of ActLate. A frontend calls it before it looks at what the other key means.
func (g *Guard) ActBefore(key string, now time.Time) (acted, replaced bool) {
	k := &g.strokes
	if k.waits == nil || k.last.Key == key || now.Sub(k.at) < repeatWait {
		return false, false
	}
	return g.actWaiting()
}

// ActLate carries out the press that waits, if its time has come. It reports whether it did, and whether the press was
// dropped because something else is on view than when the key was pressed. A frontend calls it only if it has read no
// key that it has not passed to IsPress.
func (g *Guard) ActLate(now time.Time) (acted, replaced bool) {
	k := &g.strokes
	late := now.Sub(k.due)
	switch {
	case k.waits == nil, late < 0:
		return false, false
	case late > repeatLate && k.again < mostWaits:
		k.due, k.again = now.Add(repeatWait), k.again+1
		return false, false
	}
	return g.actWaiting()
}

// actWaiting carries out the press that waits. The results are those of ActLate.
func (g *Guard) actWaiting() (acted, replaced bool) {
	k := &g.strokes
	act := k.waits
	if k.waits = nil; k.frame != g.frame {
		g.dropPress(k.last, true)
		return false, true
	}
	k.acting, k.delayed = true, true
	defer func() { k.acting = false }()
	act()
	return true, false
}

// LateDue returns when the press that waits acts; zero: none waits.
func (g *Guard) LateDue() time.Time {
	if g.strokes.waits == nil {
		return time.Time{}
	}
	return g.strokes.due
}

// TookOver notes that the frontend has just got the keyboard from another program, in which a key may be held.
func (g *Guard) TookOver(now time.Time) { g.strokes = strokes{at: now, anyKey: true} }

// settle returns how long the question on view must have been on screen before the present key may answer it: Settle,
// less the wait that brought it up so much later. Only a press that waits as long itself has this advantage, so that
// who presses Enter steadily needs no press more than without the waits, and no question is sent within Settle.
func (g *Guard) settle() time.Duration {
	if g.strokes.acting {
		return Settle - g.cameLater
	}
	return Settle
}
