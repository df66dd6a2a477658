package screen

import (
	"context"
	"time"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/help"
	"github.com/choicetui/choicetui/panes/history"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
)

const (
	browserWithin = 10 * time.Second // until the link is known: the program that serves the pages may have to start
	linkStands    = time.Minute      // how long a link is valid that the person has to open in another place
)

// bindEverywhere returns the table of the keys that mean the same in every place. A room may bind one of these actions
// to something else.
func (r *keyboard) bindEverywhere() panes.Table {
	return panes.Table{
		{Name: action.Stop, Do: action.Just(r.stopOnce)},
		{Name: action.Suspend, Do: action.Just(r.suspend)},
		{Name: action.Redraw, Do: action.Just(r.redraw)},
		{Name: action.UndoTyping, Do: action.Just(func() { r.retype(r.frame.room().Field().Undo) })},
		{Name: action.RedoTyping, Do: action.Just(func() { r.retype(r.frame.room().Field().Redo) })},
		{Name: action.Help, Do: action.Just(r.openHelp)},
		{Name: action.Next, Do: action.Just(func() { r.stepQuestion(1) }), Needs: action.Unless(r.whyNoStep(1))},
		{Name: action.Previous, Do: action.Just(func() { r.stepQuestion(-1) }), Needs: action.Unless(r.whyNoStep(-1))},
		{Name: action.Pane, Do: action.Just(r.goToPane), Needs: action.Unless(r.whyNoPane)},
		{Name: action.Peek, Do: action.Just(r.rooms.peek.Open), Needs: action.Unless(r.rooms.peek.WhyNot)},
		{Name: action.Area, Do: action.Just(func() { r.frame.ground.focusNextArea(1) }),
			Needs: action.Unless(r.whyNoArea)},
		{Name: action.AreaBack, Do: action.Just(func() { r.frame.ground.focusNextArea(-1) }),
			Needs: action.Unless(r.whyNoArea)},
		{Name: action.Browser, Do: action.Just(r.openInBrowser), Needs: action.Unless(r.whyNoPage)},
		{Name: action.Settings, Do: action.Just(r.openSettings)},
		{Name: action.History, Do: action.Just(r.openHistory)},
		{Name: action.Chat, Do: action.Just(r.rooms.chat.Open), Needs: action.Unless(r.rooms.chat.WhyNot)},
		{Name: action.Quit, Do: action.Just(r.quitOnce)},
	}
}

// retype changes the text being typed with undo or redo, and tells the room.
func (r *keyboard) retype(change func()) {
	change()
	r.frame.room().Typed()
}

// stepQuestion shows the next or previous question of the listed queue.
func (r *keyboard) stepQuestion(n int) {
	if r.view.Step(n) {
		r.view.BroughtUp()
	}
}

// whyNoStep returns a function that says why there is no other question to step to; empty: there is one.
func (r *keyboard) whyNoStep(n int) func() string {
	return func() string {
		if r.view.MayStep(n) {
			return ""
		}
		return say.NoStep(len(r.view.Listed()), r.view.Find())
	}
}

// whyNoArea says why the focus cannot go to another area of the screen; empty: it can.
func (r *keyboard) whyNoArea() string {
	switch {
	case r.frame.page() != nil:
		return "there is nothing to switch to on this page"
	case len(r.frame.ground.shownAreas()) == 1 && r.view.Up() == "":
		return say.NothingPending(r.desk.Needed())
	case len(r.frame.ground.shownAreas()) == 1:
		return say.NothingElse
	}
	return ""
}

// redraw sends the whole screen to the terminal again, after another program has written over it.
func (r *keyboard) redraw() {
	if r.term != nil {
		r.term.Screen().Sync()
	}
}

// suspend returns to the shell until fg, as Ctrl-Z does everywhere.
func (r *keyboard) suspend() {
	r.view.SaveDraft()
	if r.term == nil {
		return
	}
	if err := r.term.Suspend(); err != nil {
		r.Say("not suspended: " + err.Error())
	}
	r.view.CameUp()
}

// quit ends the screen; what was typed is saved first.
func (r *keyboard) quit() {
	r.view.SaveDraft()
	r.stop()
}

// quitOnce goes one level back. On a question, in the queue and on the empty screen it quits when the key is pressed
// twice in a row. The second press may come at once, because in text that was meant for another pane another letter
// follows a q.
func (r *keyboard) quitOnce() {
	room := r.frame.room()
	if back, ok := room.Table().Row(action.Back); ok && (r.frame.page() != nil || traitsOf[room.Place()].backs) {
		if back.Do != nil {
			back.Do(action.At{}, action.Arg{})
		} else {
			r.board.Act(action.Input{Action: action.Back}, r.desk.Now())
		}
		return
	}
	quit := r.look.keys.KeyOf(action.PlaceQuestion, action.Quit)
	switch {
	case !r.message.leaving.IsZero(), // no other key came between
		r.o.Visit != "" && len(r.desk.Outbox().Unsaved()) == 0: // a popup closes at once: one key opens it again
		r.quit()
		return
	case len(r.desk.Outbox().Unsaved()) > 0:
		r.Say(say.AgainLoses(quit, say.OnScreen))
	case r.view.HandOff() != "" && !r.view.HandOffEnded():
		r.Say(say.AgainLeaves(quit, say.OnScreen))
	case r.o.Scratch:
		r.Say(say.AgainQuits(quit, 0, 0, say.OnScreen) + "; the demo saves nothing")
	case r.view.HandOffEnded():
		r.Say(say.AgainQuits(quit, 0, 0, say.OnScreen))
	default:
		stay, withdrawn := r.desk.Left()
		r.Say(say.AgainQuits(quit, stay, withdrawn, say.OnScreen))
	}
	r.message.leaving = r.desk.Now()
}

