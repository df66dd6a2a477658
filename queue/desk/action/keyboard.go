package action

import (
	"errors"
	"time"
	"unicode/utf8"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/form"
)

// Frontend is the screen, page or lines that the person uses. The owner of the desk calls all its methods.
type Frontend interface {
	Facts() Facts              // returns the present facts; called for each action
	Show(Effect)               // draws the effect of an action on the question on view, and its offer
	Refused(desk.Press, error) // shows that the guard refused a key, and why
	Words(Message) string      // puts a message into words; empty: the frontend shows it in another way
	Say(words string)          // shows words about an action

	// SetHides puts an option on the list of those that the person never wants to see again, or takes it from there.
	// It calls done once the settings have it.
	SetHides(entry config.HiddenOption, hide bool, done func(error))
}

// Keyed is a frontend with keys. Its methods are called for each key.
type Keyed interface {
	Keys() Map
	Place() Place     // where keys go now
	TypesFirst() bool // the field of an answer that is only words is open: the next character begins the answer
	// Deletes reports whether a key deletes from the words that the agent proposes in that field, and so begins the
	// answer.
	Deletes(key string) bool
	Field() any // what takes the text that is typed now; nil: no field of this frontend is open

	// Own returns the frontend's own row of an action in the present place. A row without Do leaves the action to the
	// question on view. false: the frontend does not have the action there.
	Own(Name) (Row, bool)
	// Else returns the frontend's row of an action that neither Own nor the question has; without Do there is none.
	Else(Name) Row

	// NoKey says that a key does nothing in a place. row is the row of the key table that has it there, or nil.
	NoKey(place Place, key string, row *Row)
}

// Input is a key, a click or a word, as a frontend read it.
type Input struct {
	Action  Name
	Arg     Arg
	Key     string // the key's name in the terminal library, to compare keys
	Name    string // the key's name as the frontend shows it
	Letter  bool   // the key is a letter that may be part of a sentence
	Click   bool   // a mouse click; the person saw its target, so that no text can be meant for another pane
	Waits   bool   // if the key is a letter, the action waits for a moment, and another key cancels it
	Repeats bool   // a waiting action is done once for each press of the key
	Alone   bool   // if the key is a letter, it does nothing directly after another letter
	Whole   bool   // a whole line of text; the guard treats it like a key that marks, and a line of Enter like sending
	Held    bool   // the key is known to be a repeat of a held key
}

// Keyboard carries out the person's actions at one view, for one frontend. It asks the guard, delays letters that act
// without Enter, keeps the offer that the next Enter carries out, and makes the changes that actions ask for.
type Keyboard struct {
	view    *desk.View
	front   Frontend
	keyed   Keyed // nil: the frontend has no keys
	letter  desk.PostponedLetter
	atOnce  bool // Enter carries out the letter at once
	letters letters
	number  number
	stepped bool // the last key stepped through the queue

	do func() // carries out the present offer; nil: there is none
	// others returns what a key other than Enter does to the offer; if it returns nil, the key cancels the offer. If
	// others itself is nil, every key but Enter cancels the offer.
	others func(key string) func()

	whole bool // the last Input was a whole line

	hid   *config.HiddenOption // the option that was hidden here last, until it is shown again
	hidOn string               // the session in which hid was hidden
}

// NewKeyboard returns the keyboard of a frontend at a view.
func NewKeyboard(view *desk.View, front Frontend) *Keyboard {
	return &Keyboard{view: view, front: front}
}

// Serve makes the keyboard take the keys of a frontend.
func (k *Keyboard) Serve(keyed Keyed) { k.keyed = keyed }

// At describes the question on view. Its Form is nil if no question is on view.
func (k *Keyboard) At() At {
	v := k.view.OnView()
	at := At{View: k.view, Form: v.Form, On: v.Session, paused: v.Paused, postponed: v.Postponed, inBatch: v.InBatch,
		ofTeam: v.OfTeam}
	if at.Form == nil {
		return at
	}
	at.Facts = k.front.Facts()
	if k.hid != nil && k.hidOn == k.view.Up() {
		at.Hid = k.hid
	}
	return at
}

