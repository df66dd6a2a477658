// Package portal serves the dashboard as pages in a browser. The desk (queue/desk) holds the pending questions and
// stores the answers. Each open page has a view there, as a full screen has one: the view holds the form of the
// question that the page shows.
//
//	browser ─► door: who is it, and what may it do? ─► Pages.Live ─► page ─► the view's form, the desk
//	   ▲                                                              │
//	   └──── parts of the page as HTML, texts, times, keys ◄── view ──┘
//
// The page sends the person's input: a key, a click or a text. The form of queue/form turns it into a new state, from
// which the page is drawn here in the words of panes/say. The page's JavaScript does not decide what a valid answer is.
//
//	who is let in        door: links, web sessions and what each may do
//	what a page does     page*.go: one page; pages.go: all pages of a desk; browser.go: the browser at the other end
//	what it looks like   view*.go: from a value of what is shown to HTML; shell.go, assets
package portal

import (
	"context"
	"encoding/json"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"github.com/choicetui/choicetui/app/portal/door"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// PagesOptions configure the pages, beside the services of their desk.
type PagesOptions struct {
	// Before returns what an agent was doing when it asked; nil: the pages do not show it.
	Before func(context.Context, queue.Session) (say.Before, error)

	// Announce announces a dashboard to the queue while somebody has a page open, until release is called; nil: it is
	// not announced.
	Announce func(context.Context) (release func() error, err error)
	Failed   func(error) // receives an error of Announce; nil: it is dropped

	// Alerts notifies a person who uses no page; nil: the person is not notified.
	Alerts desk.Alerts
}

// Pages holds all open pages of one desk. Only the desk's owner may use it, except the methods that HTTP calls.
type Pages struct {
	desk     *desk.Desk
	services desk.Services // those of the desk
	post     func(func())  // makes the owner run a function
	o        PagesOptions

	open    []*page
	looking atomic.Int64
	listing atomic.Int64  // the number of connected pages that may list all questions
	came    chan struct{} // receives a value when a page comes or goes
	drawing bool          // a call of draw was given to the owner, and has not run yet
	clock   *time.Timer   // calls tick on the next second; nil: no page is open
	keys    action.Map
	// withTeam reports whether the keys that ask a team are bound.
	withTeam bool
	known    map[action.Place][]string // a cache of keysOf, by place
	queue    *part                     // the list as drawn last; nil: it has changed since
	clocks   map[string]clock          // the remaining times of all questions in this second; nil: not computed

	telling *telling // notifies a person who uses no page

	pingEvery time.Duration // the constant of that name, except in tests
	problems  []string      // the errors in the person's key settings
}

// NewPages returns the pages of a desk. post passes a function to the desk's owner and never waits. Call NewPages
// before the desk starts, or as its owner.
func NewPages(d *desk.Desk, post func(func()), o PagesOptions) *Pages {
	p := &Pages{desk: d, services: d.Services(), post: post, o: o,
		came: make(chan struct{}, 1), pingEvery: pingEvery}
	p.telling = &telling{desk: d, post: post, lastKey: p.lastKey, alerts: o.Alerts, began: d.Now()}
	p.followSettings()
	d.Subscribe(p.hear)
	return p
}

// Shell returns the page without any question. Any goroutine may call it.
func (p *Pages) Shell() door.Shell { return shell() }

// Looking returns the number of connected pages. Any goroutine may call it.
func (p *Pages) Looking() int { return int(p.looking.Load()) }

// countPage changes the number of connected pages by n.
func (p *Pages) countPage(s door.Session, n int64) {
	p.looking.Add(n)
	if s.MayList() {
		p.listing.Add(n)
	}
	select {
	case p.came <- struct{}{}:
	default:
	}
}

// Attend announces the pages to the queue as a dashboard while somebody has one open, until ctx ends.
func (p *Pages) Attend(ctx context.Context) {
	if p.o.Announce == nil {
		return
	}
	failed := p.o.Failed
	if failed == nil {
		failed = func(error) {}
	}
	listing := func() int { return int(p.listing.Load()) }
	attendance{announce: p.o.Announce, looking: listing, bell: p.came, failed: failed}.keepAnnounced(ctx)
}

// hear handles an event of the desk.
func (p *Pages) hear(e desk.Event) {
	switch e.(type) {
	case desk.SettingsChanged:
		p.followSettings()
	case desk.Ordered:
		if p.withTeam != p.desk.HasTeam() {
			p.followSettings()
		}
	}
	for _, on := range p.open {
		on.hear(e)
	}
	p.queue, p.clocks = nil, nil
	p.telling.lookSoon()
	p.drawSoon()
}

// followSettings applies the key bindings of the settings.
func (p *Pages) followSettings() {
	one := func(s string) int { return len([]rune(s)) }
	p.keys, p.problems = action.New(p.desk.Settings().Keys, one)
	if p.withTeam = p.desk.HasTeam(); !p.withTeam {
		p.keys = p.keys.WithoutTeam()
	}
	p.known = map[action.Place][]string{}
}

// keysIn returns keysOf a place, computed once for each set of key bindings.
func (p *Pages) keysIn(place action.Place) []string {
	list, found := p.known[place]
	if !found {
		list = keysOf(p.keys, place)
		p.known[place] = list
	}
	return list
}

// drawSoon makes the owner draw all pages once, after its current work. A browser is sent what has changed for it.
func (p *Pages) drawSoon() {
	if p.drawing || len(p.open) == 0 {
		return
	}
	p.drawing = true
	p.post(p.draw)
}

// draw sends every page its changes.
func (p *Pages) draw() {
	p.drawing = false
	for _, on := range p.open {
		on.draw()
	}
	p.armClock()
}

// addPage adds a page.
func (p *Pages) addPage(on *page) {
	on.takeView()
	p.open = append(p.open, on)
	p.drawSoon()
}

// removePage removes a page that was closed or disconnected.
func (p *Pages) removePage(on *page) {
	for i, other := range p.open {
		if other == on {
			p.open = append(p.open[:i:i], p.open[i+1:]...)
			on.leaveView()
			return
		}
	}
}

// armClock starts the timer for the next whole second, if a page is open and shows a time.
func (p *Pages) armClock() {
	if p.clock != nil || len(p.open) == 0 || len(p.desk.Waiting()) == 0 && !p.holdsAnswer() {
		return
	}
	now := p.desk.Now()
	left := now.Truncate(time.Second).Add(time.Second).Sub(now)
	p.clock = time.AfterFunc(left, func() { p.post(p.tick) })
}

// holdsAnswer reports whether an answer of any page is held back, so that its seconds are shown.
func (p *Pages) holdsAnswer() bool {
	for _, on := range p.open {
		if on.view.Undoable() != nil {
			return true
		}
	}
	return false
}

// tick sends every page the time.
func (p *Pages) tick() {
	p.clock, p.clocks = nil, nil
	for _, on := range p.open {
		on.tick()
	}
	p.armClock()
}

// runBeside runs f on a goroutine; the owner then runs the function that f returns.
func (p *Pages) runBeside(f func(context.Context) func()) {
	p.desk.Beside(func() {
		ctx, cancel := context.WithTimeout(context.Background(), lookWithin)
		defer cancel()
		p.post(f(ctx))
	})
}

// lookWithin limits the time for reading one session.
const lookWithin = 5 * time.Second

// Live upgrades the request to the WebSocket of one page, which is one view. It returns when the page is closed or the
// request's context ends. The door has checked the request and found the web session.
func (p *Pages) Live(w http.ResponseWriter, r *http.Request, s door.Session) {
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: []string{subprotocol}})
	if err != nil {
		return // Accept has answered
	}
	defer conn.CloseNow()
	conn.SetReadLimit(mostRead)
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	p.countPage(s, 1)
	defer p.countPage(s, -1)
	on := newPage(p, s)
	p.post(func() { p.addPage(on) })
	defer p.post(func() { p.removePage(on) })
	go func() {
		defer cancel()
		writeMessages(ctx, conn, on.browser)
	}()
	go func() {
		defer cancel()
		p.pingPage(ctx, conn)
	}()
	p.readEvents(ctx, conn, on)
	_ = conn.Close(websocket.StatusGoingAway, "") // an error means that it is closed already
}

