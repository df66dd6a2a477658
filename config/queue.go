package config

import (
	"net/url"
	"slices"
	"strings"
)

// queueWants is what the place of a queue must be.
const queueWants = "a directory, or nats://HOST:PORT or tls://HOST:PORT"

// isQueuePlace reports whether a name can be a queue's.
func isQueuePlace(name string) bool {
	wrong, _ := MisplacedQueue(name)
	return wrong == ""
}

// MisplacedQueue says why a name cannot be a queue's, and what to write instead; both are empty where it can. It can be
// a directory, or servers, whose address has no name and no password in it: what is said here never repeats one.
func MisplacedQueue(name string) (wrong, want string) {
	switch {
	case !strings.Contains(name, "://"):
		if want = addressMeant(name); want == "" {
			return "", ""
		}
	case areServers(name):
		return "", ""
	default:
		want = queueWants
	}
	if wrong = HideLogin(name); wrong != name {
		return wrong, "nats://HOST:PORT or tls://HOST:PORT; what you log in with goes into the file that " +
			"queue_credentials names"
	}
	return brief(encode(name)), want
}

// areServers reports whether a text is the addresses of servers, with commas between them.
func areServers(text string) bool {
	for one := range strings.SplitSeq(text, ",") {
		u, err := url.Parse(strings.TrimSpace(one))
		if err != nil || u.Scheme != "nats" && u.Scheme != "tls" || u.Hostname() == "" ||
			strings.ContainsAny(one, "@") || strings.Trim(u.Path, "/") != "" {
			return false
		}
	}
	return true
}

// addressMeant is the address that somebody meant who wrote what would be a directory below the current one; empty:
// a directory may be meant.
func addressMeant(name string) string {
	scheme, rest, _ := strings.Cut(name, ":")
	for _, one := range []string{"nats", "tls"} {
		if strings.EqualFold(scheme, one) && scheme != name {
			return one + "://" + strings.Trim(rest, "/")
		}
		if host, ok := strings.CutPrefix(name, one+"//"); ok {
			return one + "://" + host
		}
	}
	if strings.HasPrefix(name, "/") || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "~") {
		return ""
	}
	colon := strings.Index(name, ":")
	isPort := colon > 0 && colon < len(name)-1 && strings.Trim(name[colon+1:], "0123456789") == ""
	if isPort || colon >= 0 && strings.LastIndex(name, "@") > colon {
		return "nats://" + name
	}
	return ""
}

// HideLogin is a text that should be an address, without what somebody may log in with.
func HideLogin(address string) string {
	if strings.Contains(address, "@") {
		return "an address with a name or a password in it"
	}
	return address
}

// isBucket reports whether a name can begin the names of buckets on a server.
func isBucket(name string) bool {
	const safe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
	return name != "" && len(name) <= 64 && strings.Trim(name, safe) == ""
}

// Unusable says what the file gives one of these settings that it cannot be, as an *Invalid; nil: all of them are in
// force as the file gives them, or by default. For some settings the default is no stand-in: who named a server does
// not mean a directory. That counts for a broken file too, which may still name one (leftIn), while no good settings
// were read before.
func (f *File) Unusable(keys ...string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.wrong == nil {
		return nil
	}
	for _, p := range slices.Concat(f.wrong.Problems, f.wrong.left) {
		given := func(v Value) bool { return v.Key == p.Key && v.From == FromFile }
		if slices.Contains(keys, p.Key) && !slices.ContainsFunc(f.last.found, given) {
			return &Invalid{Broken: f.wrong.Broken, Problems: []Problem{p}}
		}
	}
	return nil
}
