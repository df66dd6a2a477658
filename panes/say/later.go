package say

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

// Later says until when a question is set aside: "later 14:02". It is empty for a question that is not set aside.
func Later(s queue.Session) string {
	if s.LaterUntil == nil {
		return ""
	}
	return "later " + s.LaterUntil.Local().Format("15:04")
}

// laterWords translates the audit trail's detail of a question that was set aside (`until 2026-11-20T14:02:00Z,
// deadline +600s to 2026-11-20T14:08:00Z`). then is the time at which that was done.
func laterWords(detail string, then time.Time) string {
	if detail == "back" {
		return ": brought back"
	}
	aside, moved, _ := strings.Cut(strings.TrimPrefix(detail, "until "), ", deadline ")
	until, err := time.Parse(time.RFC3339, aside)
	if err != nil {
		return afterColon(detail)
	}
	words := ": until " + Stamp(until, then)
	if moved != "" {
		words += "; time limit" + movedWords(moved, then)
	}
	return words
}

// InsteadLabel returns the label of the field that opens if the person wants to type an answer to a question that takes
// only options: the words become the reason for cancelling it. fits reports whether there is room for a label.
func InsteadLabel(fits func(string) bool) string {
	for _, label := range []string{"this question accepts only its options; cancel and send this as the reason: ",
		"cancel and send this as the reason: ", "cancel with this reason: "} {
		if fits(label) {
			return label
		}
	}
	return "cancel because: "
}

// Paused returns the words that are shown in place of a question that is set aside, with the time when it is back,
// longest form first.
func Paused(until time.Time, in Speech) []string {
	back := "later, back at " + until.Local().Format("15:04")
	enter := back + " · " + in.EnterName()
	return []string{enter + " brings it back now", enter + ": now", back}
}

// setsAside describes the Enter that sets a question aside. givesUp is the time at which its agent stops waiting, if
// the question comes back because of that, else zero.
func setsAside(until, givesUp time.Time, agent string, in Speech) Line {
	l := Words(in.Enter + " " + in.verb("set it aside until ") + until.Local().Format("15:04"))
	if !givesUp.IsZero() {
		at := givesUp.Local().Format("15:04")
		l = l.Behind(Tail{agent + " waits until " + at, "it waits until " + at})
	}
	return l
}

// wantsDetail describes the Enter that asks for more detail.
func (in Speech) wantsDetail(p form.Plan, agent string) []Piece {
	if _, gone := p.Has(form.PieceGone); gone {
		return []Piece{Fixed(in.Enter + " " + in.verb("end it; ")), Named(agent), Fixed(" disconnected")}
	}
	pieces := []Piece{Fixed(in.Enter + " " + in.verb("ask ")), Named(agent), Fixed(" for more detail")}
	if all, ok := p.Has(form.PieceEndsAll); ok {
		ends := fmt.Sprintf("; ends all %d", all.N)
		if all.N == 2 {
			ends = "; ends both"
		}
		pieces = append(pieces, Fixed(ends), Nice(" questions", ""))
	}
	return pieces
}

// Postponed says that an answer is held back so that the person can undo it, how many seconds are left, and which key
// takes it back. summary is the answer in words.
func Postponed(summary string, left time.Duration, in Speech) Line {
	return Line{Pieces: []Piece{Fixed("sends "), Named(summary),
		Fixed(fmt.Sprintf(" in %d s", secondsLeft(left))), in.takeBackPiece()}}
}

// SendsNow describes the Enter that sends at once an answer that is held back.
func SendsNow(what string, in Speech) Line {
	pieces := []Piece{Fixed(in.Enter + " " + in.verb("send ")), Named(what), Fixed(" now"), in.takeBackPiece()}
	return Line{Pieces: pieces, Sends: true}
}

// takeBackPiece names the key that takes back an answer.
func (in Speech) takeBackPiece() Piece {
	key := in.Key(action.UndoLast)
	return Nice(Keyed(" · ", key, " takes it back"), Keyed(" · ", key, " back"))
}

// notLater explains why a question cannot be set aside.
func notLater(err error, f Frontend) string {
	switch {
	case errors.Is(err, queue.ErrLaterApproval):
		return f.sentence("an approval cannot be set aside, because its agent is waiting for your decision")
	case errors.Is(err, queue.ErrLaterCall):
		return f.sentence("it cannot be set aside, because its agent does not wait much longer; answer it now")
	case errors.Is(err, queue.ErrLaterStopped):
		return clockStill(queue.Session{}, f)
	}
	return f.sentence(NotSetAside(err))
}

// NotSetAside tells that the store did not set a question aside.
func NotSetAside(err error) string { return "not set aside: " + OneLine(err.Error()) }
