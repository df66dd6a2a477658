package mcpbridge

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// board is what the watch says of everything that is pending: questions, which close chat, and messages, which wait to
// be fetched. Prompts and options are left out; the store has them.
type board struct {
	now func() time.Time

	mu      sync.Mutex
	pending map[string]queue.Session
	gone    map[string]time.Time // question → when its caller was seen gone
	alive   map[string]bool
	known   bool // who runs was seen once
	bells   map[chan struct{}]bool
}

func newBoard(now func() time.Time) *board {
	return &board{now: now, pending: map[string]queue.Session{}, gone: map[string]time.Time{}, alive: map[string]bool{}, bells: map[chan struct{}]bool{}}
}

// apply takes one batch of the watch in and rings who listens.
func (b *board) apply(c queue.Changes) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, s := range c.Sessions {
		if s.Outcome != nil {
			delete(b.pending, s.ID)
			continue
		}
		s.Ask = queue.Ask{Kind: s.Ask.Kind, Title: s.Ask.Title, OnTimeout: s.Ask.OnTimeout}
		b.pending[s.ID] = s
	}
	for _, id := range c.Gone {
		delete(b.pending, id)
	}
	b.see()
}

// present notes who runs, and since when a question's caller does not.
func (b *board) present(list []queue.Presence) {
	b.mu.Lock()
	defer b.mu.Unlock()
	clear(b.alive)
	for _, p := range list {
		b.alive[p.Instance] = true
	}
	b.see()
	b.known = true
}

// reset forgets everything: the next batch is all there is.
func (b *board) reset() {
	b.mu.Lock()
	defer b.mu.Unlock()
	clear(b.pending)
}

// see brings gone up to date and rings; the caller holds mu.
func (b *board) see() {
	for id := range b.gone {
		if s, ok := b.pending[id]; !ok || !s.Gone(b.runs) {
			delete(b.gone, id)
		}
	}
	for id, s := range b.pending {
		if _, known := b.gone[id]; !known && len(b.alive) > 0 && s.Gone(b.runs) {
			b.gone[id] = s.GoneSince()
			if b.known && s.DroppedAt == nil { // it died just now, and the session does not say so
				b.gone[id] = b.now()
			}
		}
	}
	for bell := range b.bells {
		select {
		case bell <- struct{}{}:
		default:
		}
	}
}

func (b *board) runs(instance string) bool { return b.alive[instance] }

// listen returns a bell of size one that rings on every change, until hush.
func (b *board) listen() (bell chan struct{}, hush func()) {
	bell = make(chan struct{}, 1)
	b.mu.Lock()
	defer b.mu.Unlock()
	b.bells[bell] = true
	return bell, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		delete(b.bells, bell)
	}
}

// mail is the messages this agent may fetch, oldest first, and how many questions close chat now; look is when the
// clock alone next changes that, zero: never.
func (b *board) mail(o queue.Origin) (ids []string, closing int, look time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	var mine []queue.Session
	for id, s := range b.pending {
		switch at := s.At(now); {
		case at.MessageFor(o, b.runs):
			mine = append(mine, s)
		case at.ClosesChat(b.runs, func(queue.Session) time.Time { return b.gone[id] }, now):
			closing++
			look = sooner(look, s.Deadline)
			if since, gone := b.gone[id]; gone {
				look = sooner(look, since.Add(queue.GoneGrace))
			}
		}
	}
	slices.SortFunc(mine, func(a, b queue.Session) int { return cmp.Or(a.AskedAt.Compare(b.AskedAt), cmp.Compare(a.ID, b.ID)) })
	for _, s := range mine {
		ids = append(ids, s.ID)
	}
	return ids, closing, look
}

// count is how many questions wait; look is when the clock alone next changes that, zero: never.
func (b *board) count() (n int, look time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	for _, s := range b.pending {
		if !s.IsMessage() && s.At(now).Pending() {
			n++
			look = sooner(look, s.Deadline)
		}
	}
	return n, look
}

// sooner is the earlier of two times; zero is never.
func sooner(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
