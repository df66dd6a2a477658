package spool

import (
	"bytes"
	"errors"
)

// Reading ten thousand sessions in a hurry, most of the time goes into decoding prompts and options that nobody looks
// at. abridged steps over them: it checks that brackets and quotes match, and leaves the rest of the checking to
// whoever shows the session.

var errNoJSON = errors.New("not the JSON of a session")

// kept are the members of a session that a glimpse decodes as they stand.
var kept = map[string]bool{"schema": true, "id": true, "revision": true, "origin": true, "asked_at": true, "deadline": true,
	"claim": true, "dropped_at": true, "attached": true}

// abridged is a session's JSON as glimpse reads it: of ask the kind, the title and whether there are questions, of
// outcome whether there is one, of events the last. It is written over room, which grows as needed.
func abridged(raw, room []byte) ([]byte, error) {
	raw = bytes.TrimSpace(raw)
	out := append(room[:0], '{')
	put := func(key string, value []byte) {
		if len(out) > 1 && out[len(out)-1] != '{' {
			out = append(out, ',')
		}
		out = append(append(append(append(out, '"'), key...), `":`...), value...)
	}
	end, err := inside(raw, 0, func(key, value []byte) error {
		switch name := string(key); {
		case kept[name]:
			put(name, value)
		case name == "outcome":
			put(name, word(value[0] == '{'))
		case name == "events":
			var last []byte
			if value[0] == '[' {
				if _, err := inside(value, 0, func(_, event []byte) error { last = event; return nil }); err != nil {
					return err
				}
			}
			if last != nil {
				put("last", last)
			}
		case name == "ask" && value[0] == '{':
			put(name, []byte("{"))
			_, err := inside(value, 0, func(key, value []byte) error {
				switch string(key) {
				case "kind", "title":
					put(string(key), value)
				case "questions":
					put("questions", word(value[0] == '[' && len(bytes.TrimSpace(value[1:len(value)-1])) > 0))
				}
				return nil
			})
			out = append(out, '}')
			return err
		}
		return nil
	})
	if err != nil || raw[0] != '{' || end != len(raw) {
		return nil, errNoJSON
	}
	return append(out, '}'), nil
}

func word(yes bool) []byte {
	if yes {
		return []byte("true")
	}
	return []byte("false")
}

// inside calls each for the members of the object, or the elements of the list, that begins at raw[at], and returns
// where that ends. A key is without its quotes; ours need no escapes.
func inside(raw []byte, at int, each func(key, value []byte) error) (end int, err error) {
	if at >= len(raw) || raw[at] != '{' && raw[at] != '[' {
		return at, errNoJSON
	}
	object := raw[at] == '{'
	if at = blank(raw, at+1); at < len(raw) && raw[at] == closer(object) {
		return at + 1, nil
	}
	for at < len(raw) {
		var key []byte
		if object {
			if raw[at] != '"' {
				return at, errNoJSON
			}
			from := at
			if at, err = past(raw, at); err != nil {
				return at, err
			}
			key = raw[from+1 : at-1]
			if at = blank(raw, at); at >= len(raw) || raw[at] != ':' {
				return at, errNoJSON
			}
			at = blank(raw, at+1)
		}
		from := at
		if at, err = past(raw, at); err != nil {
			return at, err
		}
		if err := each(key, raw[from:at]); err != nil {
			return at, err
		}
		if at = blank(raw, at); at >= len(raw) {
			break
		}
		switch {
		case raw[at] == ',':
			at = blank(raw, at+1)
		case raw[at] == '}' && object, raw[at] == ']' && !object:
			return at + 1, nil
		default:
			return at, errNoJSON
		}
	}
	return at, errNoJSON
}

// past is where the value that begins at raw[at] ends.
func past(raw []byte, at int) (int, error) {
	if at >= len(raw) {
		return at, errNoJSON
	}
	switch raw[at] {
	case '"':
		return pastString(raw, at)
	case '{', '[':
		return pastNested(raw, at)
	}
	from := at
	for at < len(raw) && bytes.IndexByte([]byte(" \t\r\n,]}"), raw[at]) < 0 {
		at++
	}
	if at == from {
		return at, errNoJSON
	}
	return at, nil
}

func pastString(raw []byte, at int) (int, error) {
	for at++; ; at++ {
		n := bytes.IndexByte(raw[at:], '"')
		if n < 0 {
			return len(raw), errNoJSON
		}
		if m := bytes.IndexByte(raw[at:at+n], '\\'); m >= 0 {
			if at += m + 1; at >= len(raw)-1 {
				return at, errNoJSON
			}
			continue
		}
		return at + n + 1, nil
	}
}

func pastNested(raw []byte, at int) (end int, err error) {
	open := make([]byte, 0, 16)
	for at < len(raw) {
		switch c := raw[at]; c {
		case '"':
			if at, err = pastString(raw, at); err != nil {
				return at, err
			}
			continue
		case '{', '[':
			open = append(open, c+2)
		case '}', ']':
			if open[len(open)-1] != c {
				return at, errNoJSON
			}
			if open = open[:len(open)-1]; len(open) == 0 {
				return at + 1, nil
			}
		}
		at++
	}
	return at, errNoJSON
}

func blank(raw []byte, at int) int {
	for at < len(raw) && (raw[at] == ' ' || raw[at] == '\n' || raw[at] == '\t' || raw[at] == '\r') {
		at++
	}
	return at
}

func closer(object bool) byte {
	if object {
		return '}'
	}
	return ']'
}
