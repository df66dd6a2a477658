package relay

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/choicetui/choicetui/queue"
)

const (
	// pingEvery is the pause after which a dashboard that has nothing to ask says that it is still there.
	pingEvery = 5 * time.Second
	// silence is the time without a byte after which a link counts as broken, on both sides.
	silence = 15 * time.Second
	// atOnce limits the requests that a host works on at the same time.
	atOnce = 16
)

// Service answers one kind of request that only the program on the host can answer, such as what an agent's pane shows.
// with is the request as JSON. The result is sent as JSON.
type Service func(ctx context.Context, with json.RawMessage) (result any, err error)

// Host is the side of the host.
type Host struct {
	Queue   *queue.Queue
	Program string // the version of choicetui
	// Join lets a dashboard in: it announces the instance, and returns what the dashboard is to see of the queue.
	Join func(ctx context.Context, instance string) (queue.Watcher, error)
	// Services lists what else the dashboard can ask for, by name.
	Services map[string]Service
}

// errSilent reports that the dashboard sent nothing for too long.
var errSilent = errors.New("the dashboard is silent")

// Serve answers a dashboard until in ends, ctx ends, or the dashboard is silent. These are the requests:
//
//	hello                     begins; the host then sends everything live, and every change
//	ping                      nothing, so that neither side is taken for dead
//	get, archive              one session; moves it to the history
//	command                   a command of the person; see orders
//	history, count            a page of the history; its length
//	drafts, save_draft, drop_draft
//	and Host.Services
func Serve(ctx context.Context, in io.Reader, out io.Writer, h Host) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	s := &server{h: h, out: out, cancel: cancel, quiet: time.AfterFunc(silence, func() { cancel(errSilent) })}
	defer s.quiet.Stop()
	raw, err := json.Marshal(hello{Version: Version, Program: h.Program})
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(out, "\n%s%s\n", greeting, raw); err != nil { // a login shell may have left half a line
		return err
	}
	read := make(chan error, 1)
	go func() { read <- s.readRequests(ctx, bufio.NewReaderSize(in, 64<<10)) }()
	select {
	case err = <-read:
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	cancel(nil)
	s.working.Wait()
	if errors.Is(err, io.EOF) || errors.Is(err, context.Canceled) {
		return nil
	}
	return err
}

// server is one run of Serve.
type server struct {
	h       Host
	cancel  context.CancelCauseFunc
	quiet   *time.Timer // ends it once the dashboard is silent
	working sync.WaitGroup

	mu  sync.Mutex // for out
	out io.Writer
}

func (s *server) readRequests(ctx context.Context, in *bufio.Reader) error {
	places := make(chan struct{}, atOnce)
	for {
		line, err := readLine(in, mostFrame)
		if err != nil {
			return err
		}
		s.quiet.Reset(silence)
		var r request
		if err := json.Unmarshal(line, &r); err != nil {
			return fmt.Errorf("the dashboard sent no request: %w", err)
		}
		if r.Do == "hello" { // at once, so that the first changes come behind its answer
			s.answer(r.N, nil, s.begin(ctx, r.With))
			continue
		}
		select {
		case places <- struct{}{}:
		case <-ctx.Done():
			return ctx.Err()
		}
		s.working.Go(func() {
			defer func() { <-places }()
			result, err := s.work(ctx, r)
			s.answer(r.N, result, err)
		})
	}
}

// answer sends the answer to a request. If it cannot be sent the link is broken.
func (s *server) answer(n uint64, result any, err error) {
	f := frame{Re: n, Error: faultOf(err)}
	if v, ok := result.(queue.Session); ok && v.ID == "" {
		result = nil
	}
	if result != nil {
		raw, bad := json.Marshal(result)
		if bad != nil {
			f.Error = faultOf(bad)
		}
		f.Result = raw
	}
	s.send(f)
}

func (s *server) send(f frame) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f.Now = s.h.Queue.Now().UTC()
	if err := writeLine(s.out, f); err != nil {
		s.cancel(err)
	}
}

