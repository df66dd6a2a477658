package screen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// rules are the rules over the foot, as the screen draws them: what waits, what is wrong, the last event.
type rules struct{ *Screen }

// The rules over the foot: what waits, what is wrong, the last event.

func (s rules) drawTooSmall(c ink.Canvas, w, h int) {
	words := fmt.Sprintf("choicetui needs %d×%d, this is %d×%d.", leastWidth, leastHeight, w, h)
	if len(s.desk.Waiting()) > 0 {
		words += fmt.Sprintf(" %s.", s.waits())
	}
	for y, l := range ink.Wrap(words, max(w, 1)) {
		if y < h {
			c.Put(0, y, w, ink.Plain, l)
		}
	}
}

// lowerRule is what the rule over the foot says.
type lowerRule struct {
	name string // at its left end: what waits
	last string // at its right end: the last event
	told bool   // that says all of what was sent, and to whom
}

func (l lowerRule) draw(c ink.Canvas, r ink.Rect) { ink.DrawNamedRule(c, r, l.name, l.last) }

// ruleOf is a rule with a name, which leaves room cells to the last event.
func (s rules) ruleOf(name string, room int) lowerRule {
	words, told := ink.FitLast(panes.LastEvent(s.desk.Last()), room, s.look.glyphs)
	return lowerRule{name: name, last: words, told: told}
}

// empty is the rule while nothing waits, at w cells.
func (s rules) empty(w int) lowerRule {
	name := ""
	if s.desk.Loaded() {
		name = s.rooms.chat.Empty()
	}
	return s.ruleOf(name, w-ink.Width(name)-10)
}

// lower is the rule under the question: what waits, or what this form is, and the last event.
func (s rules) lower(a areas) lowerRule {
	name := "attach " + s.o.Attach + " · works once"
	if len(s.trouble()) > 0 {
		name = "attach " + s.o.Attach + " · " + s.troubleIn(a.lower.W-26)
	}
	if s.o.Attach == "" {
		name = s.lowerName(a, a.lower.W-4)
	}
	return s.ruleOf(name, a.lower.W-ink.Width(name)-8)
}

// ofPage is the rule of a page while nothing waits, at w cells.
func (s rules) ofPage(w int) lowerRule { return s.ruleOf("", w-10) }

// told reports whether the rule on screen says all of what was sent, and to whom.
func (s rules) told() bool {
	w, _ := s.Size()
	if page := s.frame.page(); page != nil {
		at := page.Place() // the other pages, and lines that are typed over the rule, leave it out
		ruled := at == keys.PlaceHistory || at == keys.PlaceStats
		return ruled && len(s.desk.Waiting()) == 0 && s.ofPage(w).told
	}
	if s.seat.Up() == "" {
		return s.empty(w).told
	}
	return s.lower(s.frame.waiting.at).told
}

// lowerName is what waits, in room cells: what is said of chat goes first.
func (s rules) lowerName(a areas, room int) string {
	rest := []string{s.nextHidden(a)}
	switch {
	case len(s.trouble()) > 0:
		rest = append(rest, s.troubleIn(room-16))
	case s.desk.Trouble().Degraded:
		rest = append(rest, "no notifications, polling")
	}
	var name string
	for _, head := range s.lowerHeads(a.wide, room) {
		parts := slices.DeleteFunc(append(head, rest...), func(s string) bool { return s == "" })
		if name = strings.Join(parts, " "+s.look.glyphs.Dot+" "); ink.Width(name) <= room {
			break
		}
	}
	return name
}

// lowerHeads are the ways to say what waits and that chat is closed, longest first.
func (s rules) lowerHeads(wide bool, room int) [][]string {
	count, narrowed := s.waits(), s.seat.Find() != "" && !wide
	if narrowed {
		count = s.rooms.list.Found(room)[0]
	}
	var heads [][]string
	closing, _ := s.desk.Closing()
	for i, words := range s.rooms.chat.Lower() {
		if closed := i == 0 && words != "" && closing > 0; wide && closed {
			heads = append(heads, []string{words + ": " + count})
		} else {
			heads = append(heads, []string{count, words})
		}
	}
	if narrowed {
		heads = append(heads, []string{s.rooms.list.Found(room)[1]})
	}
	return heads
}

// nextHidden says when the soonest other question is due, where it has no row on screen.
func (s rules) nextHidden(a areas) string {
	for _, w := range s.desk.Waiting() {
		if w.ID == s.seat.Up() {
			continue
		}
		if w.Standing != queue.StandingOpen || s.rooms.list.Shows(w.ID, a.queue.H, a.wide) {
			return ""
		}
		return "next " + say.TimeLeft(w.Session, s.desk.Now(), s.warn())
	}
	return ""
}

// trouble is the worst of what is wrong without a key of the person, longest form first; nil: nothing is. It stands in
// the lower rule and never in the Enter line: Enter still does there what it did, and must say so.
func (s rules) trouble() []string {
	t := s.desk.Trouble()
	switch {
	case t.Queue != nil:
		return []string{say.OneLine(say.QueueUnread(t.Queue.Error()))}
	case t.Broken != nil:
		return []string{say.OneLine(say.SetAside(t.Broken.Name, t.Broken.Reason))}
	case t.Disk:
		return []string{say.DiskSilent}
	case t.Draft != nil:
		return []string{say.DraftUnsaved(say.Cause(t.Draft))}
	}
	if forms := s.rooms.settings.Trouble(); len(forms) > 0 {
		return forms
	}
	if s.alerts.failed != "" {
		return []string{say.OneLine(s.alerts.failed)}
	}
	return nil
}

// troubleIn is what is wrong as a part of a rule, in about w cells; empty: nothing is.
func (s rules) troubleIn(w int) string {
	forms := s.trouble()
	if len(forms) == 0 {
		return ""
	}
	for _, words := range forms {
		if ink.Width(words)+2 <= w {
			return "! " + words
		}
	}
	return "! " + forms[len(forms)-1]
}

// troubleWhole is what is wrong, in full.
func (s rules) troubleWhole() string { return s.troubleIn(1 << 10) }
