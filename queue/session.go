package queue

import (
	"slices"
	"time"
)

// Schema is the newest version of the session document that this program reads and writes. A session is written with
// the oldest that holds what it says, so that a program that was started before an update still reads the others.
const (
	Schema       = schemaPeople
	schemaFirst  = 1
	schemaWiden  = 2 // a question that is with the team
	schemaPeople = 3 // it says who of several people did something, or for whom it is meant
)

// MaxEvents bounds a session's audit trail; the last reservedEvents are kept for settle, collect and lapse.
const (
	MaxEvents      = 256
	reservedEvents = 16
)

// KeptFor is the time for which drafts and uncollected answers are kept.
const KeptFor = 24 * time.Hour

// Session holds one ask and its history. Key and Ask never change after Create; Take refreshes the parts of Origin that
// name the connection.
type Session struct {
	Schema     int         `json:"schema"`
	ID         string      `json:"id"`
	Key        string      `json:"key,omitempty"` // equal for equal asks of one agent; empty: never joined
	Revision   uint64      `json:"revision"`      // the store's; only grows
	Origin     Origin      `json:"origin"`
	Ask        Ask         `json:"ask"`
	AskedAt    time.Time   `json:"asked_at"`
	Deadline   time.Time   `json:"deadline"`              // UTC, ms; zero: stopped (widened)
	FuseFrom   time.Time   `json:"fuse_from"`             // when the clock was last set: asked or moved
	LaterUntil *time.Time  `json:"later_until,omitempty"` // a person has set it aside until then, see AsideUntil
	Claim      *Claim      `json:"claim,omitempty"`       // nil: nobody waits in a call
	DroppedAt  *time.Time  `json:"dropped_at,omitempty"`  // the call that waited broke off, nobody came back
	Attached   *Attachment `json:"attached,omitempty"`    // the one hand-off form that was opened
	Widen      *Widened    `json:"widen,omitempty"`       // the team was asked
	Calling    *Calling    `json:"team_call,omitempty"`   // the team is being called, or was in vain
	Perhaps    string      `json:"perhaps,omitempty"`     // where it was perhaps answered: `in claude`; see Presume
	Outcome    *Outcome    `json:"outcome,omitempty"`     // nil: pending
	Final      bool        `json:"final,omitempty"`       // collected or lapsed: no command is legal but OwesTeam's
	Events     []Event     `json:"events"`
}

// Claim is the right to collect, held by one connection of one running process.
type Claim struct {
	Instance string `json:"instance"`
	Conn     string `json:"conn"`
	// Writing says of a message that its holder is about to write it to the agent. If the holder dies, nobody knows
	// whether it arrived; see Session.Unsure.
	Writing bool `json:"writing,omitempty"`
}

// Attachment is the hand-off form that was opened for a session. There is at most one in its life.
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
	EventRegrouped     = "regrouped" // with the team: blocked or parked
	EventSummaryAsked  = "summary_asked"
	EventSummaryGiven  = "summary_given"
	EventSummaryMissed = "summary_missed" // nobody summed the discussion up
	EventSettled       = "settled"
	EventCollected     = "collected"
	EventLapsed        = "lapsed"
	EventDeparted      = "departed" // it continues in another queue
)

// Event holds one line of the audit trail: appended, never rewritten.
type Event struct {
	ID      string    `json:"id"` // the Command's
	Kind    string    `json:"kind"`
	By      string    `json:"by,omitempty"`
	Surface string    `json:"surface,omitempty"`
	Given   string    `json:"given,omitempty"`  // the agent that was given the link; see Command
	Person  string    `json:"person,omitempty"` // who it was, where several people share the queue
	Detail  string    `json:"detail,omitempty"`
	At      time.Time `json:"at"` // never before the previous event's
}

// Roles a running process can announce.
const (
	RoleDashboard = "dashboard"
	RoleAttach    = "attach"
	RoleBridge    = "bridge"
	RolePortal    = "portal"
	RoleListener  = "listener" // a next_message call is open; Origin says whose
	RoleTaker     = "taker"    // takes lines for the sessions whose Origin.Instance is its own
	RoleServer    = "server"   // an MCP server whose tools its agent knows; Origin.PID is the agent
)

// Presence says that a process runs now.
type Presence struct {
	Instance string  `json:"instance"`
	Role     string  `json:"role"`
	Origin   *Origin `json:"origin,omitempty"` // of a listener, a notice or a server: its agent
	Notice   *Notice `json:"notice,omitempty"` // of a notice
}

// NeedsSchema returns the version that holds what the session says; a store writes it with that.
func (s Session) NeedsSchema() int {
	switch {
	case len(s.Ask.Audience) > 0, slices.ContainsFunc(s.Events, func(e Event) bool { return e.Person != "" }):
		return schemaPeople
	case s.Widen != nil:
		return schemaWiden
	}
	return schemaFirst
}

