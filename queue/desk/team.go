package desk

import (
	"context"
	"reflect"
	"strings"
	"time"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/form"
	"github.com/choicetui/choicetui/queue/widen"
)

type (
	// TeamNews says what happened to a consultation at a view: see the kinds of widen.News. Session is the question of
	// Regrouped and Closed, and Err the error of Failed.
	TeamNews struct {
		View    *View
		News    widen.News
		Session queue.Session
		Err     error
	}
	// TeamTrouble says that the team could not be told of a decision. The desk tries again.
	TeamTrouble struct{ Err error }
)

func (TeamNews) event()    {}
func (TeamTrouble) event() {}

// teamWithin limits one call to the team. The Team has its own, shorter limits.
const teamWithin = 5 * time.Minute

// Teamwork lets the person at a view ask their team. A question whose team is asked has a consultation (widen.Consult,
// the state machine with the rules); the person's keys act on that of the question on view. A Consult returns a Want
// for each call that it needs, and Teamwork carries it out: it makes calls to the team on other goroutines than the
// owner's, and sends an answer or a deferral through the outbox. A question about which nobody does anything with the
// team has no consultation, and neither a key nor a change of the queue asks for one.
//
//	key ─► action ─► Do(method of Consult) ─► Want ─► widen.Run on a goroutine ─► Got ─► Consult.Take ─► TeamNews
//
// Where the person is asked something about the team, that is a form in front of the question on view, which every
// frontend shows as it shows the agent's questions. The answer goes to the Consult (Settle) and to no agent.
type Teamwork struct {
	view  *View
	d     *Desk
	calls map[string]teamCall // by session

	// Begun is the consultation about the question on view; nil: none was begun. Only the view sets it.
	Begun *widen.Consult

	parkedView   string    // the question of noteParkedView; empty: none
	parkedViewAt time.Time // when it was noted
}

// teamCall is a running call to the team.
type teamCall struct {
	want   widen.Want
	cancel context.CancelFunc
}

// On returns the consultation about the question on view, and begins one if there is none.
func (t *Teamwork) On() *widen.Consult {
	c := t.look()
	if up := t.view.up; up != nil {
		up.consult, t.Begun = c, c
	}
	return c
}

// look returns the consultation about the question on view, or, if none was begun, what it would be.
func (t *Teamwork) look() *widen.Consult {
	if t.Begun != nil {
		return t.Begun
	}
	c := &widen.Consult{}
	if up := t.view.up; up != nil {
		c.See(up.session)
	}
	return c
}

// consultOf returns the consultation about a session; nil: none was begun, or it is over.
func (t *Teamwork) consultOf(id string) *widen.Consult {
	if o := t.view.opened[id]; o != nil {
		return o.consult
	}
	return nil
}

// HasTeam reports whether a team is set up, or was asked about a pending question all the same: the setting may have
// been switched off meanwhile, or another machine may have asked. It changes only with SettingsChanged and Ordered.
func (d *Desk) HasTeam() bool { return d.reach.setUp || d.live.withTeam }

// TellsAnswer reports whether the team is told of an answer. Where no team is set up here, another machine tells it.
func (t *Teamwork) TellsAnswer() bool { return t.d.o.Team == nil || t.d.o.Team.TellsAnswers() }

// WhyNot returns the reason why nothing would come of a verb about the question on view: ErrOver, ErrSending or the
// verb's error; for a verb that calls the team also widen.ErrNoTeam, or the error of reaching the team. It
// changes nothing. A question of an interview can be deferred without a team.
func (t *Teamwork) WhyNot(verb widen.Verb) error {
	on, pending := t.view.Pending()
	w, err := t.look().Try(verb)
	switch {
	case t.d.o.Team == nil && (err != nil || w.Kind != widen.WantNothing):
		return widen.ErrNoTeam
	case !pending:
		return ErrOver
	case t.d.outbox.Of(on.ID) != nil:
		return ErrSending
	case err != nil || w.Kind != widen.WantAudience:
		return err
	}
	if !t.d.o.Team.SetUp() {
		return widen.ErrNoTeam
	}
	return t.d.reach.err
}

// Do calls verb, a method of Consult, on the consultation about the question on view, and carries out the Want that it
// returns. The error is the verb's, ErrOver or ErrSending.
func (t *Teamwork) Do(verb widen.Verb) error {
	if t.view.up == nil {
		return ErrOver
	}
	c, id := t.On(), t.view.Up()
	t.noteSession(c, t.view.up.session)
	was := c.Stage
	w, err := verb(c)
	if err == nil {
		err = t.carryOut(c, w)
	}
	t.dropCall(id)
	t.follow(true)
	if err != nil {
		return err
	}
	if c.Asks() && c.Stage != was && c.Stage != widen.Explaining {
		t.view.BroughtUp()
	} else { // a second Enter may still be meant for what was there before
		t.view.CameUp()
	}
	return nil
}

