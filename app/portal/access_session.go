package portal

import (
	"crypto/subtle"
	"errors"
	"maps"
	"slices"
	"time"

	"golang.org/x/time/rate"
)

// visitor returns the cookie for somebody who opened a link: it allows loading the files that exchange the token, and
// nothing else.
func (a *access) visitor(token string) string {
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

// visits reports whether a visit's cookie is one.
func (a *access) visits(value string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.now().Before(a.visited[sumOf(value)])
}

// knowsCookie reports whether one of these cookies is of a web session. That alone gets the empty page.
func (a *access) knowsCookie(values []string, remote bool) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.sweep()
	return len(a.holders(values, remote)) > 0
}

// holders returns the web sessions of these cookies; the caller holds mu.
func (a *access) holders(values []string, remote bool) (found []*session) {
	for i := range a.kept.Sessions {
		s := &a.kept.Sessions[i]
		fits := func(cookie string) bool { return same(cookie, s.Cookie) }
		if (!remote || s.Device != "") && slices.ContainsFunc(values, fits) {
			found = append(found, s)
		}
	}
	return found
}

// same compares a secret with a hash in constant time.
func same(secret, sum string) bool {
	return subtle.ConstantTimeCompare([]byte(sumOf(secret)), []byte(sum)) == 1
}

// admit lets a page in that has the cookie and the secret of one web session. hangUp is called when that ends, until
// leave is called; leave is nil where too many pages are open.
func (a *access) admit(cookies []string, secret string, remote bool, hangUp func()) (Grant, func(), error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.sweep()
	for _, s := range a.holders(cookies, remote) {
		if same(secret, s.Secret) {
			s.Used = a.now()
			return a.grant(*s), a.follow(s.ID, hangUp), nil
		}
	}
	return Grant{}, nil, errUnknown
}

func (a *access) grant(s session) Grant {
	return Grant{Session: s.ID, Only: s.Only, Given: s.Given, Device: s.Device, used: func() { a.use(s.ID) }}
}

// use notes that the person of a web session did something.
func (a *access) use(id string) {
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
		go func() { _ = a.save() }() // the next use tries again
	}
}

// follow adds an open WebSocket to a web session, and ends it when that has lasted for as long as it may. The caller
// holds mu.
func (a *access) follow(id string, hangUp func()) (leave func()) {
	all := 0
	for _, l := range a.lines {
		all += len(l.open)
	}
	l := a.lines[id]
	if l == nil {
		l = &lines{rate: rate.NewLimiter(livesASecond, mostLive), open: map[*func()]func(){}}
		a.lines[id] = l
	}
	if all >= mostLive || !l.rate.AllowN(a.now(), 1) {
		return nil
	}
	key := &hangUp
	l.open[key] = hangUp
	stop := a.endInTime(id)
	return func() {
		stop()
		a.mu.Lock()
		defer a.mu.Unlock()
		delete(l.open, key)
	}
}

// endInTime looks again whenever a web session may have ended; sweeping it hangs up. The caller holds mu.
func (a *access) endInTime(id string) (stop func()) {
	done := make(chan struct{})
	left := a.left(id)
	go func() {
		for left > 0 {
			select {
			case <-done:
				return
			case <-time.After(min(left, lookAgain)):
			}
			a.mu.Lock()
			a.sweep()
			left = a.left(id)
			a.mu.Unlock()
		}
	}()
	return func() { close(done) }
}

// lookAgain is the interval at which an open page's web session is compared with the clock, which may have been
// corrected.
const lookAgain = 10 * time.Minute

// left returns how much longer a web session lasts unless it is used; the caller holds mu.
func (a *access) left(id string) time.Duration {
	for _, s := range a.kept.Sessions {
		if s.ID == id {
			return s.until().Sub(a.now()) + time.Millisecond
		}
	}
	return 0
}

// sweep ends what has lasted for as long as it may; the caller holds mu.
func (a *access) sweep() {
	now := a.now()
	a.kept.Tickets = slices.DeleteFunc(a.kept.Tickets, func(t ticket) bool {
		return !t.Until.IsZero() && !now.Before(t.Until)
	})
	cut := a.remove(func(s session) bool { return !now.Before(s.until()) })
	if len(cut) > 0 {
		go hangUp(cut)
	}
}

// remove ends web sessions; the caller holds mu, and hangs up what is returned without it.
func (a *access) remove(which func(session) bool) (cut []func()) {
	a.kept.Sessions = slices.DeleteFunc(a.kept.Sessions, func(s session) bool {
		if !which(s) {
			return false
		}
		if l := a.lines[s.ID]; l != nil {
			cut = slices.AppendSeq(cut, maps.Values(l.open))
			delete(a.lines, s.ID)
		}
		return true
	})
	return cut
}

func hangUp(cut []func()) {
	for _, end := range cut {
		end()
	}
}

// ErrNoDevice says that no device is called so.
var ErrNoDevice = errors.New("no such device")

// revoke ends a paired device, or all of them, open pages included, and says how many.
func (a *access) revoke(device string) (int, error) {
	a.mu.Lock()
	n := 0
	cut := a.remove(func(s session) bool {
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
	return n, a.save()
}

// allDevices is the id that means every device.
const allDevices = "all"

// hangUpAll ends all open pages; their web sessions stay.
func (a *access) hangUpAll() {
	a.mu.Lock()
	var cut []func()
	for _, l := range a.lines {
		cut = slices.AppendSeq(cut, maps.Values(l.open))
	}
	a.mu.Unlock()
	hangUp(cut)
}
