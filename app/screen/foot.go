package screen

import (
	"slices"
	"strings"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// foot is the two lines at the bottom, as the screen draws them.
type foot struct{ s *Screen }

// drawFoot draws the Enter line, which nothing ever covers, and the line of the keys.
func (f foot) drawFoot(c ink.Canvas, r ink.Rect) {
	foot := f.s.room().Foot()
	if f.s.rooms.question.Hand().Offers() {
		foot = f.offeredFoot()
	}
	hints := cells(slices.DeleteFunc(foot.Hints, func(h keys.Hint) bool { return h.Keys == "" })) // unbound
	c.PutLine(r.X, r.Y, r.W, ink.EnterLine(foot.Line.Behind(f.s.notice.aside), r.W, c.Glyphs))
	f.drawKeys(c, r.Row(1), hints)
}

// offeredFoot says what the next Enter does, and which key leaves that undone.
func (f foot) offeredFoot() panes.Foot {
	back := f.s.look.keys.KeyOf(keys.PlaceQuestion, keys.ActBack)
	leave := keys.Hint{Action: keys.ActBack, Keys: back, Word: say.LeavesUndone, Short: say.Leave}
	return panes.Foot{Line: f.s.offered, Hints: []keys.Hint{leave}}
}

func cells(hints []keys.Hint) []ink.Hint {
	out := make([]ink.Hint, len(hints))
	for i, h := range hints {
		out[i] = ink.Hint{Text: h.Text(), Short: h.Shorter().Text(), Key: h.Keys, Rank: h.Rank}
	}
	return out
}

// keptLine returns the composer's line while it is closed; empty: there is nobody to write to.
func (f foot) keptLine() string {
	if f.s.line.Off() || f.s.line.Addressed() == nil {
		return ""
	}
	w, _ := f.s.Size()
	told := strings.Contains(rules(f).empty(w).last.String(), queue.Held)
	return ink.Fit(f.s.rooms.chat.Kept(told), w, f.s.look.glyphs)
}
