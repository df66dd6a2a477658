package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/app/connect"
	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/jetstream"
)

const (
	exitClosed = 2 // what the prompt hooks of agents read as "blocked, stderr says why"
	// gateWithin limits how long the queue may take to answer: a prompt must not hang on a disk.
	gateWithin = 2 * time.Second
	// sharedGateWithin is the same for a queue on a server: over a link with a round trip of 0.7 s it takes five, most
	// of which are for a connection with TLS. The agents whose hooks setup writes wait for ten. A server that is not
	// there is given up sooner.
	sharedGateWithin = 7 * time.Second
	// gateMemory limits the memory that gate uses before it collects garbage; ten thousand questions take a third of
	// it.
	gateMemory = 256 << 20
)

// gateRun holds one run of `choicetui gate`.
type gateRun struct {
	sh     *shell
	whose  whose
	hook   string // the agent whose prompt hook this is, as setup calls it; empty: none
	all    bool   // as a hook: questions of any agent count
	asJSON bool
	late   chan struct{} // closed where not all could be read in time, and what was read is looked at
}

func gateCommand(sh *shell) *cobra.Command {
	r := gateRun{sh: sh}
	cmd := &cobra.Command{
		Use:   "gate",
		Short: "May chat be sent now? Exit 0: yes, 2: questions wait",
		Long: `gate says by its exit code whether a prompt may be sent to an agent now: 0 while
nothing waits, 2 while questions do, with the reason on stderr. It reads no
input and is made for prompt hooks. Questions whose agent is gone for a minute
do not count. What cannot be read keeps nobody from writing: the prompt goes
through. What was read before the time was over counts. gate changes nothing,
and says at most one sentence.

choicetui setup --gate puts it in as --hook AGENT. Then it reads what the agent
says of the prompt, counts the questions of that agent in that directory, and
lets every prompt through while no dashboard is open.`,
		Example: `  choicetui gate && echo "go on"
  choicetui gate --agent shop`,
		Args:             nothingElse,
		PersistentPreRun: collectsLater,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if r.hook != "" {
				return r.gateHook(cmd.Context())
			}
			return r.gate(cmd.Context())
		},
	}
	r.whose.flags(cmd, sh)
	cmd.Flags().BoolVar(&r.asJSON, "json", false, "print one JSON object too")
	cmd.Flags().StringVar(&r.hook, "hook", "", "be the prompt hook of this `AGENT`: "+strings.Join(hooked(), ", "))
	cmd.Flags().BoolVar(&r.all, "all", false, "as a hook: count the questions of every agent")
	cmd.MarkFlagsMutuallyExclusive("hook", "agent")
	cmd.MarkFlagsMutuallyExclusive("hook", "project")
	cmd.MarkFlagsMutuallyExclusive("hook", "json")
	return cmd
}

// gateState is `gate --json`.
type gateState struct {
	Open    bool       `json:"open"`
	Waiting int        `json:"waiting"`           // questions that close it
	First   *gateFirst `json:"first,omitempty"`   // the most urgent of them
	Problem string     `json:"problem,omitempty"` // what could not be read
}

type gateFirst struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Agent string `json:"agent"`
}

func (r *gateRun) gate(ctx context.Context) error {
	debug.SetGCPercent(-1) // a collection costs more than a process of milliseconds leaves behind
	debug.SetMemoryLimit(gateMemory)
	var unfit error // gate says one sentence in all: it is about the settings only if nothing else is to be said
	r.sh.complain.Do(func() { unfit = r.sh.settings().Err() })
	look, err := r.lookWithin(ctx, r.look)
	state := look.state()
	if err != nil {
		state.Problem = explain(err).say
	}
	if r.asJSON {
		if err := printJSON(r.sh.out, state, ""); err != nil {
			return err
		}
	}
	if !state.Open {
		return &failure{say: gateWords(look), code: exitClosed}
	}
	words := ""
	switch {
	case err != nil:
		r.sh.note(goesThrough, say.OneLine(state.Problem))
	case state.Problem != "":
		words = state.Problem + ", so the prompt goes through: " + look.broken[0].Name + " " + look.broken[0].Reason
	case config.Broken(unfit):
		words = unfit.Error()
	}
	if words != "" {
		r.sh.note("gate: %s", say.OneLine(words))
	}
	return nil
}

