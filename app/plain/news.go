package plain

import (
	"context"
	"fmt"
	"maps"
	"time"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

// news writes what happens without the person asking: arrivals, endings, problems and warnings.
type news struct {
	*voice
	alerts desk.Alerts       // nil: the person is not warned
	count  func(n int)       // shows the number of pending questions elsewhere; nil: nowhere
	told   map[string]bool   // the questions whose arrival was written and whose end was not
	needed map[string]bool   // the agents, by instance, whose notice was written
	sent   map[string]string // the agents' names, by question, for answers sent here that were not received yet
	last   lastWritten
	idle   bool // whether it was said that nothing is pending
}

// lastWritten records what the lines have told about the question that was written last, so that nothing is told twice.
type lastWritten struct {
	id    string      // the question; empty: none, or it has ended
	until time.Time   // its deadline as written last
	gone  bool        // whether it was said that the agent does not wait for the answer any more
	with  string      // the words that were written about other people who are answering it
	hides form.Hidden // the options that the settings hid
}

// turnToQuestion notes which question is being written; an empty id: none.
func (n *news) turnToQuestion(id string) {
	n.last = lastWritten{id: id}
	if id != "" {
		n.last.until, n.last.hides, n.idle = n.view.Session().Deadline, n.view.Form().Rules().Hidden, false
	}
}

// hearEvent writes what an event of the desk means to the person.
func (n *news) hearEvent(e desk.Event) {
	switch e := e.(type) {
	case desk.Changed:
		n.tellChange(e.Was, e.Now)
	case desk.Left:
		n.lookUpReceipt(e.ID)
	case desk.Ordered:
		if n.count != nil && n.desk.Loaded() {
			n.count(len(n.desk.Waiting()))
		}
		n.tellGone()
		n.tellAnswering()
		n.tellNew()
		n.tellNeeded()
	case desk.NotStored:
		if e.Again {
			n.complain(say.AnswerUnsaved(e.Err.Error()))
		} else {
			n.say(say.NotSent(e.Err, say.InLines))
		}
	case desk.NotMoved:
		n.say(say.ClockNotMoved(e.Err, say.InLines))
	case desk.SetAside:
		n.complain(say.SetAside(e.Broken.Name, e.Broken.Reason))
	case desk.Troubled:
		n.tellTrouble(n.desk.Trouble())
	}
}

// tellTrouble says what the desk cannot do at present.
func (n *news) tellTrouble(t desk.Trouble) {
	if t.Queue != nil {
		n.complain(say.QueueUnread(t.Queue)[0])
	}
	if t.Draft != nil {
		n.complain(say.DraftUnsaved(t.Draft.Error()))
	}
	for _, host := range t.Hosts {
		n.complain(say.HostAway(host)[0])
	}
}

// tellChange says what has changed about the question on view, and whether an answer was received.
func (n *news) tellChange(was, s queue.Session) {
	now := n.desk.Now()
	_, known := was.AsideUntil(now) // a question that was set aside here is known already
	if until, aside := s.AsideUntil(now); aside && !known && s.ID == n.last.id {
		n.say("Set aside elsewhere until " + until.Local().Format("15:04") + ".")
	}
	if s.ID == n.last.id && s.Pending() && s.Perhaps != was.Perhaps {
		n.say(perhapsLine(s))
	}
	if s.ID == n.last.id && s.Outcome == nil && !s.Deadline.Equal(n.last.until) {
		n.last.until = s.Deadline
		n.say(timeLine(s, now, ""))
	}
	n.tellReceived(s)
}

// perhapsLine says that a question was perhaps answered at its agent, or that it was not answered there after all.
func perhapsLine(s queue.Session) string {
	if s.Perhaps == "" {
		return "It still waits for an answer."
	}
	return "It was " + say.Perhaps(s) + "."
}

// tellReceived says once that an agent has received an answer that was sent here.
func (n *news) tellReceived(s queue.Session) {
	if _, received := s.Received(); received && n.sent[s.ID] != "" {
		n.say("Delivered to " + n.sent[s.ID] + ".")
		delete(n.sent, s.ID)
	}
}

// lookUpReceipt reads a session that left the queue from the archive, to see whether its agent received the answer.
func (n *news) lookUpReceipt(id string) {
	if n.sent[id] == "" {
		return
	}
	n.desk.StoreFor(id, func(ctx context.Context) {
		if s, err := n.desk.Queue().Get(ctx, id); err == nil {
			n.desk.Do(func() { n.tellReceived(s) })
		}
	})
}

// tellEnd says how a question ended. It says nothing about a question that the person never heard of, unless a rule
// answered it.
func (n *news) tellEnd(e desk.Ended) {
	s := e.Session
	if !n.told[s.ID] {
		if s.Outcome.By == queue.ByRule {
			n.say(ruledLine(s, n.desk.Name(s.Origin)))
		}
		return
	}
	delete(n.told, s.ID)
	name := n.desk.Name(s.Origin)
	if e.Ours {
		n.say(sentLine(s, name))
		n.sent[s.ID] = name
		n.tellReceived(s)
	} else {
		n.say(closedLine(s))
		if sent, late := n.view.TooLate(s); late {
			n.say(alarm + say.TooLate(s, sent))
		}
		n.giveBackWords(s)
	}
	if s.ID == n.last.id {
		n.last = lastWritten{}
	}
}

// ruledLine says that a permission rule answered a question; agent is the agent's name.
func ruledLine(s queue.Session, agent string) string {
	return say.Capital(say.ByRuleOf(*s.Outcome)) + ": " + heard(s.Summary()) + " to " + agent + ", for " +
		say.ShortQuoted(say.Title(s.Ask), 100) + "."
}

// sentLine tells which answer or cancel was sent from here, and to which agent.
func sentLine(s queue.Session, agent string) string {
	title := say.ShortQuoted(say.Title(s.Ask), 100)
	if s.Outcome.WantsDetail() {
		return "Asked " + agent + " for more detail on " + title + "."
	}
	if e := s.Outcome.Ending(); !e.Answered {
		return say.Capital(e.Word) + " " + title + " and told " + agent + "."
	}
	return "Sent: " + heard(s.Summary()) + " to " + agent + "."
}

// closedLine tells how a question ended that was not ended here.
func closedLine(s queue.Session) string {
	return "Closed: " + say.ShortQuoted(say.Title(s.Ask), 100) + " " + endedWords(s) + "."
}

// endedWords says how a question ended elsewhere, to follow its title.
func endedWords(s queue.Session) string {
	o := s.Outcome
	where := say.ByWhom(o, say.InLines)
	if where != "" {
		where = " " + where
	}
	switch {
	case o.Status == queue.StatusLost:
		return "is " + o.Reason
	case o.WantsDetail():
		return "ended" + where + ": " + say.AskedDetail(*o)
	case o.Answered():
		return "was answered" + where + ": " + heard(s.Summary())
	case o.Status == queue.StatusTimeout:
		return heard(s.Summary())
	case o.By == queue.ByCaller, o.Ending().Elsewhere:
		return "was " + heard(s.Summary())
	}
	words := "was " + o.Ending().Word + where
	if !queue.Blank(o.Reason) {
		words += ": " + heard(say.OneLine(o.Reason))
	}
	return words
}

// giveBackWords writes the text that the person typed for a question that ended otherwise, without the parts that were
// sent. If another running process holds the draft, that process gives it back.
func (n *news) giveBackWords(s queue.Session) {
	f := n.view.FormOf(s.ID)
	if role, _ := n.view.ForeignOf(s.ID); f == nil || role != "" {
		return
	}
	unsent := f.Draft().Unsent(s)
	if len(unsent) == 0 {
		return
	}
	n.say(writtenUnsent)
	for _, t := range unsent {
		n.block(bar, t)
	}
}

// tellGone says that nobody waits for the answer to the question on view any more. It says nothing about a question
// that belongs to a single call, because that is cancelled when its caller is gone.
func (n *news) tellGone() {
	w, waits := n.pendingQuestion(n.view.Up())
	if !waits {
		return
	}
	gone := w.Gone(n.desk.Alive) && !w.EndsWithCall()
	if gone && !n.last.gone {
		n.say(say.GoneKept(say.Who(w.Origin), say.InLines))
	}
	n.last.gone = gone
}

// tellAnswering says once who else is answering the question on view.
func (n *news) tellAnswering() {
	if n.last.id == "" || n.last.id != n.view.Up() {
		return
	}
	words := say.AnsweringNow(n.desk.Answering(n.last.id))
	if words != n.last.with && words != "" {
		n.say(words)
	}
	n.last.with = words
}

// tellNew writes a line for each question that arrived and did not come on view, or one line for all of them if there
// are many.
func (n *news) tellNew() {
	const most = 3
	var fresh []queue.Waiting
	for i, w := range n.desk.Waiting() {
		if n.told[w.ID] {
			continue
		}
		n.told[w.ID] = true
		if i > 0 || n.last.id != "" { // else it is the first question, which comes on view itself
			fresh = append(fresh, w)
		}
	}
	if len(fresh) > most {
		n.say(fmt.Sprintf("%d more questions are waiting: list shows them.", len(fresh)))
		return
	}
	for _, w := range fresh {
		n.say(alsoWaiting(w, n.desk.Name(w.Origin), n.desk.Now()))
	}
}

// alsoWaiting returns the line about a question that arrived while another is on view. agent is the name of its agent.
func alsoWaiting(w queue.Waiting, agent string, now time.Time) string {
	return fmt.Sprintf("Also waiting: %s from %s, %s. %s shows it.", say.ShortQuoted(say.Title(w.Ask), 100), agent,
		timeLeft(*w.Session, now), w.ID)
}

// tellNeeded says once about each agent that it needs the person in its own pane.
func (n *news) tellNeeded() {
	needed := map[string]bool{}
	for _, p := range n.desk.Notices() {
		if needed[p.Instance] = true; !n.needed[p.Instance] {
			n.say(say.NoticeLine(p, n.desk.Name(*p.Origin), n.desk.Now()))
		}
	}
	n.needed = needed
}

// tellNothing says once that nothing is pending.
func (n *news) tellNothing() {
	if !n.idle {
		n.idle = true
		n.say(say.NothingPendingLine(n.desk.Needed()))
	}
}

// tellHidden says that the settings now hide other options of the question on view.
func (n *news) tellHidden() {
	f := n.view.Form()
	if f == nil || n.view.Up() != n.last.id {
		return
	}
	q := f.Here().ID
	was, now := n.last.hides[q], f.Rules().Hidden[q]
	n.last.hides = f.Rules().Hidden
	if !maps.Equal(now, was) {
		n.say(hidesNow(len(now)))
	}
}

// hidesNow says how many options of the question on view the settings hide from now on.
func hidesNow(n int) string {
	if n == 0 {
		return "Your settings no longer hide any options of this question; type show to print it again."
	}
	return "Your settings now hide " + say.Count(n, "option") + " of this question: show writes it again."
}

// warnOfClock warns of questions whose time is nearly up, and alerts a person who has not typed for a while.
func (n *news) warnOfClock(now time.Time) {
	if n.alerts == nil || !n.desk.Loaded() {
		return
	}
	by := n.desk.Settings().Notify
	asked, ending := n.alerts.See(n.desk.Calls(), time.Duration(by.WarnSeconds)*time.Second, now)
	for _, s := range ending {
		n.say(alarm + nearlyOver(s, now, n.speech()))
	}
	focused, known := false, false // lines cannot ask the terminal for its focus
	if n.alerts.Away(focused, known, n.view.LastKey(), now) {
		n.alerts.Tell(asked, ending, n.desk.Telling(by), n.desk.Name, now)
	}
}

// nearlyOver warns that a question's time is nearly up, and says what happens then.
func nearlyOver(s queue.Session, now time.Time, in say.Speech) string {
	return fmt.Sprintf("%s left for %s. Then %s. %s gives it one more minute.",
		say.Spoken(s.Deadline.Sub(now), time.Hour), say.ShortQuoted(say.Title(s.Ask), 100),
		clockEnds(form.AtTheEnd(s.Ask)), in.Key(action.More))
}
