package queue

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"time"
)

// Schema is the version of the session document that this program reads and writes.
const Schema = 1

// MaxEvents limits the events of a session's audit trail. The last reservedEvents are kept free for settle, collect
// and expire.
const (
	MaxEvents      = 256
	reservedEvents = 16
)

// KeptFor is the time for which drafts and uncollected answers are kept.
const KeptFor = 24 * time.Hour

// Session contains one ask and its history. Key and Ask never change after Create. Take replaces the fields of Origin
// that name the connection.
type Session struct {
	Schema        int         `json:"schema"`
	ID            string      `json:"id"`
	Key           string      `json:"key,omitempty"` // equal for equal asks of one agent; empty: never joined
	Revision      uint64      `json:"revision"`      // set by the store; only grows
	Origin        Origin      `json:"origin"`
	Ask           Ask         `json:"ask"`
	AskedAt       time.Time   `json:"asked_at"`
	Deadline      time.Time   `json:"deadline"`              // UTC, in ms; zero while the team is asked
	CountdownFrom time.Time   `json:"fuse_from"`             // when Deadline was last set; the drawn clock is full then
	LaterUntil    *time.Time  `json:"later_until,omitempty"` // set aside by a person until then; see AsideUntil
	Claim         *Claim      `json:"claim,omitempty"`       // nil: nobody waits in a call
	DroppedAt     *time.Time  `json:"dropped_at,omitempty"`  // when the waiting call broke off; nil: a call waits again
	Attached      *Attachment `json:"attached,omitempty"`    // the one hand-off form that was opened
	Widen         *Widened    `json:"widen,omitempty"`       // nil: the team was not asked
	Calling       *Calling    `json:"team_call,omitempty"`   // present or failed calls to the team; nil: there are none
	Perhaps       string      `json:"perhaps,omitempty"`     // place of a probable answer: `in AGENT`; see Presume
	Outcome       *Outcome    `json:"outcome,omitempty"`     // nil: pending
	Final         bool        `json:"final,omitempty"`       // nothing changes any more, except if it OwesTeam
	Events        []Event     `json:"events"`
}

// Claim is the right to collect. One connection of one running process holds it.
type Claim struct {
	Instance string `json:"instance"`
	Conn     string `json:"conn"`
	// Writing means that the holder is about to write the message to the agent. If the holder dies, nobody knows
	// whether the message arrived; see Session.Unsure.
	Writing bool `json:"writing,omitempty"`
}

// Attachment records the hand-off form that was opened for a session. A session has at most one, ever.
type Attachment struct {
	Instance string    `json:"instance"`
	Pane     string    `json:"pane,omitempty"`
	At       time.Time `json:"at"`
}

// Kinds of event, in the order a session usually sees them.
const (
	EventAsked         = "asked"
	EventAttached      = "attached"
	EventMoved         = "deadline_moved"
	EventLater         = "set_aside"
	EventWidened       = "widened"
	EventRegrouped     = "regrouped" // the person waits for the team, or continues meanwhile
	EventSummaryAsked  = "summary_asked"
	EventSummaryGiven  = "summary_given"
	EventSummaryMissed = "summary_missed" // nobody summed the discussion up
	EventSettled       = "settled"
	EventCollected     = "collected"
	EventExpired       = "expired"
)

// Event is one line of the audit trail. Events are appended and never changed.
type Event struct {
	ID      string    `json:"id"` // id of the Command
	Kind    string    `json:"kind"`
	By      string    `json:"by,omitempty"`
	Surface string    `json:"surface,omitempty"`
	Given   string    `json:"given,omitempty"`  // the agent that received the link; see Command.Given
	Person  string    `json:"person,omitempty"` // name of the person, if several share the queue
	Detail  string    `json:"detail,omitempty"`
	At      time.Time `json:"at"` // never earlier than the previous event
}

// Pending reports whether the session has no outcome yet. Call it on s.At(now), not on a stored session.
func (s Session) Pending() bool { return s.Outcome == nil }

// Status returns StatusPending or the outcome's status, as `list --json` prints it.
func (s Session) Status() string {
	if s.Outcome == nil {
		return StatusPending
	}
	return s.Outcome.Status
}

// Event returns the event of the command with this id. ok is false if there is none.
func (s Session) Event(id string) (e Event, ok bool) {
	for _, e := range s.Events {
		if e.ID == id {
			return e, true
		}
	}
	return Event{}, false
}

// Received returns when the agent collected its result. ok is false if it has not, or if that is in doubt.
func (s Session) Received() (at time.Time, ok bool) {
	e, ok := s.Last(EventCollected)
	return e.At, ok && e.Detail == ""
}

