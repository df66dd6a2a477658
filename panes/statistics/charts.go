package statistics

import (
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
