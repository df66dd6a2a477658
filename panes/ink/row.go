package ink

import (
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// DrawMissed draws a row for each question that ended without the person: when, its title and its agent's directory.
// Those that do not fit are left out.
func DrawMissed(c Canvas, r Rect, missed []queue.Session) {
	for n := range missed[:min(len(missed), max(r.H, 0))] {
		s, y := &missed[n], r.Y+n
		c.Put(r.X, y, 5, Plain, s.Outcome.At.Local().Format("15:04"))
		end := r.X + r.W - 1
		if dir := s.Origin.Dir(); dir != "" {
			dir = Cut(dir, r.W/3, c.Glyphs.Ellipsis)
			end = c.PutRight(r.X, y, r.W-1, HueOf(s.Origin).Of(Plain), dir) - 1
		}
		room := end - r.X - 7
		c.Put(r.X+7, y, room, Plain, Cut(say.Title(s.Ask), room, c.Glyphs.Ellipsis))
	}
}

// DrawNotice draws a row for an agent that needs the person in its own pane: since when, the caller's words for its
// notice, and its name, or only its directory if the name leaves too little room.
func DrawNotice(c Canvas, r Rect, n queue.Presence, words, name string, style Style) {
	c.Put(r.X, r.Y, 5, style, n.Notice.At.Local().Format("15:04"))
	if dir := n.Origin.Dir(); 7+Width(words)+1+Width(name)+1 > r.W && dir != "" {
		name = dir
	}
	name = Cut(name, r.W/3, c.Glyphs.Ellipsis)
	end := c.PutRight(r.X, r.Y, r.W-1, HueOf(*n.Origin).Of(style), name) - 1
	room := end - r.X - 7
	c.Put(r.X+7, r.Y, room, style, Cut(words, room, c.Glyphs.Ellipsis))
}
