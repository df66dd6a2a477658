package portal

import (
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// roundView shows the review of a round. In a round the person looks through similar approvals one by one; the review
// lists them before they are sent together. See desk.Round.
type roundView struct {
	Agent   string
	Rows    []roundRow
	Notes   []string
	Name    string
	Waits   bool
	Line    string
	LeaveIt string
}

// mostOfRow is the longest description of an approval in the review, in characters. It may be cut, because the person
// has seen all of it before.
const mostOfRow = 160

type roundRow struct {
	N     int
	Key   string
	Ended bool
	say.RoundRow
}

// roundReview returns the review of the view's round.
func (g *page) roundReview() roundView {
	round := g.view.Round
	list := round.Entries()
	counts := desk.CountRound(list)
	made := roundView{Name: say.Capital(say.RoundName), Agent: g.all.d.Name(g.last.Origin),
		Notes: say.RoundNotes(round.Aside(), round.Later()), Waits: counts.Sends() == 0,
		Line: say.RoundSends(counts, g.speech()).In("·"), LeaveIt: say.Capital(say.RoundLeave)}
	for i, e := range list {
		row := roundRow{N: i + 1, Key: g.shownKeys().KeyFor(action.PlaceRound, action.ChangeOne, i+1), Ended: e.Ended,
			RoundRow: say.RoundRowOf(e.Session, nil, e.Ended)}
		if e.Counts {
			row.RoundRow = say.RoundRowOf(e.Session, &e.Answer, e.Ended)
		}
		row.What = say.Short(row.What, mostOfRow)
		made.Rows = append(made.Rows, row)
	}
	return made
}

// sendRound sends the answers to all approvals of the round that the person marked after seeing them in full.
func (g *page) sendRound() {
	if desk.CountRound(g.view.Round.Entries()).Sends() == 0 {
		g.notice = say.RoundNothing
		return
	}
	g.notice = "sent: " + say.RoundCounts(desk.CountRound(g.view.Round.Send()))
}

// backToOne goes back to the n-th approval of the round.
func (g *page) backToOne(n int) {
	if !g.view.Round.GoTo(n) {
		g.notice = say.RoundGone
	}
}

// roundFooter adapts the bar below an approval to a round, in which the person marks similar approvals one by one and
// sends them together. There Enter only keeps the mark and shows the next approval. in is false if the approval on view
// is not part of a round.
func (g *page) roundFooter(made *footerView) (line say.Line, in bool) {
	round, f := g.view.Round, g.form()
	n, of := round.At()
	if n == 0 || f == nil || !g.session().Pending() {
		return line, false
	}
	made.Round = "Leave the batch"
	speech := g.speech()
	return say.RoundEnter(g.plan(f), round.Next(), of, g.linesUnread(), false, g.agent(), speech), true
}
