// Package transfer copies a queue that nobody uses to an empty place, and only reads the queue itself:
//
//	compare  the new place is empty, or holds a part of this queue; else nothing is written
//	copy     the history, the open sessions, the drafts
//	verify   both places are read again and hold the same, field for field
//
// Until Run returns nil, the new place is incomplete and the old one counts. Started again, Run adds what is missing
// and brings what a stopped run copied up to date. If anybody acted on a session at the new place, that place is ahead,
// and Run refuses it with ErrOther. Both places are read into memory.
package transfer

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/trail"
)

// pageSize is the number of sessions of the history that are read at once.
const pageSize = 200

// Report counts the sessions of the old queue, each once. After a run without an error, the new place has all but the
// last two kinds.
type Report struct {
	Waiting  int `json:"waiting"`  // pending questions
	Messages int `json:"messages"` // messages that are not delivered yet
	Untold   int `json:"untold"`   // ended questions about which the team is not told yet
	Answered int `json:"answered"` // questions with an answer that the agent has not fetched
	History  int `json:"history"`  // ended sessions
	Drafts   int `json:"drafts"`   // drafts that are still kept
	Newer    int `json:"newer"`    // not copied: a newer choicetui wrote them
	Broken   int `json:"broken"`   // not copied: they could not be read
}

// Open returns the number of sessions on which people and agents could act at both places after the copy.
func (r Report) Open() int { return r.Waiting + r.Messages + r.Untold }

// Options names the two places. WithOpen says that the person knows that the open sessions can be acted on at both
// places afterwards; see Report.Open.
type Options struct {
	From, To queue.Store
	Now      time.Time
	WithOpen bool
}

var (
	// ErrOpen means that the old queue has open sessions, and WithOpen is not set. Nothing was written.
	ErrOpen = errors.New("the queue has open sessions")
	// ErrOther means that the new place has something that is not at the old one, or not in that state yet. Nothing was
	// written.
	ErrOther = errors.New("the new place is neither empty nor a part of this queue")
	// ErrDiffers means that the places do not hold the same after the copy, so somebody used one of them meanwhile.
	ErrDiffers = errors.New("one of the two places was used during the copy")
)

// Run copies the whole queue. The report counts what the old queue has, also beside an error.
func Run(ctx context.Context, o Options) (Report, error) {
	here, err := readPlace(ctx, o.From, o.Now)
	if err != nil {
		return Report{}, fmt.Errorf("failed to read the old place: %w", err)
	}
	report := here.count(o.Now)
	if report.Open() > 0 && !o.WithOpen {
		return report, ErrOpen
	}
	there, err := readPlace(ctx, o.To, o.Now)
	if err != nil {
		return report, fmt.Errorf("failed to read the new place: %w", err)
	}
	if !there.isPartOf(here) {
		return report, ErrOther
	}
	if err := here.copyTo(ctx, o.To, there); err != nil {
		return report, err
	}
	return verify(ctx, o)
}

// place holds all sessions of a store.
type place struct {
	open   map[string]queue.Session // by id; the live sessions that are not closed
	ended  map[endedKey]queue.Session
	live   map[string]bool          // ids of ended sessions that are not archived yet
	drafts map[string][]queue.Draft // by session
	newer  int
	broken int
}

// endedKey identifies an ended session: an agent may show the same prompt of its own twice, which gives two sessions
// one id.
type endedKey struct {
	id string
	at int64 // SettledAt in milliseconds
}

func keyOf(s queue.Session) endedKey { return endedKey{s.ID, s.SettledAt().UnixMilli()} }

// readPlace reads all sessions and drafts of a store.
func readPlace(ctx context.Context, store queue.Store, now time.Time) (*place, error) {
	live, broken, err := store.Live(ctx)
	if err != nil {
		return nil, err
	}
	p := &place{open: map[string]queue.Session{}, ended: map[endedKey]queue.Session{}, live: map[string]bool{},
		drafts: map[string][]queue.Draft{}, broken: len(broken)}
	for _, s := range live {
		switch {
		case s.Schema > queue.Schema:
			p.newer++
		case s.Closed():
			p.ended[keyOf(s)], p.live[s.ID] = s, true
		default:
			p.open[s.ID] = s
		}
	}
	for page, err := range trail.Pages(ctx, store, "", pageSize, queue.Whole) {
		if err != nil {
			return nil, err
		}
		for _, s := range page.Sessions {
			if s.Schema > queue.Schema {
				p.newer++
			} else {
				p.ended[keyOf(s)] = s
			}
		}
	}
	return p, p.readDrafts(ctx, store, now)
}

