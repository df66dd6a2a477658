// Package question is the part of the screen that shows one question: the line over it, in which the time left shrinks
// like a burning countdown, then the prompt, the options, the review of several answers, and the confirmation.
//
//	desk's events ─► Room ─► view, one a session: scrolled to, seen, the rows shared, the text field
//	key ─► Table ─► verbs ─► form.Form, desk.View          (queue/form holds what is answered)
//	size or state changed ─► Fit, Arrange ─► page ─► Draw  (what was seen is noted in Arrange, never in Draw)
//	form.Plan + what was not seen ─► say.Enter ─► Footer
package question

import (
	"context"
	"time"

	"github.com/gdamore/tcell/v2"
	"github.com/rivo/tview"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/editor"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
	"github.com/choicetui/choicetui/queue/widen"
)

// Options gives the room what it needs besides its host. Every field may be left out.
type Options struct {
	Home    string                   // shown as ~
	Ends    func() int               // the number of questions of an interview that waits for the team; 0: none
	Where   func(pane string) string // returns the place of a tmux pane, such as 2:1
	ToPane  bool                     // the screen can go to an agent's tmux pane
	Wide    func() bool              // reports whether the queue is left of the question
	Refused func(desk.Press, error)  // says that the guard refused a key; nil: nothing says so
	Stands  func() bool              // reports whether the cursor's row is highlighted; nil: only with the focus

	// Edit gives a text to the person's editor and returns the saved text. nil: no editor.
	Edit func(ctx context.Context, text string) (string, error)

	// SetHides puts an option on the list of those that the person never wants to see again, or takes it from there.
	// The owner of the desk calls done. nil: no option can be hidden on this screen.
	SetHides func(entry config.HiddenOption, hide bool, done func(error))
}

// Room shows the question on view of the host's view. It shows nothing while there is none.
type Room struct {
	*tview.Box
	host     panes.Host
	o        Options
	keyboard *action.Keyboard
	table    panes.Table
	text     panes.Table         // the keys while only the text is on screen
	displays map[string]*display // by the id of the session
	ofTeam   *display            // what the person is asked about the team; nil: nothing so far

	on        *display // the display that was arranged last; nil: no question is on view
	phase     phase    // the phase of the frame for which the display was computed last
	divider   ink.Rect
	area      ink.Rect
	countdown countdown
}

// New returns the Room that shows the question on view of the host's view.
func New(host panes.Host, o Options) *Room {
	r := &Room{Box: tview.NewBox(), host: host, o: o, displays: map[string]*display{}}
	r.keyboard = action.NewKeyboard(host.View(), r)
	r.table = r.bind()
	r.text = r.bindTextOnly()
	host.View().Desk().Subscribe(r.hearEvent)
	desk.Hear(host.View().Desk(), r.followBatch)
	return r
}

// hearEvent handles an event of the desk.
func (r *Room) hearEvent(e desk.Event) {
	view := r.host.View()
	r.phase = outside
	switch e := e.(type) {
	case desk.Left:
		if e.ID != view.Up() {
			delete(r.displays, e.ID)
		}
	case desk.Shown:
		if e.View == view {
			r.showAgain(e.ID)
		}
	case desk.Changed:
		if v := r.displays[e.Now.ID]; v != nil && (e.Was.Widen == nil) != (e.Now.Widen == nil) {
			v.forgetFit() // the names of the people who were asked are shown under the title
		}
	case desk.DraftTaken:
		if e.View == view {
			delete(r.displays, e.ID)
			if f := view.FormOf(e.ID); f != nil {
				s, _ := view.Desk().Session(e.ID)
				r.displays[e.ID] = newDisplay(f, s.Ask.Odd())
			}
		}
	case desk.SettingsChanged:
		for _, v := range r.displays {
			v.forgetFit()
		}
	case desk.NotStored:
		if !e.Again {
			r.host.Say(say.NotSent(e.Err, say.OnScreen))
		}
	case desk.NotMoved:
		r.host.Say(say.ClockNotMoved(e.Err, say.OnScreen))
	case desk.NotLater:
		r.host.Say(say.NotSetAside(e.Err))
	case desk.TeamTrouble:
		r.host.Say(say.TeamFailed(e.Err))
	case desk.TeamNews:
		r.hearTeam(e)
	}
}