// Pending reports whether the session still waits for an outcome. Ask it of s.At(now), not of a stored session.
func (s Session) Pending() bool { return s.Outcome == nil }

// Status is "pending" or the outcome's status, as `list --json` shows it.
func (s Session) Status() string {
	if s.Outcome == nil {
		return StatusPending
	}
	return s.Outcome.Status
}

// Event returns the event that the command with this id left, and whether it is there.
func (s Session) Event(id string) (Event, bool) {
	for _, e := range s.Events {
		if e.ID == id {
			return e, true
		}
	}
	return Event{}, false
}

// Received returns when the agent took what it was told, and whether it did.
func (s Session) Received() (at time.Time, ok bool) {
	e, ok := s.Last(EventCollected)
	return e.At, ok && e.Detail == ""
}

// Untaken returns why the agent did not take the answer: it was answered there before. ok is false where nobody knows
// of that.
func (s Session) Untaken() (why string, ok bool) {
	e, ok := s.Last(EventLapsed)
	return e.Detail, ok && e.Detail != notFetched
}

// Unconfirmed reports whether the agent's own dialog was open when a hook printed the answer, and the agent has not
// said yet whether it took it.
func (s Session) Unconfirmed() bool { return s.Ask.NoClock && s.answered() }

// answered reports whether somebody answered, and nobody knows yet whether the agent took it.
func (s Session) answered() bool {
	return !s.Final && s.Outcome != nil && (s.Outcome.By == ByHuman || s.Outcome.By == ByRule)
}

// hookDied explains why the agent may not have taken an answer to its own prompt.
const hookDied = "its hook ended at that moment"

// answeredNative reports whether an agent has still to take an answer to its own prompt.
func (s Session) answeredNative() bool { return s.Origin.Native() && s.answered() && s.Claim != nil }

// orphaned reports whether an answer to an agent's own prompt is kept by a process that has died: nobody else can
// deliver it. A hook hands it over to another process, so the death has to last for GoneGrace.
func (s Session) orphaned(alive func(instance string) bool, now time.Time) bool {
	return s.answeredNative() && s.Gone(alive) && now.Sub(s.Outcome.At) >= GoneGrace
}

// Last returns the newest event of a kind, and whether there is one.
func (s Session) Last(kind string) (Event, bool) {
	for i := len(s.Events) - 1; i >= 0; i-- {
		if s.Events[i].Kind == kind {
			return s.Events[i], true
		}
	}
	return Event{}, false
}

// At returns the session as the clock left it: pending and overdue is a timeout dated at the deadline. It is pure;
// every reader shows this, stored or not. What a timeout carries is ClockAnswer's.
func (s Session) At(now time.Time) Session {
	if s.Outcome != nil || s.Deadline.IsZero() || now.Before(s.Deadline) {
		return s
	}
	o := Outcome{Status: StatusTimeout, By: ByClock, At: s.Deadline, Answer: ClockAnswer(s.Ask)}
	return s.withOutcome(o, Command{ID: "clock-" + s.ID, By: ByClock}, s.Deadline)
}

// MayLater says why the session cannot be set aside: it is over, it is an approval, its call waits for a time of its
// own, or its clock is stopped. nil: it can. Call it on s.At(now).
func (s Session) MayLater() error {
	switch {
	case s.Outcome != nil:
		return ErrSettled
	case s.Ask.Kind == KindApproval:
		return ErrLaterApproval
	case s.Bound() && s.Ask.WaitsSeconds > 0:
		return ErrLaterCall
	case s.Deadline.IsZero():
		return ErrLaterStopped
	}
	return s.checkRoom()
}

// LaterTimes are until when the session is set aside at a time, and to when its deadline moves: as far as the question
// is put off, which is less than LaterFor where it was put off already, and a day from now at most.
func (s Session) LaterTimes(now time.Time) (until, deadline time.Time) {
	now = storedTime(now)
	until = now.Add(LaterFor)
	from := now
	if was, aside := s.AsideUntil(now); aside {
		from = was
	}
	deadline = s.Deadline.Add(until.Sub(from))
	if most := now.Add(MaxTimeout); deadline.After(most) {
		deadline = most
	}
	return until, deadline
}

// AsideUntil is until when a person has set the session aside; false: it is not, or not any more.
func (s Session) AsideUntil(now time.Time) (until time.Time, aside bool) {
	if s.Outcome != nil || s.LaterUntil == nil || !now.Before(*s.LaterUntil) {
		return time.Time{}, false
	}
	return *s.LaterUntil, true
}

