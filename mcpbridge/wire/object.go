// Package wire reads and writes the JSON of agents: the members of an object in their order, and each value as it was
// received.
package wire

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// Member holds one member of a JSON object, with its value as it was received.
type Member struct {
	Key string
	Raw json.RawMessage
}

// Named returns a member with a value of Go. What is JSON already is written as it is: an Object, a json.RawMessage and
// bytes.
func Named(key string, value any) Member {
	switch v := value.(type) {
	case json.RawMessage:
		return Member{key, v}
	case []byte:
		return Member{key, v}
	case Object:
		return Member{key, v.JSON()}
	}
	return Member{key, Encode(value)}
}

// Object holds a JSON object as it was received: its members in their order, with the bytes of their values.
type Object []Member

// Read reads an object. ok is false for any other value, for bytes after the object, and for a name that occurs
// twice: nobody knows which of the two the agent means.
func Read(raw []byte) (o Object, ok bool) {
	o, again, err := ReadMembers(raw)
	if err != nil || len(again) > 0 {
		return nil, false
	}
	return o, true
}

// ErrBehind reports bytes after an object.
var ErrBehind = errors.New("there is something behind the object")

var errNoObject = errors.New("it is no object")

// ReadMembers reads the members of an object as far as they can be read; err says why the rest cannot. Of a name that
// occurs again only the first member is kept, and again has the name.
func ReadMembers(raw []byte) (o Object, again []string, err error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, nil, cmp.Or(err, errNoObject)
	}
	o = Object{}
	known := map[string]bool{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return o, again, err
		}
		m := Member{Key: key.(string)}
		if err := d.Decode(&m.Raw); err != nil {
			return o, again, err
		}
		if known[m.Key] {
			again = append(again, m.Key)
			continue
		}
		known[m.Key] = true
		o = append(o, m)
	}
	if _, err := d.Token(); err != nil {
		return o, again, err
	}
	if _, err := d.Token(); err != io.EOF {
		return o, again, ErrBehind
	}
	return o, again, nil
}

// ReadList reads a list of values as they were received. ok is false for any other value.
func ReadList(raw []byte) (list []json.RawMessage, ok bool) {
	trimmed := bytes.TrimSpace(raw)
	if len(trimmed) == 0 || trimmed[0] != '[' || json.Unmarshal(trimmed, &list) != nil {
		return nil, false
	}
	return list, true
}

// Get returns the value of the first of these names that the object has.
func (o Object) Get(names ...string) (json.RawMessage, bool) {
	for _, name := range names {
		for _, m := range o {
			if m.Key == name {
				return m.Raw, true
			}
		}
	}
	return nil, false
}

// Value returns the same as get, but null counts as absent.
func (o Object) Value(names ...string) (json.RawMessage, bool) {
	raw, there := o.Get(names...)
	return raw, there && string(raw) != "null"
}

// Text returns the string under the first of these names that the object has, as a person reads it; empty: it has none
// of them. ok is false if the value is no string.
func (o Object) Text(names ...string) (s string, ok bool) {
	raw, there := o.Value(names...)
	if !there {
		return "", true
	}
	return ReadText(raw)
}

// Words is like text, but returns a value that is no string as it was received.
func (o Object) Words(names ...string) string {
	raw, there := o.Value(names...)
	if !there {
		return ""
	}
	if s, ok := ReadText(raw); ok {
		return s
	}
	return string(raw)
}

// Flag returns the boolean under a name; false if it is absent or blank. ok is false if the value is nothing that says
// yes or no.
func (o Object) Flag(name string) (set, ok bool) {
	raw, there := o.Value(name)
	if !there || json.Unmarshal(raw, &set) == nil {
		return set, true
	}
	text, isText := ReadText(raw)
	if queue.Blank(text) {
		return false, isText
	}
	set, err := strconv.ParseBool(text)
	return set, err == nil
}

// Child returns the object under the first of these names that the object has.
func (o Object) Child(names ...string) (Object, bool) {
	raw, _ := o.Get(names...)
	return Read(raw)
}

// List returns the list under the first of these names that the object has.
func (o Object) List(names ...string) ([]json.RawMessage, bool) {
	raw, _ := o.Get(names...)
	return ReadList(raw)
}

// Texts returns the list of strings under a name, for values that are sent back.
func (o Object) Texts(name string) (texts []string, ok bool) {
	list, ok := o.List(name)
	if !ok {
		return nil, false
	}
	for _, raw := range list {
		s, ok := ReadExactText(raw)
		if !ok {
			return nil, false
		}
		texts = append(texts, s)
	}
	return texts, true
}

// Without returns the members with other names than these.
func (o Object) Without(names ...string) (rest Object) {
	for _, m := range o {
		if _, out := (Object{{Key: m.Key}}).Get(names...); !out {
			rest = append(rest, m)
		}
	}
	return rest
}

// With returns the object with a member set. It replaces a member of that name, or adds the new one at the end.
func (o Object) With(key string, raw json.RawMessage) Object {
	out := append(Object{}, o...)
	for i, m := range out {
		if m.Key == key {
			out[i].Raw = raw
			return out
		}
	}
	return append(out, Member{key, raw})
}

// JSON writes the object, with its values as they were received.
func (o Object) JSON() []byte {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(Encode(m.Key))
		b.WriteByte(':')
		b.Write(m.Raw)
	}
	b.WriteByte('}')
	return b.Bytes()
}

// Encode writes a value as JSON without escaping <, > and &.
func Encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if e.Encode(v) != nil { // the value is of a type that JSON does not have
		return []byte("null")
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// FirstValue returns the value of the first member that says something: the content of a string, or any other value as
// it was received. It is empty if there is none.
func (o Object) FirstValue() string {
	for _, m := range o {
		if text := (Object{m}).Words(m.Key); !queue.Blank(text) {
			return text
		}
	}
	return ""
}

// IsTooDeep reports whether the error says that valid JSON could not be read because its values are nested too deeply.
func IsTooDeep(err error) bool {
	return err != nil && strings.Contains(err.Error(), "exceeded max depth")
}
