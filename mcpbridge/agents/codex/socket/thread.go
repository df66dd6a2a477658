package socket

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/choicetui/choicetui/queue"
)

// Reasons why a thread cannot be sent a text.
var (
	ErrNotLoaded = errors.New("the thread is not loaded")
	ErrElsewhere = errors.New("the thread works in another directory")
	ErrDeaf      = errors.New("the thread takes no direct input")
)

// Thread identifies a session of Codex, with the values that an agent's call gave.
type Thread struct {
	Socket string // the socket of its app-server; see Of
	Server int    // the process id of the app-server
	ID     string
	Cwd    string // the agent's working directory
}

// Find returns nil if the thread can be sent a text. Else the error is ErrNoServer, ErrNotLoaded, ErrElsewhere,
// ErrDeaf, *Refused, or that of the connection. Find changes nothing.
func (t Thread) Find(ctx context.Context) error {
	c, err := t.open(ctx)
	if err == nil {
		c.Close()
	}
	return err
}

// Send gives a text to the thread as if the person had typed it there: Codex starts a turn with it, or adds it to the
// turn that runs. It fails as Find does before it sends anything. After that the error is *Refused if Codex did not
// take the text, and *queue.Doubt if nobody knows.
func (t Thread) Send(ctx context.Context, text string) error {
	if queue.Blank(text) {
		return errors.New("there is no text to send")
	}
	c, err := t.open(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	turn := map[string]any{
		"threadId": t.ID,
		"input":    []map[string]string{{"type": "text", "text": text}},
	}
	err = c.Call(ctx, "turn/start", turn, nil)
	var refused *Refused
	if err != nil && !errors.As(err, &refused) {
		return &queue.Doubt{Err: err}
	}
	return err
}

// open connects to the thread's server and checks that the thread can be sent a text.
func (t Thread) open(ctx context.Context) (*Conn, error) {
	c, err := Dial(ctx, t.Socket, t.Server)
	if err != nil {
		return nil, err
	}
	if err := t.checkLoaded(ctx, c); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// checkLoaded checks that the server has the thread open, in the expected directory, and that the thread accepts input.
func (t Thread) checkLoaded(ctx context.Context, c *Conn) error {
	switch loaded, err := c.loadedThreads(ctx); {
	case err != nil:
		return err
	case t.ID == "" || !slices.Contains(loaded, t.ID):
		return ErrNotLoaded
	}
	var answer struct {
		Thread struct {
			ID      string `json:"id"`
			Cwd     string `json:"cwd"`
			Accepts *bool  `json:"canAcceptDirectInput"` // null: Codex does not say
		} `json:"thread"`
	}
	if err := c.Call(ctx, "thread/read", map[string]any{"threadId": t.ID}, &answer); err != nil {
		return err
	}
	switch is := answer.Thread; {
	case is.ID != t.ID:
		return ErrNotLoaded
	case !sameDir(is.Cwd, t.Cwd):
		return fmt.Errorf("%w: %s", ErrElsewhere, is.Cwd)
	case is.Accepts != nil && !*is.Accepts:
		return ErrDeaf
	}
	return nil
}

// maxPages limits the pages of a list that are read.
const maxPages = 100

// loadedThreads returns the ids of the threads that the server has open.
func (c *Conn) loadedThreads(ctx context.Context) (all []string, err error) {
	var cursor *string
	for range maxPages {
		var page struct {
			Data       []string `json:"data"`
			NextCursor *string  `json:"nextCursor"`
		}
		if err := c.Call(ctx, "thread/loaded/list", map[string]any{"cursor": cursor}, &page); err != nil {
			return nil, err
		}
		all = append(all, page.Data...)
		if cursor = page.NextCursor; cursor == nil {
			break
		}
	}
	return all, nil
}

// sameDir reports whether two paths name the same directory; false if either is unknown.
func sameDir(a, b string) bool {
	if a == "" || b == "" {
		return false
	}
	if filepath.Clean(a) == filepath.Clean(b) {
		return true
	}
	one, err := os.Stat(a)
	other, failed := os.Stat(b)
	return err == nil && failed == nil && os.SameFile(one, other)
}
