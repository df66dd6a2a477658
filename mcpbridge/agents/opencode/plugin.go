package opencode

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/choicetui/choicetui/mcpbridge/agents/prompt"
	"github.com/choicetui/choicetui/mcpbridge/wire"
	"github.com/choicetui/choicetui/queue"
)

const (
	// takenWithin limits the wait for the plugin to say whether the agent took a reply.
	takenWithin = 15 * time.Second
	// mostOpen limits the prompts of one agent that are handled at a time; more are left to the agent.
	mostOpen = 1000
)

// Plugin serves one agent's plugin: lines of JSON come in, replies go out. A prompt that arrives while no dashboard is
// open is put into the queue once one opens. One goroutine reads the lines; each prompt waits on a goroutine of its
// own.
type Plugin struct {
	prompt.Host

	out    io.Writer
	writes sync.Mutex

	mu      sync.Mutex
	intake  *prompt.Intake
	open    map[string]*openPrompt
	hearing map[string]string // the directories, by session, of the sessions for which the plugin takes lines
	reads   bool              // dashboards were let read
	wakes   chan struct{}     // receives a value when a prompt has arrived
	asking  sync.WaitGroup
}

// openPrompt holds a prompt that the agent shows now, or a request of ours to the plugin: to give a line to the agent,
// or to read a session.
type openPrompt struct {
	line    Line
	session string                  // the agent's name for the session, once begun
	begun   bool                    // it was put into the queue, is left to the agent, or is a request of ours
	replied bool                    // a reply to it, or the request itself, is on its way
	over    context.CancelCauseFunc // ends the wait; nil before it began
	taken   chan bool               // whether the agent took the reply, or the line
	read    chan json.RawMessage    // the messages of a session that was read; nil: another request
}

// Serve reads lines until in ends. The end of in means that the agent has ended, so its questions are withdrawn then.
func (p *Plugin) Serve(ctx context.Context, in io.Reader, out io.Writer) {
	p.out, p.open, p.wakes = out, map[string]*openPrompt{}, make(chan struct{}, 1)
	p.hearing = map[string]string{}
	ctx, stop := context.WithCancelCause(ctx)
	begun := make(chan struct{})
	go func() {
		defer close(begun)
		p.beginRequests(ctx)
	}()
	lines := make(chan struct{})
	go func() {
		defer close(lines)
		eachLine(in, func(raw []byte) {
			if l, ok := ReadLine(raw); ok {
				p.takePluginLine(l)
			} else if p.Unread != nil {
				p.Unread()
			}
		})
	}()
	select {
	case <-lines:
	case <-ctx.Done():
	}
	stop(prompt.ErrGone)
	<-begun
	p.asking.Wait()
	if p.intake != nil {
		_ = p.intake.Close()
	}
}

// eachLine calls do with each line. Of a line of more than MaxWhole bytes it keeps only so many. The line is valid only
// during the call.
func eachLine(in io.Reader, do func(raw []byte)) {
	r := bufio.NewReader(in)
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part[:min(len(part), prompt.MaxWhole-len(line))]...)
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		one := line
		if len(one) < prompt.MaxWhole {
			one = bytes.TrimSpace(one)
		}
		if len(one) > 0 && err == nil {
			do(one)
		}
		if line = line[:0]; cap(line) > queue.MaxDecided {
			line = nil
		}
		if err != nil {
			return
		}
	}
}

// takePluginLine handles one line of JSON from the plugin.
func (p *Plugin) takePluginLine(l Line) {
	p.mu.Lock()
	defer p.mu.Unlock()
	one := p.open[l.ID]
	known := one != nil
	switch {
	case l.Type == LineClosed && known && !one.replied: // after a reply a LineDone follows, which closes it
		delete(p.open, l.ID)
		switch {
		case one.over == nil: // nobody waits for it yet
		case l.Interrupted:
			one.over(prompt.ErrInterrupted)
		default:
			one.over(prompt.ErrThere)
		}
	case l.Type == LineRead && known && one.read != nil:
		sendIfFree(one.read, l.Properties)
	case l.Type == LineDone && known:
		delete(p.open, l.ID)
		sendIfFree(one.taken, l.Taken)
	case (l.Type == LineQuestion || l.Type == LinePermission) && !known && len(p.open) < mostOpen:
		p.open[l.ID] = &openPrompt{line: l, taken: make(chan bool, 1)}
		sendIfFree(p.wakes, struct{}{})
	}
}

// sendIfFree sends a value if the channel has room for it, and drops the value otherwise.
func sendIfFree[T any](to chan<- T, value T) {
	select {
	case to <- value:
	default:
	}
}

// beginRequests puts prompts into the queue while a dashboard is open. As long as there is a prompt that is not in the
// queue yet, it looks for a dashboard each second.
func (p *Plugin) beginRequests(ctx context.Context) {
	for {
		select {
		case <-p.wakes:
		case <-ctx.Done():
			return
		}
		for p.hasUnbegun() {
			if p.Dashboard(ctx) && p.beginAllRequests(ctx) {
				break
			}
			select {
			case <-time.After(prompt.LookEvery):
			case <-ctx.Done():
				return
			}
		}
	}
}

