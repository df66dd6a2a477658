package portal

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"sync"
	"syscall"
	"time"

	"golang.org/x/time/rate"

	"github.com/choicetui/choicetui/config/whole"
	"github.com/choicetui/choicetui/queue"
)

// Lifetimes and limits.
const (
	linkFor    = time.Minute         // a link of the person's own, or one that pairs a device
	visitFor   = 2 * time.Minute     // time that a browser has to load the page and exchange the token of its link
	sessionFor = 12 * time.Hour      // a web session, since it was last used
	deviceFor  = 30 * 24 * time.Hour // a paired device, since it was paired
	noteUse    = time.Minute         // a use is saved only if the last one was saved this long ago

	mostTickets  = 1000 // beyond that the oldest is removed
	mostSessions = 200  // beyond that one is removed, in the order of givesWayFirst
	mostGiven    = 20   // web sessions from links that agents were given
	mostVisits   = 100
	mostLive     = 256 // WebSockets at the same time
	mostKnocks   = 300 // requests from strangers in one burst

	knocksASecond = 20 // requests from strangers a second, after such a burst
	livesASecond  = 10 // new WebSockets of one web session a second, after a burst of mostLive
	mostWrong     = 20 // wrong tokens a minute; more are refused as too many requests
	pairingEnds   = 5  // wrong tokens within a minute, after which no device can be paired for closedFor
	closedFor     = time.Minute
)

// Errors of access.enter and access.admit.
var (
	errUnknown  = errors.New("not let in")
	errTooOften = errors.New("too many wrong tokens")
)

// ticket is a token that was not used yet, with the rights that it gives. Sum is the hash of the token, which itself is
// not stored. The fields Only and Given are those of Grant.
type ticket struct {
	Sum   string    `json:"sum"`
	Path  string    `json:"path"` // the page that the link opens
	Only  string    `json:"only,omitempty"`
	Given string    `json:"given,omitempty"` // if it is set, the link is valid while its question is pending
	Pairs bool      `json:"pairs,omitempty"` // the link pairs a device
	Until time.Time `json:"until,omitzero"`  // zero: the link does not expire
}

// session is a web session: a browser that was let in. Cookie and Secret are hashes. The fields Only, Given and Device
// are those of Grant.
type session struct {
	ID     string    `json:"id"`
	Cookie string    `json:"cookie"`
	Secret string    `json:"secret"`
	Only   string    `json:"only,omitempty"`
	Given  string    `json:"given,omitempty"`
	Device string    `json:"device,omitempty"`
	Name   string    `json:"name,omitempty"` // the device's name, from its User-Agent
	Since  time.Time `json:"since"`
	Used   time.Time `json:"used"`
}

// until returns when a web session ends if it is not used again.
func (s session) until() time.Time {
	if s.Device != "" {
		return s.Since.Add(deviceFor)
	}
	return s.Used.Add(sessionFor)
}

// access decides who is let in. Any goroutine may use it. It holds no lock while it writes a file or reads the queue.
type access struct {
	now        func() time.Time
	getSession func(ctx context.Context, id string) (queue.Session, error) // reads a session of the queue
	file       *keptFile

	mu      sync.Mutex
	kept    kept
	visited map[string]time.Time // by hash of a visit's cookie: until when it is valid
	sockets map[string]*sockets  // by id of a web session: its open WebSockets
	wrong   []time.Time          // the times of the wrong tokens in the last minute
	closed  time.Time            // until when no device can be paired, because too many wrong tokens came
}

// sockets holds the open WebSockets of one web session: each function in open closes one of them.
type sockets struct {
	rate *rate.Limiter
	open map[*func()]func()
}

// newAccess returns the access of a portal that starts with the state of the last one. asks reads a session of the
// queue.
func newAccess(now func() time.Time, asks func(context.Context, string) (queue.Session, error), k kept,
	file *keptFile) *access {
	return &access{now: now, getSession: asks, file: file, kept: k, visited: map[string]time.Time{},
		sockets: map[string]*sockets{}}
}

// mintToken creates a token and stores its hash. If that cannot be saved, the token works until the portal ends.
func (a *access) mintToken(t ticket) (token string) {
	token = rand.Text()
	t.Sum = sumOf(token)
	a.mu.Lock()
	a.sweepExpired()
	if a.kept.Tickets = append(a.kept.Tickets, t); len(a.kept.Tickets) > mostTickets {
		a.kept.Tickets = slices.Delete(a.kept.Tickets, 0, 1)
	}
	a.mu.Unlock()
	_ = a.saveKept()
	return token
}

// saveKept writes the state to the file; the caller does not hold mu.
func (a *access) saveKept() error {
	return a.file.writeKept(func() kept {
		a.mu.Lock()
		defer a.mu.Unlock()
		return a.kept.copied()
	})
}