// begin lets the dashboard in, and sends it the queue from now on.
func (s *server) begin(ctx context.Context, with json.RawMessage) error {
	var from hello
	switch err := json.Unmarshal(with, &from); {
	case err != nil:
		return err
	case from.Version != Version:
		return fmt.Errorf("this relay speaks version %d, not %d", Version, from.Version)
	case !queue.ValidInstance(from.Instance):
		return fmt.Errorf("%w: no instance", queue.ErrRefused)
	}
	w, err := s.h.Join(ctx, from.Instance)
	if err != nil {
		return err
	}
	s.working.Go(func() {
		defer w.Close()
		for first := true; ; first = false {
			ch, err := w.Next(ctx)
			if err != nil {
				if ctx.Err() == nil {
					s.cancel(err)
				}
				return
			}
			s.sendChanges(ctx, ch, first)
		}
	})
	return nil
}

// mostPart limits the bytes of sessions in one frame of changes.
const mostPart = 1 << 20

func (s *server) sendChanges(ctx context.Context, ch queue.Changes, first bool) {
	c := changes{Drafts: ch.Drafts, Gone: ch.Gone, First: first}
	if ch.Presence {
		if list, err := s.h.Queue.Store.Present(ctx); err == nil {
			list = append([]queue.Presence{}, list...) // nobody is not the same as unchanged
			c.Present = &list
		}
	}
	size := 0
	for _, v := range ch.Sessions {
		raw, err := json.Marshal(v)
		if err != nil {
			continue
		}
		if size += len(raw); size > mostPart && len(c.Sessions) > 0 {
			c.More = true
			s.send(frame{Changes: &c})
			c, size = changes{First: first}, len(raw)
		}
		c.Sessions = append(c.Sessions, raw)
	}
	s.send(frame{Changes: &c})
}

// about holds the parameters of the requests for the queue.
type about struct {
	ID       string      `json:"id,omitempty"`
	Order    order       `json:"order,omitzero"`
	Cursor   string      `json:"cursor,omitempty"`
	Limit    int         `json:"limit,omitempty"`
	Draft    queue.Draft `json:"draft,omitzero"`
	Instance string      `json:"instance,omitempty"`
}

// pageOf is a page of the history as it is sent.
type pageOf struct {
	Sessions []json.RawMessage `json:"sessions"`
	Next     string            `json:"next,omitempty"`
}

func (s *server) work(ctx context.Context, r request) (any, error) {
	if service := s.h.Services[r.Do]; service != nil {
		return service(ctx, r.With)
	}
	var with about
	if len(r.With) > 0 {
		if err := json.Unmarshal(r.With, &with); err != nil {
			return nil, fmt.Errorf("%w: %w", queue.ErrRefused, err)
		}
	}
	store := s.h.Queue.Store
	switch r.Do {
	case "ping":
		return nil, nil
	case "get":
		return store.Get(ctx, with.ID)
	case "archive":
		v, err := store.Get(ctx, with.ID)
		if err != nil {
			return nil, err
		}
		return nil, store.Archive(ctx, v)
	case "command":
		c, err := with.Order.command()
		if err != nil {
			return nil, err
		}
		return s.h.Queue.Do(ctx, with.ID, c)
	case "history":
		return s.readPage(ctx, with.Cursor, min(with.Limit, mostPages))
	case "count":
		return store.CountHistory(ctx)
	case "drafts":
		return store.Drafts(ctx, with.ID)
	case "save_draft":
		return nil, store.SaveDraft(ctx, with.Draft)
	case "drop_draft":
		return nil, store.DropDraft(ctx, with.ID, with.Instance)
	}
	return nil, fmt.Errorf("this relay does not know %q", queue.Shorten(r.Do, 40, "…"))
}

// readPage reads a page of the history that fits into a frame. The first session of a page always does.
func (s *server) readPage(ctx context.Context, cursor string, limit int) (pageOf, error) {
	for {
		page, next, err := s.h.Queue.Store.History(ctx, cursor, limit)
		if err != nil {
			return pageOf{}, err
		}
		p, size := pageOf{Sessions: []json.RawMessage{}, Next: next}, 0
		for _, v := range page {
			raw, err := json.Marshal(v)
			if err != nil {
				return pageOf{}, err
			}
			p.Sessions, size = append(p.Sessions, raw), size+len(raw)
		}
		if size <= mostFrame/2 || limit <= 1 {
			return p, nil
		}
		limit /= 4
	}
}
