package statistics

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// spread returns the lines about how long answers took: the median, and a bar for each range of times.
func (d drawing) spread() []ink.Line {
	a := d.stats.Answer
	if a.Answered == 0 {
		return []ink.Line{heading("Time to answer"), {{Text: "nothing answered yet", Style: ink.Plain}}}
	}
	took := func(s queue.Seconds) ink.Span { return ink.Span{Text: say.Took(time.Duration(s)), Style: ink.Bold} }
	words := ink.Line{{Text: "median ", Style: ink.Plain}, took(a.Median),
		{Text: ", 90 % within ", Style: ink.Plain}, took(a.P90)}
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
	most, name := max(list[0].Asked, 1), 8
	for i, a := range list {
		if i < mostAgents {
			name = max(name, ink.Width(a.Agent))
		}
	}
	name = min(name, max(d.w*2/5, 10)) + 2
	lines := []ink.Line{d.agentsHead(name)}
	for i, a := range list {
		if i == mostAgents && len(list) > mostAgents+1 {
			return append(lines, ink.Line{{Text: fmt.Sprintf("and %s more", say.Number(len(list)-mostAgents)),
				Style: ink.Plain}})
		}
		took := d.g.Rule
		if a.Answered > 0 {
			took = say.Took(time.Duration(a.Median))
		}
		row := d.bar(ink.Cut(a.Agent, name-2, d.g.Ellipsis), name, a.Asked, most,
			d.columns(say.Number(a.Asked), took), ink.Plain)
		row[0].Style = ink.HueNamed(a.Agent).Of(row[0].Style)
		lines = append(lines, row)
	}
	return lines
}

// agentsHead returns the heading of these lines, with the names of the columns; name is the width of the agents' names.
func (d drawing) agentsHead(name int) ink.Line {
	head := ink.Line{{Text: "By agent", Style: ink.Bold}}
	words := "median"
	if cells := d.barEnd(name, d.columns("", "")) - ink.Width("By agent"); cells > 0 {
		text := strings.Repeat(" ", cells) + " " + d.columns("asked", words)
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
