package jetstream

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/choicetui/choicetui/queue"
)

// Names of the buckets and streams, after the prefix Options.Bucket.
const (
	pendingStream = "_pending"
	draftsStream  = "_drafts"
	presentStream = "_present"
	asideStream   = "_aside"
	doneStream    = "_done"
	beatsStream   = "_beats"
)

// markerKept is the time for which the server keeps the marker of a removed key. A connected watcher reads it within
// moments; after a lost connection a watcher reads all keys again.
const markerKept = 10 * time.Minute

// madeWithin is the time for creating a bucket or stream. The servers of a cluster first elect its leader, and two
// candidates wait for up to nine seconds before they try again.
const madeWithin = 12 * time.Second

// stillThereWithin is the time in which a server that did not answer for a bucket has to show that it runs.
const stillThereWithin = time.Second

// mostReaders limits the consumers of a bucket or stream. A server's default is a thousand, which a thousand agents
// and one dashboard exceed.
const mostReaders = 100_000

// storage holds the buckets and streams. Each is opened at its first use, and created if it is missing.
type storage struct {
	link  *link
	clock clock

	mu     sync.Mutex
	opened map[string]*stream // guarded by mu; cleared after each new connection

	silentAfter time.Duration // silentFor, shorter in tests
}

// stream is one stream of the server. A bucket is a stream too; then bucket is set.
type stream struct {
	jetstream.Stream
	kv jetstream.KeyValue // nil: not a bucket
}

// errAbsent means that a bucket or stream does not exist, so that nothing was ever stored in it.
var errAbsent = errors.New("nothing is kept there")

// Foreign means that a bucket or stream with the queue's name exists, but its configuration does not fit a queue.
type Foreign struct{ Name, Problem string }

func (e *Foreign) Error() string {
	return fmt.Sprintf("%q on the queue's server cannot keep a queue: %s", e.Name, e.Problem)
}

// What bucket and stream do if the bucket or stream is missing: create it, or fail with errAbsent.
const orMake, ifThere = true, false

// bucket returns a bucket by the end of its name.
func (p *storage) bucket(c *call, name string, toMake bool) (jetstream.KeyValue, error) {
	s, err := p.stream(c, name, toMake)
	if err != nil {
		return nil, err
	}
	return s.kv, nil
}

// stream returns a stream by the end of its name, and opens it at its first use.
func (p *storage) stream(c *call, name string, toMake bool) (*stream, error) {
	p.mu.Lock()
	s := p.opened[name]
	p.mu.Unlock()
	if s != nil {
		return s, nil
	}
	s, err := p.openStream(c, name, toMake)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.opened[name] = s
	return s, nil
}

// forgetOpened makes every bucket and stream be opened again, since one vanished or the connection is a new one.
func (p *storage) forgetOpened() {
	p.mu.Lock()
	defer p.mu.Unlock()
	clear(p.opened)
}

// openStream opens a stream, with its bucket if it is one, and checks its configuration. With toMake it creates a
// missing one.
func (p *storage) openStream(c *call, name string, toMake bool) (*stream, error) {
	want := p.streamConfig(name)
	waitForBucket := p.openBucket(c, name) // at the same time as the stream, because each takes a round trip
	began := p.link.now()
	led, err := ledStream(c, want.Name, nil)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		if !toMake {
			return nil, errAbsent
		}
		led, err = p.makeStream(c, want)
	}
	if isAPI(err, oneServer) {
		return nil, &Trouble{
			problem: fmt.Sprintf("the queue's server is not one of several, and cannot keep %d copies", want.Replicas),
			Remedy:  "choicetui config set queue_replicas 1, or name a server of a cluster as the queue",
		}
	}
	if err != nil {
		return nil, fmt.Errorf("failed to open %q: %w", want.Name, c.explain(err))
	}
	p.clock.noteServerTime(began, p.link.now(), led.CachedInfo().TimeStamp)
	if problem := misfitReason(led.CachedInfo().Config, want); problem != "" {
		return nil, &Foreign{Name: want.Name, Problem: problem}
	}
	s := &stream{Stream: led}
	s.kv, err = waitForBucket()
	if err != nil && c.Err() == nil { // the bucket was just being created
		err = whileElected(c, func(until context.Context) error {
			s.kv, err = c.js.KeyValue(until, p.link.options.Bucket+name)
			return err
		}, jetstream.ErrBucketNotFound)
	}
	if err != nil {
		return nil, fmt.Errorf("failed to open %q: %w", want.Name, c.explain(err))
	}
	return s, nil
}

