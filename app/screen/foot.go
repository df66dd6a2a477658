package screen

import (
	"slices"
	"strings"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
)

// foot is the two lines at the bottom, as the screen draws them.
type foot struct{ s *Screen }

// drawFoot draws the Enter line and as many keys as fit. A message stands in the Enter line's place, and takes
// the line of the keys too where it is longer than one line: any key takes it away.
func (f foot) drawFoot(c ink.Canvas, r ink.Rect) {
	foot := f.s.room().Foot()
	if f.s.strays.offered != nil {
		foot = f.offeredFoot()
	}
	hints := cells(slices.DeleteFunc(foot.Hints, func(h keys.Hint) bool { return h.Keys == "" })) // unbound
	message := f.s.notice.message
	if message == "" && f.s.desk.Now().Before(f.s.notice.said) {
		message = f.brief(r.W)
	}
	if message == "" {
		c.PutLine(r.X, r.Y, r.W, ink.EnterLine(foot.Line.Behind(f.s.notice.aside), r.W, c.Glyphs))
		c.PutLine(r.X, r.Y+1, r.W, ink.HintLine(hints, r.W))
		return
	}
	lines := ink.Wrap(message, r.W)
	c.Put(r.X, r.Y, r.W, ink.Bold, lines[0])
	if len(lines) == 1 {
		c.PutLine(r.X, r.Y+1, r.W, ink.HintLine(hints, r.W))
		return
	}
	used := c.Put(r.X, r.Y+1, r.W, ink.Bold, ink.Cut(strings.Join(lines[1:], " "), r.W, c.Glyphs.Ellipsis))
	stay := slices.DeleteFunc(hints, func(h ink.Hint) bool { return h.Rank > 0 })
	if line := ink.JoinHints(stay); line.Width() <= r.W-used-3 {
		c.PutLineRight(r.X, r.Y+1, r.W, line)
	}
}

// offeredFoot says what the next Enter does, and which key leaves that undone.
func (f foot) offeredFoot() panes.Foot {
	back := f.s.look.keys.KeyOf(keys.PlaceQuestion, keys.ActBack)
	leave := keys.Hint{Action: keys.ActBack, Keys: back, Word: "leaves it undone", Short: "leave"}
	return panes.Foot{Line: f.s.strays.offered.line, Hints: []keys.Hint{leave}}
}

func cells(hints []keys.Hint) []ink.Hint {
	out := make([]ink.Hint, len(hints))
	for i, h := range hints {
		out[i] = ink.Hint{Text: h.Text(), Short: h.Shorter().Text(), Key: h.Keys, Rank: h.Rank}
	}
	return out
}

// brief is what was just sent, where the rule had no room to say so.
func (f foot) brief(w int) string {
	if (rules{f.s}).told() {
		return ""
	}
	return ink.BriefLast(panes.LastEvent(f.s.desk.Last()), w, f.s.look.glyphs)
}

// keptLine is the composer's line while it is closed; empty: there is nobody to write to.
func (f foot) keptLine() string {
	if f.s.line.Off() || f.s.line.Addressed() == nil {
		return ""
	}
	w, _ := f.s.Size()
	return ink.Fit(f.s.rooms.chat.Kept(), w, f.s.look.glyphs)
}
