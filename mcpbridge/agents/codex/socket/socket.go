// Package socket talks to the app-server, the process that serves all of a person's Codex sessions, over its control
// socket. Each WebSocket frame holds one JSON-RPC message, without the member "jsonrpc".
//
//	Dial ─► is it the expected process? ─► upgrade ─► initialize ─► Send, Receive, Call
//	DialOwn ─► is it a process of this user? ─► upgrade ─► initialize ─► Write, Next: the requests of all sessions
//	Thread.Find ─► Dial ─► thread/loaded/list ─► thread/read ─► same directory?
//	Thread.Send ─► the steps of Find again, over one connection ─► turn/start
//
// Nothing is asked of a server before its process is known, and nothing is sent to a thread that it does not list.
package socket

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/coder/websocket"

	"github.com/choicetui/choicetui/config"
)

// maxMessage limits the bytes of a message that Receive reads. A longer one ends the connection.
const maxMessage = 16 << 20

// ErrNoServer reports that the expected process does not listen on its socket.
var ErrNoServer = errors.New("no app-server answers on the socket")

// Refused holds a server's error for a request that it did not carry out.
type Refused struct {
	Method, Message string
	Code            int
}

func (r *Refused) Error() string {
	return fmt.Sprintf("Codex refused %s: %s (%d)", r.Method, r.Message, r.Code)
}

// Message holds one message of either side. A request has Method and ID, a notification only Method, a response ID and
// either Result or Error.
type Message struct {
	ID     json.RawMessage `json:"id,omitempty"`
	Method string          `json:"method,omitempty"`
	Params json.RawMessage `json:"params,omitempty"`
	Result json.RawMessage `json:"result,omitempty"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error,omitempty"`
	// Cut means that the message was too long, so that Params has only the members at its beginning.
	Cut bool `json:"-"`
}

// Conn is a connection to an app-server. The server also sends notifications on its own. Only one goroutine may
// receive.
type Conn struct {
	ws     *websocket.Conn
	last   int // the id of the last request
	server int // the process id of the app-server
}

// Of returns the socket of an app-server by its process id: below the CODEX_HOME of that process if that can be
// read, else below ours.
func Of(server int) (path string) { return In(homeOf(server)) }

// In returns the socket of the app-server for a Codex home. It follows links.
func In(home string) (path string) {
	path = filepath.Join(home, "app-server-control", "app-server-control.sock")
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real // a socket's path has at most 107 bytes, so Codex may link to a shorter one
	}
	return path
}

// homeOf returns the Codex home of a process, by its environment if that can be read, else by ours.
func homeOf(server int) (dir string) {
	get := os.Getenv
	if raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", server)); err == nil {
		get = func(name string) string {
			for _, v := range strings.Split(string(raw), "\x00") {
				if value, ok := strings.CutPrefix(v, name+"="); ok {
					return value
				}
			}
			return ""
		}
	}
	if dir = get("CODEX_HOME"); dir != "" {
		return dir
	}
	if dir = get("HOME"); dir == "" {
		dir = config.Home()
	}
	return filepath.Join(dir, ".codex")
}

// Dial connects to the app-server with this process id and shakes hands. The error is ErrNoServer if nobody listens at
// path, or another process does.
func Dial(ctx context.Context, path string, server int) (*Conn, error) {
	return dialExpected(ctx, path, nil, isProcess(server))
}

// isProcess returns a check that the listening process has this id.
func isProcess(server int) func(process) error {
	return func(who process) error {
		if who.pid != server {
			return fmt.Errorf("process %d listens there, not %d", who.pid, server)
		}
		return nil
	}
}

