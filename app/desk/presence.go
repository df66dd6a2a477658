package desk

import "github.com/choicetui/choicetui/queue"

// presence is who runs beside this process.
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

// role is what an instance's process is; empty: it does not run.
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

// note takes over who runs now.
func (p *presence) note(list []queue.Presence) {
	p.roles = map[string]string{}
	for _, now := range list {
		p.roles[now.Instance] = now.Role
	}
}