// readEvents passes the page's events to the owner of the desk one after the other, so a page that sends faster than
// the owner works has to wait.
func (p *Pages) readEvents(ctx context.Context, conn *websocket.Conn, on *page) {
	for {
		_, raw, err := conn.Read(ctx)
		if err != nil {
			return
		}
		var event pageEvent
		if json.Unmarshal(raw, &event) != nil {
			continue // our page never sends this
		}
		done := make(chan struct{})
		p.post(func() {
			defer close(done)
			if ctx.Err() == nil { // else the web session has ended
				on.takeEvent(event)
			}
		})
		select {
		case <-done:
		case <-ctx.Done():
			return
		}
	}
}

// pingPage checks regularly that the page is still connected, because an open page counts as a dashboard. It returns
// when the page does not answer.
func (p *Pages) pingPage(ctx context.Context, conn *websocket.Conn) {
	again := time.NewTicker(p.pingEvery)
	defer again.Stop()
	for {
		select {
		case <-again.C:
		case <-ctx.Done():
			return
		}
		within, cancel := context.WithTimeout(ctx, p.pingEvery)
		err := conn.Ping(within)
		cancel()
		if err != nil {
			return
		}
	}
}

// lastKey returns when the person last acted on any page.
func (p *Pages) lastKey() (last time.Time) {
	for _, on := range p.open {
		if at := on.view.LastKey(); at.After(last) {
			last = at
		}
	}
	return last
}
