package config

import (
	"encoding/json"
	"net"
	"net/url"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// queueWants describes the valid values of the setting queue.
const queueWants = "a directory, or nats://HOST:PORT or tls://HOST:PORT"

// isQueuePlace reports whether a name is valid as the place of a queue.
func isQueuePlace(name string) bool {
	wrong, _ := MisplacedQueue(name)
	return wrong == ""
}

// MisplacedQueue describes the fault of a name as the place of a queue, and names a valid place. Both results are empty
// for a valid name, which is a directory or addresses of servers without a login. The words never repeat a login.
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

// areServers reports whether a text is a list of server addresses, separated by commas.
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

// addressMeant returns the server address that was probably meant by the name of a relative directory; "" if it
// probably means a directory.
func addressMeant(name string) string {
	scheme, rest, _ := strings.Cut(name, ":")
	for _, one := range []string{"nats", "tls"} {
		if strings.EqualFold(scheme, one) && scheme != name { // nats:host
			return one + "://" + strings.Trim(rest, "/")
		}
		if host, ok := strings.CutPrefix(name, one+"//"); ok { // nats//host
			return one + "://" + host
		}
	}
	if strings.HasPrefix(name, "/") || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "~") {
		return ""
	}
	colon := strings.Index(name, ":")
	isPort := colon > 0 && colon < len(name)-1 && strings.Trim(name[colon+1:], "0123456789") == ""
	if isPort || colon >= 0 && strings.LastIndex(name, "@") > colon { // host:4222, name:password@host
		return "nats://" + name
	}
	return ""
}

// HideLogin returns an address unchanged, or other words if it may contain a name or a password.
func HideLogin(address string) string {
	if strings.Contains(address, "@") {
		return "an address with a name or a password in it"
	}
	return address
}

// isBucket reports whether a name is valid as the beginning of bucket names on a server.
func isBucket(name string) bool {
	const safe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_"
	return name != "" && len(name) <= 64 && strings.Trim(name, safe) == ""
}

// The functions below check the widen.* settings. The token file itself is checked when it is read.

// serverWants describes a valid address of the team's server.
const serverWants = "an address that begins with https:// (or http:// on this machine), without ?, # and a name to " +
	"log in"

// isServer reports whether a text is the address of a server that may receive a token: with TLS, or on this machine.
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

// refuseLogin refuses an address of the team's server that may contain a login. wrong describes the address without
// repeating the login. Both results are empty if there is no login.
func refuseLogin(address string) (wrong, want string) {
	if wrong = HideLogin(address); wrong != address {
		return wrong, serverWants
	}
	return "", ""
}

// isOffAutoOrCommand reports whether a text is empty, off, auto, or a command whose program is installed here.
func isOffAutoOrCommand(text string) bool {
	argv := strings.Fields(strings.Trim(text, `"`)) // it may be typed as JSON
	if len(argv) == 0 || len(argv) == 1 && (argv[0] == "off" || argv[0] == "auto") {
		return true
	}
	_, err := exec.LookPath(argv[0])
	return err == nil
}

// isFullPath reports whether a file name means the same file in every working directory.
func isFullPath(name string) bool { return filepath.IsAbs(name) || strings.HasPrefix(name, "~/") }

// The patterns are compiled at their first use: every command reads the settings, and few settings files need these.
var (
	// channelID matches the id of a Slack channel.
	channelID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[CG][A-Z0-9]{2,30}$`) })

	// pathOfServer matches the path of a URL, which may contain placeholders in braces.
	pathOfServer = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(/([A-Za-z0-9._~%-]|\{decision\}|\{mission\})*)+$`)
	})
)

// isChannel reports whether a text is the id of a Slack channel.
func isChannel(id string) bool { return channelID().MatchString(id) }

// decodePath decodes raw into the entry of one call to the team's server: a path, or null for a call that must not be
// made. It reports whether the value is valid. names lists the calls.
func decodePath(raw json.RawMessage, to *map[string]*string, name string, names []string) bool {
	if !slices.Contains(names, name) {
		return false
	}
	var path *string
	isNotCalled := string(raw) == "null" && (name == WidenResolve || name == WidenDefer)
	if !isNotCalled && !decodeInto(raw, &path, func(p *string) bool { return isPathOf(name, *p) }) {
		return false
	}
	if *to == nil {
		*to = map[string]*string{}
	}
	(*to)[name] = path
	return true
}

// isPathOf reports whether a path is valid for the call of this name: it has the placeholder that the call needs, and
// no part that is a dot or two dots.
func isPathOf(name, path string) bool {
	placeholder := "{decision}"
	if name == WidenAudience {
		placeholder = "{mission}"
	}
	dots := slices.ContainsFunc(strings.Split(path, "/"), func(part string) bool { return part == "." || part == ".." })
	return pathOfServer().MatchString(path) && strings.Contains(path, placeholder) && !dots
}