// rowOf returns the row of an action on the question that counts now; nil: the question has no such action. On a
// question that has ended Enter has another row than in the table.
func (at At) rowOf(a Name) *Row {
	if a == Enter && at.over() {
		return enterOver
	}
	return Of(a)
}

// over reports whether the question has ended, and no field of it is open. A screen that was opened on one question
// closes with it, so there only Esc leaves it.
func (at At) over() bool {
	return at.Form != nil && !at.On.Pending() && !at.paused && !at.inBatch && at.Form.Typing() == form.FieldNone &&
		!at.View.ShowsHandOff()
}

// Has reports whether the question on view has an action.
func (k *Keyboard) Has(a Name) bool {
	at := k.At()
	return at.Form != nil && at.rowOf(a) != nil
}

// Press carries out a key that was read at now. It reports whether the key is text for the field that is open: the
// frontend gives it to that field. held says that the key is known to be a repeat of a held key. If the key may be one,
// again is called later, when that is known.
func (k *Keyboard) Press(key string, held bool, now time.Time, again func()) (text bool) {
	k.letters.note(key, now)
	place, stepping := k.keyed.Place(), k.stepped
	sendsNow := k.sendsNow(place, key, now)
	if !sendsNow {
		k.Overtake(key, now)
		k.number.end(key, now)
		place = k.keyed.Place()
	}
	k.stepped = false
	in, row := k.inputOf(place, key)
	in.Held = held
	if !k.IsPress(in, now, again) {
		k.dropTwice(row, key, now)
		return false
	}
	if sendsNow {
		k.letter.ActNow()
		return false
	}
	if k.TakeOffer(k.offered(in), now) {
		return false
	}
	if place == PlaceQuestion && k.keyed.TypesFirst() {
		if k.keyed.Keys().BeginsText(key, stepping) || k.keyed.Deletes(key) {
			return k.TypeFirst(key, now)
		}
		if row == nil {
			place = k.openFor(key, now)
			in, row = k.inputOf(place, key)
		}
	}
	k.stepped = place == PlaceQuestion && k.keyed.Keys().Steps(key)
	switch {
	case row == nil && k.keyed.Field() != nil: // text for the field, or a key that the field itself handles
		return k.typeKey(place, key, now)
	case row == nil || !k.Act(in, now):
		k.keyed.NoKey(place, key, row)
		k.view.TakeBackMarks(now, in.Letter)
		k.view.Guard.Stray(now)
	}
	return false
}

// sendsNow reports whether a key is the Enter that carries out at once the letter that waits.
func (k *Keyboard) sendsNow(place Place, key string, now time.Time) bool {
	row := k.keyed.Keys().Lookup(place, key)
	return k.atOnce && row != nil && row.Name == Enter && now.Before(k.letter.Due())
}

// dropTwice cancels the press of a deliberate letter that waits, if the same key comes again: it may be held, and what
// is held was not meant as one press. It reports whether there was such a press.
func (k *Keyboard) dropTwice(row *Row, key string, now time.Time) bool {
	if row == nil || !row.Deliberate || !k.letter.Holds(key) {
		return false
	}
	k.letter = desk.PostponedLetter{}
	k.view.Guard.WaitAgain(now)
	k.front.Refused(desk.Press{Key: Written(key), Deliberate: true}, desk.ErrTooSoon)
	return true
}

