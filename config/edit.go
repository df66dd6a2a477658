package config

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"
)

// The settings file is edited as text, so that unknown keys, order and layout survive.

// member holds one key of a JSON object with its value, and the offsets of both in the text.
type member struct {
	key     string
	keyAt   int // the offset of the opening quote
	valueAt int
	raw     json.RawMessage
}

// end returns the offset after the value.
func (m member) end() int { return m.valueAt + len(m.raw) }

// jsonFlaw describes the first mistake that keeps the text from being a JSON object, and returns its offset. words is
// empty if there is no mistake.
func jsonFlaw(text []byte) (at int, words string) {
	var bad *json.SyntaxError
	if !errors.As(json.Unmarshal(text, new(json.RawMessage)), &bad) {
		if start := len(text) - len(bytes.TrimLeft(text, " \t\r\n")); text[start] != '{' {
			return start, "the settings must begin with {"
		}
		return 0, ""
	}
	switch words := bad.Error(); {
	case words == "unexpected end of JSON input":
		return len(text), "the file ends too early"
	case strings.HasSuffix(words, "after top-level value"):
		return int(bad.Offset) - 1, "something follows the settings"
	default:
		return int(bad.Offset) - 1, unexpectedText(words)
	}
}

// expected says what a text should have in the place that Go's JSON decoder describes.
var expected = map[string]string{
	"looking for beginning of value":             "where a value should be",
	"looking for beginning of object key string": "where a key should be",
	"after object key":                           "where a colon should be",
	"after object key:value pair":                "where a comma or } should be",
	"after array element":                        "where a comma or ] should be",
}

// unexpectedText rewords an error of Go's JSON decoder about a character: `unexpected "," where a value should be`.
func unexpectedText(words string) string {
	if rest, ok := strings.CutPrefix(words, "invalid character '"); ok {
		if what, where, ok := strings.Cut(rest, "' "); ok {
			return `unexpected "` + what + `" ` + cmp.Or(expected[where], where)
		}
	}
	return words
}

// members lists the keys of the object in text, in order, with offsets from the start of text. A key that is given
// twice is listed twice. ok is false if text is not an object; jsonFlaw has found that before.
func members(text []byte) (list []member, ok bool) {
	d := json.NewDecoder(bytes.NewReader(text))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil, false
	}
	for d.More() {
		from := int(d.InputOffset())
		key, err := d.Token()
		if err != nil {
			return nil, false
		}
		m := member{keyAt: from + bytes.IndexByte(text[from:], '"')}
		m.key, _ = key.(string)
		if d.Decode(&m.raw) != nil {
			return nil, false
		}
		m.valueAt = int(d.InputOffset()) - len(m.raw)
		list = append(list, m)
	}
	return list, true
}

// lineAndColumn returns the line and the column of an offset, both counted from 1.
func lineAndColumn(text []byte, at int) (line, column int) {
	at = max(0, min(at, len(text)))
	before := text[:at]
	line = bytes.Count(before, []byte{'\n'}) + 1
	column = utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
	return line, column
}

// edit sets the value at a path of keys. If raw is nil, it removes the value.
type edit struct {
	path []string
	raw  json.RawMessage
}

// writtenMembers returns the values of a setting: one for each name, or a single one without a name.
func (r Row) writtenMembers(s *Settings) (list []member) {
	raw := r.get(s)
	if !r.byName() {
		return []member{{raw: raw}}
	}
	list, _ = members(raw)
	return list
}

// editsBetween lists the edits that turn a file with the settings before into one with the settings after. Of a setting
// with a value for each name, only the names that differ are edited, so that another process's change of other names
// survives.
func editsBetween(before, after *Settings) (list []edit) {
	for _, row := range Table {
		was, now := row.writtenMembers(before), row.writtenMembers(after)
		for _, m := range now {
			if !slices.ContainsFunc(was, m.same) {
				list = append(list, edit{row.keysInFile(m.key), m.raw})
			}
		}
		for _, m := range was {
			if lastIndexOf(now, m.key) < 0 {
				list = append(list, edit{row.keysInFile(m.key), nil})
			}
		}
	}
	return list
}

// same reports whether two members have the same key and value.
func (m member) same(o member) bool { return m.key == o.key && bytes.Equal(m.raw, o.raw) }

// lastIndexOf returns the index of a key's last member, which is the one in force; -1 if the key is missing.
func lastIndexOf(list []member, key string) (at int) {
	at = -1
	for i, m := range list {
		if m.key == key {
			at = i
		}
	}
	return at
}

// applyEdit makes one edit in the text of an object. All other text stays unchanged. depth is the number of objects
// around it.
func applyEdit(text []byte, e edit, depth int) []byte {
	list, object := members(text)
	if !object { // a value of another type is replaced
		if text = []byte("{}"); depth == 0 {
			text = append(text, '\n')
		}
	}
	switch at := lastIndexOf(list, e.path[0]); {
	case at < 0 && e.raw == nil:
		return text
	case at < 0:
		return insertMember(text, list, e, depth)
	case len(e.path) > 1:
		inner := applyEdit(list[at].raw, edit{e.path[1:], e.raw}, depth+1)
		return spliceText(text, list[at].valueAt, list[at].end(), inner)
	case e.raw == nil:
		return removeMember(text, list, at)
	default:
		return spliceText(text, list[at].valueAt, list[at].end(), e.raw)
	}
}

// spliceText replaces the text between two offsets.
func spliceText(text []byte, from, to int, with []byte) []byte {
	return slices.Concat(text[:from], with, text[to:])
}

// insertMember adds a member after the last one, with the same white space before it.
func insertMember(text []byte, list []member, e edit, depth int) []byte {
	value := []byte(e.raw)
	if len(e.path) > 1 {
		value = applyEdit([]byte("{}"), edit{e.path[1:], e.raw}, depth+1)
	}
	key, _ := json.Marshal(e.path[0])
	if len(list) == 0 {
		open := bytes.IndexByte(text, '{') + 1
		shut := bytes.LastIndexByte(text, '}')
		line := "\n" + strings.Repeat("  ", depth+1)
		added := slices.Concat([]byte(line), key, []byte(": "), value, []byte("\n"+strings.Repeat("  ", depth)))
		return spliceText(text, open, shut, added)
	}
	last := list[len(list)-1]
	gapFrom := last.keyAt
	for gapFrom > 0 && strings.IndexByte(" \t\r\n", text[gapFrom-1]) >= 0 {
		gapFrom--
	}
	added := slices.Concat([]byte(","), text[gapFrom:last.keyAt], key, []byte(": "), value)
	return spliceText(text, last.end(), last.end(), added)
}

// removeMember removes a member and one of the commas beside it.
func removeMember(text []byte, list []member, at int) []byte {
	switch {
	case at > 0:
		return spliceText(text, list[at-1].end(), list[at].end(), nil)
	case len(list) > 1:
		return spliceText(text, list[0].keyAt, list[1].keyAt, nil)
	}
	return spliceText(text, list[0].keyAt, list[0].end(), nil)
}
