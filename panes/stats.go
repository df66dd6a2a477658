package panes

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// StatsDays is how many days the chart shows at most, and the statistics cover unless all are asked for.
const StatsDays = 30

// StatsView is a picture of how much was asked, how long answers took and how it ended.
type StatsView struct {
	Stats       queue.Stats
	Today       time.Time
	All         bool // the numbers are of all that was ever asked, not of the last StatsDays
	Name, Right string
	Empty       string // in place of the picture
	Top         int
}

const (
	statsColumns = 76 // cells from which on there are two columns
	statsBars    = 48 // cells of a bar at most
	statsAgents  = 8  // rows of agents
)

// Draw draws the page into r, rule included, and returns the first line shown, kept within the picture, and how many
// lines are below.
func (v StatsView) Draw(c ink.Canvas, r ink.Rect) (top, below int) {
	ink.DrawNamedRule(c, r.Row(0), v.Name, v.Right)
	if v.Empty != "" {
		for i, l := range ink.Wrap(v.Empty, r.W-4) {
			c.Put(r.X+2, r.Y+2+i, r.W-3, ink.Plain, l)
		}
		return 0, 0
	}
	lines := v.lines(c.Glyphs, r.W-3, r.H-2)
	room := r.H - 1
	if len(lines) < room { // air under the rule, where there is some
		r.Y, room = r.Y+1, room-1
	}
	if len(lines) > room {
		room--
	}
	top = min(max(v.Top, 0), max(len(lines)-room, 0))
	for n := range min(room, len(lines)-top) {
		c.PutLine(r.X+2, r.Y+1+n, r.W-2, lines[top+n])
	}
	below = max(len(lines)-top-room, 0)
	c.Put(r.X, r.Y+1+room, r.W, ink.Plain, outOfSight(c.Glyphs, top, below))
	return top, below
}

// lines is the picture at w cells: two columns side by side where they fit, else one.
func (v StatsView) lines(g ink.Glyphs, w, h int) []ink.Line {
	d := statsDrawing{StatsView: v, g: g, w: w, high: 5}
	if h >= 30 {
		d.high = 10
	}
	if w < statsColumns {
		return stack(d.questions(), d.medians(), d.spread(), d.outcomes(), d.agents())
	}
	const gutter, leastRight = 4, 38
	cells := min(max((w-gutter-leastRight-axis)/StatsDays, 1), 4)
	d.w = axis + cells*StatsDays // the charts decide how wide the left one is
	left := stack(d.questions(), d.medians(), d.outcomes())
	leftW := d.w
	d.w = w - gutter - leftW
	right := stack(d.spread(), d.agents())
	var lines []ink.Line
	for i := range max(len(left), len(right)) {
		var l ink.Line
		if i < len(left) {
			l = left[i]
		}
		if i < len(right) {
			l = append(l[:len(l):len(l)], ink.Span{Text: strings.Repeat(" ", leftW+gutter-l.Width()), Style: ink.Plain})
			l = append(l, right[i]...)
		}
		lines = append(lines, l)
	}
	return lines
}

// stack puts parts below each other with an empty line between.
func stack(parts ...[]ink.Line) []ink.Line {
	var lines []ink.Line
	for _, p := range parts {
		if len(p) > 0 && len(lines) > 0 {
			lines = append(lines, ink.Line{})
		}
		lines = append(lines, p...)
	}
	return lines
}

// statsDrawing draws the parts at one width.
type statsDrawing struct {
	StatsView
	g       ink.Glyphs
	w, high int
}

func heading(text string) ink.Line { return ink.Line{{Text: text, Style: ink.Bold}} }

const axis = 5 // cells left of a chart

// days are the last days' numbers, oldest first, as many as fit, and the cells each takes.
func (d statsDrawing) days() (days []queue.DayStats, cells int) {
	n := StatsDays
	if d.w-axis < n {
		n = 14
	}
	known := map[string]queue.DayStats{}
	for _, day := range d.Stats.Days {
		known[day.Date] = day
	}
	t := d.Today.Local()
	for i := n - 1; i >= 0; i-- {
		date := time.Date(t.Year(), t.Month(), t.Day()-i, 12, 0, 0, 0, t.Location()).Format(time.DateOnly)
		day := known[date]
		day.Date = date
		days = append(days, day)
	}
	return days, min(max((d.w-axis)/n, 1), 4)
}

