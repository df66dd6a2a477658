package desk

import (
	"context"
	"time"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/rules"
	"github.com/choicetui/choicetui/queue/trail"
)

const (
	// holdFor is how long an approval is hidden at most while the rules are searched for one that allows it. After that
	// it is shown in any case.
	holdFor = 500 * time.Millisecond

	// Limits of the count of what the person allowed before: months back, and pages of the history.
	beforeMonths, beforePages = 1, 40
	beforeWithin              = time.Minute
)

// Rulebook stores the person's permission rules; see queue/rules. Its methods read and write files.
type Rulebook interface {
	Rules() ([]rules.Rule, error)
	Add(rules.Rule) error
	Real(dir string) (string, error) // the directory's present path without symbolic links
}

// ruling applies the person's permission rules: it allows an approval that a rule covers, and makes new rules. An
// approval that may be covered is not shown for a moment, so that the person is not called for it. Once it was shown,
// only the person decides.
//
//	Store.Watch ─► holdBack ─► lookUp: the worker reads the rules ─┬ one covers it ─► applyRule: Settle by rule
//	                                                               └ else ─► showPostponed: it is shown like any other
type ruling struct {
	rules     Rulebook // nil: this desk applies no rules
	postponed map[string]awaitsRule
	dirs      map[string]string    // by session that rules may cover: its real directory when it was asked
	keys      map[string]rules.Key // by session: the kind of request, to count what was allowed before
	before    rules.Before
	counts    bool // countBefore was called
}

// awaitsRule is an approval that is not shown yet, and when it is shown at the latest.
type awaitsRule struct {
	session queue.Session
	until   time.Time
}

func newRuling(r Rulebook) ruling {
	return ruling{rules: r, postponed: map[string]awaitsRule{},
		dirs: map[string]string{}, keys: map[string]rules.Key{}, before: rules.NewBefore()}
}

// holdBack reports whether a session must not be shown yet. On the first call for a session it starts to look for a
// rule.
func (d *Desk) holdBack(s queue.Session) bool {
	if h, postponed := d.ruling.postponed[s.ID]; postponed {
		if s.Outcome == nil {
			h.session = s
			d.ruling.postponed[s.ID] = h
			return true
		}
		d.releasePostponed(s.ID)
		return false
	}
	_, seen := d.ruling.dirs[s.ID]
	_, known := d.live.sessions[s.ID]
	if d.ruling.rules == nil || seen || known || !s.At(d.Now()).Pending() {
		return false
	}
	if key, ok := rules.KeyOf(s); ok {
		d.ruling.keys[s.ID] = key
		d.countBefore()
	}
	if s.Origin.Remote || rules.May(s) != nil { // rules hold on their own host
		return false
	}
	d.ruling.dirs[s.ID] = ""
	d.ruling.postponed[s.ID] = awaitsRule{s, d.Now().Add(holdFor)}
	d.lookUp(s)
	return true
}

// lookUp makes the worker check whether a rule covers a session.
func (d *Desk) lookUp(s queue.Session) {
	d.Store(func(storeContext) {
		var rule rules.Rule
		covered := false
		dir, err := d.ruling.rules.Real(s.Ask.Approval.Dir)
		if err == nil {
			var list []rules.Rule
			list, err = d.ruling.rules.Rules()
			rule, covered = rules.Match(s, dir, list, d.Now())
		}
		d.Do(func() {
			if _, here := d.ruling.dirs[s.ID]; !here { // the session left the queue meanwhile
				return
			}
			d.ruling.dirs[s.ID] = dir
			if err != nil || !covered {
				d.showPostponed(s.ID)
				return
			}
			d.applyRule(s.ID, rule)
		})
	})
}

// applyRule allows the request of a postponed session. Every dashboard uses the same command id, so that it takes
// effect once.
func (d *Desk) applyRule(id string, rule rules.Rule) {
	h, postponed := d.ruling.postponed[id]
	if !postponed {
		return
	}
	c := queue.Command{ID: "rule-" + id, By: queue.ByRule, Do: rule.Settle(h.session)}
	d.runCommand(id, c, func(_ queue.Session, err error) {
		if err != nil { // if it is still pending, the person decides
			d.showPostponed(id)
		}
		d.Refresh()
	})
}

