package jetstream

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/choicetui/choicetui/queue"
)

// Health describes a server and the rights of these credentials on it.
type Health struct {
	Version string // the server's

	Copies map[string]int // on how many servers each bucket and stream is kept that is there
	Want   int            // on how many it should be, by the options
	Away   []string       // servers that keep a copy of something and do not run, or cannot be reached
	Alone  bool           // the server is not one of several, so it keeps one copy

	SyncKnown  bool
	SyncAlways bool
	SyncEvery  time.Duration

	Ahead time.Duration            // this machine's clock, before the server's
	Hosts map[string]time.Duration // the same of other machines, from the questions that wait

	Encrypted bool
	CertEnds  time.Time // zero: without a certificate
	Authority string    // the file with who vouched for it; empty: the system

	May  map[Right]bool
	Wide []string // what these credentials may do that no queue needs
}

// examination looks once at a store's server.
type examination struct {
	store *Store
	*call
	mu    sync.Mutex
	found Health // guarded by mu while several look
}

// Examine looks at a store's server. It writes nothing, and where a right has to be tried it asks for what cannot be
// done.
func Examine(ctx context.Context, s *Store) (Health, error) {
	c, err := s.link.begin(ctx)
	if err != nil {
		return Health{}, err
	}
	defer c.cancel()
	e := &examination{store: s, call: c, found: Health{Version: c.conn.ConnectedServerVersion(),
		Alone: c.conn.ConnectedClusterName() == "", Copies: map[string]int{}, Want: s.link.options.Replicas,
		Hosts: map[string]time.Duration{}}}
	if err := e.readStreams(); err != nil {
		return e.found, err
	}
	e.readCertificate()
	e.readSyncing()
	e.tryRights()
	if e.found.May[ReadQuestions] {
		e.readHosts(ctx)
	}
	return e.found, nil
}

// readStreams looks at all buckets and streams at once.
func (e *examination) readStreams() error {
	names := []string{pendingStream, draftsStream, presentStream, asideStream, doneStream, beatsStream}
	wrong := make([]error, len(names))
	var all sync.WaitGroup
	for i, name := range names {
		all.Go(func() { wrong[i] = e.readStream(name) })
	}
	all.Wait()
	return cmp.Or(wrong...)
}

// readStream looks at one bucket or stream, if it is there, and at the server's clock.
func (e *examination) readStream(name string) error {
	now := e.store.link.now
	began := now()
	stream, err := e.js.Stream(e, e.store.config(name).Name)
	switch {
	case errors.Is(err, jetstream.ErrStreamNotFound):
		return nil
	case err != nil:
		return e.explain(err)
	}
	info, took := stream.CachedInfo(), now().Sub(began)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.found.Copies[info.Config.Name] = info.Config.Replicas
	e.noteAway(info.Cluster)
	if !info.TimeStamp.IsZero() {
		e.found.Ahead = began.Add(took / 2).Sub(info.TimeStamp)
	}
	return nil
}

// noteAway notes which servers of a cluster are not there. It is called with mu held.
func (e *examination) noteAway(cluster *jetstream.ClusterInfo) {
	if cluster == nil {
		return
	}
	for _, one := range cluster.Replicas {
		unheard := !one.Current && one.Active == 0 // since another server leads, as after the death of the one that did
		// A server that was killed counts as offline minutes later.
		gone := one.Offline || one.Active > silentPeer || unheard
		if gone && !slices.Contains(e.found.Away, one.Name) {
			e.found.Away = append(e.found.Away, one.Name)
		}
	}
	slices.Sort(e.found.Away)
}

// readCertificate finds when the first of the server's certificates ends.
func (e *examination) readCertificate() {
	state, err := e.conn.TLSConnectionState()
	if err != nil {
		return
	}
	e.found.Encrypted, e.found.Authority = true, e.store.link.options.Authority
	for _, one := range state.PeerCertificates {
		if e.found.CertEnds.IsZero() || one.NotAfter.Before(e.found.CertEnds) {
			e.found.CertEnds = one.NotAfter
		}
	}
}

