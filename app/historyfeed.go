package app

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

const (
	historyPart  = 50 // archived sessions read at once; their cursor is kept, so that they can be read again
	historyParts = 4  // parts the worker reads in one go while somebody waits for more than the next screen
	historyAhead = 50 // rows read ahead of what the cursor can reach with one key
	historyKeeps = 300
)

// historyFeed is the history as far as it has been read, narrowed by words. The archive comes from the worker, part
// by part, only as far as somebody looks; sessions that are settled and not archived yet are merged in by time.
//
//	want ─► busy? ─► worker: Store.History, match, row ─► post: took ─► rows ─► want …
type historyFeed struct {
	words  []string     // lower case, each must occur; none: all
	rows   []historyRow // newest first
	recent []historyRow // not archived, older than what was read so far
	ids    map[string]bool
	parts  []string // the cursor of each part read so far
	next   string   // the next one's
	done   bool     // all of the archive is read
	busy   bool
	fault  string // why reading stopped
	read   int    // archived sessions read, listed or not
	ctx    context.Context
	cancel context.CancelFunc
}

// historyRow is a row and the part of the archive it came from, -1 for none.
type historyRow struct {
	panes.HistoryRow
	part int
}

func newHistoryFeed(words []string) *historyFeed {
	f := &historyFeed{words: words, ids: map[string]bool{}}
	f.ctx, f.cancel = context.WithCancel(context.Background())
	return f
}

// newestFirst orders rows as the archive does.
func newestFirst(a, b historyRow) int {
	return cmp.Or(cmp.Compare(b.At.UnixMilli(), a.At.UnixMilli()), cmp.Compare(b.ID, a.ID))
}

// historyPiece is what the worker found in a few parts of the archive.
type historyPiece struct {
	rows     []historyRow
	sessions []queue.Session // of the rows
	last     historyRow      // how far the archive was read, whether that one is listed or not
	parts    []string
	next     string
	read     int
	done     bool
	err      error
}

// readHistory reads up to n parts from a cursor on; on the worker.
func readHistory(ctx context.Context, store queue.Store, words []string, cursor string, first, n int) historyPiece {
	var p historyPiece
	p.next = cursor
	for range n {
		page, next, err := store.History(ctx, p.next, historyPart)
		if err != nil {
			p.err = err
			return p
		}
		for _, s := range page {
			if s.Outcome != nil && matches(s, words) {
				p.rows = append(p.rows, historyRow{panes.HistoryRowOf(s), first + len(p.parts)})
				p.sessions = append(p.sessions, s)
			}
		}
		if n := len(page); n > 0 {
			p.last.ID, p.last.At = page[n-1].ID, settledAt(page[n-1])
		}
		p.parts = append(p.parts, p.next)
		p.read += len(page)
		if p.next = next; next == "" {
			p.done = true
			return p
		}
	}
	return p
}

// take merges a piece in.
func (f *historyFeed) take(p historyPiece) {
	f.parts = append(f.parts, p.parts...)
	f.next, f.done, f.read, f.busy = p.next, p.done, f.read+p.read, false
	if p.err != nil {
		f.fault = p.err.Error()
	}
	for _, row := range p.rows {
		if !f.ids[row.ID] { // archived since: listed already
			f.merge(row)
			f.rows = append(f.rows, row)
		}
	}
	if p.read > 0 {
		f.merge(p.last)
	}
	if f.done {
		f.rows, f.recent = append(f.rows, f.recent...), nil
	}
}

// merge lists the recent ones that are newer than a row of the archive.
func (f *historyFeed) merge(row historyRow) {
	for len(f.recent) > 0 && newestFirst(f.recent[0], row) < 0 {
		f.rows, f.recent = append(f.rows, f.recent[0]), f.recent[1:]
	}
}

// settledAt is where a session stands in the archive.
func settledAt(s queue.Session) time.Time {
	if s.Outcome == nil {
		return s.AskedAt
	}
	return s.Outcome.At
}

// add lists a session that is settled, or a message that waits for its agent, and not in the archive as far as it was read, and returns the row it took;
// -1: it is listed already, does not match, or is older than what was read so far.
func (f *historyFeed) add(s queue.Session) int {
	if f.ids[s.ID] || !matches(s, f.words) {
		return -1
	}
	f.ids[s.ID] = true
	row := historyRow{panes.HistoryRowOf(s), -1}
	if len(f.rows) == 0 && !f.done || len(f.rows) > 0 && !f.done && newestFirst(row, f.rows[len(f.rows)-1]) > 0 {
		at, _ := slices.BinarySearchFunc(f.recent, row, newestFirst)
		f.recent = slices.Insert(f.recent, at, row)
		return -1
	}
	at, found := slices.BinarySearchFunc(f.rows, row, newestFirst)
	if found {
		return -1
	}
	f.rows = slices.Insert(f.rows, at, row)
	return at
}

// drop takes a session off the list, and returns the row it had; -1: none on screen.
func (f *historyFeed) drop(id string) int {
	same := func(r historyRow) bool { return r.ID == id }
	delete(f.ids, id)
	f.recent = slices.DeleteFunc(f.recent, same)
	at := slices.IndexFunc(f.rows, same)
	if at >= 0 {
		f.rows = slices.Delete(f.rows, at, at+1)
	}
	return at
}

// matches reports whether every word occurs in a session: title, prompt, options, answer, notes, directory, client.
func matches(s queue.Session, words []string) bool {
	if len(words) == 0 {
		return true
	}
	ended := panes.MessageWaits
	if s.Outcome != nil {
		ended = say.Ended(s.Outcome.Ended())
	}
	texts := []string{s.Ask.Title, s.Ask.Prompt, s.Origin.Cwd, s.Origin.Client, s.Origin.Branch, s.ID, ended}
	for _, q := range s.Ask.Questions {
		texts = append(texts, q.Header, q.Text)
		for _, o := range q.Options {
			texts = append(texts, o.Label)
		}
	}
	if s.Outcome != nil {
		texts = append(texts, s.Outcome.Reason, s.Outcome.Answer.Comment)
		for _, r := range s.Outcome.Answer.Replies {
			texts = append(texts, r.Text)
			for _, n := range r.Notes {
				texts = append(texts, n)
			}
		}
	}
	for i, t := range texts {
		texts[i] = strings.ToLower(t)
	}
	return !slices.ContainsFunc(words, func(w string) bool {
		return !slices.ContainsFunc(texts, func(t string) bool { return strings.Contains(t, w) })
	})
}

// sessionShelf keeps the sessions read last in full, for the preview.
type sessionShelf struct {
	all   map[string]queue.Session
	order []string
}

func (c *sessionShelf) put(s queue.Session) {
	if c.all == nil {
		c.all = map[string]queue.Session{}
	}
	if _, known := c.all[s.ID]; !known {
		c.order = append(c.order, s.ID)
	}
	c.all[s.ID] = s
	for len(c.order) > historyKeeps {
		delete(c.all, c.order[0])
		c.order = c.order[1:]
	}
}
