package screen

import (
	"slices"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// rules draws the rules over the foot: the pending questions, what is wrong, the last event.
type rules struct{ s *Screen }

// The rules over the foot: the pending questions, what is wrong, the last event.

func (r rules) drawTooSmall(c ink.Canvas, w, h int) {
	words := say.TooSmall(leastWidth, leastHeight, w, h)
	if len(r.s.desk.Waiting()) > 0 {
		words += " " + r.s.waits() + "."
	}
	for y, l := range ink.Wrap(words, max(w, 1)) {
		if y < h {
			c.Put(0, y, w, ink.Plain, l)
		}
	}
}

// lowerRule holds the words of the rule over the foot.
type lowerRule struct {
	name ink.Line // at its left end: what waits
	last ink.Line // at its right end: the last event
	told bool     // that says all of what was sent, and to whom
}

// draw draws the rule: a notice replaces the last event, and the words about pending questions too if it needs their
// room.
func (r rules) draw(c ink.Canvas, at ink.Rect, l lowerRule) {
	if words := r.noticed(at.W).rule; words != "" {
		if l.last = (ink.Line{{Text: words, Style: ink.Bold}}); l.name.Width()+ink.Width(words)+8 > at.W {
			l.name = nil
		}
	}
	ink.DrawRule(c, at, l.name, l.last)
}

// leastHeld is the least width in which the rule can say what is held back, for how long, and how it is taken back.
const leastHeld = 30

// ruleOf returns a rule with a name, which leaves room cells to the last event.
func (r rules) ruleOf(name ink.Line, room int) lowerRule {
	g := r.s.look.glyphs
	if held := r.held(); !held.Blank() {
		whole := room + name.Width() + 4 // a name alone leaves no cells between two
		if room >= leastHeld {
			return lowerRule{name: name, last: ink.PlainLine(ink.Fit(held, room, g)), told: true}
		}
		return lowerRule{name: ink.PlainLine(ink.Fit(held, whole, g)), told: true} // seen before it goes out
	}
	last := r.s.lastEvent()
	line, told := ink.FitLast(last, room, g)
	return lowerRule{name: name, last: line, told: told}
}

// lastEvent returns the last event in words; a closed question that is still on view says itself how it ended.
func (s *Screen) lastEvent() say.Last {
	last := s.desk.Last()
	if last.Lost != nil && last.Lost.ID == s.seat.Up() && s.frame.page() == nil {
		return say.Last{}
	}
	return panes.LastEvent(last)
}

// held says that an answer is held back, and for how long; blank: none is. It is not sent, so nothing else is said of
// it.
func (r rules) held() say.Line {
	out := r.s.seat.Undoable()
	if out == nil {
		return say.Line{}
	}
	s, _ := r.s.desk.Session(out.Session)
	return say.Held(s.Ask.Summary(out.Answer()), out.Until().Sub(r.s.desk.Now()), say.Speech{Keys: r.s.look.keys})
}

// empty returns the rule while nothing waits, at w cells.
func (r rules) empty(w int) lowerRule {
	name := ""
	if r.s.desk.Loaded() {
		name = r.s.rooms.chat.Empty()
	}
	return r.ruleOf(r.s.rooms.chat.Named(name), w-ink.Width(name)-10)
}

// lower returns the rule under the question: the pending questions, or the name of this form, and the last event.
func (r rules) lower(a areas) lowerRule {
	name := r.lowerName
	if r.s.seat.HandOff() != "" {
		name = r.handOffName
	}
	line := name(a, a.lower.W-4)
	return r.ruleOf(line, a.lower.W-line.Width()-8)
}

// joined joins the parts of a rule with a dot between them; empty ones are left out.
func (r rules) joined(parts ...ink.Line) ink.Line {
	return ink.JoinLines(" "+r.s.look.glyphs.Dot+" ", parts...)
}

// ofPage returns the rule of a page while nothing waits, at w cells.
func (r rules) ofPage(w int) lowerRule { return r.ruleOf(nil, w-10) }

// told reports whether the rule on screen says all of what was sent, and to whom.
func (r rules) told() bool {
	w, _ := r.s.Size()
	if page := r.s.frame.page(); page != nil {
		return traitsOf[page.Place()].ruled && len(r.s.desk.Waiting()) == 0 && r.ofPage(w).told
	}
	if r.s.seat.Up() == "" {
		return r.empty(w).told
	}
	return r.lower(r.s.frame.waiting.at).told
}

// handOffName returns the name of this form and the number of other pending questions, in room cells.
func (r rules) handOffName(a areas, room int) ink.Line {
	seat, g := r.s.seat, r.s.look.glyphs
	if seat.HandOffEnded() {
		return ink.PlainLine(say.HandOffEnded(r.s.look.keys.KeyOf(keys.PlaceQuestion, keys.ActBack), g.Dot))
	}
	others := len(r.s.desk.Waiting()) - 1
	trouble := r.troubleIn(room - 22)
	var soon ink.Line
	if next := r.next(a); next.Style != ink.Plain { // in its last minute
		soon = due(next)
	}
	forms := say.HandOff(seat.HandOff(), others, trouble, g.Dot)
	name := r.joined(ink.PlainLine(forms[0]), soon)
	for _, words := range forms {
		if name.Width() <= room {
			break
		}
		name = ink.PlainLine(words)
	}
	return name
}

// lowerName returns the words about the pending questions, in room cells: those about chat are dropped first.
func (r rules) lowerName(a areas, room int) (name ink.Line) {
	var rest []ink.Line
	if r.s.o.Scratch {
		rest = append(rest, ink.PlainLine("demo"))
	}
	if next := r.next(a); next.Text != "" {
		rest = append(rest, due(next))
	}
	switch {
	case len(r.trouble()) > 0:
		rest = append(rest, ink.PlainLine(r.troubleIn(room-16)))
	case r.s.desk.Trouble().Degraded:
		rest = append(rest, ink.PlainLine(say.Polled(say.FaceScreen)))
	}
	heads := r.lowerHeads(a.wide, room)
	if n := len(r.s.desk.Notices()); n > a.needed && !a.wide { // they have no rows
		var more [][]ink.Line
		for _, words := range say.NeededBriefly(n) {
			more = append(more, append(slices.Clone(heads[0]), ink.PlainLine(words)))
		}
		heads = append(more, heads...)
	}
	for _, head := range heads {
		if name = r.joined(append(head, rest...)...); name.Width() <= room {
			break
		}
	}
	return name
}

// lowerHeads returns the ways to name the pending questions and to say whether chat is open all the same, longest
// first.
func (r rules) lowerHeads(wide bool, room int) (heads [][]ink.Line) {
	count, narrowed := r.s.waits(), r.s.seat.Find() != "" && !wide
	if narrowed {
		count = r.s.rooms.list.Found(room)[0]
	}
	for _, words := range r.s.rooms.chat.Lower() {
		heads = append(heads, []ink.Line{ink.PlainLine(count), ink.PlainLine(words)})
	}
	if narrowed {
		heads = append(heads, []ink.Line{ink.PlainLine(r.s.rooms.list.Found(room)[1])})
	}
	return heads
}

// dueNext precedes the time of the next question.
const dueNext = "next "

// due returns the time of the next question, as the rule says it.
func due(next ink.Span) ink.Line { return ink.Line{{Text: dueNext, Style: ink.Plain}, next} }

// next returns the time left of the soonest other question if it has no row on screen; in its last minute also if it
// has a row that nobody reads.
func (r rules) next(a areas) ink.Span {
	for _, w := range r.s.desk.Waiting() {
		if w.ID == r.s.seat.Up() {
			continue
		}
		left := r.s.timeLeft(*w.Session)
		calm := left.Style == ink.Plain || r.s.frame.waiting.area == areaList
		if w.Standing != queue.StandingOpen || calm && r.s.rooms.list.Shows(w.ID, a.queue.H-a.needed, a.wide) {
			return ink.Span{}
		}
		return left
	}
	return ink.Span{}
}

// trouble returns the worst fault that no key of the person's caused, longest form first; nil: there is none. It is
// shown in the lower rule and never in the Enter line: Enter still does there what it did, and must say so.
func (r rules) trouble() []string {
	t := r.s.desk.Trouble()
	switch {
	case t.Queue != nil:
		return []string{say.OneLine(say.QueueUnread(t.Queue.Error()))}
	case t.Broken != nil && r.s.aside.stands(r.s.desk.Now()):
		return []string{say.OneLine(say.SetAside(t.Broken.Name, t.Broken.Reason))}
	case t.Disk:
		return []string{say.DiskSilent}
	case t.Draft != nil:
		return []string{say.DraftUnsaved(say.Cause(t.Draft))}
	}
	if forms := r.s.rooms.settings.Trouble(); len(forms) > 0 {
		return forms
	}
	if r.s.alerts.failed != "" {
		return []string{say.OneLine(r.s.alerts.failed)}
	}
	var aside []string
	if r.s.o.Aside > 0 {
		aside = say.LieAside(r.s.o.Aside)
	}
	return say.Both(r.elsewhere(), aside, r.s.look.glyphs.Dot)
}

// elsewhere says where questions open instead of here, longest form first; nil: they open here.
func (r rules) elsewhere() []string {
	if r.s.o.Attach != "" {
		return nil
	}
	key := r.s.look.keys.KeyOf(keys.PlaceQuestion, keys.ActSettings)
	switch r.s.desk.Settings().Transport {
	case config.TransportTerminal:
		return say.NotWaitedHere(key)
	case config.TransportWeb:
		return say.OpenOnTheWeb(key)
	}
	return nil
}

// troubleIn returns the fault as a part of a rule, in about w cells; empty: there is none.
func (r rules) troubleIn(w int) string {
	forms := r.trouble()
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

// troubleWhole returns the fault in full.
func (r rules) troubleWhole() string { return r.troubleIn(1 << 10) }