// hasUnbegun reports whether there is a prompt that is not in the queue yet.
func (p *Plugin) hasUnbegun() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, one := range p.open {
		if !one.begun {
			return true
		}
	}
	return false
}

// beginAllRequests puts all prompts into the queue. It returns false if the queue cannot be used now.
func (p *Plugin) beginAllRequests(ctx context.Context) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.intake == nil {
		in, err := p.Open(ctx)
		if err != nil {
			return false
		}
		p.intake = in
	}
	for _, one := range p.open {
		if !one.begun {
			one.begun = true
			p.beginRequest(ctx, one)
		}
	}
	return true
}

// beginRequest puts a prompt into the queue. From then on the agent's session can get lines and be read, if the plugin
// is able to do that. Plugin.mu is held.
func (p *Plugin) beginRequest(ctx context.Context, one *openPrompt) {
	asked, ok := Read(one.line)
	if !ok {
		return
	}
	one.session = asked.Origin.Thread
	p.hearLines(ctx, one.line, asked.Origin)
	if one.line.Reads {
		p.letRead(ctx)
	}
	var wait context.Context
	wait, one.over = context.WithCancelCause(ctx)
	p.asking.Go(func() { p.awaitAnswer(wait, one, asked) })
}

// awaitAnswer waits for the answer to a prompt and replies. It closes the session once the agent took the reply.
func (p *Plugin) awaitAnswer(ctx context.Context, one *openPrompt, asked prompt.Asked) {
	s, own, err := p.intake.AwaitOrShow(ctx, asked, func(context.Context) error { return nil })
	if err != nil {
		return
	}
	reply := asked.Render(s)
	if (reply == nil || p.deliver(ctx, one, reply)) && own {
		_ = p.intake.Collect(s)
	}
}

// deliver sends a reply and reports whether the agent took it. If not, the answer stays in the queue as not fetched.
func (p *Plugin) deliver(ctx context.Context, one *openPrompt, reply []byte) bool {
	p.mu.Lock()
	one.replied = true
	p.mu.Unlock()
	if !p.write(reply) {
		return false
	}
	select {
	case taken := <-one.taken:
		return taken
	case <-time.After(takenWithin):
	case <-ctx.Done():
	}
	return false
}

// write sends one line to the plugin and reports whether that worked.
func (p *Plugin) write(line []byte) bool {
	p.writes.Lock()
	defer p.writes.Unlock()
	_, err := p.out.Write(line)
	return err == nil
}

// confirmWithin limits the wait for the plugin to say whether a session took a line. It is longer than givenWithin, so
// the process that offered the line has noted the doubt by then.
const confirmWithin = prompt.GivenWithin + 3*time.Second

// hearLines makes this process give the person's lines to a session to the plugin from now on, if the plugin accepts
// lines. An older plugin does not say that it does.
func (p *Plugin) hearLines(ctx context.Context, l Line, o queue.Origin) {
	if !l.Lines || l.Directory == "" {
		return
	}
	first := len(p.hearing) == 0
	p.hearing[o.Thread] = l.Directory
	if first {
		p.asking.Go(func() { p.intake.TakeLines(ctx, p.giveLine, p.asking.Go) })
	}
}

// sendRequest sends a request of ours to the plugin. Until forget is called, request receives what the plugin says to
// that.
func (p *Plugin) sendRequest(request *openPrompt, action string, body lineBody) (forget func(), sent bool) {
	request.begun, request.replied = true, true
	id := queue.NewToken()
	p.mu.Lock()
	p.open[id] = request
	p.mu.Unlock()
	forget = func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.open, id)
	}
	line := wire.Encode(Reply{ID: id, Kind: LinePerson, Action: action, Body: wire.Encode(body)})
	return forget, p.write(append(line, '\n'))
}

// lineBody holds the session that a request of ours is about, and the person's line if the request has one.
type lineBody struct {
	Session   string `json:"session"`
	Directory string `json:"directory"`
	Text      string `json:"text"`
}

// giveLine sends a line to the plugin for the session that asked, and waits until the plugin says whether the session
// took it. The errors are ErrUngiven and ErrUnsaid.
func (p *Plugin) giveLine(ctx context.Context, s queue.Session) error {
	p.mu.Lock()
	directory, heard := p.hearing[s.Origin.Thread]
	p.mu.Unlock()
	text := queue.CleanLine(s.Ask.Prompt)
	if !heard || queue.Blank(text) {
		return prompt.ErrUngiven
	}
	request := &openPrompt{taken: make(chan bool, 1)}
	forget, sent := p.sendRequest(request, "say",
		lineBody{Session: s.Origin.Thread, Directory: directory, Text: text})
	defer forget()
	if !sent {
		return prompt.ErrUngiven
	}
	select {
	case taken := <-request.taken:
		if !taken {
			return prompt.ErrUngiven
		}
		return nil
	case <-time.After(confirmWithin):
	case <-ctx.Done():
	}
	return prompt.ErrUnsaid
}
