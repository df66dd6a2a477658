package config

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// Values are the settings as JSON, by their names; nested ones with a dot: notify.bell.
func (s Settings) Values() map[string]json.RawMessage {
	values := map[string]json.RawMessage{}
	list, _ := members(encode(s))
	for _, m := range flat("", list) {
		values[m.key] = m.raw
	}
	return values
}

// Set gives one setting the value raw, JSON as it stands in the file. Of soft_limits and keys it also sets one
// member: keys.note. An *Invalid says what would be right; nothing has changed then.
func (s *Settings) Set(key string, raw json.RawMessage) error {
	if len(raw) > 0 && json.Valid(raw) {
		if f, member, ok := fieldOf(key); ok && f.take(s, member, raw) {
			return nil
		}
	}
	return refusal(key, brief(raw))
}

// SetTyped is Set for a value as a person types it: on and off, 5m for 300, a bare word for a text, off for null.
func (s *Settings) SetTyped(key, text string) error {
	text = strings.TrimSpace(text)
	f, member, ok := fieldOf(key)
	for _, raw := range readings(text) {
		if ok && f.take(s, member, raw) {
			return nil
		}
	}
	err := refusal(key, brief(quote(text)))
	if ok && f.said != "" && (f.each == nil || member != "") {
		err.Problems[0].Want = f.said
	}
	return err
}

// readings is what a typed text may mean as JSON, the most literal first; the setting takes the first that fits.
func readings(text string) []json.RawMessage {
	var list []json.RawMessage
	if json.Valid([]byte(text)) {
		list = append(list, json.RawMessage(text))
	}
	list = append(list, quote(text))
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

func quote(text string) json.RawMessage {
	raw, _ := json.Marshal(text)
	return raw
}

// take sets the field, or one member of an object of any keys, and reports whether the value fits.
func (f field) take(s *Settings, member string, raw json.RawMessage) bool {
	switch {
	case member != "":
		return f.each(s, member, raw)
	case f.set != nil:
		return f.set(s, raw)
	}
	return false
}

// fieldOf finds a setting by its name, and the member where the name goes into an object of any keys.
func fieldOf(key string) (f field, member string, ok bool) {
	head, rest, nested := strings.Cut(key, ".")
	for _, f := range fields {
		if f.key != head {
			continue
		}
		if !nested {
			return f, "", f.sub == nil
		}
		for _, sub := range f.sub {
			if sub.key == rest {
				return sub, "", true
			}
		}
		return f, rest, f.each != nil && rest != ""
	}
	return field{}, "", false
}

func refusal(key, wrong string) *Invalid {
	p := Problem{Key: key, Wrong: wrong}
	switch f, member, ok := fieldOf(key); {
	case !ok:
		p.Wrong, p.Want = "no setting", "one of "+strings.Join(names(), ", ")
	case f.each != nil && member == "":
		p.Want = "set one by one: " + key + ".NAME"
	default:
		p.Want = f.want
	}
	return &Invalid{Problems: []Problem{p}}
}

// names lists every setting.
func names() (list []string) {
	for _, f := range fields {
		if f.sub == nil {
			list = append(list, f.key)
		}
		for _, sub := range f.sub {
			list = append(list, f.key+"."+sub.key)
		}
	}
	return list
}

// Words say what is wrong with a setting, without the place in the file: who shows it has that beside it.
func (p Problem) Words() string {
	if p.Key == "" {
		return p.Wrong + "; " + p.Want
	}
	return p.Key + " is " + p.Wrong + "; it must be " + p.Want
}