// showAgain prepares the display of a session that comes on screen again, so that its title and its options are
// visible, and removes the displays that the view needs no more.
func (r *Room) showAgain(id string) {
	for other := range r.displays {
		if r.host.View().FormOf(other) == nil {
			delete(r.displays, other)
		}
	}
	if v := r.displays[id]; v != nil {
		v.leaveText()
		v.forgetFit()
	}
}

// keptDisplay returns the display of the session on view as it was computed last, or a new display if the session was
// not on view before. It is nil if no question is on view.
func (r *Room) keptDisplay() *display {
	view := r.host.View()
	f := view.Form()
	if f == nil {
		return nil
	}
	v := r.displays[view.Up()]
	if view.OfTeam() { // the agent's question comes back as it was
		if r.ofTeam == nil || r.ofTeam.form != f {
			r.ofTeam = newDisplay(f, view.Session().Ask.Odd())
		}
		return r.ofTeam
	}
	if v == nil || v.form != f {
		v = newDisplay(f, view.Session().Ask.Odd())
		r.displays[view.Up()] = v
	}
	return v
}

// at returns the display of the session on view, with everything that keys depend on brought up to date; nil: no
// question is on view.
func (r *Room) at() *display {
	v := r.keptDisplay()
	if v == nil {
		return nil
	}
	view := r.host.View()
	on := view.OnView()
	v.session, v.keys, v.glyphs, v.home = on.Session, r.host.Keys(), r.host.Ink(nil).Glyphs, r.o.Home
	v.phrases = &view.Desk().Today().Phrases
	v.postponed, v.inBatch, v.ofTeam = on.Postponed, on.InBatch, on.OfTeam
	if v.batch.rows = nil; on.InBatch {
		at, whole := view.Batch.Cursor()
		if v.batch.at = at; !whole {
			v.batch.rows, v.batch.later = view.Batch.Rows(), say.BatchLater(view.Batch.Later())
		}
	}
	v.withTeam = on.Pending && on.Session.Widen != nil
	v.setAsideWords, v.untold = nil, false
	if on.Paused {
		until, _ := view.Paused()
		v.setAsideWords = say.Paused(until, v.speech())
	}
	if v.withTeam {
		v.untold = !view.Team.TellsAnswer()
	}
	return v
}

// display returns the display of the session on view, with everything that a frame shows brought up to date; nil: no
// question is on view.
func (r *Room) display() *display {
	v := r.at()
	if v == nil {
		return nil
	}
	view, s := r.host.View(), v.session
	v.allowedBefore, v.meantFor, v.tooLate, v.closedBefore, v.where = "", "", "", "", ""
	v.teamFault, v.askingTeam, v.interviewWords = nil, false, ""
	if s.Ask.Kind == queue.KindApproval && s.Pending() {
		v.allowedBefore = say.AllowedBefore(view.Desk().AllowedBefore(s), view.Desk().Now())
	}
	if len(s.Ask.Audience) > 0 {
		if names := view.Desk().MeantFor(s); len(names) > 0 {
			v.meantFor = say.Sentence(say.MeantFor(names))
		}
	}
	if s.Outcome != nil {
		if sent, late := view.TooLate(s); late {
			v.tooLate = say.TooLate(s, sent)
		}
	}
	if c := view.Team.Begun; c != nil {
		v.askingTeam, v.teamFault = c.Stage == widen.Calling && s.Pending(), c.Fault
	}
	if r.o.Ends != nil && v.withTeam {
		v.interviewWords = r.o.ends(view, s)
	}
	if closed := view.Closed(); closed.Outcome != nil {
		v.closedBefore = closedWithWords(closed, r.host.Keys().KeyOf(action.PlaceQuestion, action.History))
	}
	if r.o.Where != nil && s.Origin.Pane != "" {
		v.where = r.o.Where(s.Origin.Pane)
	}
	return v
}

// phase says how far drawing a frame has come.
type phase int

// The phases in which a frame is drawn, in order.
const (
	outside phase = iota
	fitted        // Fit has shared the rows
	placed        // Arrange has placed everything on screen; Footer follows
)

// frame returns the display for a phase of a frame. It is brought up to date in full, unless that was done in the phase
// before.
func (r *Room) frame(before, now phase) *display {
	was := r.phase
	if r.phase = now; was == before {
		return r.at()
	}
	return r.display()
}

// Place returns the place of the key table in which keys are looked up now.
func (r *Room) Place() action.Place {
	view := r.host.View()
	f := view.Form()
	if f == nil {
		return action.PlaceEmpty
	}
	switch on := view.OnView(); {
	case on.InBatch:
		return action.PlaceBatch
	case f.Typing() != form.FieldNone:
	case !on.Pending, on.Paused:
		return action.PlaceOver
	case on.Postponed:
		return action.PlacePostponed
	}
	return action.PlaceOf(f)
}

