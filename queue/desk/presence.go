package desk

import (
	"strings"
	"time"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
)

// presence records which processes work on the queue, by their instance and role.
type presence struct {
	own   string                      // this process's instance
	roles map[string]string           // by instance
	lists map[string][]queue.Presence // by host: its processes
}

// Alive reports whether the process with this instance runs.
func (p *presence) Alive(instance string) bool {
	_, ok := p.roles[instance]
	return ok
}

// aliveElsewhere reports whether another process with this instance runs. A session that is attached in this process is
// not open elsewhere.
func (p *presence) aliveElsewhere(instance string) bool {
	return instance != p.own && p.Alive(instance)
}

// role returns the role of an instance's process; empty: it does not run.
func (p *presence) role(instance string) string { return p.roles[instance] }

// Others reports whether another process of a role runs beside this one, on this machine's queue.
func (p *presence) Others(role string) bool {
	for instance, r := range p.roles {
		if r == role && instance != p.own && !queue.IsRemote(instance) {
			return true
		}
	}
	return false
}

// ofPages is the suffix of the instance under which a portal announces its open pages as a dashboard.
const ofPages = "-pages"

// PagesInstance returns the instance under which a portal announces its open pages as a dashboard.
func PagesInstance(portal string) string { return portal + ofPages }

// IsPages reports whether the instance of a dashboard belongs to the open pages of a portal.
func IsPages(instance string) bool { return strings.HasSuffix(instance, ofPages) }

// Telling returns the notification settings for this process. Only one process runs the person's notification command:
// the first of the dashboards, the portal if there is no dashboard, and a form of one question for that question.
func (p *presence) Telling(n config.Notify) config.Notify {
	if n.Desktop != "auto" && !p.runsCommand() {
		n.Desktop = "off"
	}
	return n
}

// runsCommand reports whether this process is the one that runs the person's notification command.
func (p *presence) runsCommand() bool {
	own := p.roles[p.own]
	if own != queue.RoleDashboard && own != queue.RolePortal {
		return true
	}
	for instance, role := range p.roles {
		portal, pages := strings.CutSuffix(instance, ofPages)
		switch {
		case queue.IsRemote(instance): // a process of another host tells nobody here
		case pages && p.roles[portal] == queue.RolePortal:
		case role == queue.RoleDashboard && (own != role || instance < p.own):
			return false
		}
	}
	return true
}

// noteProcesses replaces the list of a host's running processes, and returns those of all hosts.
func (p *presence) noteProcesses(host string, list []queue.Presence) (all []queue.Presence) {
	p.lists[host] = list
	p.roles = map[string]string{}
	for _, list := range p.lists {
		for _, now := range list {
			p.roles[now.Instance] = now.Role
			all = append(all, now)
		}
	}
	return all
}

// Alerts tells a person who is looking elsewhere that a question is pending, and again when its time is nearly up;
// package notify implements it. Only one goroutine may use it, and no method waits for what it starts.
type Alerts interface {
	// See compares the queue with the last call. It returns the questions that arrived since, and those whose deadline
	// is now less than warn away.
	See(waiting []queue.Waiting, warn time.Duration, now time.Time) (asked, ending []queue.Session)
	// Next returns when See will return something even if the queue does not change; zero: never.
	Next() time.Time
	// Away reports whether the person is looking elsewhere. It uses the terminal's focus if that is known, else the
	// time of the last key.
	Away(focused, known bool, typed, now time.Time) bool
	// Tell notifies the person of the sessions that See returned, in the ways that n asks for. name returns the name of
	// an agent.
	Tell(asked, ending []queue.Session, n config.Notify, name func(queue.Origin) string, now time.Time)
}

// AlertWays holds the functions of a frontend through which Alerts reaches the person.
type AlertWays struct {
	Own    string                      // the session of a form for one question; empty: the whole queue is shown
	Bell   func() error                // rings the terminal's bell; nil: it has no bell
	Write  func(sequence string) error // sends a sequence to the terminal; nil: no terminal can show a notification
	Start  func(func())                // runs a function on a goroutine; nil: a plain go statement does
	Do     func(func())                // runs a function on the goroutine of the frontend; nil: it is called at once
	Failed func(error)                 // receives the error of a notification, on another goroutine
}

// Left counts what is pending, as it will be once this desk is gone: the questions that stay in the queue, and the
// agents' own prompts, which their agents then ask in their own panes, unless another dashboard runs.
func (d *Desk) Left() (stay, withdrawn int) {
	for i := range d.live.waiting {
		if w := &d.live.waiting[i]; w.Origin.Native() && !w.Origin.Remote && !d.Others(queue.RoleDashboard) {
			withdrawn++
			continue
		}
		stay++
	}
	return stay, withdrawn
}