// goesThrough says why gate cannot tell whether questions wait.
const goesThrough = "gate: the queue cannot be read, so the prompt goes through: %s"

// gateWords returns the sentence that a blocked prompt shows.
func gateWords(look gateLook) string {
	first, more, verb := look.closing[0], len(look.closing)-1, "wait"
	if more == 0 {
		verb = "waits"
	}
	names := queue.Names{Host: look.host}
	who := names.Of(first.Origin)
	if first.Widen != nil {
		who += ", " + say.WithTheTeam
	}
	words := fmt.Sprintf("chat is closed, %s %s for an answer first: “%s” (%s)", say.Count(more+1, "question"), verb,
		say.Title(first.Ask), who)
	if more > 0 {
		words += fmt.Sprintf(" and %d more", more)
	}
	if unread := look.unread(); unread != "" {
		words += "; " + unread
	}
	return words
}

// gateLook holds the findings of gate: the questions that keep chat closed, the most urgent first, and what it cannot
// read.
type gateLook struct {
	closing []queue.Waiting
	broken  []queue.Broken
	host    string // this machine, where agents may run on others

	present func() ([]queue.Presence, error) // who runs, read once; nil: nothing was read
	late    error                            // why not all was read; nil: all was
}

// state returns the findings as JSON.
func (l gateLook) state() gateState {
	state := gateState{Open: len(l.closing) == 0, Waiting: len(l.closing), Problem: l.unread()}
	if len(l.closing) > 0 {
		w := l.closing[0]
		state.First = &gateFirst{ID: w.ID, Title: w.Ask.Title, Agent: w.Origin.Name()}
	}
	return state
}

// unread says what could not be read; empty: all could.
func (l gateLook) unread() string {
	switch {
	case l.late != nil:
		return "not all questions could be read in time"
	case len(l.broken) == 0:
		return ""
	}
	return say.Count(len(l.broken), "question") + " cannot be read"
}