// whyNoPane says why the screen cannot go to the asking agent's tmux pane; empty: it can try.
func (r *keyboard) whyNoPane() string {
	o, ok := r.paneOf()
	if !ok {
		return "nothing is waiting, and no agent needs you in its pane"
	}
	return r.whyNotTo(o)
}

// paneOf returns the agent to whose pane the key goes: the agent of the question on view, or, while nothing is pending,
// the first agent that needs the person in its pane. false: there is no such agent.
func (r *keyboard) paneOf() (o queue.Origin, ok bool) {
	if r.view.Up() != "" {
		return r.view.Session().Origin, true
	}
	if needed := r.desk.Notices(); len(needed) > 0 {
		return *needed[0].Origin, true
	}
	return o, false
}

// whyNotTo says why the screen cannot go to an agent's tmux pane; empty: it can try.
func (r *keyboard) whyNotTo(o queue.Origin) string {
	if r.o.Scratch {
		return "the demo's agent has no pane of its own"
	}
	if r.o.Elsewhere != nil {
		if host := r.o.Elsewhere(o); host != "" {
			return say.PaneTrouble(say.RunsOn(host))
		}
	}
	if r.o.GoToPane == nil || o.Pane == "" && o.PID == 0 {
		return "its tmux pane is not known"
	}
	return ""
}

// goToPane goes to the asking agent's tmux pane; the question stays on this screen. It runs a moment after its key was
// pressed, so the question may have ended since.
func (r *keyboard) goToPane() {
	if o, ok := r.paneOf(); ok {
		r.toPane(o)
	}
}

// toPane goes to an agent's tmux pane, or says why it cannot.
func (r *keyboard) toPane(o queue.Origin) {
	if why := r.whyNotTo(o); why != "" {
		r.Say(why)
		return
	}
	r.desk.Later(func() {
		ctx, cancel := context.WithTimeout(context.Background(), tmuxWithin)
		defer cancel()
		if err := r.o.GoToPane(ctx, o); err != nil {
			r.desk.Do(func() { r.Say(say.PaneTrouble(err.Error())) })
		}
	})
}

// whyNoPage says why the question cannot be opened in the browser; empty: it can.
func (r *keyboard) whyNoPage() string {
	if r.o.Browse == nil {
		return say.NoPages
	}
	return ""
}

// openInBrowser opens the question on view in the browser, or the list of questions if none is on view. The draft is
// saved first, so the page has what was typed.
func (r *keyboard) openInBrowser() {
	r.view.SaveDraft()
	r.Say(say.OpeningBrowser + r.look.glyphs.Ellipsis)
	id := r.view.Up()
	r.desk.Beside(func() {
		ctx, cancel := context.WithTimeout(context.Background(), browserWithin)
		defer cancel()
		link, opened, err := r.o.Browse(ctx, id)
		r.desk.Do(func() { r.tellPage(link, opened, err) })
	})
}

// tellPage says where the page is. If no browser could be opened, the person has to take the link elsewhere: it is
// copied, and shown as long as it is valid.
func (r *keyboard) tellPage(link string, opened bool, err error) {
	switch {
	case err != nil:
		r.Say(say.OneLine(err.Error()))
	case opened:
		r.Say(say.OpenedInBrowser(link))
	default:
		r.clipboard(link)
		r.Say(link + " · link copied (no browser found); valid once, for one minute")
		r.message.until = r.desk.Now().Add(linkStands).Truncate(time.Second)
	}
}

// openSettings opens the page of settings. The guard refuses Enter there for a moment, because the key may have been
// part of a text that was meant for another pane.
func (r *keyboard) openSettings() {
	r.host.Open(r.rooms.settings.Page)
	r.view.Guard.HoldEnter(r.desk.Now())
}

// openHelp opens the list of keys in front of what is on screen. Esc or the same key closes it again.
func (r *keyboard) openHelp() { r.host.Open(help.New(r.host, r.frame.room().Place())) }

// openHistory opens the history, or shows it again where it was if another page covers it. It clears the notes about
// missed questions.
func (r *keyboard) openHistory() {
	r.view.ForgetMissed()
	if r.rooms.history == nil {
		r.rooms.history = history.New(r.host, history.Options{Home: r.o.Home, Chat: r.line})
	}
	if r.frame.page() != panes.Room(r.rooms.history) {
		r.host.Open(r.rooms.history)
	}
}