// readSyncing asks how often the server syncs. It answers that only where somebody has opened it to this account.
func (e *examination) readSyncing() {
	ctx, cancel := context.WithTimeout(e, probeWithin)
	defer cancel()
	until, done := e.link.untilRefused(ctx, syncSubject)
	m, err := e.conn.RequestWithContext(until, syncSubject, nil)
	if refused := done(); refused != nil || err != nil {
		return
	}
	var answer struct {
		Data struct {
			Config *struct {
				SyncInterval time.Duration `json:"sync_interval"`
				SyncAlways   bool          `json:"sync_always"`
			} `json:"config"`
		} `json:"data"`
	}
	if err := json.Unmarshal(m.Data, &answer); err != nil || answer.Data.Config == nil {
		return
	}
	at := answer.Data.Config
	e.found.SyncKnown, e.found.SyncAlways, e.found.SyncEvery = true, at.SyncAlways, at.SyncInterval
}

// silentPeer is the time without a sign of life after which a server of a cluster counts as away. The servers tell each
// other every second that they are there.
const silentPeer = 10 * time.Second

const (
	syncSubject = "$SYS.REQ.SERVER.PING.JSZ"
	probeWithin = time.Second
)

// readHosts compares the clocks of those who asked with the server's: both say when a question came about that
// nobody has touched since. One that moved here was asked long before the server got it.
func (e *examination) readHosts(ctx context.Context) {
	hosts := e.found.Hosts
	_ = e.store.eachLive(ctx, func(_ *call, one jetstream.KeyValueEntry) {
		v, bad := e.store.decodeLive(one)
		if bad != nil || v.Revision != 1 || v.Origin.Host == "" || queue.Moved(v) {
			return
		}
		ahead := v.AskedAt.Sub(one.Created())
		if was, known := hosts[v.Origin.Host]; !known || ahead.Abs() < was.Abs() { // a slow write looks like a skew
			hosts[v.Origin.Host] = ahead
		}
	})
}

// Right is something that a role may or may not do.
type Right int

// Rights by which roles are told apart.
const (
	ReadQuestions Right = iota
	WriteQuestions
	ReadDrafts
	WriteDrafts
	ReadHistory
	WriteHistory
	Announce
)

// probe is something asked for that cannot be done, so that only the permission for it shows.
type probe struct {
	subject string
	body    string
	expects string // the stream that a message is for; empty: it is no message
}

// tryRights tries what these credentials may do.
func (e *examination) tryRights() {
	s := e.store
	bucket, nowhere := s.link.options.Bucket, "choicetui-doctor-"+queue.NewToken()
	reading := func(name string) probe {
		return probe{subject: "$JS.API.CONSUMER.CREATE." + s.config(name).Name + "." + nowhere, body: "{"}
	}
	writing := func(subject string) probe { return probe{subject: subject, expects: nowhere} }
	needed := map[Right]probe{
		ReadQuestions: reading(pendingStream), WriteQuestions: writing(liveSubject(bucket, queue.NewID())),
		ReadDrafts:  reading(draftsStream),
		WriteDrafts: writing("$KV." + bucket + draftsStream + "." + draftKey(queue.NewID(), "doctor")),
		ReadHistory: reading(doneStream), WriteHistory: writing(s.history.subject("month", "doctor")),
		Announce: writing("$KV." + bucket + presentStream + "." + onPrefix + queue.RoleBridge + "." + nowhere + ".1"),
	}
	needless := map[string]probe{
		"delete streams": {subject: "$JS.API.STREAM.DELETE." + nowhere, body: "{"},
		"empty streams":  {subject: "$JS.API.STREAM.PURGE." + nowhere, body: "{"},
		"change streams": {subject: "$JS.API.STREAM.UPDATE." + nowhere, body: "{"},
		"make others":    {subject: "$JS.API.STREAM.CREATE." + nowhere, body: "{"},
	}
	e.found.May = tryAll(e.call, needed)
	for what, allowed := range tryAll(e.call, needless) {
		if allowed {
			e.found.Wide = append(e.found.Wide, what)
		}
	}
	slices.Sort(e.found.Wide)
}