// questions is the chart of questions a day.
func (d statsDrawing) questions() []ink.Line {
	days, cells := d.days()
	values, most := make([]float64, len(days)), 0
	for i, day := range days {
		values[i] = float64(day.Asked)
		most = max(most, day.Asked)
	}
	lines := []ink.Line{d.fitting(d.ofDays("Questions a day", len(days)))}
	lines = append(lines, d.chart(values, float64(max(most, 1)), d.high, cells, say.Number(most))...)
	first, _ := time.Parse(time.DateOnly, days[0].Date)
	from, to := first.Format("2 Jan"), "today"
	gap := max(len(days)*cells-ink.Width(from)-ink.Width(to), 1)
	return append(lines, ink.Line{{Text: strings.Repeat(" ", axis) + from + strings.Repeat(" ", gap) + to,
		Style: ink.Plain}})
}

// ofDays names a chart and the days it shows, where these are not what the page is about.
func (d statsDrawing) ofDays(name string, days int) []string {
	if !d.All && days == StatsDays {
		return []string{name}
	}
	return []string{fmt.Sprintf("%s, last %d days", name, days), fmt.Sprintf("%s, %d days", name, days), fmt.Sprintf("%d days", days)}
}

// fitting is the first heading there is room for, else the last.
func (d statsDrawing) fitting(names []string) ink.Line {
	for _, n := range names {
		if ink.Width(n) <= d.w {
			return heading(n)
		}
	}
	return heading(ink.Cut(names[len(names)-1], d.w, d.g.Ellipsis))
}

// medians is how long half of each day's answers took, on a scale of factors, as it says: seconds and hours both show.
func (d statsDrawing) medians() []ink.Line {
	days, cells := d.days()
	values, longest := make([]float64, len(days)), queue.Seconds(0)
	for i, day := range days {
		if day.Answered > 0 {
			values[i] = math.Log2(2 + float64(day.Median)/float64(time.Second))
			longest = max(longest, day.Median)
		}
	}
	if longest == 0 {
		return nil
	}
	most := math.Log2(2 + float64(longest)/float64(time.Second))
	name := d.fitting([]string{"Half answered within, each day (log scale)", "Half answered within (log scale)", "Half within (log scale)"})
	return append([]ink.Line{name}, d.chart(values, most, 2, cells, say.Took(time.Duration(longest)))...)
}

// chart draws columns with so many rows; label names the height of the highest.
func (d statsDrawing) chart(values []float64, most float64, rows, cells int, label string) []ink.Line {
	steps := upward(d.g)
	bar, gap := cells, 0
	if cells > 1 {
		bar, gap = cells-1, 1
	}
	lines := make([]ink.Line, rows)
	for row := range rows {
		var b strings.Builder
		if row == 0 {
			label = ink.Cut(label, axis, d.g.Ellipsis)
			b.WriteString(strings.Repeat(" ", max(axis-1-ink.Width(label), 0)) + label + strings.Repeat(" ", min(axis-ink.Width(label), 1)))
		} else {
			b.WriteString(strings.Repeat(" ", axis))
		}
		floor := float64(rows-1-row) * float64(len(steps)-1)
		for _, v := range values {
			full := v / most * float64(rows*(len(steps)-1))
			if v > 0 {
				full = max(full, 1) // a little is not nothing
			}
			step := min(max(int(math.Round(full-floor)), 0), len(steps)-1)
			b.WriteString(strings.Repeat(steps[step], bar) + strings.Repeat(" ", gap))
		}
		lines[row] = ink.Line{{Text: strings.TrimRight(b.String(), " "), Style: ink.Plain}}
	}
	return lines
}

// spread is how long answers took, all together.
func (d statsDrawing) spread() []ink.Line {
	a := d.Stats.Answer
	if a.Answered == 0 {
		return []ink.Line{heading("Time to answer"), {{Text: "nothing answered yet", Style: ink.Plain}}}
	}
	lines := []ink.Line{heading("Time to answer"),
		{{Text: "half in ", Style: ink.Plain}, {Text: say.Took(time.Duration(a.Median)), Style: ink.Bold},
			{Text: ", nine of ten in ", Style: ink.Plain}, {Text: say.Took(time.Duration(a.P90)), Style: ink.Bold}}}
	last, most := 0, 1
	for i, s := range a.Spread {
		if s.Count > 0 {
			last = i
		}
		most = max(most, s.Count)
	}
	for i, s := range a.Spread[:last+1] {
		label := "longer"
		if s.Under > 0 {
			label = "< " + say.Took(time.Duration(s.Under))
		} else if i == 0 {
			label = ""
		}
		lines = append(lines, d.bar(label, 8, s.Count, most, percent(s.Count, a.Answered), ink.Plain))
	}
	return lines
}

