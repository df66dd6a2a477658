package question

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/form"
)

// refusals say why the keys of a question have no effect now. Nothing of it changes anything.
type refusals struct {
	host panes.Host
	o    Options
	view func() *view // as of now; nil: nothing waits
}

// may binds to a row why the form would not do it.
func (r refusals) may(row panes.Row, why func(*view) form.WhyNot) panes.Row {
	return r.refusing(row, func(v *view, _ string) form.WhyNot { return why(v) })
}

// mayKey is may where each key of the row means something else: one of them may do something.
func (r refusals) mayKey(row panes.Row, why func(*view, string) form.WhyNot) panes.Row {
	return r.refusing(row, func(v *view, key string) form.WhyNot {
		if key == "" {
			return form.WhyNot{}
		}
		return why(v, key)
	})
}

// refusing binds both sides of a refusal by the form. A key that is refused is one of the answer all the same: from
// then on the form keeps its own, whatever comes from elsewhere.
func (r refusals) refusing(row panes.Row, why func(*view, string) form.WhyNot) panes.Row {
	row.WhyNot = func(key string) string {
		if v := r.view(); v != nil {
			return whyNot(v, why(v, key), row.Action)
		}
		return ""
	}
	row.Refused = func(key, why string) {
		if v := r.view(); v != nil {
			v.form.Touch()
			r.remember(v, row.Action, key, why)
		}
	}
	return row
}

// choosing are the actions that choose something, or that change what Enter does.
var choosing = []keys.Action{keys.ActMark, keys.ActDigit, keys.ActRecommended, keys.ActAll, keys.ActAllRec,
	keys.ActAllow, keys.ActRefuse, keys.ActConfirm, keys.ActNote, keys.ActText, keys.ActCancel, keys.ActDetail,
	keys.ActLater}

// remember tells the guard of a choice that the form did not take. Where only one option is taken, the one under the
// cursor is marked already.
func (r refusals) remember(v *view, a keys.Action, key, why string) {
	if slices.Contains(choosing, a) && (a != keys.ActMark || !v.q().Radio() || v.q().Unmarked()) {
		r.host.Seat().Guard.NotTaken(keys.Written(key), why)
	}
}

// ends binds to a row that begins the reason of a cancel why there is nothing to cancel, or why it cannot begin.
func (r refusals) ends(row panes.Row, field form.Field) panes.Row {
	row = r.may(row, func(v *view) form.WhyNot { return v.form.MayBegin(field) })
	begins := row.WhyNot
	row.WhyNot = func(key string) string {
		if v := r.view(); v != nil && !v.session.Pending() {
			return say.NothingToEnd
		}
		return begins(key)
	}
	return row
}

// words returns a WhyNot that gives its reason in its own words.
func (r refusals) words(why func(*view) string) func(string) string {
	return func(string) string {
		if v := r.view(); v != nil {
			return why(v)
		}
		return ""
	}
}

// whyNot says why the form does not do what an action asks for; empty: it does.
func whyNot(v *view, why form.WhyNot, a keys.Action) string {
	return say.WhyNot(why, a, v.form.StepWhole(), v.speech())
}

// nth returns which of an action's keys was pressed, counted from 1.
func nth(v *view, place keys.Place, a keys.Action, key string) int { return v.keys.Nth(place, a, key) }

func mayRecommend(v *view) form.WhyNot { return v.q().MayRecommend() }

// mayRecommendAll is mayRecommend where there is one question. Of several it says how many have no recommendation.
func mayRecommendAll(v *view) form.WhyNot {
	if v.form.Several() {
		return form.WhyNot{}
	}
	return mayRecommend(v)
}

// whyNotEdited says why the person's editor does not open; empty: it does.
func (r refusals) whyNotEdited(v *view) string {
	if r.o.Edit == nil {
		return say.NoEditor
	}
	field, a := editable(v)
	if v.editor() != nil {
		return ""
	}
	return whyNot(v, v.form.MayBegin(field), a)
}

func whyNotTurned(v *view) string {
	if !v.form.Several() {
		return say.OneQuestion
	}
	return ""
}

func whyNotCopied(v *view) string {
	if queue.Blank(strings.Join(v.form.Typed(), "")) {
		return say.NothingToCopy
	}
	return ""
}

// whyNotMoved says why the question cannot have so much more time, or less; empty: it can.
func (r refusals) whyNotMoved(by time.Duration) func(string) string {
	return r.words(func(v *view) string { return notMoved(v, r.host.Seat().MayMove(by)) })
}

func notMoved(v *view, err error) string {
	switch {
	case errors.Is(err, desk.ErrOver):
		return say.NothingToEnd
	case errors.Is(err, desk.ErrNoClock):
		return say.ClockStill(v.session, say.FaceScreen)
	case errors.Is(err, desk.ErrLeast):
		return say.ClockLeast(v.speech())
	case errors.Is(err, desk.ErrMost):
		return say.ClockMost(say.FaceScreen)
	}
	return ""
}

// whyNotUndone says why there is nothing to take back; empty: there is.
func (r refusals) whyNotUndone(v *view) string {
	if r.host.Seat().Undoable() == nil && (v.hid == nil || r.o.SetHides == nil) {
		return say.NothingToTakeBack
	}
	return ""
}

// whyNotLater says why the question is not set aside; empty: it can be.
func (r refusals) whyNotLater(*view) string {
	if err := r.host.Seat().MayLater(); err != nil {
		return notLater(err)
	}
	return ""
}

func notLater(err error) string {
	switch {
	case errors.Is(err, desk.ErrOver):
		return say.NothingToEnd
	case errors.Is(err, desk.ErrSending):
		return say.BeingSent(say.FaceScreen)
	case errors.Is(err, desk.ErrLaterAttached):
		return say.LaterAttached
	}
	return say.NotLater(err, say.FaceScreen)
}
