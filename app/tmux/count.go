package tmux

import (
	"context"
	"strconv"
	"sync"
	"time"
)

// CountOption is the global tmux option that holds the number of pending questions; it is not set at zero. A status
// line shows it without polling: #{?@choicetui_count,#{@choicetui_count} waiting,}.
const CountOption = "@choicetui_count"

// Counter keeps CountOption at the latest number it was told. Nobody waits for tmux: a burst becomes one call.
// The zero Counter is ready.
type Counter struct {
	mu    sync.Mutex
	want  int
	shown int // the number that tmux has; known is false before the first one
	known bool
	idle  chan struct{} // closed while no goroutine runs; nil: there was never one
}

// Show has tmux show n, soon.
func (c *Counter) Show(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.want = n
	if c.idle == nil || closed(c.idle) {
		c.idle = make(chan struct{})
		go c.run(c.idle)
	}
}

// Clear takes the number away and waits for that, but not for long.
func (c *Counter) Clear() {
	c.Show(0)
	c.Wait()
}

// Wait returns when tmux shows the latest number, or after a second.
func (c *Counter) Wait() {
	c.mu.Lock()
	idle := c.idle
	c.mu.Unlock()
	if idle == nil {
		return
	}
	select {
	case <-idle:
	case <-time.After(time.Second):
	}
}

func closed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// run tells tmux until it shows the latest number, and then ends: it does not wait for the next one. It uses no
// context, because the last number is told while the process leaves, when its context is over. Each call of tmux ends
// by the deadline of package tmux, and Wait bounds how long a process that leaves is kept by it.
func (c *Counter) run(idle chan struct{}) {
	for {
		c.mu.Lock()
		n := c.want
		if c.known && c.shown == n {
			close(idle)
			c.mu.Unlock()
			return
		}
		c.mu.Unlock()
		_ = ShowCount(context.Background(), n) // without tmux there is no status line to be wrong
		c.mu.Lock()
		c.shown, c.known = n, true
		c.mu.Unlock()
	}
}

// ShowCount has tmux show n, and returns when it does. A process that shows the count once calls it; a process that
// keeps counting has a Counter.
func ShowCount(ctx context.Context, n int) error {
	if n <= 0 {
		_, err := run(ctx, "set-option", "-gqu", CountOption)
		return err
	}
	_, err := run(ctx, "set-option", "-g", CountOption, strconv.Itoa(n))
	return err
}
