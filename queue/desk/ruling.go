package desk

import (
	"context"
	"time"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/rules"
)

const (
	// holdFor is the time for which an approval is hidden while the rules are searched for one that allows it.
	holdFor = 500 * time.Millisecond

	// What the person allowed before is counted back so far, and over so many sessions at most.
	beforeMonths, beforePages = 1, 40
	beforeWithin              = time.Minute
)

// Rulebook keeps the person's rules, see queue/rules. Its methods read and write files.
type Rulebook interface {
	Rules() ([]rules.Rule, error)
	Add(rules.Rule) error
	Real(dir string) (string, error) // the directory without symbolic links, as it is now
}

// ruling allows what a rule of the person's covers, and makes rules. An approval that a rule may cover is held back
// from view for a moment, so that nobody is called for what is allowed already. Once it is shown it is the person's.
//
//	Store.Watch ─► hold ─► worker: read the rules ─► decide ─► Settle by rule, or it is shown like any other
type ruling struct {
	d      *Desk
	rules  Rulebook // nil: this desk applies none
	held   map[string]heldBack
	dirs   map[string]string    // by session that rules may cover: its real directory, when it was asked
	keys   map[string]rules.Key // by session: what the person may have allowed before, by rule or not
	before rules.Before
	counts bool // what was allowed before is counted, or is being counted
}

// heldBack is an approval that is not shown yet.
type heldBack struct {
	session queue.Session
	until   time.Time
}

func newRuling(d *Desk, r Rulebook) *ruling {
	return &ruling{d: d, rules: r, held: map[string]heldBack{},
		dirs: map[string]string{}, keys: map[string]rules.Key{}, before: rules.NewBefore()}
}

// holdBack reports whether a session is not to be shown yet. The first time it is seen the rules are looked up.
func (r *ruling) holdBack(s queue.Session) bool {
	if h, held := r.held[s.ID]; held {
		if s.Outcome == nil {
			h.session = s
			r.held[s.ID] = h
			return true
		}
		r.letGo(s.ID)
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
	if rules.May(s) != nil {
		return false
	}
	r.dirs[s.ID] = ""
	r.held[s.ID] = heldBack{s, r.d.Now().Add(holdFor)}
	r.lookUp(s)
	return true
}

// lookUp has the worker look whether a rule covers what a session asks for.
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
			if _, here := r.dirs[s.ID]; !here { // it has left the queue meanwhile
				return
			}
			r.dirs[s.ID] = dir
			if err != nil || !covered {
				r.show(s.ID)
				return
			}
			r.apply(s.ID, rule)
		})
	})
}

// apply allows what a held session asks for. Every dashboard gives the same command, so that it is done once.
func (r *ruling) apply(id string, rule rules.Rule) {
	h, held := r.held[id]
	if !held {
		return
	}
	c := queue.Command{ID: "rule-" + id, By: queue.ByRule, Do: rule.Settle(h.session)}
	r.d.command(id, c, func(_ queue.Session, err error) {
		if err != nil { // it is for the person then, if it is still pending
			r.show(id)
		}
		r.d.Refresh()
	})
}

// holds reports whether a session is held back.
func (r *ruling) holds(id string) bool {
	_, held := r.held[id]
	return held
}

// letGo gives a held session to the desk as it was, without showing it.
func (r *ruling) letGo(id string) {
	if h, held := r.held[id]; held {
		delete(r.held, id)
		r.d.live.keep(h.session)
	}
}

// show shows a held session like any other.
func (r *ruling) show(id string) {
	if h, held := r.held[id]; held {
		delete(r.held, id)
		r.d.takeSession(h.session)
		r.d.Refresh()
	}
}

// showDue shows what was held back for long enough.
func (r *ruling) showDue(now time.Time) {
	for id, h := range r.held {
		if !now.Before(h.until) {
			r.show(id)
		}
	}
}

// nextDue returns when the first of them is shown at the latest; zero: nothing is held back.
func (r *ruling) nextDue() (next time.Time) {
	for _, h := range r.held {
		if next.IsZero() || h.until.Before(next) {
			next = h.until
		}
	}
	return next
}

// drop forgets a session that left the queue.
func (r *ruling) drop(id string) {
	delete(r.held, id)
	delete(r.dirs, id)
	delete(r.keys, id)
}

// MayRule says why no rule can be made here of what a session asks for; nil: one can.
func (r *ruling) MayRule(s queue.Session) error {
	dir, ok := r.dirs[s.ID]
	switch {
	case r.rules == nil:
		return rules.ErrNoApproval
	case !ok:
		return rules.May(s)
	case dir == "":
		return rules.ErrNowhere
	}
	return nil
}

// Rule returns the rule that could be made of what a session asks for, one that MayRule has nothing against.
func (r *ruling) Rule(s queue.Session) (rules.Rule, error) {
	return rules.New(s, r.dirs[s.ID], r.d.Now())
}

// AddRule writes a rule down. then is called with what came of it.
func (r *ruling) AddRule(rule rules.Rule, then func(error)) {
	r.d.Store(func(storeContext) {
		err := r.rules.Add(rule)
		r.d.Do(func() {
			then(err)
			r.d.Refresh()
		})
	})
}

// AllowedBefore says how often the person allowed before what a session asks for, as far as it is counted.
func (r *ruling) AllowedBefore(s queue.Session) rules.Allowed {
	key, ok := r.keys[s.ID]
	if !ok {
		return rules.Allowed{}
	}
	return r.before.Of(key)
}

// countBefore counts, once, what the person allowed lately.
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
			r.d.Do(func() { r.note(page, from) })
			if cursor = next; next == "" || page[len(page)-1].SettledAt().Before(from) {
				return
			}
		}
	})
}

// note counts what was allowed since a time.
func (r *ruling) note(page []queue.Session, from time.Time) {
	for _, s := range page {
		if !s.SettledAt().Before(from) {
			r.before.Add(s)
		}
	}
}
