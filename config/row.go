package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// neededActions lists the actions that must have a key: cancel, and enter, which confirms the cancel.
var neededActions = []string{"cancel", "enter"}

// RowOf finds the row of a setting. name is the rest of key after the setting, for settings with a value for each name:
// the note of keys.note.
func RowOf(key string) (row Row, name string, ok bool) {
	for _, row := range Table {
		if row.Key == key {
			return row, "", true
		}
		if rest, inside := strings.CutPrefix(key, row.Key+"."); inside && row.byName() && rest != "" {
			return row, rest, true
		}
	}
	return Row{}, "", false
}

// isGroup reports whether key is that of an object which contains settings, as notify does.
func isGroup(key string) bool {
	return slices.ContainsFunc(Table, func(r Row) bool { return strings.HasPrefix(r.Key, key+".") })
}

// keysInFile returns the keys that lead to the setting in the file, or to one name in it.
func (r Row) keysInFile(name string) []string {
	path := strings.Split(r.Key, ".")
	if name != "" {
		path = append(path, name)
	}
	return path
}

// byName reports whether the setting is an object with a value for each of any names.
func (r Row) byName() bool {
	switch r.Kind {
	case SecondsByName, KeysByName, PathsByName, TextByName:
		return true
	}
	return false
}

// CanBeOff reports whether the setting is a number of seconds that can be off.
func (r Row) CanBeOff() bool {
	_, can := r.at(new(Settings)).(**int)
	return can
}

// get returns the value of the setting as JSON.
func (r Row) get(s *Settings) json.RawMessage {
	raw := encodeJSON(r.at(s))
	if string(raw) != "null" {
		return raw
	}
	switch {
	case r.Kind == HiddenOptions:
		return json.RawMessage("[]")
	case r.byName():
		return json.RawMessage("{}")
	}
	return raw
}

// set sets the setting, or one name in it, to a value. It reports whether the value is valid; if not, nothing changes.
func (r Row) set(s *Settings, name string, raw json.RawMessage) bool {
	switch to := r.at(s).(type) {
	case *bool:
		return decodeInto(raw, to, nil)
	case *string:
		return decodeInto(raw, to, r.allowsText)
	case *int:
		return decodeInto(raw, to, r.allowsNumber)
	case **int:
		var n int
		if string(raw) == "null" {
			*to = nil
			return true
		}
		if !decodeInto(raw, &n, r.allowsNumber) {
			return false
		}
		*to = &n
		return true
	case *[]HiddenOption:
		return decodeInto(raw, to, nil)
	case *map[string]int:
		return decodeNamed(raw, to, name, r.allowsNumber)
	case *map[string][]string:
		return decodeNamed(keyList(raw), to, name, func(k []string) bool {
			return len(k) > 0 || !slices.Contains(neededActions, name)
		})
	case *map[string]string:
		return decodeNamed(raw, to, name, nil)
	case *map[string]*string:
		return decodePath(raw, to, name, r.Names)
	}
	return false
}

// PageMaySet reports whether a web page may change the setting.
func (r Row) PageMaySet() bool {
	switch r.Kind {
	case Flag, Choice, Seconds:
		return r.OnPage
	case Text:
		return r.OnPage && len(r.Choices) > 0
	}
	return false
}

// PageMaySetTo reports whether a web page may set the setting to this value. A Text can be set only to one of its
// choices.
func (r Row) PageMaySetTo(typed string) bool {
	return r.PageMaySet() && (r.Kind != Text || slices.Contains(r.Choices, typed))
}

// allowsText reports whether a text is a valid value of the setting.
func (r Row) allowsText(word string) bool {
	text := r.Kind == Text && (r.fits == nil || word == "" || r.fits(word))
	return text || slices.Contains(r.Choices, word)
}

// allowsNumber reports whether a number is a valid value of the setting.
func (r Row) allowsNumber(n int) bool { return n >= r.Least && n <= r.highest() }

// highest returns the highest valid number.
func (r Row) highest() int {
	if r.Kind == Port {
		return maxPort
	}
	return MaxSeconds
}

// decodeInto decodes raw into *to. If the value does not fit, or is null, it returns false and leaves *to unchanged.
func decodeInto[T any](raw json.RawMessage, to *T, fits func(T) bool) bool {
	var v T
	if string(raw) == "null" || json.Unmarshal(raw, &v) != nil || fits != nil && !fits(v) {
		return false
	}
	*to = v
	return true
}

// decodeNamed decodes raw into one entry of a map, as decodeInto does.
func decodeNamed[T any](raw json.RawMessage, to *map[string]T, name string, fits func(T) bool) bool {
	var v T
	if name == "" || !decodeInto(raw, &v, fits) {
		return false
	}
	if *to == nil {
		*to = map[string]T{}
	}
	(*to)[name] = v
	return true
}

