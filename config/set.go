package config

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// Set gives one setting the value raw, JSON as it stands in the file. Of soft_limits and keys it sets one name:
// keys.note. An *Invalid says what would be right; nothing has changed then.
func (s *Settings) Set(key string, raw json.RawMessage) error {
	row, name, ok := rowOf(key)
	if ok && row.set(s, name, raw) {
		return nil
	}
	wrong, want := row.refuse(raw, row.Wanted(name))
	return refusal(key, wrong, want)
}

// SetTyped is Set for a value as a person types it: on and off, 5m for 300, a bare word for a text, off for null.
func (s *Settings) SetTyped(key, text string) error {
	text = strings.TrimSpace(text)
	row, name, ok := rowOf(key)
	for _, raw := range readings(text) {
		if ok && row.set(s, name, raw) {
			return nil
		}
	}
	wrong, want := row.refuse(encode(text), row.wantedTyped(name))
	return refusal(key, wrong, want)
}

// readings is what a typed text may mean as JSON, the most literal first; the setting takes the first that fits.
func readings(text string) []json.RawMessage {
	var list []json.RawMessage
	if json.Valid([]byte(text)) {
		list = append(list, json.RawMessage(text))
	}
	list = append(list, encode(text))
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

// refusal says why key cannot be set to what it was.
func refusal(key, wrong, want string) *Invalid {
	row, name, ok := rowOf(key)
	switch {
	case !ok:
		wrong, want = "no setting", "one of "+strings.Join(names(), ", ")
	case row.byName() && name == "":
		want = "set one by one: " + key + ".NAME"
	}
	return &Invalid{Problems: []Problem{{Key: key, Wrong: wrong, Want: want}}}
}

// names lists every setting.
func names() (list []string) {
	for _, row := range Table {
		list = append(list, row.Key)
	}
	return list
}
