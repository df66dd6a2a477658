package portal

import (
	"sync"
	"time"
)

// bucket lets so many through at once, and then so many a second.
type bucket struct {
	most, aSecond float64
	now           func() time.Time

	mu   sync.Mutex
	left float64
	at   time.Time
}

func newBucket(most, aSecond float64, now func() time.Time) *bucket {
	return &bucket{most: most, aSecond: aSecond, now: now, left: most, at: now()}
}

// take reports whether one more may come through now.
func (b *bucket) take() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := b.now()
	b.left = min(b.most, b.left+max(0, now.Sub(b.at).Seconds())*b.aSecond)
	b.at = now
	if b.left < 1 {
		return false
	}
	b.left--
	return true
}
