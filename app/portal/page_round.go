package portal

import (
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// mostOfRow is the longest description of an approval in the review, in characters. It may be cut, because the person
// has seen all of it before.
const mostOfRow = 160

// roundReview returns the review of the view's round.
func (p *page) roundReview(in say.Speech) *roundView {
	round := p.view.Round
	list := round.Entries()
	counts := desk.CountRound(list)
	made := &roundView{Name: say.Capital(say.RoundName), Agent: p.pages.desk.Name(p.last.Origin),
		Notes: say.RoundNotes(round.Aside(), round.Later()), Waits: counts.Sends() == 0,
		Line: say.RoundSends(counts, in).In("·"), LeaveIt: say.Capital(say.RoundLeave)}
	for i, e := range list {
		row := roundRow{N: i + 1, Key: in.Keys.KeyFor(action.PlaceRound, action.ChangeOne, i+1), Ended: e.Ended,
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
func (p *page) sendRound() {
	if desk.CountRound(p.view.Round.Entries()).Sends() == 0 {
		p.message = say.RoundNothing
		return
	}
	p.message = "sent: " + say.RoundCounts(desk.CountRound(p.view.Round.Send()))
}

// backToOne goes back to the n-th approval of the round.
func (p *page) backToOne(n int) {
	if !p.view.Round.GoTo(n) {
		p.message = say.RoundGone
	}
}
