package screen

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// A divider is a horizontal line on the screen with words in it. The lower divider is the line over the footer or over
// the queue. It says how many questions are pending, what is wrong, and what happened last.

// drawTooSmall draws the message that the terminal is too small.
func (v *ground) drawTooSmall(c ink.Canvas, w, h int) {
	words := fmt.Sprintf("choicetui needs %d×%d, this is %d×%d.", leastWidth, leastHeight, w, h)
	if len(v.desk.Waiting()) > 0 {
		words += " " + v.waits() + "."
	}
	for y, l := range ink.Wrap(words, max(w, 1)) {
		if y < h {
			c.Put(0, y, w, ink.Plain, l)
		}
	}
}

// lowerDivider holds the words of the lower divider.
type lowerDivider struct {
	name ink.Line // at its left end: the pending questions
	last ink.Line // at its right end: the last event
	told bool     // the divider holds the whole answer that was or will be sent, and its receiver
}

// drawDivider draws the lower divider. A message replaces the last event in it, and also the words about pending
// questions if it needs their room.
func (v *ground) drawDivider(c ink.Canvas, at ink.Rect, l lowerDivider) {
	if words := v.splitMessage(at.W).divider; words != "" {
		if l.last = (ink.Line{{Text: words, Style: ink.Bold}}); l.name.Width()+ink.Width(words)+8 > at.W {
			l.name = nil
		}
	}
	ink.DrawDivider(c, at, l.name, l.last)
}

// leastHeld is the least number of cells in which the lower divider can say which answer is held back, for how long,
// and which key takes it back.
const leastHeld = 30

// dividerOf returns the lower divider with a name at its left end. room is the number of cells left for the last event.
func (v *ground) dividerOf(name ink.Line, room int) lowerDivider {
	g := v.look.glyphs
	if out := v.view.Undoable(); out != nil { // these words name the whole answer
		held := v.postponed(out)
		whole := room + name.Width() + 4 // the gap between name and event is free too
		if room >= leastHeld {
			return lowerDivider{name: name, last: ink.PlainLine(ink.Fit(held, room, g)), told: true}
		}
		return lowerDivider{name: ink.PlainLine(ink.Fit(held, whole, g)), told: true}
	}
	if v.desk.Last().At.IsZero() {
		return lowerDivider{name: name}
	}
	line, told := ink.FitLast(v.lastEvent(), room, g)
	return lowerDivider{name: name, last: line, told: told}
}

// lastEvent returns the last event in words. It is empty if the event is the end of the question on view, which says
// itself how it ended.
func (v *ground) lastEvent() say.Last {
	last := v.desk.Last()
	if last.Lost != nil && last.Lost.ID == v.view.Up() && v.page == nil {
		return say.Last{}
	}
	return say.LastEvent(last)
}

// postponed says which answer is held back so that the person can undo it, and for how long.
func (v *ground) postponed(out *desk.Outgoing) say.Line {
	s, _ := v.desk.Session(out.Session)
	return say.Postponed(s.Ask.Summary(out.Answer()), out.Until().Sub(v.desk.Now()), say.Speech{Keys: v.look.keys})
}

// emptyDivider returns the lower divider while nothing is pending, at w cells.
func (v *ground) emptyDivider(w int) lowerDivider {
	name := ""
	if v.desk.Loaded() {
		name = v.rooms.chat.Empty()
	}
	return v.dividerOf(v.rooms.chat.Named(name), w-ink.Width(name)-10)
}

// questionDivider returns the lower divider while a question is on view: the pending questions, or what this screen was
// opened for, and the last event.
func (v *ground) questionDivider(a areas) lowerDivider {
	name := v.lowerName
	if v.view.HandOff() != "" {
		name = v.handOffName
	}
	line := name(a, a.lower.W-4)
	return v.dividerOf(line, a.lower.W-line.Width()-8)
}

// keptLine returns the words of the closed composer: an unsent line to an agent, or one that was not delivered yet.
// Empty: no agent can be written to.
func (v *ground) keptLine() string {
	if v.line.Off() || v.line.Addressed() == nil {
		return ""
	}
	_, _, w, _ := v.GetRect()
	told := strings.Contains(v.emptyDivider(w).last.String(), queue.Undelivered)
	return ink.Fit(v.rooms.chat.Kept(told), w, v.look.glyphs)
}

// joinParts joins the parts of a divider with a dot between them; empty ones are left out.
func (v *ground) joinParts(parts ...ink.Line) ink.Line {
	return ink.JoinLines(" "+v.look.glyphs.Dot+" ", parts...)
}

// pageDivider returns the lower divider of a page while nothing is pending, at w cells.
func (v *ground) pageDivider(w int) lowerDivider { return v.dividerOf(nil, w-10) }

