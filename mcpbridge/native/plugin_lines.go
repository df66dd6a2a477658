package native

import (
	"context"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// confirmWithin limits how long the plugin may take to say whether a session took a line. Whoever offered the line, and
// still runs, has noted the doubt by then.
const confirmWithin = givenWithin + 3*time.Second

// hearLines has the person's lines to this session taken out of the queue from now on, if the plugin takes them. An
// older plugin does not say that it does.
func (p *Plugin) hearLines(ctx context.Context, l Line, o queue.Origin) {
	if !l.Lines || l.Directory == "" {
		return
	}
	first := len(p.hearing) == 0
	p.hearing[o.Thread] = l.Directory
	if first {
		t := taker{queue: p.intake.queue, instance: p.intake.origin.Instance, give: p.giveLine, why: p.Words.Untaken}
		p.asking.Go(func() { t.run(ctx, p.asking.Go) })
	}
}

// saying holds a line for the plugin.
type saying struct {
	Session   string `json:"session"`
	Directory string `json:"directory"`
	Text      string `json:"text"`
}

// giveLine hands a line to the plugin for the very session that asked, and waits for what became of it.
func (p *Plugin) giveLine(ctx context.Context, s queue.Session) error {
	at := &opening{begun: true, replied: true, taken: make(chan bool, 1)}
	id := queue.NewToken()
	p.mu.Lock()
	directory, heard := p.hearing[s.Origin.Thread]
	if heard {
		p.open[id] = at
	}
	p.mu.Unlock()
	text := queue.CleanLine(s.Ask.Prompt)
	if !heard || queue.Blank(text) {
		return ErrUngiven
	}
	defer func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.open, id)
	}()
	body := encode(saying{Session: s.Origin.Thread, Directory: directory, Text: text})
	if !p.write(append(encode(Reply{ID: id, Kind: LinePerson, Action: "say", Body: body}), '\n')) {
		return ErrUngiven
	}
	select {
	case taken := <-at.taken:
		if !taken {
			return ErrUngiven
		}
		return nil
	case <-time.After(confirmWithin):
	case <-ctx.Done():
	}
	return ErrUnsaid
}
