package relay

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/choicetui/choicetui/queue"
)

const (
	// pingEvery is the interval at which a dashboard shows, by a ping, that it still runs.
	pingEvery = 5 * time.Second
	// silence is the time without a byte after which a link counts as broken, on both sides.
	silence = 15 * time.Second
	// atOnce limits the requests that a host works on at the same time.
	atOnce = 16
)

// Service answers one kind of request that the queue cannot answer, such as one for the content of an agent's pane.
// with contains the parameters of the request as JSON. The result is sent as JSON.
type Service func(ctx context.Context, with json.RawMessage) (result any, err error)

// Host configures Serve, the side of the relay that runs on the host of the questions.
type Host struct {
	Queue   *queue.Queue
	Program string // the version of choicetui on the host
	// Join lets a dashboard in: it announces the dashboard's instance on the host in a role, and returns a watch of the
	// sessions that the dashboard may see. The role is queue.RoleDashboard, or queue.RoleVisitor for a command.
	Join func(ctx context.Context, instance, role string) (queue.Watcher, error)
	// Services answer further requests, by the name of the request.
	Services map[string]Service
}

// errSilent reports that the dashboard sent nothing for too long.
var errSilent = errors.New("the dashboard is silent")

// Serve answers a dashboard until in ends, ctx ends, or the dashboard is silent. These are the requests:
//
//	hello                     lets the dashboard in; the host then sends everything that is live, and every change
//	ping                      has no effect; it shows that both sides still run
//	get, archive              returns one session; moves one session to the history
//	command                   carries out a command of the person; see orders
//	history, count            returns a page of the history; returns the number of its sessions
//	drafts, save_draft, drop_draft
//	further names             call one of Host.Services
func Serve(ctx context.Context, in io.Reader, out io.Writer, h Host) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	s := &server{h: h, out: out, cancel: cancel, quiet: time.AfterFunc(silence, func() { cancel(errSilent) })}
	defer s.quiet.Stop()
	raw, err := json.Marshal(hello{Version: Version, Program: h.Program})
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(out, "\n%s%s\n", Greeting, raw); err != nil { // a login shell may have left half a line
		return err
	}
	read := make(chan error, 1)
	go func() { read <- s.readRequests(ctx, bufio.NewReaderSize(in, 64<<10)) }()
	select {
	case err = <-read:
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	cancel(nil) // ends the watch, and the requests that are being answered
	s.mu.Lock()
	s.ended = true
	s.mu.Unlock()
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
	quiet   *time.Timer    // ends the run if the dashboard sends nothing for too long
	working sync.WaitGroup // the requests that are being answered, and the watch

	mu    sync.Mutex // for out and ended
	out   io.Writer
	ended bool // no more work begins; a request may still arrive, because reading cannot be interrupted
}

// startWork runs work on a goroutine of its own, unless the run has ended.
func (s *server) startWork(work func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.ended {
		s.working.Go(work)
	}
}

// readRequests reads the dashboard's requests and answers each on a goroutine of its own, at most atOnce at a time. It
// returns when the input ends.
func (s *server) readRequests(ctx context.Context, in *bufio.Reader) error {
	slots := make(chan struct{}, atOnce)
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
		if r.Do == "hello" { // answered on this goroutine, so that the answer is sent before the first changes
			s.sendAnswer(r.N, nil, s.letIn(ctx, r.With))
			continue
		}
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
			return ctx.Err()
		}
		s.startWork(func() {
			defer func() { <-slots }()
			result, err := s.carryOut(ctx, r)
			s.sendAnswer(r.N, result, err)
		})
	}
}

// sendAnswer sends the result or the error of request n.
func (s *server) sendAnswer(n uint64, result any, err error) {
	f := frame{Re: n, Error: faultOf(err)}
	if v, ok := result.(queue.Session); ok && v.ID == "" { // there is only an error
		result = nil
	}
	if result != nil {
		raw, bad := json.Marshal(result)
		if bad != nil {
			f.Error = faultOf(bad)
		}
		f.Result = raw
	}
	s.sendFrame(f)
}

