package screen

import (
	"strings"
	"time"

	"github.com/gdamore/tcell/v2"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/deed"
)

// keyboard sends each key through the key table and the guard to the room that handles it, else to a command that works
// everywhere. It also keeps the effects of a key that the next key may cancel.
type keyboard struct {
	*shared
	frame   *frame
	host    panes.Host // for the pages that a key opens
	stop    func()     // ends the screen
	stopped time.Time  // when Ctrl-C closed a line, or came too soon after that
	letters letters
}

// letters are those pressed last.
type letters struct {
	last    string
	at      time.Time
	another time.Time // when one was pressed that is not the last
}

func (l *letters) note(key string, now time.Time) {
	if !panes.IsLetter(key) {
		return
	}
	if key != l.last {
		l.another = l.at
	}
	l.last, l.at = key, now
}

// amongTyping reports whether the letter that opens the settings file came right behind another one. Its wait for the
// next letter is too short for a person who types unevenly.
func (l *letters) amongTyping(b keys.Binding, now time.Time) bool {
	return b.Action == keys.ActEditFile && now.Sub(l.another) < desk.Settle
}

// pastes reports whether pasted text has a field to go to.
func (r *keyboard) pastes() bool {
	now := r.desk.Now()
	r.seat.Pressed(now)
	r.overtake("", now)
	if r.frame.room().Field() == nil {
		r.refusePaste()
		return false
	}
	return true
}

// takeOffer carries out the offer, or cancels it; true: the key meant the offer and nothing else.
func (r *keyboard) takeOffer(key string, now time.Time) bool {
	if !r.hand().Offers() {
		return false
	}
	in := deed.Input{Key: key, Name: keys.Written(key)}
	if b := r.look.keys.Lookup(keys.PlaceQuestion, key); b != nil {
		in.Action = b.Action
	}
	took := r.hand().TakeOffer(in, now)
	if took {
		r.desk.Refresh()
	}
	return took
}

// postpones reports whether a key waits before it acts: a letter or a sign of its own, which a sentence may hold.
func postpones(b keys.Binding, key string) bool { return b.Waits && panes.IsLetter(key) }

// overtake drops the letter that waits if another key came before it acted; it was typing then.
func (r *keyboard) overtake(key string, now time.Time) {
	r.hand().Overtake(key, now)
}

// actLate carries out the letter that waits, once its time has come.
func (r *keyboard) actLate(now time.Time) {
	if r.hand().ActLate(now) {
		r.desk.Refresh()
	}
}

// opened tells the guard whether a letter has just opened a text field.
func (r *keyboard) opened(before panes.Room, was bool, key string, now time.Time) {
	if room := r.frame.room(); room.Field() != nil && (!was || room != before) {
		r.seat.Guard.Begin(panes.IsLetter(key), now)
	}
}

// keyName names a key event as the key table writes it: a rune itself, else enter, esc, ctrl+g, alt+enter.
func keyName(ev *tcell.EventKey) string {
	const both = tcell.ModAlt | tcell.ModCtrl
	switch k := ev.Key(); {
	case k == tcell.KeyRune && ev.Rune() == 'm' && ev.Modifiers()&both == both:
		return "alt+enter" // as tcell 2.13 reports it
	case k == tcell.KeyRune:
		return runeKey(ev)
	case k == tcell.KeyEnter && ev.Modifiers()&tcell.ModAlt != 0:
		return "alt+enter"
	case k == tcell.KeyEnter:
		return "enter"
	case k == tcell.KeyEscape:
		return "esc"
	case k == tcell.KeyTab:
		return "tab"
	case k == tcell.KeyBackspace, k == tcell.KeyBackspace2:
		return "backspace"
	case k >= tcell.KeyCtrlA && k <= tcell.KeyCtrlZ:
		return "ctrl+" + string(rune('a'+k-tcell.KeyCtrlA))
	}
	return strings.ToLower(ev.Name())
}

func runeKey(ev *tcell.EventKey) string {
	name := string(ev.Rune())
	if ev.Rune() == ' ' {
		name = "space"
	}
	if ev.Modifiers()&tcell.ModAlt != 0 {
		return "alt+" + name
	}
	return name
}
