package deed

import (
	"slices"
	"time"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/form"
	"github.com/choicetui/choicetui/queue/widen"
)

// Face is the screen, page or lines that the person uses. The owner of the desk calls all its methods.
type Face interface {
	Facts() Facts              // returns the present facts; called for each action
	Show(Effect)               // draws the effect of an action on the question on view, and its offer
	Refused(desk.Press, error) // shows that the guard refused a key, and why
	Words(Message) string      // puts a message into words; empty: the face shows it in another way
	Say(words string)          // shows words about an action

	// SetHides puts an option on the list of those that the person never wants to see again, or takes it from there.
	// It calls done once the settings have it.
	SetHides(entry config.HiddenOption, hide bool, done func(error))
}

// Input is a key, a click or a word, as a face read it.
type Input struct {
	Action  Action
	Arg     Arg
	Key     string // the key's name in the terminal library, to compare keys
	Name    string // the key's name as the face shows it
	Letter  bool   // the key is a letter that may be part of a sentence
	Click   bool   // a mouse click; the person saw its target, so that no text can be meant for another pane
	Waits   bool   // if the key is a letter, the action waits for a moment, and another key cancels it
	Repeats bool   // a waiting action is done once for each press of the key
	Whole   bool   // a whole line of text; the guard treats it like a key that marks, and a line of Enter like sending
	Held    bool   // the key is known to be a repeat of a held key
}

// Hand carries out the person's actions at one seat, for one face. It asks the guard, delays letters that act without
// Enter, keeps the offer that the next Enter carries out, and carries out the wants of the deeds.
type Hand struct {
	seat *desk.Seat
	face Face
	held desk.HeldLetter // the letter whose action waits for a moment

	do func() // carries out the present offer; nil: there is none
	// others returns what a key other than Enter does to the offer; if it returns nil, the key cancels the offer. If
	// others itself is nil, every key but Enter cancels the offer.
	others func(key string) func()

	whole bool // the last Input was a whole line

	hid   *config.HiddenOption // the option that was hidden here last, until it is shown again
	hidOn string               // the session in which hid was hidden
}

// NewHand returns the hand of a face at a seat.
func NewHand(seat *desk.Seat, face Face) *Hand { return &Hand{seat: seat, face: face} }

// At describes the question on view. Its Form is nil if no question is on view.
func (h *Hand) At() At {
	at := At{Seat: h.seat, Form: h.seat.Form()}
	if at.Form == nil {
		return at
	}
	at.On, at.Facts = h.seat.Session().At(h.seat.Desk().Now()), h.face.Facts()
	_, at.rests = h.seat.Rests()
	n, _ := h.seat.Round.At()
	at.inRound = n > 0
	if c := h.seat.Team.On(); c.OnPage() || c.Line() != widen.NoLine {
		at.consult = c
	}
	if h.hid != nil && h.hidOn == h.seat.Up() {
		at.Hid = h.hid
	}
	return at
}

// deedOf returns the row of an action that counts now; nil: the action is not one on a question. While a page about the
// team is open, or in a round, some actions have other rows than in the table.
func (at At) deedOf(a Action) *Deed {
	if at.consult != nil && consulted[a] != nil {
		return consulted[a]
	}
	if !at.inRound {
		return table[a]
	}
	switch a {
	case Next:
		return &Deed{Action: a, Closed: true, Do: func(at At, _ Arg) Effect { return stepRound(at, 1) }}
	case Previous:
		return &Deed{Action: a, Closed: true, Do: func(at At, _ Arg) Effect { return stepRound(at, -1) }}
	case Back:
		return &Deed{Action: a, Closed: true, Do: func(at At, arg Arg) Effect {
			e := goBack(at, arg)
			if e.Back && !at.Full {
				return leaveRound(at)
			}
			return e
		}}
	default:
		return Of(a)
	}
}

// Has reports whether the table has an action for the question on view.
func (h *Hand) Has(a Action) bool {
	at := h.At()
	return at.Form != nil && at.deedOf(a) != nil
}

// whyNot returns the reason why a deed has no effect now: a general one, else that of Deed.Needs.
func (d *Deed) whyNot(at At) (why Message) {
	switch {
	case !d.Closed && !at.On.Pending():
		why = says(Over)
	case !d.Closed && !d.Resting && at.rests:
		why = says(Rests)
	case !d.Closed && !d.Asked && at.Form.Confirming():
		why = says(Confirms)
	case d.Marks && at.Covered:
		why = says(Covered)
	case d.Needs != nil:
		why = d.Needs(at)
	}
	if why.Action == "" {
		why.Action = d.Action
	}
	return why
}

