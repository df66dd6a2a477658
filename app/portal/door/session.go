package door

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"sync"
	"time"

	"github.com/choicetui/choicetui/config/whole"
	"github.com/choicetui/choicetui/queue"
)

// A web session begins as a link, and continues as the browser that the link let in:
//
//	newLink ─► token ─► enter: by POST, once ─► cookie and secret ─► admit ─► a page ─► until it is ended
//
// Tokens, cookies and secrets have 256 random bits. Only their hashes are kept.

// Lifetimes and limits.
const (
	linkFor    = time.Minute         // a link that was not used; one for a question is valid while that is pending
	sessionFor = 12 * time.Hour      // a web session of this machine, since it was last used
	deviceFor  = 30 * 24 * time.Hour // a paired device, since it was paired
	noteUse    = time.Minute         // a use is saved only if the last one was saved this long ago
	sweepEvery = time.Minute         // how often sessions are ended whose time is up while nobody comes

	mostLinks   = 1000 // links that were not used
	mostOwn     = 150  // browsers of the person on this machine
	mostDevices = 50
	mostGiven   = 20 // browsers with a link that an agent was given
	mostPages   = 256

	mostWrong   = 20 // wrong tokens a minute; more are refused as too many requests
	pairingEnds = 5  // wrong tokens within a minute, after which no device can be paired for closedFor
	closedFor   = time.Minute
)

// Rights say what a web session may do.
type Rights string

// The rights of web sessions.
const (
	RightsAll      Rights = "all"      // the person's own browser on this machine
	RightsDevice   Rights = "device"   // a paired device: it answers and cancels
	RightsQuestion Rights = "question" // a link that an agent was given: it answers or cancels one question
)

// Session is a web session: a link that was not used yet, or a browser that was let in. Link, Cookie and Secret are
// hashes.
type Session struct {
	ID       string    `json:"id"`
	May      Rights    `json:"may"`
	Question string    `json:"question,omitempty"` // the one question of RightsQuestion
	Agent    string    `json:"agent,omitempty"`    // the short name of the agent that was given the link
	Name     string    `json:"name,omitempty"`     // the name of a device, from its User-Agent
	Path     string    `json:"path"`               // the page that the link opens
	Link     string    `json:"link,omitempty"`     // empty: the link was used
	Cookie   string    `json:"cookie,omitempty"`
	Secret   string    `json:"secret,omitempty"`
	Since    time.Time `json:"since"` // when the link was made; once it was used, that time
	Used     time.Time `json:"used"`

	noteUsed func()
}

// MaySettings reports whether the page may change settings, make rules and write to agents: only the person's own
// browser may.
func (s Session) MaySettings() bool { return s.May == RightsAll }

// MayList reports whether the page may show other pending questions and past answers.
func (s Session) MayList() bool { return s.May == RightsAll || s.May == RightsDevice }

// MayOpen reports whether the page may show a question and act on it. A link for one question opens only that, and no
// approval or question with a confirmation: for those the person must open the page themselves.
func (s Session) MayOpen(q queue.Session) bool {
	return s.MayList() || s.May == RightsQuestion && q.ID == s.Question && givable(q)
}

// WasUsed notes that the person did something on the page.
func (s Session) WasUsed() {
	if s.noteUsed != nil {
		s.noteUsed()
	}
}

// givable reports whether the agent that asks a question may be given a link to it.
func givable(s queue.Session) bool {
	return s.Ask.Kind != queue.KindApproval && !s.Ask.Confirm && !s.IsMessage()
}

// until returns when a session ends if it is not used again; the zero time: a link that is valid while its question is
// pending.
func (s Session) until() time.Time {
	switch {
	case s.Link != "" && s.May == RightsQuestion:
		return time.Time{}
	case s.Link != "":
		return s.Since.Add(linkFor)
	case s.May == RightsDevice:
		return s.Since.Add(deviceFor)
	}
	return s.Used.Add(sessionFor)
}

// most returns how many sessions there may be of this one's kind, and whether another session is of that kind too.
func (s Session) most() (n int, alike func(Session) bool) {
	if s.Link != "" {
		return mostLinks, func(other Session) bool { return other.Link != "" }
	}
	limits := map[Rights]int{RightsAll: mostOwn, RightsDevice: mostDevices, RightsQuestion: mostGiven}
	return limits[s.May], func(other Session) bool { return other.Link == "" && other.May == s.May }
}

// Errors of access.enter and access.admit.
var (
	errUnknown  = errors.New("not let in")
	errTooOften = errors.New("too many wrong tokens")
	errTooMany  = errors.New("too many pages are open")
)

