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

// bodies counts the bytes of all requests that are being served. A request counts with its announced length from the
// start. A request beyond the limit is refused at once: if it waited, it would keep the part that was already read.
type bodies struct {
	mu      sync.Mutex
	held    int64
	tidying bool // a timer will return the memory of long bodies to the system
}

// errCrowded reports that all bodies together exceed the limit.
var errCrowded = errors.New("too much is being sent at once: send it again in a few seconds")

// readBody returns a request's body. It limits the body's size and the time until it has arrived. done must be called
// when the request has been served. If ok is false, the request has been answered.
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

// countedBody counts the bytes of one body while it is read.
type countedBody struct {
	from    io.Reader
	all     *bodies
	size    int64
	counted int64 // the bytes that all counts for this body, at least size
}

// readAll reads a body. announced is its length; less than 0: it is unknown.
func (c *countedBody) readAll(announced int64) ([]byte, error) {
	var raw bytes.Buffer
	if announced > 0 {
		if err := c.count(announced); err != nil {
			return nil, err
		}
		raw.Grow(int(announced) + bytes.MinRead) // room to see that the body ends there
	}
	_, err := raw.ReadFrom(c)
	return raw.Bytes(), err
}

// Read fails with errCrowded if there is no room for the bytes that it has read.
func (c *countedBody) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	if c.size += int64(n); c.size > c.counted {
		if crowded := c.count(c.size - c.counted); crowded != nil {
			return n, crowded
		}
	}
	return n, err
}

// count counts n more bytes. If there is no room for them, it releases all bytes of this body and fails.
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

// release stops counting the bytes of this body.
func (c *countedBody) release() {
	c.all.free(c.counted, c.size > smallBody)
	c.counted = 0
}

// reserve counts n more bytes and reports true, if all bytes together are then at most most.
func (b *bodies) reserve(n, most int64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.held+n > most {
		return false
	}
	b.held += n
	return true
}

// free counts n bytes less. After a long body it returns memory to the system a little later, because an idle server
// would keep it.
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