// dividerTellsAll reports whether the lower divider on screen holds the whole answer that was sent, and its receiver.
func (v *ground) dividerTellsAll() bool {
	_, _, w, _ := v.GetRect()
	if v.page != nil {
		return traitsOf[v.page.Place()].hasDivider && len(v.desk.Waiting()) == 0 && v.pageDivider(w).told
	}
	if v.view.Up() == "" {
		return v.emptyDivider(w).told
	}
	return v.questionDivider(v.at).told
}

// handOffName returns the left end of the lower divider on a screen that was opened on one question, in room cells:
// what the screen is, and the number of other pending questions.
func (v *ground) handOffName(a areas, room int) ink.Line {
	view, g := v.view, v.look.glyphs
	if view.HandOffEnded() {
		return ink.PlainLine(handOffEnded(v.look.keys.KeyOf(action.PlaceQuestion, action.Back), g.Dot))
	}
	others := len(v.desk.Waiting()) - 1
	trouble := v.troubleIn(room - 22)
	var soon ink.Line
	if next := v.nextLeft(a); next.Style != ink.Plain { // the next question is in its last minute
		soon = dueLine(next)
	}
	forms := handOff(v.o.Attach, others, trouble, g.Dot)
	name := v.joinParts(ink.PlainLine(forms[0]), soon)
	for _, words := range forms {
		if name.Width() <= room {
			break
		}
		name = ink.PlainLine(words)
	}
	return name
}

// handOff returns the words for a screen that was opened on one question, longest form first: by the command attach
// with the question's id, or as a popup if id is empty. others is the number of other pending questions; trouble is a
// fault, or empty.
func handOff(id string, others int, trouble, dot string) []string {
	named, once, more := "attach "+id, "", ""
	if others > 0 {
		more = fmt.Sprintf("%d more waiting", others)
	}
	if others == 1 {
		more = "1 more waiting"
	}
	if id == "" {
		named = "popup"
		if others == 0 {
			once = "closes with your answer"
		}
	}
	if trouble != "" {
		once = trouble
	}
	var forms []string
	name := strings.Fields(named)[0]
	for _, parts := range [][]string{
		{named, once, more}, {name, once, more}, {cmp.Or(once, name), more}, {cmp.Or(once, name)},
	} {
		parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
		forms = append(forms, strings.Join(parts, " "+dot+" "))
	}
	return forms
}

// handOffEnded says that the question of attach has ended, and which key leaves.
func handOffEnded(key, dot string) string {
	return "this question ended " + dot + " " + key + " leaves"
}

// lowerName returns the words about the pending questions for the left end of the lower divider, in room cells. Words
// about chat are left out first.
func (v *ground) lowerName(a areas, room int) (name ink.Line) {
	var rest []ink.Line
	if v.o.Scratch {
		rest = append(rest, ink.PlainLine("demo"))
	}
	if next := v.nextLeft(a); next.Text != "" {
		rest = append(rest, dueLine(next))
	}
	switch {
	case len(v.trouble()) > 0:
		rest = append(rest, ink.PlainLine(v.troubleIn(room-16)))
	case len(v.desk.Trouble().Hosts) > 0:
		rest = append(rest, ink.PlainLine(say.HostAway(v.desk.Trouble().Hosts[0])[0]))
	}
	heads := v.lowerHeads(a.wide, room)
	if n := len(v.desk.Notices()); n > a.needed && !a.wide { // the agents that need the person have no rows on screen
		var more [][]ink.Line
		for _, words := range neededBriefly(n) {
			more = append(more, append(slices.Clone(heads[0]), ink.PlainLine(words)))
		}
		heads = append(more, heads...)
	}
	for _, head := range heads {
		if name = v.joinParts(append(head, rest...)...); name.Width() <= room {
			break
		}
	}
	return name
}

// neededBriefly says how many agents need the person in their own panes, in few words for a divider, longest form
// first.
func neededBriefly(n int) []string {
	if n == 1 {
		return []string{"1 needs you in its pane", "1 in its pane"}
	}
	return []string{fmt.Sprintf("%d agents need you in their panes", n), fmt.Sprintf("%d in their panes", n)}
}

// lowerHeads returns the ways to name the pending questions and to say whether chat is open all the same, longest
// first.
func (v *ground) lowerHeads(wide bool, room int) (heads [][]ink.Line) {
	count, narrowed := v.waits(), v.view.Find() != "" && !wide
	switch {
	case narrowed:
		count = v.rooms.list.Found(room)[0]
	case wide: // the line over the list says how many
		count = ""
	}
	for _, words := range v.rooms.chat.Lower() {
		heads = append(heads, []ink.Line{ink.PlainLine(count), ink.PlainLine(words)})
	}
	if narrowed {
		heads = append(heads, []ink.Line{ink.PlainLine(v.rooms.list.Found(room)[1])})
	}
	return heads
}

// dueNext precedes the time left of the next question.
const dueNext = "next "

// dueLine returns the time left of the next question with the word before it.
func dueLine(next ink.Span) ink.Line { return ink.Line{{Text: dueNext, Style: ink.Plain}, next} }

