package screen

import (
	"context"

	"github.com/choicetui/choicetui/queue"
)

// places holds the positions of tmux panes, such as 2:1, as far as they were looked up.
type places map[string]string

func (p places) of(pane string) string { return p[pane] }

// locate learns where panes are: those of attached forms, to say `in 2:1`, and those of agents that want a
// confirmation.
func (p places) locate(s *Screen) {
	if s.o.Locate == nil {
		return
	}
	waiting := s.desk.Waiting()
	for i := range waiting {
		w := &waiting[i]
		if w.Standing == queue.StandingAttached {
			p.locatePane(s, w.Attached.Pane)
		}
		if w.Ask.Confirm {
			p.locatePane(s, w.Origin.Pane)
		}
	}
}

func (p places) locatePane(s *Screen, pane string) {
	if _, known := p[pane]; known || pane == "" {
		return
	}
	p[pane] = ""
	s.desk.Later(func() {
		ctx, cancel := context.WithTimeout(context.Background(), tmuxWithin)
		defer cancel()
		where := s.o.Locate(ctx, pane)
		s.desk.Do(func() { p[pane] = where })
	})
}
