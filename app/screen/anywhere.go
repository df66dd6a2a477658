package screen

import (
	"context"
	"time"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/help"
	"github.com/choicetui/choicetui/panes/history"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/panes/statistics"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/deed"
)

const (
	browserWithin = 10 * time.Second // from the key to the page's link, with the start of the program that serves it
	linkStands    = time.Minute      // a link that a person has to take elsewhere is good for so long
)

// commands carry out the keys that work in every place of the screen.
type commands struct{ s *Screen }

// anywhere returns the table of the keys that mean the same in every place. A room may bind the same action to
// something of its own.
func (c commands) anywhere() panes.Table {
	do := func(f func()) func(string) { return func(string) { f() } }
	return panes.Table{
		{Action: keys.ActStop, Do: do(c.quit)},
		{Action: keys.ActSuspend, Do: do(c.suspend)},
		{Action: keys.ActRedraw, Do: do(c.redraw)},
		{Action: keys.ActUndoTyping, Do: do(func() { c.retype(c.s.room().Field().Undo) })},
		{Action: keys.ActRedoTyping, Do: do(func() { c.retype(c.s.room().Field().Redo) })},
		{Action: keys.ActHelp, Do: do(c.openHelp)},
		{Action: keys.ActNext, Do: do(func() { c.step(1) }), WhyNot: c.whyNoStep(1)},
		{Action: keys.ActPrevious, Do: do(func() { c.step(-1) }), WhyNot: c.whyNoStep(-1)},
		{Action: keys.ActPane, Do: do(c.goToPane), WhyNot: panes.Because(c.whyNoPane)},
		{Action: keys.ActPeek, Do: do(c.s.rooms.peek.Open), WhyNot: panes.Because(c.s.rooms.peek.WhyNot)},
		{Action: keys.ActArea, Do: do(func() { c.s.frame.waiting.otherArea(1) }), WhyNot: panes.Because(c.whyNoArea)},
		{Action: keys.ActAreaBack, Do: do(func() { c.s.frame.waiting.otherArea(-1) }),
			WhyNot: panes.Because(c.whyNoArea)},
		{Action: keys.ActBrowser, Do: do(c.openInBrowser), WhyNot: panes.Because(c.whyNoPage)},
		{Action: keys.ActSettings, Do: do(c.openSettings)},
		{Action: keys.ActHistory, Do: do(c.openHistory)},
		{Action: keys.ActStats, Do: do(c.openStatistics)},
		{Action: keys.ActChat, Do: do(c.s.rooms.chat.Open), WhyNot: panes.Because(c.s.rooms.chat.WhyNot)},
		{Action: keys.ActQuit, Do: do(c.quitOnce)},
	}
}

// retype changes the text being typed otherwise than by keys.
func (c commands) retype(change func()) {
	change()
	c.s.room().Typed()
}

// step shows the next or previous question of the queue as listed. At its end that is said beside what Enter does.
func (c commands) step(n int) {
	if c.s.seat.Step(n) {
		c.s.seat.BroughtUp()
		return
	}
	_, c.s.notice.aside = c.noStep(n)
}

// noStep says why there is no question to step to.
func (c commands) noStep(n int) (message string, aside say.Tail) {
	return say.NoStep(n, len(c.s.seat.Listed()), len(c.s.desk.Waiting()), c.s.seat.Find())
}

// whyNoStep says why there is no other question; empty: there is, or the one on view is at the end.
func (c commands) whyNoStep(n int) func(string) string {
	return func(string) string {
		if c.s.seat.MayStep(n) {
			return ""
		}
		words, _ := c.noStep(n)
		return words
	}
}

// whyNoArea says why there is no other area to give the focus to; empty: there is.
func (c commands) whyNoArea() string {
	switch {
	case c.s.frame.page() != nil:
		return say.OneArea
	case len(c.s.frame.waiting.shown()) == 1:
		return say.NoRows
	}
	return ""
}

// leaveArea gives the focus back to the question.
func (c commands) leaveArea() { c.s.frame.waiting.area = areaQuestion }

func (c commands) redraw() {
	if c.s.term != nil {
		c.s.term.Screen().Sync()
	}
}

// suspend is Ctrl-Z: back to the shell, and here again with fg.
func (c commands) suspend() {
	c.s.seat.SaveDraft()
	if c.s.term == nil {
		return
	}
	if err := c.s.term.Suspend(); err != nil {
		c.s.Say(say.NotSuspended(err))
	}
	c.s.seat.CameUp()
}

// quit ends the screen; what was typed is saved first.
func (c commands) quit() {
	c.s.seat.SaveDraft()
	c.s.stop()
}