// access decides who is let in. Any goroutine may use it. It holds no lock while it writes the file or reads the queue.
type access struct {
	now      func() time.Time
	question func(ctx context.Context, id string) (queue.Session, error) // reads a question of the queue
	path     string                                                      // of the file that has kept

	saving sync.Mutex // held while the file is written, so that an older state never replaces a newer one
	mu     sync.Mutex
	kept   kept
	pages  map[*openPage]bool
	wrong  []time.Time // the times of the wrong tokens in the last minute
	closed time.Time   // until when no device can be paired, because too many wrong tokens came
}

// kept is the state that a portal leaves for the next portal of its queue: the port, so that an open page finds it
// again, and the web sessions.
type kept struct {
	Port     int       `json:"port"`
	Sessions []Session `json:"sessions"`
}

// openPage is an open page of a web session.
type openPage struct {
	session string
	hangUp  func() // ends the page, and does not wait
}

// newAccess returns the access of a portal that starts with the state of the last one.
func newAccess(now func() time.Time, question func(context.Context, string) (queue.Session, error), k kept,
	path string) *access {
	return &access{now: now, question: question, path: path, kept: k, pages: map[*openPage]bool{}}
}

// newSecret returns 256 random bits as text for an address, a cookie or a header.
func newSecret() string {
	b := make([]byte, 32)
	_, _ = rand.Read(b) // it never fails
	return base64.RawURLEncoding.EncodeToString(b)
}

// sumOf returns the hash of a secret, which is kept and compared in its place.
func sumOf(secret string) string {
	sum := sha256.Sum256([]byte("choicetui portal " + secret))
	return hex.EncodeToString(sum[:])
}

// isSecret reports whether a hash is that of a secret, in constant time.
func isSecret(secret, sum string) bool {
	return subtle.ConstantTimeCompare([]byte(sumOf(secret)), []byte(sum)) == 1
}

// newLink begins a web session, and returns the token of its link. If that cannot be saved, the link works until the
// portal ends.
func (a *access) newLink(s Session) (token string) {
	token = newSecret()
	s.ID, s.Link, s.Since = queue.NewID(), sumOf(token), a.now()
	a.mu.Lock()
	a.add(s)
	a.mu.Unlock()
	_ = a.save()
	return token
}

// add adds a session in place of its link, and ends those of its kind that were not used for the longest time while
// there are too many; the caller holds mu.
func (a *access) add(s Session) {
	s.Used = a.now()
	a.kept.Sessions = slices.DeleteFunc(a.kept.Sessions, func(other Session) bool { return other.ID == s.ID })
	a.kept.Sessions = append(a.kept.Sessions, s)
	a.sweep()
	most, alike := s.most()
	list := slices.DeleteFunc(slices.Clone(a.kept.Sessions), func(s Session) bool { return !alike(s) })
	slices.SortStableFunc(list, func(x, y Session) int { return x.Used.Compare(y.Used) })
	for _, first := range list[:max(len(list)-most, 0)] {
		a.end(func(s Session) bool { return s.ID == first.ID })
	}
}

// linkOf returns the session of a link's token, without using it up: previews and agents fetch links too. A wrong token
// is counted. On the entrance for other machines only the links of devices count.
func (a *access) linkOf(ctx context.Context, token string, remote bool) (Session, error) {
	a.mu.Lock()
	a.sweep()
	i := slices.IndexFunc(a.kept.Sessions, func(s Session) bool {
		return s.Link != "" && isSecret(token, s.Link) && (s.May == RightsDevice || !remote)
	})
	if i < 0 {
		defer a.mu.Unlock()
		return Session{}, a.noteWrong()
	}
	s := a.kept.Sessions[i]
	a.mu.Unlock()
	if s.May == RightsQuestion {
		if q, err := a.question(ctx, s.Question); err != nil || !q.At(a.now()).Pending() || !givable(q) {
			return Session{}, errUnknown
		}
	}
	return s, nil
}

