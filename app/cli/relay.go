package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os/signal"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/app/tmux"
	"github.com/choicetui/choicetui/panes/peek"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/relay"
	"github.com/choicetui/choicetui/queue/rules"
)

// The relay runs on a host whose questions are answered in a dashboard elsewhere. It runs a desk, the part of a
// dashboard below its screen: it applies the person's permission rules and settles what has expired in the queue, as a
// dashboard on the host does, and agents are told that a dashboard is open.
//
//	stdin ─► relay.Serve ─► Queue.Do, Store            commands, the history, drafts
//	              │ ├─────► services                   rules, lines of the chat, what an agent was doing
//	stdout ◄──────┘ └◄───── deskWatch ◄─ desk events   what a dashboard here would show
//
// The dashboard names an agent to a service by its origin: host, directory, process. The service looks that up among
// the agents that the desk knows, and works with what the desk knows. So no path and no process id that came over the
// link is ever used.

// Names of the relay's services.
const (
	serviceRule  = "rule"  // makes a permission rule that covers a session's request
	serviceReach = "reach" // finds out how a line that the person writes in the chat would get to an agent
	serviceLine  = "line"  // delivers such a line to an agent
	serviceLook  = "look"  // shows what an agent was doing
)

func relayCommand(sh *shell) *cobra.Command {
	return &cobra.Command{
		Use:    "relay",
		Short:  "Internal: shows this host's questions in a dashboard elsewhere",
		Hidden: true,
		Long: `relay is started by a dashboard on another machine (see choicetui remote). It
speaks with that dashboard over its standard input and output, and ends when
the connection does.`,
		Args: nothingElse,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT)
			defer stop()
			return runRelay(ctx, sh)
		},
	}
}

// joinWithin limits how long a dashboard that connects waits for the first reading of the queue.
const joinWithin = 10 * time.Second

// runRelay serves one dashboard elsewhere until the connection ends.
func runRelay(ctx context.Context, sh *shell) error {
	q, err := sh.openQueue()
	if err != nil {
		return err
	}
	tmux.UseDefaultServer()
	r := &relayHost{sh: sh, queue: q}
	defer r.leave()
	return relay.Serve(ctx, sh.in, sh.out, relay.Host{Queue: q, Program: thisBuild().Version, Join: r.join,
		Services: map[string]relay.Service{serviceRule: r.addRule, serviceReach: r.reach, serviceLine: r.line,
			serviceLook: r.look}})
}

// relayHost is one run of the relay.
type relayHost struct {
	sh    *shell
	queue *queue.Queue

	mu    sync.Mutex
	desk  *desk.Desk // nil before a dashboard has joined
	chat  *desk.Chat
	ended chan struct{} // closed when the desk has left the queue
	stop  context.CancelFunc
}

var (
	errNotJoined = errors.New("the dashboard has not said hello")
	errNotRead   = errors.New("its queue cannot be read")
)

// join starts the desk that works for a dashboard elsewhere, and returns a watcher of what that desk shows. instance
// identifies the dashboard's process, role says whether it counts as a dashboard on this host.
func (r *relayHost) join(ctx context.Context, instance, role string) (queue.Watcher, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.desk != nil {
		return nil, errors.New("the dashboard has joined already")
	}
	ctx, stop := context.WithCancel(ctx)
	d := desk.New(desk.Options{Services: desk.Services{Queue: r.queue, Settings: r.sh.settings(), Instance: instance,
		Rules: deskRules(), Chat: agentWays{r.queue}}})
	w := newDeskWatch(d)
	r.chat = desk.NewChat(d.View(desk.ViewOptions{}))
	if _, err := d.Open(ctx, role); err != nil {
		stop()
		return nil, err
	}
	if d.TakeFirst(ctx, joinWithin); !d.Loaded() {
		stop()
		d.Leave()
		return nil, cmp.Or(d.Trouble().Queue, errNotRead)
	}
	d.Start(ctx)
	d.Later(func() { d.Do(w.begin) }) // after the rules for all that is pending have been looked up
	go d.Upkeep(ctx, func() {})
	watchingAgents(ctx, r.sh) // until ctx ends
	r.desk, r.stop, r.ended = d, stop, make(chan struct{})
	go func() {
		defer close(r.ended)
		d.Run(ctx)
		d.Close()
	}()
	return w, nil
}

