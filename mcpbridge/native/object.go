package native

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"unicode/utf8"
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
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, false
	}
	o = object{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, false
		}
		m := member{key: key.(string)}
		if _, twice := o.get(m.key); twice || d.Decode(&m.raw) != nil {
			return nil, false
		}
		o = append(o, m)
	}
	if t, err := d.Token(); err != nil || t != json.Delim('}') {
		return nil, false
	}
	_, err := d.Token()
	return o, err == io.EOF
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

// text returns the string under the first of these names that the object has; empty: it has none of them. ok is false
// if the value is no string, or if it contains half a surrogate pair, which cannot be repeated to the agent.
func (o object) text(names ...string) (s string, ok bool) {
	raw, there := o.value(names...)
	if !there {
		return "", true
	}
	return readText(raw)
}

// readText reads a string; see object.text.
func readText(raw []byte) (s string, ok bool) {
	if len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		return "", false
	}
	return s, !strings.ContainsRune(s, utf8.RuneError)
}

// flag returns the boolean under a name; false if it is absent. ok is false if the value is no boolean.
func (o object) flag(name string) (set, ok bool) {
	raw, there := o.value(name)
	if !there {
		return false, true
	}
	return set, json.Unmarshal(raw, &set) == nil
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

// texts returns the list of strings under a name.
func (o object) texts(name string) (texts []string, ok bool) {
	list, ok := o.list(name)
	if !ok {
		return nil, false
	}
	for _, raw := range list {
		s, ok := readText(raw)
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

// firstValue returns the first member's value: the content of a string, or any other value as it was received. It is
// empty if the object has no members.
func (o object) firstValue() string {
	if len(o) == 0 {
		return ""
	}
	if text, ok := readText(o[0].raw); ok {
		return text
	}
	return string(o[0].raw)
}