// Step describes the handling of one key: the checks, and then the action. Hand.Take carries it out.
type Step struct {
	Press   desk.Press  // the key as the guard judges it
	Refused func() bool // asks the guard, tells the person if it refuses the key, and reports whether it does
	WhyNot  func() bool // reports whether the action has no effect now, and tells the person why; nil: it has an effect
	Do      func() bool // carries out the action and reports whether it was done; if not, it told the person why
}

// Press carries out the action of a key on the question on view, and reports whether the table has that action now.
func (h *Hand) Press(in Input, now time.Time) bool {
	at := h.At()
	d := at.deedOf(in.Action)
	if at.Form == nil || d == nil {
		return false
	}
	h.whole = in.Whole
	p := describePress(d, at, in)
	h.Take(in, Step{
		Press:   p,
		Refused: func() bool { return h.guardRefuses(at, p, in, now) },
		WhyNot: func() bool {
			why := d.whyNot(at)
			if !why.OK() {
				h.explainNotDone(d, at, p, why, now)
			}
			return !why.OK()
		},
		Do: func() bool {
			if in.Waits && in.Letter { // the action has waited, and another question may be on view by now
				at, now = h.At(), h.seat.Desk().Now()
				if at.Form == nil || !d.whyNot(at).OK() {
					return false
				}
			}
			why := h.carryOut(d, at, in.Arg)
			if !why.OK() {
				h.explainNotDone(d, at, p, why, now)
			}
			return why.OK()
		},
	}, now)
	return true
}

// Take carries out a step and reports whether it did. It does not if the guard refuses the key, if the step has no
// effect now, or if the key is a letter that acts without Enter, whose action is postponed. A face also calls Take for
// actions of its own, so that the guard knows of every key.
func (h *Hand) Take(in Input, s Step, now time.Time) bool {
	if s.Press.Effect != desk.Marking {
		h.seat.TakeBackMarks(now, s.Press.Letter)
	}
	if s.Refused() || s.WhyNot != nil && s.WhyNot() {
		return false
	}
	if in.Waits && in.Letter {
		h.held.Postpone(in.Key, in.Repeats, func() { s.Do() }, now)
		return false
	}
	writing := h.seat.Types()
	if writing && in.Action != Enter {
		h.seat.Guard.TypeOn(now)
	}
	if !h.seat.Try(s.Press, now, s.Do) {
		return false
	}
	if !writing && h.seat.Types() {
		h.seat.Guard.Begin(h.typing(), in.Letter, now) // a letter that opens a field may be the first of a sentence
		if f := h.seat.Form(); f != nil && f.Loose() {
			h.seat.Guard.BeginAside()
		}
	}
	return true
}

// Refuses reports whether the guard refuses a line, and tells the face then. A face of lines calls it before it gives
// up its last question to the person.
func (h *Hand) Refuses(in Input, now time.Time) bool {
	at := h.At()
	d := at.deedOf(in.Action)
	return at.Form != nil && d != nil && h.guardRefuses(at, describePress(d, at, in), in, now)
}

// describePress describes a key for the guard.
func describePress(d *Deed, at At, in Input) desk.Press {
	p := desk.Press{Key: in.Name, Letter: in.Letter, Decides: at.decides(at.Form.Typing())}
	if d.Guard != nil {
		p.Effect = d.Guard(at)
	}
	if c := at.consult; c != nil {
		p.Decides = teamDecides(c, p.Effect)
	}
	if in.Whole { // a line counts at least as a key that marks, and an empty line, which is Enter, as one that sends
		p.Decides = at.decides(form.FieldNone)
		if p.Effect = max(p.Effect, desk.Marking); p.Effect == desk.Marking && in.Action == Enter {
			p.Effect = desk.Sending
		}
	}
	p.Toggles = p.Effect == desk.Marking && d.Toggles && !at.Form.Here().Radio()
	return p
}

// typing returns the field of the form on view that is open.
func (h *Hand) typing() form.Field {
	if f := h.seat.Form(); f != nil {
		return f.Typing()
	}
	return form.FieldNone
}

