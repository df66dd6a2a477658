package config

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

const (
	// MaxSeconds is the longest time a setting may name: a day, as for a question's deadline.
	MaxSeconds = 86400
	// actionCancel can be rebound, never unbound; nor can actionEnter, which carries the cancel out.
	actionCancel = "cancel"
	actionEnter  = "enter"
)

// Source says where a value comes from.
type Source string

// Sources.
const (
	FromDefault Source = "default"
	FromFile    Source = "file"
	Unknown     Source = "unknown" // in the file, but nothing reads it: a newer version's, or a slip of the pen
)

// Value is one setting as it is in force.
type Value struct {
	Key    string          `json:"key"` // nested ones with dots: notify.bell
	Value  json.RawMessage `json:"value"`
	From   Source          `json:"from"`
	Line   int             `json:"line,omitempty"` // in the file
	Column int             `json:"column,omitempty"`
}

// field is one key: what it may hold, and how it is taken over. set reports false, and changes nothing, where the
// value is not want.
type field struct {
	key  string
	want string
	said string // want, as it is told to a person who types; empty: the same
	set  func(s *Settings, raw json.RawMessage) bool
	sub  []field                                               // an object of fixed keys
	each func(s *Settings, key string, r json.RawMessage) bool // an object of any keys
}

const (
	wantSeconds = "a whole number of seconds from %d to 86400"
	saidSeconds = "%d s to 24 h: 300, 90m, 2h" // in the file only the first of these is a number
)

// fields is the one table of what can be set; DESIGN section 7 explains each.
var fields = []field{
	oneOf("transport", func(s *Settings) *string { return &s.Transport }, TransportAuto, TransportTerminal, TransportWeb),
	seconds("timeout_seconds", 1, func(s *Settings) *int { return &s.TimeoutSeconds }),
	{key: "timeout_override", want: "null or " + fmt.Sprintf(wantSeconds, 1), said: "off, or " + fmt.Sprintf(saidSeconds, 1), set: setOverride},
	seconds("timeout_least_seconds", 0, func(s *Settings) *int { return &s.TimeoutLeastSeconds }),
	oneOf("timeout_action", func(s *Settings) *string { return &s.TimeoutAction }, TimeoutNone, TimeoutDefaults),
	flag("hold_while_typing", func(s *Settings) *bool { return &s.HoldWhileTyping }),
	flag("placeholder_visible", func(s *Settings) *bool { return &s.PlaceholderVisible }),
	flag("annotations_enabled", func(s *Settings) *bool { return &s.AnnotationsEnabled }),
	flag("single_submit_mode", func(s *Settings) *bool { return &s.SingleSubmitMode }),
	{key: "hidden_options", want: "a list of {client, id, label}", set: func(s *Settings, raw json.RawMessage) bool {
		return take(raw, &s.HiddenOptions)
	}},
	oneOf("theme", func(s *Settings) *string { return &s.Theme }, "auto", "dark", "light", "mono"),
	{key: "notify", want: "an object", sub: []field{
		flag("bell", func(s *Settings) *bool { return &s.Notify.Bell }),
		flag("title", func(s *Settings) *bool { return &s.Notify.Title }),
		text("desktop", `"off", "auto" or a command`, func(s *Settings) *string { return &s.Notify.Desktop }),
		seconds("warn_seconds", 0, func(s *Settings) *int { return &s.Notify.WarnSeconds }),
	}},
	{key: "chat", want: "an object", sub: []field{
		oneOf("deliver", func(s *Settings) *string { return &s.Chat.Deliver }, "auto", "tmux", "mcp", "off"),
	}},
	{key: "soft_limits", want: fmt.Sprintf(wantSeconds, 0), said: fmt.Sprintf(saidSeconds, 0), each: setSoftLimit},
	{key: "keys", want: "a key, a list of keys, or \"\" for none (cancel and enter need one)", each: setKeys},
	{key: "widen", want: "an object", set: func(s *Settings, raw json.RawMessage) bool {
		if raw[0] != '{' {
			return false
		}
		s.Widen = slices.Clone(raw)
		return true
	}},
	text("queue", "a directory or nats://…", func(s *Settings) *string { return &s.Queue }),
}

// take reads raw into *to, and leaves it alone where that fails. null is no value.
func take[T any](raw json.RawMessage, to *T) bool {
	var v T
	if string(raw) == "null" || json.Unmarshal(raw, &v) != nil {
		return false
	}
	*to = v
	return true
}

func flag(key string, at func(*Settings) *bool) field {
	return field{key: key, want: "true or false", set: func(s *Settings, raw json.RawMessage) bool {
		return take(raw, at(s))
	}}
}

func text(key, want string, at func(*Settings) *string) field {
	return field{key: key, want: want, set: func(s *Settings, raw json.RawMessage) bool { return take(raw, at(s)) }}
}

func oneOf(key string, at func(*Settings) *string, words ...string) field {
	want := "one of " + strings.Join(words, ", ")
	return field{key: key, want: want, set: func(s *Settings, raw json.RawMessage) bool {
		var word string
		if !take(raw, &word) || !slices.Contains(words, word) {
			return false
		}
		*at(s) = word
		return true
	}}
}

func seconds(key string, least int, at func(*Settings) *int) field {
	return field{key: key, want: fmt.Sprintf(wantSeconds, least), said: fmt.Sprintf(saidSeconds, least), set: func(s *Settings, raw json.RawMessage) bool {
		n, ok := within(raw, least)
		if ok {
			*at(s) = n
		}
		return ok
	}}
}

func within(raw json.RawMessage, least int) (n int, ok bool) {
	ok = take(raw, &n) && n >= least && n <= MaxSeconds
	return n, ok
}

func setOverride(s *Settings, raw json.RawMessage) bool {
	if string(raw) == "null" {
		s.TimeoutOverride = nil
		return true
	}
	n, ok := within(raw, 1)
	if ok {
		s.TimeoutOverride = &n
	}
	return ok
}

func setSoftLimit(s *Settings, client string, raw json.RawMessage) bool {
	n, ok := within(raw, 0)
	if ok {
		if s.SoftLimits == nil {
			s.SoftLimits = map[string]int{}
		}
		s.SoftLimits[client] = n
	}
	return ok
}

func setKeys(s *Settings, action string, raw json.RawMessage) bool {
	var keys Keys
	if !take(raw, &keys) || (action == actionCancel || action == actionEnter) && len(keys) == 0 {
		return false
	}
	if s.Keys == nil {
		s.Keys = map[string]Keys{}
	}
	s.Keys[action] = keys
	return true
}