// sendFrame writes one frame, with the host's present time. If that fails, the run ends.
func (s *server) sendFrame(f frame) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f.Now = s.h.Queue.Now().UTC()
	if err := writeLine(s.out, f); err != nil {
		s.cancel(err)
	}
}

// letIn lets the dashboard in, and sends it the queue and all changes from now on.
func (s *server) letIn(ctx context.Context, with json.RawMessage) error {
	var from hello
	switch err := json.Unmarshal(with, &from); {
	case err != nil:
		return err
	case from.Version != Version:
		return fmt.Errorf("this relay speaks version %d, not %d", Version, from.Version)
	case !queue.ValidInstance(from.Instance):
		return fmt.Errorf("%w: no instance", queue.ErrRefused)
	}
	role := queue.RoleDashboard
	if from.Role == queue.RoleVisitor {
		role = from.Role
	}
	w, err := s.h.Join(ctx, from.Instance, role)
	if err != nil {
		return err
	}
	s.startWork(func() {
		defer w.Close()
		s.sendAllChanges(ctx, w)
	})
	return nil
}

// sendAllChanges sends everything that a watch reports until ctx ends. If the watch fails, the run ends.
func (s *server) sendAllChanges(ctx context.Context, w queue.Watcher) {
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
}

// mostPart limits the bytes of sessions in one frame of changes.
const mostPart = 1 << 20

// sendChanges sends one batch of changes, in several frames if it is large. first: the batch has everything that is
// live.
func (s *server) sendChanges(ctx context.Context, ch queue.Changes, first bool) {
	c := changes{Drafts: ch.Drafts, Gone: ch.Gone, First: first}
	if ch.Presence {
		if list, err := s.h.Queue.Store.Present(ctx); err == nil {
			list = append([]queue.Presence{}, list...) // not nil even if nobody runs, because nil means unchanged
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
			s.sendFrame(frame{Changes: &c})
			c, size = changes{First: first}, len(raw)
		}
		c.Sessions = append(c.Sessions, raw)
	}
	s.sendFrame(frame{Changes: &c})
}

// about contains the parameters of all requests about the queue; each request uses some of them.
type about struct {
	ID       string      `json:"id,omitempty"`
	Order    order       `json:"order,omitzero"`
	Cursor   string      `json:"cursor,omitempty"`
	Limit    int         `json:"limit,omitempty"`
	Draft    queue.Draft `json:"draft,omitzero"`
	Instance string      `json:"instance,omitempty"`
}

// pageOf is the result of the request history.
type pageOf struct {
	Sessions []json.RawMessage `json:"sessions"`
	Next     string            `json:"next,omitempty"`
}

// carryOut carries out a request and returns its result.
func (s *server) carryOut(ctx context.Context, r request) (any, error) {
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
		return nil, saveDraft(ctx, store, with.Draft)
	case "drop_draft":
		return nil, store.DropDraft(ctx, with.ID, with.Instance)
	}
	return nil, fmt.Errorf("this relay does not know %q", queue.Shorten(r.Do, 40, "…"))
}

// saveDraft keeps a draft of a dashboard, whose instances are only names here. It refuses one that is larger than a
// person types, and more of them for one session than people answer it.
func saveDraft(ctx context.Context, store queue.Store, d queue.Draft) error {
	if size := draftSize(d); size > mostDraft {
		return fmt.Errorf("%w: the draft takes %d bytes, and %d are kept", queue.ErrRefused, size, mostDraft)
	}
	had, err := store.Drafts(ctx, d.Session)
	if err != nil {
		return err
	}
	is := func(kept queue.Draft) bool { return kept.Instance == d.Instance }
	if len(had) >= mostDrafts && !slices.ContainsFunc(had, is) {
		return fmt.Errorf("%w: %d drafts of this question are kept already", queue.ErrRefused, len(had))
	}
	return store.SaveDraft(ctx, d)
}

// readPage reads a page of the history that fits into a frame. A page with one session always fits.
func (s *server) readPage(ctx context.Context, cursor string, limit int) (pageOf, error) {
	for {
		page, next, err := s.h.Queue.Store.History(ctx, cursor, limit, queue.Whole)
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