// inputOf returns a key as an input, with its row in a place; nil: it has none.
func (k *Keyboard) inputOf(place Place, key string) (Input, *Row) {
	in := Input{Key: key, Name: Written(key), Letter: IsLetter(key)}
	row := k.keyed.Keys().Lookup(place, key)
	if n, digits := k.number.with(key), k.keyed.Keys().row(place, Digit); n > 0 && digits.bound() {
		in.Action, in.Arg.N = Digit, n
		return in, &digits
	}
	if row == nil {
		return in, nil
	}
	in.Action, in.Waits, in.Repeats, in.Alone = row.Name, row.Waits, row.Repeats, row.Alone
	if row.Counted {
		in.Arg.N = row.nth(key)
	}
	return in, row
}

// offered returns a key as an input for the present offer. Offers concern the question on view, so the keys are those
// of a question in every place.
func (k *Keyboard) offered(in Input) Input {
	if k.Offers() {
		in.Action = ""
		if row := k.keyed.Keys().Lookup(PlaceQuestion, in.Key); row != nil {
			in.Action = row.Name
		}
	}
	return in
}

// openFor opens the field of an answer that is only words for a key that has an action there, and returns the new
// place.
func (k *Keyboard) openFor(key string, now time.Time) Place {
	if k.keyed.Keys().Lookup(PlaceTyping, key) != nil {
		k.Act(Input{Action: Text, Key: key, Name: Written(key)}, now)
	}
	return k.keyed.Place()
}

// typeKey tells the guard about a key for the field being typed. It reports whether the field gets the key: it does not
// if the key would be text there only because the person has bound its action to another key.
func (k *Keyboard) typeKey(place Place, key string, now time.Time) bool {
	if IsLetter(key) {
		k.view.Guard.Type(now)
	} else {
		k.view.Guard.TypeOn(now)
	}
	moved := k.keyed.Keys().Moved(place, key)
	k.front.Say(moved)
	return moved == ""
}

// Act carries out an action, and reports whether there is one with that name now.
func (k *Keyboard) Act(in Input, now time.Time) bool {
	at := k.At()
	row, own, found := k.find(at, in.Action)
	if !found {
		return false
	}
	k.whole = in.Whole
	s := stroke{Input: in, row: row, own: own, at: at}
	if k.keyed != nil {
		s.place, s.field = k.keyed.Place(), k.keyed.Field()
	}
	s.press = s.describe()
	k.take(s, now)
	return true
}

// find returns the row of an action that counts now. own: it is the frontend's.
func (k *Keyboard) find(at At, a Name) (row *Row, own, found bool) {
	if k.keyed != nil {
		r, has := k.keyed.Own(a)
		if r.Do != nil || !has {
			return &r, true, has
		}
	}
	if at.Form != nil {
		row = at.rowOf(a)
	}
	if row == nil && k.keyed != nil {
		r := k.keyed.Else(a)
		return &r, true, r.Do != nil
	}
	return row, false, row != nil
}

// stroke is an input with the row that it acts by.
type stroke struct {
	Input
	row   *Row
	own   bool // the row is the frontend's own
	at    At
	place Place
	field any // the frontend's field that was open
	press desk.Press
}

// describe describes a stroke for the guard.
func (s stroke) describe() desk.Press {
	p := desk.Press{Key: s.Name, Letter: s.Letter, Deliberate: s.row.Deliberate}
	if s.row.Effect != nil {
		p.Effect = s.row.Effect(s.at)
	}
	if s.own {
		p.Decides = s.place.decides()
		return p
	}
	p.Decides = s.at.decides(s.at.Form.Typing())
	if s.Whole { // a line counts at least as a key that marks, and an empty line, which is Enter, as one that sends
		p.Decides = s.at.decides(form.FieldNone)
		if p.Effect = max(p.Effect, desk.Marking); p.Effect == desk.Marking && s.Action == Enter {
			p.Effect = desk.Sending
		}
	}
	p.Toggles = p.Effect == desk.Marking && s.row.Toggles && !s.at.Form.Here().Radio()
	return p
}

