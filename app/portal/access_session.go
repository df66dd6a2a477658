package portal

import (
	"crypto/subtle"
	"errors"
	"maps"
	"slices"
	"time"

	"golang.org/x/time/rate"
)

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
	return Grant{Session: s.ID, Only: s.Only, Given: s.Given, Device: s.Device, used: func() { a.noteUsed(s.ID) }}
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
	all := 0
	for _, l := range a.sockets {
		all += len(l.open)
	}
	l := a.sockets[id]
	if l == nil {
		l = &sockets{rate: rate.NewLimiter(livesASecond, mostLive), open: map[*func()]func(){}}
		a.sockets[id] = l
	}
	if all >= mostLive || !l.rate.AllowN(a.now(), 1) {
		return nil
	}
	key := &hangUp
	l.open[key] = hangUp
	stop := a.sweepOnExpiry(id)
	return func() {
		stop()
		a.mu.Lock()
		defer a.mu.Unlock()
		delete(l.open, key)
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
