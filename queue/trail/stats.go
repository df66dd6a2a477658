package trail

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/choicetui/choicetui/queue"
)

// spanLimits are the upper limits of the distribution of times to answer. The last span has no limit, which is
// written as 0.
var spanLimits = []time.Duration{
	5 * time.Second, 15 * time.Second, 30 * time.Second,
	time.Minute, 2 * time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, 0,
}

// Tally counts sessions for the statistics. It keeps about four bytes for each, so that a long history needs little
// memory.
type Tally struct {
	from    time.Time
	zone    *time.Location
	waiting int
	ended   map[string]int
	days    map[string]*pile
	agents  map[string]*pile
}

// pile contains the sums of one day or one agent. took lists the times to answer in milliseconds.
type pile struct {
	asked, answered int
	took            []int32
}

// NewTally returns a Tally of the questions asked since from, by the days of a time zone. A zero from counts
// everything.
func NewTally(from time.Time, zone *time.Location) *Tally {
	return &Tally{
		from: from, zone: zone,
		ended: map[string]int{}, days: map[string]*pile{}, agents: map[string]*pile{},
	}
}

// Add counts a question; messages to agents do not count. The caller passes each question once, as the clock left it
// (see Session.At).
func (t *Tally) Add(s queue.Session) {
	if s.AskedAt.Before(t.from) || s.IsMessage() {
		return
	}
	day := pileNamed(t.days, s.AskedAt.In(t.zone).Format(time.DateOnly))
	agent := pileNamed(t.agents, new(queue.Names).Of(s.Origin))
	day.asked++
	agent.asked++
	if s.Outcome == nil {
		t.waiting++
		return
	}
	t.ended[s.Outcome.Ended()]++
	if s.Outcome.Answered() && s.Outcome.By != queue.ByRule { // a permission rule takes no time to answer
		took := int32(min(max(s.Took().Milliseconds(), 0), math.MaxInt32))
		for _, h := range []*pile{day, agent} {
			h.answered++
			h.took = append(h.took, took)
		}
	}
}

// pileNamed returns the sums with a name, which it creates if necessary.
func pileNamed(piles map[string]*pile, name string) *pile {
	if piles[name] == nil {
		piles[name] = &pile{}
	}
	return piles[name]
}

// Stats are the numbers of `log --stats`.
type Stats struct {
	Asked    int            `json:"asked"`
	Waiting  int            `json:"waiting"` // number of questions not settled yet
	Outcomes []OutcomeStats `json:"outcomes"`
	Answer   AnswerStats    `json:"time_to_answer"`
	Days     []DayStats     `json:"days"`   // by the local day of the question, oldest first, without empty days
	Agents   []AgentStats   `json:"agents"` // most questions first
}

// OutcomeStats counts the sessions with one ending, named as by Outcome.Ended.
type OutcomeStats struct {
	Outcome string  `json:"outcome"`
	Count   int     `json:"count"`
	Share   float64 `json:"share"` // share of the settled sessions, 0 to 1
}

// AnswerStats describes the person's times to answer. Without answers the times are zero.
type AnswerStats struct {
	Answered int         `json:"answered"`
	Median   Seconds     `json:"median_seconds"`
	P90      Seconds     `json:"p90_seconds"` // nine of ten answers took no longer
	Spread   []SpanStats `json:"distribution"`
}

// SpanStats counts the answers that took less than Under but at least the limit of the span before.
type SpanStats struct {
	Under Seconds `json:"under_seconds,omitempty"` // zero: no limit
	Count int     `json:"count"`
}

// DayStats counts one day.
type DayStats struct {
	Date     string  `json:"date"` // such as 2026-11-20
	Asked    int     `json:"asked"`
	Answered int     `json:"answered"`
	Median   Seconds `json:"median_seconds"`
	P90      Seconds `json:"p90_seconds"`
}

// AgentStats counts one agent, named by directory and client, and by the host if another one keeps its questions.
type AgentStats struct {
	Agent    string  `json:"agent"`
	Asked    int     `json:"asked"`
	Answered int     `json:"answered"`
	Median   Seconds `json:"median_seconds"`
	P90      Seconds `json:"p90_seconds"`
}

// Seconds is a duration that JSON shows as a number of seconds with up to three decimals.
type Seconds time.Duration

// MarshalJSON writes the seconds, such as 11 or 0.25.
func (s Seconds) MarshalJSON() ([]byte, error) {
	ms := time.Duration(s).Milliseconds()
	return strconv.AppendFloat(nil, float64(ms)/1000, 'f', -1, 64), nil
}

// Stats returns the sums so far. More sessions may be added afterwards.
func (t *Tally) Stats() Stats {
	var v Stats
	v.Waiting = t.waiting
	settled := 0
	for _, n := range t.ended {
		settled += n
	}
	for _, name := range t.endingsSeen() {
		o := OutcomeStats{Outcome: name, Count: t.ended[name]}
		if settled > 0 {
			o.Share = math.Round(1000*float64(o.Count)/float64(settled)) / 1000
		}
		v.Outcomes = append(v.Outcomes, o)
	}
	var all []int32
	v.Days = []DayStats{}
	for date, h := range t.days {
		v.Asked += h.asked
		all = append(all, h.took...)
		median, p90 := h.medianAndP90()
		v.Days = append(v.Days, DayStats{date, h.asked, h.answered, median, p90})
	}
	slices.SortFunc(v.Days, func(a, b DayStats) int { return cmp.Compare(a.Date, b.Date) })
	v.Answer = answerStats(all)
	v.Agents = []AgentStats{}
	for name, h := range t.agents {
		median, p90 := h.medianAndP90()
		v.Agents = append(v.Agents, AgentStats{name, h.asked, h.answered, median, p90})
	}
	slices.SortFunc(v.Agents, func(a, b AgentStats) int {
		return cmp.Or(cmp.Compare(b.Asked, a.Asked), cmp.Compare(a.Agent, b.Agent))
	})
	return v
}

// endingsSeen returns the names of all endings that questions can have, then those that this program does not know.
func (t *Tally) endingsSeen() (names []string) {
	for _, e := range queue.Endings() {
		if !e.Unlisted || t.ended[e.Name] > 0 {
			names = append(names, e.Name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(t.ended)) {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// answerStats computes the statistics of times to answer in milliseconds, which it sorts.
func answerStats(took []int32) AnswerStats {
	slices.Sort(took)
	a := AnswerStats{Answered: len(took), Median: percentile(took, 50), P90: percentile(took, 90)}
	below := 0
	for _, under := range spanLimits {
		n := len(took)
		if under > 0 {
			n, _ = slices.BinarySearch(took, int32(under.Milliseconds()))
		}
		a.Spread = append(a.Spread, SpanStats{Under: Seconds(under), Count: n - below})
		below = n
	}
	return a
}

// medianAndP90 returns the median and the 90th percentile of the times to answer.
func (h *pile) medianAndP90() (median, p90 Seconds) {
	slices.Sort(h.took)
	return percentile(h.took, 50), percentile(h.took, 90)
}

// percentile returns the nearest-rank percentile of sorted milliseconds, which is the time of a real answer.
func percentile(took []int32, percent int) Seconds {
	if len(took) == 0 {
		return 0
	}
	at := (len(took)*percent + 99) / 100
	return Seconds(time.Duration(took[max(at, 1)-1]) * time.Millisecond)
}
