package desk

import "time"

// Late holds a letter that acts without Enter, until it acts. It waits for Pause, since typing that was meant for
// another pane continues within it (docs/design.md section 6, "What the person meant is what is sent"). The zero Late
// holds no letter.
type Late struct {
	do      func()
	key     string
	repeats bool
	presses int
	pressed time.Time
}

// Postpone has a letter wait; repeats: it is done once for each press. The same letter again counts as one more press,
// and the wait starts over.
func (l *Late) Postpone(key string, repeats bool, do func(), now time.Time) {
	presses := 1
	if l.do != nil && l.key == key {
		presses += l.presses
	}
	*l = Late{do: do, key: key, repeats: repeats, presses: presses, pressed: now}
}

// Due returns when the letter acts; zero: no letter is waiting.
func (l *Late) Due() time.Time {
	if l.do == nil {
		return time.Time{}
	}
	return l.pressed.Add(Pause)
}

// Overtake drops the letter that waits if another key came before it acted: it was typing then, and the guard is told.
func (l *Late) Overtake(key string, g *Guard, now time.Time) {
	if l.do == nil || l.key == key || l.Act(now) {
		return
	}
	g.Stray(l.pressed)
	*l = Late{}
}

// Act carries out the letter that waits, if its time has come, and reports whether it did.
func (l *Late) Act(now time.Time) bool {
	if l.do == nil || now.Before(l.Due()) {
		return false
	}
	late := *l
	*l = Late{}
	n := 1
	if late.repeats {
		n = late.presses
	}
	for range n {
		late.do()
	}
	return true
}
