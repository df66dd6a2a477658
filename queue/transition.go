package queue

import (
	"fmt"
	"slices"
	"time"
	"unicode/utf8"
)

// Transition applies c to s.At(now). changed reports whether the result differs from s.At(now) and has to be stored.
// It is pure: next does not share changed parts with s. It fails with ErrSettled, ErrUsed, ErrFinal, ErrFull,
// ErrPending, ErrNotDue, an error of Session.MayLater or *Invalid, and returns s.At(now) beside the error, so that a
// surface can say who was faster. A command whose event is already in the trail changes nothing, nor does TimeOut:
// s.At(now) already has the timeout.
func Transition(s Session, c Command, now time.Time) (next Session, changed bool, err error) {
	now = storedTime(now)
	s = s.At(now)
	switch _, done := s.Event(c.ID); {
	case done && c.ID != "":
		return s, false, nil
	case s.Final && !(s.OwesTeam() && isTeamAction(c.Do)):
		return s, false, ErrFinal
	case s.IsMessage() && !fitsMessage(c.Do):
		return s, false, invalid("", "this is a message to an agent, not a question", "")
	}
	return decision{session: s, command: c, now: now}.decide()
}

// decision is one command applied to one session, as the clock left it, at one time. Each method carries out one
// action. The session that it returns does not share its changed parts with the one before.
type decision struct {
	session Session
	command Command
	now     time.Time
}

// decide carries out the command's action.
func (d decision) decide() (next Session, changed bool, err error) {
	switch a := d.command.Do.(type) {
	case Settle:
		return changedUnless(d.settleByAnswer(a))
	case Cancel:
		return changedUnless(d.cancelPending(a))
	case Move:
		return changedUnless(d.moveDeadline(a))
	case Later:
		return changedUnless(d.setAside(a))
	case CallTeam, LeaveTeam, Widen, Regroup, AskSummary, WriteSummary, GiveSummary, MissSummary, Defer:
		return d.decideTeam()
	case Attach:
		return changedUnless(d.attachForm(a))
	case Take:
		return d.takeClaim(a)
	case Release:
		return d.releaseClaim(a)
	case Collect:
		return changedUnless(d.collectOutcome(a))
	case Deliver:
		return changedUnless(d.deliverMessage(a))
	case Expire:
		return changedUnless(d.expireUncollected(a))
	case Elsewhere:
		return changedUnless(d.endElsewhere(a))
	case Presume:
		return d.presumeAnswered(a)
	case Abandon:
		return d.cancelAbandoned(a)
	case Withdraw:
		return d.withdrawDropped(a)
	case TimeOut:
		return d.session, false, nil
	}
	return d.session, false, invalid("", fmt.Sprintf("%T is not an action", d.command.Do), "")
}

// changedUnless adapts the result of an action that changes the session unless it fails.
func changedUnless(next Session, err error) (Session, bool, error) { return next, err == nil, err }

// settleByAnswer carries out the action Settle.
func (d decision) settleByAnswer(a Settle) (Session, error) {
	s := d.session
	if s.Outcome != nil {
		return s, ErrSettled
	}
	if !a.Confirmed && s.Ask.WantsConfirmation(a.Answer) {
		return s, invalid("confirm", "is missing: this ask wants an explicit confirmation", "an explicit yes")
	}
	if err := checkRule(s, a, d.command.By); err != nil {
		return s, err
	}
	team, err := d.teamResolution(a.Team)
	if err != nil {
		return s, err
	}
	if d.acceptsNothing(a) {
		return d.endedByCommand(Outcome{Status: StatusCustom, Answer: emptyAnswer(s.Ask), Team: team}), nil
	}
	ans, err := s.Ask.Accept(a.Answer)
	if err != nil {
		return s, err
	}
	return d.endedByCommand(Outcome{Status: statusOf(ans), Answer: ans, Team: team, Rule: a.Rule}), nil
}

