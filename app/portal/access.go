package portal

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"slices"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/choicetui/choicetui/queue"
)

// How long, and how many.
const (
	linkFor    = time.Minute         // a token that the person was given, and one that pairs a device
	visitFor   = 2 * time.Minute     // to load what exchanges a token
	sessionFor = 12 * time.Hour      // without use
	deviceFor  = 30 * 24 * time.Hour // since it was paired, used or not
	noteUse    = time.Minute         // how exactly the file knows when a web session was used last

	mostTickets  = 1000 // the oldest gives way
	mostSessions = 200  // the one unused longest gives way: first of those of given links, devices last
	mostGiven    = 20   // of them by links that agents were given
	mostVisits   = 100
	mostLive     = 256 // WebSockets at the same time
	mostKnocks   = 300 // requests of strangers at once, and then
	knocksASecond,
	livesASecond = 20, 10
	mostWrong   = 20 // wrong tokens a minute, before they are not even looked at
	pairingEnds = 5  // wrong tokens a minute that close pairing,
	closedFor   = time.Minute
)

// Why a page is not let in.
var (
	errUnknown  = errors.New("not let in")
	errTooOften = errors.New("too many wrong tokens")
)

// ticket is a token that was not used yet. Only its hash is kept.
type ticket struct {
	Sum   string    `json:"sum"`
	Path  string    `json:"path"`
	Only  string    `json:"only,omitempty"`
	Given string    `json:"given,omitempty"` // it is valid for as long as the question waits
	Pairs bool      `json:"pairs,omitempty"`
	Until time.Time `json:"until,omitzero"`
}

// session is a browser that was let in. Cookie and Secret are hashes.
type session struct {
	ID     string    `json:"id"`
	Cookie string    `json:"cookie"`
	Secret string    `json:"secret"`
	Only   string    `json:"only,omitempty"`
	Given  string    `json:"given,omitempty"`
	Device string    `json:"device,omitempty"`
	Name   string    `json:"name,omitempty"` // what the device says it is
	Since  time.Time `json:"since"`
	Used   time.Time `json:"used"`
}

// until returns when a web session ends unless it is used.
func (s session) until() time.Time {
	if s.Device != "" {
		return s.Since.Add(deviceFor)
	}
	return s.Used.Add(sessionFor)
}

// access knows who may in. Any goroutine may use it; no lock is held while a file is written or the queue is read.
type access struct {
	now  func() time.Time
	asks func(ctx context.Context, id string) (queue.Session, error) // the queue's
	file *keptFile

	mu      sync.Mutex
	kept    kept
	visited map[string]time.Time // visits, by the hash of what the cookie holds, and until when
	lines   map[string]*lines    // open WebSockets, by web session
	wrong   []time.Time          // when wrong tokens came, in the last minute
	closed  time.Time            // until when no device is paired
}

// lines are the open WebSockets of one web session.
type lines struct {
	rate *rate.Limiter
	open map[*func()]func()
}

func newAccess(now func() time.Time, asks func(context.Context, string) (queue.Session, error), k kept,
	file *keptFile) *access {
	return &access{now: now, asks: asks, file: file, kept: k, visited: map[string]time.Time{},
		lines: map[string]*lines{}}
}

// mint makes a token and keeps its hash. Where that cannot be written down, the token works until the portal ends.
func (a *access) mint(t ticket) (token string) {
	token = rand.Text()
	t.Sum = sumOf(token)
	a.mu.Lock()
	a.sweep()
	if a.kept.Tickets = append(a.kept.Tickets, t); len(a.kept.Tickets) > mostTickets {
		a.kept.Tickets = slices.Delete(a.kept.Tickets, 0, 1)
	}
	a.mu.Unlock()
	_ = a.save()
	return token
}

// save writes down who is let in; the caller does not hold mu.
func (a *access) save() error {
	return a.file.write(func() kept {
		a.mu.Lock()
		defer a.mu.Unlock()
		return a.kept.copied()
	})
}

// peek reports whether a token would be let in. It stays as it is: previews and agents fetch links.
func (a *access) peek(ctx context.Context, token string, remote bool) bool {
	_, err := a.ticket(ctx, token, remote)
	return err == nil
}

// ticket returns the ticket behind a token.
func (a *access) ticket(ctx context.Context, token string, remote bool) (ticket, error) {
	a.mu.Lock()
	a.sweep()
	t, known := a.find(token)
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
	if s, err := a.asks(ctx, t.Only); err != nil || !s.At(a.now()).Pending() || !givable(s) {
		return ticket{}, errUnknown
	}
	return t, nil
}

// find compares with every ticket, in a time that tells nothing of which it is; the caller holds mu.
func (a *access) find(token string) (found ticket, known bool) {
	sum := []byte(sumOf(token))
	for _, t := range a.kept.Tickets {
		if subtle.ConstantTimeCompare(sum, []byte(t.Sum)) == 1 {
			found, known = t, true
		}
	}
	return found, known
}

// noteWrong counts a wrong token; the caller holds mu. Too many wrong tokens close pairing for a minute; after more of
// them it returns errTooOften. A right token is accepted all the same, so that nobody can lock the person out.
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

// entered holds the page's session and secret in exchange for its token.
type entered struct {
	session
	path, cookie, secret string
}

// enter uses up a token and returns the new session. If several requests bring the same token at once, only one
// succeeds. name is the name that a device gives itself.
func (a *access) enter(ctx context.Context, token, name string, remote bool) (entered, error) {
	t, err := a.ticket(ctx, token, remote)
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
	if left == len(a.kept.Tickets) { // another page was faster
		err = a.noteWrong()
		a.mu.Unlock()
		return entered{}, err
	}
	a.kept.Sessions = append(a.kept.Sessions, in.session)
	cut := a.makeRoom()
	a.mu.Unlock()
	hangUp(cut)
	return in, a.save()
}

// makeRoom ends web sessions where there are too many; the caller holds mu and hangs up what is returned.
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
		cut = append(cut, a.remove(func(s session) bool { return s.ID == first.ID })...)
	}
}

// givesWayFirst orders web sessions: an agent can open as many as it asks questions, and a device was let in on
// purpose.
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

// sumOf returns a secret's hash, as it is kept and compared.
func sumOf(secret string) string {
	sum := sha256.Sum256([]byte("choicetui portal " + secret))
	return hex.EncodeToString(sum[:])
}
