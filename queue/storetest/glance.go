package storetest

import "context"

// Glance returns a context under which a Memory's watcher reports what there is, and else does not wait: a test that
// drives everything by hand neither sleeps nor misses a change on a busy machine. It is good for one call of Next.
func Glance() context.Context { return &glance{Context: context.Background()} }

type glance struct {
	context.Context
	looked bool
}

var over = func() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()

// Done is over from the start, which Next asks about last.
func (g *glance) Done() <-chan struct{} { return over }

// Err is nil once, so that Next looks before it gives up.
func (g *glance) Err() error {
	if g.looked {
		return context.Canceled
	}
	g.looked = true
	return nil
}
