package widen

import "context"

// Deliver makes one round of the courier.
func (c *Courier) Deliver(ctx context.Context) (left int, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	left, _, err = c.deliverAll(ctx, ctx)
	return left, err
}
