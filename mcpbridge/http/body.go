package http

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime/debug"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/choicetui/choicetui/mcpbridge/rpc"
)

// bodies counts the bytes of all requests that are being served, from their announced length on. A request beyond the
// limit is refused at once: if it waited for room, it would hold the part that was read so far.
type bodies struct {
	mu      sync.Mutex
	held    int64
	tidying bool // a timer will give back the memory of long bodies
}

// errCrowded is returned if all bodies together are too long.
var errCrowded = errors.New("too much is being sent at once: send it again in a few seconds")

// readBody returns a request's body, which must arrive within its time and size; the call itself has no limit of time.
// done must be called when the request has been served.
func (b *bodies) readBody(w http.ResponseWriter, r *http.Request) (raw []byte, done func(), ok bool) {
	conn := http.NewResponseController(w)
	_ = conn.SetReadDeadline(time.Now().Add(bodyWithin))
	c := &countedBody{from: http.MaxBytesReader(w, r.Body, rpc.MaxMessage), all: b}
	raw, err := c.readAll(min(r.ContentLength, rpc.MaxMessage))
	_ = conn.SetReadDeadline(time.Time{})
	var big *http.MaxBytesError
	switch {
	case errors.As(err, &big):
		why := fmt.Sprintf("message is longer than %d bytes", rpc.MaxMessage)
		writeJSON(w, http.StatusRequestEntityTooLarge, rpc.Refuse(nil, mcp.INVALID_REQUEST, why))
	case errors.Is(err, errCrowded):
		refuseBusy(w, nil, err.Error())
	case err != nil:
		http.Error(w, "the request's body did not arrive", http.StatusBadRequest)
	}
	return raw, c.release, err == nil
}

// countedBody counts a body's bytes while it is read.
type countedBody struct {
	from    io.Reader
	all     *bodies
	size    int64
	counted int64 // no less than size
}

// readAll reads a body. announced is its length; less than 0: unknown.
func (c *countedBody) readAll(announced int64) ([]byte, error) {
	var raw bytes.Buffer
	if announced > 0 {
		if err := c.count(announced); err != nil {
			return nil, err
		}
		raw.Grow(int(announced) + bytes.MinRead) // enough to see that it ends there
	}
	_, err := raw.ReadFrom(c)
	return raw.Bytes(), err
}

// Read fails with errCrowded if there is no room for the bytes that it read.
func (c *countedBody) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	if c.size += int64(n); c.size > c.counted {
		if crowded := c.count(c.size - c.counted); crowded != nil {
			return n, crowded
		}
	}
	return n, err
}

// count adds n bytes, or fails and releases all bytes of this body.
func (c *countedBody) count(n int64) error {
	most := int64(maxBodies)
	if c.counted+n <= smallBody {
		most += forSmall
	}
	if c.all.reserve(n, most) {
		c.counted += n
		return nil
	}
	c.release()
	return errCrowded
}

// release releases all bytes of this body.
func (c *countedBody) release() {
	c.all.free(c.counted, c.size > smallBody)
	c.counted = 0
}

// reserve adds n bytes, and reports whether all bytes are at most most. If not, it adds nothing.
func (b *bodies) reserve(n, most int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.held+n > most {
		return false
	}
	b.held += n
	return true
}

// free subtracts n bytes. A long body leaves more than its length to the garbage collector, and an idle server would
// keep that memory.
func (b *bodies) free(n int64, long bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.held -= n
	if !long || b.tidying {
		return
	}
	b.tidying = true
	time.AfterFunc(tidyAfter, func() {
		b.mu.Lock()
		b.tidying = false
		b.mu.Unlock()
		debug.FreeOSMemory()
	})
}
