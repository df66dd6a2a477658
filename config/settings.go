// Package config keeps the person's settings in one XDG JSON file: load, save, watch.
//
// Table has one Row for every setting: its name, its words, its valid values and its field in Settings. All code that
// reads, checks, writes, shows or changes settings uses that table, so a new setting needs one row and one field of
// Settings. Between the two there are three steps:
//
//	text ── members, with their places ── Row.set ──▶ Settings ── Row.get ──▶ JSON ── edits ──▶ text
package config

import (
	"encoding/json"
	"maps"
	"slices"
	"sync"
)

// Values of settings that other packages have to know.
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

	// Names of the calls to the team's server, whose paths can be changed.
	WidenAudience   = "audience"
	WidenCall       = "widen"
	WidenDiscussion = "discussion"
	WidenResolve    = "resolve"
	WidenDefer      = "defer"
)

// Settings holds the values in force. Table says what each of them means and may be.
type Settings struct {
	Transport           string
	TimeoutSeconds      int
	TimeoutOverride     *int // seconds; nil: off
	TimeoutLeastSeconds int
	TimeoutAction       string
	HoldWhileTyping     bool
	PlaceholderVisible  bool
	AnnotationsEnabled  bool
	SingleSubmitMode    bool
	HiddenOptions       []HiddenOption
	UndoSeconds         int // how long an answer can be taken back; 0: it is sent at once
	Peek                bool
	Theme               string
	Notify              Notify
	Chat                Chat
	AttachStay          bool
	SoftLimits          map[string]int      // seconds by client name
	Keys                map[string][]string // by action; empty: the action has no key
	Widen               Widen
	Native              Native
	Queue               string // a directory, or the address of a server; empty: the usual place
	QueueCredentials    string // the file to log in to the queue's server with; empty: no login
	QueueCA             string // the file with the authorities that may vouch for that server; empty: the system's
	QueueBucket         string // begins the names of what the server keeps
	QueueReplicas       string // how many servers of a cluster keep a queue that is made there
	Web                 Web
}

// Web says where the page in the browser is served.
type Web struct {
	Port int // 0: one that is free, and the same again next time
}

// HiddenOption hides one option of one client's asks; all three match exactly.
type HiddenOption struct {
	Client string `json:"client"`
	ID     string `json:"id"`
	Label  string `json:"label"`
}

// ToggleHidden returns the list with the option hidden, as its newest entry, or without it. It does not change list.
func ToggleHidden(list []HiddenOption, option HiddenOption, hide bool) []HiddenOption {
	rest := slices.DeleteFunc(slices.Clone(list), func(h HiddenOption) bool { return h == option })
	if hide {
		return append(rest, option)
	}
	return rest
}

// Notify says how the person is told that something waits.
type Notify struct {
	Bell        bool
	Title       bool
	Desktop     string // off, auto, or a command
	WarnSeconds int    // told again this long before the deadline
}

// Chat says how a line reaches an agent.
type Chat struct {
	Deliver string
}

// Widen says how the team is asked about a question.
type Widen struct {
	Backend   string             // WidenOff, WidenHTTP or WidenSlack
	BaseURL   string             // of the server of WidenHTTP
	TokenFile string             // of either; it may begin with ~/
	Channel   string             // of WidenSlack: its id
	Paths     map[string]*string // of WidenHTTP, by name, where they differ; nil: that is not called
}

// Native says whose own questions are taken in without a hook or a plugin.
type Native struct {
	Codex      string // NativeAuto or NativeOff
	CodexHomes string // directories, with a colon between them
}

// Default returns the settings of a new installation.
func Default() Settings { return defaults().Clone() }

// defaults returns the table's defaults. It computes them once, because every command reads the settings.
var defaults = sync.OnceValue(func() (s Settings) {
	for _, row := range Table {
		if row.Default != nil {
			row.set(&s, "", encodeJSON(row.Default))
		}
	}
	return s
})

// Clone returns settings that share nothing with s.
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
		case *map[string]*string:
			*at = maps.Clone(*at) // nobody writes through what the values point to
		case *map[string][]string:
			*at = maps.Clone(*at)
			for action, keys := range *at {
				(*at)[action] = slices.Clone(keys)
			}
		}
	}
	return s
}

// Values returns the settings as JSON, by their names; nested ones with a dot: notify.bell.
func (s Settings) Values() map[string]json.RawMessage {
	values := make(map[string]json.RawMessage, len(Table))
	for _, row := range Table {
		values[row.Key] = row.get(&s)
	}
	return values
}