// Settle takes the person's answer to what they are asked about the team. Where they pick the option in the form then,
// the options that the team's answer names are marked there. The error is that of Do.
func (t *Teamwork) Settle() error {
	c, given := t.On(), t.view.Form().Answer()
	picked := c.Picks
	err := t.Do(func(c *widen.Consult) (widen.Want, error) { return c.Settle(given) })
	if f := t.view.Form(); err == nil && c.Picks && !picked && f != nil {
		do, _, _ := c.Accepts() // there is an answer, or else there would be nothing to pick
		for i, r := range do.Answer.Replies[:min(len(do.Answer.Replies), f.Len())] {
			if f.Question(i).Select(r.Selected...); r.Text != "" {
				f.Question(i).Write(r.Text)
			}
		}
	}
	return err
}

// follow brings what the person is asked about the team in front of the question on view, or takes it away. It never
// comes in front while the person types an answer to the question. anew: the consultation may ask something else at the
// same stage.
func (t *Teamwork) follow(anew bool) {
	o, c := t.view.up, t.Begun
	if o == nil || c == nil || !anew && o.front != nil && o.front.stage == c.Stage {
		return
	}
	var front *teamQuestion
	if c.Asks() && (o.front != nil || o.form.Typing() == form.FieldNone) && o.session.Pending() {
		front = t.question(o, c)
	}
	if o.front != front {
		o.front = front
		t.view.kept = keptMarks{}
		t.view.CameUp()
		t.d.tell(TeamNews{View: t.view, News: widen.Moved})
	}
}

// question returns what the person is asked at the stage of the consultation. If they were asked it before, the words
// that they typed are still there; the marks only where they are asked again because a call failed, so that nothing is
// added to what the team reads unless it is added each time.
func (t *Teamwork) question(o *opened, c *widen.Consult) *teamQuestion {
	ask, was := c.Question(), o.asked[c.Stage]
	if was != nil && (was == o.front || c.Fault != nil) && reflect.DeepEqual(was.ask, ask) {
		return was
	}
	s, options := o.session, form.Options{Points: t.view.points, OfTeam: true}
	if s.Ask = ask; was != nil {
		options.Draft = &queue.Draft{Answer: was.words(ask)}
	}
	if o.asked == nil {
		o.asked = map[widen.Stage]*teamQuestion{}
	}
	o.asked[c.Stage] = &teamQuestion{c.Stage, ask, form.New(s, options)}
	return o.asked[c.Stage]
}

// words returns the answer with which a question about the team starts, with the words that the person typed into it
// before.
func (q *teamQuestion) words(ask queue.Ask) queue.Answer {
	a := queue.StartAnswer(ask)
	for i, asked := range ask.Questions[:min(len(ask.Questions), q.form.Len())] {
		if typed := q.form.Question(i); asked.TakesText() && typed.Words() != typed.DefaultText {
			if a.Replies[i].Text = typed.Words(); asked.Radio() {
				a.Replies[i].Selected = nil
			}
		}
	}
	return a
}

// carryOut carries out a Want: it sends an answer or a deferral, and makes any other call on a goroutine of its own.
func (t *Teamwork) carryOut(c *widen.Consult, w widen.Want) error {
	switch w.Kind {
	case widen.WantNothing:
		return nil
	case widen.WantEnd:
		err := t.view.endSession(w.Do)
		c.Take(widen.Got{Want: w, Err: err})
		c.Refuse(nil) // the caller reports the error, so nothing else need
		return err
	default:
	}
	id, by := w.Session.ID, widen.Actor{Surface: t.view.surfaceOf(w.Session.ID), Given: t.view.given}
	if w.Kind == widen.WantAsk {
		t.view.Guard.dropMark()
	}
	t.dropCall(id)
	ctx, cancel := context.WithTimeout(context.Background(), teamWithin)
	t.calls[id] = teamCall{w, cancel}
	t.d.Beside(func() {
		g := widen.Run(ctx, t.d.o.Team, w, by)
		t.d.Do(func() { t.takeCall(id, g) })
	})
	return nil
}

// dropCall cancels the call for a session if its result is no longer wanted.
func (t *Teamwork) dropCall(id string) {
	if call, under := t.calls[id]; under {
		if c := t.consultOf(id); c != nil && c.Awaits(call.want) {
			return
		}
		call.cancel()
		delete(t.calls, id)
	}
}

// takeCall applies the result of a call.
func (t *Teamwork) takeCall(id string, g widen.Got) {
	if g.Err == nil && g.Session.ID != "" {
		t.d.takeResult(g.Session)
	}
	c := t.consultOf(id)
	if c == nil {
		return
	}
	next, news := c.Take(g)
	t.dropCall(id)
	_ = t.carryOut(c, next) // the error is that of WantEnd, which does not follow a call
	t.follow(true)
	if news != widen.Ignored && news != widen.Ended && news != widen.Moved {
		t.d.tell(TeamNews{t.view, news, g.Session, g.Err})
	}
	t.d.Refresh()
	if news == widen.Regrouped && g.Session.Parked() && t.view.Up() == id {
		t.view.CameUp()
		t.noteParkedView()
		t.leaveParked()
	}
}

