package widen

import "context"

// Deliver makes one round of the courier.
func (s *Service) Deliver(ctx context.Context) (left int, err error) {
	s.round.Lock()
	defer s.round.Unlock()
	left, _, err = s.deliverAll(ctx, ctx)
	return left, err
}