// openBucket begins to open a bucket, and returns a function that waits for it. For the name of a stream that is not
// a bucket the result is nil.
func (p *storage) openBucket(c *call, name string) (wait func() (jetstream.KeyValue, error)) {
	var kv jetstream.KeyValue
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		if isBucket(name) {
			kv, err = c.js.KeyValue(c, p.link.options.Bucket+name)
		}
	}()
	return func() (jetstream.KeyValue, error) {
		<-done
		return kv, err
	}
}

// openStreams opens several streams at once and creates missing ones. If one cannot be opened, the caller that opens
// it next gets the error.
func (p *storage) openStreams(c *call, names ...string) {
	var all sync.WaitGroup
	for _, name := range names {
		all.Go(func() { _, _ = p.stream(c, name, orMake) })
	}
	all.Wait()
}

// makeStream creates a stream, or returns the one that another process created at the same time.
func (p *storage) makeStream(c *call, want jetstream.StreamConfig) (jetstream.Stream, error) {
	until, cancel := context.WithTimeout(c, madeWithin)
	defer cancel()
	var stream jetstream.Stream
	err := p.link.askServer(until, "$JS.API.STREAM.CREATE."+want.Name, func(until context.Context) (err error) {
		stream, err = c.js.CreateStream(until, want)
		if isAPI(err, tooManyReaders) { // the account allows fewer consumers, so its own limit is used
			want.MaxConsumers = -1
			stream, err = c.js.CreateStream(until, want)
		}
		return err
	})
	if errors.Is(err, jetstream.ErrStreamNameAlreadyInUse) { // another process created it at the same time
		stream, err = ledStream(c, want.Name, jetstream.ErrStreamNotFound)
	}
	return stream, err
}

// whileElected repeats a request while a cluster elects the leader of a stream, as long as the connected server
// responds to anything. A stream without a leader does not answer. A server that does not know the new leader yet may
// answer with an error instead. The caller passes that error as also, and then the request is repeated too; nil: there
// is no such error.
func whileElected(c *call, ask func(until context.Context) error, also error) error {
	until, cancel := context.WithTimeout(c, madeWithin)
	defer cancel()
	for {
		err := ask(answerByAnswer{until})
		silent := errors.Is(err, context.DeadlineExceeded) || errors.Is(err, nats.ErrTimeout)
		unled := silent && c.link.refusedSince(c.began) == nil || err != nil && errors.Is(err, also)
		if !unled || until.Err() != nil {
			return err
		}
		if c.conn.FlushTimeout(stillThereWithin) != nil { // the connected server is silent too
			return err
		}
		select {
		case <-until.Done():
			return err
		case <-time.After(reconnectWait):
		}
	}
}

// ledStream returns a stream by its name once the stream has a leader. also is the error that whileElected repeats the
// request for.
func ledStream(c *call, name string, also error) (stream jetstream.Stream, err error) {
	err = whileElected(c, func(until context.Context) error {
		stream, err = c.js.Stream(until, name)
		return err
	}, also)
	return stream, err
}

// isBucket reports whether a stream with this end of a name is a bucket.
func isBucket(name string) bool { return name != doneStream && name != beatsStream }