// keyList returns a single key as a list of one, and "" as an empty list. Other values are returned unchanged.
func keyList(raw json.RawMessage) json.RawMessage {
	var one string
	if string(raw) == "null" || json.Unmarshal(raw, &one) != nil {
		return raw
	}
	return encodeJSON(slices.DeleteFunc([]string{one}, func(key string) bool { return key == "" }))
}

// encodeJSON returns a value as JSON without HTML escapes, as people write it in the file; nil if JSON cannot express
// it.
func encodeJSON(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil {
		return nil
	}
	return bytes.TrimSpace(b.Bytes())
}

// unescaped returns a JSON value in which characters such as \u003c are written plainly.
func unescaped(raw json.RawMessage) string {
	var v any
	_ = json.Unmarshal(raw, &v)
	return string(encodeJSON(v))
}

// Wanted describes the valid values of the setting, or of one name in it, for the file.
func (r Row) Wanted(name string) string {
	switch {
	case r.byName() && name == "":
		return "an object"
	case r.Kind == Flag:
		return "true or false"
	case r.Kind == Choice:
		return "one of " + strings.Join(r.Choices, ", ")
	case r.Kind == Seconds, r.Kind == SecondsByName:
		words := fmt.Sprintf("a whole number of seconds from %d to %d", r.Least, MaxSeconds)
		if r.CanBeOff() {
			words = "null or " + words
		}
		return words
	case r.Kind == Port:
		return fmt.Sprintf("a whole number from %d to %d", r.Least, r.highest())
	}
	return r.Wants
}

// describeRefused describes an invalid value, and the valid values that the setting must have. want describes the
// valid values if the row has no more exact words for them.
func (r Row) describeRefused(raw json.RawMessage, want string) (wrong, must string) {
	if r.refused == nil {
		return quotable(raw), want
	}
	var text string
	isText := json.Unmarshal(raw, &text) == nil
	if !isText {
		text = unescaped(raw)
	}
	wrong, must = r.refused(text)
	if wrong == "" || !isText && HideLogin(text) == text {
		return quotable(raw), want
	}
	return wrong, must
}

// wantedTyped describes the valid values for a person who types one: unlike the file, SetTyped accepts units.
func (r Row) wantedTyped(name string) string {
	if r.Kind != Seconds && (r.Kind != SecondsByName || name == "") {
		return r.Wanted(name)
	}
	words := fmt.Sprintf("%d s to 24 h, such as 300, 90m or 2h", r.Least)
	if r.CanBeOff() {
		words = "off, or " + words
	}
	return words
}

// Set sets one setting to a JSON value as in the file. Of soft_limits, remotes, keys and widen.paths it sets one name:
// keys.note. If the value is not valid, it changes nothing and returns an *Invalid.
func (s *Settings) Set(key string, raw json.RawMessage) error {
	row, name, ok := RowOf(key)
	if ok && row.set(s, name, raw) {
		return nil
	}
	wrong, want := row.describeRefused(raw, row.Wanted(name))
	return refusal(key, wrong, want)
}

// SetTyped sets one setting to a value that a person typed: on and off, 5m for 300, a word without quotes for a text,
// off for null. It fails as Set does.
func (s *Settings) SetTyped(key, text string) error {
	text = strings.TrimSpace(text)
	row, name, ok := RowOf(key)
	for value, words := range row.Words {
		if text == words {
			text = value
		}
	}
	meanings := typedMeanings(text)
	if row.runs != nil && !row.runs(text) { // such as a command that is not installed: it has no valid meaning
		meanings = nil
	}
	for _, raw := range meanings {
		if ok && row.set(s, name, raw) {
			return nil
		}
	}
	wrong, want := row.describeRefused(encodeJSON(text), row.wantedTyped(name))
	return refusal(key, wrong, want)
}

// typedMeanings lists the JSON values that a typed text may stand for, the most literal first. The first valid one is
// used.
func typedMeanings(text string) []json.RawMessage {
	var list []json.RawMessage
	if json.Valid([]byte(text)) {
		list = append(list, json.RawMessage(text))
	}
	list = append(list, encodeJSON(text))
	switch strings.ToLower(text) {
	case "on", "yes":
		list = append(list, json.RawMessage("true"))
	case "off", "no", "none", "":
		list = append(list, json.RawMessage("false"), json.RawMessage("null"), json.RawMessage("0"))
	}
	if d, err := time.ParseDuration(strings.ReplaceAll(text, " ", "")); err == nil && d%time.Second == 0 {
		list = append(list, json.RawMessage(strconv.FormatInt(int64(d/time.Second), 10)))
	}
	return list
}