// Untaken returns why the agent did not use the answer, such as that it had been answered there before. ok is false
// if no such reason is known.
func (s Session) Untaken() (why string, ok bool) {
	e, ok := s.Last(EventExpired)
	return e.Detail, ok && e.Detail != notFetched
}

// Unconfirmed reports whether a hook printed the answer while the agent's own dialog was open, and the agent has not
// shown yet that it used the answer.
func (s Session) Unconfirmed() bool { return s.Ask.NoClock && s.answerOutstanding() }

// answerOutstanding reports whether a person or a rule answered, and the agent is not known to have the answer yet.
func (s Session) answerOutstanding() bool {
	return !s.Final && s.Outcome != nil && (s.Outcome.By == ByHuman || s.Outcome.By == ByRule)
}

// hookDied explains why an agent may not have received an answer to its own prompt.
const hookDied = "its hook ended at that moment"

// nativeAnswerOutstanding reports whether an agent has not collected the answer to its own prompt yet.
func (s Session) nativeAnswerOutstanding() bool {
	return s.Origin.Native() && s.answerOutstanding() && s.Claim != nil
}

// answerOrphaned reports whether the process that should deliver an answer to an agent's own prompt has died. Nobody
// else can deliver it. The process must be gone for GoneGrace, because a hook may hand the answer over to another
// process.
func (s Session) answerOrphaned(alive func(instance string) bool, now time.Time) bool {
	return s.nativeAnswerOutstanding() && s.Gone(alive) && now.Sub(s.Outcome.At) >= GoneGrace
}

// Last returns the newest event of a kind. ok is false if there is none.
func (s Session) Last(kind string) (e Event, ok bool) {
	for i := len(s.Events) - 1; i >= 0; i-- {
		if s.Events[i].Kind == kind {
			return s.Events[i], true
		}
	}
	return Event{}, false
}

// At returns the session as the clock left it: a pending session whose deadline has passed has a timeout, dated at
// the deadline, with ClockAnswer as its answer. It is pure. Every reader uses it, since the timeout may not be stored
// yet.
func (s Session) At(now time.Time) Session {
	if s.Outcome != nil || s.Deadline.IsZero() || now.Before(s.Deadline) {
		return s
	}
	o := Outcome{Status: StatusTimeout, By: ByClock, At: s.Deadline, Answer: ClockAnswer(s.Ask)}
	if len(o.Answer.Replies) == 0 {
		o.Said = s.Ask.KeepNotes(StartAnswer(s.Ask))
	}
	return s.withOutcome(o, Command{ID: "clock-" + s.ID, By: ByClock}, s.Deadline)
}

// withDraft returns a session that has just timed out, with the notes and the comment that the person had written by
// then. They go with the answer of the defaults, if the ask wants that, and are never an answer of their own.
func (s Session) withDraft(written Answer) Session {
	o, said := *s.Outcome, s.Ask.KeepNotes(written)
	if len(o.Answer.Replies) == 0 {
		o.Said = said
	} else {
		o.Answer.Comment = said.Comment
		for i, r := range o.Answer.Replies {
			noted, _ := said.Reply(r.Question)
			o.Answer.Replies[i].Notes = noted.Notes
		}
	}
	s.Outcome = &o
	return s
}

// MayLater returns nil if the session can be set aside now, else the reason: it is over, it is an approval, its call
// waits for a limited time, or not much longer, its clock is stopped, or it has no space for another event (ErrFull).
// Call it on s.At(now).
func (s Session) MayLater(now time.Time) error {
	switch {
	case s.Outcome != nil:
		return ErrSettled
	case s.Ask.Kind == KindApproval:
		return ErrLaterApproval
	case s.EndsWithCall() && s.Ask.WaitsSeconds > 0, s.backAt(now).Sub(now) < LaterMargin:
		return ErrLaterCall
	case s.Deadline.IsZero():
		return ErrLaterStopped
	}
	return s.checkEventSpace()
}

// backAt returns when the session comes back if it is set aside now: after LaterFor, but LaterMargin before its caller
// stops waiting.
func (s Session) backAt(now time.Time) time.Time {
	until := now.Add(LaterFor)
	if at, said := s.GivesUp(); said && now.Before(at) && at.Add(-LaterMargin).Before(until) {
		return at.Add(-LaterMargin)
	}
	return until
}

// LaterTimes returns when the session comes back if it is set aside now, and its new deadline. The deadline moves by
// the time that is added, which is less if the session was still set aside. It is at most a day from now.
func (s Session) LaterTimes(now time.Time) (until, deadline time.Time) {
	now = storedTime(now)
	until = s.backAt(now)
	from := now
	if was, aside := s.AsideUntil(now); aside {
		from = was
	}
	deadline = s.Deadline.Add(max(until.Sub(from), 0))
	if most := now.Add(MaxTimeout); deadline.After(most) {
		deadline = most
	}
	return until, deadline
}