// nextLeft returns the time left of the question that ends next, apart from the one on view. It returns nothing if the
// queue shows that question, except in its last minute while the queue does not have the focus.
func (v *ground) nextLeft(a areas) ink.Span {
	for _, w := range v.desk.Waiting() {
		if w.ID == v.view.Up() {
			continue
		}
		left := v.timeLeft(*w.Session)
		calm := left.Style == ink.Plain || v.area == areaList // else it is said although the queue shows it
		if w.Standing != queue.StandingOpen || calm && v.rooms.list.Shows(w.ID, a.queue.H-a.needed, a.wide) {
			return ink.Span{}
		}
		return left
	}
	return ink.Span{}
}

// trouble returns the words for the worst present fault, longest form first, or nil. Faults that a key has caused are
// notices and not among them. The lower divider shows it and never the Enter line, which must always say what Enter
// does.
func (v *ground) trouble() []string {
	t := v.desk.Trouble()
	switch {
	case t.Queue != nil:
		return say.QueueUnread(t.Queue)
	case t.Broken != nil && v.aside.shown(v.desk.Now()):
		return []string{say.OneLine(say.SetAside(t.Broken.Name, t.Broken.Reason))}
	case t.Disk:
		return []string{say.DiskSilent}
	}
	for _, host := range t.Hosts { // before t.Draft, because drafts for a host that is away cannot be saved
		if host.Err != nil {
			return say.HostAway(host)
		}
	}
	if t.Draft != nil {
		return []string{say.DraftUnsaved(say.Cause(t.Draft))}
	}
	if forms := v.rooms.settings.Trouble(); len(forms) > 0 {
		return forms
	}
	if v.alerts.failed != "" {
		return []string{say.OneLine(v.alerts.failed)}
	}
	var aside []string
	if v.o.Aside > 0 {
		aside = say.LieAside(v.o.Aside)
	}
	here := v.elsewhere()
	if len(here) == 0 {
		return aside
	}
	return bothTroubles(here, aside, v.look.glyphs.Dot)
}

// bothTroubles returns the words for two faults on one line. Each fault comes with its forms, longest first. If both do
// not fit, only the first is shown, because the person can mend that one on this screen. dot separates them.
func bothTroubles(first, second []string, dot string) (forms []string) {
	for _, a := range first {
		for _, b := range second {
			forms = append(forms, a+" "+dot+" ! "+b)
		}
	}
	return append(forms, first...)
}

// elsewhere says where agents' questions are opened if not on this screen, longest form first; nil: they are opened
// here.
func (v *ground) elsewhere() []string {
	if v.o.Attach != "" {
		return nil
	}
	key := v.look.keys.KeyOf(action.PlaceQuestion, action.Settings)
	switch v.desk.Settings().Transport {
	case config.TransportTerminal:
		return notWaitedHere(key)
	case config.TransportWeb:
		return []string{"questions open in your browser" + say.Keyed(" (", key, ")"), "in your browser"}
	}
	return nil
}

// notWaitedHere says that agents do not wait for this screen while the setting transport is terminal, longest form
// first. key opens the settings; it may be empty.
func notWaitedHere(key string) []string {
	return []string{"agents do not wait here: transport is terminal" + say.Keyed(", ", key, " changes it"),
		"agents do not wait here" + say.Keyed(": ", key, ""), "transport"}
}

// troubleIn returns the fault as a part of a divider, in about w cells; empty if there is none.
func (v *ground) troubleIn(w int) string {
	forms := v.trouble()
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

// messageParts holds a message in the two parts in which it is shown.
type messageParts struct {
	divider string // in the lower divider
	keys    string // at the end of the line of the keys
}

// dividerEnds is the number of cells of a divider that its words leave free.
const dividerEnds = 5

// splitMessage divides the message between the lower divider and the line of the keys, at w cells. The words that do
// not fit into the divider continue in the line of the keys.
func (v *ground) splitMessage(w int) messageParts {
	now := v.desk.Now()
	words := say.OneLine(v.message.words(now))
	if words == "" && now.Before(v.message.said) && !v.dividerTellsAll() {
		words = ink.BriefLast(v.lastEvent(), w-dividerEnds, v.look.glyphs)
	}
	switch {
	case words == "":
		return messageParts{}
	case !v.dividerTakesMessage():
		return messageParts{keys: words}
	}
	lines := ink.Wrap(words, max(w-dividerEnds, 1))
	return messageParts{divider: lines[0], keys: strings.Join(lines[1:], " ")}
}

// dividerTakesMessage reports whether a message may be shown in the lower divider: the divider is on screen, and does
// not count down the seconds of an answer that is held back.
func (v *ground) dividerTakesMessage() bool {
	if v.view.Undoable() != nil {
		return false
	}
	if v.page != nil {
		return traitsOf[v.page.Place()].hasDivider
	}
	return !v.typesBelow() && !v.tooSmall()
}
