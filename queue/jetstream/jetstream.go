// Package jetstream keeps the queue on a NATS server with JetStream, for many machines and people. With the bucket
// name choicetui the server has these buckets and streams:
//
//	choicetui_pending   bucket  <id>              live sessions; a key's revision is the compare-and-swap
//	choicetui_drafts    bucket  <id>.<instance>   removed by the server after a day
//	choicetui_present   bucket  on.<role>.<process>.<n>   running processes; boot.<server>: since when it counts beats
//	choicetui_aside     bucket  <name>.<token>    documents that could not be read, each with a .reason
//	choicetui_done      stream  at.<hour>.<ms>.<id>, hour.…, month.…    the history, never changed, see done.go
//	choicetui_beats     stream  <process>         in memory, removed after 12 s: a dead process falls silent
//
// A write names the revision that it was decided on, and the server refuses it if another one is stored. A write is
// durable when the server has acknowledged it, provided that the server is configured to sync always:
//
//	Put ─► Update(key, document, revision) ─ ack ─► every watcher's consumer ⇝ watcher.Next ─ the newest of each key
//
// Rules: nothing is decided from a read alone; nothing is buffered while there is no connection, so that no write
// happens after its caller was told that it failed; every watch is opened again after a reconnect; only Final
// sessions are archived, and they are in the history before they leave the bucket.
package jetstream

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/choicetui/choicetui/queue"
)

var _ queue.Store = (*Store)(nil)

// Store is a queue.Store on a server. Many may be open on it, in one process or in several. Store keeps sessions and
// drafts itself, and has three parts:
//
//	Store ─┬─ history   History, CountHistory
//	       ├─ running   Announce, Present
//	       └─ storage   the buckets and streams, and the link to the server
type Store struct {
	*storage
	*history
	*running

	heading sync.Mutex
	heads   map[string]head // known heads of live sessions; guarded by heading
}

// Open checks the options. It neither connects nor writes: the first call connects and creates missing buckets.
func Open(o Options) (*Store, error) {
	l, err := newLink(o)
	if err != nil {
		return nil, err
	}
	under := &storage{link: l, opened: map[string]*stream{}, silentAfter: silentFor}
	s := &Store{storage: under, history: &history{storage: under, marked: map[string]bool{}},
		running: newRunning(under), heads: map[string]head{}}
	l.whenUp = s.startAnew
	return s, nil
}

// Close removes this process's announcements and ends the connection. A process that is about to end need not call
// it.
func (s *Store) Close() error {
	s.running.stop()
	s.link.close()
	s.running.mu.Lock()
	defer s.running.mu.Unlock()
	s.held.unlockMine(len(s.announced)+len(s.dropped) > 0)
	return nil
}

// startAnew forgets what is known of the server once the connection is new, and announces this process again. The new
// connection may lead to another server, or to the same one with an older disk.
func (s *Store) startAnew() {
	s.forgetOpened()
	s.heading.Lock()
	clear(s.heads)
	s.heading.Unlock()
	s.resendAnnouncements()
}

// Options names the queue on a server and the credentials for it.
type Options struct {
	URL         string // nats:// or tls://, several with commas between them
	Bucket      string // prefix of all buckets and streams; empty: DefaultBucket
	Replicas    int    // copies in a cluster of each bucket and stream that is created; 0: one
	Credentials string // a file that only this person can read; empty: no login
	Authority   string // a file with the certificate authorities to trust; empty: the system's
	Local       string // a directory of this machine and user only, for the locks of processes; empty: no locks
}

// DefaultBucket is the prefix of all names if the options have no bucket.
const DefaultBucket = "choicetui"

// maxReplicas is the largest number of copies that a server accepts.
const maxReplicas = 5

// schemes are the URL schemes of a queue on a server.
var schemes = []string{"nats", "tls"}

// IsAddress reports whether a queue's name is a server's address for this package, and not a directory.
func IsAddress(name string) bool {
	scheme, _, ok := strings.Cut(name, "://")
	return ok && slices.Contains(schemes, strings.ToLower(scheme))
}

// LowerSchemes returns the addresses with their schemes in lower case, since capital letters mean the same.
func LowerSchemes(address string) string {
	servers := strings.Split(address, ",")
	for i, one := range servers {
		if scheme, rest, ok := strings.Cut(one, "://"); ok {
			servers[i] = strings.ToLower(scheme) + "://" + rest
		}
	}
	return strings.Join(servers, ",")
}

// NamePlace returns an address in the one form that all its spellings have, to compare it with another.
func NamePlace(address string) string {
	var servers []string
	for one := range strings.SplitSeq(address, ",") {
		one = strings.TrimSpace(one)
		if u, err := url.Parse(one); err == nil && u.Host != "" {
			port := u.Port()
			if port == "" {
				port = defaultPort
			}
			one = u.Scheme + "://" + net.JoinHostPort(strings.ToLower(u.Hostname()), port)
		}
		servers = append(servers, one)
	}
	return strings.Join(servers, ",")
}

const defaultPort = "4222"

// check sets the defaults and fails if an option is not valid.
func (o Options) check() (Options, error) {
	if o.Bucket == "" {
		o.Bucket = DefaultBucket
	}
	switch {
	case !queue.ValidInstance(o.Bucket): // it begins the names of buckets and subjects
		return o, fmt.Errorf("%q cannot name buckets: letters, digits, - and _ can", o.Bucket)
	case o.Replicas < 0 || o.Replicas > maxReplicas:
		return o, fmt.Errorf("%d replicas: a server keeps 1 to %d", o.Replicas, maxReplicas)
	}
	o.Replicas = max(o.Replicas, 1)
	var servers []string
	for _, one := range strings.Split(LowerSchemes(o.URL), ",") {
		one = strings.TrimSpace(one)
		if err := checkAddress(one); err != nil {
			return o, err
		}
		servers = append(servers, one)
	}
	o.URL = strings.Join(servers, ",")
	return o, nil
}

// checkAddress fails if a server's address is not valid. Its error never repeats an address that contains a password.
func checkAddress(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return errors.New("the address of the queue's server cannot be read")
	case u.User != nil:
		return errors.New("a name or a password does not belong in the address of the queue's server, where others " +
			"see it: put it in the file that queue_credentials names")
	case !slices.Contains(schemes, u.Scheme) || u.Hostname() == "" || strings.Trim(u.Path, "/") != "":
		return fmt.Errorf("%q is not a server address: use nats://HOST:PORT or tls://HOST:PORT", address)
	}
	return nil
}