// readDrafts reads the drafts of each session that is open, or ended so lately that its drafts may still be kept.
func (p *place) readDrafts(ctx context.Context, store queue.Store, now time.Time) (err error) {
	ids := slices.Collect(maps.Keys(p.open))
	for key := range p.ended {
		if now.Sub(time.UnixMilli(key.at)) < 2*queue.KeptFor {
			ids = append(ids, key.id)
		}
	}
	for _, id := range ids {
		if p.drafts[id], err = store.Drafts(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// count returns the report on a place.
func (p *place) count(now time.Time) Report {
	r := Report{History: len(p.ended), Newer: p.newer, Broken: p.broken}
	for _, drafts := range p.drafts {
		r.Drafts += len(drafts)
	}
	for _, s := range p.open {
		switch s = s.At(now); {
		case s.OwesTeam():
			r.Untold++
		case s.Final: // a message whose time is over
			r.History++
		case s.IsMessage():
			r.Messages++
		case s.Pending():
			r.Waiting++
		default:
			r.Answered++
		}
	}
	return r
}

// isPartOf reports whether a place holds nothing that the other one does not hold too, in the same or a later state.
func (p *place) isPartOf(whole *place) bool {
	ended := map[string][]queue.Session{}
	for key, s := range whole.ended {
		ended[key.id] = append(ended[key.id], s)
	}
	for key, s := range p.ended {
		if !same(s, whole.ended[key]) {
			return false
		}
	}
	for id, s := range p.open {
		continued := func(later queue.Session) bool { return continues(later, s) }
		if !continued(whole.open[id]) && !slices.ContainsFunc(ended[id], continued) {
			return false
		}
	}
	return p.newer+p.broken == 0
}

// same compares two copies of a session in all fields but those that the stores set.
func same(a, b queue.Session) bool {
	a.Revision, b.Revision = 0, 0
	return sameJSON(a, b)
}

func sameJSON(a, b any) bool {
	one, err := json.Marshal(a)
	other, err2 := json.Marshal(b)
	return err == nil && err2 == nil && bytes.Equal(one, other)
}

// continues reports whether s is a copy of earlier in the same or a later state: its trail begins with the whole trail
// of earlier.
func continues(s, earlier queue.Session) bool {
	n := len(earlier.Events)
	return n > 0 && len(s.Events) >= n && sameJSON(s.Events[:n], earlier.Events) && s.AskedAt.Equal(earlier.AskedAt)
}

// copyTo writes what a store lacks of this place. there is what the store has.
func (p *place) copyTo(ctx context.Context, store queue.Store, there *place) error {
	for _, s := range oldestFirst(p.ended) {
		_, known := there.ended[keyOf(s)]
		var err error
		if !known {
			err = write(ctx, store, there, s)
		}
		if err == nil && (!known || there.live[s.ID]) {
			err = store.Archive(ctx, s)
		}
		if err != nil {
			return fmt.Errorf("failed to copy session %s: %w", s.ID, err)
		}
	}
	for _, s := range oldestFirst(p.open) {
		if known, isThere := there.open[s.ID]; isThere && same(s, known) {
			continue
		}
		if err := write(ctx, store, there, s); err != nil {
			return fmt.Errorf("failed to copy session %s: %w", s.ID, err)
		}
	}
	for id, drafts := range p.drafts {
		for _, d := range drafts {
			if hasDraft(there.drafts[id], d) {
				continue
			}
			if err := store.SaveDraft(ctx, d); err != nil {
				return fmt.Errorf("failed to copy a draft of session %s: %w", id, err)
			}
		}
	}
	return nil
}

// oldestFirst returns the sessions in the order in which they were asked.
func oldestFirst[K comparable](all map[K]queue.Session) []queue.Session {
	return slices.SortedFunc(maps.Values(all), func(a, b queue.Session) int {
		return cmp.Or(a.AskedAt.Compare(b.AskedAt), cmp.Compare(a.ID, b.ID), a.SettledAt().Compare(b.SettledAt()))
	})
}

// write stores a session that a place lacks, or has in an earlier state.
func write(ctx context.Context, store queue.Store, there *place, s queue.Session) (err error) {
	if earlier, isOpen := there.open[s.ID]; isOpen && continues(s, earlier) {
		s.Revision = earlier.Revision
		_, err = store.Put(ctx, s)
	} else {
		_, err = store.Create(ctx, s)
	}
	return err
}

// hasDraft reports whether one of the drafts is d.
func hasDraft(drafts []queue.Draft, d queue.Draft) bool {
	return slices.ContainsFunc(drafts, func(other queue.Draft) bool { return sameJSON(d, other) })
}

// verify reads both places and returns the report on the new one. It fails with ErrDiffers unless they hold the same.
func verify(ctx context.Context, o Options) (Report, error) {
	here, err := readPlace(ctx, o.From, o.Now)
	if err != nil {
		return Report{}, fmt.Errorf("failed to read the old place again: %w", err)
	}
	there, err := readPlace(ctx, o.To, o.Now)
	if err != nil {
		return Report{}, fmt.Errorf("failed to read the new place again: %w", err)
	}
	report := there.count(o.Now)
	report.Newer, report.Broken = here.newer, here.broken
	if there.newer+there.broken > 0 || !maps.EqualFunc(here.open, there.open, same) ||
		!maps.EqualFunc(here.ended, there.ended, same) {
		return report, ErrDiffers
	}
	for id, drafts := range here.drafts {
		for _, d := range drafts {
			if !hasDraft(there.drafts[id], d) {
				return report, ErrDiffers
			}
		}
	}
	return report, nil
}