// take carries out a stroke: the guard, what the row needs, and what it does. It does nothing if the guard refuses the
// key or the action is not possible now, and it waits if the key is a letter that acts without Enter.
func (k *Keyboard) take(s stroke, now time.Time) {
	if s.press.Effect != desk.Marking {
		k.view.TakeBackMarks(now, s.press.Letter)
	}
	if s.Action == Digit {
		k.number = number{} // s has it
	}
	if k.refuses(s, now) || k.notNow(s, now) {
		return
	}
	if k.postpones(s, now) {
		return
	}
	writing := k.view.Types()
	if writing && s.Action != Enter {
		k.view.Guard.TypeOn(now)
	}
	if !k.view.Try(s.press, now, func() bool { return k.carryOut(s, now) }) {
		return
	}
	switch {
	case !writing && k.view.Types():
		k.view.Guard.Begin(k.typing(), s.Letter, now) // a letter that opens a field may be the first of a sentence
		if f := k.view.Form(); f != nil && f.Unconfirmed() {
			k.view.Guard.BeginAside()
		}
	case s.own && s.field != nil && k.keyed.Field() != nil && k.keyed.Field() != s.field: // another one opened
		k.view.Guard.Begin(form.FieldNone, s.Letter, now)
	}
}

// postpones reports whether a stroke waits: a number that may go on, and a letter that acts without Enter.
func (k *Keyboard) postpones(s stroke, now time.Time) bool {
	atOnce := s.row.sendsAtOnce(s.at)
	switch {
	case k.keyed != nil && !s.own && s.Action == Digit && mayGoOn(s.Arg.N, s.Key, optionsOf(s.at)):
		k.number = number{n: s.Arg.N, last: now, do: func() { k.doNumber(s, now) }}
	case !s.Letter || !s.Waits && !atOnce:
		return false
	case !k.dropTwice(s.row, s.Key, now):
		k.atOnce = atOnce
		k.letter.Postpone(s.Key, s.Repeats, func() { k.doLate(s) }, now)
	}
	return true
}

// doLate carries out the stroke of a letter that has waited. Another question may be on view by now.
func (k *Keyboard) doLate(s stroke) {
	if s.own {
		k.carryOut(s, k.view.Desk().Now())
		return
	}
	asked := s.at.On.ID
	if s.at = k.At(); s.at.Form != nil && s.at.On.ID == asked && s.row.whyNot(s.at, s.Arg).OK() {
		now := k.view.Desk().Now()
		k.view.Try(s.press, now, func() bool { return k.carryOut(s, now) })
	}
}

// doNumber carries out the stroke of a number that has waited for a further digit since now. For the guard it counts
// from then.
func (k *Keyboard) doNumber(s stroke, now time.Time) {
	asked := s.at.On.ID
	if s.at = k.At(); s.at.Form != nil && s.at.On.ID == asked && s.row.whyNot(s.at, s.Arg).OK() {
		k.view.Try(s.press, now, func() bool { return k.carryOut(s, now) })
	}
}

// notNow reports whether an action is not possible now, and tells the person why.
func (k *Keyboard) notNow(s stroke, now time.Time) bool {
	if !s.own {
		why := s.row.whyNot(s.at, s.Arg)
		if !why.OK() {
			k.explainNotDone(s, why, now)
		}
		return !why.OK()
	}
	if why := s.row.needs(s.at, s.Arg); !why.OK() {
		k.say(k.front.Words(why))
		return true
	}
	if s.Alone && s.Letter && k.letters.amongTyping(now) {
		k.front.Refused(s.press, desk.ErrStray)
		k.view.Guard.Stray(now)
		return true
	}
	return false
}

// carryOut calls Do of the row, shows the effect and makes the changes that it asks for. It reports whether the action
// was done.
func (k *Keyboard) carryOut(s stroke, now time.Time) bool {
	e := s.row.Do(s.at, s.Arg)
	e.Action = s.row.Name
	switch {
	case s.own:
		k.say(k.front.Words(e.WhyNot))
	case e.WhyNot.OK():
		k.applyEffect(e, s.at.On)
	default:
		k.explainNotDone(s, e.WhyNot, now)
	}
	return e.WhyNot.OK()
}