// streamConfig returns the required configuration of a bucket or stream. Only the leader answers reads, so that a read
// sees every acknowledged write.
func (p *storage) streamConfig(name string) jetstream.StreamConfig {
	bucket := p.link.options.Bucket + name
	want := jetstream.StreamConfig{
		Name: bucket, Replicas: p.link.options.Replicas, Storage: jetstream.FileStorage, MaxMsgsPerSubject: 1,
		MaxMsgs: -1, MaxBytes: -1, MaxMsgSize: -1, MaxConsumers: mostReaders, Discard: jetstream.DiscardNew,
		Description: "a queue of choicetui",
	}
	switch name {
	case doneStream:
		want.Subjects = []string{bucket + ".>"}
		want.DenyDelete, want.DenyPurge, want.DiscardNewPerSubject = true, true, true // the history never changes
	case beatsStream:
		want.Subjects = []string{bucket + ".*"}
		want.Storage, want.MaxAge, want.Discard = jetstream.MemoryStorage, p.silentAfter, jetstream.DiscardOld
	default:
		want.Name, want.Subjects = "KV_"+bucket, []string{"$KV." + bucket + ".>"}
		want.AllowRollup, want.DenyDelete = true, true
		want.AllowMsgTTL, want.SubjectDeleteMarkerTTL = true, markerKept
	}
	if name == draftsStream {
		want.MaxAge = queue.KeptFor
	}
	return want
}

// misfitReason returns why an existing bucket or stream does not fit the queue; it is empty if it fits.
func misfitReason(is, want jetstream.StreamConfig) string {
	switch {
	case is.Mirror != nil || len(is.Sources) > 0:
		return "it copies another one"
	case !slices.Equal(is.Subjects, want.Subjects):
		return fmt.Sprintf("it keeps the subjects %q, not %q", is.Subjects, want.Subjects)
	case is.MaxAge != want.MaxAge:
		return fmt.Sprintf("it forgets after %v, not after %v (0s: never)", is.MaxAge, want.MaxAge)
	case is.Storage != want.Storage:
		return fmt.Sprintf("it keeps things in %v, not in %v", is.Storage, want.Storage)
	case is.Retention != jetstream.LimitsPolicy || is.Discard != want.Discard || is.MaxMsgs > 0:
		return "it drops old entries when it is full"
	case want.AllowMsgTTL && !is.AllowMsgTTL:
		return "it does not forget single keys, which takes a server from 2.11 on and limit markers on the bucket"
	case is.MaxMsgsPerSubject < 1 && want.AllowRollup:
		return "it is not a bucket"
	}
	return ""
}

// watchKeys watches keys of a bucket until stop is called. The watch outlives ctx, because the library ties a watch
// to its context.
func (l *link) watchKeys(ctx context.Context, kv jetstream.KeyValue, keys []string, o ...jetstream.WatchOpt) (
	w jetstream.KeyWatcher, stop func(), err error,
) {
	life, cancel := context.WithCancel(context.WithoutCancel(ctx))
	// While the watch is being opened, three things end it: the end of ctx, a refusal, and the time for an answer.
	until, done := l.untilRefused(ctx, "$JS.API.CONSUMER.CREATE.KV_"+kv.Bucket()+".")
	untie := context.AfterFunc(until, cancel)
	late := time.AfterFunc(answerWithin, cancel)
	w, err = kv.WatchFiltered(life, slices.Clone(keys), o...)
	inTime := late.Stop()
	untie()
	if err == nil && !inTime {
		err = context.DeadlineExceeded
	}
	if refused := done(); refused != nil {
		cancel()
		return nil, nil, refused
	}
	if err != nil {
		cancel()
		if ctx.Err() == nil {
			err = watchError(err)
		}
		return nil, nil, err
	}
	return w, cancel, nil
}

