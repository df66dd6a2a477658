package queue

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"
)

// spans are the upper bounds of the distribution of times to answer; the last span has none.
var spans = []time.Duration{
	5 * time.Second, 15 * time.Second, 30 * time.Second,
	time.Minute, 2 * time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, 0,
}

// Tally adds sessions up. It keeps four bytes or so of each, so that a long history needs no memory at once.
type Tally struct {
	from    time.Time
	place   *time.Location
	waiting int
	ended   map[string]int
	days    map[string]*pile
	agents  map[string]*pile
}

// pile holds the sums of one day or one agent; took holds the times to answer in milliseconds.
type pile struct {
	asked, answered int
	took            []int32
}

// NewTally counts what was asked from a time on (zero: everything), by the days of a place.
func NewTally(from time.Time, place *time.Location) *Tally {
	return &Tally{
		from: from, place: place,
		ended: map[string]int{}, days: map[string]*pile{}, agents: map[string]*pile{},
	}
}

// Add counts a question; messages to agents do not count. The caller gives each question only once, as the clock left
// it (see Session.At).
func (t *Tally) Add(s Session) {
	if s.AskedAt.Before(t.from) || s.IsMessage() {
		return
	}
	day, agent := of(t.days, s.AskedAt.In(t.place).Format(time.DateOnly)), of(t.agents, s.Origin.Name())
	day.asked++
	agent.asked++
	if s.Outcome == nil {
		t.waiting++
		return
	}
	t.ended[s.Outcome.Ended()]++
	if s.Outcome.Answered() && s.Outcome.By != ByRule { // who took no time
		took := int32(min(max(s.Took().Milliseconds(), 0), math.MaxInt32))
		for _, h := range []*pile{day, agent} {
			h.answered++
			h.took = append(h.took, took)
		}
	}
}

func of(piles map[string]*pile, name string) *pile {
	h := piles[name]
	if h == nil {
		h = &pile{}
		piles[name] = h
	}
	return h
}

// Stats are the numbers behind `log --stats` and the statistics on screen.
type Stats struct {
	Asked    int            `json:"asked"`
	Waiting  int            `json:"waiting"` // of these, not settled yet
	Outcomes []OutcomeStats `json:"outcomes"`
	Answer   AnswerStats    `json:"time_to_answer"`
	Days     []DayStats     `json:"days"`   // by the local day they were asked on, oldest first, without empty days
	Agents   []AgentStats   `json:"agents"` // most questions first
}

// OutcomeStats counts the sessions that ended in one way: with a status of Outcome, withdrawn or by_rule.
type OutcomeStats struct {
	Outcome string  `json:"outcome"`
	Count   int     `json:"count"`
	Share   float64 `json:"share"` // of all that are settled, 0 to 1
}

// AnswerStats describes the person's times to answer. Without answers the times are zero.
type AnswerStats struct {
	Answered int         `json:"answered"`
	Median   Seconds     `json:"median_seconds"`
	P90      Seconds     `json:"p90_seconds"` // nine of ten answers took no longer
	Spread   []SpanStats `json:"distribution"`
}

// SpanStats counts answers that took less than Under, and no less than the span before.
type SpanStats struct {
	Under Seconds `json:"under_seconds,omitempty"` // zero: no bound
	Count int     `json:"count"`
}

// DayStats counts one day.
type DayStats struct {
	Date     string  `json:"date"` // 2026-11-20
	Asked    int     `json:"asked"`
	Answered int     `json:"answered"`
	Median   Seconds `json:"median_seconds"`
	P90      Seconds `json:"p90_seconds"`
}

// AgentStats counts one agent, named by directory and client.
type AgentStats struct {
	Agent    string  `json:"agent"`
	Asked    int     `json:"asked"`
	Answered int     `json:"answered"`
	Median   Seconds `json:"median_seconds"`
	P90      Seconds `json:"p90_seconds"`
}

// Seconds is a duration that JSON shows as a number of seconds, to the millisecond.
type Seconds time.Duration

// MarshalJSON writes the seconds, such as 11 or 0.25.
func (s Seconds) MarshalJSON() ([]byte, error) {
	ms := time.Duration(s).Milliseconds()
	return strconv.AppendFloat(nil, float64(ms)/1000, 'f', -1, 64), nil
}

// Stats returns the sums so far; adding may continue.
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
		median, p90 := h.times()
		v.Days = append(v.Days, DayStats{date, h.asked, h.answered, median, p90})
	}
	slices.SortFunc(v.Days, func(a, b DayStats) int { return cmp.Compare(a.Date, b.Date) })
	v.Answer = answerStats(all)
	v.Agents = []AgentStats{}
	for name, h := range t.agents {
		median, p90 := h.times()
		v.Agents = append(v.Agents, AgentStats{name, h.asked, h.answered, median, p90})
	}
	slices.SortFunc(v.Agents, func(a, b AgentStats) int {
		return cmp.Or(cmp.Compare(b.Asked, a.Asked), cmp.Compare(a.Agent, b.Agent))
	})
	return v
}

// endingsSeen returns the names of all endings of questions, then of those that this program does not know.
func (t *Tally) endingsSeen() (names []string) {
	for _, e := range endings {
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

func answerStats(took []int32) AnswerStats {
	slices.Sort(took)
	a := AnswerStats{Answered: len(took), Median: rank(took, 50), P90: rank(took, 90)}
	below := 0
	for _, under := range spans {
		n := len(took)
		if under > 0 {
			n, _ = slices.BinarySearch(took, int32(under.Milliseconds()))
		}
		a.Spread = append(a.Spread, SpanStats{Under: Seconds(under), Count: n - below})
		below = n
	}
	return a
}

func (h *pile) times() (median, p90 Seconds) {
	slices.Sort(h.took)
	return rank(h.took, 50), rank(h.took, 90)
}

// rank returns the nearest-rank percentile of sorted milliseconds: a time that somebody really took.
func rank(took []int32, percent int) Seconds {
	if len(took) == 0 {
		return 0
	}
	at := (len(took)*percent + 99) / 100
	return Seconds(time.Duration(took[max(at, 1)-1]) * time.Millisecond)
}