// dialExpected connects to a socket and shakes hands, if meant accepts the process that listens there. The server does
// not send the notifications named in quiet.
func dialExpected(ctx context.Context, path string, quiet []string, meant func(process) error) (*Conn, error) {
	c := &Conn{}
	dial := func(ctx context.Context, _, _ string) (net.Conn, error) {
		conn, who, err := dialProcess(ctx, path, meant)
		c.server = who.pid
		return conn, err
	}
	client := &http.Client{Transport: &http.Transport{DialContext: dial, DisableKeepAlives: true}}
	ws, _, err := websocket.Dial(ctx, "ws://localhost/", &websocket.DialOptions{HTTPClient: client})
	if err != nil {
		return nil, fmt.Errorf("failed to reach Codex: %w", err)
	}
	ws.SetReadLimit(maxMessage)
	c.ws = ws
	if err := c.shakeHands(ctx, quiet); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// dialProcess connects to a socket if meant accepts the process that listens there.
func dialProcess(ctx context.Context, path string, meant func(process) error) (net.Conn, process, error) {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "unix", path)
	if err != nil {
		return nil, process{}, fmt.Errorf("%w: %w", ErrNoServer, err)
	}
	who, err := listenerOf(conn.(*net.UnixConn))
	if err == nil {
		err = meant(who)
	}
	if err != nil {
		conn.Close()
		return nil, who, fmt.Errorf("%w: %w", ErrNoServer, err)
	}
	return conn, who, nil
}

// process holds the ids of a process and of its user.
type process struct{ pid, uid int }

// listenerOf returns the process that listens at the other end of a connection.
func listenerOf(conn *net.UnixConn) (who process, err error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return who, err
	}
	var failed error
	err = raw.Control(func(fd uintptr) { who, failed = peer(int(fd)) })
	runtime.KeepAlive(conn)
	return who, errors.Join(err, failed)
}

// shakeHands introduces this client. The server does not send the notifications named in quiet.
func (c *Conn) shakeHands(ctx context.Context, quiet []string) error {
	can := map[string]any{"experimentalApi": true}
	if len(quiet) > 0 {
		can["optOutNotificationMethods"] = quiet
	}
	hello := map[string]any{
		"clientInfo":   map[string]string{"name": "choicetui", "title": "choicetui", "version": "0"},
		"capabilities": can,
	}
	if err := c.Call(ctx, "initialize", hello, nil); err != nil {
		return err
	}
	return c.Send(ctx, Message{Method: "initialized"})
}

// Send sends one message.
func (c *Conn) Send(ctx context.Context, m Message) error {
	raw, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("failed to write a message for Codex: %w", err)
	}
	if err := c.ws.Write(ctx, websocket.MessageText, raw); err != nil {
		return fmt.Errorf("failed to send to Codex: %w", err)
	}
	return nil
}

// Receive waits for the next message.
func (c *Conn) Receive(ctx context.Context) (m Message, err error) {
	_, raw, err := c.ws.Read(ctx)
	if err != nil {
		return m, fmt.Errorf("failed to hear from Codex: %w", err)
	}
	if err := json.Unmarshal(raw, &m); err != nil {
		return m, fmt.Errorf("failed to read what Codex sent: %w", err)
	}
	return m, nil
}

// Call sends a request, waits for its response and decodes it into result, if that is not nil. It ignores all other
// messages meanwhile, requests too: another client answers those. The error is *Refused if the server refused the
// request.
func (c *Conn) Call(ctx context.Context, method string, params, result any) error {
	raw, err := json.Marshal(params)
	if err != nil {
		return fmt.Errorf("failed to write a request for Codex: %w", err)
	}
	c.last++
	id := fmt.Sprint(c.last)
	if err := c.Send(ctx, Message{ID: json.RawMessage(id), Method: method, Params: raw}); err != nil {
		return err
	}
	for {
		m, err := c.Receive(ctx)
		switch {
		case err != nil:
			return err
		case m.Method != "" || string(m.ID) != id:
			continue
		case m.Error != nil:
			return &Refused{Method: method, Message: m.Error.Message, Code: m.Error.Code}
		case result == nil:
			return nil
		}
		if err := json.Unmarshal(m.Result, result); err != nil {
			return fmt.Errorf("failed to read what Codex said to %s: %w", method, err)
		}
		return nil
	}
}

// Close ends the connection at once.
func (c *Conn) Close() { _ = c.ws.CloseNow() }