// refusal returns the error of a value that a key cannot have.
func refusal(key, wrong, want string) *Invalid {
	row, name, ok := RowOf(key)
	switch {
	case !ok:
		wrong, want = key+" is not a setting", ""
	case row.byName() && name == "":
		want = "set one by one: " + key + ".NAME"
	case len(row.Names) > 0 && !slices.Contains(row.Names, name):
		wrong, want = "not a setting", "one of "+row.Key+"."+strings.Join(row.Names, ", "+row.Key+".")
	}
	return &Invalid{Problems: []Problem{{Key: key, Wrong: wrong, Want: want}}}
}

// CanBeTyped reports whether the value can be typed in one line. Lists and objects cannot.
func (r Row) CanBeTyped() bool { return r.Kind <= Text }

// CanStep reports whether Step can change the setting.
func (r Row) CanStep() bool {
	return r.CanBeTyped() && r.Kind != Port && (r.Kind != Text || len(r.Choices) > 0)
}

// Range describes the valid values for people; empty if Help describes them.
func (r Row) Range() string {
	switch {
	case r.Kind == Port:
		return fmt.Sprintf("%d (%s) to %d.", r.Least, r.Zero, r.highest())
	case r.Kind != Seconds:
		return r.Allows
	}
	words := fmt.Sprintf("%d s to 24 h.", r.Least)
	switch {
	case r.CanBeOff():
		return "off, or " + words
	case r.Zero != "":
		return fmt.Sprintf("0 s (%s) to 24 h.", r.Zero)
	}
	return words
}

// About returns the explanation of the setting with its valid values.
func (r Row) About() string {
	if r.Range() == "" {
		return r.Help
	}
	return r.Help + " " + r.Range()
}

// Text returns a value as people read it and type it: on and off, the number of members of a list or object. A text is
// returned unchanged, so the caller must make it visible.
func (r Row) Text(raw json.RawMessage) string {
	var text string
	switch {
	case len(raw) == 0:
		return ""
	case string(raw) == "true":
		return "on"
	case string(raw) == "false", string(raw) == "null":
		return "off"
	case !r.CanBeTyped():
		return memberCount(raw)
	case json.Unmarshal(raw, &text) == nil:
		return text
	}
	return string(raw)
}

// memberCount returns the number of members of a list or object in words.
func memberCount(raw json.RawMessage) string {
	var list []json.RawMessage
	object, _ := members(raw)
	_ = json.Unmarshal(raw, &list) // raw is an object or a list, so one of the two is empty
	if n := len(object) + len(list); n > 0 {
		return strconv.Itoa(n)
	}
	return "none"
}

// ladder lists the seconds through which Step goes. Other numbers must be typed.
var ladder = []int{0, 1, 2, 3, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 240, 300, 420, 600, 900, 1200, 1800, 2700, 3600,
	7200, 10800, 14400, 21600, 28800, 43200, MaxSeconds}

// Offered lists values to choose from, in the form that SetTyped accepts. It is empty if the setting has none.
func (r Row) Offered() (values []string) {
	switch r.Kind {
	case Flag:
		return []string{"on", "off"}
	case Seconds, SecondsByName:
		if r.CanBeOff() {
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

// Step returns the value that is n steps away, for the arrow keys of the settings page. Without such a value, next is
// nil and why explains that to the person.
func (r Row) Step(raw json.RawMessage, n int) (next json.RawMessage, why string) {
	switch {
	case r.Kind == Flag:
		return encodeJSON(string(raw) != "true"), ""
	case r.Kind == Seconds:
		return r.stepSeconds(raw, n)
	case r.CanStep():
		var word string
		_ = json.Unmarshal(raw, &word) // after an error the steps begin at the first choice
		at, count := slices.Index(r.Choices, word), len(r.Choices)
		if at < 0 && n < 0 {
			at = 0
		}
		return encodeJSON(r.Choices[((at+n)%count+count)%count]), ""
	}
	return nil, "a list: Enter shows it"
}

// stepSeconds returns the next higher (n > 0) or lower value of ladder.
func (r Row) stepSeconds(raw json.RawMessage, n int) (json.RawMessage, string) {
	now := 0 // off counts as lower than all numbers
	_ = json.Unmarshal(raw, &now)
	least := r.Least
	if r.CanBeOff() { // a single press must not turn off into a limit too short to answer in, which has to be typed
		least = max(least, 60)
	}
	if n > 0 {
		for _, v := range ladder {
			if v > now && v >= least {
				return encodeJSON(v), ""
			}
		}
		return nil, "24 h is the limit"
	}
	for _, v := range slices.Backward(ladder) {
		if v < now && v >= least {
			return encodeJSON(v), ""
		}
	}
	if r.CanBeOff() && now > 0 {
		return json.RawMessage("null"), ""
	}
	if now > 0 {
		return nil, fmt.Sprintf("%d s is the least", now)
	}
	return nil, r.Text(raw) + " is the least"
}