// cancelPending carries out the action Cancel.
func (d decision) cancelPending(a Cancel) (Session, error) {
	switch {
	case d.session.Outcome != nil:
		return d.session, ErrSettled
	case d.session.beingWritten():
		return d.session, ErrUsed
	}
	if !utf8.ValidString(a.Reason) || utf8.RuneCountInString(a.Reason) > MaxNote {
		return d.session, invalid("reason", "is too long or not valid UTF-8",
			fmt.Sprintf("at most %d characters of UTF-8 text", MaxNote))
	}
	switch {
	case a.Code != "" && a.Code != ReasonMoreDetail:
		return d.session, invalid("reason_code", "is "+Quote(a.Code), ReasonMoreDetail)
	case a.Code != "" && d.session.Ask.Kind == KindApproval:
		return d.session, invalid("reason_code", "is not for approvals", "leave it out")
	}
	said := d.session.Ask.KeepNotes(a.Said)
	return d.endedByCommand(Outcome{Status: StatusCancelled, Reason: a.Reason, ReasonCode: a.Code, Said: said}), nil
}

// cancelAbandoned carries out the action Abandon. It cancels the session only if its caller is still gone: a caller
// may have come back since Sweep looked.
func (d decision) cancelAbandoned(a Abandon) (next Session, changed bool, err error) {
	if d.session.Outcome != nil {
		return d.session, false, ErrSettled
	}
	if !d.session.EndsWithCall() || !d.session.Gone(a.Alive) {
		return d.session, false, nil
	}
	gone := Outcome{
		Status: StatusCancelled, By: ByCaller, Surface: d.command.Surface, Reason: CallerGone, At: d.now,
	}
	return d.session.withOutcome(gone, d.command, d.now), true, nil
}

// withdrawDropped carries out the action Withdraw. It cancels the session only if no other call has claimed the session
// since the caller decided to withdraw it.
func (d decision) withdrawDropped(a Withdraw) (next Session, changed bool, err error) {
	s := d.session
	if s.Outcome == nil && (s.Claim != nil || s.DroppedAt == nil || d.now.Sub(*s.DroppedAt) < a.DroppedFor) {
		return s, false, nil
	}
	return changedUnless(d.cancelPending(Cancel{Reason: a.Reason}))
}

// endedByCommand returns the session with an outcome that names the command's party, surface and person.
func (d decision) endedByCommand(o Outcome) Session {
	o.By, o.Surface, o.Given, o.At = d.command.By, d.command.Surface, d.command.Given, d.now
	o.Person = d.command.Person
	return d.session.withOutcome(o, d.command, d.now)
}

// endElsewhere carries out the action Elsewhere. It fails if the session was settled here in the meantime: the first
// answer counts.
func (d decision) endElsewhere(a Elsewhere) (Session, error) {
	s := d.session
	switch {
	case s.Outcome != nil:
		return s, ErrSettled
	case !s.Origin.Native():
		return s, invalid("", "only an agent's own prompt can be answered there", "")
	}
	var c checker
	c.checkText("where", a.Where, MaxLabel, required)
	if !slices.Contains([]string{"", ReasonInterrupted, ReasonDecided, ReasonPerhaps}, a.How) {
		c.addProblem("how", "is unknown", "")
	}
	if len(c.problems) > 0 {
		return s, &Invalid{Problems: c.problems}
	}
	return d.endedByCommand(Outcome{Status: StatusElsewhere, Reason: a.Where, ReasonCode: a.How}), nil
}

// presumeAnswered carries out the action Presume.
func (d decision) presumeAnswered(a Presume) (next Session, changed bool, err error) {
	s := d.session
	switch {
	case s.Outcome != nil:
		return s, false, ErrSettled
	case !s.Origin.Native():
		return s, false, invalid("", "only an agent's own prompt can be answered there", "")
	}
	var c checker
	c.checkText("where", a.Where, MaxLabel, optional)
	if len(c.problems) > 0 {
		return s, false, &Invalid{Problems: c.problems}
	}
	changed = s.Perhaps != a.Where
	s.Perhaps = a.Where
	return s, changed, nil
}

// moveDeadline carries out the action Move.
func (d decision) moveDeadline(a Move) (Session, error) {
	s := d.session
	if s.Outcome != nil {
		return s, ErrSettled
	}
	if (a.By == 0) == a.To.IsZero() {
		return s, invalid("move", "gives both or neither of a step and a time", "exactly one")
	}
	to := storedTime(a.To)
	if a.By != 0 {
		to = s.Deadline.Add(a.By)
	}
	if s.Deadline.IsZero() {
		return s, invalid("deadline", "is stopped", "")
	}
	if left := to.Sub(d.now); left < MinTimeout || left > MaxTimeout {
		return s, invalid("deadline", "would be "+left.Round(time.Second).String()+" from now", "1 s to 24 h from now")
	}
	if err := s.checkEventSpace(); err != nil {
		return s, err
	}
	from := s.Deadline
	s.Deadline, s.CountdownFrom = to, d.now
	return s.withEvent(d.command, EventMoved, clockDetail(from, to), d.now), nil
}