// quitOnce goes one level back, and on a question, in the queue or on the empty screen quits on the second press in a
// row, however fast that comes: typing meant for another pane has other letters behind a q.
func (c commands) quitOnce() {
	room := c.s.room()
	if back, ok := room.Table().Row(keys.ActBack); ok && (c.s.frame.page() != nil || traitsOf[room.Place()].backs) {
		if back.Do != nil {
			back.Do("")
		} else {
			router(c).hand().Press(deed.Input{Action: back.Action}, c.s.desk.Now())
		}
		return
	}
	quit := c.s.look.keys.KeyOf(keys.PlaceQuestion, keys.ActQuit)
	waiting := len(c.s.desk.Waiting())
	switch {
	case !c.s.notice.leaving.IsZero(): // no other key came between
		c.quit()
		return
	case len(c.s.desk.Outbox().Unsaved()) > 0:
		c.s.Say(say.AgainLoses(quit, say.FaceScreen))
	case c.s.seat.HandOff() != "" && !c.s.seat.HandOffEnded():
		c.s.Say(say.AgainLeaves(quit, say.FaceScreen))
	case c.s.o.Scratch:
		c.s.Say(say.AgainQuitsDemo(quit))
	case waiting == 0 || c.s.seat.HandOffEnded():
		c.s.Say(say.AgainQuitsAlone(quit))
	default:
		c.s.Say(say.AgainQuits(quit, waiting, say.FaceScreen))
	}
	c.s.notice.leaving = c.s.desk.Now()
}

// whyNoPane says why the asking agent's pane cannot be brought up; empty: it can be looked for.
func (c commands) whyNoPane() string {
	o, ok := c.paneOf()
	if !ok {
		return say.NoPaneNeeded
	}
	return c.whyNotTo(o)
}

// paneOf is the agent whose pane is meant: that of the question on view; where nothing waits the first that needs the
// person there; false: there is none.
func (c commands) paneOf() (o queue.Origin, ok bool) {
	if c.s.seat.Up() != "" {
		return c.s.seat.Session().Origin, true
	}
	if needed := c.s.desk.Notices(); len(needed) > 0 {
		return *needed[0].Origin, true
	}
	return o, false
}

// whyNotTo says why an agent's pane cannot be brought up; empty: it can be looked for.
func (c commands) whyNotTo(o queue.Origin) string {
	if c.s.o.Elsewhere != nil {
		if host := c.s.o.Elsewhere(o); host != "" {
			return say.PaneElsewhere(host)
		}
	}
	if c.s.o.GoToPane == nil || o.Pane == "" && o.PID == 0 {
		return say.PaneUnknown
	}
	return ""
}

// goToPane brings the asking agent's tmux pane up; the question stays here. It comes a moment after its key: the
// question may be gone.
func (c commands) goToPane() {
	if o, ok := c.paneOf(); ok {
		c.toPane(o)
	}
}

// toPane brings an agent's tmux pane up, or says why it cannot.
func (c commands) toPane(o queue.Origin) {
	if why := c.whyNotTo(o); why != "" {
		c.s.Say(why)
		return
	}
	c.s.desk.Later(func() {
		ctx, cancel := context.WithTimeout(context.Background(), tmuxWithin)
		defer cancel()
		if err := c.s.o.GoToPane(ctx, o); err != nil {
			c.s.desk.Do(func() { c.s.Say(say.PaneTrouble(err)) })
		}
	})
}

// whyNoPage says why nothing opens in the browser.
func (c commands) whyNoPage() string {
	if c.s.o.Browse == nil {
		return say.NoPages
	}
	return ""
}

// openInBrowser shows the question on the web, or the list of all where nothing waits. What was typed goes with it.
func (c commands) openInBrowser() {
	c.s.seat.SaveDraft()
	c.s.Say(say.OpeningBrowser + c.s.look.glyphs.Ellipsis)
	id := c.s.seat.Up()
	c.s.desk.Beside(func() {
		ctx, cancel := context.WithTimeout(context.Background(), browserWithin)
		defer cancel()
		link, opened, err := c.s.o.Browse(ctx, id)
		c.s.desk.Do(func() { c.tellPage(link, opened, err) })
	})
}

// tellPage says where the page is. If no browser could be opened, the person has to take the link elsewhere: it is
// copied, and shown as long as it is valid.
func (c commands) tellPage(link string, opened bool, err error) {
	switch {
	case err != nil:
		c.s.Say(say.NoPage(err))
	case opened:
		c.s.Say(say.OpenedInBrowser(link))
	default:
		c.s.clipboard(link)
		c.s.Say(say.LinkCopied(link))
		c.s.notice.until = c.s.desk.Now().Add(linkStands).Truncate(time.Second)
	}
}

// openSettings brings the settings up. Enter waits there for a moment, because the key may have been typing.
func (c commands) openSettings() {
	c.s.Open(c.s.rooms.settings.Page)
	c.s.seat.Guard.HoldEnter(c.s.desk.Now())
}

// openHelp lays the list of keys over what is on screen; Esc brings that back.
func (c commands) openHelp() { c.s.Open(help.New(c.s, c.s.room().Place())) }

// openHistory brings the page up, where it was if it is under another page. It clears what was missed.
func (c commands) openHistory() {
	c.s.seat.ForgetMissed()
	if c.s.rooms.history == nil {
		c.s.rooms.history = history.New(c.s, history.Options{Home: c.s.o.Home, Chat: c.s.line,
			Write: func(name, text string) (string, error) { return writeText(name, c.s.o.Home, text) }})
	}
	if c.s.frame.page() != panes.Room(c.s.rooms.history) {
		c.s.Open(c.s.rooms.history)
	}
}

func (c commands) openStatistics() { c.s.Open(statistics.New(c.s)) }
