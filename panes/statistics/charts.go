package statistics

import (
	"cmp"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// drawing draws the parts of the statistics at one width.
type drawing struct {
	view
	g       ink.Glyphs
	w, high int
}

func heading(text string) ink.Line { return ink.Line{{Text: text, Style: ink.Bold}} }

const axis = 5 // the number of cells left of a chart, for its labels

// days returns the numbers of the last days, as many days as fit, oldest first, and how many cells each day has.
func (d drawing) days() (days []queue.DayStats, cells int) {
	n := Days
	if d.w-axis < n {
		n = 14
	}
	known := map[string]queue.DayStats{}
	for _, day := range d.stats.Days {
		known[day.Date] = day
	}
	t := d.today.Local()
	for i := n - 1; i >= 0; i-- {
		date := time.Date(t.Year(), t.Month(), t.Day()-i, 12, 0, 0, 0, t.Location()).Format(time.DateOnly)
		day := known[date]
		day.Date = date
		days = append(days, day)
	}
	return days, min(max((d.w-axis)/n, 1), 4)
}

// questions returns the lines of the chart of questions a day.
func (d drawing) questions() []ink.Line {
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

// ofDays returns names for a chart, longest first. They say how many days it shows if the rest of the page is about
// other days.
func (d drawing) ofDays(name string, days int) []string {
	if !d.all && days == Days {
		return []string{name}
	}
	return []string{fmt.Sprintf("%s, last %d days", name, days), fmt.Sprintf("%s, %d days", name, days),
		fmt.Sprintf("%d days", days)}
}

// fitting returns the first of the names that fits as a heading, else the last one, cut.
func (d drawing) fitting(names []string) ink.Line {
	for _, n := range names {
		if ink.Width(n) <= d.w {
			return heading(n)
		}
	}
	return heading(ink.Cut(names[len(names)-1], d.w, d.g.Ellipsis))
}

// medians returns the lines of the chart with the median time to answer of each day. The scale is logarithmic, so that
// both seconds and hours are visible.
func (d drawing) medians() []ink.Line {
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
	name := d.fitting([]string{"Median per day (log scale)", "Median (log scale)"})
	return append([]ink.Line{name}, d.chart(values, most, 2, cells, say.Took(time.Duration(longest)))...)
}

// chart returns the lines of a chart with one column for each value, in the given number of rows. label is the text for
// most, the value of the highest column.
func (d drawing) chart(values []float64, most float64, rows, cells int, label string) []ink.Line {
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
			before, behind := max(axis-1-ink.Width(label), 0), min(axis-ink.Width(label), 1)
			b.WriteString(strings.Repeat(" ", before) + label + strings.Repeat(" ", behind))
		} else {
			b.WriteString(strings.Repeat(" ", axis))
		}
		floor := float64(rows-1-row) * float64(len(steps)-1)
		for _, v := range values {
			full := v / most * float64(rows*(len(steps)-1))
			if v > 0 {
				full = max(full, 1) // so that a small value is visible
			}
			step := min(max(int(math.Round(full-floor)), 0), len(steps)-1)
			b.WriteString(strings.Repeat(steps[step], bar) + strings.Repeat(" ", gap))
		}
		lines[row] = ink.Line{{Text: strings.TrimRight(b.String(), " "), Style: ink.Plain}}
	}
	return lines
}

// bar returns one row: a label, a bar whose length shows n compared with most, and words in a column behind the bars.
func (d drawing) bar(label string, cells, n, most int, tail string, style ink.Style) ink.Line {
	room := d.barEnd(cells, tail) - cells
	drawn := across(d.g, float64(n)/float64(most)*float64(room), n > 0)
	return ink.Line{
		{Text: label + strings.Repeat(" ", max(cells-ink.Width(label), 0)), Style: ink.Plain},
		{Text: drawn, Style: style},
		{Text: strings.Repeat(" ", max(room-ink.Width(drawn), 0)) + " " + tail, Style: ink.Plain},
	}
}

// barEnd returns the column where the longest bar ends behind a label of this width.
func (d drawing) barEnd(cells int, tail string) int {
	return cells + min(max(d.w-cells-ink.Width(tail)-1, 3), longestBar)
}

// percent returns n of a number in whole percent, in four cells.
func percent(n, of int) string {
	if of == 0 {
		return alignRight("0%", 4)
	}
	p := 100 * float64(n) / float64(of)
	if p > 0 && p < 1 {
		return alignRight("<1%", 4)
	}
	return alignRight(fmt.Sprintf("%.0f%%", p), 4)
}

// share returns a part of 1 in percent, with the same precision as `choicetui log --stats`, so that the shares add up
// to 100.
func share(part float64) string { return alignRight(fmt.Sprintf("%.1f%%", 100*part), 6) }

