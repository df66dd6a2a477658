package screen

import (
	"context"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// The following methods make the Screen a panes.Host.

// Size returns the size of the whole screen.
func (s *Screen) Size() (w, h int) {
	_, _, w, h = s.frame.GetRect()
	return w, h
}

// Open opens a page in place of question and queue, or of the open page. The draft of the question is saved. Help and
// the peek open in front of an open page, which comes back after them.
func (s *Screen) Open(page panes.Room) {
	s.view.SaveDraft()
	if traitsOf[page.Place()].covers {
		s.frame.coverWith(page)
	} else {
		s.frame.replacePages(page)
		if page != panes.Room(s.rooms.history) {
			s.rooms.history = nil
		}
	}
	s.noteCover()
}

// noteCover tells the guard whether a page is in front of the question, and gives a page all processors.
func (s *Screen) noteCover() {
	covered := s.frame.page() != nil
	s.view.Cover(covered)
	s.memory.spread(covered)
}

// Close closes the page in front. The page behind it comes back, else question and queue; there the guard refuses keys
// for a moment, as after any change of what is on screen.
func (s *Screen) Close() {
	if s.frame.uncoverPage() {
		return
	}
	if s.frame.page() == panes.Room(s.rooms.history) {
		s.rooms.history = nil
	}
	s.frame.showWaiting()
	s.noteCover()
}

// Offer makes the Enter line say what the next Enter does. The guard treats that Enter like one that sends; any other
// key cancels the offer.
func (s *Screen) Offer(line say.Line, do func()) {
	s.Choose(line, do, nil)
}

// Choose makes an offer with more keys: others returns what such a key does, and nil for a key that cancels the offer.
func (s *Screen) Choose(line say.Line, do func(), others func(key string) func()) {
	s.offered = line
	s.board.Offer(do, others)
}

// sayOfTerminal shows words about the terminal for a while when the screen starts. A question that comes up does not
// clear them.
func (s *Screen) sayOfTerminal(words string) {
	s.Say(words)
	s.message.ofStart = true
}

// Question describes the question on view.
func (s *Screen) Question() action.At { return s.board.At() }

// Waits returns the count of pending questions as the line at the top of a page shows it: `1 waits 4:12`.
func (s *Screen) Waits() ink.Line {
	if ended := s.handOffEnded(); ended != "" {
		return ink.PlainLine(ended)
	}
	waiting := s.desk.Waiting()
	if len(waiting) == 0 {
		return nil
	}
	return append(ink.PlainLine(s.waits()+" "), s.timeLeft(*waiting[0].Session))
}

// Lend gives the terminal to another program.
func (s *Screen) Lend(use func(context.Context)) bool { return s.term != nil && s.term.Lend(use) }

// Copy puts text into the clipboard through the terminal (OSC 52), which works over ssh. In tmux, which by default does
// not pass that on, tmux is asked to do it; if it cannot, its own paste buffer holds the text.
func (s *Screen) Copy(text string) {
	if queue.Blank(text) {
		nothing := action.Message{Err: action.NothingToCopy}
		s.Say(say.Message(nothing, queue.Session{}, nil, say.Speech{Frontend: say.OnScreen}))
		return
	}
	if s.o.Copy == nil {
		s.clipboard(text)
		s.Say(say.Copied(text, cutFirst))
		return
	}
	s.Say("copying" + s.look.glyphs.Ellipsis)
	typed := s.view.LastKey()
	s.desk.Beside(func() {
		ctx, cancel := context.WithTimeout(context.Background(), tmuxWithin)
		defer cancel()
		asked, err := s.o.Copy(ctx, text)
		s.desk.Do(func() { s.copied(text, asked, err, s.view.LastKey().Equal(typed)) })
	})
}

// copied says whether the text was copied. A success is not mentioned if still is false: a key has been pressed since,
// and the line of words belongs to that key. A failure is always mentioned.
func (s *Screen) copied(text string, asked bool, err error, still bool) {
	words := say.Copied(text, cutFirst)
	switch {
	case err != nil:
		s.Say("not copied: " + say.OneLine(err.Error()))
		return
	case !asked:
		s.clipboard(text) // if tmux has set-clipboard on, it passes this on to the terminal
		words = "copied into tmux's buffer: prefix ]"
	}
	if still {
		s.Say(words)
	}
}

// cutFirst cuts a text for a message that a person reads.
func cutFirst(text string, cells int) string { return ink.Cut(text, cells, "…") }

// setHides hides an option in later questions of the same agent, or shows it again. It calls done once the settings
// file holds that.
func (s *Screen) setHides(entry config.HiddenOption, hide bool, done func(error)) {
	s.desk.Later(func() {
		err := s.o.Settings.Update(func(c *config.Settings) {
			c.HiddenOptions = config.SetHidden(c.HiddenOptions, entry, hide)
		})
		s.desk.Do(func() {
			done(err)
			s.desk.SetSettings(s.o.Settings.Settings())
		})
	})
}

// DrawLower draws the line at the bottom of a page, with the pending questions and the key that leads to them.
func (s *Screen) DrawLower(c ink.Canvas, r ink.Rect) {
	waiting := s.desk.Waiting()
	if ended := s.handOffEnded(); ended != "" {
		s.frame.ground.drawDivider(c, r, lowerDivider{name: ink.PlainLine(ended)})
		return
	}
	if len(waiting) == 0 {
		s.frame.ground.drawDivider(c, r, s.frame.ground.pageDivider(r.W))
		return
	}
	on := *waiting[0].Session
	if up, pending := s.view.Pending(); pending {
		on = up
	}
	g := s.look.glyphs
	back := s.look.keys.KeyOf(action.PlaceHistory, action.Back) + " shows it"
	head, left := s.waits()+" "+g.Dot+" ", s.timeLeft(on)
	cells, title := ink.Width(head+" "+left.Text), say.Title(on.Ask)
	room := r.W - cells - ink.Width(back) - 8
	if ink.Width(title) > room { // the title gets the room of the key, which the footer has too
		back, room = "", r.W-cells-6
	}
	name := append(ink.PlainLine(head+ink.Cut(title, room, g.Ellipsis)+" "), left)
	s.frame.ground.drawDivider(c, r, lowerDivider{name: name, last: ink.PlainLine(back)})
}
