package desk

import "sync"

// inbox lets other goroutines reach the owner: they leave functions in it, and a doorbell says so.
type inbox struct {
	mu   sync.Mutex
	list []func()
	bell chan struct{}
}

func newInbox() *inbox { return &inbox{bell: make(chan struct{}, 1)} }

// Do has f run by the owner, soon; from any goroutine, never waiting.
func (i *inbox) Do(f func()) {
	i.mu.Lock()
	i.list = append(i.list, f)
	i.mu.Unlock()
	select {
	case i.bell <- struct{}{}:
	default:
	}
}

// Bell rings when Drain has something to do; it holds one ring, so a burst is one Drain.
func (i *inbox) Bell() <-chan struct{} { return i.bell }

// Drain runs the functions that Do was given; only the owner calls it.
func (i *inbox) Drain() {
	i.mu.Lock()
	list := i.list
	i.list = nil
	i.mu.Unlock()
	for _, f := range list {
		f()
	}
}