// AsksWhy reports whether the person may say why before the answer is sent: the answer goes to the agent together with
// the team's summary, and differs from the team's choice.
func (t *Teamwork) AsksWhy() bool {
	return t.view.up != nil && t.Begun != nil && t.Begun.AsksWhy(t.view.up.form.Answer())
}

// Explain asks the person why the answer that they picked differs from the team's. The error is that of Do.
func (t *Teamwork) Explain() error {
	answer := t.view.up.form.Answer()
	return t.Do(func(c *widen.Consult) (widen.Want, error) { return c.Explain(answer) })
}

// followView applies the newest state of the question on view to its consultation, which was begun.
func (t *Teamwork) followView(on queue.Session) {
	if !on.Pending() {
		t.keepWords()
	}
	t.noteSession(t.Begun, on)
	t.dropCall(on.ID)
	t.follow(false)
}

// noteSession passes the newest state of the question to its consultation. If that closes the consultation, the news is
// Closed, unless the person ended the question here.
func (t *Teamwork) noteSession(c *widen.Consult, on queue.Session) {
	if c.See(on) && (on.Pending() || !t.view.EndedBy(on)) {
		t.d.tell(TeamNews{View: t.view, News: widen.Closed, Session: on})
	}
}

// keepWords moves what the person typed about the team, and did not send, into the comment of the question on view,
// which has ended: it can be copied there, and the draft keeps it for the history.
func (t *Teamwork) keepWords() {
	o := t.view.up
	if t.view.EndedBy(o.session) {
		return
	}
	var words []string
	for _, stage := range []widen.Stage{widen.Editing, widen.Explaining, widen.Deferring} {
		if q := o.asked[stage]; q != nil {
			if here := q.form.Here(); here.Words() != here.DefaultText {
				words = append(words, here.Words())
			}
		}
	}
	if o.asked = nil; len(words) == 0 {
		return
	}
	if comment := o.form.CommentText(); !queue.Blank(comment) {
		words = append([]string{comment}, words...)
	}
	o.form.Comment(strings.Join(words, "\n\n"))
	t.view.DraftSoon()
}

// noteParkedView notes that a parked question is on view only because no other question is open.
func (t *Teamwork) noteParkedView() { t.parkedView, t.parkedViewAt = t.view.Up(), t.d.Now() }

// leaveParked replaces the question of noteParkedView by the next open one, because the person chose to continue with
// other questions. The parked question stays once the person has pressed a key for it. A key within Settle does not
// count, because the guard refused it, unless it went into a text.
func (t *Teamwork) leaveParked() {
	turned := t.view.lastKey.After(t.parkedViewAt.Add(Settle)) || t.view.lastKey.After(t.parkedViewAt) && t.view.types()
	if t.parkedView == "" || t.parkedView != t.view.Up() || turned {
		t.parkedView = ""
		return
	}
	if next := t.view.nextOpen(); next != "" {
		t.parkedView = ""
		t.view.Show(next)
		t.view.CameUp()
	}
}

// remindEvery is the time without a key after which the person is reminded that the team has not answered, and the
// interval of further reminders.
const remindEvery = time.Hour

// Reminded returns for how many whole hours no key was pressed while the question on view was waiting for the team, and
// when the number next increases. It returns 0 and a zero time if the question is not waiting.
func (t *Teamwork) Reminded() (hours int, next time.Time) {
	on, pending := t.view.Pending()
	if !pending || on.Widen == nil || on.Parked() {
		return 0, time.Time{}
	}
	since := on.Widen.At
	if t.view.lastKey.After(since) {
		since = t.view.lastKey
	}
	hours = int(max(t.d.Now().Sub(since), 0) / remindEvery)
	return hours, since.Add(time.Duration(hours+1) * remindEvery)
}

// lookEvery is the shortest interval between two checks whether the team can be reached.
const lookEvery = time.Minute

// reach records whether there is a team, and whether it could be reached at the last check. Only the owner of the desk
// touches it.
type reach struct {
	setUp   bool      // a team is set up, according to the settings
	asked   time.Time // when the last check ended; zero: there was none
	looking bool
	err     error // nil: it could; widen.ErrUnknown before the first check, and while an error is checked again
}

// lookForTeam checks whether the team that is set up can be reached, at most once a minute and on a goroutine of its
// own. It does so only after the person pressed a key, while a question is on view that could go to the team.
func (s *View) lookForTeam(now time.Time) {
	d := s.d
	on, pending := s.Pending()
	if !pending || s.covered || on.MayWiden() != nil {
		return
	}
	r := &d.reach
	if r.looking || !r.asked.IsZero() && (now.Sub(r.asked) < lookEvery || !s.lastKey.After(r.asked)) {
		return
	}
	if r.looking = true; r.err != nil {
		r.err = widen.ErrUnknown
	}
	d.Beside(func() {
		err := d.o.Team.Ready(context.Background()) // the Team limits its time
		d.Do(func() {
			changed := r.asked.IsZero() || (err == nil) != (r.err == nil)
			r.asked, r.looking, r.err = d.Now(), false, err
			if changed {
				d.tell(Troubled{})
			}
		})
	})
}
