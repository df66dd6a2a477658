// Package config reads, writes and watches the person's settings, a JSON file in the XDG directory for settings.
//
// Table has one Row for every setting: its name, its texts, its valid values and its field in Settings. All code that
// reads, checks, writes, shows or changes settings uses that table, so a new setting needs one row and one field of
// Settings. The text of the file becomes Settings, and back, in these steps:
//
//	text ── members, with their places ── Row.set ──▶ Settings ── Row.get ──▶ JSON ── edits ──▶ text
package config

import (
	"encoding/json"
	"maps"
	"slices"
	"sync"
)

// Values of settings, for other packages.
const (
	TransportAuto     = "auto"
	TransportTerminal = "terminal"
	TransportWeb      = "web"

	TimeoutNone     = "none"
	TimeoutDefaults = "defaults"

	DeliverAuto = "auto"
	DeliverTmux = "tmux"
	DeliverMCP  = "mcp"
	DeliverOff  = "off"

	WidenOff   = "off"
	WidenHTTP  = "http"
	WidenSlack = "slack"

	NativeAuto = "auto"
	NativeOff  = "off"

	// The names of the calls to the team's server, whose paths can be changed.
	WidenAudience   = "audience"
	WidenCall       = "widen"
	WidenDiscussion = "discussion"
	WidenResolve    = "resolve"
	WidenDefer      = "defer"
)

// Settings holds the values of all settings. Table describes what each of them means and its valid values.
type Settings struct {
	Transport          string
	TimeoutSeconds     int
	TimeoutOverride    *int // seconds; nil: off
	TimeoutAction      string
	PlaceholderVisible bool
	AnnotationsEnabled bool
	SingleSubmitMode   bool
	ApproveWithOneKey  bool
	HiddenOptions      []HiddenOption
	UndoSeconds        int // how long an answer waits before it is sent; 0: it is sent at once
	Peek               bool
	Theme              string
	Notify             Notify
	Chat               Chat
	AttachStay         bool
	SoftLimits         map[string]int      // seconds by client name
	Remotes            map[string]string   // by host: the command that reaches it; empty: ssh
	Keys               map[string][]string // the keys of an action, by its name; an empty list: the action has no key
	Widen              Widen
	Native             Native
	Queue              string // a directory, or the address of a server; empty: the usual place
	QueueCredentials   string // the file to log in to the queue's server with; empty: no login
	QueueCA            string // the file with the authorities that may vouch for that server; empty: the system's
	QueueBucket        string // the beginning of the names of all buckets on the server
	QueueReplicas      string // the number of servers in a cluster that store a new queue
	Web                Web
}

// Web holds the settings of the web page.
type Web struct {
	Port int // 0: a free port is chosen, and used again at the next start
}

// HiddenOption hides one option of one client's questions. All three fields must match exactly.
type HiddenOption struct {
	Client string `json:"client"`
	ID     string `json:"id"`
	Label  string `json:"label"`
}

// SetHidden returns the list with the option as its newest entry if hide is set, else without the option. It does not
// change list.
func SetHidden(list []HiddenOption, option HiddenOption, hide bool) []HiddenOption {
	if hide {
		return append(WithoutHidden(list, option), option)
	}
	return WithoutHidden(list, option)
}

// WithoutHidden returns the list without the option. It does not change list.
func WithoutHidden(list []HiddenOption, option HiddenOption) []HiddenOption {
	return slices.DeleteFunc(slices.Clone(list), func(h HiddenOption) bool { return h == option })
}

// Notify holds the settings for telling the person about pending questions.
type Notify struct {
	Bell        bool
	Desktop     string // off, auto, or a command
	WarnSeconds int    // how long before the deadline the person is told again; 0: not at all
}

// Chat holds the setting for the way in which the person's lines reach an agent.
type Chat struct {
	Deliver string
}

// Widen holds the settings for asking the team.
type Widen struct {
	Backend   string             // WidenOff, WidenHTTP or WidenSlack
	BaseURL   string             // the address of the team's server, for WidenHTTP
	TokenFile string             // the file with the token for the server or Slack; it may begin with ~/
	Channel   string             // the id of the channel, for WidenSlack
	Paths     map[string]*string // changed paths of calls, by their name, for WidenHTTP; nil: the call is not made
}

// Native holds the settings for agents' own questions that need neither a hook nor a plugin.
type Native struct {
	Watch string // NativeAuto or NativeOff
}

// Default returns the settings of a new installation.
func Default() Settings { return defaults().Clone() }

// defaults computes the table's defaults once, because every command reads the settings.
var defaults = sync.OnceValue(func() (s Settings) {
	for _, row := range Table {
		if row.Default != nil {
			row.set(&s, "", encodeJSON(row.Default))
		}
	}
	return s
})

// Clone returns a copy of s that shares no map or list with it.
func (s Settings) Clone() Settings {
	for _, row := range Table {
		switch at := row.at(&s).(type) {
		case **int:
			if *at != nil {
				n := **at
				*at = &n
			}
		case *[]HiddenOption:
			*at = slices.Clone(*at)
		case *map[string]int:
			*at = maps.Clone(*at)
		case *map[string]string:
			*at = maps.Clone(*at)
		case *map[string]*string:
			*at = maps.Clone(*at) // the strings behind the pointers are never changed
		case *map[string][]string:
			*at = maps.Clone(*at)
			for action, keys := range *at {
				(*at)[action] = slices.Clone(keys)
			}
		}
	}
	return s
}

// Values returns the settings as JSON, by their keys.
func (s Settings) Values() map[string]json.RawMessage {
	values := make(map[string]json.RawMessage, len(Table))
	for _, row := range Table {
		values[row.Key] = row.get(&s)
	}
	return values
}