// outcomes is how sessions ended, as shares.
func (d statsDrawing) outcomes() []ink.Line {
	lines, settled := []ink.Line{heading("How they ended")}, 0
	for _, o := range d.Stats.Outcomes {
		settled += o.Count
	}
	for _, o := range d.Stats.Outcomes {
		name, style := say.Ended(o.Outcome), ink.Plain
		switch o.Outcome {
		case queue.StatusSelected:
			name, style = "chosen", ink.Good
		case queue.StatusCustom:
			name, style = "own words", ink.Good
		case queue.StatusTimeout:
			style = ink.Danger
		case queue.StatusDeferred:
			if o.Count == 0 {
				continue
			}
		}
		lines = append(lines, d.bar(name, 10, o.Count, max(settled, 1),
			percent(o.Count, settled)+"  "+right(say.Number(o.Count), 6), style))
	}
	if d.Stats.Waiting > 0 {
		waits := " wait now"
		if d.Stats.Waiting == 1 {
			waits = " waits now"
		}
		lines = append(lines, ink.Line{{Text: say.Number(d.Stats.Waiting) + waits, Style: ink.Plain}})
	}
	return lines
}

// agents are those who asked most.
func (d statsDrawing) agents() []ink.Line {
	list := d.Stats.Agents
	if len(list) == 0 {
		return nil
	}
	most, name := max(list[0].Asked, 1), 8
	for i, a := range list {
		if i < statsAgents {
			name = max(name, ink.Width(a.Agent))
		}
	}
	name = min(name, max(d.w*2/5, 10)) + 2
	columns := func(asked, took string) string { return right(asked, 6) + right(took, 9) }
	if d.w < 36 {
		columns = func(asked, took string) string { return right(asked, 6) + right(took, 6) }
	}
	head := ink.Line{{Text: "By agent", Style: ink.Bold}}
	if cells := d.barEnd(name, columns("", "")) - ink.Width("By agent"); cells > 0 {
		words := columns("asked", "half in")
		if d.w < 36 {
			words = columns("asked", "half")
		}
		head = append(head, ink.Span{Text: strings.Repeat(" ", cells) + " " + words, Style: ink.Plain})
	}
	lines := []ink.Line{head}
	for i, a := range list {
		if i == statsAgents && len(list) > statsAgents+1 {
			return append(lines, ink.Line{{Text: fmt.Sprintf("and %s more", say.Number(len(list)-statsAgents)),
				Style: ink.Plain}})
		}
		took := d.g.Rule
		if a.Answered > 0 {
			took = say.Took(time.Duration(a.Median))
		}
		lines = append(lines, d.bar(ink.Cut(a.Agent, name-2, d.g.Ellipsis), name, a.Asked, most,
			columns(say.Number(a.Asked), took), ink.Plain))
	}
	return lines
}

// bar is one row: a label of so many cells, a bar, and words behind the longest one.
func (d statsDrawing) bar(label string, cells, n, most int, tail string, style ink.Style) ink.Line {
	room := d.barEnd(cells, tail) - cells
	drawn := across(d.g, float64(n)/float64(most)*float64(room), n > 0)
	return ink.Line{
		{Text: label + strings.Repeat(" ", max(cells-ink.Width(label), 0)), Style: ink.Plain},
		{Text: drawn, Style: style},
		{Text: strings.Repeat(" ", max(room-ink.Width(drawn), 0)) + " " + tail, Style: ink.Plain},
	}
}

// barEnd is where the longest bar ends behind a label of so many cells.
func (d statsDrawing) barEnd(cells int, tail string) int {
	return cells + min(max(d.w-cells-ink.Width(tail)-1, 3), statsBars)
}

func percent(n, of int) string {
	if of == 0 {
		return right("0 %", 5)
	}
	p := 100 * float64(n) / float64(of)
	if p > 0 && p < 1 {
		return right("<1 %", 5)
	}
	return right(fmt.Sprintf("%.0f %%", p), 5)
}

func right(s string, w int) string { return strings.Repeat(" ", max(w-ink.Width(s), 0)) + s }

// upward are the steps of a column's cell, the empty one first.
func upward(g ink.Glyphs) []string {
	if g.Rule == ink.ASCII.Rule {
		return []string{" ", ".", ":", "#"}
	}
	return []string{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}
}

// across is a bar of so many cells, in eighths where the terminal has them; some: at least a sliver.
func across(g ink.Glyphs, cells float64, some bool) string {
	if g.Rule == ink.ASCII.Rule {
		n := int(math.Round(cells))
		if some {
			n = max(n, 1)
		}
		return strings.Repeat("#", n)
	}
	eighths := int(math.Round(cells * 8))
	if some {
		eighths = max(eighths, 1)
	}
	return strings.Repeat("█", eighths/8) + []string{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"}[eighths%8]
}