// isValid reports whether a token is valid, without using it up: previews and agents fetch links too.
func (a *access) isValid(ctx context.Context, token string, remote bool) bool {
	_, err := a.ticketOf(ctx, token, remote)
	return err == nil
}

// ticketOf returns the ticket of a token. A wrong token is counted.
func (a *access) ticketOf(ctx context.Context, token string, remote bool) (ticket, error) {
	a.mu.Lock()
	a.sweepExpired()
	t, known := a.findTicket(token)
	known = known && (t.Pairs || !remote)
	err := errUnknown
	if !known {
		err = a.noteWrong()
	}
	a.mu.Unlock()
	if !known {
		return ticket{}, err
	}
	if t.Given == "" {
		return t, nil
	}
	if s, err := a.getSession(ctx, t.Only); err != nil || !s.At(a.now()).Pending() || !givable(s) {
		return ticket{}, errUnknown
	}
	return t, nil
}

// findTicket looks for the ticket of a token. It compares with every ticket, so that the time reveals nothing about the
// match. The caller holds mu.
func (a *access) findTicket(token string) (found ticket, known bool) {
	sum := []byte(sumOf(token))
	for _, t := range a.kept.Tickets {
		if subtle.ConstantTimeCompare(sum, []byte(t.Sum)) == 1 {
			found, known = t, true
		}
	}
	return found, known
}

// noteWrong counts a wrong token; the caller holds mu. After pairingEnds of them no device can be paired for a minute,
// and after mostWrong the error is errTooOften. A right token is accepted all the same, so that nobody can lock the
// person out.
func (a *access) noteWrong() error {
	now := a.now()
	a.wrong = append(slices.DeleteFunc(a.wrong, func(at time.Time) bool { return now.Sub(at) >= time.Minute }), now)
	if len(a.wrong) >= pairingEnds {
		a.kept.Tickets = slices.DeleteFunc(a.kept.Tickets, func(t ticket) bool { return t.Pairs })
		if !now.Before(a.closed) {
			a.closed = now.Add(closedFor)
		}
	}
	if len(a.wrong) > mostWrong {
		a.wrong = a.wrong[len(a.wrong)-mostWrong-1:]
		return errTooOften
	}
	return errUnknown
}

// entered is the result of exchanging a token: the web session, and the cookie and secret in plain text.
type entered struct {
	session
	path, cookie, secret string
}

// exchangeToken exchanges a token for a new web session. If several requests bring the same token at once, only one
// succeeds. name is the name that a device gives itself.
func (a *access) exchangeToken(ctx context.Context, token, name string, remote bool) (entered, error) {
	t, err := a.ticketOf(ctx, token, remote)
	if err != nil {
		return entered{}, err
	}
	in := entered{path: t.Path, cookie: rand.Text(), secret: rand.Text()}
	now := a.now()
	in.session = session{ID: queue.NewToken(), Cookie: sumOf(in.cookie), Secret: sumOf(in.secret), Only: t.Only,
		Given: t.Given, Since: now, Used: now}
	if t.Pairs {
		in.Device, in.Name = queue.NewID(), name
	}
	a.mu.Lock()
	left := len(a.kept.Tickets)
	a.kept.Tickets = slices.DeleteFunc(a.kept.Tickets, func(other ticket) bool { return other.Sum == t.Sum })
	if left == len(a.kept.Tickets) { // another request was faster
		err = a.noteWrong()
		a.mu.Unlock()
		return entered{}, err
	}
	a.kept.Sessions = append(a.kept.Sessions, in.session)
	cut := a.makeRoom()
	a.mu.Unlock()
	hangUp(cut)
	return in, a.saveKept()
}

// makeRoom removes web sessions while there are too many. The caller holds mu, releases it, and then calls hangUp with
// the result.
func (a *access) makeRoom() (cut []func()) {
	for {
		given := 0
		for _, s := range a.kept.Sessions {
			if s.Given != "" {
				given++
			}
		}
		if given <= mostGiven && len(a.kept.Sessions) <= mostSessions {
			return cut
		}
		first := slices.MinFunc(a.kept.Sessions, givesWayFirst)
		cut = append(cut, a.removeSessions(func(s session) bool { return s.ID == first.ID })...)
	}
}

// givesWayFirst orders web sessions by which is removed first: those from links that agents were given, because an
// agent may get many, then those from the person's own links, then paired devices. Among equals, the one that was not
// used for the longest time is first.
func givesWayFirst(x, y session) int {
	rank := func(s session) int {
		switch {
		case s.Given != "":
			return 0
		case s.Device == "":
			return 1
		}
		return 2
	}
	return cmp.Or(cmp.Compare(rank(x), rank(y)), x.Used.Compare(y.Used))
}

