package portal

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/form"
)

// table binds the actions that a page has.
var table = map[keys.Action]row{}

func init() { // the rows refer to the table by what they do
	maps.Copy(table, answers())
	maps.Copy(table, steps())
}

// answers returns the actions that make the answer.
func answers() map[keys.Action]row {
	return map[keys.Action]row{
		keys.ActUp:     {do: func(v verbs, _ int) { walker{v}.move(-1) }, effect: verbs.motion, always: true},
		keys.ActDown:   {do: func(v verbs, _ int) { walker{v}.move(1) }, effect: verbs.motion, always: true},
		keys.ActFirst:  {do: func(v verbs, _ int) { walker{v}.ends(false) }, effect: verbs.motion, always: true},
		keys.ActLast:   {do: func(v verbs, _ int) { walker{v}.ends(true) }, effect: verbs.motion, always: true},
		keys.ActEnter:  {do: func(v verbs, _ int) { v.enter() }, effect: verbs.enterEffect, always: true},
		keys.ActMark:   {do: func(v verbs, _ int) { v.mark() }, effect: verbs.mayMark, toggles: true},
		keys.ActDigit:  {do: verbs.digit, effect: verbs.mayChoose, toggles: true},
		keys.ActAllow:  {do: func(v verbs, _ int) { approver{v}.allow() }},
		keys.ActRefuse: {do: func(v verbs, _ int) { approver{v}.refuse() }},
		keys.ActRecommended: {toggles: true,
			do: func(v verbs, _ int) { v.refuse(v.q().Recommend(), keys.ActRecommended) }},
		keys.ActAll:     {do: func(v verbs, _ int) { v.refuse(v.q().All(), keys.ActAll) }, toggles: true},
		keys.ActNote:    {do: verbs.note},
		keys.ActComment: {do: func(v verbs, _ int) { v.begin(form.FieldComment, keys.ActComment) }},
		keys.ActText:    {do: func(v verbs, _ int) { v.text() }},
		keys.ActFind:    {do: func(v verbs, _ int) { v.begin(form.FieldFind, keys.ActFind) }},
		keys.ActCancel:  {do: func(v verbs, _ int) { v.beginCancel() }, whyNot: whyNotEnded, always: true},
		keys.ActDetail: {do: func(v verbs, _ int) { v.begin(form.FieldDetail, keys.ActDetail) },
			whyNot: whyNotEnded},
		keys.ActLater:    {do: func(v verbs, _ int) { walker{v}.later() }, whyNot: whyNotLater},
		keys.ActUndoLast: {do: func(v verbs, _ int) { walker{v}.undo() }, always: true},
		keys.ActHide:     {do: func(v verbs, n int) { walker{v}.hide(n) }},
		keys.ActHidden:   {do: func(v verbs, _ int) { v.refuse(v.q().ShowHidden(), keys.ActHidden) }},
	}
}

// steps returns the actions that move on, back or elsewhere.
func steps() map[keys.Action]row {
	return map[keys.Action]row{
		keys.ActMore:    {do: func(v verbs, _ int) { walker{v}.moveClock(time.Minute) }, whyNot: whyNotMoved},
		keys.ActLess:    {do: func(v verbs, _ int) { walker{v}.moveClock(-time.Minute) }, whyNot: whyNotMoved},
		keys.ActTabNext: {do: func(v verbs, _ int) { walker{v}.turn((*form.Form).Next) }},
		keys.ActTabBack: {do: func(v verbs, _ int) { walker{v}.turn((*form.Form).Back) }},
		keys.ActAllRec:  {do: func(v verbs, _ int) { walker{v}.recommendAll() }},
		keys.ActChangeOne: {do: func(v verbs, n int) {
			v.refuse(v.form().GoTo(n-1), keys.ActChangeOne)
			v.reviewed()
		}},
		keys.ActStartOver:  {do: func(v verbs, _ int) { walker{v}.startOver() }},
		keys.ActConfirm:    {do: func(v verbs, _ int) { walker{v}.confirm() }},
		keys.ActDecline:    {do: func(v verbs, _ int) { v.form().Decline() }},
		keys.ActCopy:       {do: func(v verbs, _ int) { v.copyTyped() }, always: true},
		keys.ActBack:       {do: func(v verbs, _ int) { v.back() }, always: true},
		keys.ActReasonUp:   {do: func(v verbs, _ int) { v.takeReason(v.reason - 1) }},
		keys.ActReasonDown: {do: func(v verbs, _ int) { v.takeReason(v.reason + 1) }},
		keys.ActNext:       {do: func(v verbs, _ int) { walker{v}.step(1) }, always: true},
		keys.ActPrevious:   {do: func(v verbs, _ int) { walker{v}.step(-1) }, always: true},
		keys.ActOpenOne:    {do: func(v verbs, n int) { walker{v}.openOne(n) }, always: true},
		keys.ActSettings:   {do: func(v verbs, _ int) { walker{v}.showPanel(panelSettings) }, always: true},
		keys.ActHelp:       {do: func(v verbs, _ int) { walker{v}.showPanel(panelHelp) }, always: true},
	}
}

