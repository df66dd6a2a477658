package queue

import (
	"encoding/json"
	"fmt"
	"time"
	"unicode/utf8"
)

// decideTeam carries out the actions about the team.
func (d decision) decideTeam() (next Session, changed bool, err error) {
	switch a := d.command.Do.(type) {
	case CallTeam:
		return changedUnless(d.callTeam(a))
	case LeaveTeam:
		return d.leaveTeam(a)
	case Widen:
		return changedUnless(d.askTeam(a))
	case Regroup:
		return d.regroupQuestion(a)
	case AskSummary:
		return changedUnless(d.askSummary(a))
	case WriteSummary:
		return d.writeSummary(a)
	case GiveSummary:
		return changedUnless(d.giveSummary(a))
	case MissSummary:
		return d.missSummary()
	case Defer:
		return changedUnless(d.deferQuestion(a))
	}
	return d.session, false, nil
}

// askTeam carries out the action Widen.
func (d decision) askTeam(a Widen) (Session, error) {
	s, w := d.session, a.Widened
	late := s.Widen == nil && s.OwesTeam() // the question ended during the call that asked the team
	if err := s.MayWiden(); err != nil && !late {
		return s, err
	}
	if err := w.check(); err != nil {
		return s, err
	}
	w.Request, w.Candidate, w.ParkedAt, w.State = nil, nil, nil, WidenBlocked
	w.LeftMS = max(s.Deadline.Sub(d.now).Milliseconds(), 0)
	if w.At.IsZero() {
		w.At = d.now
	}
	w.At = storedTime(w.At)
	s.Widen, s.Calling, s.Deadline, s.LaterUntil = &w, nil, time.Time{}, nil
	return s.withEvent(d.command, EventWidened, w.Names(), d.now), nil
}

// check returns an *Invalid if a field from the team's server or from the command is not valid.
func (w Widened) check() error {
	var c checker
	for _, f := range []struct{ path, text string }{
		{"decision_id", w.Decision}, {"mission_slug", w.Mission}, {"question_id", w.QuestionID},
	} {
		c.checkText(f.path, f.text, MaxLabel, required)
	}
	if len(w.Team) > MaxTeam {
		c.addProblem("participants", fmt.Sprintf("are %d", len(w.Team)), fmt.Sprintf("at most %d", MaxTeam))
	}
	for i, m := range w.Team {
		c.checkText(fmt.Sprintf("participants[%d].display_name", i), m.Name, MaxLabel, required)
	}
	c.checkText("thread_url", w.ThreadURL, MaxNote, optional)
	if len(w.Response) > 0 && (len(w.Response) > MaxPromptBytes || !json.Valid(w.Response)) {
		c.addProblem("widen_endpoint_response", "is too long or not JSON",
			fmt.Sprintf("at most %d bytes", MaxPromptBytes))
	}
	if len(c.problems) > 0 {
		return &Invalid{Problems: c.problems}
	}
	return nil
}

// copyWidened returns the session and a copy of its Widened, which the caller may change.
func (d decision) copyWidened() (Session, *Widened, error) {
	s := d.session
	switch {
	case s.Outcome != nil:
		return s, nil, ErrSettled
	case s.Widen == nil:
		return s, nil, ErrNotWidened
	}
	w := *s.Widen
	return s, &w, nil
}

// regroupQuestion carries out the action Regroup.
func (d decision) regroupQuestion(a Regroup) (next Session, changed bool, err error) {
	s, w, err := d.copyWidened()
	switch {
	case err != nil:
		return s, false, err
	case a.State != WidenBlocked && a.State != WidenParked:
		return s, false, invalid("state", "is "+Quote(a.State), WidenBlocked+" or "+WidenParked)
	case w.State == a.State:
		return s, false, nil
	}
	if err := s.checkEventSpace(); err != nil {
		return s, false, err
	}
	w.State, w.ParkedAt = a.State, nil
	if a.State == WidenParked {
		w.ParkedAt = &d.now
	}
	s.Widen = w
	return s.withEvent(d.command, EventRegrouped, a.State, d.now), true, nil
}

// askSummary carries out the action AskSummary.
func (d decision) askSummary(a AskSummary) (Session, error) {
	s, w, err := d.copyWidened()
	if err != nil {
		return s, err
	}
	if a.ID == "" || Blank(a.Block) || len(a.Block) > MaxSummaryBlock || !utf8.ValidString(a.Block) {
		return s, invalid("block", "is blank, too long or not valid UTF-8",
			fmt.Sprintf("at most %d bytes of UTF-8 text", MaxSummaryBlock))
	}
	if err := s.checkEventSpace(); err != nil {
		return s, err
	}
	w.Request, w.Candidate = &Request{ID: a.ID, Block: a.Block, At: d.now}, nil
	s.Widen = w
	return s.withEvent(d.command, EventSummaryAsked, "", d.now), nil
}

