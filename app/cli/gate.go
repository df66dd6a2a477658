package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/config/whole"
	"github.com/choicetui/choicetui/mcpbridge/agents"
	"github.com/choicetui/choicetui/mcpbridge/agents/agent"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/jetstream"
)

const (
	exitClosed = 2 // for the prompt hooks of agents: blocked, and stderr says why
	// gateWithin limits how long the queue may take to answer, because a prompt must not hang on a disk.
	gateWithin = 2 * time.Second
	// sharedGateWithin limits the same for a queue on a server. With a round trip of 0.7 s reading takes five seconds,
	// most of them for the TLS connection. The agents whose hooks setup writes wait ten seconds. A server that is down
	// fails earlier.
	sharedGateWithin = 7 * time.Second
	// gateMemory limits the memory that gate uses before it collects garbage. Ten thousand questions need a third of
	// it.
	gateMemory = 256 << 20
)

// gateRun is one run of `choicetui gate`, which says whether the person may send a prompt to an agent now. While
// questions are pending chat is closed, and the prompt has to wait.
type gateRun struct {
	sh     *shell
	only   agentFilter
	hook   string // the agent whose prompt hook this is, by its name in setup; empty: it is no hook
	all    bool   // as a hook: whether the questions of every agent count
	asJSON bool
	// partial is closed by lookAt if not all questions could be read in time, so that those that were read are used.
	// lookWithin then waits for the rest of the work.
	partial chan struct{}
}

func gateCommand(sh *shell) *cobra.Command {
	r := gateRun{sh: sh}
	cmd := &cobra.Command{
		Use:    "gate",
		Hidden: true,
		Short:  "Internal: used by prompt hooks",
		Long: `gate is for prompt hooks. Its exit code says whether you may send a prompt to an
agent now: 0 if nothing is pending, 2 if questions are, with the reason on
standard error. It changes nothing. Questions whose agent has been gone for a
minute do not count. If the queue cannot be read in time, the prompt goes
through.

choicetui setup --gate installs it as --hook AGENT: it then counts the questions
of that agent in that directory, and only while a dashboard is open.`,
		Example: `  choicetui gate && echo "clear to send"
  choicetui gate --agent shop`,
		Args:             nothingElse,
		PersistentPreRun: startsWithoutGC,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if r.hook != "" {
				return r.gateHook(cmd.Context())
			}
			return r.gate(cmd.Context())
		},
	}
	r.only.addFlags(cmd, sh)
	cmd.Flags().BoolVar(&r.asJSON, "json", false, "also print one JSON object")
	cmd.Flags().StringVar(&r.hook, "hook", "",
		"run as the prompt hook of `AGENT` ("+strings.Join(hookedAgents(), ", ")+")")
	cmd.Flags().BoolVar(&r.all, "all", false, "as a hook: count questions from all agents")
	cmd.MarkFlagsMutuallyExclusive("hook", "agent")
	cmd.MarkFlagsMutuallyExclusive("hook", "project")
	cmd.MarkFlagsMutuallyExclusive("hook", "json")
	return cmd
}

// gateState is the output of `gate --json`.
type gateState struct {
	Open    bool       `json:"open"`
	Waiting int        `json:"waiting"`           // how many questions keep chat closed
	First   *gateFirst `json:"first,omitempty"`   // the most urgent of these questions
	Problem string     `json:"problem,omitempty"` // what could not be read
}

// gateFirst is the most urgent question in `gate --json`.
type gateFirst struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Agent string `json:"agent"`
}