// choosing are the actions that choose something, or that change what Enter does.
var choosing = []keys.Action{keys.ActMark, keys.ActDigit, keys.ActRecommended, keys.ActAll, keys.ActAllRec,
	keys.ActAllow, keys.ActRefuse, keys.ActConfirm, keys.ActNote, keys.ActText, keys.ActCancel, keys.ActDetail,
	keys.ActLater}

// mayChoose returns what choosing an option by its number does now, for the guard.
func (v verbs) mayChoose() desk.Effect { return v.choice(desk.Choosing) }

// mayMark returns what choosing the option under the cursor does now.
func (v verbs) mayMark() desk.Effect { return v.choice(desk.Sending) }

func (v verbs) choice(sends desk.Effect) desk.Effect {
	if f := v.form(); f != nil && f.Here().SubmitsAtOnce() {
		return sends
	}
	return desk.Marking
}

// motion returns what moving the cursor does now: the dot of a radio follows it.
func (v verbs) motion() desk.Effect {
	if f := v.form(); f != nil && !f.Reviewing() && (f.Here().Radio() || f.Approves()) {
		return desk.Marking
	}
	return desk.Moving
}

// enterEffect returns what Enter does now.
func (v verbs) enterEffect() desk.Effect {
	f := v.form()
	if v.held() != nil {
		return desk.Sending
	}
	if f == nil || !v.session().Pending() || f.Typing() != form.FieldNone {
		return desk.Elsewhere
	}
	switch f.Plan(form.Facts{}).Step {
	case form.StepTake, form.StepOpen, form.StepType, form.StepArm:
		return desk.Stepping
	}
	return desk.Sending
}

// inPanels are the actions that keys have in front of the page; the fields there have keys of their own.
var inPanels = []keys.Action{keys.ActBack, keys.ActHelp, keys.ActSettings}

// rowOf returns the row of an action in a place; false: the page does not have it there.
func rowOf(a keys.Action, place keys.Place) (row, bool) {
	r, ok := table[a]
	switch place {
	case keys.PlaceHelp, keys.PlaceSettings:
		ok = slices.Contains(inPanels, a)
	case keys.PlaceQueue:
		ok = ok && r.always && r.whyNot == nil // the others want a question
	}
	return r, ok
}

// keysOf returns the keys that mean something in a place.
func keysOf(m keys.Map, place keys.Place) (list []string) {
	for _, b := range m {
		for _, key := range b.Keys {
			if found := m.Lookup(place, key); key != "" && found != nil && found.Action == b.Action {
				if _, does := rowOf(b.Action, place); does || b.Action == keys.ActNewLine && place == keys.PlaceTyping {
					list = append(list, key)
				}
			}
		}
	}
	return list
}

// q returns the question on view.
func (v verbs) q() *form.Question { return v.form().Here() }

// refuse says why an action of the form did nothing.
func (v verbs) refuse(why form.WhyNot, a keys.Action) {
	if why.OK() {
		return
	}
	v.notTaken = slices.Contains(choosing, a) && why.Reason != form.FollowsCursor
	step := form.StepSend
	switch f := v.form(); {
	case f.Several():
		step = form.StepTake
	case f.Ask().Confirm:
		step = form.StepConfirm
	}
	v.notice = say.WhyNot(why, a, step, v.speech())
}