// AsideUntil returns the time until which a person has set the session aside. aside is false if nobody has, or if
// that time is over.
func (s Session) AsideUntil(now time.Time) (until time.Time, aside bool) {
	if s.Outcome != nil || s.LaterUntil == nil || !now.Before(*s.LaterUntil) {
		return time.Time{}, false
	}
	return *s.LaterUntil, true
}

// GivesUp returns the time at which the caller stops waiting. said is false if the caller did not say how long it
// waits.
func (s Session) GivesUp() (at time.Time, said bool) {
	if s.Ask.WaitsSeconds == 0 {
		return time.Time{}, false
	}
	return s.AskedAt.Add(time.Duration(s.Ask.WaitsSeconds) * time.Second), true
}

// Lost returns the session as a surface shows it after it vanished from the store, for example because its directory
// was removed. The result has an outcome by nobody and is never stored.
func (s Session) Lost(now time.Time) Session {
	s.Outcome = &Outcome{Status: StatusLost, Reason: "no longer in the queue", At: storedTime(now)}
	return s
}

// DialectBound is the only one of our formats whose questions belong to their tool call (docs/contract.md section
// 3.3). An agent's own prompts belong to their call as well.
const DialectBound = "hitl_request"

// CallerGone is the reason for cancelling a session that ends with its call, whose caller disconnected.
const CallerGone = "its agent disconnected"

// CallEnded is the reason for a cancel by a client that ended its call without giving a reason.
const CallEnded = "the agent ended its call"

// HasClock reports whether the person is shown the time left. It is false while the team is asked, and if NoClock is
// set.
func (s Session) HasClock() bool { return !s.Deadline.IsZero() && !s.Ask.NoClock }

// EndsWithCall reports whether the session belongs to the call that asked. Such a session is never joined, only its
// caller may fetch the result, and it is cancelled when the caller is gone.
func (s Session) EndsWithCall() bool { return s.Origin.Dialect == DialectBound || s.Origin.Native() }

// Gone reports whether no caller waits or will come back: the asking bridge is not alive, or its call broke off. A
// hand-off, or a call that returned "still waiting", is not gone as long as its bridge lives.
func (s Session) Gone(alive func(instance string) bool) bool {
	if s.Origin.Instance != "" && !alive(s.Origin.Instance) { // another process may wait by now
		return s.Claim == nil || !alive(s.Claim.Instance)
	}
	return s.Claim == nil && s.DroppedAt != nil
}

// ClosesChat reports whether the session keeps chat and gate closed (docs/design.md section 4, rule 6). This holds for
// a pending question whose caller waits, or has been gone for less than GoneGrace, unless it was perhaps answered at
// its agent. gone returns when the caller left; see GoneSince. Call it on s.At(now).
func (s Session) ClosesChat(alive func(instance string) bool, gone func(Session) time.Time, now time.Time) bool {
	if s.IsMessage() || !s.Pending() || s.Parked() || s.Perhaps != "" {
		return false
	}
	return !s.Gone(alive) || now.Sub(gone(s)) < GoneGrace
}

// GoneSince returns the best estimate, from the session alone, of when its caller left: the time at which its call
// broke off, else the time of the last event. A process that watches the queue knows this better.
func (s Session) GoneSince() time.Time {
	if s.Claim == nil && s.DroppedAt != nil {
		return *s.DroppedAt
	}
	since := s.AskedAt
	if n := len(s.Events); n > 0 && s.Events[n-1].At.After(since) {
		since = s.Events[n-1].At
	}
	return since
}

// SettledAt returns the time under which the session is archived: when it was settled, or when it was asked if it is
// still pending.
func (s Session) SettledAt() time.Time {
	if s.Outcome == nil {
		return s.AskedAt
	}
	return s.Outcome.At
}

// Took returns how long the person had the question before it was settled; zero while pending.
func (s Session) Took() time.Duration {
	if s.Outcome == nil {
		return 0
	}
	return s.Outcome.At.Sub(s.AskedAt)
}

// MayWiden returns nil if the team can be asked, else the reason: the question is over, an approval, or needs one
// person's word at once, or the team was asked before. Call it on s.At(now).
func (s Session) MayWiden() error {
	switch {
	case s.Outcome != nil:
		return ErrSettled
	case s.Widen != nil:
		return ErrWidened
	case s.Ask.Kind != KindChoice:
		return ErrWidenApproval
	case s.Origin.Dialect == DialectBound:
		return ErrWidenCall
	}
	return s.checkEventSpace()
}