// watchError translates an error of WatchFiltered, which is in the library's older half, into one of its newer half.
func watchError(err error) error {
	var said *nats.APIError
	switch {
	case isGone(err):
		return err
	case errors.As(err, &said):
		return &jetstream.APIError{Code: said.Code, ErrorCode: jetstream.ErrorCode(said.ErrorCode),
			Description: said.Description}
	}
	return nats.ErrTimeout // the library's other errors about a watch say no more
}

// readKeys reads the values under keys; without keys, all. It continues as long as the server sends. A removed bucket
// counts as empty. If the caller's time is over, it returns the values read so far beside the error.
func (p *storage) readKeys(c *call, kv jetstream.KeyValue, keys ...string) ([]jetstream.KeyValueEntry, error) {
	w, stop, err := c.link.watchKeys(c.caller, kv, keys, jetstream.IgnoreDeletes())
	if isGone(err) {
		p.forgetOpened()
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer stop()
	var all []jetstream.KeyValueEntry
	for patience := time.NewTimer(answerWithin); ; patience.Reset(answerWithin) {
		select {
		case <-c.caller.Done():
			return all, c.caller.Err()
		case <-patience.C:
			return nil, nats.ErrTimeout
		case e, open := <-w.Updates():
			switch {
			case !open:
				return nil, nats.ErrDisconnected
			case e == nil:
				return all, nil
			}
			all = append(all, e)
		}
	}
}

// isMismatch reports whether the server refused a write because another revision is stored.
func isMismatch(err error) bool {
	var api *jetstream.APIError
	if errors.Is(err, jetstream.ErrKeyRevisionMismatch) {
		return true
	}
	return errors.As(err, &api) && (api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence ||
		api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant)
}

// isAPI reports whether an error is the server's error with this code.
func isAPI(err error, code jetstream.ErrorCode) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && api.ErrorCode == code
}

// isGone reports whether an error means that the bucket or stream no longer exists.
func isGone(err error) bool {
	return errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, nats.ErrStreamNotFound) ||
		errors.Is(err, jetstream.ErrNoStreamResponse)
}

// sameClock is the difference up to which two clocks count as equal. People do not notice it, and correcting it would
// make times jump.
const sameClock = time.Second

// readWithin limits the duration of a request that reads the server's clock. A slower reading is too inaccurate.
const readWithin = 4 * sameClock

// clock converts this machine's time to the server's. Without it, a machine with a wrong clock would end everybody's
// questions too early, or show times that differ from everybody else's.
type clock struct {
	mu    sync.Mutex
	ahead time.Duration // this machine's clock minus the server's; guarded by mu
	read  time.Time     // when ahead was measured, by this machine's clock; zero: never. Guarded by mu
	since time.Time     // the same moment as a monotonic time. Guarded by mu
}

// noteServerTime stores the server's time, which was read between two moments of this machine.
func (k *clock) noteServerTime(began, ended, server time.Time) {
	took := ended.Sub(began)
	if server.IsZero() || took > readWithin {
		return
	}
	ahead := began.Round(0).Add(took / 2).Sub(server)
	if (ahead.Abs() - took/2) < sameClock {
		ahead = 0
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.ahead, k.read, k.since = ahead, ended.Round(0), time.Now()
}

// serverTime returns the server's time at a moment of this machine. stale reports that this machine's clock was set, or
// the machine slept, since the server's time was read.
func (k *clock) serverTime(now time.Time) (server time.Time, stale bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.read.IsZero() {
		return now, false
	}
	if shown := now.Round(0).Sub(k.read); (time.Since(k.since) - shown).Abs() >= sameClock {
		k.read, k.since, stale = now.Round(0), time.Now(), true
	}
	return now.Add(-k.ahead), stale
}

// Now returns the time by the server's clock, or this machine's before the first call. It never waits for the server.
func (s *Store) Now() time.Time {
	now, stale := s.clock.serverTime(s.link.now())
	if stale {
		s.forgetOpened() // the next call reads the server's time again
	}
	return now
}
