package panes

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/say"
)

// settingKind says how a setting is changed by keys.
type settingKind int

const (
	settingFlag    settingKind = iota
	settingWord                // one of some words
	settingSeconds             // a number of seconds
	settingText                // a word of some, or any text
	settingHidden              // the list of hidden options: Enter shows it
	settingObject              // written in the file
)

// Setting is one row of the settings, as people read it. What it may hold is config's to judge.
type Setting struct {
	Key   string // notify.warn_seconds
	Help  string // what it is
	Range string // unit and range
	kind  settingKind
	words []string // of settingWord and settingText
	least int      // of settingSeconds; -1: also off (null)
}

// Settings are all of DESIGN section 7, the ones people change most first.
var Settings = []Setting{
	{Key: "transport", kind: settingWord, words: []string{"auto", "terminal", "web"},
		Help: "Where a question opens if its agent does not say: here, by a command, or in the browser."},
	{Key: "timeout_seconds", kind: settingSeconds, least: 1,
		Help: "How long the next question waits when its agent does not say.", Range: "1 s to 24 h."},
	{Key: "timeout_action", kind: settingWord, words: []string{"none", "defaults"},
		Help: "What the next question sends when its time is up: no answer, or its agent's defaults."},
	{Key: "hold_while_typing", kind: settingFlag,
		Help: "With less than 45 s left, typing moves the deadline to a minute from then."},
	{Key: "placeholder_visible", kind: settingFlag,
		Help: "Shows the agent's example where you type your own words."},
	{Key: "annotations_enabled", kind: settingFlag,
		Help: "Notes on options and a comment on the whole. Off: offered nowhere."},
	{Key: "single_submit_mode", kind: settingFlag,
		Help: "Choosing answers at once, where one is wanted and the agent does not say."},
	{Key: "hidden_options", kind: settingHidden,
		Help: "Options left out of every later ask of the same client."},
	{Key: "notify.bell", kind: settingFlag,
		Help: "The bell rings for a new question while this pane has not the focus."},
	{Key: "notify.title", kind: settingFlag,
		Help: "The terminal's title says how many wait."},
	{Key: "notify.desktop", kind: settingText, words: []string{"off", "auto"},
		Help: "A notification on the desktop:", Range: "off, auto (by the terminal), or a command."},
	{Key: "notify.warn_seconds", kind: settingSeconds,
		Help: "This long before the deadline you are told again.", Range: "0 s (not) to 24 h."},
	{Key: "chat.deliver", kind: settingWord, words: []string{"auto", "tmux", "mcp", "off"},
		Help: "How chat reaches an agent: its tmux pane, its next_message tool, either, or not."},
	{Key: "theme", kind: settingWord, words: []string{ThemeAuto, ThemeDark, ThemeLight, ThemeMono},
		Help: "auto: the terminal's own colours. NO_COLOR means mono."},
	{Key: "timeout_override", kind: settingSeconds, least: -1,
		Help: "How long questions wait, whatever their agent says.", Range: "off, or 1 s to 24 h."},
	{Key: "timeout_least_seconds", kind: settingSeconds,
		Help: "The shortest time an agent may give you.", Range: "0 s (any) to 24 h."},
	{Key: "soft_limits", kind: settingObject,
		Help: "Seconds a call may block before its agent must call again, by client."},
	{Key: "keys", kind: settingObject,
		Help: "Your own keys, by action; choicetui config keys lists them all."},
	{Key: "widen", kind: settingObject,
		Help: "Who else is asked, and how."},
	{Key: "queue", kind: settingText,
		Help: "Where questions are kept; counts from the next start.", Range: "A directory, or nats://…"},
}

// Label is the setting's name in words.
func (s Setting) Label() string { return strings.NewReplacer("_", " ", ".", " ").Replace(s.Key) }

// Typed reports whether Enter asks for a value: lists and objects are not written in one line.
func (s Setting) Typed() bool { return s.kind != settingHidden && s.kind != settingObject }

// Steps reports whether ←→ have another value to offer.
func (s Setting) Steps() bool { return s.Typed() && (s.kind != settingText || len(s.words) > 0) }

// Hidden reports whether this is the list of hidden options.
func (s Setting) Hidden() bool { return s.kind == settingHidden }

// Text is the value as it stands in the row, and as typing starts with it.
func (s Setting) Text(raw json.RawMessage) string {
	var text string
	switch {
	case len(raw) == 0:
		return ""
	case string(raw) == "true":
		return "on"
	case string(raw) == "false", string(raw) == "null":
		return "off"
	case s.kind == settingHidden, s.kind == settingObject:
		return memberCount(raw)
	case json.Unmarshal(raw, &text) == nil:
		return say.OneLine(text)
	}
	return string(raw)
}

func memberCount(raw json.RawMessage) string {
	var list []json.RawMessage
	var object map[string]json.RawMessage
	n := 0
	if json.Unmarshal(raw, &list) == nil {
		n = len(list)
	} else if json.Unmarshal(raw, &object) == nil {
		n = len(object)
	}
	if n == 0 {
		return "none"
	}
	return strconv.Itoa(n)
}

// ladder are the seconds that ←→ step over; any other is typed.
var ladder = []int{0, 1, 2, 3, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 300, 420, 600, 900, 1200, 1800, 2700, 3600,
	7200, 10800, 14400, 21600, 28800, 43200, config.MaxSeconds}

// Step is the value n steps further, or the words why there is none.
func (s Setting) Step(raw json.RawMessage, n int) (next json.RawMessage, why string) {
	switch s.kind {
	case settingFlag:
		return encoded(string(raw) != "true"), ""
	case settingWord, settingText:
		if len(s.words) == 0 {
			return nil, s.Label() + " is typed"
		}
		var word string
		_ = json.Unmarshal(raw, &word) // what is no word starts at the first
		at := slices.Index(s.words, word)
		if at < 0 && n < 0 {
			at = 0
		}
		return encoded(s.words[((at+n)%len(s.words)+len(s.words))%len(s.words)]), ""
	case settingSeconds:
		return s.stepSeconds(raw, n)
	case settingHidden:
		return nil, "a list: Enter shows it"
	}
	return nil, s.Label() + " is written in the file"
}

func (s Setting) stepSeconds(raw json.RawMessage, n int) (json.RawMessage, string) {
	now, least := 0, max(s.least, 0)
	if s.least < 0 {
		least = 1
	}
	if json.Unmarshal(raw, &now) != nil || string(raw) == "null" {
		now = 0 // off stands below the least
	}
	if n > 0 {
		for _, v := range ladder {
			if v > now && v >= least {
				return encoded(v), ""
			}
		}
		return nil, "24 h is the most"
	}
	for _, v := range slices.Backward(ladder) {
		if v < now && v >= least {
			return encoded(v), ""
		}
	}
	if s.least < 0 && now > 0 {
		return json.RawMessage("null"), ""
	}
	return nil, s.Text(raw) + " is the least"
}

func encoded(v any) json.RawMessage {
	raw, _ := json.Marshal(v)
	return raw
}

// inUnits is a number of seconds as people say it; empty where that is no shorter, and for other settings.
func (s Setting) inUnits(raw json.RawMessage) string {
	var n int
	if s.kind != settingSeconds || json.Unmarshal(raw, &n) != nil {
		return ""
	}
	return say.Units(n)
}