// Field returns the field that is being typed into; nil: none.
func (r *Room) Field() *editor.Field {
	if v := r.keptDisplay(); v != nil {
		return v.editor()
	}
	return nil
}

// Typed puts the typed text into the form, and holds the clock while the person types.
func (r *Room) Typed() {
	v := r.at()
	if v == nil || v.editor() == nil {
		return
	}
	was := v.q().Narrowed()
	r.keyboard.FollowDoubts()
	v.form.Type(v.field.Text())
	if v.q().Narrowed() != was {
		v.forgetFit()
	}
	r.host.View().HoldClock()
	r.host.View().DraftSoon()
}

// SetRect places the room in a rectangle; its first row is the line over the question. A screen on which the question
// shares rows with the queue calls Fit and Arrange instead.
func (r *Room) SetRect(x, y, w, h int) {
	rest := max(h-1, 0)
	r.Arrange(ink.Rect{X: x, Y: y, W: w, H: 1}, ink.Rect{X: x, Y: y + 1, W: w, H: rest}, r.Fit(w, rest, 0))
}

// Arrange places the line over the question and the question below it; the fit says how the question shares its rows.
// It is called before each frame. It computes what is on screen, and notes that the person has seen it.
func (r *Room) Arrange(divider, area ink.Rect, t Fit) {
	r.Box.SetRect(min(divider.X, area.X), divider.Y, max(divider.W, area.W), divider.H+area.H)
	r.divider, r.area, r.on = divider, area, r.frame(fitted, placed)
	if r.on == nil {
		return
	}
	view, s := r.host.View(), r.on.session
	d := view.Desk()
	warn := time.Duration(d.Settings().Notify.WarnSeconds) * time.Second
	r.countdown = countdown{session: s, now: d.Now(), warn: warn, home: r.o.Home, name: d.Name(s.Origin),
		extended: r.on.form.Typing() != form.FieldNone && view.Extended(s.ID), gone: s.Gone(d.Alive)}
	if r.on.withTeam {
		hours, _ := view.Team.Reminded()
		r.countdown.team = ink.Longest(teamOver(s, hours), min(divider.W*5/9, divider.W-20))
		r.countdown.reminds = hours > 0
	}
	r.on.arrange(area, t)
	if r.on.inBatch {
		r.noteBatchSeen()
	}
}

// Draw draws the line over the question and the question as they were arranged last.
func (r *Room) Draw(screen tcell.Screen) {
	if r.on == nil {
		return
	}
	c := r.host.Ink(screen)
	r.countdown.draw(c, r.divider)
	focus := r.HasFocus()
	if r.o.Stands != nil {
		focus = r.o.Stands()
	}
	r.on.draw(c, r.area, focus)
}

// Asks reports whether a text is typed over the last rows above the footer: a reason, or the filter of the options.
func (r *Room) Asks() bool { return r.Place() == action.PlaceReason || r.Place() == action.PlaceFind }

// DrawAsk draws the text that is typed over the last rows, if there is one: the filter of the options into row, or a
// reason over the last rows of area with the suggested reasons below it.
func (r *Room) DrawAsk(c ink.Canvas, row, area ink.Rect) {
	if v := r.at(); v != nil && v.editor() != nil {
		v.drawAsk(c, row, area)
	}
}

// CountdownCells returns how many cells of the line over the question show the time left, as it was arranged last; 0:
// none.
func (r *Room) CountdownCells() int {
	if r.on == nil || r.on != r.at() {
		return 0
	}
	return r.countdown.cells(panes.Measured(r.divider.W))
}

// closedWithWords tells the person that a question closed before their words were sent, and that the words are in the
// history. key opens the history; without a key the history is named.
func closedWithWords(s queue.Session, key string) string {
	how, o := "closed", s.Outcome
	switch {
	case o.Status == queue.StatusTimeout:
		how = "timed out"
	case o.By == queue.ByCaller:
		how = o.Ending().Word + " by " + say.Who(s.Origin)
	case o.By == queue.ByHuman:
		how = "closed " + say.ByWhom(o, say.OnScreen)
	}
	where := "the history"
	if key != "" {
		where = key
	}
	return "(" + how + " " + o.At.Local().Format("15:04") + " · your words are in " + where + ")"
}