// sumOf returns the hash of a secret, which is stored and compared in its place.
func sumOf(secret string) string {
	sum := sha256.Sum256([]byte("choicetui portal " + secret))
	return hex.EncodeToString(sum[:])
}

// kept is the state that a portal leaves for the next portal of its queue: the port, so that an open page finds it
// again, and the web sessions. It contains hashes but no secret.
type kept struct {
	Port     int       `json:"port"`
	Tickets  []ticket  `json:"tickets"`
	Sessions []session `json:"sessions"`
}

// copied returns a copy that shares no slice with k.
func (k kept) copied() kept {
	k.Tickets, k.Sessions = slices.Clone(k.Tickets), slices.Clone(k.Sessions)
	return k
}

// keptFile stores kept in a file that only this user can read. Only the process that is the queue's portal may use it.
type keptFile struct {
	path string
	mu   sync.Mutex // held while writing, so that an older state never overwrites a newer one
}

// errOpenToOthers says that other users can change the file.
var errOpenToOthers = errors.New("others can change the list of devices")

// readKept reads the state of the last portal. It rejects a file that other users can read or change, so that nobody is
// let in by it.
func (f *keptFile) readKept() (k kept, err error) {
	file, err := os.OpenFile(f.path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return k, nil
	} else if err != nil {
		return k, fmt.Errorf("failed to read the list of devices: %w", err)
	}
	defer file.Close()
	is, err := file.Stat()
	if err != nil {
		return k, fmt.Errorf("failed to read the list of devices: %w", err)
	}
	if !is.Mode().IsRegular() || is.Mode().Perm()&0o077 != 0 || whole.Owner(is) != os.Geteuid() {
		return k, fmt.Errorf("%w: %s", errOpenToOthers, f.path)
	}
	raw, err := io.ReadAll(io.LimitReader(file, 1<<20))
	if err == nil {
		err = json.Unmarshal(whole.WithoutMark(raw), &k)
	}
	if err != nil {
		return kept{}, fmt.Errorf("failed to read the list of devices: %w", err)
	}
	return k, nil
}

// writeKept writes the state to the file, completely or not at all. It calls newest under its lock, because the state
// may have changed since the caller's change.
func (f *keptFile) writeKept(newest func() kept) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	raw, err := json.Marshal(newest())
	if err != nil {
		return fmt.Errorf("failed to write the list of devices: %w", err)
	}
	if err := whole.Write(f.path, ".portal-*", append(raw, '\n')); err != nil {
		return fmt.Errorf("failed to write the list of devices: %w", err)
	}
	return nil
}

// newVisit returns the cookie value for a browser that opened a link. It allows loading the files that exchange the
// token, and nothing else.
func (a *access) newVisit(token string) string {
	value := sumOf("visit " + token)
	a.mu.Lock()
	defer a.mu.Unlock()
	now := a.now()
	maps.DeleteFunc(a.visited, func(_ string, until time.Time) bool { return now.After(until) })
	if len(a.visited) < mostVisits {
		a.visited[sumOf(value)] = now.Add(visitFor)
	}
	return value
}

// isVisit reports whether value is a cookie that newVisit returned and that is still valid.
func (a *access) isVisit(value string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.now().Before(a.visited[sumOf(value)])
}

// knowsCookie reports whether one of these cookies belongs to a web session. That is enough to get the empty page.
func (a *access) knowsCookie(values []string, remote bool) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.sweepExpired()
	return len(a.sessionsOf(values, remote)) > 0
}

// sessionsOf returns the web sessions of these cookies; the caller holds mu.
func (a *access) sessionsOf(values []string, remote bool) (found []*session) {
	for i := range a.kept.Sessions {
		s := &a.kept.Sessions[i]
		fits := func(cookie string) bool { return sameSecret(cookie, s.Cookie) }
		if (!remote || s.Device != "") && slices.ContainsFunc(values, fits) {
			found = append(found, s)
		}
	}
	return found
}

// sameSecret compares a secret with a hash, in constant time.
func sameSecret(secret, sum string) bool {
	return subtle.ConstantTimeCompare([]byte(sumOf(secret)), []byte(sum)) == 1
}

// admitPage lets a page in that has the cookie and the secret of one web session. hangUp is called if the web session
// ends before leave is called. leave is nil if too many pages are open.
func (a *access) admitPage(cookies []string, secret string, remote bool, hangUp func()) (Grant, func(), error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.sweepExpired()
	for _, s := range a.sessionsOf(cookies, remote) {
		if sameSecret(secret, s.Secret) {
			s.Used = a.now()
			return a.grantOf(*s), a.addSocket(s.ID, hangUp), nil
		}
	}
	return Grant{}, nil, errUnknown
}

