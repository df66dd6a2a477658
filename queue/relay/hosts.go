package relay

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/choicetui/choicetui/queue"
)

// Hosts are the links to other hosts, each of which is a store of its own.
type Hosts struct {
	queue *queue.Queue // this machine's, beside which they are shown

	mu    sync.Mutex
	links map[string]*running
	room  room
}

// running is a link whose Run is under way.
type running struct {
	*Link
	by   string // the command that reaches the host; after a change the host needs a new link
	stop func() // ends it
}

// NewHosts returns no links yet. Their sessions will be shown beside those of a queue.
func NewHosts(beside *queue.Queue) *Hosts {
	return &Hosts{queue: beside, links: map[string]*running{}}
}

// Keep connects the hosts in wanted, and disconnects all others. wanted contains, by the name of each host, the command
// that reaches it. newLink creates the link to a host. The links run until ctx ends. Only one goroutine at a time may
// call Keep.
func (h *Hosts) Keep(ctx context.Context, wanted map[string]string, newLink func(host, by string) *Link) {
	for _, r := range h.takeUnwanted(wanted) {
		r.stop()
		if _, kept := wanted[r.Host]; !kept {
			h.queue.SetHost(r.Host, nil)
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.room.hosts.Store(int64(len(wanted)))
	for host, by := range wanted {
		if h.links[host] != nil || !queue.ValidHost(host) {
			continue
		}
		l := newLink(host, by)
		l.room = &h.room
		h.links[host] = &running{l, by, l.Start(ctx)}
		h.queue.SetHost(host, l)
	}
}

// takeUnwanted removes the links to hosts that are not wanted, or that another command reaches now, and returns them.
func (h *Hosts) takeUnwanted(wanted map[string]string) (unwanted []*running) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for host, r := range h.links {
		if by, kept := wanted[host]; !kept || by != r.by {
			unwanted = append(unwanted, r)
			delete(h.links, host)
		}
	}
	return unwanted
}

// Close ends all connections.
func (h *Hosts) Close() {
	h.mu.Lock()
	links := slices.Collect(maps.Values(h.links))
	h.mu.Unlock()
	var all sync.WaitGroup
	for _, r := range links {
		all.Go(r.stop)
	}
	all.Wait()
}

// Link returns the link to a host; nil: there is none of that name.
func (h *Hosts) Link(host string) *Link {
	h.mu.Lock()
	defer h.mu.Unlock()
	if r := h.links[host]; r != nil {
		return r.Link
	}
	return nil
}