// refuses reports whether the guard refuses a stroke, and tells the person then. It does not tell them of an Enter that
// asks whether a text was meant for this question: that Enter makes the text unconfirmed.
func (k *Keyboard) refuses(s stroke, now time.Time) bool {
	if s.own {
		return k.refusesOwn(s, now)
	}
	at, p := s.at, s.press
	typing := at.Form.Typing()
	if s.Action == Enter && !s.Whole && typing == form.FieldNone && at.Form.Confirming() { // as in y, Enter, y, Enter
		k.view.Guard.WaitAgain(now)
		k.say(k.front.Words(says(enterConfirms)))
		return true
	}
	if s.Action == Enter && !s.Click && typing != form.FieldNone && typing != form.FieldFind {
		nothing := typing == form.FieldText && at.Form.Plan(form.Facts{}).Step == form.StepNothing
		unclear, ends := k.LetterTyped(), p
		ends.Decides = p.Decides || at.Form.Unconfirmed() // a text that was put aside is in the field again
		_, asked := k.view.Guard.Doubts(true)
		if !nothing && !k.view.Guard.EndsTyping(ends, at.Form.TextSends(), unclear, now) {
			if asked { // the second Enter came too soon
				k.front.Refused(p, desk.ErrEarly)
			}
			at.Form.Doubt()
			return true
		}
	}
	return k.tellsRefused(p, k.view.Guard.Refuses(p, now))
}

// KeyTyped returns the row of the letter that is all of an answer in words, if that letter is a key on the question;
// nil: it is none, or there is more text.
func (k *Keyboard) KeyTyped() *Row {
	at := k.At()
	if k.keyed == nil || !at.typesWords() || !at.On.Pending() {
		return nil
	}
	row := k.keyed.Keys().LetterKey(PlaceQuestion, at.Form.TypedText())
	if row == nil || at.Forbids != nil && at.Forbids(row.Name) || !at.Acts(row.Name) {
		return nil
	}
	return row
}

// LetterTyped reports whether all of an answer in words is one letter that is a key, or would be with a team.
func (k *Keyboard) LetterTyped() bool {
	at := k.At()
	return k.KeyTyped() != nil || k.keyed != nil && at.typesWords() && TeamLetter(at.Form.TypedText())
}

// typesWords reports whether an answer that is only words is being typed.
func (at At) typesWords() bool {
	f := at.Form
	return f != nil && f.Typing() == form.FieldText && f.Here().Mode == queue.ModeText
}

// refusesOwn is refuses for a row of the frontend.
func (k *Keyboard) refusesOwn(s stroke, now time.Time) bool {
	guard, p := &k.view.Guard, s.press
	if s.Action == Enter {
		switch {
		case s.field != nil && s.place != PlaceFind && !s.Click:
			return !guard.EndsTyping(p, true, false, now)
		case s.place == PlaceSettings:
			p.Effect = desk.Sending
			return k.tellsRefused(p, guard.RefusesChange(now))
		}
	}
	return k.tellsRefused(p, guard.Refuses(p, now))
}

// tellsRefused tells the person why the guard refused a key, and reports whether it did.
func (k *Keyboard) tellsRefused(p desk.Press, why error) bool {
	if why != nil {
		k.front.Refused(p, why)
	}
	return why != nil
}

// Refuses reports whether the guard refuses a line, and tells the frontend then. Lines call it before they give up
// their last question to the person.
func (k *Keyboard) Refuses(in Input, now time.Time) bool {
	at := k.At()
	if at.Form == nil {
		return false
	}
	s := stroke{Input: in, row: at.rowOf(in.Action), at: at}
	if s.row == nil {
		return false
	}
	s.press = s.describe()
	return k.refuses(s, now)
}