// writeSummary carries out the action WriteSummary.
func (d decision) writeSummary(a WriteSummary) (next Session, changed bool, err error) {
	s, w, err := d.copyWidened()
	if err != nil {
		return s, false, err
	}
	if w.Request == nil || w.Request.ID != a.ID || w.Request.WrittenAt != nil {
		return s, false, nil
	}
	r := *w.Request
	r.WrittenAt = &d.now
	w.Request = &r
	s.Widen = w
	return s, true, nil
}

// giveSummary carries out the action GiveSummary.
func (d decision) giveSummary(a GiveSummary) (Session, error) {
	s, w, err := d.copyWidened()
	if err != nil {
		return s, err
	}
	switch due, wanted := s.SummaryDue(); {
	case !wanted, a.Request != "" && a.Request != w.Request.ID:
		return s, ErrNoSummary
	case d.now.After(due):
		return s, ErrNoSummary
	}
	if err := a.Candidate.check(); err != nil {
		return s, err
	}
	if err := s.checkEventSpace(); err != nil {
		return s, err
	}
	given := a.Candidate
	w.Candidate = &given
	s.Widen = w
	return s.withEvent(d.command, EventSummaryGiven, "", d.now), nil
}

// missSummary carries out the action MissSummary.
func (d decision) missSummary() (next Session, changed bool, err error) {
	s, w, err := d.copyWidened()
	if err != nil {
		return s, false, err
	}
	if last := s.Events[len(s.Events)-1]; w.Candidate != nil || last.Kind == EventSummaryMissed {
		return s, false, nil
	}
	if err := s.checkEventSpace(); err != nil {
		return s, false, err
	}
	return s.withEvent(d.command, EventSummaryMissed, "", d.now), true, nil
}

// check returns an *Invalid if the agent's summary is not valid.
func (k Candidate) check() error {
	var c checker
	for _, f := range []struct{ path, text string }{
		{"candidate_summary", k.Summary}, {"candidate_answer", k.Answer},
	} {
		if len(f.text) > MaxCandidate || !utf8.ValidString(f.text) {
			c.addProblem(f.path, "is too long or not valid UTF-8", fmt.Sprintf("at most %d bytes", MaxCandidate))
		}
	}
	if k.SourceHint != SourceTeam && k.SourceHint != SourceManual {
		c.addProblem("source_hint", "is "+Quote(k.SourceHint), SourceTeam+" or "+SourceManual)
	}
	if len(c.problems) > 0 {
		return &Invalid{Problems: c.problems}
	}
	return nil
}

// deferQuestion carries out the action Defer.
func (d decision) deferQuestion(a Defer) (Session, error) {
	s := d.session
	if err := s.MayDefer(); err != nil {
		return s, err
	}
	if s.Widen != nil && Blank(a.Rationale) {
		return s, invalid("rationale", "is missing", "why the decision has to wait")
	}
	r := Resolution{Rationale: a.Rationale, Summary: Summary{Text: a.Summary, Source: SourceManual}}
	if a.Summary != "" {
		r.Summary.Source = SourceTeam
	}
	if err := r.check(); err != nil {
		return s, err
	}
	o := Outcome{Status: StatusDeferred, Reason: a.Rationale}
	if s.Widen != nil {
		r.Decision = s.Widen.Decision
		o.Team = &r
	}
	return d.endedByCommand(o), nil
}

// check returns an *Invalid if the result of the team's review is not valid.
func (r Resolution) check() error {
	var c checker
	c.checkText("rationale", r.Rationale, MaxNote, optional)
	if len(r.Summary.Text) > MaxCandidate || !utf8.ValidString(r.Summary.Text) {
		c.addProblem("summary", "is too long or not valid UTF-8", fmt.Sprintf("at most %d bytes", MaxCandidate))
	}
	switch r.Summary.Source {
	case SourceTeam, SourceOwner, SourceManual:
	default:
		c.addProblem("source", "is "+Quote(r.Summary.Source), SourceTeam+", "+SourceOwner+" or "+SourceManual)
	}
	if len(c.problems) > 0 {
		return &Invalid{Problems: c.problems}
	}
	return nil
}

// teamResolution returns the team's review for the outcome of an answer. It is nil if the team was not asked. If the
// person answered without the review, the result says that the answer is theirs.
func (d decision) teamResolution(given *Resolution) (*Resolution, error) {
	s := d.session
	if s.Widen == nil {
		if given != nil {
			return nil, ErrNotWidened
		}
		return nil, nil
	}
	r := Resolution{Summary: Summary{Source: SourceManual}}
	if given != nil {
		r = *given
	}
	r.Decision = s.Widen.Decision
	return &r, r.check()
}

// acceptsNothing reports whether a question of an interview that was with the team may end without words, since the
// person accepted an empty candidate.
func (d decision) acceptsNothing(a Settle) bool {
	s := d.session
	return a.Empty && s.Widen != nil && s.Origin.Dialect == DialectInterview
}

// emptyAnswer returns an answer with an empty reply to each question.
func emptyAnswer(a Ask) Answer {
	var out Answer
	for _, q := range a.Questions {
		out.Replies = append(out.Replies, Reply{Question: q.ID})
	}
	return out
}
