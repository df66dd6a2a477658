package plain

import (
	"errors"
	"strconv"
	"time"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/form"
)

// choose is a line of numbers.
func (a *answering) choose(list []int) {
	f := a.here()
	if f == nil {
		return
	}
	if f.Reviewing() {
		if len(list) != 1 || !f.GoTo(list[0]-1).OK() {
			a.say(say.WhichAnswer(f.Len()))
			return
		}
		a.onView()
		return
	}
	q := f.Here()
	if q.Question.Radio() && len(list) > 1 {
		a.refuses(form.WhyNot{Reason: form.OneAnswerOnly}, keys.ActDigit)
		return
	}
	why := q.Choose(list...)
	if why.OK() && q.SubmitsAtOnce() {
		a.save()
		a.takeIt()
		return
	}
	a.chosen(why, keys.ActDigit)
}

// chosen says back what was chosen.
func (a *answering) chosen(why form.WhyNot, by keys.Action) {
	if a.refuses(why, by) {
		return
	}
	a.save()
	a.offer()
}

// allow marks what allows an approval once.
func (a *answering) allow(string) {
	if f := a.inQuestion(); f != nil {
		a.chosen(f.Allow(), keys.ActAllow)
	}
}

// refuse marks the refusal of an approval, with the words that go with it. Where its agent offers none, a cancel is
// one.
func (a *answering) refuse(words string) {
	f := a.inQuestion()
	switch {
	case f == nil:
	case f.MayRefuse().Reason == form.NotOffered:
		a.cancel(words)
	case words == "" || !f.MayRefuse().OK():
		a.chosen(f.Refuse(), keys.ActRefuse)
	case !a.refuses(f.MayBegin(form.FieldRefusal), keys.ActNote):
		f.Refuse()
		refusal := f.Here().Selected()[0]
		a.begin(&typing{put: func(text string) { f.Here().Note(refusal, text) }}, words)
	}
}

// inQuestion is the form, where one of its questions is on view.
func (a *answering) inQuestion() *form.Form {
	f := a.here()
	if f != nil && f.Reviewing() {
		a.say(say.ThisIsTheReview)
		return nil
	}
	return f
}

func (a *answering) recommended(string) {
	f := a.inQuestion()
	switch {
	case f == nil:
	case f.Approves():
		a.refuses(form.WhyNot{Reason: form.NotForApprovals}, keys.ActRecommended)
	default:
		a.chosen(f.Here().Recommend(), keys.ActRecommended)
	}
}

func (a *answering) all(string) {
	f := a.inQuestion()
	if f == nil {
		return
	}
	q := f.Here()
	switch {
	case q.Mode == queue.ModeText:
		a.chosen(form.WhyNot{Reason: form.WordsOnly}, keys.ActAll)
	case q.AllMarked():
		a.chosen(form.WhyNot{}, keys.ActAll)
	default:
		a.chosen(q.All(), keys.ActAll)
	}
}

func (a *answering) none(string) {
	if f := a.inQuestion(); f != nil {
		f.Here().Select()
		a.chosen(form.WhyNot{}, keys.ActNone)
	}
}

func (a *answering) cancel(reason string) {
	if a.here() == nil {
		return
	}
	a.reason, a.detail, a.asked = reason, false, asksCancel
	a.say(say.AsksCancel(a.seat.Session(), reason))
}

// moreDetail asks whether to end the question because the person wants to know more first.
func (a *answering) moreDetail(about string) {
	f := a.here()
	if f == nil || a.refuses(f.MayWantDetail(), keys.ActDetail) {
		return
	}
	s := a.seat.Session()
	a.reason, a.detail, a.asked = about, true, asksCancel
	a.say(say.WantsDetail(s, about, f.Len()))
}

// later asks whether to set the question aside.
func (a *answering) later(string) {
	if a.here() == nil {
		return
	}
	if err := a.seat.MayLater(); err != nil {
		a.say(say.NotLater(err, say.FaceLines))
		return
	}
	until, _, givesUp := a.seat.LaterTimes()
	a.asked = asksLater
	a.say(say.AsksLater(until, givesUp, say.Who(a.seat.Session().Origin)))
}

func (a *answering) setAside() {
	until, _, _ := a.seat.LaterTimes()
	switch err := a.seat.Later(); {
	case errors.Is(err, desk.ErrOver):
		a.say(say.Sentence(say.NothingToEnd))
		return
	case errors.Is(err, desk.ErrSending):
		a.say(say.BeingSent(say.FaceLines))
		return
	case errors.Is(err, desk.ErrLaterAttached):
		a.say(say.Sentence(say.LaterAttached))
		return
	case err != nil:
		a.say(say.NotLater(err, say.FaceLines))
		return
	}
	a.say(say.IsAside(until))
}

// hide asks before it keeps an option out of later questions of the same client; one that is hidden is shown again at
// once.
func (a *answering) hide(number string) {
	f := a.inQuestion()
	if f == nil {
		return
	}
	n, err := strconv.Atoi(number)
	if err != nil {
		a.say(say.WhichToHide(a.speech()))
		return
	}
	o, why := f.Here().MayHideNumber(n)
	if a.refuses(why, keys.ActHide) {
		return
	}
	from := a.seat.Session().Origin
	option := config.HiddenOption{Client: from.Client, ID: o.ID, Label: o.Label}
	if f.Here().IsHidden(o.ID) {
		a.hiding.set(option, false)
		return
	}
	a.hiding.asked, a.asked = option, asksHide
	a.say(say.AsksHide(o, f.Here().Marked(o.ID), say.Who(from)))
}

// undo takes back the answer that is held back, else it shows the option again that was just hidden.
func (a *answering) undo(string) {
	switch {
	case a.seat.TakeBack():
		a.say(say.Sentence(say.TakenBack))
		a.announceQuestion()
	case a.hiding.last != nil:
		a.hiding.set(*a.hiding.last, false)
	default:
		a.say(say.Sentence(say.NothingToTakeBack))
	}
}

func (a *answering) back(string) {
	switch f := a.here(); {
	case f == nil:
	case !f.Back():
		a.say(say.FirstQuestion)
	default:
		a.onView()
	}
}

func (a *answering) again(string) {
	if a.here() != nil {
		a.announce()
	}
}

func (a *answering) showHidden(string) {
	if f := a.inQuestion(); f != nil && !a.refuses(f.Here().ShowHidden(), keys.ActHidden) {
		a.announceQuestion()
	}
}

// moveClock gives time or takes some. The new time is said once the store has it.
func (a *answering) moveClock(by time.Duration) {
	if a.here() == nil {
		return
	}
	switch err := a.seat.Move(by); {
	case errors.Is(err, desk.ErrNoClock):
		a.say(say.ClockStill(a.seat.Session(), say.FaceLines))
	case errors.Is(err, desk.ErrLeast):
		a.say(say.ClockLeast(a.speech()))
	case errors.Is(err, desk.ErrMost):
		a.say(say.ClockMost(say.FaceLines))
	}
}
