package app

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/choicetui/choicetui/app/desk"
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/queue"
)

const (
	holdBelow = 45 * time.Second // with less left, typing moves the deadline
	holdTo    = time.Minute
	leastLeft = time.Minute // what `-` never goes under
)

// actQuestion does what a key asks of the question on screen.
func (d *Dashboard) actQuestion(a keys.Action, key string) {
	f := d.form
	if f == nil {
		return
	}
	f.Note = ""
	switch a {
	case keys.ActUp:
		f.Move(-1)
	case keys.ActDown:
		f.Move(1)
	case keys.ActFirst:
		f.Ends(false)
	case keys.ActLast:
		f.Ends(true)
	case keys.ActDigit:
		if f.Digit(d.keys.Nth(keys.PlaceQuestion, a, key)) {
			d.enter()
		}
	case keys.ActMark:
		if f.Mark() {
			d.enter()
		}
	case keys.ActRecommended:
		f.Recommended()
	case keys.ActAll:
		f.All()
	case keys.ActEnter:
		d.enter()
	default:
		if !d.actSteps(a, key) {
			d.actText(a)
		}
	}
	if f.Note != "" {
		d.message = f.Note
	}
	d.draftSoon()
}

// actText does the rest: text fields, reading, hiding, time.
func (d *Dashboard) actText(a keys.Action) {
	f := d.form
	switch a {
	case keys.ActNote:
		f.StartNote()
	case keys.ActComment:
		f.StartComment()
	case keys.ActText:
		f.StartText()
	case keys.ActCancel:
		d.focus = areaQuestion
		f.StartReason()
	case keys.ActFind:
		f.StartFind()
	case keys.ActEditor:
		d.edit()
	case keys.ActPageUp:
		f.Scroll(-2)
	case keys.ActPageDown:
		f.Scroll(2)
	case keys.ActHalfUp:
		f.Scroll(-1)
	case keys.ActHalfDown:
		f.Scroll(1)
	case keys.ActFull:
		f.FullHeight()
	case keys.ActHidden:
		f.ShowHidden()
	case keys.ActHide:
		d.hide()
	case keys.ActMore:
		d.moveClock(time.Minute)
	case keys.ActLess:
		d.moveClock(-time.Minute)
	case keys.ActCopy:
		d.copyText(f.Typed())
	case keys.ActBack:
		if _, pending := d.pending(); !pending {
			d.leave()
		} else if !f.ClearFind() && f.IsFull() {
			f.FullHeight()
		}
	}
}

// enter does what the Enter line says.
func (d *Dashboard) enter() {
	if _, pending := d.pending(); !pending {
		return
	}
	switch d.form.Enter(d.glyphs).Step {
	case panes.StepSend:
		d.send()
	case panes.StepType:
		d.form.StartText()
	case panes.StepArm:
		d.form.Arm()
	case panes.StepTake:
		d.form.TakeAnswer()
		d.guard.reviewed(d.form.Reviewing(), d.now())
	case panes.StepTab:
		d.form.GoToOpen()
	case panes.StepConfirm:
		d.form.StartConfirm()
		d.guard.appear(d.now())
	}
}

// actSteps moves between the steps of a form: questions, review, confirmation; false: it is none of these.
func (d *Dashboard) actSteps(a keys.Action, key string) bool {
	f := d.form
	switch a {
	case keys.ActConfirm:
		d.settle(queue.Settle{Answer: f.Answer(), Confirmed: true})
	case keys.ActDecline:
		f.EndConfirm()
	case keys.ActPageDown, keys.ActHalfDown, keys.ActPageUp, keys.ActHalfUp:
		if !f.Confirming() {
			return false
		}
		f.ScrollConfirm(map[keys.Action]int{keys.ActPageDown: 2, keys.ActHalfDown: 1, keys.ActPageUp: -2, keys.ActHalfUp: -1}[a])
	case keys.ActTabNext, keys.ActTabBack:
		n := 1
		if a == keys.ActTabBack {
			n = -1
		}
		if !f.Several() {
			d.message = "this ask has one question"
		} else if f.Tab(n) {
			d.guard.reviewed(f.Reviewing(), d.now())
		}
	case keys.ActAllRec:
		if !f.Several() {
			f.Recommended()
			break
		}
		f.AllRecommended()
		d.guard.reviewed(f.Reviewing(), d.now())
	case keys.ActChangeOne:
		f.ChangeOne(d.keys.Nth(keys.PlaceReview, a, key))
	case keys.ActStartOver:
		f.StartOver()
	case keys.ActBack:
		if !f.Confirming() {
			return false
		}
		f.EndConfirm()
	default:
		return false
	}
	return true
}

func (d *Dashboard) actTyping(a keys.Action) {
	switch a {
	case keys.ActEnter, keys.ActBack:
		d.form.EndTyping()
		delete(d.held, d.shown())
	case keys.ActNewLine:
		e := d.form.Editor()
		d.typed(e, e.NewLine)
	case keys.ActEditorHere:
		d.edit()
	}
	d.draftSoon()
}

func (d *Dashboard) actReason(a keys.Action) {
	switch a {
	case keys.ActReasonUp:
		d.form.NextReason(-1)
	case keys.ActReasonDown:
		d.form.NextReason(1)
	case keys.ActBack:
		d.form.EndTyping()
	case keys.ActEnter:
		if d.form.Enter(d.glyphs).Step != panes.StepCancel {
			return // the Enter line says why
		}
		reason := d.form.Reason()
		d.form.EndTyping()
		d.settle(queue.Cancel{Reason: reason})
	}
	d.draftSoon()
}

