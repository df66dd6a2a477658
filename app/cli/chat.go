package cli

import (
	"context"
	"errors"
	"os"
	"strconv"
	"strings"

	"github.com/choicetui/choicetui/app/tmux"
	"github.com/choicetui/choicetui/mcpbridge/agents"
	"github.com/choicetui/choicetui/mcpbridge/agents/agent"
	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
	"github.com/choicetui/choicetui/panes/peek"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
)

// agentWays delivers a line to an agent at once: to the session that asked, else into the agent's tmux pane.
//
//	its plugin asked? ─ yes, and it takes lines ─► its session, through the queue and the plugin; else refused
//	below an app-server? ─ yes ─► its thread, if open in the agent's directory ─► turn/start; else refused
//	                     └ no ──► its pane, by process or by directory and program ─► a paste; else refused
type agentWays struct{ queue *queue.Queue }

// Reasons why an agent cannot be reached.
var (
	errElsewhere = errors.New("it runs on another machine")
	errNotHere   = errors.New("it is not running in this tmux server")
	errUnsure    = errors.New("its process is not known, so it may run in another tmux server")
)

// checkHere fails with errElsewhere if an agent runs on another machine: its panes, processes and sockets mean
// something else here.
func checkHere(o queue.Origin) error {
	if host := otherHost(o); host != "" {
		return &agent.Worded{Words: say.RunsOn(host), Cause: errElsewhere}
	}
	return nil
}

// otherHost returns the name of the other machine that an agent runs on; empty: it runs here, or the machine is not
// known.
func otherHost(o queue.Origin) string {
	if host, _ := os.Hostname(); o.Host != host {
		return o.Host
	}
	return ""
}

// agentOf returns the parts of an origin with which tmux finds an agent. The origin of a single agent is named by its
// pid and start time. An origin with another name belongs to a process that serves several agents, so its name does not
// identify a process.
func agentOf(o queue.Origin) tmux.Agent {
	a := tmux.Agent{Pane: o.Pane, PID: o.PID, Cwd: o.Cwd, Servers: agents.Servers()}
	if pid, started, ok := strings.Cut(o.Agent, "-"); ok && pid == strconv.Itoa(o.PID) {
		a.Started = started
	}
	return a
}

// Reach finds out how a line would get to the agent, and whether the agent is alive.
func (w agentWays) Reach(ctx context.Context, o queue.Origin) desk.Reached {
	if err := checkHere(o); err != nil {
		return desk.Reached{Err: err}
	}
	if prompt.TakesLines(ctx, w.queue, o) {
		return desk.Reached{Alive: true, Direct: true}
	}
	if session, below, err := sessionOf(ctx, o); below {
		shared := err != nil // nobody knows which session asked
		if err == nil {
			err = session.Find(ctx)
		}
		return desk.Reached{Alive: err == nil, Direct: err == nil, Shared: shared, Err: err}
	}
	a := agentOf(o)
	pane, err := tmux.Reach(ctx, a)
	var shared *tmux.Shared
	at := desk.Reached{Err: err, Shared: errors.As(err, &shared)}
	if err == nil {
		at.Where = locationOf(ctx, pane)
	}
	if !at.Shared && !errors.Is(err, tmux.ErrGone) { // a server of many agents may outlive this agent
		at.Alive = tmux.Running(a)
	}
	return at
}

// Send delivers a message to the agent.
func (w agentWays) Send(ctx context.Context, s queue.Session) (desk.Sent, error) {
	o, text := s.Origin, s.Ask.Prompt
	if err := checkHere(o); err != nil {
		return desk.Sent{}, err
	}
	if prompt.TakesLines(ctx, w.queue, o) {
		return desk.Sent{Surface: queue.SurfaceNative}, lineWords(prompt.OfferLine(ctx, w.queue, s))
	}
	if session, below, err := sessionOf(ctx, o); below {
		if err == nil {
			err = session.Send(ctx, queue.CleanLine(text))
		}
		return desk.Sent{Surface: queue.SurfaceNative}, err
	}
	sent := desk.Sent{Surface: queue.SurfaceTmux}
	pane, err := tmux.Paste(ctx, agentOf(o), text)
	if pane != "" {
		sent.Where = locationOf(ctx, pane)
	}
	return sent, err
}

// goToPane shows an agent's pane in tmux, if the agent's process really runs in it.
func (w agentWays) goToPane(ctx context.Context, o queue.Origin) error {
	if err := checkHere(o); err != nil {
		return err
	}
	if o.PID == 0 {
		return errUnsure
	}
	pane, err := tmux.PaneOf(ctx, agentOf(o))
	if errors.Is(err, tmux.ErrNoPane) {
		return errNotHere
	}
	if err != nil {
		return err
	}
	return tmux.SelectPane(ctx, pane)
}

// peek returns what an agent's own pane shows now. last is the picture before, from which it takes what has not
// changed.
func (w agentWays) peek(ctx context.Context, s queue.Session, last peek.Shot) (peek.Shot, error) {
	o := s.Origin
	if err := checkHere(o); err != nil {
		return peek.Shot{}, err
	}
	if o.PID == 0 {
		return peek.Shot{}, errUnsure
	}
	var sight tmux.Sight
	if last.Pane != "" {
		sight = tmux.Sight{Pane: last.Pane, Where: strings.TrimPrefix(last.Where, "tmux "), Changed: last.Mark,
			Text: last.Text}
	}
	sight, err := tmux.Peek(ctx, agentOf(o), sight)
	if errors.Is(err, tmux.ErrNoPane) {
		err = errNotHere
	}
	shot := peek.Shot{Pane: sight.Pane, Where: sight.Where, Mark: sight.Changed, Text: sight.Text}
	if o.Client == queue.ClientAsk {
		shot.Text = cutOwnNote(shot.Text)
	}
	if shot.Where != "" {
		shot.Where = "tmux " + shot.Where
	}
	return shot, err
}

// cutOwnNote returns the text of a pane without what choicetui ask itself wrote there while it waits.
func cutOwnNote(text string) string {
	if at := strings.LastIndex("\n"+text, "\nchoicetui: "); at >= 0 { // at is where the note's line begins in text
		return text[:at]
	}
	return text
}

// lineWords puts an error of an agent's plugin into words. A *queue.Doubt remains one.
func lineWords(err error) error {
	var unsure *queue.Doubt
	switch {
	case errors.As(err, &unsure):
		return &queue.Doubt{Err: &agent.Worded{Words: "its plugin did not confirm that it arrived", Cause: err}}
	case errors.Is(err, prompt.ErrUnheard):
		return &agent.Worded{Words: "its plugin does not answer", Cause: err}
	case errors.Is(err, prompt.ErrUngiven):
		return &agent.Worded{Words: prompt.LineUntaken, Cause: err}
	}
	return err
}

// locationOf returns a pane's place as a person counts, or else its id.
func locationOf(ctx context.Context, pane string) string {
	if at := tmux.PaneLocation(ctx, pane); at != "" {
		return at
	}
	return pane
}

// sessionOf returns the session below a server of many agents that takes lines itself. below is false if there is none:
// then the agent takes lines in its pane. The error says why it is not known which session asked.
func sessionOf(ctx context.Context, o queue.Origin) (s agent.Session, below bool, err error) {
	server, ok := tmux.ServerOf(ctx, agentOf(o))
	if !ok {
		return nil, false, nil
	}
	for _, a := range agents.All() {
		if a.Lines == nil {
			continue
		}
		if s, below, err = a.Lines(agent.Server(server), o); below {
			return s, true, err
		}
	}
	return nil, false, nil
}
