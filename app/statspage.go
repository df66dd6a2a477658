package app

import (
	"context"
	"time"

	"github.com/choicetui/choicetui/panes"
	"github.com/choicetui/choicetui/panes/editor"
	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// statsPage is the picture of how much was asked and how it went: the last days, or all of it. The numbers are those
// of `choicetui log --stats`.
type statsPage struct {
	d     *Dashboard
	under page // what comes back with Esc; nil: question or queue
	all   bool
	stats queue.Stats
	read  int
	done  bool
	fault string
	top   int
	below int // lines below the last one shown; -1: not drawn yet
	ctx   context.Context
	stop  context.CancelFunc
}

// statsRead is what one reading has added up so far. Between two jobs nobody touches it, so the worker owns it.
type statsRead struct {
	tally  *queue.Tally
	from   time.Time
	seen   map[string]bool // what was live when it began: not counted again from the archive
	live   []queue.Session
	next   string
	read   int
	shown  int // read when the numbers were last worked out
	done   bool
	failed error
}

// openStats brings the statistics up and has them read.
func (d *Dashboard) openStats() {
	if _, open := d.page.(*statsPage); open {
		return
	}
	p := &statsPage{d: d, under: d.page}
	d.open(p)
	p.start()
}

func (p *statsPage) start() {
	if p.stop != nil {
		p.stop()
	}
	p.ctx, p.stop = context.WithCancel(context.Background())
	p.done, p.fault, p.read, p.top, p.below = false, "", 0, 0, -1
	r := &statsRead{seen: map[string]bool{}}
	now := p.d.now()
	if !p.all {
		t := now.Local()
		r.from = time.Date(t.Year(), t.Month(), t.Day()-panes.StatsDays+1, 0, 0, 0, 0, t.Location())
	}
	r.tally = queue.NewTally(r.from, now.Local().Location())
	for _, s := range p.d.live {
		r.live = append(r.live, s.At(now))
	}
	p.readOn(r)
}

// readOn adds some more of the archive up, on the worker, and comes back until all is read.
func (p *statsPage) readOn(r *statsRead) {
	store, ctx := p.d.o.Queue.Store, p.ctx
	p.d.later(func() {
		r.add(ctx, store)
		var stats *queue.Stats
		if r.done || r.failed != nil || r.read >= 2*r.shown { // working them out sorts: not each time
			s := r.tally.Stats()
			stats, r.shown = &s, r.read
		}
		p.d.post(func() { p.took(ctx, r, stats) })
	})
}

func (p *statsPage) took(ctx context.Context, r *statsRead, stats *queue.Stats) {
	if ctx.Err() != nil {
		return
	}
	if p.read = r.read; stats != nil {
		p.stats = *stats
	}
	switch {
	case r.failed != nil:
		p.fault = r.failed.Error()
	case r.done:
		p.done = true
	default:
		p.readOn(r)
	}
}

// add adds the live ones, then a few parts of the archive, which ends where everything was asked too long ago.
func (r *statsRead) add(ctx context.Context, store queue.Store) {
	for _, s := range r.live {
		r.seen[s.ID] = true
		r.tally.Add(s)
	}
	r.live = nil
	for range historyParts {
		page, next, err := store.History(ctx, r.next, historyPart)
		if err != nil {
			r.failed = err
			return
		}
		for _, s := range page {
			if !r.seen[s.ID] {
				r.tally.Add(s)
			}
		}
		r.read += len(page)
		if r.next = next; next == "" || settledAt(page[len(page)-1]).Before(r.from) {
			r.done = true
			return
		}
	}
}

func (p *statsPage) place() keys.Place     { return keys.PlaceStats }
func (p *statsPage) editor() *editor.Field { return nil }
func (p *statsPage) typed()                {}

func (p *statsPage) draw(c ink.Canvas, r ink.Rect) {
	g := p.d.glyphs
	lower := ink.Rect{X: r.X, Y: r.Y + r.H - 1, W: r.W, H: 1}
	r.H--
	v := panes.StatsView{Stats: p.stats, Today: p.d.now(), Top: p.top, Name: "statistics " + g.Dot + " " + p.span(), All: p.all}
	if v.Right = say.Number(p.stats.Asked) + " questions"; p.stats.Asked == 1 {
		v.Right = "1 question"
	}
	switch {
	case p.fault != "":
		v.Empty = "! the history cannot be read: " + say.OneLine(p.fault)
	case !p.done && p.stats.Asked == 0:
		v.Empty = "reading" + g.Ellipsis
	case p.stats.Asked == 0:
		v.Empty = "Nothing was asked in " + p.span() + "."
		if p.nothing() {
			v.Empty = "Nothing was asked yet."
		}
	}
	if !p.done && p.fault == "" {
		v.Right = "reading" + g.Ellipsis + " " + say.Number(p.read)
	}
	p.top, p.below = v.Draw(c, r)
	p.d.drawPageLower(c, lower)
}

// nothing reports whether there is nothing to count, whatever the span.
func (p *statsPage) nothing() bool { return p.done && p.stats.Asked == 0 && p.read == 0 }

func (p *statsPage) span() string {
	if p.all {
		return "all of it"
	}
	return "the last " + say.Number(panes.StatsDays) + " days"
}

func (p *statsPage) foot() panes.FootView {
	v := panes.FootView{Line: p.d.glyphs.Enter + " count all of it"}
	switch {
	case p.nothing():
		v.Line = ""
	case p.all:
		v.Line = p.d.glyphs.Enter + " only the last " + say.Number(panes.StatsDays) + " days"
	}
	v.Keys = p.d.keys.Hints(keys.PlaceStats, func(b keys.Binding) keys.Word {
		switch b.Action {
		case keys.ActHelp:
			return b.Word()
		case keys.ActPageDown:
			if p.below > 0 {
				return b.Word()
			}
		}
		return keys.Word{}
	})
	v.Keys = beforeHelp(v.Keys, p.d.escHint(keys.PlaceStats, "back", ""))
	return v
}

// beforeHelp puts the way back in front of the list of keys, which comes last.
func beforeHelp(hints []keys.Hint, back keys.Hint) []keys.Hint {
	at := max(len(hints)-1, 0)
	return append(hints[:at:at], append([]keys.Hint{back}, hints[at:]...)...)
}

func (p *statsPage) act(a keys.Action, _ string) {
	switch a {
	case keys.ActBack:
		p.stop()
		if p.d.page = p.under; p.under == nil {
			p.d.close()
		}
	case keys.ActEnter:
		if p.nothing() {
			p.d.message = "nothing to count yet"
			return
		}
		p.all = !p.all
		p.start()
	default:
		p.scroll(a)
	}
}

// scroll moves in the picture, or says why a key that would has nothing to do.
func (p *statsPage) scroll(a keys.Action) {
	to := scrolled(p.top, a, max(p.d.size.h-5, 1))
	switch {
	case to == p.top && a != keys.ActFirst:
	case p.top == 0 && p.below == 0:
		p.d.message = "all of it is on screen"
	case to > p.top && p.below == 0:
		p.d.message = "this is the end"
	case to <= 0 && p.top == 0:
		p.d.message = "this is the beginning"
	default:
		p.top = to
	}
}
