package call

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// pending holds all pending sessions that a wide source (source.go) reports: questions, and messages, which wait to be
// fetched. Questions close chat: while an agent's question is pending, no message is delivered to the agent. The
// sessions are kept without prompts and options. The watch's mutex guards pending.
type pending struct {
	now      func() time.Time
	sessions map[string]queue.Session
	gone     map[string]time.Time // by the id of a question: when its caller was seen to be gone
	alive    map[string]bool      // the running processes
	known    bool                 // takePresence was called
}

func newPending(now func() time.Time) pending {
	return pending{
		now: now, sessions: map[string]queue.Session{}, gone: map[string]time.Time{}, alive: map[string]bool{},
	}
}

// takeChanges records a batch of changes.
func (p *pending) takeChanges(c queue.Changes) {
	for _, s := range c.Sessions {
		if s.Outcome != nil {
			delete(p.sessions, s.ID)
			continue
		}
		s.Ask = queue.Ask{Kind: s.Ask.Kind, Title: s.Ask.Title, OnTimeout: s.Ask.OnTimeout}
		p.sessions[s.ID] = s
	}
	for _, id := range c.Gone {
		delete(p.sessions, id)
	}
	p.updateGone()
}

// takePresence records the running processes, and the time at which a question's caller is no longer among them.
func (p *pending) takePresence(list []queue.Presence) {
	clear(p.alive)
	for _, one := range list {
		p.alive[one.Instance] = true
	}
	p.updateGone()
	p.known = true
}

// updateGone brings p.gone up to date, so that it contains exactly the questions whose caller no longer runs.
func (p *pending) updateGone() {
	maps.DeleteFunc(p.gone, func(id string, _ time.Time) bool {
		s, ok := p.sessions[id]
		return !ok || !s.Gone(p.runs)
	})
	for id, s := range p.sessions {
		if _, dated := p.gone[id]; dated || len(p.alive) == 0 || !s.Gone(p.runs) {
			continue
		}
		p.gone[id] = s.GoneSince()
		if p.known && s.DroppedAt == nil { // its caller has just died, and the session does not have the time
			p.gone[id] = p.now()
		}
	}
}

// runs reports whether a process is among the running ones.
func (p *pending) runs(instance string) bool { return p.alive[instance] }

// messagesFor returns the ids of the messages that this agent may fetch, oldest first, and the number of questions that
// close chat now. next is the time at which the clock alone changes that; zero: never.
func (p *pending) messagesFor(o queue.Origin) (ids []string, closing int, next time.Time) {
	now := p.now()
	var mine []queue.Session
	for id, s := range p.sessions {
		switch at := s.At(now); {
		case at.MessageFor(o, p.runs):
			mine = append(mine, s)
		case at.ClosesChat(p.runs, func(queue.Session) time.Time { return p.gone[id] }, now):
			closing++
			next = sooner(next, s.Deadline)
			if since, gone := p.gone[id]; gone {
				next = sooner(next, since.Add(queue.GoneGrace))
			}
		}
	}
	return idsByAge(mine), closing, next
}

// idsByAge returns the ids of sessions, oldest first. It sorts the sessions.
func idsByAge(sessions []queue.Session) (ids []string) {
	slices.SortFunc(sessions, func(a, b queue.Session) int {
		return cmp.Or(a.AskedAt.Compare(b.AskedAt), cmp.Compare(a.ID, b.ID))
	})
	for _, s := range sessions {
		ids = append(ids, s.ID)
	}
	return ids
}

// countQuestions returns the number of pending questions. next is the time at which the clock alone changes it; zero:
// never.
func (p *pending) countQuestions() (n int, next time.Time) {
	now := p.now()
	for _, s := range p.sessions {
		if !s.IsMessage() && s.At(now).Pending() {
			n++
			next = sooner(next, s.Deadline)
		}
	}
	return n, next
}
