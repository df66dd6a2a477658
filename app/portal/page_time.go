package portal

import (
	"maps"
	"time"

	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// clockOf returns the remaining time of a question.
func clockOf(p *Pages, s queue.Session, now time.Time) clock {
	c := clock{Left: say.TimeLeft(s, now, 0), Share: say.Lit(s, now, 1000)}
	warn := time.Duration(p.desk.Settings().Notify.WarnSeconds) * time.Second
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

// shownTimes returns the remaining times on the page, by session.
func (p *page) shownTimes() map[string]clock {
	now := p.pages.desk.Now()
	if p.id != "" {
		if p.last.ID == "" {
			return nil
		}
		return map[string]clock{p.id: clockOf(p.pages, p.last, now)}
	}
	if p.web.MayList() && p.pages.clocks != nil {
		return p.pages.clocks
	}
	clocks, all := map[string]clock{}, p.waiting()
	for _, w := range all[:min(len(all), mostListed)] {
		clocks[w.ID] = clockOf(p.pages, *w.Session, now)
	}
	if p.web.MayList() {
		p.pages.clocks = clocks
	}
	return clocks
}

// tick sends the page the time of its own question, each second, and the changed times of the list.
func (p *page) tick() {
	if p.path == "" {
		return
	}
	if p.held() != nil {
		p.drawSoon()
	}
	times := p.shownTimes()
	if changed := p.browser.newTimes(times); p.id == "" {
		times = changed
	}
	p.alerts.warnNear(p)
	if len(times) == 0 {
		return
	}
	p.browser.add(func(m *message) { maps.Copy(m.Times, times) })
}

// alerts records, by session, the deadlines for which the page has shown an alert.
type alerts struct{ told map[string]time.Time }

// warnNear shows an alert for each question that is nearly over, once for each deadline.
func (a *alerts) warnNear(p *page) {
	now, warn := p.pages.desk.Now(), p.warnTime()
	if warn <= 0 {
		return
	}
	for _, w := range p.pages.desk.Waiting() {
		left := w.Deadline.Sub(now)
		if !w.HasClock() || left > warn || left <= 0 || !p.showsAlertsOf(*w.Session) || a.told[w.ID].Equal(w.Deadline) {
			continue
		}
		if a.told == nil {
			a.told = map[string]time.Time{}
		}
		a.told[w.ID] = w.Deadline
		p.showAlert(*w.Session, say.Spoken(w.Deadline.Sub(now), time.Second)+" left")
	}
}

// warnEnded shows an alert for a question that has timed out.
func (a *alerts) warnEnded(p *page, s queue.Session) {
	delete(a.told, s.ID)
	if s.Outcome != nil && s.Outcome.Status == queue.StatusTimeout && p.showsAlertsOf(s) && p.warnTime() > 0 {
		p.showAlert(s, say.Capital(say.Result(s)))
	}
}

// showsAlertsOf reports whether this page shows alerts for a question: the list does so for all, a question's page for
// its own.
func (p *page) showsAlertsOf(s queue.Session) bool {
	return p.path != "" && !s.IsMessage() && p.web.MayOpen(s) && (p.id == "" || p.id == s.ID)
}

// showAlert has the browser show a notification about a question.
func (p *page) showAlert(s queue.Session, words string) {
	a := &alert{Tag: s.ID, Title: say.Short(say.Title(s.Ask), 120), Body: words + " · " + p.pages.desk.Name(s.Origin)}
	p.browser.add(func(m *message) { m.Alert = a })
}