// leave ends the desk, which leaves the queue.
func (r *relayHost) leave() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.desk != nil {
		r.stop()
		<-r.ended
	}
}

// joined returns the desk and its chat once a dashboard has joined.
func (r *relayHost) joined() (*desk.Desk, *desk.Chat, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.desk == nil {
		return nil, nil, errNotJoined
	}
	return r.desk, r.chat, nil
}

// addRule adds a permission rule that allows requests like a session's from now on. with contains the session's id.
func (r *relayHost) addRule(ctx context.Context, with json.RawMessage) (any, error) {
	var id string
	if err := json.Unmarshal(with, &id); err != nil {
		return nil, err
	}
	s, err := r.queue.Store.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	if err := rules.May(s); err != nil {
		return nil, err
	}
	book, err := ruleBook()
	if err != nil {
		return nil, err
	}
	dir, err := book.Real(s.Ask.Approval.Dir)
	if err != nil {
		return nil, err
	}
	rule, err := rules.New(s, dir, r.queue.Now())
	if err != nil {
		return nil, err
	}
	return nil, book.Add(rule)
}

// remoteReach is a desk.Reached as it is sent.
type remoteReach struct {
	Alive bool   `json:"alive"`
	Where string `json:"where,omitempty"`
	Ready bool   `json:"ready"`
	Why   string `json:"why,omitempty"` // why no line can be given to the agent
}

// reach finds out how a line would get to the agent whose origin is in with, and returns a remoteReach.
func (r *relayHost) reach(ctx context.Context, with json.RawMessage) (any, error) {
	_, chat, err := r.joined()
	var to queue.Origin
	if err == nil {
		err = json.Unmarshal(with, &to)
	}
	if err != nil {
		return nil, err
	}
	at, err := chat.ReachFor(ctx, to)
	remote := remoteReach{Alive: at.Alive, Where: at.Where, Ready: err == nil}
	if err != nil {
		remote.Why = err.Error()
	}
	return remote, nil
}

// remoteLine is a line to an agent of this host, as a dashboard on another host sends it.
type remoteLine struct {
	To   queue.Origin `json:"to"`
	Text string       `json:"text"`
}

// line delivers the remoteLine in with, and returns the message as stored.
func (r *relayHost) line(ctx context.Context, with json.RawMessage) (any, error) {
	_, chat, err := r.joined()
	var l remoteLine
	if err == nil {
		err = json.Unmarshal(with, &l)
	}
	if err != nil {
		return nil, err
	}
	s, err := chat.DeliverFor(ctx, l.To, l.Text)
	return s, err
}

// remoteLook asks what an agent was doing. Pane and Mark are from the peek.Shot that the dashboard has already: where
// it was taken, and which state it shows.
type remoteLook struct {
	Of   queue.Origin `json:"of"`
	Pane string       `json:"pane,omitempty"`
	Mark string       `json:"mark,omitempty"`
	// Sought is the state of the transcripts in which the turn was not found yet, as a shot had it.
	Sought string `json:"sought,omitempty"`
}

// remoteShot answers remoteLook. Same: the dashboard's shot still holds, so none is sent.
type remoteShot struct {
	Same bool      `json:"same,omitempty"`
	Shot peek.Shot `json:"shot,omitzero"`
}

// mostLook limits the characters of a shot's text, both where it is sent and where it arrives.
const mostLook = 512 << 10

// look answers the remoteLook in with by a remoteShot.
func (r *relayHost) look(ctx context.Context, with json.RawMessage) (any, error) {
	d, _, err := r.joined()
	var l remoteLook
	if err == nil {
		err = json.Unmarshal(with, &l)
	}
	if err != nil {
		return nil, err
	}
	if !r.sh.settings().Settings().Peek {
		return nil, errors.New("it is switched off on that host")
	}
	of, err := pendingSession(ctx, d, l.Of)
	if err != nil {
		return nil, err
	}
	last := peek.Shot{Mark: l.Mark, Sought: l.Sought}
	if tmux.IsPane(l.Pane) {
		last.Pane = l.Pane
	}
	shot, err := beforeReader{r.sh.settings().Settings}.lookBefore(agentWays{r.queue}.peek)(ctx, of, last)
	if err != nil && !shot.Awaits {
		return nil, err
	}
	if shot.Mark == l.Mark && l.Mark != "" {
		return remoteShot{Same: true}, nil
	}
	return remoteShot{Shot: boundedShot(shot)}, nil
}

