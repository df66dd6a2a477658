package screen

import (
	"time"
)

// saidFor is how long the line of the keys says which answer was just sent, if the lower divider has no room for that.
const saidFor = 3 * time.Second

// A message is shown for messageFor at least; a long one is shown longer, by readRune a character.
const (
	messageFor = 4 * time.Second
	readRune   = 40 * time.Millisecond
)

// message holds the screen's message about the last key. It is shown in the lower divider (the line with words over the
// footer), or at the end of the line of the keys if the lower divider is not on screen. It never covers the Enter line,
// and disappears after a while.
type message struct {
	text    string    // until the next key, or until its time is over
	ofStart bool      // the message is about the terminal, so a question that comes up does not clear it
	until   time.Time // when the message disappears
	said    time.Time // until when the line of the keys says what was just sent, if the lower divider has no room
	leaving time.Time // when the key that quits was pressed for the first time; zero: not yet
}

// forgetLeaving forgets the first press of the key that quits, and the message that asks for the second.
func (n *message) forgetLeaving() {
	if !n.leaving.IsZero() {
		n.text, n.leaving = "", time.Time{}
	}
}

// showWords shows words from now on, for a while.
func (n *message) showWords(words string, now time.Time) {
	n.text, n.ofStart = words, false
	n.until = now.Add(max(messageFor, time.Duration(len(words))*readRune)).Truncate(time.Second)
}

// words returns the present message.
func (n *message) words(now time.Time) string {
	if !now.Before(n.until) {
		return ""
	}
	return n.text
}

// nextChange returns when the message will change without a key; zero: it will not.
func (n *message) nextChange(now time.Time) time.Time {
	if n.words(now) != "" {
		return n.until
	}
	if n.said.After(now) {
		return n.said
	}
	return time.Time{}
}

// showPasting shows that a paste takes long, or that it is over. No key but Ctrl-C does anything until then. If its end
// got lost, it is over after a second of silence.
func (s *Screen) showPasting(takesLong bool) {
	words := "pasting" + s.look.glyphs.Ellipsis + " (^C ends it)"
	switch {
	case takesLong:
		s.Say(words)
		s.message.until = s.desk.Now().Add(time.Hour)
	case s.message.text == words:
		s.message.text = ""
	}
}

// asideFor is how long the lower divider says that a file of the queue was set aside because it cannot be read, if no
// key comes. It does not stay, because the person cannot do anything about it on this screen.
const asideFor = time.Minute

// asideSaid decides for how long the lower divider says that a file of the queue was set aside. With the zero value it
// does not say so.
type asideSaid struct{ since time.Time }

// showFrom makes the lower divider say from now on that a file was set aside.
func (a *asideSaid) showFrom(now time.Time) { a.since = now }

// endIfRead removes the words about the file when a key is pressed, if they were on screen for at least messageFor.
func (a *asideSaid) endIfRead(now time.Time) {
	if now.Sub(a.since) >= messageFor {
		a.since = time.Time{}
	}
}

// shown reports whether the lower divider now says that a file was set aside.
func (a asideSaid) shown(now time.Time) bool { return now.Before(a.since.Add(asideFor)) }

// nextChange returns when the words about the file disappear; zero: they are not shown.
func (a asideSaid) nextChange(now time.Time) time.Time {
	if !a.shown(now) {
		return time.Time{}
	}
	return a.since.Add(asideFor)
}