// setAside carries out the action Later.
func (d decision) setAside(a Later) (Session, error) {
	s := d.session
	if a.Back {
		if s.Outcome != nil {
			return s, ErrSettled
		}
		s.LaterUntil = nil
		return s.withEvent(d.command, EventLater, "back", d.now), nil
	}
	if err := s.MayLater(d.now); err != nil {
		return s, err
	}
	until, deadline := s.LaterTimes(d.now)
	detail := "until " + until.Format(time.RFC3339)
	if !deadline.Equal(s.Deadline) {
		detail += ", deadline " + clockDetail(s.Deadline, deadline)
	}
	s.LaterUntil, s.Deadline, s.CountdownFrom = &until, deadline, d.now
	return s.withEvent(d.command, EventLater, detail, d.now), nil
}

// attachForm carries out the action Attach.
func (d decision) attachForm(a Attach) (Session, error) {
	s := d.session
	switch {
	case s.Attached != nil:
		return s, ErrUsed
	case s.Outcome != nil:
		return s, ErrSettled
	}
	if err := s.checkEventSpace(); err != nil {
		return s, err
	}
	s.Attached = &Attachment{Instance: a.Instance, Pane: a.Pane, At: d.now}
	return s.withEvent(d.command, EventAttached, a.Pane, d.now), nil
}

// takeClaim carries out the action Take.
func (d decision) takeClaim(a Take) (next Session, changed bool, err error) {
	s := d.session
	other := s.Claim != nil && *s.Claim != a.Claim
	if other && (*s.Claim != a.Over || s.beingWritten()) {
		return s, false, ErrUsed
	}
	caller := s.Origin
	if a.Origin.Instance != "" { // the call that takes the claim may come from another process
		caller.Pane, caller.CallID, caller.PID = a.Origin.Pane, a.Origin.CallID, a.Origin.PID
		caller.Agent, caller.Instance = a.Origin.Agent, a.Origin.Instance
		caller.Thread, caller.OneSession = a.Origin.Thread, a.Origin.OneSession
	}
	same := s.Claim != nil && *s.Claim == a.Claim && s.DroppedAt == nil && s.Origin == caller
	s.Claim, s.DroppedAt, s.Origin = &a.Claim, nil, caller
	return s, !same, nil
}

// releaseClaim carries out the action Release.
func (d decision) releaseClaim(a Release) (next Session, changed bool, err error) {
	s := d.session
	if s.Claim == nil || *s.Claim != a.Claim {
		return s, false, nil
	}
	s.Claim = nil
	if a.Dropped {
		s.DroppedAt = &d.now
	}
	return s, true, nil
}

// collectOutcome carries out the action Collect.
func (d decision) collectOutcome(a Collect) (Session, error) {
	s := d.session
	switch {
	case s.Outcome == nil:
		return s, ErrPending
	case s.Claim == nil || *s.Claim != a.Claim:
		return s, ErrUsed
	}
	s.Final = true
	if a.Untaken != "" {
		return s.withEvent(d.command, EventExpired, a.Untaken, d.now), nil
	}
	return s.withEvent(d.command, EventCollected, a.Doubt, d.now), nil
}

// expireUncollected carries out the action Expire.
func (d decision) expireUncollected(a Expire) (Session, error) {
	s := d.session
	switch {
	case s.Outcome == nil:
		return s, ErrPending
	case d.now.Sub(s.Outcome.At) < KeptFor:
		return s, ErrNotDue
	}
	s.Final = true
	return s.withEvent(d.command, EventExpired, a.Reason, d.now), nil
}

// clockDetail describes a moved deadline in the audit trail: `+60s to 2026-11-23T14:02:00Z`.
func clockDetail(from, to time.Time) string {
	return fmt.Sprintf("%+ds to %s", int(to.Sub(from).Round(time.Second)/time.Second), to.UTC().Format(time.RFC3339))
}

// storedTime returns a time as stores keep it: in UTC, in whole milliseconds, without a monotonic reading.
func storedTime(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return t.UTC().Truncate(time.Millisecond)
}