// guardRefuses reports whether the guard refuses a key. It tells the face, except about an Enter that asks whether a
// text was meant for this question: that Enter makes the text loose.
func (h *Hand) guardRefuses(at At, p desk.Press, in Input, now time.Time) bool {
	typing, c := at.Form.Typing(), at.consult
	types := typing != form.FieldNone && typing != form.FieldFind || c != nil && c.Line() != widen.NoLine
	if in.Action == Enter && !in.Click && types {
		nothing := typing == form.FieldText && at.Form.Plan(form.Facts{}).Step == form.StepNothing
		unclear, ends := at.IsKey != nil && at.IsKey(), p
		ends.Decides = p.Decides || at.Form.Loose() // a text that was put aside is in the field again
		if !nothing && !h.seat.Guard.EndsTyping(ends, at.Form.TextSends(), unclear, now) {
			at.Form.Loosen()
			return true
		}
	}
	why := h.seat.Guard.Refuses(p, now)
	if why != nil {
		h.face.Refused(p, why)
	}
	return why != nil
}

// explainNotDone tells the person why an action was not done. If the action was a choice, the guard remembers it. A
// mark on a question with one answer is not remembered, because the option under the cursor is marked already.
func (h *Hand) explainNotDone(d *Deed, at At, p desk.Press, why Message, now time.Time) {
	words := h.face.Words(why)
	h.say(words)
	if why.Kind == OfForm {
		at.Form.Touch()
	}
	if q := at.Form.Here(); d.Chooses && (d.Action != Mark || !q.Radio() || q.Unmarked()) {
		h.seat.Guard.NotTaken(p.Key, words)
	}
	if d.Strays { // most questions have no team, so the letter was probably typed for another pane
		h.seat.Guard.Stray(now)
	}
	h.face.Show(Effect{Action: d.Action, WhyNot: why})
}

// carryOut calls Do of a deed, shows the effect and carries out its wants. It returns the WhyNot of the effect.
func (h *Hand) carryOut(d *Deed, at At, arg Arg) Message {
	e := d.Do(at, arg)
	e.Action = d.Action
	if e.WhyNot.OK() {
		h.applyEffect(e, at.On)
	}
	return e.WhyNot
}

// applyEffect shows an effect and carries out its wants.
func (h *Hand) applyEffect(e Effect, on queue.Session) {
	if slices.ContainsFunc(e.Wants, wantsDecision) && NeedsPerson(on) && h.face.Facts().Untyped {
		e = Effect{Action: e.Action, Say: says(Untyped)}
	}
	if o := e.Offer; o != nil {
		o.Do = func() {
			at := h.At()
			if at.Form == nil {
				return
			}
			if why := at.WhyNot(o.Action); !why.OK() { // the question may have changed since the offer
				h.say(h.face.Words(why))
				return
			}
			done := o.then(at)
			done.Action = o.Action
			h.applyEffect(done, at.On)
		}
	}
	words := ""
	if !e.Say.OK() {
		words = h.face.Words(e.Say) // composed before the wants change the question
	}
	h.face.Show(e)
	for _, w := range e.Wants {
		if why := h.carryOutWant(w, on); !why.OK() {
			h.say(h.face.Words(why))
		}
	}
	if words != "" {
		h.face.Say(words)
	}
	if e.Offer == nil {
		h.seat.DraftSoon()
	}
}

// say shows words, unless they are empty.
func (h *Hand) say(words string) {
	if words != "" {
		h.face.Say(words)
	}
}

// TypeFirst begins to type into the field of an answer that is only words, which is open from the start, and reports
// whether it did. name is the first character, or says what else was put in. Text that may be meant for another pane is
// loose.
func (h *Hand) TypeFirst(name string, now time.Time) bool {
	f, p := h.seat.Form(), desk.FirstLetter(name)
	if f == nil {
		return false
	}
	if why := h.seat.Guard.Refuses(p, now); why != nil {
		h.face.Refused(p, why)
		return false
	}
	h.seat.Take(p, now, func() {
		if text, why := f.Begin(form.FieldText); why.OK() {
			h.seat.Guard.BeginFirst(now)
			h.FollowDoubts()
			h.face.Show(Effect{Action: Text, Begin: form.FieldText, Text: text})
			h.seat.DraftSoon()
		}
	})
	return true
}

// FollowDoubts makes the text being typed loose if it may be meant for another pane, else a part of the answer. A face
// calls it after each change of the text.
func (h *Hand) FollowDoubts() {
	f := h.seat.Form()
	ranOn, _ := h.seat.Guard.Doubts(false)
	switch doubts, _ := h.seat.Guard.Doubts(true); {
	case !doubts:
		f.Attach()
	case ranOn, f.Loose(), f.TextSends(): // the costly one last: much text comes key by key
		f.Loosen()
	default:
		f.Attach()
	}
}

