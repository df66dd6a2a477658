package desk

import (
	"time"

	"github.com/choicetui/choicetui/queue/form"
)

// A text may have been meant for another pane: somebody types there, as they believe, while this screen has the keys.
// Enter would send that text to an agent, so the Guard asks first where one of these is true:
//
//   - The text began so soon behind the letter that opened its field that both may be one sentence: within Pause, or
//     within Settle in a field that ends the question, and behind a letter that brought the question up.
//   - The text is the person's own words, Enter would send them, and nothing shows that the person is here: the
//     question came up on its own, no text on it was confirmed, and the terminal has not reported since then, and Looks
//     before the first character, that it got the focus.
//   - Enter came as fast behind the text as only a paste does.
//   - The caller says that the text is unclear.
//
// The Enter that follows the question is the answer, once Settle has passed. Every other key in the field is new text,
// and the next Enter asks again: sentences one after the other, each with its Enter, send nothing.
//
//	Begin, BeginFirst ─► Type, TypeOn ─► EndsTyping ─► Enter ends typing, or asks

// Looks is how long before a text the terminal must have got the focus, so that the person has seen where they type.
const Looks = time.Second

// meant judges whether the text being typed was meant for the question on view.
type meant struct {
	upAt    time.Time // since when the session has been on view
	here    bool      // the person brought the session up, or confirmed a text on it
	focusAt time.Time // when the terminal last reported that it got the focus
	key     Press     // the last key that was taken
	keyAt   time.Time

	words    bool          // the text is the person's own words
	letterAt time.Time     // when a letter opened the field, or brought the question up; zero: another key has followed
	runOn    time.Duration // how soon behind that letter a text may belong to it
	began    bool          // the text has its first character
	ranOn    bool          // the text may belong to the letter, or to a paste
	unseen   bool          // nothing showed that the person is here when the text began
	asks     bool          // Enter was refused, to ask whether the text was meant; no other key has followed
	typedAt  time.Time     // when the last key was pressed in the field, or Enter asked
}

// replaceSession notes that another session is on view.
func (m *meant) replaceSession(now time.Time) { m.upAt, m.here, m.letterAt = now, false, time.Time{} }

// noteHere notes that the person brought up what is on view. If a letter did it, the letter may belong to a sentence,
// as every letter does that directly follows a stray key.
func (m *meant) noteHere(strayAt time.Time) {
	m.here, m.letterAt = true, time.Time{}
	if m.key.Letter {
		m.here, m.letterAt = m.keyAt.Sub(strayAt) >= Settle, m.keyAt
	}
}

// Focused notes when the terminal, or the browser, last reported that it got the focus; zero: never, or it reported
// since that it lost the focus.
func (m *meant) Focused(at time.Time) { m.focusAt = at }

// Here reports whether the person is known to be here, so that their own words are sent by one Enter.
func (m *meant) Here(now time.Time) bool {
	return m.here || !m.focusAt.IsZero() && !m.focusAt.Before(m.upAt) && now.Sub(m.focusAt) >= Looks
}

// BeginAside notes that the field which has just been opened holds a text that was put aside, without an answer to the
// question for whom it was meant. Own words are asked about again, since Enter opens their field too.
func (m *meant) BeginAside() { m.began, m.ranOn = m.words, m.ranOn || m.words }

// SeenHere notes that the person did something that no text for another pane does, such as a click into the field.
func (m *meant) SeenHere() { m.here = true }

// How a field was opened, for Guard.Begin: by a letter, which may be the first of a sentence, or in another way.
const ByLetter, NotByLetter = true, false

// Begin notes that a field was opened. byLetter is ByLetter or NotByLetter. The field is FieldNone if it does not
// belong to the form on view.
func (m *meant) Begin(field form.Field, byLetter bool, now time.Time) {
	m.words, m.began, m.ranOn, m.unseen, m.asks = field == form.FieldText, false, false, false, false
	m.letterAt, m.typedAt = time.Time{}, time.Time{}
	if m.runOn = Pause; field.Ends() || field == form.FieldRefusal {
		m.runOn = Settle
	}
	if byLetter {
		m.letterAt = now
	}
}

// BeginFirst notes the first character in a field of the person's own words that was open when the question came up.
func (m *meant) BeginFirst(now time.Time) {
	letter := m.letterAt
	m.Begin(form.FieldText, NotByLetter, now)
	m.letterAt, m.runOn = letter, Settle
	m.Type(now)
}

// Type notes a key that changed the text being typed.
func (m *meant) Type(now time.Time) {
	if !m.began {
		m.began, m.unseen = true, m.words && !m.Here(now)
	}
	m.noteRunOn(now)
	m.TypeOn(now)
}

// TypeOn notes a key that was pressed in the field and did not change the text, such as an arrow.
func (m *meant) TypeOn(now time.Time) { m.asks, m.typedAt = false, now }

// noteRunOn notes whether a key follows so soon behind the letter that both may be one sentence. The letter counts for
// one key.
func (m *meant) noteRunOn(now time.Time) {
	m.ranOn = m.ranOn || !m.letterAt.IsZero() && now.Sub(m.letterAt) < m.runOn
	m.letterAt = time.Time{}
}

// Doubts reports whether the text being typed may be meant for another pane, so that Enter asks first. sends: Enter
// would send the text, or take it as the answer. asks: it has asked, and the next Enter is the answer.
func (m *meant) Doubts(sends bool) (doubts, asks bool) { return m.ranOn || sends && m.unseen, m.asks }

// EndsTyping reports whether Enter in a field is taken. If not, the frontend asks the person; see Doubts. sends is that
// of Doubts, and unclear says that Enter has to ask for another reason than those of the guard. If nothing was typed
// since the letter that opened the field, Enter counts as text does, but in a field that only adds to the answer it is
// taken as soon as it cannot be part of a paste.
func (m *meant) EndsTyping(p Press, sends, unclear bool, now time.Time) bool {
	empty := !m.letterAt.IsZero()
	if empty && !unclear && !p.Decides && m.runOn < Settle && now.Sub(m.letterAt) >= pasted {
		m.letterAt = time.Time{}
		return true
	}
	m.noteRunOn(now)
	m.ranOn = m.ranOn || sends && m.words && m.began && !m.asks && now.Sub(m.typedAt) < pasted
	doubts, _ := m.Doubts(sends)
	switch {
	case !doubts && !unclear:
		return true
	case !m.asks:
		m.asks, m.typedAt = true, now
		return false
	case now.Sub(m.typedAt) < Settle:
		return false
	}
	m.ranOn, m.unseen, m.asks, m.here = false, false, false, true
	return true
}
