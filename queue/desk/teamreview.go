package desk

import (
	"strings"
	"time"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/widen"
)

// MayFetch says why there is nothing of the team to fetch: ErrNoTeam, ErrOver, ErrSending or ErrNotWithTeam.
func (t *Teamwork) MayFetch() error {
	on, pending := t.seat.Pending()
	switch {
	case t.d.o.Team == nil:
		return ErrNoTeam
	case !pending:
		return ErrOver
	case on.Widen == nil:
		return ErrNotWithTeam
	case t.d.outbox.Of(on.ID) != nil:
		return ErrSending
	}
	return nil
}

// Reviewable reports whether there is a review of the question on view already: it needs no call.
func (t *Teamwork) Reviewable() bool {
	c := t.On()
	return c != nil && c.Review != nil && t.MayFetch() == nil
}

// Reopen shows the review that is there.
func (t *Teamwork) Reopen() {
	if t.Reviewable() {
		c := t.On()
		c.Stage, c.Picks, c.away = TeamReview, false, false
		t.moved()
	}
}

// Fetch fetches the team's discussion, and has the agent sum it up. anew: even if the agent did before. The error is
// that of MayFetch.
func (t *Teamwork) Fetch(anew bool) error {
	if err := t.MayFetch(); err != nil {
		return err
	}
	on := t.seat.Session()
	c := t.consult(on.ID)
	ctx, run := c.begin(TeamFetching)
	c.Field, c.Picks = TeamNoField, false
	t.moved()
	t.d.Beside(func() {
		d, err := t.d.o.Team.Discussion(ctx, on.ID)
		t.d.Do(func() {
			t.took(on.ID, run, err, t.fetchedFrom(on.ID), func(c *Consultation) { t.fetched(c, on, d, anew) })
		})
	})
	return nil
}

// fetchedFrom returns the stage that a failed fetch leads back to: the earlier review, if there was one.
func (t *Teamwork) fetchedFrom(id string) TeamStage {
	if c := t.of[id]; c != nil && c.Review != nil {
		return TeamReview
	}
	return TeamIdle
}

// fetched continues with a discussion: with the agent's earlier summary of it if the session still has one, else by
// asking for a summary.
func (t *Teamwork) fetched(c *Consultation, on queue.Session, d widen.Discussion, anew bool) {
	if now, live := t.d.live.Session(on.ID); live {
		on = now
	}
	if on.Widen == nil {
		return
	}
	if k := on.Widen.Candidate; k != nil && !anew {
		t.review(c, widen.NewReview(on.Widen.Decision, d, *k))
		return
	}
	t.sumUp(c, on, d)
}

// sumUp asks the agent for a summary.
func (t *Teamwork) sumUp(c *Consultation, on queue.Session, d widen.Discussion) {
	ctx, run := c.begin(TeamSumming)
	fallback := widen.Fallback(on.Widen.Decision, d, true)
	c.fallback = &fallback
	by := t.actor(on.ID)
	t.d.Beside(func() {
		r, err := t.d.o.Team.Summarise(ctx, on.ID, d, by)
		t.d.Do(func() {
			t.took(on.ID, run, err, t.fetchedFrom(on.ID), func(c *Consultation) { t.review(c, r) })
			t.d.Refresh()
		})
	})
}

// review puts a review in the place of the one before. What the person wrote stays.
func (t *Teamwork) review(c *Consultation, r widen.CandidateReview) {
	c.Stage, c.Review, c.fallback = TeamReview, &r, nil
}

// GoOn continues without a summary.
func (t *Teamwork) GoOn() {
	c := t.On()
	if c == nil || c.Stage != TeamSumming || c.fallback == nil {
		return
	}
	c.stop()
	t.review(c, *c.fallback)
	t.moved()
}

// SummaryLeft returns the agent's time left for its summary of the question on view; given is false if it was not given
// the discussion yet.
func (t *Teamwork) SummaryLeft() (left time.Duration, given bool) {
	due, given := t.seat.Session().SummaryDue()
	return due.Sub(t.d.Now()), given
}

// Edited takes over what the person wrote in place of the candidate's answer. Nothing written is the answer to the
// question of an interview, and elsewhere leaves the candidate as it was. Words that come once the question is over are
// kept with it.
func (t *Teamwork) Edited(text string) {
	c := t.On()
	if c == nil {
		return
	}
	wanted := t.seat.Session().Origin.Dialect != queue.DialectInterview
	if c.Final = &text; wanted && queue.Blank(text) && !queue.Blank(c.Candidate()) {
		c.Final = nil
	}
	if _, pending := t.seat.Pending(); !pending {
		t.keepWords(c)
	}
	t.seat.CameUp()
}

