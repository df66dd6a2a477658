package queue

import (
	"bytes"
	"errors"
)

// Fields says how much of each session a reader needs.
type Fields int

// A reader needs Whole sessions, or only the Outline of each, which is read in a fraction of the time.
const (
	Whole Fields = iota
	Outline
)

// Outline returns only the fields that say who asked when, and how and when it ended: Schema, ID, Revision, AskedAt, of
// Origin Client, Cwd and Host, of Ask Kind, and of Outcome Status, By, ReasonCode and At.
func (s Session) Outline() Session {
	v := Session{Schema: s.Schema, ID: s.ID, Revision: s.Revision, AskedAt: s.AskedAt, Ask: Ask{Kind: s.Ask.Kind},
		Origin: Origin{Client: s.Origin.Client, Cwd: s.Origin.Cwd, Host: s.Origin.Host, Remote: s.Origin.Remote}}
	if o := s.Outcome; o != nil {
		v.Outcome = &Outcome{Status: o.Status, By: o.By, ReasonCode: o.ReasonCode, At: o.At}
	}
	return v
}

// DecodeArchived reads an archived session: all of it, or its outline, and then without a look at the rest of the
// document. It returns a session of a newer schema without an error. Any error is *Unreadable.
func DecodeArchived(raw []byte, id string, fields Fields) (Session, error) {
	if fields == Outline {
		if short := shortened(raw); short != nil {
			raw = short
		}
	}
	v, err := DecodeSession(raw, id, 0)
	if errors.Is(err, ErrNewer) {
		err = nil
	}
	if fields == Outline {
		v = v.Outline()
	}
	return v, err
}

// shortened returns the document of a session with only what Outline keeps; of the questions it keeps an empty one. It
// returns nil if raw is not an object.
func shortened(raw []byte) []byte {
	return rewrite(raw, func(name, value []byte) []byte {
		switch string(name) {
		case "schema", "id", "revision", "asked_at":
			return value
		case "origin":
			return rewrite(value, keepsOf("client", "cwd", "host"))
		case "outcome":
			return rewrite(value, keepsOf("status", "by", "reason_code", "at"))
		case "ask":
			return rewrite(value, shortenAsk)
		}
		return nil
	})
}

// shortenAsk keeps the kind of an ask, and one empty question in place of all.
func shortenAsk(name, value []byte) []byte {
	switch string(name) {
	case "kind":
		return value
	case "questions":
		if list := bytes.TrimSpace(value); len(list) > len("[]") && list[0] == '[' {
			return []byte("[{}]")
		}
	}
	return nil
}

// keepsOf returns a function for rewrite that keeps the members with these names.
func keepsOf(names ...string) func(name, value []byte) []byte {
	return func(name, value []byte) []byte {
		for _, kept := range names {
			if string(name) == kept {
				return value
			}
		}
		return nil
	}
}

// rewrite returns a JSON object whose members have the values that change returns; a nil value leaves the member out.
// It only finds out where values end, and does not check what is in them. It returns nil if raw is not an object.
func rewrite(raw []byte, change func(name, value []byte) []byte) []byte {
	at := skipBlanks(raw, 0)
	if at == len(raw) || raw[at] != '{' {
		return nil
	}
	if open := skipBlanks(raw, at+1); open < len(raw) && raw[open] == '}' {
		return []byte("{}")
	}
	out := append(make([]byte, 0, min(len(raw), 256)), '{')
	for {
		at = skipBlanks(raw, at+1)
		behind := stringEnd(raw, at)
		if behind < 0 {
			return nil
		}
		name, colon := raw[at:behind], skipBlanks(raw, behind)
		if colon == len(raw) || raw[colon] != ':' {
			return nil
		}
		if at = valueEnd(raw, colon+1); at < 0 {
			return nil
		}
		if value := change(name[1:len(name)-1], raw[colon+1:at]); value != nil {
			if len(out) > 1 {
				out = append(out, ',')
			}
			out = append(append(append(out, name...), ':'), value...)
		}
		if raw[at] == ',' {
			continue
		}
		if raw[at] != '}' || skipBlanks(raw, at+1) < len(raw) {
			return nil
		}
		return append(out, '}')
	}
}

// valueEnd returns the index of the character behind the JSON value that begins at an index: a comma, or the bracket
// that closes what the value is in. It returns -1 if there is none.
func valueEnd(raw []byte, at int) int {
	depth := 0
	for at < len(raw) {
		switch c := raw[at]; c {
		case '"':
			if at = stringEnd(raw, at); at < 0 {
				return -1
			}
			continue
		case '{', '[':
			depth++
		case '}', ']', ',':
			if depth == 0 {
				return at
			}
			if c != ',' {
				depth--
			}
		}
		at++
	}
	return -1
}

// stringEnd returns the index behind the JSON string that begins at an index, or -1 if there is none.
func stringEnd(raw []byte, at int) int {
	if at == len(raw) || raw[at] != '"' {
		return -1
	}
	for i := at + 1; ; i++ {
		n := bytes.IndexByte(raw[i:], '"')
		if n < 0 {
			return -1
		}
		i += n
		escapes := 0
		for raw[i-1-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return i + 1
		}
	}
}

// skipBlanks returns the first index from at on that is not a blank.
func skipBlanks(raw []byte, at int) int {
	for at < len(raw) && (raw[at] == ' ' || raw[at] == '\n' || raw[at] == '\t' || raw[at] == '\r') {
		at++
	}
	return at
}
