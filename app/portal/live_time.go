package portal

import (
	"maps"
	"time"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// clock is the time left of one question, as the page shows it.
type clock struct {
	Left  string `json:"left"`            // 4:12, 14m
	Share int    `json:"share"`           // of a thousand that is left since it was asked or moved
	Level int    `json:"level,omitempty"` // 1: less than a minute, 2: as the setting warns, 3: over
}

// clockOf returns the time left of a question.
func clockOf(p *Pages, s queue.Session, now time.Time) clock {
	c := clock{Left: say.TimeLeft(s, now, 0), Share: say.Lit(s, now, 1000)}
	warn := time.Duration(p.d.Settings().Notify.WarnSeconds) * time.Second
	switch left := say.ShownLeft(s, now); {
	case !s.HasClock():
		c.Share = 1000
	case left <= 0:
		c.Level = 3
	case left <= warn:
		c.Level = 2
	case left < time.Minute:
		c.Level = 1
	}
	return c
}

// times returns the times shown on the page.
func (g *page) times() map[string]clock {
	now := g.all.d.Now()
	if g.id != "" {
		if g.last.ID == "" {
			return nil
		}
		return map[string]clock{g.id: clockOf(g.all, g.last, now)}
	}
	if g.grant.MayList() && g.all.clocks != nil {
		return g.all.clocks
	}
	clocks, all := map[string]clock{}, g.waiting()
	for _, w := range all[:min(len(all), mostListed)] {
		clocks[w.ID] = clockOf(g.all, *w.Session, now)
	}
	if g.grant.MayList() {
		g.all.clocks = clocks
	}
	return clocks
}

// news returns the times on the page that read otherwise than when it was told last.
func (g *page) news() map[string]clock {
	times := g.times()
	changed := map[string]clock{}
	for id, c := range times {
		if was, known := g.told[id]; !known || was.Left != c.Left || was.Level != c.Level {
			changed[id] = c
		}
	}
	g.told = times
	return changed
}

// tick tells the page the time: of its question each second, of the list what has changed.
func (g *page) tick() {
	if g.path == "" {
		return
	}
	if g.held() != nil {
		g.drawSoon()
	}
	times := g.news()
	if g.id != "" {
		times = g.told
	}
	g.alerts.near(g)
	if len(times) == 0 {
		return
	}
	g.out.put(func(m *message) { maps.Copy(m.Times, times) })
}

// alerts records the alerts that the page was told to show.
type alerts struct{ told map[string]time.Time }

// near tells of questions that are nearly over, once for each deadline.
func (a *alerts) near(g *page) {
	now, warn := g.all.d.Now(), g.warn()
	if warn <= 0 {
		return
	}
	for _, w := range g.all.d.Waiting() {
		left := w.Deadline.Sub(now)
		if !w.HasClock() || left > warn || left <= 0 || !g.tells(*w.Session) || a.told[w.ID].Equal(w.Deadline) {
			continue
		}
		if a.told == nil {
			a.told = map[string]time.Time{}
		}
		a.told[w.ID] = w.Deadline
		g.alert(*w.Session, say.Spoken(w.Deadline.Sub(now), time.Second)+" left")
	}
}

// ended tells of a question whose time has run out.
func (a *alerts) ended(g *page, s queue.Session) {
	delete(a.told, s.ID)
	if s.Outcome != nil && s.Outcome.Status == queue.StatusTimeout && g.tells(s) && g.warn() > 0 {
		g.alert(s, say.Capital(say.Result(s)))
	}
}

// tells reports whether this page tells of a question: of its own one, on the list of all.
func (g *page) tells(s queue.Session) bool {
	return g.path != "" && !s.IsMessage() && g.grant.MayOpen(s) && (g.id == "" || g.id == s.ID)
}

func (g *page) alert(s queue.Session, words string) {
	a := &alert{Tag: s.ID, Title: say.Short(say.Title(s.Ask), 120), Body: words + " · " + g.all.d.Name(s.Origin)}
	g.out.put(func(m *message) { m.Alert = a })
}