// keepWords puts what was written about the team into the form of the question on view, which ended otherwise: there it
// can be copied, and its draft keeps it for the history.
func (t *Teamwork) keepWords(c *Consultation) {
	f, words := t.seat.Form(), []string{}
	if f == nil || t.seat.EndedBy(t.seat.Session()) {
		return
	}
	for _, text := range []string{f.CommentText(), c.written(), c.texts[TeamRationale], c.texts[TeamDeferral]} {
		if !queue.Blank(text) {
			words = append(words, text)
		}
	}
	c.Final, c.texts[TeamRationale], c.texts[TeamDeferral] = nil, "", ""
	if text := strings.Join(words, "\n\n"); text != f.CommentText() {
		f.Comment(text)
		t.seat.DraftSoon()
	}
}

// Accept resolves the question on view with the answer of its review, or brings its form up where the person picks the
// option there. The error is ErrNoAnswer, ErrSending or ErrOver.
func (t *Teamwork) Accept() (Acceptance, error) {
	c, on := t.On(), t.seat.Session()
	if c == nil || c.Stage != TeamReview {
		return AcceptNothing, ErrOver
	}
	answer, how := c.Accepts(on)
	switch how {
	case AcceptNothing:
		return how, ErrNoAnswer
	case AcceptPicks:
		t.fill(answer)
		c.Stage, c.Field, c.Picks = TeamIdle, TeamNoField, true
		t.moved()
		return how, nil
	}
	do := queue.Settle{Answer: answer, Team: c.resolution(c.Source()), Empty: how == AcceptEmpty}
	err := t.seat.endSession(do)
	if err == nil {
		t.ended(c)
	}
	return how, err
}

// AsksWhy reports whether the answer in the form on view goes along with the team's summary and is another than the
// team's: the person may say why before it is sent. What they confirm was their second thought already.
func (t *Teamwork) AsksWhy() bool {
	on := t.seat.Session()
	return t.picking() && !on.Ask.Confirm && t.picked(t.seat.Form().Answer()).Summary.Source == queue.SourceOwner
}

// picking reports whether the person picks the option in the form on view, with a review behind it.
func (t *Teamwork) picking() bool {
	c := t.On()
	return c != nil && c.Picks && t.seat.Session().Widen != nil
}

// picked returns the part of the review that is sent with an answer picked in the form.
func (t *Teamwork) picked(answer queue.Answer) *queue.Resolution {
	c := t.On()
	return c.resolution(widen.PickedSource(t.seat.Session().Ask, answer, c.Candidate()))
}

// fill puts an answer into the form on view, where there is one.
func (t *Teamwork) fill(answer queue.Answer) {
	f := t.seat.Form()
	for i, r := range answer.Replies {
		if f == nil || i >= f.Len() {
			return
		}
		if f.Question(i).Select(r.Selected...); r.Text != "" {
			f.Question(i).Write(r.Text)
		}
	}
}

// MayDefer says why the question on view is not deferred: ErrOver, ErrSending, or what queue.Session.MayDefer says.
func (t *Teamwork) MayDefer() error {
	on, pending := t.seat.Pending()
	switch {
	case !pending:
		return ErrOver
	case t.d.outbox.Of(on.ID) != nil:
		return ErrSending
	}
	return on.MayDefer()
}

// BeginDeferral opens the line for why the decision has to wait. The error is MayDefer's.
func (t *Teamwork) BeginDeferral() error { return t.open(TeamDeferral) }

// BeginRationale opens the line for why the person decided otherwise than the team.
func (t *Teamwork) BeginRationale() error { return t.open(TeamRationale) }

func (t *Teamwork) open(f TeamField) error {
	if err := t.MayDefer(); err != nil {
		return err
	}
	t.consult(t.seat.Up()).Field = f
	return nil
}

// Ready says why the deferral cannot be sent: ErrNoReason. nil: it can.
func (t *Teamwork) Ready() error {
	c := t.On()
	if c == nil || t.seat.Session().Widen != nil && queue.Blank(c.texts[TeamDeferral]) {
		return ErrNoReason
	}
	return nil
}

// Defer ends the question on view without an answer, for the reason typed. The error is that of Ready or MayDefer.
func (t *Teamwork) Defer() error {
	if err := t.Ready(); err != nil {
		return err
	}
	c := t.On()
	if err := t.seat.endSession(queue.Defer{Rationale: c.texts[TeamDeferral], Summary: c.Summary()}); err != nil {
		return err
	}
	t.ended(c)
	return nil
}

// ended leaves a consultation whose question is ended by it.
func (t *Teamwork) ended(c *Consultation) {
	c.Stage, c.Field = TeamIdle, TeamNoField
	t.moved()
}

// EndTyping leaves the line being typed; its text stays.
func (t *Teamwork) EndTyping() {
	c := t.On()
	if c == nil {
		return
	}
	if c.Field == TeamNames && c.Stage <= TeamNaming {
		c.stop()
		c.Stage = TeamIdle
	}
	c.Field = TeamNoField
}

// Leave returns to the question. A call to the team that is under way continues; fetching ends.
func (t *Teamwork) Leave() {
	c := t.On()
	if c == nil {
		return
	}
	c.away, c.Field = true, TeamNoField
	switch c.Stage {
	case TeamCalling:
	case TeamFetching, TeamSumming:
		c.stop()
		c.Stage = TeamIdle
	default:
		c.Stage = TeamIdle
	}
	t.moved()
}
