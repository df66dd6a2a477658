package portal

import (
	"context"
	"embed"
	"html/template"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"strings"
	"sync/atomic"
	"time"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/queue/desk"
)

//go:embed assets
var assets embed.FS

// Settings gives the pages the settings file.
type Settings interface {
	Settings() config.Settings
	Err() error
	Update(change func(*config.Settings)) error
}

// PagesOptions say what the pages work on.
type PagesOptions struct {
	Settings Settings // the file; nil: the page shows none
	Home     string   // shown as ~

	// Announce tells the queue that somebody looks at a page, until release is called; nil: it is not told.
	Announce func(context.Context) (release func() error, err error)
	Failed   func(error) // is told why that did not work; nil: nobody

	// Alerts tells a person who uses no page of what is new; nil: nobody is told.
	Alerts desk.Alerts
}

// Pages holds all open pages over one desk. Only the desk's owner touches them, except in the methods that HTTP calls.
type Pages struct {
	d    *desk.Desk
	post func(func()) // has the owner run a function
	o    PagesOptions

	open    []*page
	looking atomic.Int64
	listing atomic.Int64  // of these the ones that see all that waits
	came    chan struct{} // rung when a page comes or goes
	drawing bool          // a draw was asked for and has not come yet
	clock   *time.Timer   // the next second; nil: no page is open
	keys    keys.Map
	known   map[keys.Place][]string // the keys that mean something, by place; found when a place comes up
	queue   *part                   // the queue as it was drawn last; nil: it has changed since
	clocks  map[string]clock        // of all that waits, as of now; nil: they are to be computed
	shell   []byte

	telling *telling

	pingEvery time.Duration // changed in tests
	problems  []string      // what is wrong with the person's own keys
}

// NewPages returns the pages over a desk. post hands a function to the desk's owner and never waits. It is called
// before the desk starts, or by its owner.
func NewPages(d *desk.Desk, post func(func()), o PagesOptions) *Pages {
	p := &Pages{d: d, post: post, o: o, shell: shellOf(assets),
		came: make(chan struct{}, 1), pingEvery: pingEvery}
	p.telling = &telling{all: p, alerts: o.Alerts, began: d.Now()}
	p.followSettings()
	d.Subscribe(p.hear)
	return p
}

// Looking returns the number of connected pages; any goroutine may ask.
func (p *Pages) Looking() int { return int(p.looking.Load()) }

// looks counts a page in or out.
func (p *Pages) looks(g Grant, n int64) {
	p.looking.Add(n)
	if g.MayList() {
		p.listing.Add(n)
	}
	select {
	case p.came <- struct{}{}:
	default:
	}
}

// Attend keeps the queue told whether somebody looks, until ctx ends.
func (p *Pages) Attend(ctx context.Context) {
	if p.o.Announce == nil {
		return
	}
	failed := p.o.Failed
	if failed == nil {
		failed = func(error) {}
	}
	listing := func() int { return int(p.listing.Load()) }
	attendance{announce: p.o.Announce, looking: listing, bell: p.came, failed: failed}.keep(ctx)
}

// Shell gives the page without any question, the same for every path. The door has let the request in.
func (p *Pages) Shell(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(p.shell) // who does not read it has gone
}

// Asset gives a file of the page.
func (p *Pages) Asset(w http.ResponseWriter, r *http.Request) {
	name := path.Base(r.URL.Path)
	file, err := fs.ReadFile(assets, "assets/"+name)
	if err != nil || strings.HasSuffix(name, ".html") {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", mime.TypeByExtension(path.Ext(name)))
	_, _ = w.Write(file)
}

// shellOf returns the empty page.
func shellOf(files fs.FS) []byte {
	var b strings.Builder
	t := template.Must(template.ParseFS(files, "assets/shell.html"))
	if err := t.Execute(&b, labels); err != nil {
		panic(err) // the template is ours
	}
	return []byte(b.String())
}

// hear follows what happens at the desk.
func (p *Pages) hear(e desk.Event) {
	if _, ok := e.(desk.SettingsChanged); ok {
		p.followSettings()
	}
	for _, g := range p.open {
		g.hear(e)
		g.stale = g.stale || g.concerns(e)
	}
	p.queue, p.clocks = nil, nil
	p.telling.lookSoon()
	p.drawSoon()
}

// followSettings binds keys as the settings in force say.
func (p *Pages) followSettings() {
	one := func(s string) int { return len([]rune(s)) }
	p.keys, p.problems = keys.New(p.d.Settings().Keys, one)
	p.known = map[keys.Place][]string{}
}

// keysIn returns the keys that mean something in a place.
func (p *Pages) keysIn(place keys.Place) []string {
	list, found := p.known[place]
	if !found {
		list = keysOf(p.keys, place)
		p.known[place] = list
	}
	return list
}

// drawSoon has all pages drawn once that show something else now, after what the owner is at.
func (p *Pages) drawSoon() {
	if p.drawing || len(p.open) == 0 {
		return
	}
	p.drawing = true
	p.post(p.draw)
}

// draw sends every page what has changed on it.
func (p *Pages) draw() {
	p.drawing = false
	for _, g := range p.open {
		if g.stale {
			g.stale = false
			g.draw()
		}
	}
	p.arm()
}

// join takes a page in.
func (p *Pages) join(g *page) {
	g.sit()
	p.open = append(p.open, g)
	p.drawSoon()
}

// leave lets a page go: its tab was closed, or it did not read any more.
func (p *Pages) leave(g *page) {
	for i, other := range p.open {
		if other == g {
			p.open = append(p.open[:i:i], p.open[i+1:]...)
			g.rise()
			return
		}
	}
}

// arm has the times told on the next whole second of wall time, while a page is open and something waits.
func (p *Pages) arm() {
	if p.clock != nil || len(p.open) == 0 || len(p.d.Waiting()) == 0 && !p.holds() {
		return
	}
	now := p.d.Now()
	left := now.Truncate(time.Second).Add(time.Second).Sub(now)
	p.clock = time.AfterFunc(left, func() { p.post(p.tick) })
}

// holds reports whether an answer of a page is held back: its seconds are shown.
func (p *Pages) holds() bool {
	for _, g := range p.open {
		if g.seat.Undoable() != nil {
			return true
		}
	}
	return false
}

// tick tells every page the time.
func (p *Pages) tick() {
	p.clock, p.clocks = nil, nil
	for _, g := range p.open {
		g.tick()
	}
	p.arm()
}

// beside runs f beside the owner, and then with what it returns on the owner.
func (p *Pages) beside(f func(context.Context) func()) {
	p.d.Beside(func() {
		ctx, cancel := context.WithTimeout(context.Background(), lookWithin)
		defer cancel()
		p.post(f(ctx))
	})
}

// lookWithin limits the time for reading one session.
const lookWithin = 5 * time.Second
