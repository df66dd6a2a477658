package queue

import (
	"strings"
	"time"
)

// A team is called twice about a question: to ask it, and to tell it how the question ended. Each call is claimed
// first, so that one process at a time makes it, and what came of it is stored:
//
//	pending ─► CallTeam ─► team_called in the trail ─► the call ─► Widen, or LeaveTeam
//	settled ─► CallTeam ─► the call ─┬─ taken ──► LeaveTeam{Told} ─► team_told in the trail
//	                                 └─ failed ─► LeaveTeam{Again} ─► no call before that time
//
// What must survive is in the trail, which programs of any version keep. The claim and the pace are in Session.Calling,
// which a program that does not know that field drops: then two processes may make the same call at once.
const (
	EventTeamCalled = "team_called" // a call that asks the team is about to be made; see Session.TeamAsked
	EventTeamTold   = "team_told"   // the team knows how it ended, or is not told again; then the detail says why
)

// UntoldFor is the time after its outcome for which a session waits until its team was told.
const UntoldFor = 30 * 24 * time.Hour

// Calling says who calls the team about a session, and when it may be called again.
type Calling struct {
	Call  string    `json:"call,omitempty"`  // the claim of the call that is under way; empty: none is
	Until time.Time `json:"until,omitzero"`  // nobody else calls before
	Tries int       `json:"tries,omitempty"` // calls that failed to tell how it ended
}

type (
	// CallTeam claims the call to the team for a time, or claims it for longer: Call names the claim. Before the first
	// call the trail gets Decision, and Backend if it is another than before. Refused with ErrUsed while somebody else
	// calls or it is too early to try again, else for the reasons of Session.MayWiden. A session that an older program
	// brought to the team may be taken over: with its decision, and no time.
	CallTeam struct {
		Call, Decision, Backend string
		For                     time.Duration
	}
	// LeaveTeam gives a claim back. Told: the team knows how the question ended, or Why it is not told again. Else the
	// call failed, and may be made again after that time; 0: at once, and it counts as no try.
	LeaveTeam struct {
		Call  string
		Told  bool
		Why   string
		Again time.Duration
	}
)

func (CallTeam) action()  {}
func (LeaveTeam) action() {}

// TeamAsked holds the trail's word about the call that asked the team, or was to.
type TeamAsked struct {
	Event
	Backend, Decision string
}

// TeamAsked returns by which way and as which decision the team was called about the session; false: it was not, or an
// older program did that and keeps its own account.
func (s Session) TeamAsked() (a TeamAsked, called bool) {
	a.Event, called = s.Last(EventTeamCalled)
	a.Backend, a.Decision, _ = strings.Cut(a.Detail, " ")
	return a, called
}

// OwesTeam reports whether the session is over, and its team has still to be told. One that departed is told of where
// it continues.
func (s Session) OwesTeam() bool {
	if s.Outcome == nil {
		return false
	}
	_, called := s.Last(EventTeamCalled)
	_, told := s.Last(EventTeamTold)
	_, departed := Departed(s)
	return called && !told && !departed
}

// Closed reports whether nothing is written into the session any more: it is final, and its team was told.
func (s Session) Closed() bool { return s.Final && !s.OwesTeam() }

// ofTeam reports whether an action is taken after the session is final, as long as it owes its team a word.
func ofTeam(a Action) bool {
	switch a.(type) {
	case CallTeam, LeaveTeam, Widen:
		return true
	}
	return false
}

// callTeam carries out the action CallTeam.
func (d decision) callTeam(a CallTeam) (Session, error) {
	s := d.session
	asked, called := s.TeamAsked()
	if c := s.Calling; c != nil && c.Call != a.Call && d.now.Before(c.Until) {
		return s, ErrUsed
	}
	older := !called && s.Widen != nil && s.Widen.Decision == a.Decision
	if !older && !s.OwesTeam() {
		if err := s.MayWiden(); err != nil {
			return s, err
		}
	}
	if !called || s.Outcome == nil && a.Backend != "" && asked.Backend != a.Backend {
		if called {
			a.Decision = asked.Decision
		}
		var c checker
		c.checkText("backend", a.Backend, MaxLabel, true)
		c.checkText("decision_id", a.Decision, MaxLabel, true)
		if len(c.problems) > 0 {
			return s, &Invalid{Problems: c.problems}
		}
		s = s.withEvent(d.command, EventTeamCalled, a.Backend+" "+a.Decision, d.now)
	}
	if a.For > 0 {
		next := Calling{Call: a.Call, Until: d.now.Add(a.For)}
		if s.Calling != nil {
			next.Tries = s.Calling.Tries
		}
		s.Calling = &next
	}
	return s, nil
}

// leaveTeam carries out the action LeaveTeam.
func (d decision) leaveTeam(a LeaveTeam) (next Session, changed bool, err error) {
	s := d.session
	if a.Told {
		if !s.OwesTeam() {
			return s, false, nil
		}
		s.Calling = nil
		return s.withEvent(d.command, EventTeamTold, a.Why, d.now), true, nil
	}
	if s.Calling == nil || s.Calling.Call != a.Call {
		return s, false, nil
	}
	c := Calling{Tries: s.Calling.Tries}
	if a.Again > 0 {
		c.Tries, c.Until = c.Tries+1, d.now.Add(a.Again)
	}
	s.Calling = &c
	return s, true, nil
}

// called finds the trace of a call's command after an ambiguous error.
func (s Session) called(a Action) bool {
	switch a := a.(type) {
	case CallTeam:
		return s.Calling != nil && s.Calling.Call == a.Call
	case LeaveTeam:
		return !a.Told && (s.Calling == nil || s.Calling.Call != a.Call)
	}
	return false
}