// tryAll tries all probes at once: each is one question to the server.
func tryAll[K comparable](c *call, probes map[K]probe) map[K]bool {
	var mu sync.Mutex
	var all sync.WaitGroup
	allowed := make(map[K]bool, len(probes))
	for _, what := range slices.Collect(maps.Keys(probes)) {
		all.Go(func() {
			ok := c.try(probes[what])
			mu.Lock()
			defer mu.Unlock()
			allowed[what] = ok
		})
	}
	all.Wait()
	return allowed
}

// try reports whether the server took a probe, however it answered. Where it says nothing it is taken for allowed.
func (c *call) try(p probe) bool {
	ctx, cancel := context.WithTimeout(c, probeWithin)
	defer cancel()
	until, done := c.link.untilRefused(ctx, p.subject)
	m := nats.NewMsg(p.subject)
	m.Data = []byte(p.body)
	if p.expects != "" {
		m.Header.Set(jetstream.ExpectedStreamHeader, p.expects)
	}
	_, _ = c.conn.RequestMsgWithContext(until, m)
	return done() == nil
}

const (
	roomPrefix = "room-"     // no session's id begins so, or has so many characters
	roomKept   = time.Second // the least that a server can be told
)

// ErrTakesNothing says that the server answers, and not where something is to be stored. It is so where it could not
// write to its disk once: it stores nothing more then until it is started again.
var ErrTakesNothing = errors.New("the queue's server answers, but stores nothing: its disk may be full")

// TryRoom reports as an error that the server has no room left, or ErrTakesNothing if it stores nothing any more. It
// writes a few bytes that nobody reads, and takes them back; if this process dies in between, the server forgets them
// later. If nothing may be written, or nothing was ever kept, the answer is unknown, which is no error.
func TryRoom(ctx context.Context, s *Store) error {
	c, err := s.link.begin(ctx)
	if err != nil {
		return err
	}
	defer c.cancel()
	key := roomPrefix + queue.NewToken()
	err = tryWriting(c, s.storage, presentStream, func(until context.Context, kv jetstream.KeyValue) error {
		revision, err := kv.Create(until, key, nil, jetstream.KeyTTL(roomKept))
		if err == nil { // if this fails, the server forgets it later
			_ = kv.Purge(c, key, jetstream.LastRevision(revision), jetstream.PurgeTTL(roomKept))
		}
		return err
	})
	if err != nil {
		return err
	}
	// Each bucket has a file of its own that may not be written any more. Here only the mark of something that was
	// removed is left for that second: who follows the questions takes no notice of it.
	return tryWriting(c, s.storage, pendingStream, func(until context.Context, kv jetstream.KeyValue) error {
		return kv.Purge(until, key, jetstream.PurgeTTL(roomKept))
	})
}

// tryWriting writes something to a bucket. It is no error if the bucket is missing, or writing is not allowed.
func tryWriting(c *call, p *storage, name string, write func(context.Context, jetstream.KeyValue) error) error {
	kv, err := p.bucket(c, name, false)
	if errors.Is(err, errAbsent) {
		return nil
	}
	if err != nil {
		return err
	}
	until, done := p.link.untilRefused(c, "$KV."+kv.Bucket()+"."+roomPrefix)
	err = write(until, kv)
	if refused := done(); refused != nil {
		return nil
	}
	if wasLost(err) && c.caller.Err() == nil && c.conn.FlushTimeout(stillThereWithin) == nil {
		return ErrTakesNothing
	}
	return c.explain(err)
}