// enter does what the line beside the button says.
func (v verbs) enter() {
	if v.id == "" {
		v.goTo(choicePath+v.row, true)
		return
	}
	if v.held() != nil {
		v.seat.SendNow()
		return
	}
	f := v.form()
	if !v.session().Pending() {
		v.notice = say.NothingHere(v.all.keys, v.place(), keys.Written("enter"), enterName, v.seat.LeaveEnds())
		return
	}
	if f == nil {
		return
	}
	switch f.Enter() {
	case form.StepSend:
		v.send(v.seat.Send)
	case form.StepEnd:
		texts(v).end(false)
	case form.StepTake, form.StepOpen:
		v.reviewed()
	case form.StepConfirm:
		v.seat.CameUp()
	case form.StepCancel:
		texts(v).end(false)
		v.send(v.seat.Cancel)
	}
}

// send ends the question on view by answer or cancel.
func (v verbs) send(end func() error) {
	if err := end(); errors.Is(err, desk.ErrSending) {
		v.notice = say.BeingSent(say.FacePage)
	}
}

// reviewed tells the guard that the person went to another step of the form.
func (v verbs) reviewed() { v.seat.BroughtUp() }

func (v verbs) mark() {
	sends, why := v.q().Toggle()
	if v.refuse(why, keys.ActMark); sends {
		v.enter()
	}
}

func (v verbs) digit(n int) {
	v.ousted = false
	sends, why := v.q().Digit(n)
	if v.refuse(why, keys.ActDigit); sends {
		v.enter()
	}
}

// note begins the note on the n-th option, 0: on the one under the cursor.
func (v verbs) note(n int) {
	if n > 0 {
		v.toOption(n)
	}
	v.begin(form.FieldNote, keys.ActNote)
}

// toOption brings the cursor to the n-th option.
func (v verbs) toOption(n int) {
	q := v.q()
	if v.form().Approves() {
		v.digit(n)
		return
	}
	for at, i := range q.Rows() {
		if i == n-1 && at != q.Cursor() {
			q.Move(at - q.Cursor())
			return
		}
	}
}

// text begins the person's own words; where the question takes none, they are why it is cancelled.
func (v verbs) text() {
	if v.q().MayWrite().OK() || v.form().Reviewing() {
		v.begin(form.FieldText, keys.ActText)
		return
	}
	if v.begin(form.FieldReason, keys.ActText) {
		v.form().BeginInstead()
	}
}

// begin opens a text field, and reports whether it did.
func (v verbs) begin(field form.Field, a keys.Action) bool {
	texts(v).end(true)
	_, why := v.form().Begin(field)
	v.refuse(why, a)
	v.reason = 0
	return why.OK()
}

// beginCancel opens the line in which the question is cancelled; an answer that is held back is taken back for it.
func (v verbs) beginCancel() {
	if v.held() != nil {
		v.seat.TakeBack()
	}
	if v.form() != nil {
		v.begin(form.FieldReason, keys.ActCancel)
	}
}

// back goes one level back.
func (v verbs) back() {
	f := v.form()
	switch {
	case v.panel != "":
		v.panel = ""
	case v.id == "":
	case f == nil || !v.session().Pending():
		v.goTo("/", true)
	case f.Typing() != form.FieldNone:
		find := f.Typing() == form.FieldFind
		texts(v).end(false)
		if find {
			f.Here().Widen()
		}
	case f.Confirming():
		f.Decline()
	case !f.Reviewing() && f.Here().Mode == queue.ModeText:
		v.leftField = true
	case !f.Reviewing():
		f.Here().Widen()
	}
}

// takeReason puts the n-th suggested reason into the cancel line, around its ends.
func (v verbs) takeReason(n int) {
	ready := suggestions(v.form())
	if len(ready) == 0 {
		return
	}
	v.reason = ((n-1)%len(ready)+len(ready))%len(ready) + 1
	v.form().Type(ready[v.reason-1])
	v.forced = true
}

// suggestions returns the texts that are offered for the line being typed.
func suggestions(f *form.Form) []string {
	switch f.Typing() {
	case form.FieldDetail:
		return say.SuggestedDetails
	case form.FieldReason:
		return say.SuggestedReasons
	}
	return nil
}

// copyTyped copies what the person typed.
func (v verbs) copyTyped() {
	f := v.seat.FormOf(v.id)
	if f == nil || len(f.Typed()) == 0 {
		v.notice = say.NothingToCopy
		return
	}
	text := strings.Join(f.Typed(), "\n\n")
	v.out.put(func(m *message) { m.Copy = text })
	v.notice = say.Copied(text, v.speech().Cut)
}
