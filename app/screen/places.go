package screen

import (
	"context"

	"github.com/choicetui/choicetui/queue"
)

// places are where tmux panes are, such as 2:1, as far as that was asked.
type places map[string]string

func (p places) of(pane string) string { return p[pane] }

// locate learns where panes are: those of attached forms, to say `in 2:1`, and those of agents that want a
// confirmation.
func (s *Screen) locate() {
	if s.o.Locate == nil {
		return
	}
	waiting := s.desk.Waiting()
	for i := range waiting {
		w := &waiting[i]
		if w.Standing == queue.StandingAttached {
			s.locatePane(w.Attached.Pane)
		}
		if w.Ask.Confirm {
			s.locatePane(w.Origin.Pane)
		}
	}
}

func (s *Screen) locatePane(pane string) {
	if _, known := s.places[pane]; known || pane == "" {
		return
	}
	s.places[pane] = ""
	s.desk.Later(func() {
		ctx, cancel := context.WithTimeout(context.Background(), tmuxWithin)
		defer cancel()
		where := s.o.Locate(ctx, pane)
		s.desk.Do(func() { s.places[pane] = where })
	})
}
