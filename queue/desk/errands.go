package desk

import "sync"

// errands run beside the owner and the worker: tmux may take seconds, and answers must not wait for it.
type errands struct {
	start   func(func()) // starts a goroutine
	running sync.WaitGroup
}

// run has an errand done; f hands what came of it over by Desk.Do.
func (e *errands) run(f func()) {
	e.running.Add(1)
	e.start(func() {
		defer e.running.Done()
		f()
	})
}

// wait waits for those that are under way, not for long.
func (e *errands) wait() { runsSoon(e.running.Wait) }