// RefusesYes reports whether the guard refuses a line by which the person agrees to what lines asked, and tells the
// frontend then. decides: they agree to something important.
func (k *Keyboard) RefusesYes(line string, decides bool, now time.Time) bool {
	p := desk.Press{Key: line, Effect: desk.Sending, Decides: decides}
	return k.tellsRefused(p, k.view.Guard.Refuses(p, now))
}

// typing returns the field of the form on view that is open.
func (k *Keyboard) typing() form.Field {
	if f := k.view.Form(); f != nil {
		return f.Typing()
	}
	return form.FieldNone
}

// explainNotDone tells the person why an action was not done. If the action was a choice, the guard remembers it. A
// mark on a question with one answer is not remembered, because the option under the cursor is marked already.
func (k *Keyboard) explainNotDone(s stroke, why Message, now time.Time) {
	words := k.front.Words(why)
	k.say(words)
	if reason := (form.WhyNot{}); errors.As(why.Err, &reason) {
		s.at.Form.Touch()
	}
	if q := s.at.Form.Here(); s.row.Chooses && (s.row.Name != Mark || s.at.inBatch || !q.Radio() || q.Unmarked()) {
		k.view.Guard.NotTaken(s.press.Key, words)
	}
	// Most questions have no team, and few about the team take these keys, so the letter was probably typed for another
	// pane.
	if s.row.Strays || s.row.Agents && s.at.ofTeam {
		k.view.Guard.Stray(now)
	}
	k.front.Show(Effect{Action: s.row.Name, WhyNot: why})
}

// applyEffect shows an effect and makes the changes that it asks for.
func (k *Keyboard) applyEffect(e Effect, on queue.Session) {
	if e.Decides && NeedsPerson(on) && k.front.Facts().Untyped {
		e = Effect{Action: e.Action, Say: says(Untyped)}
	}
	if o := e.Offer; o != nil {
		o.Do = func() {
			at := k.At()
			if at.Form == nil {
				return
			}
			if why := at.WhyNot(o.Action); !why.OK() { // the question may have changed since the offer
				k.say(k.front.Words(why))
				return
			}
			done := o.then(at)
			done.Action = o.Action
			k.applyEffect(done, at.On)
		}
	}
	words := ""
	if !e.Say.OK() {
		words = k.front.Words(e.Say) // composed before the changes below
	}
	k.front.Show(e)
	for _, change := range e.Then {
		if why := change(k); !why.OK() {
			k.say(k.front.Words(why))
		}
	}
	k.say(words)
	if e.Offer == nil {
		k.view.DraftSoon()
	}
}

// say shows words, unless they are empty.
func (k *Keyboard) say(words string) {
	if words != "" {
		k.front.Say(words)
	}
}

// TypeFirst begins to type into the field of an answer that is only words, which is open from the start, and reports
// whether it did. name is the first character, or says what else was put in. Text that may be meant for another pane is
// unconfirmed.
func (k *Keyboard) TypeFirst(name string, now time.Time) bool {
	f, p := k.view.Form(), desk.FirstLetter(name)
	if f == nil || k.tellsRefused(p, k.view.Guard.Refuses(p, now)) {
		return false
	}
	k.view.Take(p, now, func() {
		if text, why := f.Begin(form.FieldText); why.OK() {
			k.view.Guard.BeginFirst(now)
			k.FollowDoubts()
			k.front.Show(Effect{Action: Text, Begin: form.FieldText, Text: text})
			k.view.DraftSoon()
		}
	})
	return true
}

// FollowDoubts makes the text being typed unconfirmed if it may be meant for another pane, else a part of the answer. A
// frontend calls it after each change of the text.
func (k *Keyboard) FollowDoubts() {
	f := k.view.Form()
	ranOn, _ := k.view.Guard.Doubts(false)
	switch doubts, _ := k.view.Guard.Doubts(true); {
	case !doubts:
		f.Attach()
	case ranOn, f.Unconfirmed(), f.TextSends(): // the costly one last: much text comes key by key
		f.Doubt()
	default:
		f.Attach()
	}
}

