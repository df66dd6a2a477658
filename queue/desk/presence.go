package desk

import (
	"strings"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
)

// presence records who runs beside this process.
type presence struct {
	own   string            // this process's instance
	roles map[string]string // by instance
}

// Alive says whether an instance's process runs.
func (p *presence) Alive(instance string) bool {
	_, ok := p.roles[instance]
	return ok
}

// aliveElsewhere is Alive for another process than this one: a session that is attached here is not open elsewhere.
func (p *presence) aliveElsewhere(instance string) bool {
	return instance != p.own && p.Alive(instance)
}

// role returns the role of an instance's process; empty: it does not run.
func (p *presence) role(instance string) string { return p.roles[instance] }

// Others reports whether another process of a role runs beside this one.
func (p *presence) Others(role string) bool {
	for instance, r := range p.roles {
		if r == role && instance != p.own {
			return true
		}
	}
	return false
}

// ofPages ends the instance under which the open pages of a portal count as a dashboard.
const ofPages = "-pages"

// PagesInstance returns the instance under which the open pages of a portal count as a dashboard.
func PagesInstance(portal string) string { return portal + ofPages }

// IsPages reports whether an instance that counts as a dashboard is the open pages of a portal.
func IsPages(instance string) bool { return strings.HasSuffix(instance, ofPages) }

// Telling returns the notification settings for this process. The person's command is run by one process alone: by the
// first of the dashboards, by the portal if there is none, and by a form of one question for that question.
func (p *presence) Telling(n config.Notify) config.Notify {
	if n.Desktop != "auto" && !p.runsCommand() {
		n.Desktop = "off"
	}
	return n
}

// runsCommand reports whether this process has to run the person's command.
func (p *presence) runsCommand() bool {
	own := p.roles[p.own]
	if own != queue.RoleDashboard && own != queue.RolePortal {
		return true
	}
	for instance, role := range p.roles {
		portal, pages := strings.CutSuffix(instance, ofPages)
		switch {
		case pages && p.roles[portal] == queue.RolePortal:
		case role == queue.RoleDashboard && (own != role || instance < p.own):
			return false
		}
	}
	return true
}

// note takes over the list of processes that run now.
func (p *presence) note(list []queue.Presence) {
	p.roles = map[string]string{}
	for _, now := range list {
		p.roles[now.Instance] = now.Role
	}
}