// gate looks for questions that keep chat closed, and fails with exitClosed if there are any.
func (r *gateRun) gate(ctx context.Context) error {
	debug.SetGCPercent(-1) // this process runs for milliseconds, so a collection is not worth its time
	debug.SetMemoryLimit(gateMemory)
	var unfit error // gate prints at most one sentence, so the settings are mentioned only if nothing else is wrong
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

// goesThrough says that gate cannot tell whether questions are pending, and why.
const goesThrough = "gate: the queue cannot be read, so the prompt goes through: %s"

// gateWords returns the sentence that a blocked prompt shows.
func gateWords(look gateLook) string {
	first, more, verb := look.closing[0], len(look.closing)-1, "are"
	if more == 0 {
		verb = "is"
	}
	names := queue.Names{Host: look.host}
	who := names.Of(first.Origin)
	if first.Widen != nil {
		who += ", " + say.WithTheTeam
	}
	words := fmt.Sprintf("chat is closed until %s %s answered: “%s” (%s)", say.Count(more+1, "question"), verb,
		say.Title(first.Ask), who)
	if more > 0 {
		words += fmt.Sprintf(" and %d more", more)
	}
	if unread := look.unread(); unread != "" {
		words += "; " + unread
	}
	return words
}

// gateLook holds what gate has read: the questions that keep chat closed, the most urgent first, and the files that it
// could not read.
type gateLook struct {
	closing []queue.Waiting
	broken  []queue.Broken
	host    string // this machine's name if agents may run on others

	present func() ([]queue.Presence, error) // returns the running processes, read once; nil: nothing was read
	partial error                            // why not all questions were read; nil: all were read
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

// unread says what could not be read; empty: everything was read.
func (l gateLook) unread() string {
	switch {
	case l.partial != nil:
		return "not all questions could be read in time"
	case len(l.broken) == 0:
		return ""
	}
	return say.Count(len(l.broken), "question") + " cannot be read"
}

// lookWithin runs look and gives it up after gateWithin, or after sharedGateWithin if the queue is on a server.
func (r *gateRun) lookWithin(ctx context.Context, look func(context.Context) (gateLook, error)) (gateLook, error) {
	type result struct {
		look gateLook
		err  error
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r.partial = make(chan struct{})
	partial := r.partial
	shared, done := make(chan struct{}), make(chan result, 1)
	go func() {
		if place, err := r.sh.queuePlace(); err == nil && jetstream.IsAddress(place) {
			close(shared)
		}
		found, err := look(ctx)
		done <- result{found, err}
	}()
	timeUp, within := time.NewTimer(gateWithin), gateWithin
	defer timeUp.Stop()
	for {
		select {
		case found := <-done:
			return found.look, found.err
		case <-shared:
			within = sharedGateWithin
			timeUp.Reset(within)
			shared = nil
		case <-partial: // most of the time is used up, and the questions that were read still have to be judged
			timeUp.Reset(gateWithin)
			partial = nil // a closed channel would be ready again at once
		case <-timeUp.C: // a read that hangs cannot be interrupted, so it is left behind
			return gateLook{}, tooSlow(within)
		}
	}
}

// tooSlow returns the failure for a queue that was not read in time.
func tooSlow(within time.Duration) error {
	return &failure{say: fmt.Sprintf("it did not answer within %v", within), cause: context.DeadlineExceeded}
}

// look reads the pending questions of the selected agents once.
func (r *gateRun) look(ctx context.Context) (look gateLook, err error) {
	q, err := r.sh.openExisting()
	if errors.Is(err, errNoQueue) {
		return look, nil
	} else if err != nil {
		return look, err
	}
	return r.lookAt(ctx, q, r.only.matches)
}

// lookAt reads the pending questions once, without the history, and returns those that keep chat closed and that counts
// selects. The running processes are read only if a question depends on them. If there are too many questions to read
// in time, those that were read count.
func (r *gateRun) lookAt(ctx context.Context, q *queue.Queue, counts func(queue.Origin) bool) (
	look gateLook, err error) {
	present := sync.OnceValues(func() ([]queue.Presence, error) { return q.Store.Present(ctx) })
	within := gateWithin
	if q.Shared() { // read both at once: a slow link to a server has no time for one after the other
		go func() { _, _ = present() }()
		within = sharedGateWithin
	}
	reading, cancel := context.WithTimeout(ctx, within/4*3)
	defer cancel()
	live, broken, err := q.Store.Live(reading)
	if err != nil && len(live) == 0 {
		return look, err
	}
	if err != nil {
		close(r.partial)
	}
	look.broken, look.host, look.present, look.partial = broken, q.Host, present, err
	running := sync.OnceValues(func() (func(string) bool, error) {
		all, err := present()
		return queue.RunningAmong(all), err
	})
	var unread error // why the running processes could not be read
	runs := func(instance string) bool {
		is, err := running()
		if unread = err; err != nil {
			return true
		}
		return is(instance)
	}
	now := q.Now()
	for _, one := range queue.WaitingOrder(live, runs, "", now) {
		if one.ClosesChat(runs, queue.Session.GoneSince, now) && counts(one.Origin) {
			look.closing = append(look.closing, one)
		}
	}
	switch {
	case unread != nil:
		return gateLook{}, unread
	case look.partial != nil && len(look.closing) == 0:
		return gateLook{}, tooSlow(within)
	}
	return look, nil
}

// maxPrompt limits how many bytes of an agent's input a hook reads. A longer prompt goes through.
const maxPrompt = 1 << 20

// promptInput holds the fields that gate needs of an agent's input to its prompt hook.
type promptInput struct {
	Event string   `json:"hook_event_name"`
	Cwd   string   `json:"cwd"`
	Roots []string `json:"workspace_roots"` // only some agents give these
}

// hookedAgents returns the ids of the agents that have a prompt hook.
func hookedAgents() []string {
	return agents.IDs(func(a agent.Agent) bool { return a.Gate.File != "" })
}

// gateHook runs gate as an agent's prompt hook. It prints something only if a prompt has to wait or the settings cannot
// be read, because the agent would show everything else before each prompt.
func (r *gateRun) gateHook(ctx context.Context) error {
	debug.SetGCPercent(-1) // as in gate
	debug.SetMemoryLimit(gateMemory)
	r.sh.muteSettings()
	all := agents.Clients("choicetui")
	at := slices.IndexFunc(all, func(c agent.Client) bool { return c.ID == r.hook && c.Gate.File != "" })
	if at < 0 {
		return &failure{say: "there is no prompt hook for " + quoted(r.hook),
			hint: "the agents are " + strings.Join(hookedAgents(), ", ")}
	}
	agent := all[at]
	look, err := r.lookWithin(ctx, func(ctx context.Context) (gateLook, error) { return r.lookFor(ctx, agent) })
	if config.Broken(err) { // no queue is used until the person has repaired the file
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

// lookFor returns the questions for which this agent's prompt has to wait. Without an open dashboard there are none.
func (r *gateRun) lookFor(ctx context.Context, c agent.Client) (look gateLook, err error) {
	raw, err := io.ReadAll(io.LimitReader(r.sh.in, maxPrompt))
	if err != nil {
		return look, err
	}
	var p promptInput
	// Other programs may run the hooks in this agent's file too, with an input of another form.
	if err := json.Unmarshal(whole.WithoutMark(raw), &p); err != nil || p.Event != c.Gate.Event {
		return look, err
	}
	q, err := r.sh.openExisting()
	if err != nil {
		return look, err
	}
	look, err = r.lookAt(ctx, q, func(o queue.Origin) bool {
		return r.all || o.ClientName() == c.ID && p.isBeside(q, o)
	})
	if err != nil || len(look.closing) == 0 {
		return look, err
	}
	if present, err := look.present(); err != nil || !queue.DashboardAmong(present) {
		return gateLook{}, err
	}
	return look, nil
}

// isBeside reports whether the prompt was typed in the directory of the agent that asked, on the same machine: in
// containers the same path exists on many machines.
func (p promptInput) isBeside(q *queue.Queue, o queue.Origin) bool {
	return (!q.Shared() || checkHere(o) == nil) && p.isIn(o.Cwd)
}

// isIn reports whether the prompt was typed in a directory. The agent's start directory counts too, because the agent
// may have changed its directory since.
func (p promptInput) isIn(dir string) bool {
	return slices.ContainsFunc(append([]string{p.Cwd, agents.ProjectDir()}, p.Roots...),
		func(at string) bool { return at != "" && dir != "" && agent.SameFile(at, dir) })
}