// Focus opens the field of an action that the person clicked or tabbed into, and reports whether it is open. The guard
// is not asked, because this sends nothing, and the person sees where they type.
func (k *Keyboard) Focus(a Name, arg Arg, now time.Time) bool {
	at := k.At()
	if at.Form == nil || at.rowOf(a) == nil {
		return false
	}
	row := at.rowOf(a)
	why := row.whyNot(at, arg)
	if why.OK() {
		e := row.Do(at, arg)
		if e.Action, why = a, e.WhyNot; why.OK() {
			k.applyEffect(e, at.On)
		}
	}
	if !why.OK() {
		k.say(k.front.Words(why))
		k.front.Show(Effect{Action: a, WhyNot: why})
		return false
	}
	k.view.Guard.Begin(k.typing(), desk.NotByLetter, now)
	return true
}

// Offer makes do the effect of the next Enter. Any other key cancels the offer, unless others returns an effect for it.
// After a key the guard makes Enter wait for a moment; after a whole line it does not.
func (k *Keyboard) Offer(do func(), others func(key string) func()) {
	k.do, k.others = do, others
	if !k.whole {
		k.view.Guard.HoldEnter(k.view.Desk().Now())
	}
}

// Offers reports whether there is an offer that the next Enter carries out.
func (k *Keyboard) Offers() bool { return k.do != nil }

// Drop cancels the offer and the action of a letter that waits. A frontend calls it when another question comes on
// view.
func (k *Keyboard) Drop() {
	k.do, k.others, k.letter, k.number = nil, nil, desk.PostponedLetter{}, number{}
}

// TakeOffer carries out the offer after Enter. After another key it carries out what others returns for that key, or
// else cancels the offer. If the guard refuses the key, the offer stays. TakeOffer reports whether the key is used up;
// a key that only cancels the offer then does what it always does, except Back.
func (k *Keyboard) TakeOffer(in Input, now time.Time) bool {
	if k.do == nil {
		return false
	}
	var do func()
	switch {
	case in.Action == Enter:
		do = k.do
	case k.others != nil:
		do = k.others(in.Key)
	}
	if do == nil {
		k.do, k.others = nil, nil
		return in.Action == Back
	}
	p := desk.Press{Key: in.Name, Effect: desk.Sending}
	if at := k.At(); in.Whole && at.Form != nil {
		p.Decides = at.decides(form.FieldNone)
	}
	if k.tellsRefused(p, k.view.Guard.Refuses(p, now)) {
		return true
	}
	k.do, k.others = nil, nil
	k.view.Take(p, now, do)
	return true
}

// IsPress reports whether a key is a press of its own. If it is not, nothing is done with it: it is the repeat of a
// held key, or may be one, and then ActLate calls again later. See desk.Guard.IsPress.
func (k *Keyboard) IsPress(in Input, now time.Time, again func()) bool {
	s := desk.Stroke{Key: in.Key, Sends: k.sends(in), Repeated: in.Held}
	if s.Sends && in.Action != Enter && !k.Offers() {
		s.Chooses = in.Name
	}
	is, overtaken := k.view.Guard.IsPress(s, now, again)
	if overtaken {
		k.say(k.front.Words(says(Overtaken)))
	}
	return is
}

// sends reports whether a key may send something now: it is Enter, or sends at once what it chooses, or belongs to the
// offer.
func (k *Keyboard) sends(in Input) bool {
	if in.Action == Enter || k.Offers() {
		return true
	}
	if Of(in.Action) == nil {
		return false
	}
	at := k.At()
	if at.Form == nil {
		return false
	}
	r := at.rowOf(in.Action)
	return r != nil && r.Effect != nil && r.Effect(at) >= desk.Choosing
}

