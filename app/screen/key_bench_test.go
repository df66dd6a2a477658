package screen

import (
	"testing"

	"github.com/choicetui/choicetui/queue"
)

// BenchmarkKey is a motion and the frame after it, with a hundred questions waiting, at 120×40.
func BenchmarkKey(b *testing.B) {
	s := newBenchWith(b, 120, 40, func(*Options) {})
	for range 100 {
		_, err := s.o.Queue.Create(b.Context(), queue.Session{Ask: database(), Origin: shop()})
		if err != nil {
			b.Fatal(err)
		}
	}
	s.settle()
	s.draw()
	down, up := event("j"), event("k")
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if i%2 == 0 {
			s.Key(down)
		} else {
			s.Key(up)
		}
		s.draw()
	}
}