// boundedShot returns a shot with at most mostLook characters, without the first lines if there are more.
func boundedShot(shot peek.Shot) peek.Shot {
	shot.Text = queue.Shorten(shot.Text, mostLook, "…")
	left := mostLook
	for i := len(shot.Lines) - 1; i >= 0; i-- {
		if left -= len(shot.Lines[i].Text) + 1; left < 0 {
			shot.Lines = shot.Lines[i+1:]
			break
		}
	}
	return shot
}

// pendingSession returns the live session, as this host's queue has it, whose origin a dashboard elsewhere names. Only
// the host and the bridge's instance may differ, since the dashboard has its own names for them.
func pendingSession(ctx context.Context, d *desk.Desk, named queue.Origin) (queue.Session, error) {
	searched := make(chan queue.Session, 1) // receives the session, or an empty one if there is none
	d.Do(func() {
		var found queue.Session
		d.Sessions(func(s queue.Session) {
			of := s.Origin
			of.Host, of.Instance = named.Host, named.Instance
			if of == named {
				found = s
			}
		})
		searched <- found
	})
	select {
	case found := <-searched:
		if found.ID == "" {
			return found, queue.ErrNotFound
		}
		return found, nil
	case <-ctx.Done():
		return queue.Session{}, ctx.Err()
	}
}

// deskWatch reports what a desk shows: the queue without the approvals that the desk does not show yet, because a
// permission rule may still allow them. It collects the changes until Next is called.
type deskWatch struct {
	mu       sync.Mutex
	sessions map[string]queue.Session
	gone     map[string]bool
	drafts   map[string]queue.Draft // by session and by the instance of the dashboard that writes
	presence bool                   // who watches the queue has changed
	begun    bool                   // the first batch is complete
	bell     chan struct{}          // holds a value when there is something to report
	closed   chan struct{}
	once     sync.Once
}

// newDeskWatch starts to collect what happens at a desk that does not run yet. Next waits until begin was called.
func newDeskWatch(d *desk.Desk) *deskWatch {
	w := &deskWatch{sessions: map[string]queue.Session{}, gone: map[string]bool{}, drafts: map[string]queue.Draft{},
		presence: true, bell: make(chan struct{}, 1), closed: make(chan struct{})}
	d.Subscribe(w.hear)
	return w
}

// begin lets Next return the first batch, even if it is empty. The batch must contain everything that is pending, since
// the dashboard drops what is not in it, and the answers to that too.
func (w *deskWatch) begin() {
	w.mu.Lock()
	w.begun = true
	w.mu.Unlock()
	w.ring()
}

// ring wakes Next.
func (w *deskWatch) ring() {
	select {
	case w.bell <- struct{}{}:
	default:
	}
}

// hear collects one event of the desk, and wakes Next.
func (w *deskWatch) hear(e desk.Event) {
	w.mu.Lock()
	switch e := e.(type) {
	case desk.Changed:
		w.sessions[e.Now.ID] = e.Now
		delete(w.gone, e.Now.ID)
	case desk.Left:
		delete(w.sessions, e.ID)
		w.gone[e.ID] = true
	case desk.Drafted:
		w.drafts[e.Draft.Session+" "+e.Draft.Instance] = e.Draft
	case desk.Present:
		w.presence = true
	default:
		w.mu.Unlock()
		return
	}
	begun := w.begun
	w.mu.Unlock()
	if begun {
		w.ring()
	}
}

// Next returns what has changed since the last call.
func (w *deskWatch) Next(ctx context.Context) (queue.Changes, error) {
	select {
	case <-w.bell:
	case <-ctx.Done():
		return queue.Changes{}, ctx.Err()
	case <-w.closed:
		return queue.Changes{}, fs.ErrClosed
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	ch := queue.Changes{Sessions: slices.Collect(maps.Values(w.sessions)), Gone: slices.Collect(maps.Keys(w.gone)),
		Drafts: slices.Collect(maps.Values(w.drafts)), Presence: w.presence}
	clear(w.sessions)
	clear(w.gone)
	clear(w.drafts)
	w.presence = false
	return ch, nil
}

// Close ends the watch.
func (w *deskWatch) Close() error {
	w.once.Do(func() { close(w.closed) })
	return nil
}