// Overtake cancels the action of the letter that waits if another key came before it acted, because both keys were part
// of a text that was meant for another pane. What waits and whose time came before the other key was read is carried
// out. The key is empty for what is not a key, such as a click or a paste, and then Overtake cancels the press that
// waits too.
func (k *Keyboard) Overtake(key string, now time.Time) {
	k.letter.Overtake(key, &k.view.Guard, now)
	if _, replaced := k.view.Guard.ActBefore(key, now); replaced {
		k.say(k.front.Words(says(Replaced)))
	}
	if key == "" {
		k.number.act()
		k.IsPress(Input{}, now, nil)
	}
}

// ActLate carries out the letter, the number or the press that waits, if its time has come, and reports whether
// something changed.
func (k *Keyboard) ActLate(now time.Time) bool {
	letter := k.letter.Act(now)
	number := !now.Before(k.number.due()) && k.number.act()
	acted, replaced := k.view.Guard.ActLate(now)
	if replaced {
		k.say(k.front.Words(says(Replaced)))
	}
	return letter || number || acted || replaced
}

// Due returns when the letter, the number or the press that waits acts; zero: none waits.
func (k *Keyboard) Due() time.Time {
	due := k.letter.Due()
	for _, t := range []time.Time{k.number.due(), k.view.Guard.LateDue()} {
		if due.IsZero() || !t.IsZero() && t.Before(due) {
			due = t
		}
	}
	return due
}

// numberWithin is how long a digit waits for a further one, where both together may be the number of an option.
const numberWithin = time.Second

// number is the number of an option that is being typed. Until it acts nothing is marked, so that Enter sends no option
// that is only on the way to another one: Enter, like every other key, first lets the number act. A digit waits only
// where a longer number can follow, so never on a question with at most nine options.
type number struct {
	n    int
	last time.Time // when its last digit was pressed
	do   func()    // chooses option n; nil: no number is being typed
}

// mayGoOn reports whether a number, whose last digit is a key, may be the beginning of that of another option.
func mayGoOn(n int, key string, options int) bool { return isDigit(key) && n > 0 && n*10 <= options }

// isDigit reports whether a key types a digit.
func isDigit(key string) bool { return len(key) == 1 && key[0] >= '0' && key[0] <= '9' }

// with returns the number with a further digit; 0: the key is none, or no number is being typed.
func (n *number) with(key string) int {
	if n.do == nil || !isDigit(key) {
		return 0
	}
	return n.n*10 + int(key[0]-'0')
}

// end lets the number act, unless a key is a further digit of it.
func (n *number) end(key string, now time.Time) {
	if !isDigit(key) || !now.Before(n.due()) {
		n.act()
	}
}

// due returns when the number acts; zero: none is being typed.
func (n *number) due() time.Time {
	if n.do == nil {
		return time.Time{}
	}
	return n.last.Add(numberWithin)
}

// act chooses the option with the number, and reports whether one was being typed.
func (n *number) act() bool {
	typed := *n
	if *n = (number{}); typed.do != nil {
		typed.do()
	}
	return typed.do != nil
}

// letters remembers which letters were pressed last and when.
type letters struct {
	last    string
	at      time.Time
	another time.Time // when the letter before the last one was pressed, if it was another letter
}

// note remembers a key if it is a letter.
func (l *letters) note(key string, now time.Time) {
	if !IsLetter(key) {
		return
	}
	if key != l.last {
		l.another = l.at
	}
	l.last, l.at = key, now
}

// amongTyping reports whether the last letter came directly after another letter, so that it is probably part of a text
// that was meant for another pane. A letter that waits does so only a short time, and somebody who types unevenly may
// press the next one later.
func (l *letters) amongTyping(now time.Time) bool { return now.Sub(l.another) < desk.Settle }

// IsLetter reports whether a key types a single character, so that it may be part of a sentence.
func IsLetter(key string) bool { return utf8.RuneCountInString(key) == 1 || key == "space" }