// send answers the session that is drawn with what is drawn.
func (d *Dashboard) send() { d.settle(queue.Settle{Answer: d.form.Answer()}) }

// settle ends the session on screen by answer or cancel. If it cannot be stored the form stays, says so, and the
// same command is tried again until it is or the person changes their mind.
func (d *Dashboard) settle(do queue.Action) {
	out := d.outbox.Put(d.shown(), do, d.form.Draft())
	if out == nil {
		d.message = "it is being sent"
		return
	}
	if d.work.Stuck() {
		out.Err = desk.ErrStuck
	}
	d.try(out)
}

// try stores an answer or a cancel.
func (d *Dashboard) try(out *desk.Outgoing) {
	out.Try(d.now())
	d.do(out.Session, out.Command, func(s queue.Session, err error) {
		switch d.outbox.Judge(out, err, d.now()) {
		case desk.Stored:
			d.result(s) // if it was in doubt, it was not taken yet
			d.say(sent(s))
			d.last.follow(s)
			d.keptFor()
			d.forget(s, out.Draft)
		case desk.Over: // its screen says who won
		case desk.Refused:
			d.message = "not sent: " + strings.ReplaceAll(out.Err.Error(), "\n", " · ")
		case desk.Unstored:
			time.AfterFunc(desk.RetryIn, func() { d.post(d.retry) })
		}
		d.refresh()
	})
}

// retry tries again what is due and still waits.
func (d *Dashboard) retry() {
	now := d.now()
	for _, out := range d.outbox.Due(now) {
		if s, ok := d.live[out.Session]; ok && s.At(now).Pending() {
			d.try(out)
			continue
		}
		d.outbox.Forget(out.Session)
	}
}

// forget drops the draft of a session that was answered here, unless it holds text that did not go out: that stays
// as long as drafts do, and history shows it.
func (d *Dashboard) forget(s queue.Session, draft queue.Draft) {
	delete(d.drafts, s.ID)
	d.keepDraft(s.ID, func() {
		if len(draft.Unsent(s)) == 0 {
			_ = d.o.Queue.Store.DropDraft(context.Background(), s.ID, d.o.Instance)
			return
		}
		draft.Instance, draft.At = d.o.Instance, d.now().UTC()
		_ = d.o.Queue.Store.SaveDraft(context.Background(), draft)
	})
}

// moveClock gives a minute or takes one, never going under one minute.
func (d *Dashboard) moveClock(by time.Duration) {
	s, pending := d.pending()
	if !pending || s.Deadline.IsZero() {
		return
	}
	to := s.Deadline.Add(by)
	switch left := s.Deadline.Sub(d.now()); {
	case by < 0 && left <= leastLeft:
		d.message = d.keys.KeyOf(keys.PlaceQuestion, keys.ActLess) + " never goes under 1:00"
		return
	case by < 0 && left+by < leastLeft:
		to = d.now().Add(leastLeft)
	case by > 0 && left+by > queue.MaxTimeout:
		d.message = "24 h is the most"
		return
	}
	d.moveTo(s, to)
}

// moveTo sets the deadline, here at once, so that the next key counts from it, and in the store.
func (d *Dashboard) moveTo(s queue.Session, to time.Time) {
	s.Deadline, s.FuseFrom = to, d.now()
	d.live[s.ID], d.form.Session, d.stale = s, s, true
	d.do(s.ID, queue.Command{Do: queue.Move{To: to}}, d.movedClock)
}

func (d *Dashboard) movedClock(_ queue.Session, err error) {
	d.holding = false
	if err != nil && !errors.Is(err, queue.ErrSettled) && !errors.Is(err, queue.ErrFinal) {
		d.message = "the clock was not moved: " + err.Error()
	}
	d.refresh()
}

// holdClock keeps the time from running out under somebody who types.
func (d *Dashboard) holdClock() {
	s, pending := d.pending()
	if !pending || !d.settings.HoldWhileTyping || d.holding || s.Deadline.IsZero() || s.Deadline.Sub(d.now()) >= holdBelow {
		return
	}
	d.holding = true
	d.held[s.ID] = true
	d.moveTo(s, d.now().Add(holdTo))
}

// hide keeps the option under the cursor out of later asks of the same client too, or shows it again.
func (d *Dashboard) hide() {
	o, ok := d.form.MayHide()
	if !ok {
		return
	}
	entry := config.HiddenOption{Client: d.form.Session.Origin.Client, ID: o.ID, Label: o.Label}
	was := d.form.IsHidden(o.ID)
	d.later(func() {
		err := d.o.Settings.Update(func(s *config.Settings) { s.HiddenOptions = toggled(s.HiddenOptions, entry, was) })
		d.post(func() {
			if err != nil {
				d.message = "not hidden: " + err.Error()
			}
			d.newSettings()
		})
	})
	show, hide := d.keys.KeyOf(keys.PlaceQuestion, keys.ActHidden), d.keys.KeyOf(keys.PlaceQuestion, keys.ActHide)
	if d.form.Note = "hidden from now on"; show != "" {
		d.form.Note += ": " + show + " shows it, " + hide + " there brings it back"
	}
	if was {
		d.form.Note = "shown again from now on"
	}
}

func toggled(list []config.HiddenOption, entry config.HiddenOption, remove bool) []config.HiddenOption {
	var out []config.HiddenOption
	for _, h := range list {
		if h != entry {
			out = append(out, h)
		}
	}
	if !remove {
		out = append(out, entry)
	}
	return out
}

func quitWords(waiting int) string {
	if waiting == 1 {
		return " again quits; 1 question stays in the queue"
	}
	return fmt.Sprintf(" again quits; %d questions stay in the queue", waiting)
}
