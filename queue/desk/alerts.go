package desk

import (
	"time"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
)

// Alerts tells a person who looks elsewhere that a question waits, and again when its time is nearly up; see package
// notify. It belongs to one goroutine, and never waits for what it starts.
type Alerts interface {
	// See takes the queue in its order, and returns what is new since the last call: questions that arrived, and those
	// whose deadline is less than warn away.
	See(waiting []queue.Waiting, warn time.Duration, now time.Time) (asked, ending []queue.Session)
	// Next returns when See will have something to return without any change of the queue; zero: never.
	Next() time.Time
	// Away reports whether the person looks elsewhere: as the terminal says of its focus, if that is known, else by
	// when something was last typed.
	Away(focused, known bool, typed, now time.Time) bool
	// Tell tells of what See returned, as the settings want it; name is what an agent is called.
	Tell(asked, ending []queue.Session, n config.Notify, name func(queue.Origin) string, now time.Time)
}

// AlertWays hold the ways in which a face's terminal reaches the person.
type AlertWays struct {
	Own    string                      // the session of a hand-off form; empty: the whole queue
	Bell   func() error                // rings; nil: it cannot
	Write  func(sequence string) error // sends a sequence to the terminal; nil: no terminal can show a notification
	Start  func(func())                // runs a function on a goroutine; nil: go
	Do     func(func())                // runs a function where the face is at home; nil: at once
	Failed func(error)                 // told why nothing was shown, on another goroutine
}
