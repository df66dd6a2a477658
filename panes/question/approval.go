package question

import (
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/reading"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/form"
)

// isApproval reports whether the ask is an approval: what is read comes first then, and does not give way to options.
func isApproval(v *view) bool { return v.session.Ask.Kind == queue.KindApproval }

// points reports whether the cursor is on this row of the options.
func points(v *view, row int) bool { return row == v.q().Cursor() && (v.over() || v.q().Points()) }

// approval draws an approval that has several parts.
type approval struct{ v *view }

// lines returns all of it at w cells, and then the reason.
func (a approval) lines(w int) []ink.Line {
	why, before := form.Text(a.v.form), a.v.before
	return a.v.texts.laid.Once(laidKey{text: "approval\x00" + before + "\x00" + why, w: w}, func() []ink.Line {
		asks := reading.Approval(a.v.session.Ask.Approval, a.v.home, w-1)
		if before != "" {
			asks = append(asks, ink.PlainLine(ink.Cut(before, w-1, a.v.glyphs.Ellipsis)))
		}
		return reading.Below(asks, reading.Markdown(why, w-1))
	})
}