// GivesUp returns when the caller stops waiting by its own word, counted from when it asked; said is false if it did
// not say.
func (s Session) GivesUp() (at time.Time, said bool) {
	if s.Ask.WaitsSeconds == 0 {
		return time.Time{}, false
	}
	return s.AskedAt.Add(time.Duration(s.Ask.WaitsSeconds) * time.Second), true
}

// Lost returns the session as a surface shows it once the store knows nothing of it any more, as when its directory was
// removed: over, and ended by nobody. It is never stored.
func (s Session) Lost(now time.Time) Session {
	s.Outcome = &Outcome{Status: StatusLost, Reason: "no longer in the queue", At: storedTime(now)}
	return s
}

// DialectBound is our one format whose questions belong to their tool call (docs/contract.md section 3.3). An agent's
// own prompts belong to their call as well.
const DialectBound = "hitl_request"

// CallerGone is the reason of a bound session's cancellation.
const CallerGone = "its agent disconnected"

// CallEnded is the reason where a client cancelled by ending its call, which says no more.
const CallEnded = "the agent ended its call"

// HasClock reports whether the person is shown how much time is left. No time is shown while the team is asked, or
// where NoClock is set.
func (s Session) HasClock() bool { return !s.Deadline.IsZero() && !s.Ask.NoClock }

// Bound reports whether the session belongs to the call that asked: it is never joined, only its caller may fetch
// the result, and when that is gone the session is cancelled as the caller.
func (s Session) Bound() bool { return s.Origin.Dialect == DialectBound || s.Origin.Native() }

// Gone reports whether no caller waits or will come back: the asking bridge is not alive, or its call broke off.
// A hand-off, or a result that said "still waiting", is not gone while its bridge lives.
func (s Session) Gone(alive func(instance string) bool) bool {
	if s.Origin.Instance != "" && !alive(s.Origin.Instance) {
		return s.Claim == nil || !alive(s.Claim.Instance)
	}
	return s.Claim == nil && s.DroppedAt != nil
}

// ClosesChat reports whether the session keeps chat and gate closed (rule 6): a pending question whose caller waits,
// or is gone for less than GoneGrace, unless it was perhaps answered at its agent. gone says since when; see GoneSince.
// Call it on s.At(now).
func (s Session) ClosesChat(alive func(instance string) bool, gone func(Session) time.Time, now time.Time) bool {
	if s.IsMessage() || !s.Pending() || s.Parked() || s.Perhaps != "" {
		return false
	}
	return !s.Gone(alive) || now.Sub(gone(s)) < GoneGrace
}

// GoneSince returns the session's best estimate of when its caller left: the time at which its call broke off, else the
// time of the last known event. A watcher of the queue knows better when a process died.
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

// SettledAt returns the time by which the session is archived: when it was settled, or when it was asked if it is still
// pending.
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

// MayWiden says why the question cannot go to the team: it is over, an approval, a call that wants one person's word,
// or the team was asked already. nil: it can. Call it on s.At(now).
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
	return s.checkRoom()
}

// MayDefer says why the question cannot be deferred; nil: it can. A question of an interview always can.
func (s Session) MayDefer() error {
	switch {
	case s.Outcome != nil:
		return ErrSettled
	case s.Widen == nil && s.Origin.Dialect != DialectInterview:
		return ErrNotDeferred
	}
	return nil
}

// Parked reports whether the question is with the team while the person continues: it closes nothing.
func (s Session) Parked() bool { return s.Widen != nil && s.Widen.State == WidenParked }

// SummaryDue is until when the agent may give the summary it was asked for; false: none is wanted, or the agent was not
// given the discussion yet.
func (s Session) SummaryDue() (until time.Time, wanted bool) {
	if s.Outcome != nil || s.Widen == nil || s.Widen.Request == nil || s.Widen.Candidate != nil {
		return time.Time{}, false
	}
	if s.Widen.Request.WrittenAt == nil {
		return time.Time{}, false
	}
	return s.Widen.Request.WrittenAt.Add(SummaryWithin), true
}

// SummaryWanted returns the request for a summary that the agent has not been given yet, or nil.
func (s Session) SummaryWanted() *Request {
	if s.Outcome != nil || s.Widen == nil || s.Widen.Request == nil || s.Widen.Request.WrittenAt != nil {
		return nil
	}
	return s.Widen.Request
}

// withOutcome ends the session by a command, which is the one event about it.
func (s Session) withOutcome(o Outcome, c Command, now time.Time) Session {
	s.Outcome = &o
	s.Final = s.IsMessage() // nobody collects one
	return s.withEvent(c, EventSettled, o.Status, now)
}

// checkRoom keeps the last events free for settle, collect and lapse.
func (s Session) checkRoom() error {
	if len(s.Events) >= MaxEvents-reservedEvents {
		return ErrFull
	}
	return nil
}

// withEvent appends the command's event, never dated before the one before it.
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
