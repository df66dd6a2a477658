package portal

import (
	"errors"
	"slices"
	"time"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/form"
)

// walker goes about: rows, questions, steps of a form, second thoughts.
type walker struct{ verbs }

// move moves the cursor of the list, of the question or of the review.
func (v walker) move(n int) {
	if v.id == "" {
		list := v.waiting()
		at := slices.IndexFunc(list, func(w queue.Waiting) bool { return w.ID == v.row })
		if at < 0 && n < 0 {
			at = 0
		}
		v.toRow(at + n)
		return
	}
	if f := v.form(); f != nil {
		f.Move(n)
	}
}

// ends moves the cursor to the first or the last row.
func (v walker) ends(last bool) {
	switch f := v.form(); {
	case v.id == "" && last:
		v.toRow(len(v.waiting()) - 1)
	case v.id == "":
		v.toRow(0)
	case f != nil:
		f.Ends(last)
	}
}

func (v walker) toRow(at int) {
	if list := v.waiting(); len(list) > 0 {
		v.row = list[min(max(at, 0), len(list)-1)].ID
	}
}

// openOne goes to the n-th question of the list; Enter opens it.
func (v walker) openOne(n int) {
	list := v.waiting()
	if n < 1 || n > len(list) {
		v.notice = say.NoSuchQuestion(n)
		return
	}
	v.row = list[n-1].ID
}

// step goes to the next question of the queue, or the previous one.
func (v walker) step(n int) {
	list := v.waiting()
	at := slices.IndexFunc(list, func(w queue.Waiting) bool { return w.ID == v.id })
	if at < 0 && n > 0 {
		n, at = 0, 0 // the one on view is over: start at the top
	}
	if at += n; at < 0 || at >= len(list) {
		words, tail := say.NoStep(n, len(list), len(list), "")
		if words == "" && len(tail) > 0 {
			words = tail[0]
		}
		v.notice = words
		return
	}
	v.goTo(choicePath+list[at].ID, true)
}

// turn goes to another question of a form, or the review.
func (v walker) turn(turn func(*form.Form) bool) {
	if !v.form().Several() {
		v.notice = say.OneQuestion
		return
	}
	if turn(v.form()) {
		v.reviewed()
	}
}

// turnTo goes to the n-th question of a form; the one behind the last is the review.
func (v walker) turnTo(n int) {
	f := v.form()
	texts(v.verbs).end(true)
	for f.At() < n-1 && f.Next() {
	}
	for f.At() > n-1 && f.Back() {
	}
	v.reviewed()
}

// recommendAll answers all open questions as their agent recommends.
func (v walker) recommendAll() {
	if !v.form().Several() {
		v.refuse(v.q().Recommend(), keys.ActRecommended)
		return
	}
	if missing := v.form().RecommendAll(); missing > 0 {
		v.notice = say.Unrecommended(missing)
	}
	v.reviewed()
}

func (v walker) startOver() { v.refuse(v.form().StartOver(), keys.ActStartOver) }

// confirm puts the mark on the confirmation; Enter then sends.
func (v walker) confirm() {
	v.refuse(v.form().Confirm(), keys.ActConfirm)
}

// moveClock gives the question more time or takes some.
func (v walker) moveClock(by time.Duration) {
	switch err := v.seat.Move(by); {
	case errors.Is(err, desk.ErrLeast):
		v.notice = say.ClockLeast(v.speech())
	case errors.Is(err, desk.ErrMost):
		v.notice = say.ClockMost(say.FacePage)
	}
}

// later asks before it sets the question aside.
func (v walker) later() {
	until, _, givesUp := v.seat.LaterTimes()
	v.offer(say.SetsAside(until, givesUp, v.agent(), v.speech()), say.Page.SetAside, func() {
		if err := v.seat.Later(); err != nil {
			v.notice = notLater(err)
		}
	})
}

// undo takes back the answer that is held back, else it shows the option again that was just hidden.
func (v walker) undo() {
	switch {
	case v.held() != nil && v.seat.TakeBack():
		v.notice = say.TakenBack
	case v.hid != nil:
		v.setHidden(*v.hid, false)
		v.hid = nil
	default:
		v.notice = say.NothingToTakeBack
	}
}

// hide asks before it keeps an option out of later questions of the same client; a hidden option is shown again at
// once.
func (v walker) hide(n int) {
	if n > 0 {
		v.toOption(n)
	}
	o, why := v.q().MayHide()
	if v.refuse(why, keys.ActHide); !why.OK() {
		return
	}
	if !v.grant.MaySettings() {
		v.notice = say.Page.NoSettingsHere
		return
	}
	here := hiddenHere{v.last, o}
	if v.q().IsHidden(o.ID) {
		v.setHidden(here, false)
		return
	}
	line := say.HideOption(v.speech(), o, v.q().Marked(o.ID), v.agent())
	v.offer(line, say.Page.HideIt, func() {
		v.hid = &here
		v.setHidden(here, true)
	})
}

func (v walker) setHidden(h hiddenHere, hide bool) {
	entry := config.HiddenOption{Client: h.session.Origin.Client, ID: h.option.ID, Label: h.option.Label}
	v.notice = say.HiddenOption(hide, v.speech())
	settingsPanel(v.verbs).store(func(c *config.Settings) {
		c.HiddenOptions = config.ToggleHidden(c.HiddenOptions, entry, hide)
	})
}

// showPanel brings the settings or the keys up in front of the page.
func (v walker) showPanel(panel string) {
	if panel == panelSettings && !v.grant.MaySettings() {
		v.notice = say.Page.NoSettingsHere
		return
	}
	texts(v.verbs).end(true)
	v.panel = panel
}

// whyNotEnded says why there is nothing to cancel or to wait for; empty: there is.
func whyNotEnded(v verbs) string {
	if v.form() == nil && v.held() == nil || !v.session().Pending() {
		return say.NothingToEnd
	}
	return ""
}

// whyNotMoved says why the clock cannot be moved; empty: it can.
func whyNotMoved(v verbs) string {
	if words := whyNotEnded(v); words != "" {
		return words
	}
	if !v.session().HasClock() {
		return say.ClockStill(v.session(), say.FacePage)
	}
	return ""
}

// whyNotLater says why the question is not set aside; empty: it can be.
func whyNotLater(v verbs) string {
	if words := whyNotEnded(v); words != "" {
		return words
	}
	if err := v.seat.MayLater(); err != nil {
		return notLater(err)
	}
	return ""
}

func notLater(err error) string {
	switch {
	case errors.Is(err, desk.ErrOver):
		return say.NothingToEnd
	case errors.Is(err, desk.ErrSending):
		return say.BeingSent(say.FacePage)
	case errors.Is(err, desk.ErrLaterAttached):
		return say.LaterAttached
	}
	return say.NotLater(err, say.FacePage)
}
