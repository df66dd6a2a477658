package screen

import (
	"slices"
	"strings"
	"time"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
)

// saidFor is the time for which the line of the keys tells what was just sent, if the rule has no room for it.
const saidFor = 3 * time.Second

// noticeFor is the time for which a notice is shown at least; a long one is shown longer, by readRune a character.
const (
	noticeFor = 4 * time.Second
	readRune  = 40 * time.Millisecond
)

// notice holds the screen's message about the last key. It is shown in the rule over the foot, or at the end of the
// line of the keys if that rule is not on screen. It never covers the words about Enter, and disappears after a while.
type notice struct {
	message string    // until the next key, or until it has stood long enough
	ofStart bool      // it is of the terminal, and a question that comes up leaves it there
	until   time.Time // when that is
	aside   say.Tail  // behind the Enter line until the next key
	said    time.Time // until when what was just sent is said, where the rule has no room
	leaving time.Time // when the key that quits was pressed first; zero: it was not
}

// clear takes away what the last key has caused.
func (n *notice) clear() { *n = notice{leaving: n.leaving} }

// unleave takes back that the key that quits was pressed, and what was said of its second press.
func (n *notice) unleave() {
	if !n.leaving.IsZero() {
		n.message, n.leaving = "", time.Time{}
	}
}

// put shows words from now on.
func (n *notice) put(words string, now time.Time) {
	n.message, n.ofStart = words, false
	n.until = now.Add(max(noticeFor, time.Duration(len(words))*readRune)).Truncate(time.Second)
}

// words returns the present message.
func (n *notice) words(now time.Time) string {
	if !now.Before(n.until) {
		return ""
	}
	return n.message
}

// next returns when the notice will change without a key; zero: it will not.
func (n *notice) next(now time.Time) time.Time {
	if n.words(now) != "" {
		return n.until
	}
	if n.said.After(now) {
		return n.said
	}
	return time.Time{}
}

// asideFor is the time for which the rule says that a file was set aside, if no key comes: nobody can do anything about
// it here.
const asideFor = time.Minute

// asideSaid is since when the rule says that a file of the queue was set aside. The zero value says nothing.
type asideSaid struct{ since time.Time }

// begin has the rule say so from now on.
func (a *asideSaid) begin(now time.Time) { a.since = now }

// read takes it away at a key of a person who has had the time to read it.
func (a *asideSaid) read(now time.Time) {
	if now.Sub(a.since) >= noticeFor {
		a.since = time.Time{}
	}
}

// stands reports whether the rule says so now.
func (a asideSaid) stands(now time.Time) bool { return now.Before(a.since.Add(asideFor)) }

// next returns when these words disappear; zero: they are not shown.
func (a asideSaid) next(now time.Time) time.Time {
	if !a.stands(now) {
		return time.Time{}
	}
	return a.since.Add(asideFor)
}

// parted holds a notice in the two parts in which it is shown.
type parted struct {
	rule string // in the rule over the foot
	keys string // at the end of the line of the keys
}

// ruleEnds are the cells of a rule that its words leave free.
const ruleEnds = 5

// noticed divides the notice between rule and foot, at w cells. The part that the rule cannot hold is continued in the
// foot.
func (r rules) noticed(w int) parted {
	now := r.s.desk.Now()
	words := say.OneLine(r.s.notice.words(now))
	if words == "" && now.Before(r.s.notice.said) && !r.told() {
		words = ink.BriefLast(r.s.lastEvent(), w-ruleEnds, r.s.look.glyphs)
	}
	switch {
	case words == "":
		return parted{}
	case !r.ruled():
		return parted{keys: words}
	}
	lines := ink.Wrap(words, max(w-ruleEnds, 1))
	return parted{rule: lines[0], keys: strings.Join(lines[1:], " ")}
}

// ruled reports whether the rule over the foot is on screen, and free: the seconds of a held answer stay there.
func (r rules) ruled() bool {
	if r.s.seat.Undoable() != nil {
		return false
	}
	if page := r.s.frame.page(); page != nil {
		return traitsOf[page.Place()].ruled
	}
	w := r.s.frame.waiting
	typed := r.s.line.Open() || r.s.rooms.list.Typing() || r.s.rooms.question.Asks() || r.s.rooms.team.Asks()
	return !typed && !w.tooSmall()
}

// drawKeys draws the line of the keys: what must not leave it, the notice at its end, and as many keys as fit.
func (f foot) drawKeys(c ink.Canvas, r ink.Rect, hints []ink.Hint) {
	words := rules(f).noticed(r.W).keys
	if words == "" {
		c.PutLine(r.X, r.Y, r.W, ink.HintLine(hints, r.W))
		return
	}
	stay := slices.DeleteFunc(slices.Clone(hints), func(h ink.Hint) bool { return h.Rank > 0 })
	least := 0
	if least = ink.JoinHints(stay).Width(); least > 0 {
		least += 2
	}
	words = ink.Cut(words, max(r.W-least, r.W/2), c.Glyphs.Ellipsis)
	if room := r.W - ink.Width(words) - 2; room > 0 {
		c.PutLine(r.X, r.Y, room, ink.HintLine(hints, room).Cut(room, c.Glyphs.Ellipsis))
	}
	c.PutLineRight(r.X, r.Y, r.W, ink.Line{{Text: words, Style: ink.Bold}})
}
