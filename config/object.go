package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"unicode/utf8"
)

// member is one key of a JSON object and where things stand in the text.
type member struct {
	key     string
	keyAt   int // of the opening quote
	valueAt int
	raw     json.RawMessage
}

func (m member) end() int { return m.valueAt + len(m.raw) }

// flaw says what is wrong with the text as JSON, and at which offset; empty words: nothing.
func flaw(text []byte) (at int, words string) {
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
		return int(bad.Offset) - 1, unexpected(words)
	}
}

// unexpected says shortly what the decoder says of a character: `unexpected "," looking for beginning of value`.
func unexpected(words string) string {
	if rest, ok := strings.CutPrefix(words, "invalid character '"); ok {
		if what, where, ok := strings.Cut(rest, "' "); ok {
			return `unexpected "` + what + `" ` + where
		}
	}
	return words
}

// members lists the keys of the object that text holds, in order; offsets count from the start of text. A key given
// twice is listed twice. Text without a flaw has them; ok is false for what is no object.
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

// position turns an offset into line and column.
func position(text []byte, at int) (line, column int) {
	at = max(0, min(at, len(text)))
	before := text[:at]
	line = bytes.Count(before, []byte{'\n'}) + 1
	column = utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
	return line, column
}
