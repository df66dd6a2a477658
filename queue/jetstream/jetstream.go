// Package jetstream keeps the queue on a NATS server with JetStream, for many machines and people. With the bucket name
// choicetui these lie there:
//
//	choicetui_pending   bucket  <id>              live sessions; a key's revision is the compare-and-swap
//	choicetui_drafts    bucket  <id>.<instance>   forgotten after a day, by the server
//	choicetui_present   bucket  on.<process>.<n>  who runs; boot.<server> since when a server has been counting beats
//	choicetui_aside     bucket  <name>.<token>    what could not be read, with a .reason beside it
//	choicetui_done      stream  at.<hour>.<ms>.<id>, hour.…, month.…    the history, never changed, see done.go
//	choicetui_beats     stream  <process>         in memory, forgotten after 12 s: a process that dies falls silent
//
// A write names the revision that it was decided on, and the server refuses it where another one is stored. It is
// durable once the server has acknowledged it, if that was told to sync always:
//
//	Put ─► Update(key, document, revision) ─ ack ─► every watcher's consumer ⇝ watcher.Next ─ the newest of each key
//
// Rules: nothing is decided from a read alone; nothing is buffered while there is no connection, so that no write
// happens after its caller was told that it failed; every watch is made again after a reconnect; only Final sessions
// are archived, and the history has them before the bucket loses them.
package jetstream

import (
	"sync"

	"github.com/choicetui/choicetui/queue"
)

var _ queue.Store = (*Store)(nil)

// Store is a queue.Store on a server. Many may be open on it, in one process or several. It keeps sessions and drafts,
// and has three parts:
//
//	Store ─┬─ history   History, CountHistory
//	       ├─ running   Announce, Present
//	       └─ storage   the buckets and streams under all of them, and the link to the server
type Store struct {
	*storage
	*history
	*running

	heading sync.Mutex
	heads   map[string]head // what is known of live sessions; guarded by heading
}

// Open checks the options. It neither connects nor writes: the first call does, and makes missing buckets.
func Open(o Options) (*Store, error) {
	l, err := newLink(o)
	if err != nil {
		return nil, err
	}
	under := &storage{link: l, opened: map[string]*stream{}, silentAfter: silentFor}
	s := &Store{storage: under, history: &history{storage: under, marked: map[string]bool{}},
		running: newRunning(under), heads: map[string]head{}}
	l.whenUp(s.startAnew)
	return s, nil
}

// Close takes back what this process announced, and ends the connection. A process that just ends need not call it.
func (s *Store) Close() error {
	s.running.stop()
	s.link.close()
	s.running.mu.Lock()
	defer s.running.mu.Unlock()
	s.held.letGo(len(s.announced)+len(s.dropped) > 0)
	return nil
}

// startAnew forgets what is known of the server when a new connection came about: it may lead to another server, or to
// the same one with an older disk.
func (s *Store) startAnew() {
	s.forget()
	s.heading.Lock()
	clear(s.heads)
	s.heading.Unlock()
	s.comeBack()
}
