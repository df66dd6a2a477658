package app

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/choicetui/choicetui/app/desk"
	"github.com/choicetui/choicetui/app/term"
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/editor"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/queue"
)

// Settings is what the dashboard needs of the settings file.
type Settings interface {
	Settings() config.Settings
	Err() error
	Path() string
	Effective() []config.Value // every setting with where it comes from
	Update(func(*config.Settings)) error
	Unset(key string) error // back to the default
	Watch(ctx context.Context, changed func()) error
}

// Options say what a dashboard runs on.
type Options struct {
	Queue    *queue.Queue
	Settings Settings
	Instance string // this process's Presence
	Attach   string // the one session of a hand-off form; empty: the whole queue
	Pane     string // this process's tmux pane
	Hint     string // stands in the Enter line while nothing waits
	Home     string // shown as ~
	Connect  []panes.ConnectLine
	Demo     func(context.Context) // plays the demo in the terminal; nil: not offered
	Edit     func(ctx context.Context, text string) (string, error)
	EditFile func(ctx context.Context, path string) error // in the person's editor; nil: none
	NoColor  bool                                         // NO_COLOR: the theme is mono
	GoToPane func(ctx context.Context, o queue.Origin) error
	Locate   func(ctx context.Context, pane string) string // where a tmux pane is, such as 2:1
	Chat     ChatWays                                      // how a line is typed into an agent's terminal; nil: it is not
	Count    Counter                                       // shows outside how many wait; nil: nobody does
	Alerts   func(desk.AlertWays) desk.Alerts              // tells a person who looks elsewhere; nil: nobody does

	// Copy copies inside tmux; asked: the terminal around it was asked too. nil: the terminal is asked by ourselves.
	Copy func(ctx context.Context, text string) (asked bool, err error)
}

// area is what has the focus.
type area int

const (
	areaQuestion area = iota
	areaQueue
	areaSettings
)

// Dashboard is the state of one running dashboard. Only the event loop touches it, apart from the parts that say
// otherwise.
type Dashboard struct {
	o        Options
	glyphs   ink.Glyphs
	theme    ink.Theme
	now      func() time.Time
	settings config.Settings
	size     struct{ w, h int }
	fuse     int // cells of the fuse on screen, as drawn last; 0: there is none

	tidied     time.Time // when memory was last given back
	processors int       // how many the program may use; 0 where it is not the only one in its process

	live     map[string]queue.Session
	present  map[string]string // instance → role
	drafts   map[string]queue.Draft
	places   map[string]string // tmux pane → where it is
	waiting  []queue.Waiting   // in queue order, as of the last change
	stale    bool              // waiting must be computed anew
	nextEnd  time.Time         // the soonest deadline of all that wait
	names    queue.Names
	seen     map[string]bool
	forms    map[string]*panes.Form
	form     *panes.Form // on screen; nil: nothing waits
	focus    area
	loaded   bool // the first batch of the queue has come
	problem  string
	degraded bool
	troubles troubles

	keys    keys.Map
	sign    string // the sign for Enter, where it is not rebound
	set     settingsPane
	history *historyPage  // while it is open, on screen or under the help; nil: it is not
	page    page          // takes the place of question and queue; nil: none
	finding *editor.Field // narrows the queue
	find    string

	findFrom string   // on screen when narrowing began
	aside    ink.Tail // said behind the Enter line until the next key

	guard   guard
	message string    // stands in the Enter line until the next key, which is what caused it
	said    time.Time // until when what was just sent stands there, where the rule has no room
	lastKey time.Time
	over    time.Time   // since when the question on screen is seen to be over; zero: it is not
	leaving string      // which second key leaves: "q"
	ousted  string      // the question whose confirmation a draft from elsewhere ended, until the next key there
	outbox  desk.Outbox // answers and cancels until they are stored
	holding bool        // a hold of the clock is under way
	held    map[string]bool
	last    lastEvent
	missed  []queue.Session // ended without the person, newest first
	alerts  alerts
	chat    chat
	counted int // what Count was told last
	day     day

	work     *desk.Work
	idle     chan struct{} // closed when the worker has ended
	posts    posts
	alarm    alarm // the next change of a shown time
	drafting *time.Timer
	term     *term.Terminal
	stop     func()
}

// NewDashboard is a dashboard that has seen nothing of the queue yet.
func NewDashboard(o Options, glyphs ink.Glyphs) *Dashboard {
	d := &Dashboard{
		o: o, glyphs: glyphs, sign: glyphs.Enter, now: o.Queue.Now, settings: o.Settings.Settings(),
		live: map[string]queue.Session{}, present: map[string]string{}, drafts: map[string]queue.Draft{},
		places: map[string]string{}, seen: map[string]bool{}, forms: map[string]*panes.Form{},
		outbox: desk.NewOutbox(), held: map[string]bool{},
		work: desk.NewWork(), idle: make(chan struct{}), stop: func() {}, chat: newChat(), counted: -1,
	}
	d.newSettings()
	d.posts.bell = make(chan struct{}, 1)
	d.lastKey = d.now()
	return d
}

// posts is the doorbell between goroutines and the event loop.
type posts struct {
	mu   sync.Mutex
	list []func()
	bell chan struct{}
}

// post has f run on the event loop, soon; from any goroutine, never waiting.
func (d *Dashboard) post(f func()) {
	d.posts.mu.Lock()
	d.posts.list = append(d.posts.list, f)
	d.posts.mu.Unlock()
	select {
	case d.posts.bell <- struct{}{}:
	default:
	}
}

// drain runs what was posted; on the event loop.
func (d *Dashboard) drain() {
	d.posts.mu.Lock()
	list := d.posts.list
	d.posts.list = nil
	d.posts.mu.Unlock()
	for _, f := range list {
		f()
	}
}

// alive says whether an instance's process runs.
func (d *Dashboard) alive(instance string) bool {
	_, ok := d.present[instance]
	return ok
}

// shown is the id on screen, empty for none.
func (d *Dashboard) shown() string {
	if d.form == nil {
		return ""
	}
	return d.form.Session.ID
}

// pending is the session on screen as the clock left it, if it still waits.
func (d *Dashboard) pending() (queue.Session, bool) {
	if d.form == nil {
		return queue.Session{}, false
	}
	s := d.form.Session.At(d.now())
	return s, s.Pending()
}

// do runs a command on the worker and posts its result. The worker comes to it before anything that was not sent.
func (d *Dashboard) do(id string, c queue.Command, then func(queue.Session, error)) {
	c.By = queue.ByHuman
	c.Surface = queue.SurfaceDashboard
	if d.o.Attach != "" {
		c.Surface = queue.SurfaceAttach
	}
	if c.ID == "" {
		c.ID = queue.NewToken()
	}
	d.work.Send(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		s, err := d.o.Queue.Do(ctx, id, c)
		d.post(func() {
			if !errors.Is(err, queue.ErrInDoubt) {
				d.result(s)
			}
			if then != nil {
				then(s, err)
			}
		})
	})
	d.noteStuck()
}

// later has f run on the worker, in order.
func (d *Dashboard) later(f func()) {
	d.work.Look(f)
	d.noteStuck()
}

// keepDraft has f, which writes or drops the draft of a session, run on the worker, unless newer words come first.
func (d *Dashboard) keepDraft(session string, f func()) {
	d.work.Draft(session, f)
	d.noteStuck()
}

// noteStuck has the rule say that the disk hangs.
func (d *Dashboard) noteStuck() {
	if d.troubles.disk = ""; d.work.Stuck() {
		d.troubles.disk = "the disk does not answer: what you send waits"
	}
}
