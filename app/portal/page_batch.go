package portal

import (
	"strings"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// batch returns the list of approvals that are alike, as the page shows it. A long request is decided on its own,
// because the list does not show all of it.
func (p *page) batch(in say.Speech) *batchView {
	b := p.view.Batch
	rows, marked := b.Rows(), len(b.Marked())
	made := &batchView{ID: p.batchID(), Agent: p.pages.desk.Name(p.last.Origin), Title: say.BatchTitle(rows),
		Later: say.BatchLater(b.Later()), Waits: marked == 0, All: in.Keys.KeyOf(action.PlaceBatch, action.Allow)}
	says := p.view.Guard.Says(p.pages.desk.Now())
	line := say.BatchLine(marked, in)
	if unread := p.linesUnread(); unread > 0 {
		line = say.BatchUnread(unread)
	}
	if why := say.NotYet(says.NotTaken, says.Why, says.Before, says.Again, in); len(why.Pieces) > 0 {
		line = why
	}
	made.Line = strings.TrimPrefix(line.In("·"), in.Enter+" ")
	at, _ := b.Cursor()
	for i, r := range rows {
		text, more := say.BatchText(r, false)
		made.Rows = append(made.Rows, batchRow{N: i + 1, Text: strings.Join(text, "\n"), Marked: r.Marked,
			Note: say.BatchNote(r, more, say.BatchAlone), Cursor: i == at, Locked: more > 0 || r.Closed()})
	}
	return made
}

// batchID returns the id of the element with the list. Each list that opens has another one.
func (p *page) batchID() string { return "batch-" + itoa(p.batches) }

// noteBatchSeen tells the batch which of its requests were on screen in full, once all of the list was.
func (p *page) noteBatchSeen() {
	for _, r := range p.view.Batch.Rows() {
		if _, more := say.BatchText(r, false); more == 0 {
			p.view.Batch.Saw(r.Session.ID)
		}
	}
}
