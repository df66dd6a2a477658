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
	l.whenUp = s.startAnew
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
	s.tell(true)
}

// Options say where the queue is and who asks.
type Options struct {
	URL         string // nats:// or tls://, several with commas between them
	Bucket      string // begins the names of all that is kept; empty: DefaultBucket
	Replicas    int    // on how many servers each thing is kept where it is made here; 0: one
	Credentials string // a file that only this person can read; empty: no login
	Authority   string // a file with the authorities that may vouch for the server; empty: the system's
	Local       string // a directory of this machine and user alone, for the locks of processes; empty: no locks
}

// DefaultBucket begins the names if the options give no bucket.
const DefaultBucket = "choicetui"

// maxReplicas is the most copies that a server keeps.
const maxReplicas = 5

// schemes are the URL schemes of a queue on a server.
var schemes = []string{"nats", "tls"}

// IsAddress reports whether a queue's name is the address of a server that this package speaks to, and not a directory.
func IsAddress(name string) bool {
	scheme, _, ok := strings.Cut(name, "://")
	return ok && slices.Contains(schemes, strings.ToLower(scheme))
}

// LowerSchemes returns the addresses of servers with their schemes in small letters: they mean the same in capital
// ones.
func LowerSchemes(address string) string {
	servers := strings.Split(address, ",")
	for i, one := range servers {
		if scheme, rest, ok := strings.Cut(one, "://"); ok {
			servers[i] = strings.ToLower(scheme) + "://" + rest
		}
	}
	return strings.Join(servers, ",")
}

// NamePlace returns the one name of a queue on a server, whichever way its address is written.
func NamePlace(address, bucket string) string {
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
	name := strings.Join(servers, ",")
	if bucket != "" && bucket != DefaultBucket {
		name += ", bucket " + bucket
	}
	return name
}

const defaultPort = "4222"

// check fills in what was left out, and says what is wrong with the rest.
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

// checkAddress never repeats an address that has a password in it.
func checkAddress(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return errors.New("the address of the queue's server cannot be read")
	case u.User != nil:
		return errors.New("a name or a password does not belong into the address of the queue's server, where others " +
			"see it: it goes into the file that queue_credentials names")
	case !slices.Contains(schemes, u.Scheme) || u.Hostname() == "" || strings.Trim(u.Path, "/") != "":
		return fmt.Errorf("%q is no address of a server: nats://HOST:PORT and tls://HOST:PORT are", address)
	}
	return nil
}
