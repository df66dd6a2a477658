package tmux

import (
	"context"
	"strconv"
	"sync"
	"time"
)

// CountOption is the global tmux option with the number of pending questions; it is not set at zero. A status line
// shows it without polling: #{?@choicetui_count,#{@choicetui_count} waiting,}.
const CountOption = "@choicetui_count"

// Counter keeps CountOption at the latest number. Its caller never waits for tmux, and a burst of numbers becomes one
// call. The zero Counter is ready to use.
type Counter struct {
	mu    sync.Mutex
	want  int
	shown int // the number that tmux shows, if known is set
	known bool
	idle  chan struct{} // closed while no goroutine runs; nil: none was ever started
}

// Show makes tmux show n soon.
func (c *Counter) Show(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.want = n
	if c.idle == nil || isClosed(c.idle) {
		c.idle = make(chan struct{})
		go c.showLatest(c.idle)
	}
}

// Clear removes the number and waits for that, for a second at most.
func (c *Counter) Clear() {
	c.Show(0)
	c.Wait()
}

// Wait waits until tmux shows the latest number, for a second at most.
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

func isClosed(c chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

// showLatest calls tmux until it shows the latest number, and then ends. It uses no context, because the last number is
// set while the process ends, when its context is over. Each call of tmux has the deadline of this package, and Wait
// limits how long the end of the process is delayed.
func (c *Counter) showLatest(idle chan struct{}) {
	for {
		c.mu.Lock()
		n := c.want
		if c.known && c.shown == n {
			close(idle)
			c.mu.Unlock()
			return
		}
		c.mu.Unlock()
		_ = ShowCount(context.Background(), n) // without tmux there is no status line
		c.mu.Lock()
		c.shown, c.known = n, true
		c.mu.Unlock()
	}
}

// ShowCount makes tmux show n, and returns when it does. It is for a process that sets the number once; others use a
// Counter.
func ShowCount(ctx context.Context, n int) error {
	if n <= 0 {
		_, err := runTmux(ctx, "set-option", "-gqu", CountOption)
		return err
	}
	_, err := runTmux(ctx, "set-option", "-g", CountOption, strconv.Itoa(n))
	return err
}
