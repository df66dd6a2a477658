package app

import "github.com/choicetui/choicetui/queue"

// Counter shows outside of the screen how many questions wait: in tmux's status line.
type Counter interface {
	Show(n int) // soon; it never blocks
	Clear()     // nobody counts any more; waits for that, not for long
}

// count tells the counter, if the number has changed.
func (d *Dashboard) count() {
	if d.o.Count == nil || d.o.Attach != "" || !d.loaded || len(d.waiting) == d.counted {
		return
	}
	d.counted = len(d.waiting)
	d.o.Count.Show(d.counted)
}

// uncount takes the number away when this dashboard ends, unless another one goes on. Bridges take over from here.
func (d *Dashboard) uncount() {
	if d.o.Count == nil || d.o.Attach != "" {
		return
	}
	for instance, role := range d.present {
		if role == queue.RoleDashboard && instance != d.o.Instance {
			return
		}
	}
	d.o.Count.Clear()
}