// grantOf returns the rights of the pages of a web session.
func (a *access) grantOf(s session) Grant {
	return Grant{Only: s.Only, Given: s.Given, Device: s.Device, used: func() { a.noteUsed(s.ID) }}
}

// noteUsed notes that the person of a web session did something, and saves that at most once in noteUse.
func (a *access) noteUsed(id string) {
	a.mu.Lock()
	now, due := a.now(), false
	for i := range a.kept.Sessions {
		if s := &a.kept.Sessions[i]; s.ID == id {
			due = now.Sub(s.Used) >= noteUse
			s.Used = now
		}
	}
	a.mu.Unlock()
	if due {
		go func() { _ = a.saveKept() }() // after an error the next use tries again
	}
}

// addSocket registers an open WebSocket of a web session, and ends it when the web session expires. It returns nil if
// too many WebSockets are open. The caller holds mu.
func (a *access) addSocket(id string, hangUp func()) (leave func()) {
	openNow := 0
	for _, s := range a.sockets {
		openNow += len(s.open)
	}
	own := a.sockets[id]
	if own == nil {
		own = &sockets{rate: rate.NewLimiter(livesASecond, mostLive), open: map[*func()]func(){}}
		a.sockets[id] = own
	}
	if openNow >= mostLive || !own.rate.AllowN(a.now(), 1) {
		return nil
	}
	key := &hangUp // functions cannot be compared, and their addresses can
	own.open[key] = hangUp
	stop := a.sweepOnExpiry(id)
	return func() {
		stop()
		a.mu.Lock()
		defer a.mu.Unlock()
		delete(own.open, key)
	}
}

// sweepOnExpiry starts a goroutine that calls sweepExpired when a web session may have expired, so that its WebSockets
// are closed then. The caller holds mu.
func (a *access) sweepOnExpiry(id string) (stop func()) {
	done := make(chan struct{})
	left := a.timeLeft(id)
	go func() {
		for left > 0 {
			select {
			case <-done:
				return
			case <-time.After(min(left, lookAgain)):
			}
			a.mu.Lock()
			a.sweepExpired()
			left = a.timeLeft(id)
			a.mu.Unlock()
		}
	}()
	return func() { close(done) }
}

// lookAgain is the interval at which an open page's web session is compared with the clock, which may have been
// corrected.
const lookAgain = 10 * time.Minute

// timeLeft returns how long a web session lasts if it is not used; the caller holds mu.
func (a *access) timeLeft(id string) time.Duration {
	for _, s := range a.kept.Sessions {
		if s.ID == id {
			return s.until().Sub(a.now()) + time.Millisecond
		}
	}
	return 0
}

// sweepExpired removes expired links and web sessions; the caller holds mu.
func (a *access) sweepExpired() {
	now := a.now()
	a.kept.Tickets = slices.DeleteFunc(a.kept.Tickets, func(t ticket) bool {
		return !t.Until.IsZero() && !now.Before(t.Until)
	})
	cut := a.removeSessions(func(s session) bool { return !now.Before(s.until()) })
	if len(cut) > 0 {
		go hangUp(cut)
	}
}

// removeSessions removes web sessions and returns the functions that close their WebSockets. The caller holds mu,
// releases it, and then calls them with hangUp.
func (a *access) removeSessions(which func(session) bool) (cut []func()) {
	a.kept.Sessions = slices.DeleteFunc(a.kept.Sessions, func(s session) bool {
		if !which(s) {
			return false
		}
		if l := a.sockets[s.ID]; l != nil {
			cut = slices.AppendSeq(cut, maps.Values(l.open))
			delete(a.sockets, s.ID)
		}
		return true
	})
	return cut
}

// hangUp closes WebSockets with the functions that removeSessions returned.
func hangUp(cut []func()) {
	for _, end := range cut {
		end()
	}
}

// ErrNoDevice says that no paired device has this id.
var ErrNoDevice = errors.New("no such device")

// revokeDevice removes a paired device, or all of them, closes their pages, and returns how many it removed.
func (a *access) revokeDevice(device string) (int, error) {
	a.mu.Lock()
	n := 0
	cut := a.removeSessions(func(s session) bool {
		ends := s.Device != "" && (s.Device == device || device == allDevices)
		if ends {
			n++
		}
		return ends
	})
	a.mu.Unlock()
	hangUp(cut)
	if n == 0 && device != allDevices {
		return 0, ErrNoDevice
	}
	return n, a.saveKept()
}

// allDevices is the id that stands for every device.
const allDevices = "all"

// hangUpAll closes all open pages; their web sessions remain.
func (a *access) hangUpAll() {
	a.mu.Lock()
	var cut []func()
	for _, l := range a.sockets {
		cut = slices.AppendSeq(cut, maps.Values(l.open))
	}
	a.mu.Unlock()
	hangUp(cut)
}
