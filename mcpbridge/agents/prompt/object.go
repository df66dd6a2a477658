package prompt

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/choicetui/choicetui/queue"
)

// member holds one member of a JSON object, with its value as it was received.
type member struct {
	key string
	raw json.RawMessage
}

// object holds a JSON object as it was received: its members in their order, with the bytes of their values.
type object []member

// readObject reads an object. ok is false for any other value, for bytes after the object, and for a name that occurs
// twice: nobody knows which of the two the agent means.
func readObject(raw []byte) (o object, ok bool) {
	o, twice, err := readMembers(raw)
	if err != nil || twice {
		return nil, false
	}
	return o, true
}

var (
	errNoObject = errors.New("it is no object")
	errBehind   = errors.New("there is something behind the object")
)

// readMembers reads the members of an object as far as they can be read; err says why the rest cannot. Of a name that
// occurs twice only the first member is kept, and twice is true.
func readMembers(raw []byte) (o object, twice bool, err error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, false, cmp.Or(err, errNoObject)
	}
	o = object{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return o, twice, err
		}
		m := member{key: key.(string)}
		if err := d.Decode(&m.raw); err != nil {
			return o, twice, err
		}
		if _, known := o.get(m.key); known {
			twice = true
			continue
		}
		o = append(o, m)
	}
	if _, err := d.Token(); err != nil {
		return o, twice, err
	}
	if _, err := d.Token(); err != io.EOF {
		return o, twice, errBehind
	}
	return o, twice, nil
}

// readList reads a list of values as they were received. ok is false for any other value.
func readList(raw []byte) (list []json.RawMessage, ok bool) {
	trimmed := bytes.TrimSpace(raw)
	if len(trimmed) == 0 || trimmed[0] != '[' || json.Unmarshal(trimmed, &list) != nil {
		return nil, false
	}
	return list, true
}

// get returns the value of the first of these names that the object has.
func (o object) get(names ...string) (json.RawMessage, bool) {
	for _, name := range names {
		for _, m := range o {
			if m.key == name {
				return m.raw, true
			}
		}
	}
	return nil, false
}

// value returns the same as get, but null counts as absent.
func (o object) value(names ...string) (json.RawMessage, bool) {
	raw, there := o.get(names...)
	return raw, there && string(raw) != "null"
}

// text returns the string under the first of these names that the object has, as a person reads it; empty: it has none
// of them. ok is false if the value is no string.
func (o object) text(names ...string) (s string, ok bool) {
	raw, there := o.value(names...)
	if !there {
		return "", true
	}
	return readText(raw)
}

// words is like text, but returns a value that is no string as it was received.
func (o object) words(names ...string) string {
	raw, there := o.value(names...)
	if !there {
		return ""
	}
	if s, ok := readText(raw); ok {
		return s
	}
	return string(raw)
}

// readText reads a string as a person reads it. Half a surrogate pair, which is no character, is written out like
// `<U+D800>`.
func readText(raw []byte) (s string, ok bool) {
	if len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		return "", false
	}
	if strings.ContainsRune(s, utf8.RuneError) {
		if shown, halves := writeHalvesOut(raw); halves {
			return s, json.Unmarshal(shown, &s) == nil
		}
	}
	return s, true
}

// readExactText reads a string that is sent back to the agent. ok is false also for half a surrogate pair, which cannot
// be repeated.
func readExactText(raw []byte) (s string, ok bool) {
	if s, ok = readText(raw); ok && strings.Contains(s, "<U+D") {
		_, halves := writeHalvesOut(raw)
		ok = !halves
	}
	return s, ok
}

// writeHalvesOut returns a string of JSON in which each half of a surrogate pair is written out, and whether there was
// one.
func writeHalvesOut(raw []byte) (shown []byte, found bool) {
	for i := 0; i < len(raw); {
		unit, isUnit := escapedUnit(raw[i:])
		next, isNext := uint64(0), false
		if isUnit && utf16.IsSurrogate(rune(unit)) {
			next, isNext = escapedUnit(raw[min(i+escapeLen, len(raw)):])
		}
		switch {
		case !isUnit && raw[i] == '\\': // an escape of two bytes; the second may be a backslash
			shown = append(shown, raw[i:min(i+2, len(raw))]...)
			i += 2
		case !isUnit:
			shown = append(shown, raw[i])
			i++
		case !utf16.IsSurrogate(rune(unit)):
			shown = append(shown, raw[i:i+escapeLen]...)
			i += escapeLen
		case isNext && utf16.DecodeRune(rune(unit), rune(next)) != utf8.RuneError:
			shown = append(shown, raw[i:i+2*escapeLen]...)
			i += 2 * escapeLen
		default:
			shown, found = fmt.Appendf(shown, "<U+%04X>", unit), true
			i += escapeLen
		}
	}
	return shown, found
}

