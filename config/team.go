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

// What the settings of asking the team may be. That a file is there and nobody else's is looked at when it is read.

// serverWants is what the address of the team's server must be.
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

// serverWithoutLogin says of what is no address of a team's server why, where that is not to be quoted.
func serverWithoutLogin(address string) (wrong, want string) {
	if wrong = HideLogin(address); wrong != address {
		return wrong, serverWants
	}
	return "", ""
}

// isFullPath reports whether a file's name means the same in every directory.
func isFullPath(name string) bool { return filepath.IsAbs(name) || strings.HasPrefix(name, "~/") }

// areFullPaths reports whether each of several names does, with a colon between them.
func areFullPaths(names string) bool {
	return !slices.ContainsFunc(strings.Split(names, ":"), func(name string) bool { return !isFullPath(name) })
}

// The patterns are compiled when one is needed: every command reads the settings, and few have any of these.
var (
	channelID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[CG][A-Z0-9]{2,30}$`) })

	// pathOfServer is a path as it stands in an address, with the names in braces that are filled in.
	pathOfServer = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^(/([A-Za-z0-9._~%-]|\{decision\}|\{mission\})*)+$`)
	})
)

func isChannel(id string) bool { return channelID().MatchString(id) }

// takePath gives the path of one call on the team's server, or null for one that is not made.
func takePath(raw json.RawMessage, to *map[string]*string, name string, names []string) bool {
	if !slices.Contains(names, name) {
		return false
	}
	var path *string
	switch {
	case string(raw) == "null":
		if name != WidenResolve && name != WidenDefer {
			return false
		}
	case !take(raw, &path, func(p *string) bool { return isPathOf(name, *p) }):
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