// alignRight returns a text aligned to the right in w cells.
func alignRight(s string, w int) string { return strings.Repeat(" ", max(w-ink.Width(s), 0)) + s }

// upward returns the glyphs for a cell of a column that is filled from below, from empty to full.
func upward(g ink.Glyphs) []string {
	if g.Divider == ink.ASCII.Divider {
		return []string{" ", ".", ":", "#"}
	}
	return []string{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}
}

// across returns a bar of the given width, in eighths of a cell if the terminal has the glyphs for that. some: the bar
// is never empty.
func across(g ink.Glyphs, cells float64, some bool) string {
	if g.Divider == ink.ASCII.Divider {
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

// spread returns the lines about how long answers took: the median, and a bar for each range of times.
func (d drawing) spread() []ink.Line {
	a := d.stats.Answer
	if a.Answered == 0 {
		return []ink.Line{heading("Time to answer"), {{Text: "nothing answered yet", Style: ink.Plain}}}
	}
	took := func(s queue.Seconds) ink.Span { return ink.Span{Text: say.Took(time.Duration(s)), Style: ink.Bold} }
	words := ink.Line{{Text: "median ", Style: ink.Plain}, took(a.Median),
		{Text: ", 90% within ", Style: ink.Plain}, took(a.P90)}
	if a.Answered == 1 {
		words = ink.Line{{Text: "in ", Style: ink.Plain}, took(a.Median)}
	}
	lines := []ink.Line{heading("Time to answer"), words}
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

// outcomes returns the lines about how sessions ended, a bar for each way.
func (d drawing) outcomes() []ink.Line {
	lines, settled := []ink.Line{heading("How they ended")}, 0
	for _, o := range d.stats.Outcomes {
		settled += o.Count
	}
	for _, o := range d.stats.Outcomes {
		ending, style := queue.EndingNamed(o.Outcome), ink.Plain
		if ending.Rare && o.Count == 0 {
			continue
		}
		switch ending.Tone {
		case queue.ToneGood:
			style = ink.Good
		case queue.ToneBad:
			style = ink.Danger
		case queue.TonePlain:
		}
		lines = append(lines, d.bar(cmp.Or(ending.Counted, ending.Word), 10, o.Count, max(settled, 1),
			share(o.Share)+"  "+alignRight(say.Number(o.Count), 6), style))
	}
	if d.stats.Waiting > 0 {
		lines = append(lines, ink.Line{{Text: say.Number(d.stats.Waiting) + " waiting now", Style: ink.Plain}})
	}
	return lines
}

// agents returns the lines about the agents that asked most, a bar for each.
func (d drawing) agents() []ink.Line {
	list := d.stats.Agents
	if len(list) == 0 {
		return nil
	}
	most, nameCells := max(list[0].Asked, 1), 8
	for i, a := range list {
		if i < mostAgents {
			nameCells = max(nameCells, ink.Width(a.Agent))
		}
	}
	nameCells = min(nameCells, max(d.w*2/5, 10)) + 2
	lines := []ink.Line{d.agentsHead(nameCells)}
	for i, a := range list {
		if i == mostAgents && len(list) > mostAgents+1 {
			return append(lines, ink.Line{{Text: fmt.Sprintf("and %s more", say.Number(len(list)-mostAgents)),
				Style: ink.Plain}})
		}
		took := d.g.Divider
		if a.Answered > 0 {
			took = say.Took(time.Duration(a.Median))
		}
		row := d.bar(ink.Cut(a.Agent, nameCells-2, d.g.Ellipsis), nameCells, a.Asked, most,
			d.columns(say.Number(a.Asked), took), ink.Plain)
		row[0].Style = ink.HueNamed(a.Agent).Of(row[0].Style)
		lines = append(lines, row)
	}
	return lines
}

// agentsHead returns the heading of the lines about agents, with the names of the columns. nameCells is the width of
// the agents' names.
func (d drawing) agentsHead(nameCells int) ink.Line {
	head := ink.Line{{Text: "By agent", Style: ink.Bold}}
	if cells := d.barEnd(nameCells, d.columns("", "")) - ink.Width("By agent"); cells > 0 {
		text := strings.Repeat(" ", cells) + " " + d.columns("asked", "median")
		head = append(head, ink.Span{Text: text, Style: ink.Plain})
	}
	return head
}

// columns returns the numbers behind an agent's bar.
func (d drawing) columns(asked, took string) string {
	if d.w < narrowAgents {
		return alignRight(asked, 6) + alignRight(took, 6)
	}
	return alignRight(asked, 6) + alignRight(took, 9)
}
