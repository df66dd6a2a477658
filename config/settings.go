// Package config keeps the person's settings in one XDG JSON file: load, save, watch. It knows nobody.
package config

import (
	"encoding/json"
	"maps"
	"slices"
)

// Transports, timeout actions and themes a setting may name.
const (
	TransportAuto     = "auto"
	TransportTerminal = "terminal"
	TransportWeb      = "web"

	TimeoutNone     = "none"
	TimeoutDefaults = "defaults"
)

// Settings are the effective values. Each is named and explained in DESIGN section 7; JSON names are snake_case.
type Settings struct {
	Transport           string          `json:"transport"`             // auto | terminal | web: what transport "auto" means
	TimeoutSeconds      int             `json:"timeout_seconds"`       // 1 to 86400, where the caller gives none
	TimeoutOverride     *int            `json:"timeout_override"`      // seconds; beats the caller; null: off
	TimeoutLeastSeconds int             `json:"timeout_least_seconds"` // raises a shorter timeout
	TimeoutAction       string          `json:"timeout_action"`        // none | defaults
	HoldWhileTyping     bool            `json:"hold_while_typing"`
	PlaceholderVisible  bool            `json:"placeholder_visible"`
	AnnotationsEnabled  bool            `json:"annotations_enabled"`
	SingleSubmitMode    bool            `json:"single_submit_mode"`
	HiddenOptions       []HiddenOption  `json:"hidden_options"`
	Theme               string          `json:"theme"` // auto | dark | light | mono
	Notify              Notify          `json:"notify"`
	Chat                Chat            `json:"chat"`
	SoftLimits          map[string]int  `json:"soft_limits"` // seconds by client name
	Keys                map[string]Keys `json:"keys"`        // action name to keys; empty: unbound
	Widen               json.RawMessage `json:"widen"`
	Queue               string          `json:"queue"` // a directory, or nats://…; empty: the default place
}

// HiddenOption hides one option of one client's asks; all three match exactly.
type HiddenOption struct {
	Client string `json:"client"`
	ID     string `json:"id"`
	Label  string `json:"label"`
}

// Notify says how the person is told that something waits.
type Notify struct {
	Bell        bool   `json:"bell"`
	Title       bool   `json:"title"`
	Desktop     string `json:"desktop"`      // off | auto | a command
	WarnSeconds int    `json:"warn_seconds"` // told again this long before the deadline
}

// Chat says how a line reaches an agent.
type Chat struct {
	Deliver string `json:"deliver"` // auto | tmux | mcp | off
}

// Keys are the keys of one action; in the file one string or a list of them.
type Keys []string

// UnmarshalJSON reads one key or a list of keys.
func (k *Keys) UnmarshalJSON(raw []byte) error {
	var one string
	if json.Unmarshal(raw, &one) == nil {
		if *k = nil; one != "" {
			*k = Keys{one}
		}
		return nil
	}
	var many []string
	if err := json.Unmarshal(raw, &many); err != nil {
		return err
	}
	*k = many
	return nil
}

// Default returns the settings of a new installation.
func Default() Settings {
	return Settings{
		Transport: TransportAuto, TimeoutSeconds: 300, TimeoutAction: TimeoutNone,
		HoldWhileTyping: true, PlaceholderVisible: true, AnnotationsEnabled: true,
		Theme:  "auto",
		Notify: Notify{Bell: true, Title: true, Desktop: "off", WarnSeconds: 10},
		Chat:   Chat{Deliver: "auto"},
	}
}

// Clone returns settings that share nothing with s.
func (s Settings) Clone() Settings {
	if s.TimeoutOverride != nil {
		override := *s.TimeoutOverride
		s.TimeoutOverride = &override
	}
	s.HiddenOptions = slices.Clone(s.HiddenOptions)
	s.SoftLimits = maps.Clone(s.SoftLimits)
	s.Keys = maps.Clone(s.Keys)
	for action, keys := range s.Keys {
		s.Keys[action] = slices.Clone(keys)
	}
	s.Widen = slices.Clone(s.Widen)
	return s
}