// Focus opens the field of an action that the person clicked or tabbed into, and reports whether it is open. The guard
// is not asked, because this sends nothing, and the person sees where they type.
func (h *Hand) Focus(a Action, arg Arg, now time.Time) bool {
	at := h.At()
	d := at.deedOf(a)
	if at.Form == nil || d == nil {
		return false
	}
	why := d.whyNot(at)
	if why.OK() {
		why = h.carryOut(d, at, arg)
	}
	if !why.OK() {
		h.say(h.face.Words(why))
		h.face.Show(Effect{Action: d.Action, WhyNot: why})
		return false
	}
	h.seat.Guard.Begin(h.typing(), desk.NotByLetter, now)
	return true
}

// Offer makes do the effect of the next Enter. Any other key cancels the offer, unless others returns an effect for it.
// After a key the guard makes Enter wait for a moment; after a whole line it does not.
func (h *Hand) Offer(do func(), others func(key string) func()) {
	h.do, h.others = do, others
	if !h.whole {
		h.seat.Guard.HoldEnter(h.seat.Desk().Now())
	}
}

// Offers reports whether there is an offer that the next Enter carries out.
func (h *Hand) Offers() bool { return h.do != nil }

// Drop cancels the offer and the action of a letter that waits. A face calls it when another question comes on view.
func (h *Hand) Drop() { h.do, h.others, h.held = nil, nil, desk.HeldLetter{} }

// TakeOffer carries out the offer after Enter. After another key it carries out what others returns for that key, or
// else cancels the offer. If the guard refuses the key, the offer stays. TakeOffer reports whether the key is used up;
// a key that only cancels the offer then does what it always does, except Back.
func (h *Hand) TakeOffer(in Input, now time.Time) bool {
	if h.do == nil {
		return false
	}
	var do func()
	switch {
	case in.Action == Enter:
		do = h.do
	case h.others != nil:
		do = h.others(in.Key)
	}
	if do == nil {
		h.do, h.others = nil, nil
		return in.Action == Back
	}
	p := desk.Press{Key: in.Name, Effect: desk.Sending}
	if at := h.At(); in.Whole && at.Form != nil {
		p.Decides = at.decides(form.FieldNone)
	}
	if why := h.seat.Guard.Refuses(p, now); why != nil {
		h.face.Refused(p, why)
		return true
	}
	h.do, h.others = nil, nil
	h.seat.Take(p, now, do)
	return true
}

// IsPress reports whether a key is a press of its own. If it is not, the face does nothing with it: it is the repeat of
// a held key, or may be one, and then ActLate calls again later. See desk.Guard.IsPress.
func (h *Hand) IsPress(in Input, now time.Time, again func()) bool {
	s := desk.Stroke{Key: in.Key, Sends: h.sends(in), Repeated: in.Held}
	if s.Sends && in.Action != Enter && !h.Offers() {
		s.Chooses = in.Name
	}
	is, overtaken := h.seat.Guard.IsPress(s, now, again)
	if overtaken {
		h.say(h.face.Words(says(Overtaken)))
	}
	return is
}

// sends reports whether a key may send something now: it is Enter, or sends at once what it chooses, or belongs to the
// offer.
func (h *Hand) sends(in Input) bool {
	if in.Action == Enter || h.Offers() {
		return true
	}
	if Of(in.Action) == nil {
		return false
	}
	at := h.At()
	d := at.deedOf(in.Action)
	return at.Form != nil && d != nil && d.Guard != nil && d.Guard(at) >= desk.Choosing
}

// Overtake cancels the action of the letter that waits if another key came before it acted, because both keys were part
// of a text that was meant for another pane. What waits and whose time came before the other key was read is carried out.
// The key is empty for what is not a key, such as a click or a paste, and then Overtake cancels the press that waits too.
func (h *Hand) Overtake(key string, now time.Time) {
	h.held.Overtake(key, &h.seat.Guard, now)
	if _, replaced := h.seat.Guard.ActBefore(key, now); replaced {
		h.say(h.face.Words(says(Replaced)))
	}
	if key == "" {
		h.IsPress(Input{}, now, nil)
	}
}

// ActLate carries out the letter or the press that waits, if its time has come, and reports whether something changed.
func (h *Hand) ActLate(now time.Time) bool {
	letter := h.held.Act(now)
	acted, replaced := h.seat.Guard.ActLate(now)
	if replaced {
		h.say(h.face.Words(says(Replaced)))
	}
	return letter || acted || replaced
}

// Due returns when the letter or the press that waits acts; zero: none waits.
func (h *Hand) Due() time.Time {
	letter, press := h.held.Due(), h.seat.Guard.LateDue()
	if letter.IsZero() || !press.IsZero() && press.Before(letter) {
		return press
	}
	return letter
}
