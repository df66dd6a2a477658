package screen

import (
	"time"

	"github.com/choicetui/choicetui/panes/say"
)

// saidFor limits how long the line of the keys tells of an answer that was just sent, if the rule has no room for it.
const saidFor = 3 * time.Second

// A notice is shown for noticeFor at least; a long one is shown longer, by readRune a character.
const (
	noticeFor = 4 * time.Second
	readRune  = 40 * time.Millisecond
)

// notice holds the screen's message about the last key. It is shown in the rule over the foot, or at the end of the
// line of the keys if that rule is not on screen. It never covers the words about Enter, and disappears after a while.
type notice struct {
	message string    // until the next key, or until its time is over
	ofStart bool      // the message is about the terminal, so a question that comes up does not clear it
	until   time.Time // when the message disappears
	aside   say.Tail  // behind the Enter line until the next key
	said    time.Time // until when the line of the keys says what was just sent, where the rule has no room
	leaving time.Time // when the key that quits was pressed for the first time; zero: not yet
}

// unleave forgets the first press of the key that quits, and the words about a second press.
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

// asideFor limits how long the rule says that a file was set aside, if no key comes: nobody can do anything about it
// here.
const asideFor = time.Minute

// asideSaid makes the rule say that a file of the queue was set aside. The zero value says nothing.
type asideSaid struct{ since time.Time }

// begin makes the rule say so from now on.
func (a *asideSaid) begin(now time.Time) { a.since = now }

// read ends these words at a key, if the person has had noticeFor to read them.
func (a *asideSaid) read(now time.Time) {
	if now.Sub(a.since) >= noticeFor {
		a.since = time.Time{}
	}
}

// shown reports whether the rule says so now.
func (a asideSaid) shown(now time.Time) bool { return now.Before(a.since.Add(asideFor)) }

// next returns when these words disappear; zero: they are not shown.
func (a asideSaid) next(now time.Time) time.Time {
	if !a.shown(now) {
		return time.Time{}
	}
	return a.since.Add(asideFor)
}
