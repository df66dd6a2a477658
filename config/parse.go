package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Problem is one thing that is wrong with the file. Lines and columns count from 1, columns in characters.
type Problem struct {
	Path   string // the file
	Line   int
	Column int
	Key    string // `notify.bell`; empty: the whole file
	Wrong  string // what is there
	Want   string // what would be right
}

func (p Problem) Error() string {
	where := p.Path
	if p.Line > 0 {
		where = fmt.Sprintf("%s:%d:%d", p.Path, p.Line, p.Column)
	}
	if p.Key == "" {
		return fmt.Sprintf("%s: %s; %s", where, p.Wrong, p.Want)
	}
	return fmt.Sprintf("%s: %s is %s; it must be %s", where, p.Key, p.Wrong, p.Want)
}

// Invalid is all that is wrong with the file. Broken: it could not be read as a whole, the last good settings stay in
// force and Update refuses to touch it. Else only the named keys do not apply.
type Invalid struct {
	Broken   bool
	Problems []Problem
}

func (i *Invalid) Error() string {
	lines := make([]string, len(i.Problems))
	for n, p := range i.Problems {
		lines[n] = p.Error()
	}
	return strings.Join(lines, "\n")
}

// member is one key of a JSON object and where things stand in the text.
type member struct {
	key     string
	keyAt   int // of the opening quote
	valueAt int
	raw     json.RawMessage
}

func (m member) end() int { return m.valueAt + len(m.raw) }

// syntax is what is wrong with the JSON, and where.
type syntax struct {
	at   int
	text string
}

func (s *syntax) Error() string { return s.text }

// members lists the keys of the object that text holds, in order; offsets count from the start of text. A key given
// twice is listed twice.
func members(text []byte) (list []member, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	if open, err := d.Token(); err != nil {
		return nil, located(err, text, d)
	} else if open != json.Delim('{') {
		return nil, &syntax{firstByte(text), "it is not an object"}
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, located(err, text, d)
		}
		name, ok := key.(string)
		if !ok {
			return nil, &syntax{int(d.InputOffset()), "a key must be a string"}
		}
		m := member{key: name, keyAt: lastQuoted(text, int(d.InputOffset()))}
		if err := d.Decode(&m.raw); err != nil {
			return nil, located(err, text, d)
		}
		m.valueAt = int(d.InputOffset()) - len(m.raw)
		list = append(list, m)
	}
	if _, err := d.Token(); err != nil {
		return nil, located(err, text, d)
	}
	end := int(d.InputOffset())
	if rest := bytes.TrimSpace(text[end:]); len(rest) > 0 {
		return nil, &syntax{end + bytes.Index(text[end:], rest), "something follows the settings"}
	}
	return list, nil
}

// located turns an error of the decoder into one with an offset in text. The decoder's own offsets are relative to
// whatever it parsed last, so the whole text is checked once more.
func located(err error, text []byte, d *json.Decoder) error {
	var bad *json.SyntaxError
	if errors.As(json.Unmarshal(text, new(any)), &bad) {
		if bad.Error() == "unexpected end of JSON input" {
			return &syntax{len(text), "it ends too early"}
		}
		return &syntax{int(bad.Offset) - 1, bad.Error()}
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return &syntax{len(text), "it ends too early"}
	}
	return &syntax{int(d.InputOffset()), err.Error()}
}

func firstByte(text []byte) int { return len(text) - len(bytes.TrimLeft(text, " \t\r\n")) }

// lastQuoted is where the JSON string that ends at end begins.
func lastQuoted(text []byte, end int) int {
	for at := end - 2; at >= 0; at-- {
		if text[at] != '"' {
			continue
		}
		slashes := 0
		for at-1-slashes >= 0 && text[at-1-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return at
		}
	}
	return 0
}

// position turns an offset into line and column.
func position(text []byte, at int) (line, column int) {
	at = max(0, min(at, len(text)))
	before := text[:at]
	line = bytes.Count(before, []byte{'\n'}) + 1
	column = utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
	return line, column
}

// brief is a value as it can be quoted in a sentence.
func brief(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return "unreadable"
	}
	text := b.String()
	if text == `""` {
		return "empty"
	}
	if utf8.RuneCountInString(text) > 60 {
		text = string([]rune(text)[:59]) + "…"
	}
	return text
}
