package jetstream

import (
	"context"
	"maps"
	"slices"

	"github.com/choicetui/choicetui/queue"
)

// arrived holds the content taken from the inbox. nil: there is nothing to tell yet.
type arrived struct {
	news     map[string]news
	drafts   map[string][]byte
	presence bool
	first    bool
}

// empty takes everything out of the inbox. The error is what is wrong with the watch, once.
func (w *watcher) empty() (*arrived, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err := w.trouble; err != nil {
		w.trouble = nil
		return nil, err
	}
	if w.unsynced > 0 {
		return nil, nil
	}
	got := &arrived{news: w.news, drafts: w.drafts, presence: w.presence || w.first, first: w.first}
	w.news, w.drafts, w.presence, w.first = map[string]news{}, map[string][]byte{}, false, false
	return got, nil
}

// tell makes a batch of what arrived. any is false if it says nothing that the reader does not know.
func (w *watcher) tell(ctx context.Context, got *arrived) (ch queue.Changes, any bool) {
	if got == nil {
		return ch, false
	}
	for _, key := range slices.Sorted(maps.Keys(got.news)) {
		w.tellSession(ctx, key, got.news[key], &ch)
	}
	if got.first {
		for _, id := range w.only {
			if _, live := w.known[id]; !live && !slices.Contains(ch.Gone, id) {
				ch.Gone = append(ch.Gone, id)
			}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(got.drafts)) {
		if d, ok := decodeDraft(key, got.drafts[key]); ok {
			ch.Drafts = append(ch.Drafts, d)
		}
	}
	ch.Presence = got.presence
	return ch, ch.Presence || len(ch.Sessions)+len(ch.Drafts)+len(ch.Gone)+len(ch.Broken) > 0
}

// tellSession tells of one key if the reader does not know it so.
func (w *watcher) tellSession(ctx context.Context, key string, n news, ch *queue.Changes) {
	was, known := w.known[key]
	switch {
	case n.went && known: // where it came back after that, the reader is told next time
		w.tellGone(ctx, key, was, ch)
		if n.entry != nil {
			w.comeAgain(key, n)
		}
		return
	case n.entry == nil:
		return
	}
	v, bad := w.store.decodeLive(n.entry)
	if bad != nil {
		w.tellBroken(ctx, n, bad.Reason, ch)
		return
	}
	if v.Revision > was.revision {
		w.know(key, knownSession{revision: v.Revision, final: v.Final})
		ch.Sessions = append(ch.Sessions, v)
	}
}

// comeAgain puts a session back into the inbox whose id was used before, unless there are newer news of it.
func (w *watcher) comeAgain(key string, n news) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, newer := w.news[key]; !newer {
		w.news[key] = news{entry: n.entry}
	}
	w.ring()
}

// tellGone tells that a session is not live any more. One that was final went into the history; of any other it may be
// that it was set aside.
func (w *watcher) tellGone(ctx context.Context, key string, was knownSession, ch *queue.Changes) {
	w.unknow(key)
	ch.Gone = append(ch.Gone, key)
	if was.final {
		return
	}
	c, err := w.store.link.begin(ctx)
	if err != nil {
		return
	}
	defer c.cancel()
	if moved, ok := w.store.wasSetAside(c, key); ok {
		ch.Broken = append(ch.Broken, moved)
	}
}

// tellBroken sets aside what is no session. It is in Gone too if the reader has it.
func (w *watcher) tellBroken(ctx context.Context, n news, reason string, ch *queue.Changes) {
	key := n.entry.Key()
	c, err := w.store.link.begin(ctx)
	if err != nil {
		return // everything comes once more when the connection is back
	}
	defer c.cancel()
	if moved, ok := w.store.setAside(c, pendingShelf, n.entry, reason); ok {
		ch.Broken = append(ch.Broken, moved)
	}
	if _, known := w.known[key]; known || slices.Contains(w.only, key) {
		w.unknow(key)
		if !slices.Contains(ch.Gone, key) {
			ch.Gone = append(ch.Gone, key)
		}
	}
}

func (w *watcher) know(key string, k knownSession) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.known[key] = k
}

func (w *watcher) unknow(key string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.known, key)
}