// MayDefer returns nil if the question can be deferred, else the reason. A pending question of an interview always
// can.
func (s Session) MayDefer() error {
	switch {
	case s.Outcome != nil:
		return ErrSettled
	case s.Widen == nil && s.Origin.Dialect != DialectInterview:
		return ErrNotDeferred
	}
	return nil
}

// Parked reports whether the question is with the team while the person continues. It does not keep chat closed then.
func (s Session) Parked() bool { return s.Widen != nil && s.Widen.State == WidenParked }

// SummaryDue returns the time until which the agent may give the requested summary. wanted is false if no summary is
// requested, or if the agent has not received the discussion yet.
func (s Session) SummaryDue() (until time.Time, wanted bool) {
	if s.Outcome != nil || s.Widen == nil || s.Widen.Request == nil || s.Widen.Candidate != nil {
		return time.Time{}, false
	}
	if s.Widen.Request.WrittenAt == nil {
		return time.Time{}, false
	}
	return s.Widen.Request.WrittenAt.Add(SummaryWithin), true
}

// SummaryWanted returns the request for a summary that has not been sent to the agent yet, else nil.
func (s Session) SummaryWanted() *Request {
	if s.Outcome != nil || s.Widen == nil || s.Widen.Request == nil || s.Widen.Request.WrittenAt != nil {
		return nil
	}
	return s.Widen.Request
}

// withOutcome ends the session and records the command as its settled event.
func (s Session) withOutcome(o Outcome, c Command, now time.Time) Session {
	s.Outcome = &o
	s.Final = s.IsMessage() // a message has no answer to collect
	return s.withEvent(c, EventSettled, o.Status, now)
}

// checkEventSpace fails with ErrFull if only the events that are kept for settle, collect and expire are free.
func (s Session) checkEventSpace() error {
	if len(s.Events) >= MaxEvents-reservedEvents {
		return ErrFull
	}
	return nil
}

// withEvent appends the command's event. If the clock was put back, the event gets the time of the event before it.
func (s Session) withEvent(c Command, kind, detail string, at time.Time) Session {
	at = storedTime(at)
	if n := len(s.Events); n > 0 && at.Before(s.Events[n-1].At) {
		at = s.Events[n-1].At
	}
	s.Events = append(slices.Clip(s.Events),
		Event{ID: c.ID, Kind: kind, By: c.By, Surface: c.Surface, Given: c.Given, Person: c.Person, Detail: detail,
			At: at})
	return s
}

// LaterFor is the time for which a question is set aside. It comes back LaterMargin before its caller stops waiting,
// and is not set aside for less than that.
const (
	LaterFor    = 10 * time.Minute
	LaterMargin = time.Minute
)

// Reasons why a question cannot be set aside. Match them with errors.Is.
var (
	ErrLaterApproval = errors.New("an approval is not set aside")
	ErrLaterCall     = errors.New("its agent does not wait long enough")
	ErrLaterStopped  = errors.New("its clock is paused")
)

// JoinAnswerWithin is the longest time for which a repeated ask of the same agent may join an uncollected answer.
const JoinAnswerWithin = 10 * time.Minute

// Key returns a hash that is equal for the same ask of the same client in the same directory, so that an agent that
// asks again joins its pending session (docs/design.md section 4, rule 6). It covers dialect, client, host, directory
// and content. It is empty, and then never joins, for a dialect whose questions belong to their call.
func Key(o Origin, a Ask) string {
	if o.Dialect == DialectBound {
		return ""
	}
	a.Web = false // the same question may open in another place
	raw, err := json.Marshal([]any{o.Dialect, o.Client, o.Host, o.Cwd, a})
	if err != nil {
		return "" // cannot happen: plain data; an empty key never joins
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:16])
}

// Joins reports whether an ask with this key and origin may take over s instead of becoming a new session. It may
// join a pending session whose claim no running process holds, or, for JoinAnswerWithin, an uncollected answer to the
// same agent. It never joins a timeout, a cancel, a confirmation, an approval or a hand-off. Call it on s.At(now).
func (s Session) Joins(key string, o Origin, alive func(instance string) bool, now time.Time) bool {
	if key == "" || s.Key != key || s.Final || s.Ask.HandOff || s.Ask.Kind != KindChoice {
		return false
	}
	if s.Claim != nil && alive(s.Claim.Instance) {
		return false
	}
	if s.Outcome == nil {
		return true
	}
	return s.Outcome.Answered() && !s.Ask.Confirm && o.Agent != "" && s.Origin.Agent == o.Agent &&
		now.Sub(s.Outcome.At) <= JoinAnswerWithin
}