// isPostponed reports whether a session is held back.
func (r *ruling) isPostponed(id string) bool {
	_, held := r.postponed[id]
	return held
}

// releasePostponed stops holding a session back, and does not report it as new.
func (d *Desk) releasePostponed(id string) {
	if h, postponed := d.ruling.postponed[id]; postponed {
		delete(d.ruling.postponed, id)
		d.live.keepSession(h.session)
	}
}

// showPostponed stops holding a session back and shows it like any other.
func (d *Desk) showPostponed(id string) {
	if h, postponed := d.ruling.postponed[id]; postponed {
		delete(d.ruling.postponed, id)
		d.takeSession(h.session)
		d.Refresh()
	}
}

// showPostponedDue shows the sessions that were held back long enough.
func (d *Desk) showPostponedDue(now time.Time) {
	for id, h := range d.ruling.postponed {
		if !now.Before(h.until) {
			d.showPostponed(id)
		}
	}
}

// nextDue returns when the next postponed session is shown at the latest; zero: there is none.
func (r *ruling) nextDue() (next time.Time) {
	for _, h := range r.postponed {
		if next.IsZero() || h.until.Before(next) {
			next = h.until
		}
	}
	return next
}

// forgetSession forgets a session that left the queue.
func (r *ruling) forgetSession(id string) {
	delete(r.postponed, id)
	delete(r.dirs, id)
	delete(r.keys, id)
}

// Rule returns the rule that would allow a session's request. The error says why no rule can be made of it.
func (d *Desk) Rule(s queue.Session) (rules.Rule, error) {
	dir := d.ruling.dirs[s.ID]
	switch {
	case s.Origin.Remote && d.o.Remote != nil && s.Ask.Approval != nil:
		dir = s.Ask.Approval.Dir // its host looks the real one up
	case d.ruling.rules == nil:
		return rules.Rule{}, rules.ErrNoApproval
	}
	return rules.New(s, dir, d.Now())
}

// AddRule stores a rule on the host of the session that it was made from, then calls then with the error.
func (d *Desk) AddRule(rule rules.Rule, then func(error)) {
	d.StoreFor(rule.From, func(ctx storeContext) {
		var err error
		if queue.IsRemote(rule.From) {
			err = d.o.Remote.AddRule(ctx, rule.From)
		} else {
			err = d.ruling.rules.Add(rule)
		}
		d.Do(func() {
			then(err)
			d.Refresh()
		})
	})
}

// AllowedBefore returns how often the person allowed such a request before, as far as that has been counted.
func (r *ruling) AllowedBefore(s queue.Session) rules.Allowed {
	key, ok := r.keys[s.ID]
	if !ok {
		return rules.Allowed{}
	}
	return r.before.Of(key)
}

// countBefore counts, once, what the person has allowed in the last month.
func (d *Desk) countBefore() {
	if d.ruling.counts {
		return
	}
	d.ruling.counts = true
	from := d.Now().AddDate(0, -beforeMonths, 0)
	for _, q := range d.o.Queue.All() {
		d.Beside(func() { d.countIn(q.Store, from) })
	}
}

// countIn counts what the person has allowed since from, according to one history.
func (d *Desk) countIn(store queue.Store, from time.Time) {
	ctx, cancel := context.WithTimeout(context.Background(), beforeWithin)
	defer cancel()
	read := 0
	for page, err := range trail.Pages(ctx, store, "", dayPage, queue.Whole) {
		if err != nil || len(page.Sessions) == 0 {
			return
		}
		d.Do(func() { d.ruling.countPage(page.Sessions, from) })
		oldest := page.Sessions[len(page.Sessions)-1].SettledAt()
		if read++; read == beforePages || oldest.Before(from) {
			return
		}
	}
}

// countPage counts the approvals on a page of the history that were settled after from.
func (r *ruling) countPage(page []queue.Session, from time.Time) {
	for _, s := range page {
		if !s.SettledAt().Before(from) {
			r.before.Add(s)
		}
	}
}
