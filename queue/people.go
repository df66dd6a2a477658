package queue

import (
	"fmt"
	"strings"
	"time"
)

// ClockSkew is the tolerated difference between the clocks of two machines that share a queue.
const ClockSkew = 30 * time.Second

// Limits of the people that an ask is meant for.
const (
	MaxPerson   = 200 // characters of a name
	MaxAudience = 20
)

// NamePerson returns the name of a person where several share a queue and no file of credentials names them:
// `ana@laptop`.
func NamePerson(user, host string) string {
	if user == "" || host == "" {
		return user + host
	}
	return user + "@" + host
}

// Called reports whether a person goes by a name: their whole one, or the part before the host, in any case. Where the
// person's own has no host any host will do: it is from a file of credentials then, and the same on all machines.
func Called(person, name string) bool {
	name = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(name), "@"))
	user, _, onHost := strings.Cut(person, "@")
	if !onHost {
		name, _, _ = strings.Cut(name, "@")
	}
	return name != "" && (strings.EqualFold(name, person) || strings.EqualFold(name, user))
}

// checkAudience lists what is wrong with the names of those that an ask is meant for.
func checkAudience(c *checker, names []string) {
	if n := len(names); n > MaxAudience {
		c.addProblem("audience", fmt.Sprintf("has %d names", n), fmt.Sprintf("at most %d", MaxAudience))
		return
	}
	for i, name := range names {
		c.checkText(fmt.Sprintf("audience[%d]", i), name, MaxPerson, true)
	}
}