// hasHalves reports whether a text in a value of JSON has half of a surrogate pair.
func hasHalves(raw []byte) bool {
	if !bytes.Contains(raw, []byte(`\u`)) {
		return false
	}
	_, found := writeHalvesOut(raw)
	return found
}

// mostIndented is the depth up to which JSON is indented for a reader. Deeper values would mostly be blanks.
const mostIndented = 30

// indentJSON returns JSON as a person reads it; ok is false if it is none.
func indentJSON(raw []byte) (text string, ok bool) {
	var b bytes.Buffer
	if depthOf(raw) > mostIndented {
		ok = json.Compact(&b, raw) == nil
	} else {
		ok = json.Indent(&b, raw, "", "  ") == nil
	}
	return b.String(), ok
}

// depthOf returns how deeply the values of valid JSON are nested.
func depthOf(raw []byte) (deepest int) {
	depth, inText := 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case inText && c == '\\':
			i++
		case c == '"':
			inText = !inText
		case inText:
		case c == '{' || c == '[':
			depth++
			deepest = max(deepest, depth)
		case c == '}' || c == ']':
			depth--
		}
	}
	return deepest
}

// escapeLen is the number of bytes of an escaped UTF-16 unit such as \ud800.
const escapeLen = 6

// escapedUnit reads an escaped UTF-16 unit at the beginning of a text.
func escapedUnit(raw []byte) (unit uint64, ok bool) {
	if len(raw) < escapeLen || raw[0] != '\\' || raw[1] != 'u' {
		return 0, false
	}
	unit, err := strconv.ParseUint(string(raw[2:escapeLen]), 16, 16)
	return unit, err == nil
}

// flag returns the boolean under a name; false if it is absent or blank. ok is false if the value is nothing that says
// yes or no.
func (o object) flag(name string) (set, ok bool) {
	raw, there := o.value(name)
	if !there || json.Unmarshal(raw, &set) == nil {
		return set, true
	}
	text, isText := readText(raw)
	if queue.Blank(text) {
		return false, isText
	}
	set, err := strconv.ParseBool(text)
	return set, err == nil
}

// object returns the object under the first of these names that the object has.
func (o object) object(names ...string) (object, bool) {
	raw, _ := o.get(names...)
	return readObject(raw)
}

// list returns the list under the first of these names that the object has.
func (o object) list(names ...string) ([]json.RawMessage, bool) {
	raw, _ := o.get(names...)
	return readList(raw)
}

// texts returns the list of strings under a name, for values that are sent back.
func (o object) texts(name string) (texts []string, ok bool) {
	list, ok := o.list(name)
	if !ok {
		return nil, false
	}
	for _, raw := range list {
		s, ok := readExactText(raw)
		if !ok {
			return nil, false
		}
		texts = append(texts, s)
	}
	return texts, true
}

// without returns the members with other names than these.
func (o object) without(names ...string) (rest object) {
	for _, m := range o {
		if _, out := (object{{key: m.key}}).get(names...); !out {
			rest = append(rest, m)
		}
	}
	return rest
}

// with returns the object with a member set. It replaces a member of that name, or adds the new one at the end.
func (o object) with(key string, raw json.RawMessage) object {
	out := append(object{}, o...)
	for i, m := range out {
		if m.key == key {
			out[i].raw = raw
			return out
		}
	}
	return append(out, member{key, raw})
}

// json writes the object, with its values as they were received.
func (o object) json() []byte {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(encode(m.key))
		b.WriteByte(':')
		b.Write(m.raw)
	}
	b.WriteByte('}')
	return b.Bytes()
}

// encode writes a value as JSON without escaping <, > and &.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil { // the value is of a type that JSON does not have
		return []byte("null")
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// firstValue returns the value of the first member that says something: the content of a string, or any other value as
// it was received. It is empty if there is none.
func (o object) firstValue() string {
	for _, m := range o {
		if text := (object{m}).words(m.key); !queue.Blank(text) {
			return text
		}
	}
	return ""
}
