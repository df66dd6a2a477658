package say

import (
	"fmt"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

// Fixed words about a round, in which the person looks through similar approvals one by one before all are sent
// together.
const (
	RoundName    = "send as a batch"
	RoundLeft    = "nothing was sent; your choices are kept"
	RoundGone    = "that request is no longer pending"
	RoundLeave   = "leave the batch"
	RoundNothing = "no request was both marked and shown in full"
)

// RoundHint returns the words for the key that begins a round of n approvals.
func RoundHint(n int) action.Word {
	return action.Word{Long: fmt.Sprintf("look through %d similar", n), Short: fmt.Sprintf("%d alike", n)}
}

// RoundAt says which approval of a round is on view, longest form first. aside is the number of similar approvals with
// a warning mark, which are left out.
func RoundAt(n, of, aside int) []string {
	at := fmt.Sprintf("%d of %d similar", n, of)
	if aside == 0 {
		return []string{at + " · all are sent together at the end", at}
	}
	out := at + " · " + roundAside(aside)
	short := fmt.Sprintf("%s · %d left out", at, aside)
	return []string{out + " · all are sent together at the end", out, short, at}
}

// roundAside says how many similar approvals are left out because of a warning mark.
func roundAside(n int) string {
	if n == 1 {
		return "1 with a warning is left out"
	}
	return fmt.Sprintf("%d with a warning are left out", n)
}

// RoundEnter returns the Enter line on one approval of a round. next is the number of the next approval, or 0 if the
// list of all follows. unread is the number of lines of the approval that were not on screen yet. cut: the chosen
// option was not shown in full.
func RoundEnter(p form.Plan, next, of, unread int, cut bool, agent string, in Speech) Line {
	switch {
	case p.Step != form.StepSend:
		return Line{Pieces: in.effectPieces(p, form.FieldNone, agent)}
	case unread > 0:
		return Line{Pieces: []Piece{Fixed(notYet + Count(unread, "line") + " unread"),
			Nice(Keyed(" · ", in.Keys.KeyOf(action.PlaceApproval, action.PageDown), readsOn), "")}}
	case cut:
		shows, does := action.Full, " shows it"
		if in.Reading {
			shows, does = action.PageDown, readsOn
		}
		return Line{Pieces: []Piece{Fixed(notYet + "more to read"),
			Nice(Keyed(" · ", in.Keys.KeyOf(action.PlaceApproval, shows), does), "")}}
	}
	then := Nice(fmt.Sprintf(", go to %d of %d", next, of), fmt.Sprintf(", go to %d", next))
	if next == 0 {
		then = Nice(fmt.Sprintf(", review all %d before sending", of), fmt.Sprintf(", review all %d", of))
	}
	added := ""
	if texts := addedTexts(p); len(texts) > 0 {
		added = " + " + texts[0]
	}
	return Line{Pieces: []Piece{Fixed(in.Enter + " " + in.verb("mark “")), Named(p.Object), Fixed("”" + added), then}}
}

const readsOn = " reads on"

// RoundRow is an approval in the list at the end of a round: the request, and the answer or why it is left out.
type RoundRow struct {
	What, Answer string
	Sent         bool
}

// RoundRowOf returns the row of an approval. answer is nil if the person decided nothing; ended: the approval closed
// meanwhile.
func RoundRowOf(s queue.Session, answer *queue.Answer, ended bool) RoundRow {
	r := RoundRow{What: approvalOf(s.Ask), Answer: "not decided, left out"}
	switch {
	case ended:
		r.Answer = "ended meanwhile, left out"
	case answer != nil:
		r.Answer, r.Sent = s.Ask.Summary(*answer), true
	}
	return r
}

// approvalOf returns an approval on one line: its first part, and the number of further parts.
func approvalOf(a queue.Ask) string {
	if a.Approval == nil || len(a.Approval.Parts) == 0 {
		return Title(a)
	}
	first, _ := a.Approval.Parts[0].Shown()
	words := PartPlace(first)
	if words == "" {
		words = OneLine(first.Text)
	}
	if more := len(a.Approval.Parts) - 1; more > 0 {
		words += fmt.Sprintf(" + %d more", more)
	}
	return words
}

// RoundCounts counts the allowed and the refused approvals of a round.
func RoundCounts(c desk.RoundCounts) string {
	words := ""
	if c.Allowed > 0 {
		words = fmt.Sprintf("%d allowed", c.Allowed)
	}
	if c.Refused > 0 {
		if words != "" {
			words += ", "
		}
		words += fmt.Sprintf("%d refused", c.Refused)
	}
	return words
}

// RoundSends returns the Enter line below the list, where Enter sends all decided approvals.
func RoundSends(c desk.RoundCounts, in Speech) Line {
	back := in.Keys.KeyOf(action.PlaceRound, action.Back)
	if c.Sends() == 0 {
		return Line{Pieces: []Piece{Fixed(notYet), Nice(RoundNothing, "nothing is marked")}}.
			Behind(Tail{Keyed("", back, " leaves them"), ""})
	}
	l := Words(in.Enter + " " + in.verb("send ") + RoundCounts(c))
	l.Sends = true
	if c.LeftOut > 0 {
		l = l.Behind(Tail{fmt.Sprintf("%d left out", c.LeftOut)})
	}
	return l.Behind(Tail{Keyed("", back, " sends nothing"), ""})
}

// RoundNotes returns the notes below the list about approvals that are not in it: those with a warning mark (aside),
// and later arrivals.
func RoundNotes(aside, later int) (lines []string) {
	switch {
	case aside == 1:
		lines = append(lines, "1 more has a warning. It is not in this batch; answer it separately.")
	case aside > 1:
		lines = append(lines,
			fmt.Sprintf("%d more have a warning. They are not in this batch; answer them separately.", aside))
	}
	switch {
	case later == 1:
		lines = append(lines, "1 more has arrived, and is not included.")
	case later > 1:
		lines = append(lines, fmt.Sprintf("%d more have arrived, and are not included.", later))
	}
	return lines
}
