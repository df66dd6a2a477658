package question

import (
	"fmt"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

const (
	mostTitle = 3 // rows of a title
	leastGap  = 3 // cells between a title and the text beside it
)

// heading draws the rows over the prompt: the title, the tabs of several questions, and notices.
type heading struct{ v *display }

// headingLine is one line of the heading.
type headingLine struct {
	text  string
	kind  headKind
	marks string // those of an approval, behind its title
}

// headKind says what a line of the heading is.
type headKind int

const (
	headTitle headKind = iota
	headTabs
	headWords  // about the rows below
	headNotice // what must be read
	headEnded  // how a person ended the question, or who of the team was asked: no warning
	headTeam   // where the team discusses the question
	headTag    // the grey marks of an approval
	headHint   // what the agent says about asking the team
)

// style returns the style in which a line of this kind is drawn.
func (k headKind) style() ink.Style {
	switch k {
	case headTabs, headWords, headTeam:
		return ink.Plain
	case headNotice:
		return ink.Warn
	case headEnded:
		return ink.Bold
	case headHint, headTag:
		return ink.Dim
	default:
		return ink.Title
	}
}

// isNotice reports whether a line of this kind is one of the notices under the title.
func (k headKind) isNotice() bool {
	return k == headNotice || k == headEnded || k == headTeam || k == headTag
}

// wholeLines returns the title, the tabs, the notices and the hints.
func (h heading) wholeLines(w int) []headingLine { return h.lines(w, false) }

// tightLines returns the title, the tabs and the notices in one line each, so that three options always stay on screen.
// The hints are shown with the text alone then.
func (h heading) tightLines(w int) []headingLine { return h.lines(w, true) }

// lines returns the tightLines or the wholeLines.
func (h heading) lines(w int, tight bool) []headingLine {
	title, notices := h.title(w), h.notices(w)
	if tight {
		title = []string{ink.Cut(h.titleWords(), w-1, h.v.glyphs.Ellipsis)}
		faults := 0
		if h.v.teamFault != nil {
			faults = len(h.faults(w - 1))
		}
		if len(notices) > faults+1 {
			notices = append(notices[:faults:faults], h.oneNotice(w-1))
		}
	}
	if form.TabsSayTitle(h.v.form) {
		title = nil
	}
	var lines []headingLine
	if h.v.closedBefore != "" {
		lines = append(lines, headingLine{text: ink.Cut(h.v.closedBefore, w-1, h.v.glyphs.Ellipsis), kind: headHint})
	}
	marks := h.marksBeside(w)
	for _, l := range title {
		lines = append(lines, headingLine{text: l, kind: headTitle, marks: marks})
	}
	if h.v.form.Several() {
		lines = append(lines, headingLine{text: h.tabs(w-1, ink.Plain).String(), kind: headTabs})
	}
	lines = append(lines, notices...)
	if !tight {
		lines = append(lines, h.hints(w)...)
	}
	if h.v.q().Narrowed() != "" {
		if words := h.filterWords(); words != "" {
			lines = append(lines, headingLine{text: ink.Cut(words, w-1, h.v.glyphs.Ellipsis), kind: headWords})
		}
	}
	return lines
}

// hints returns the agent's hints about asking the team, in at most as many rows as a title may have.
func (h heading) hints(w int) (lines []headingLine) {
	if h.v.form.Reviewing() {
		return nil
	}
	said := ink.Wrap(say.OneLine(strings.Join(form.Hints(h.v.form), " ")), max(w-1, 1))
	if len(said) > mostTitle {
		said = append(said[:mostTitle-1], ink.Cut(strings.Join(said[mostTitle-1:], " "), w-1, h.v.glyphs.Ellipsis))
	}
	for _, l := range said {
		if l != "" {
			lines = append(lines, headingLine{text: l, kind: headHint})
		}
	}
	return lines
}

// filterWords says by which words the options are filtered; empty: the words are being typed.
func (h heading) filterWords() string {
	q := h.v.q()
	if h.v.form.Reviewing() || h.v.types(form.FieldFind) {
		return ""
	}
	dot := " " + h.v.glyphs.Dot + " "
	return fmt.Sprintf(" /%s%s%d of %d options%s", say.OneLine(q.Narrowed()), dot, q.OptionRows(), len(q.Options),
		say.Keyed(dot, h.v.key(action.Back), " shows all"))
}

// titleWords returns the title as it is shown.
func (h heading) titleWords() string { return say.ApprovalTitle(h.v.session.Ask) }

// marksBeside returns the marks of an approval if they fit behind a title of one row, in w cells. If they do not, it
// returns nothing, and they are shown as a notice.
func (h heading) marksBeside(w int) string {
	marks := marksOf(h.v.session.Ask.Approval)
	if marks == "" || ink.Width(h.titleWords()+"  "+marks) >= w || form.TabsSayTitle(h.v.form) {
		return ""
	}
	return marks
}

// title returns the title in at most mostTitle lines of w cells.
func (h heading) title(w int) []string {
	lines := ink.Wrap(h.titleWords(), max(w-1, 1))
	if len(lines) > mostTitle {
		rest := strings.Join(lines[mostTitle-1:], " ")
		lines = append(lines[:mostTitle-1], ink.Cut(rest, w-1, h.v.glyphs.Ellipsis))
	}
	return lines
}

// isCut reports whether the screen shows less than all of the title.
func (h heading) isCut(w int, tight bool) bool {
	if form.TabsSayTitle(h.v.form) {
		return false
	}
	n := len(ink.Wrap(h.titleWords(), max(w-1, 1)))
	return n > mostTitle || tight && n > 1
}

// tabs returns the names of all questions of the form in w cells, the open one in the given style. If they do not fit,
// it returns the open one with its number, and how many are answered.
func (h heading) tabs(w int, open ink.Style) ink.Line {
	g, f := h.v.glyphs, h.v.form
	all := ink.PlainLine(" ")
	most := h.mostName(w)
	for i := range f.Len() {
		all = append(all, h.tab(i, most, open)...)
		all = append(all, ink.PlainLine("   ")...)
	}
	review := ink.PlainLine("  review")
	if f.Reviewing() {
		review = ink.Line{{Text: g.Cursor + " review", Style: open}}
	}
	if all = append(all, review...); all.Width() <= w {
		return all
	}
	words, name := fmt.Sprintf("%s review of %d", g.Cursor, f.Len()), ""
	if !f.Reviewing() {
		words = fmt.Sprintf("%s %d of %d: ", g.Cursor, f.At()+1, f.Len())
		name = h.v.nameWithin(f.At(), w)
	}
	room := w - 1 - ink.Width(words)
	answered := " " + g.Dot + " " + ink.Longest(say.FormAnswered(f, g.Done), room-3-min(ink.Width(name), leastName))
	words += ink.Cut(name, room-ink.Width(answered), g.Ellipsis)
	return ink.Line{{Text: " ", Style: ink.Plain}, {Text: words, Style: open}, {Text: answered, Style: ink.Plain}}.
		Cut(w, g.Ellipsis)
}

// leastName is the least width of a question's name beside the number of answered ones, in cells.
const leastName = 8

// mostName returns how many cells each name in the tabs may take so that all fit w cells, but at least shortName.
func (h heading) mostName(w int) int {
	n := h.v.form.Len()
	room := w - ink.Width("   review") - n*ink.Width("  "+"   ")
	widths := make([]int, n)
	for i := range widths {
		widths[i] = ink.Width(h.v.nameWithin(i, w))
	}
	slices.Sort(widths)
	for i, width := range widths { // the shortest names leave their room to the others
		if share := room / (n - i); width > share {
			return max(share, shortName)
		}
		room -= width
	}
	return max(w, shortName)
}

// tab returns the name of a question, in at most the given cells, behind a sign for open or answered.
func (h heading) tab(i, most int, open ink.Style) ink.Line {
	name := h.v.nameWithin(i, most)
	switch {
	case i == h.v.form.At():
		return ink.Line{{Text: h.v.glyphs.Cursor + " " + name, Style: open}}
	case h.v.form.Question(i).Taken():
		return ink.Line{{Text: h.v.glyphs.Done, Style: ink.Good}, {Text: " " + name, Style: ink.Plain}}
	}
	return ink.PlainLine("  " + name)
}

// draw draws a line of the heading into w cells.
func (h heading) draw(c ink.Canvas, x, w int, l placedLine) {
	if l.kind == headTabs {
		c.PutLine(x, l.y, w, h.tabs(w, ink.Tab))
		return
	}
	used := l.in + c.Put(x+l.in, l.y, w-l.in, l.kind.style(), l.text)
	if l.marks != "" {
		c.Put(x+used+2, l.y, w-used-2, markStyle(l.marks), l.marks)
	}
}

// countsBeside returns the words about how many options to mark, at the right end of the title's last row of w cells.
// They are shown there if they have no row of their own. Without room the line is empty.
func (h heading) countsBeside(placed []placedLine, w int) placedLine {
	words, at := h.v.markingWords(), -1
	for i, l := range placed {
		if l.kind == headTitle {
			at = i
		}
	}
	if words == "" || at < 0 {
		return placedLine{}
	}
	in := w - ink.Width(words)
	if in < ink.Width(placed[at].text+"  "+placed[at].marks)+leastGap {
		return placedLine{}
	}
	return placedLine{y: placed[at].y, in: in, headingLine: headingLine{text: words, kind: headWords}}
}

// notices returns the lines under the title about what is special: the question has ended, it has hidden characters,
// the team was asked, and so on.
func (h heading) notices(w int) []headingLine {
	var lines []headingLine
	if h.v.teamFault != nil {
		lines = h.faults(w - 1)
	}
	if h.v.withTeam || h.v.askingTeam {
		lines = append(lines, h.teamLines(w-1)...)
	}
	if h.v.meantFor != "" {
		lines = append(lines, headingLine{text: ink.Cut(h.v.meantFor, w-1, h.v.glyphs.Ellipsis), kind: headWords})
	}
	if h.v.over() {
		for _, l := range h.overNotice(w - 1) {
			lines = append(lines, headingLine{text: l, kind: h.endedKind()})
		}
	}
	if marks := marksOf(h.v.session.Ask.Approval); marks != "" && h.marksBeside(w) == "" {
		kind := headNotice
		if markStyle(marks) == ink.Dim {
			kind = headTag
		}
		for _, l := range ink.Wrap(marks, w-1) {
			lines = append(lines, headingLine{text: l, kind: kind})
		}
	}
	if h.v.hasHidden {
		for _, l := range ink.Wrap("! "+say.HiddenCharacters, w-1) {
			lines = append(lines, headingLine{text: l, kind: headNotice})
		}
	}
	return lines
}

// oneNotice returns one line of w cells in place of all notices.
func (h heading) oneNotice(w int) headingLine {
	if h.v.over() {
		kind := h.endedKind()
		if h.v.hasHidden {
			kind = headNotice
		}
		return headingLine{text: h.overLine(w), kind: kind}
	}
	if h.v.withTeam {
		return h.teamInOneLine(w)
	}
	a := h.v.session.Ask.Approval
	if h.marksBeside(w+1) != "" { // they are already shown, beside the title
		a = nil
	}
	words := ink.Longest(warnings(a, h.v.hasHidden), w)
	return headingLine{text: ink.Cut(words, w, h.v.glyphs.Ellipsis), kind: headNotice}
}

// warnings returns the warnings of an ask in one line, longest form first: why an approval is marked, and that it
// contains hidden characters.
func warnings(a *queue.Approval, odd bool) []string {
	forms := make([]string, 3)
	add := func(words ...string) {
		for i := range forms {
			forms[i] = strings.TrimSpace(forms[i] + " " + words[i])
		}
	}
	marked, hidden := marksOf(a), "! "+say.HiddenCharacters
	if marked != "" {
		add(marked, marked, marked)
	}
	switch {
	case odd && marked != "":
		add(hidden, hidden, "! <U+…>")
	case odd:
		add(hidden, hidden, hidden)
	}
	return forms
}

// endedKind returns the kind of the notice that a question has ended: a warning, unless a person or one of their
// permission rules ended it.
func (h heading) endedKind() headKind {
	if h.v.tooLate != "" || h.v.session.Outcome.Ending().Warns {
		return headNotice
	}
	return headEnded
}

// endedMark returns the sign in front of the notice that a question has ended.
func (h heading) endedMark() string {
	if h.endedKind() == headEnded {
		return ""
	}
	return "! "
}

// overNotice says how the question ended, and that typed text is kept, in lines of w cells.
func (h heading) overNotice(w int) []string {
	o := say.OverOf(h.v.session, say.OnScreen)
	words := h.endedMark() + o.Head + o.What
	if o.How != "" {
		words += " " + h.v.glyphs.Dot + " " + o.How
	}
	lines, below := ink.Wrap(words, w), strings.Repeat(" ", len(h.endedMark()))
	if h.v.tooLate != "" {
		for _, l := range ink.Wrap(h.v.tooLate, w-len(below)) {
			lines = append(lines, below+l)
		}
	}
	if !h.v.unsent() {
		return lines
	}
	copies := say.Keyed("; press ", h.v.keys.KeyOf(action.PlaceOver, action.Copy), " to copy it")
	kept := []string{below + "Your text is saved" + copies, below + "Your text is saved"}
	if h.v.tooLate == "" {
		kept = append([]string{below + "Your text was not sent. It is saved" + copies + "."}, kept...)
	}
	return append(lines, ink.Longest(kept, w))
}

// overLine says in one line how the question ended and that typed text is kept. If there is too little room, the answer
// is cut first.
func (h heading) overLine(w int) string {
	o := say.OverOf(h.v.session, say.OnScreen)
	l := say.Line{Pieces: []say.Piece{say.Fixed(h.endedMark() + o.Head), say.Named(o.What)}}
	if h.v.tooLate != "" {
		l = l.Behind(say.Tail{"yours came too late", "too late"})
	}
	if h.v.unsent() {
		l = l.Behind(say.Tail{"your text is kept", "text kept", "kept"})
	}
	if h.v.hasHidden {
		l = l.Behind(say.Tail{"! " + say.HiddenCharacters, "! hidden characters", "! <U+…>"})
	}
	return ink.Fit(l.Behind(say.Tail{o.How, ""}), w, h.v.glyphs)
}

// markNames names the marks of queue.Approval in a word or two.
var markNames = map[string]string{
	queue.MarkDestroys: "destructive",
	queue.MarkRights:   "rights or keys",
	queue.MarkSends:    "sends or deploys",
	queue.MarkRuns:     "runs unseen code",
	queue.MarkOutside:  "outside the project",
	queue.MarkReads:    "outside",
	queue.MarkNetwork:  "network",
}

// marksOf names the marks of an approval: `! Destructive · network`, or grey ones alone: `network`. It is empty for an
// approval without marks.
func marksOf(a *queue.Approval) string {
	if a == nil || len(a.Marks) == 0 {
		return ""
	}
	var list []string
	for _, m := range a.Marks {
		list = append(list, markNames[m])
	}
	words := strings.Join(list, " · ")
	if len(a.Red()) == 0 {
		return words
	}
	return red + say.Capital(words)
}

// red is in front of red marks.
const red = "! "

// markStyle returns the style of what marksOf returned.
func markStyle(marks string) ink.Style {
	if strings.HasPrefix(marks, red) {
		return ink.Warn
	}
	return ink.Dim
}