// noteWrong counts a wrong token; the caller holds mu. After pairingEnds of them no device can be paired for a minute,
// and after mostWrong the error is errTooOften. A right token is accepted all the same, so that nobody can lock the
// person out.
func (a *access) noteWrong() error {
	now := a.now()
	a.wrong = append(slices.DeleteFunc(a.wrong, func(at time.Time) bool { return now.Sub(at) >= time.Minute }), now)
	if len(a.wrong) >= pairingEnds {
		a.end(func(s Session) bool { return s.Link != "" && s.May == RightsDevice })
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

// enter lets a browser in by the token of a link, which is used up: of several requests that bring the same token at
// once, one succeeds. name is the name that a device gives itself. cookie and secret are those of the browser.
func (a *access) enter(ctx context.Context, token, name string, remote bool) (s Session, cookie, secret string,
	err error) {
	if s, err = a.linkOf(ctx, token, remote); err != nil {
		return s, "", "", err
	}
	cookie, secret = newSecret(), newSecret()
	a.mu.Lock()
	if !slices.ContainsFunc(a.kept.Sessions, func(other Session) bool { return other.Link == s.Link }) {
		defer a.mu.Unlock()
		return Session{}, "", "", a.noteWrong()
	}
	s.Link, s.Cookie, s.Secret, s.Since = "", sumOf(cookie), sumOf(secret), a.now()
	if s.May == RightsDevice {
		s.Name = name
	}
	a.add(s)
	a.mu.Unlock()
	return s, cookie, secret, a.save()
}

// knowsCookie reports whether one of these cookies belongs to a web session. That is enough to get the empty page.
func (a *access) knowsCookie(values []string, remote bool) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.sweep()
	return slices.ContainsFunc(a.kept.Sessions, func(s Session) bool { return s.hasCookie(values, remote) })
}

// hasCookie reports whether one of these cookies is that of the session. On the entrance for other machines only those
// of devices count.
func (s Session) hasCookie(values []string, remote bool) bool {
	fits := func(value string) bool { return isSecret(value, s.Cookie) }
	return s.Link == "" && (!remote || s.May == RightsDevice) && slices.ContainsFunc(values, fits)
}

// admit lets a page in that has the cookie and the secret of one web session. hangUp is called if the session ends
// before leave is called.
func (a *access) admit(cookies []string, secret string, remote bool, hangUp func()) (s Session, leave func(),
	err error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.sweep()
	i := slices.IndexFunc(a.kept.Sessions, func(s Session) bool {
		return s.hasCookie(cookies, remote) && isSecret(secret, s.Secret)
	})
	switch {
	case i < 0:
		return s, nil, errUnknown
	case len(a.pages) >= mostPages:
		return s, nil, errTooMany
	}
	a.kept.Sessions[i].Used = a.now()
	s = a.kept.Sessions[i]
	s.noteUsed = func() { a.noteUsed(s.ID) }
	page := &openPage{s.ID, hangUp}
	a.pages[page] = true
	return s, func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		delete(a.pages, page)
	}, nil
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
		go func() { _ = a.save() }() // after an error the next use tries again
	}
}

// end ends sessions and closes their pages, and returns how many it ended; the caller holds mu.
func (a *access) end(which func(Session) bool) int {
	before := len(a.kept.Sessions)
	a.kept.Sessions = slices.DeleteFunc(a.kept.Sessions, func(s Session) bool {
		if !which(s) {
			return false
		}
		for page := range a.pages {
			if page.session == s.ID {
				page.hangUp()
			}
		}
		return true
	})
	return before - len(a.kept.Sessions)
}

// sweep ends the sessions whose time is up; the caller holds mu.
func (a *access) sweep() {
	now := a.now()
	a.end(func(s Session) bool { return !s.until().IsZero() && !now.Before(s.until()) })
}

// keepSwept ends the sessions whose time is up while nobody comes, until ctx ends: a page may be open.
func (a *access) keepSwept(ctx context.Context) {
	again := time.NewTicker(sweepEvery)
	defer again.Stop()
	for {
		select {
		case <-again.C:
		case <-ctx.Done():
			return
		}
		a.mu.Lock()
		a.sweep()
		a.mu.Unlock()
	}
}

// save writes the state to the file, completely or not at all; the caller does not hold mu.
func (a *access) save() error {
	a.saving.Lock()
	defer a.saving.Unlock()
	a.mu.Lock()
	raw, err := json.Marshal(a.kept)
	a.mu.Unlock()
	if err == nil {
		err = whole.Write(a.path, ".portal-*", append(raw, '\n'))
	}
	if err != nil {
		return fmt.Errorf("failed to write the list of devices: %w", err)
	}
	return nil
}

// readKept reads the state of the last portal. It rejects a file that other users can read or change, and drops
// sessions with other rights than ours, so that nobody is let in by them.
func readKept(path string) (k kept, err error) {
	raw, err := whole.ReadPrivate(path, 1<<20)
	if errors.Is(err, fs.ErrNotExist) {
		return k, nil
	}
	if err == nil {
		err = json.Unmarshal(raw, &k)
	}
	if err != nil {
		return kept{}, fmt.Errorf("failed to read the list of devices %s: %w", path, err)
	}
	k.Sessions = slices.DeleteFunc(k.Sessions, func(s Session) bool {
		return !slices.Contains([]Rights{RightsAll, RightsDevice, RightsQuestion}, s.May)
	})
	return k, nil
}
