package screen

import (
	"runtime"
	"runtime/debug"
	"time"
)

const (
	gcPercent = 25 // a pane that is open all day holds little memory; frames are too rare to feel it
	tidyAfter = 3 * time.Second
)

// memory keeps a pane that waits for days small, and on one processor: that is enough to wait with, and handing work
// from thread to thread is most of what a tick of the clock costs.
type memory struct {
	processors int       // how many the program may use; 0 where it is not the only one in its process
	tidied     time.Time // when what work took was last given back
}

// spread lets the program use several processors, for the pages that read much, or one.
func (m *memory) spread(wide bool) {
	n := 1
	if wide {
		n = m.processors
	}
	if m.processors > 1 && runtime.GOMAXPROCS(0) != n {
		runtime.GOMAXPROCS(n)
	}
}

// tidy gives back what work took, once after the person has stopped.
func (m *memory) tidy(s *Screen, now time.Time) {
	last := s.seat.LastKey()
	if m.processors == 0 || s.frame.page() != nil || !m.tidied.Before(last) || now.Sub(last) < tidyAfter {
		return
	}
	m.tidied = now
	s.start(debug.FreeOSMemory)
}
