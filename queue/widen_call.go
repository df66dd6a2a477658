package queue

import (
	"slices"
	"strings"
	"time"
)

// The team is called twice about a question: to ask it, and to tell it how the question ended. A process claims each
// call before it makes it, so that only one process does, and the result is stored:
//
//	pending ─► CallTeam ─► team_called in the trail ─► the call ─► Widen, or LeaveTeam
//	settled ─► CallTeam ─► the call ─┬─ taken ──► LeaveTeam{Told} ─► team_told in the trail
//	                                 └─ failed ─► LeaveTeam{Again} ─► no call before that time
//
// Facts that must not get lost are in the trail. The claim and the pace of the calls are in Session.Calling.
const (
	EventTeamCalled  = "team_called"  // a call that asks the team is about to be made; see Session.TeamAsked
	EventTeamRefused = "team_refused" // the server refused that call, so that the team knows nothing of the question
	EventTeamTold    = "team_told"    // the team knows the end, or is not told for the reason in the detail
)

// UntoldFor is the longest time after its outcome for which a session stays live until its team is told.
const UntoldFor = 30 * 24 * time.Hour

// Calling records who calls the team about a session, and when the next call may be made.
type Calling struct {
	Call  string    `json:"call,omitempty"`  // claim of the call that is under way, else empty
	Until time.Time `json:"until,omitzero"`  // time before which nobody else calls
	Tries int       `json:"tries,omitempty"` // failed calls that were to tell how the question ended
}

type (
	// CallTeam claims the call to the team for the time For, or extends the claim; Call names the claim. Decision is
	// the question's id at the team, and Backend names the way to the team, such as slack. The first call adds them to
	// the trail, and so does a call through another backend. Refused with ErrUsed while another process calls or it is
	// too early to try again, else for the reasons of Session.MayWiden; a session whose team must still be told how it
	// ended is not refused for these.
	CallTeam struct {
		Call, Decision, Backend string
		For                     time.Duration
	}
	// LeaveTeam gives back the claim of CallTeam. Told means that the team knows how the question ended, or is not told
	// again for the reason Why. Without Told the call failed, and the next may be made after the time Again; 0 allows
	// it at once, and the call does not count as a try. Refused means that the call which asks the team was refused,
	// and that nothing of it is known there.
	LeaveTeam struct {
		Call    string
		Told    bool
		Why     string
		Again   time.Duration
		Refused bool
	}
)

func (CallTeam) action()  {}
func (LeaveTeam) action() {}

// TeamAsked is the trail's event about the call that was made to ask the team.
type TeamAsked struct {
	Event
	Backend, Decision string
}

// TeamAsked returns the backend through which the team was called about the session, and the decision id. called is
// false if the team was not called.
func (s Session) TeamAsked() (a TeamAsked, called bool) {
	a.Event, called = s.Last(EventTeamCalled)
	a.Backend, a.Decision, _ = strings.Cut(a.Detail, " ")
	return a, called
}

// OwesTeam reports whether the session is over and its team has not been told yet.
func (s Session) OwesTeam() bool {
	if s.Outcome == nil {
		return false
	}
	_, told := s.Last(EventTeamTold)
	return s.teamMayKnow() && !told
}

// teamMayKnow reports whether a call that asked the team was made and not refused.
func (s Session) teamMayKnow() bool {
	for _, e := range slices.Backward(s.Events) {
		switch e.Kind {
		case EventTeamCalled:
			return true
		case EventTeamRefused:
			return false
		}
	}
	return false
}

// Closed reports whether the session is final and its team was told, so that nothing is written into it any more.
func (s Session) Closed() bool { return s.Final && !s.OwesTeam() }

// isTeamAction reports whether an action is possible on a final session that OwesTeam.
func isTeamAction(a Action) bool {
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
	if !s.OwesTeam() {
		if err := s.MayWiden(); err != nil {
			return s, err
		}
	}
	otherBackend := s.Outcome == nil && a.Backend != "" && asked.Backend != a.Backend
	if !called || otherBackend || !s.teamMayKnow() {
		if called {
			a.Decision = asked.Decision
		}
		var c checker
		c.checkText("backend", a.Backend, MaxLabel, required)
		c.checkText("decision_id", a.Decision, MaxLabel, required)
		if len(c.problems) > 0 {
			return s, &Invalid{Problems: c.problems}
		}
		s = s.withEvent(d.command, EventTeamCalled, a.Backend+" "+a.Decision, d.now)
	}
	next := Calling{Call: a.Call, Until: d.now.Add(a.For)}
	if s.Calling != nil {
		next.Tries = s.Calling.Tries
	}
	s.Calling = &next
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
	if a.Refused && s.teamMayKnow() {
		s = s.withEvent(d.command, EventTeamRefused, "", d.now)
	}
	c := Calling{Tries: s.Calling.Tries}
	if a.Again > 0 {
		c.Tries, c.Until = c.Tries+1, d.now.Add(a.Again)
	}
	s.Calling = &c
	return s, true, nil
}

// showsTeamCall reports whether the session shows the effect of a call's command. It is called after an ambiguous
// error.
func (s Session) showsTeamCall(a Action) bool {
	switch a := a.(type) {
	case CallTeam:
		return s.Calling != nil && s.Calling.Call == a.Call
	case LeaveTeam:
		return !a.Told && (s.Calling == nil || s.Calling.Call != a.Call)
	}
	return false
}
