package config

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
)

// Typed reports whether a value can be typed: lists and objects are not written in one line.
func (r Row) Typed() bool { return r.Kind <= Text }

// Steps reports whether there is a next value to step to.
func (r Row) Steps() bool {
	return r.Typed() && r.Kind != Port && (r.Kind != Text || len(r.Choices) > 0)
}

// Range says which values the setting may have, as people say it; empty where Help does.
func (r Row) Range() string {
	switch {
	case r.Kind == Port:
		return fmt.Sprintf("%d (%s) to %d.", r.Least, r.Zero, r.most())
	case r.Kind != Seconds:
		return r.Allows
	}
	words := fmt.Sprintf("%d s to 24 h.", r.Least)
	switch {
	case r.off():
		return "off, or " + words
	case r.Zero != "":
		return fmt.Sprintf("0 s (%s) to 24 h.", r.Zero)
	}
	return words
}

// About is the setting's explanation.
func (r Row) About() string {
	if r.Range() == "" {
		return r.Help
	}
	return r.Help + " " + r.Range()
}

// Text is a value as people read it, and as typing starts with it: on and off, how many members a list or object has.
// A text is as it came; who shows it makes it visible.
func (r Row) Text(raw json.RawMessage) string {
	var text string
	switch {
	case len(raw) == 0:
		return ""
	case string(raw) == "true":
		return "on"
	case string(raw) == "false", string(raw) == "null":
		return "off"
	case !r.Typed():
		return memberCount(raw)
	case json.Unmarshal(raw, &text) == nil:
		return text
	}
	return string(raw)
}

func memberCount(raw json.RawMessage) string {
	var list []json.RawMessage
	object, _ := members(raw)
	_ = json.Unmarshal(raw, &list) // one of the two has something
	if n := len(object) + len(list); n > 0 {
		return strconv.Itoa(n)
	}
	return "none"
}

// ladder are the seconds that Step goes over; any other is typed.
var ladder = []int{0, 1, 2, 3, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 300, 420, 600, 900, 1200, 1800, 2700, 3600,
	7200, 10800, 14400, 21600, 28800, 43200, MaxSeconds}

// Offered are the values that SetTyped takes and that can be listed, as a person types them; none where any may be.
func (r Row) Offered() (values []string) {
	switch r.Kind {
	case Flag:
		return []string{"on", "off"}
	case Seconds, SecondsByName:
		if r.off() {
			values = append(values, "off")
		}
		for _, n := range ladder {
			if n >= r.Least {
				values = append(values, strconv.Itoa(n))
			}
		}
		return values
	}
	return slices.Clone(r.Choices)
}

// Step is the value n steps further, or the words why there is none.
func (r Row) Step(raw json.RawMessage, n int) (next json.RawMessage, why string) {
	switch {
	case r.Kind == Flag:
		return encode(string(raw) != "true"), ""
	case r.Kind == Seconds:
		return r.stepSeconds(raw, n)
	case r.Steps():
		var word string
		_ = json.Unmarshal(raw, &word) // what is no word starts at the first
		at, count := slices.Index(r.Choices, word), len(r.Choices)
		if at < 0 && n < 0 {
			at = 0
		}
		return encode(r.Choices[((at+n)%count+count)%count]), ""
	case r.Kind == Text, r.Kind == Port:
		return nil, r.Label + " is typed"
	case r.Kind == HiddenOptions:
		return nil, "a list: Enter shows it"
	}
	return nil, r.Label + " is written in the file"
}

func (r Row) stepSeconds(raw json.RawMessage, n int) (json.RawMessage, string) {
	now := 0 // off stands below the least
	_ = json.Unmarshal(raw, &now)
	if n > 0 {
		for _, v := range ladder {
			if v > now && v >= r.Least {
				return encode(v), ""
			}
		}
		return nil, "24 h is the most"
	}
	for _, v := range slices.Backward(ladder) {
		if v < now && v >= r.Least {
			return encode(v), ""
		}
	}
	if r.off() && now > 0 {
		return json.RawMessage("null"), ""
	}
	return nil, r.Text(raw) + " is the least"
}
