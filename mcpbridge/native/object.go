package native

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"unicode/utf8"
)

// member is one member of a JSON object, its value as it was received.
type member struct {
	key string
	raw json.RawMessage
}

// object is a JSON object as it was received: its members in their order, their values byte for byte.
type object []member

// readObject reads an object; false for everything else, for what follows behind it, and for a name that is there
// twice, since nobody knows which one the agent means.
func readObject(raw []byte) (object, bool) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, false
	}
	o := object{}
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

// readList reads a list of values as they were received; false for everything else.
func readList(raw []byte) ([]json.RawMessage, bool) {
	var list []json.RawMessage
	trimmed := bytes.TrimSpace(raw)
	if len(trimmed) == 0 || trimmed[0] != '[' || json.Unmarshal(trimmed, &list) != nil {
		return nil, false
	}
	return list, true
}

// get returns the value of the first of these names that is there.
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

// value does the same as get, but takes a null for no value.
func (o object) value(names ...string) (json.RawMessage, bool) {
	raw, there := o.get(names...)
	return raw, there && string(raw) != "null"
}

// text returns the text under the first of these names that is present; empty without any of them. ok is false if the
// value is not a text, or contains half a character, which could not be repeated to the agent.
func (o object) text(names ...string) (s string, ok bool) {
	raw, there := o.value(names...)
	if !there {
		return "", true
	}
	return readText(raw)
}

func readText(raw []byte) (s string, ok bool) {
	if len(raw) == 0 || raw[0] != '"' || json.Unmarshal(raw, &s) != nil {
		return "", false
	}
	return s, !strings.ContainsRune(s, utf8.RuneError)
}

// flag returns the boolean under a name; false if it is absent. ok is false if the value is not a boolean.
func (o object) flag(name string) (set, ok bool) {
	raw, there := o.value(name)
	if !there {
		return false, true
	}
	return set, json.Unmarshal(raw, &set) == nil
}

// object returns the object under one of these names.
func (o object) object(names ...string) (object, bool) {
	raw, _ := o.get(names...)
	return readObject(raw)
}

// list returns the list under a name.
func (o object) list(names ...string) ([]json.RawMessage, bool) {
	raw, _ := o.get(names...)
	return readList(raw)
}

// texts returns the list of texts under a name.
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

// without returns the members but for these names.
func (o object) without(names ...string) (rest object) {
	for _, m := range o {
		if _, out := (object{{key: m.key}}).get(names...); !out {
			rest = append(rest, m)
		}
	}
	return rest
}

// with returns the object with a member set: in its place where it is there, else at the end.
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

// json writes the object; the values stay as they were received.
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

// encode writes a value as JSON that leaves <, > and & as they are.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil { // only what cannot be JSON at all
		return []byte("null")
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// firstValue returns the first member's value in words: a text as it is, anything else as it was received; empty: the
// object has no member.
func (o object) firstValue() string {
	if len(o) == 0 {
		return ""
	}
	if text, ok := readText(o[0].raw); ok {
		return text
	}
	return string(o[0].raw)
}