// lookWithin gives a look up after a while, which is longer where the queue is on a server.
func (r *gateRun) lookWithin(ctx context.Context, look func(context.Context) (gateLook, error)) (gateLook, error) {
	type result struct {
		look gateLook
		err  error
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r.late = make(chan struct{})
	reads := r.late
	shared, done := make(chan struct{}), make(chan result, 1)
	go func() {
		if place, err := r.sh.place(); err == nil && jetstream.IsAddress(place) {
			close(shared)
		}
		found, err := look(ctx)
		done <- result{found, err}
	}()
	late, within := time.NewTimer(gateWithin), gateWithin
	defer late.Stop()
	for {
		select {
		case found := <-done:
			return found.look, found.err
		case <-shared:
			within = sharedGateWithin
			late.Reset(within)
			shared = nil
		case <-reads:
			late.Reset(gateWithin)
			reads = nil
		case <-late.C: // a read that hangs cannot be broken off
			return gateLook{}, tooSlow(within)
		}
	}
}

func tooSlow(within time.Duration) error {
	return &failure{say: fmt.Sprintf("it did not answer within %v", within), cause: context.DeadlineExceeded}
}

// look reads the pending questions of the selected agents once.
func (r *gateRun) look(ctx context.Context) (look gateLook, err error) {
	q, err := r.sh.look()
	if errors.Is(err, errNoQueue) {
		return look, nil
	} else if err != nil {
		return look, err
	}
	return r.lookAt(ctx, q, r.whose.of)
}

// lookAt reads the pending questions once, without the history, and selects those that close chat. It waits for the
// list of running processes only if a question depends on it. If an agent asks more than can be read in time, the part
// that was read keeps chat closed.
func (r *gateRun) lookAt(ctx context.Context, q *queue.Queue, counts func(queue.Origin) bool) (
	look gateLook, err error) {
	present := sync.OnceValues(func() ([]queue.Presence, error) { return q.Store.Present(ctx) })
	within := gateWithin
	if q.Shared() { // on a server: over a slow link the time is too short for one after the other
		go func() { _, _ = present() }()
		within = sharedGateWithin
	}
	reading, cancel := context.WithTimeout(ctx, within/4*3)
	defer cancel()
	pending, broken, err := q.Store.Pending(reading)
	if err != nil && len(pending) == 0 {
		return look, err
	}
	if err != nil {
		close(r.late)
	}
	look.broken, look.host, look.present, look.late = broken, q.Host, present, err
	running := sync.OnceValues(func() (func(string) bool, error) {
		all, err := present()
		return queue.RunningAmong(all), err
	})
	var failed error
	runs := func(instance string) bool {
		is, err := running()
		if failed = err; err != nil {
			return true
		}
		return is(instance)
	}
	now := q.Now()
	for _, one := range queue.WaitingOrder(pending, runs, "", now) {
		if one.ClosesChat(runs, queue.Session.GoneSince, now) && counts(one.Origin) {
			look.closing = append(look.closing, one)
		}
	}
	switch {
	case failed != nil:
		return gateLook{}, failed
	case look.late != nil && len(look.closing) == 0:
		return gateLook{}, tooSlow(within)
	}
	return look, nil
}

// maxPrompt limits how much of an agent's input a hook reads; a longer prompt goes through.
const maxPrompt = 1 << 20

// prompted holds the fields of the agent's input to its prompt hook that matter here.
type prompted struct {
	Event string   `json:"hook_event_name"`
	Cwd   string   `json:"cwd"`
	Roots []string `json:"workspace_roots"` // Cursor
}

// hooked returns the agents with a prompt hook.
func hooked() []string { return connect.IDs(func(c connect.Client) bool { return c.Gate.File != "" }) }

// gateHook is gate as an agent's prompt hook. It says something only where a prompt has to wait, or where the settings
// cannot be read: whatever else it could say would land in the agent's screen before each prompt.
func (r *gateRun) gateHook(ctx context.Context) error {
	debug.SetGCPercent(-1) // as in gate
	debug.SetMemoryLimit(gateMemory)
	r.sh.complain.Do(func() {})
	all := connect.Clients("choicetui")
	at := slices.IndexFunc(all, func(c connect.Client) bool { return c.ID == r.hook && c.Gate.File != "" })
	if at < 0 {
		return &failure{say: "there is no prompt hook for " + quoted(r.hook),
			hint: "known are " + strings.Join(hooked(), ", ")}
	}
	agent := all[at]
	look, err := r.lookWithin(ctx, func(ctx context.Context) (gateLook, error) { return r.lookFor(ctx, agent) })
	if config.Broken(err) { // no queue is used until the person has the file mended
		r.sh.note(goesThrough, say.OneLine(explain(err).say))
	}
	if err != nil || len(look.closing) == 0 {
		return nil
	}
	words := gateWords(look)
	if agent.Gate.InJSON {
		return printJSON(r.sh.out, map[string]any{"continue": false, "user_message": "choicetui: " + words}, "")
	}
	return &failure{say: words, code: exitClosed}
}

// lookFor reads what keeps this prompt of an agent waiting: nothing while no dashboard is open.
func (r *gateRun) lookFor(ctx context.Context, agent connect.Client) (look gateLook, err error) {
	raw, err := io.ReadAll(io.LimitReader(r.sh.in, maxPrompt))
	if err != nil {
		return look, err
	}
	var p prompted
	// Another program may run the hooks in this agent's file, and says it in another way.
	if err := json.Unmarshal(raw, &p); err != nil || p.Event != agent.Gate.Event {
		return look, err
	}
	q, err := r.sh.look()
	if err != nil {
		return look, err
	}
	look, err = r.lookAt(ctx, q, func(o queue.Origin) bool {
		return r.all || o.ClientName() == agent.ID && p.isBeside(q, o)
	})
	if err != nil || len(look.closing) == 0 {
		return look, err
	}
	if present, err := look.present(); err != nil || !queue.DashboardAmong(present) {
		return gateLook{}, err
	}
	return look, nil
}

// isBeside reports whether the prompt was typed where an agent that asked works. The same directory on another machine
// is another one: in containers everybody works in the same.
func (p prompted) isBeside(q *queue.Queue, o queue.Origin) bool {
	return (!q.Shared() || checkHere(o) == nil) && p.isIn(o.Cwd)
}

// isIn reports whether the prompt was typed in a directory. An agent may have changed its own since it started.
func (p prompted) isIn(dir string) bool {
	return slices.ContainsFunc(append([]string{p.Cwd, os.Getenv("CLAUDE_PROJECT_DIR")}, p.Roots...),
		func(at string) bool { return at != "" && dir != "" && connect.SameFile(at, dir) })
}
