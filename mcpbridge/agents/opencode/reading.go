package opencode

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/choicetui/choicetui/config/whole"
	"github.com/choicetui/choicetui/queue"
)

// What an agent was doing is never stored. A dashboard on the same machine asks the process that serves the agent's
// plugin for it, over a socket that only this user can open:
//
//	ReadSession ─ the session's id ─► Plugin ─► the agent's plugin ─► its messages ─► ReadSession

const (
	// MaxSession limits the bytes of a session's messages.
	MaxSession = 512 << 10
	// readWithin limits the wait for the messages.
	readWithin = 2 * time.Second
	// mostReaders limits the connections that are served at a time.
	mostReaders = 4
)

// ErrUnread reports that a session cannot be read through its agent's plugin.
var ErrUnread = errors.New("the agent's plugin does not say what it was doing")

// instanceName matches the names of instances, which are parts of file names.
var instanceName = regexp.MustCompile(`^[0-9A-Za-z_-]{1,64}$`)

// socketOf returns the path of an intake's socket in dir.
func socketOf(dir, instance string) string { return filepath.Join(dir, "read-"+instance) }

// ReadSession returns the messages of the session that asks, in the agent's own format. dir is the directory for the
// files of running processes. The error is ErrUnread if the process that asked for the agent cannot tell.
func ReadSession(ctx context.Context, dir string, o queue.Origin) ([]byte, error) {
	if !instanceName.MatchString(o.Instance) || o.Thread == "" || !whole.IsPrivate(dir) {
		return nil, ErrUnread
	}
	ctx, cancel := context.WithTimeout(ctx, readWithin)
	defer cancel()
	var d net.Dialer
	conn, err := d.DialContext(ctx, "unix", socketOf(dir, o.Instance))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnread, err)
	}
	defer conn.Close()
	if end, ok := ctx.Deadline(); ok {
		_ = conn.SetDeadline(end)
	}
	if _, err := io.WriteString(conn, o.Thread+"\n"); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnread, err)
	}
	raw, err := io.ReadAll(io.LimitReader(conn, MaxSession+1))
	if err != nil || len(raw) == 0 || len(raw) > MaxSession {
		return nil, ErrUnread
	}
	return raw, nil
}

// letRead lets dashboards read the session of a prompt while the prompt is open, if the plugin can. Plugin.mu is held.
func (p *Plugin) letRead(ctx context.Context) {
	if p.Dir == "" || p.reads {
		return
	}
	p.reads = true
	if err := os.MkdirAll(p.Dir, 0o700); err != nil || !whole.IsPrivate(p.Dir) {
		return
	}
	l, err := net.Listen("unix", socketOf(p.Dir, p.intake.Instance()))
	if err != nil {
		return // then a dashboard shows what it finds elsewhere
	}
	context.AfterFunc(ctx, func() { _ = l.Close() })
	p.asking.Go(func() { p.serveReaders(ctx, l) })
}

// serveReaders answers dashboards until the listener is closed.
func (p *Plugin) serveReaders(ctx context.Context, l net.Listener) {
	free := make(chan struct{}, mostReaders)
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		free <- struct{}{}
		p.asking.Go(func() {
			defer func() { <-free }()
			defer conn.Close()
			_ = conn.SetDeadline(time.Now().Add(readWithin))
			session, err := bufio.NewReaderSize(io.LimitReader(conn, 256), 256).ReadString('\n')
			if err != nil {
				return
			}
			if raw := p.messagesOf(ctx, strings.TrimSuffix(session, "\n")); len(raw) <= MaxSession {
				_, _ = conn.Write(raw)
			}
		})
	}
}

// messagesOf asks the plugin for the messages of a session that has a prompt open; nil: there are none.
func (p *Plugin) messagesOf(ctx context.Context, session string) json.RawMessage {
	ctx, cancel := context.WithTimeout(ctx, readWithin)
	defer cancel()
	directory, found := "", false
	p.mu.Lock()
	for _, one := range p.open {
		if one.session == session && one.line.Reads && session != "" {
			directory, found = one.line.Directory, true
		}
	}
	p.mu.Unlock()
	if !found {
		return nil
	}
	request := &openPrompt{taken: make(chan bool, 1), read: make(chan json.RawMessage, 1)}
	forget, sent := p.sendRequest(request, "read", lineBody{Session: session, Directory: directory})
	defer forget()
	if !sent {
		return nil
	}
	select {
	case raw := <-request.read:
		return raw
	case <-request.taken: // the plugin has no messages
	case <-ctx.Done():
	}
	return nil
}
