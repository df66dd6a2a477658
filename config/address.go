package config

import (
	"encoding/json"
	"net"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// queueWants says what the place of a queue must be.
const queueWants = "a directory, or nats://HOST:PORT or tls://HOST:PORT"

// isQueuePlace reports whether a name can be a queue's.
func isQueuePlace(name string) bool {
	wrong, _ := MisplacedQueue(name)
	return wrong == ""
}

// MisplacedQueue says why a name cannot be a queue's place, and what to write instead. Both are empty if it can be: the
// name of a directory, or addresses of servers without a login. The words never repeat a login.
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
	return quotable(encodeJSON(name)), want
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

// addressMeant returns the address that was probably meant by a name that would be a directory below the current one.
// It returns "" if a directory may be meant.
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

// HideLogin returns a text that should be an address, or words in its place if it may contain a name or a password.
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

// Validation of the widen.* settings. Existence and permissions of the token file are checked when it is read.

// serverWants says what the address of the team's server must be.
const serverWants = "an address that begins with https:// (or http:// on this machine), without ?, # and a name to " +
	"log in"

// isServer reports whether a text is the address of a server that may be given a token: over TLS, or on this machine.
func isServer(address string) bool {
	u, err := url.Parse(address)
	switch {
	case err != nil, u.Hostname() == "", u.User != nil, strings.ContainsAny(address, "?#"):
		return false
	case u.Scheme == "https":
		return true
	}
	ip := net.ParseIP(u.Hostname())
	return u.Scheme == "http" && (u.Hostname() == "localhost" || ip != nil && ip.IsLoopback())
}

// serverWithoutLogin describes a text that is no address of a team's server, without a login that it may contain.
func serverWithoutLogin(address string) (wrong, want string) {
	if wrong = HideLogin(address); wrong != address {
		return wrong, serverWants
	}
	return "", ""
}

// isFullPath reports whether a file's name means the same in every directory.
func isFullPath(name string) bool { return filepath.IsAbs(name) || strings.HasPrefix(name, "~/") }

// areFullPaths reports whether a text is full paths with colons between them.
func areFullPaths(names string) bool {
	return !slices.ContainsFunc(strings.Split(names, ":"), func(name string) bool { return !isFullPath(name) })
}

// The patterns are compiled when one is needed: every command reads the settings, and few have any of these.
var (
	channelID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[CG][A-Z0-9]{2,30}$`) })

	// pathOfServer matches a path of an address, with the names in braces that are filled in.
	pathOfServer = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(/([A-Za-z0-9._~%-]|\{decision\}|\{mission\})*)+$`)
	})
)

func isChannel(id string) bool { return channelID().MatchString(id) }

// decodePath reads the path of one call on the team's server, or null for a call that is not made.
func decodePath(raw json.RawMessage, to *map[string]*string, name string, names []string) bool {
	if !slices.Contains(names, name) {
		return false
	}
	var path *string
	switch {
	case string(raw) == "null":
		if name != WidenResolve && name != WidenDefer {
			return false
		}
	case !decodeInto(raw, &path, func(p *string) bool { return isPathOf(name, *p) }):
		return false
	}
	if *to == nil {
		*to = map[string]*string{}
	}
	(*to)[name] = path
	return true
}

func isPathOf(name, path string) bool {
	of := "{decision}"
	if name == WidenAudience {
		of = "{mission}"
	}
	dots := slices.ContainsFunc(strings.Split(path, "/"), func(part string) bool { return part == "." || part == ".." })
	return pathOfServer().MatchString(path) && strings.Contains(path, of) && !dots
}
