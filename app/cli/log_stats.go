package cli

import (
	"cmp"
	"context"
	"errors"
	"runtime/debug"
	"time"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/trail"
)

const (
	statsTableDays   = 14
	statsTableAgents = 20
)

// stats prints the sums of the questions. A long history makes much garbage while little of it is kept, so that is
// collected less often.
func (r *logRun) stats(ctx context.Context) error {
	debug.SetGCPercent(400)
	tally := trail.NewTally(r.wish.from, time.Local)
	q, err := r.sh.openExisting()
	if err != nil && !errors.Is(err, errNoQueue) {
		return err
	}
	if err == nil {
		reader, err := r.reader(ctx, q)
		if err != nil {
			return err
		}
		if tally, err = reader.Tally(ctx, time.Local); err != nil {
			return err
		}
	}
	return printAs(r.sh.out, r.wish.json, tally.Stats(), func(p *page) { statsTable(p, tally.Stats()) })
}

// statsTable prints the statistics for a person.
func statsTable(p *page, v trail.Stats) {
	if v.Asked == 0 {
		p.line("No questions were asked.")
		return
	}
	p.line("%s asked, %s answered, %s waiting", say.Number(v.Asked), say.Number(v.Answer.Answered),
		say.Number(v.Waiting))
	if v.Answer.Answered > 0 {
		p.line("median %s, 90%% within %s", answerTime(v.Answer.Median), answerTime(v.Answer.P90))
	}
	p.line("")
	p.line("how they ended")
	printEndings(p, v.Outcomes)
	p.line("")
	printTimes(p, v.Answer)
	if n := len(v.Days); n > statsTableDays {
		p.line("the last %d of %d days with a question; --json lists all", statsTableDays, n)
	}
	p.line("by day           asked  answered  median  90%% within")
	for _, d := range v.Days[max(len(v.Days)-statsTableDays, 0):] {
		p.line("  %s %9s %9s %7s %11s", d.Date, say.Number(d.Asked), say.Number(d.Answered),
			answerTimeOf(d.Answered, d.Median), answerTimeOf(d.Answered, d.P90))
	}
	names := make([]string, len(v.Agents))
	for i, a := range v.Agents {
		names[i] = a.Agent
	}
	width := max(widest(36, names...), 10)
	p.line("")
	p.line("%s     asked  answered  median  90%% within", column("by agent", width+2))
	for i, a := range v.Agents {
		if i == statsTableAgents {
			p.line("  and %d more; --json lists all", len(v.Agents)-i)
			return
		}
		p.line("  %s %9s %9s %7s %11s", column(a.Agent, width), say.Number(a.Asked), say.Number(a.Answered),
			answerTimeOf(a.Answered, a.Median), answerTimeOf(a.Answered, a.P90))
	}
}

// printEndings prints how often questions ended in each way. A rare ending is printed only if it occurred.
func printEndings(p *page, outcomes []trail.OutcomeStats) {
	for _, o := range outcomes {
		if e := queue.EndingNamed(o.Outcome); o.Count > 0 || !e.Rare {
			p.line("  %-14s %8s  %5.1f%%", cmp.Or(e.Counted, e.Word), say.Number(o.Count), 100*o.Share)
		}
	}
}

// printTimes prints how long answers took, as far as the longest one.
func printTimes(p *page, a trail.AnswerStats) {
	if a.Answered == 0 {
		return
	}
	p.line("time to answer")
	left := a.Answered
	for _, s := range a.Spread {
		if left == 0 {
			break
		}
		left -= s.Count
		label := "longer"
		if s.Under > 0 {
			label = "under " + say.Took(time.Duration(s.Under))
		}
		p.line("  %-14s %8s  %5.1f%%", label, say.Number(s.Count), 100*float64(s.Count)/float64(a.Answered))
	}
	p.line("")
}

// answerTimeOf returns a time to answer, or - if nothing was answered.
func answerTimeOf(answered int, s trail.Seconds) string {
	if answered == 0 {
		return "-"
	}
	return answerTime(s)
}

// answerTime returns a time to answer in whole seconds: 0:09, 12:30, 2:05:00.
func answerTime(s trail.Seconds) string { return say.Clock(time.Duration(s).Truncate(time.Second)) }
