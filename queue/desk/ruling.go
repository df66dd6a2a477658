package desk

import (
	"context"
	"time"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/rules"
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
//	                                                               └ else ─► showHeld: it is shown like any other
type ruling struct {
	d      *Desk
	rules  Rulebook // nil: this desk applies no rules
	held   map[string]heldBack
	dirs   map[string]string    // by session that rules may cover: its real directory when it was asked
	keys   map[string]rules.Key // by session: the kind of request, to count what was allowed before
	before rules.Before
	counts bool // countBefore was called
}

// heldBack is an approval that is not shown yet, and when it is shown at the latest.
type heldBack struct {
	session queue.Session
	until   time.Time
}

func newRuling(d *Desk, r Rulebook) *ruling {
	return &ruling{d: d, rules: r, held: map[string]heldBack{},
		dirs: map[string]string{}, keys: map[string]rules.Key{}, before: rules.NewBefore()}
}

// holdBack reports whether a session must not be shown yet. On the first call for a session it starts to look for a
// rule.
func (r *ruling) holdBack(s queue.Session) bool {
	if h, held := r.held[s.ID]; held {
		if s.Outcome == nil {
			h.session = s
			r.held[s.ID] = h
			return true
		}
		r.releaseHeld(s.ID)
		return false
	}
	_, seen := r.dirs[s.ID]
	_, known := r.d.live.sessions[s.ID]
	if r.rules == nil || seen || known || !s.At(r.d.Now()).Pending() {
		return false
	}
	if key, ok := rules.KeyOf(s); ok {
		r.keys[s.ID] = key
		r.countBefore()
	}
	if s.Origin.Far || rules.May(s) != nil { // rules hold on their own host
		return false
	}
	r.dirs[s.ID] = ""
	r.held[s.ID] = heldBack{s, r.d.Now().Add(holdFor)}
	r.lookUp(s)
	return true
}

// lookUp makes the worker check whether a rule covers a session.
func (r *ruling) lookUp(s queue.Session) {
	r.d.Store(func(storeContext) {
		var rule rules.Rule
		covered := false
		dir, err := r.rules.Real(s.Ask.Approval.Dir)
		if err == nil {
			var list []rules.Rule
			list, err = r.rules.Rules()
			rule, covered = rules.Match(s, dir, list, r.d.Now())
		}
		r.d.Do(func() {
			if _, here := r.dirs[s.ID]; !here { // the session left the queue meanwhile
				return
			}
			r.dirs[s.ID] = dir
			if err != nil || !covered {
				r.showHeld(s.ID)
				return
			}
			r.applyRule(s.ID, rule)
		})
	})
}

// applyRule allows the request of a held session. Every dashboard uses the same command id, so that it takes effect
// once.
func (r *ruling) applyRule(id string, rule rules.Rule) {
	h, held := r.held[id]
	if !held {
		return
	}
	c := queue.Command{ID: "rule-" + id, By: queue.ByRule, Do: rule.Settle(h.session)}
	r.d.runCommand(id, c, func(_ queue.Session, err error) {
		if err != nil { // if it is still pending, the person decides
			r.showHeld(id)
		}
		r.d.Refresh()
	})
}

// isHeld reports whether a session is held back.
func (r *ruling) isHeld(id string) bool {
	_, held := r.held[id]
	return held
}

// releaseHeld stops holding a session back, and does not report it as new.
func (r *ruling) releaseHeld(id string) {
	if h, held := r.held[id]; held {
		delete(r.held, id)
		r.d.live.keepSession(h.session)
	}
}

// showHeld stops holding a session back and shows it like any other.
func (r *ruling) showHeld(id string) {
	if h, held := r.held[id]; held {
		delete(r.held, id)
		r.d.takeSession(h.session)
		r.d.Refresh()
	}
}

// showDue shows the sessions that were held back long enough.
func (r *ruling) showDue(now time.Time) {
	for id, h := range r.held {
		if !now.Before(h.until) {
			r.showHeld(id)
		}
	}
}

// nextDue returns when the next held session is shown at the latest; zero: none is held.
func (r *ruling) nextDue() (next time.Time) {
	for _, h := range r.held {
		if next.IsZero() || h.until.Before(next) {
			next = h.until
		}
	}
	return next
}

// forgetSession forgets a session that left the queue.
func (r *ruling) forgetSession(id string) {
	delete(r.held, id)
	delete(r.dirs, id)
	delete(r.keys, id)
}

// Rule returns the rule that would allow a session's request. The error says why no rule can be made of it.
func (r *ruling) Rule(s queue.Session) (rules.Rule, error) {
	dir := r.dirs[s.ID]
	switch {
	case s.Origin.Far && r.d.o.Remote != nil && s.Ask.Approval != nil:
		dir = s.Ask.Approval.Dir // its host looks the real one up
	case r.rules == nil:
		return rules.Rule{}, rules.ErrNoApproval
	}
	return rules.New(s, dir, r.d.Now())
}

// AddRule stores a rule on the host of the session that it was made from, then calls then with the error.
func (r *ruling) AddRule(rule rules.Rule, then func(error)) {
	r.d.StoreFor(rule.From, func(ctx storeContext) {
		var err error
		if queue.IsFar(rule.From) {
			err = r.d.o.Remote.AddRule(ctx, rule.From)
		} else {
			err = r.rules.Add(rule)
		}
		r.d.Do(func() {
			then(err)
			r.d.Refresh()
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
func (r *ruling) countBefore() {
	if r.counts {
		return
	}
	r.counts = true
	from := r.d.Now().AddDate(0, -beforeMonths, 0)
	r.d.Beside(func() {
		ctx, cancel := context.WithTimeout(context.Background(), beforeWithin)
		defer cancel()
		cursor := ""
		for range beforePages {
			page, next, err := r.d.o.Queue.Store.History(ctx, cursor, dayPage)
			if err != nil || len(page) == 0 {
				return
			}
			r.d.Do(func() { r.countPage(page, from) })
			if cursor = next; next == "" || page[len(page)-1].SettledAt().Before(from) {
				return
			}
		}
	})
}

// countPage counts the approvals on a page of the history that were settled after from.
func (r *ruling) countPage(page []queue.Session, from time.Time) {
	for _, s := range page {
		if !s.SettledAt().Before(from) {
			r.before.Add(s)
		}
	}
}
