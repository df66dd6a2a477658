package setup

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
	"github.com/tailscale/hujson"

	"github.com/choicetui/choicetui/app/connect"
)

// tomlText edits TOML. A parser says where the tables and values are; lines are added to the text.
type tomlText struct{}

func (tomlText) decode(text []byte) (map[string]any, error) {
	doc := map[string]any{}
	err := toml.Unmarshal(text, &doc)
	var at *toml.DecodeError
	if errors.As(err, &at) {
		line, column := at.Position()
		return nil, &Unfit{line, column, "this is no TOML: " + strings.TrimPrefix(at.Error(), "toml: ")}
	}
	if err != nil {
		return nil, &Unfit{1, 1, "this is no TOML: " + strings.TrimPrefix(err.Error(), "toml: ")}
	}
	return doc, nil
}

// tomlLine holds the place of a table's head or of a value, and where its key begins.
type tomlLine struct {
	head bool
	path []string // from the root
	at   int
}

// lines returns the heads and values of a text that can be read.
func (tomlText) lines(text []byte) (all []tomlLine) {
	var p unstable.Parser
	var table []string
	p.Reset(text)
	for p.NextExpression() {
		e := p.Expression()
		if e.Kind != unstable.Table && e.Kind != unstable.ArrayTable && e.Kind != unstable.KeyValue {
			continue
		}
		l := tomlLine{head: e.Kind != unstable.KeyValue, at: -1}
		for keys := e.Key(); keys.Next(); {
			if l.at < 0 {
				l.at = int(keys.Node().Raw.Offset)
			}
			l.path = append(l.path, string(keys.Node().Data))
		}
		if l.head {
			table = l.path
		} else {
			l.path = append(slices.Clone(table), l.path...)
		}
		all = append(all, l)
	}
	return all
}

func (t tomlText) offset(text []byte, path []string) int {
	for _, l := range t.lines(text) {
		if len(l.path) >= len(path) && slices.Equal(l.path[:len(path)], path) {
			return l.at
		}
	}
	return 0
}

func (t tomlText) set(text []byte, path []string, value string) ([]byte, error) {
	parent, key := path[:len(path)-1], path[len(path)-1]
	all := t.lines(text)
	for _, l := range all {
		if !l.head && slices.Equal(l.path, path) {
			return replacedTOML(text, l.at, tomlValue(value)), nil
		}
	}
	if strings.HasPrefix(strings.TrimSpace(value), "{") {
		return appended(text, tomlTable(path, value, newline(text))), nil
	}
	at := slices.IndexFunc(all, func(l tomlLine) bool { return l.head && slices.Equal(l.path, parent) })
	if at < 0 {
		return nil, unfitAt(text, t.offset(text, parent), strings.Join(parent, ".")+
			" is not written as a table of its own here; add "+key+" by hand (choicetui help connect)")
	}
	for at+1 < len(all) && !all[at+1].head {
		at++
	}
	end := lineEnd(text, all[at].at)
	if !all[at].head {
		end = endOfValue(text, all[at].at)
	}
	line := tomlLineOf(key, value) + newline(text)
	if end > 0 && text[end-1] != '\n' {
		line = newline(text) + strings.TrimSuffix(line, newline(text))
	}
	return inserted(text, end, line), nil
}

// replacedTOML returns a text with another value behind the key at an offset. A comment behind the value stays.
func replacedTOML(text []byte, key int, value string) []byte {
	start, end := lineStart(text, key), endOfValue(text, key)
	old := bytes.TrimRight(text[:end], " \t\r\n")
	for i := key; i < len(old); i++ {
		var alone map[string]any
		if old[i] == '#' && toml.Unmarshal(text[start:i], &alone) == nil { // it is not inside of a value
			old = bytes.TrimRight(old[:i], " \t")
			break
		}
	}
	from := key + bytes.IndexByte(text[key:], '=') + 1
	return slices.Concat(text[:from], []byte(" "+value), text[len(old):])
}

// lineStart returns where the line of an offset begins.
func lineStart(text []byte, at int) int { return bytes.LastIndexByte(text[:at], '\n') + 1 }

func lineEnd(text []byte, at int) int {
	if n := bytes.IndexByte(text[at:], '\n'); n >= 0 {
		return at + n + 1
	}
	return len(text)
}

// endOfValue returns where the line begins that follows a key's value, which may take several lines.
func endOfValue(text []byte, key int) int {
	start := lineStart(text, key)
	for end := lineEnd(text, key); ; end = lineEnd(text, end) {
		var alone map[string]any
		if end == len(text) || toml.Unmarshal(text[start:end], &alone) == nil {
			return end
		}
	}
}

// appended returns a text with a block at its end, with an empty line between them.
func appended(text []byte, block string) []byte {
	nl := newline(text)
	switch {
	case len(bytes.TrimSpace(text)) == 0:
	case !bytes.HasSuffix(text, []byte("\n")):
		block = nl + nl + block
	default:
		block = nl + block
	}
	return append(slices.Clone(text), block...)
}

// tomlTable returns an object as a table of its own.
func tomlTable(path []string, object, nl string) string {
	keys := make([]string, len(path))
	for i, key := range path {
		keys[i] = tomlKey(key)
	}
	block := "[" + strings.Join(keys, ".") + "]" + nl
	for _, name := range memberNames(object) {
		block += tomlLineOf(name, memberOf(object, name)) + nl
	}
	return block
}

func tomlLineOf(key, value string) string { return tomlKey(key) + " = " + tomlValue(value) }

// tomlKey returns a key, in quotes if it needs them.
func tomlKey(key string) string {
	if key != "" && strings.Trim(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == "" {
		return key
	}
	return connect.Quoted(key)
}

// tomlValue returns JSON as TOML. Strings, numbers and lists are written alike, tables within a line are not.
func tomlValue(value string) string {
	v, err := hujson.Parse([]byte(value))
	if err != nil {
		return value
	}
	switch c := v.Value.(type) {
	case *hujson.Array:
		var all []string
		for _, e := range c.Elements {
			all = append(all, tomlValue(strings.TrimSpace(e.String())))
		}
		return "[" + strings.Join(all, ", ") + "]"
	case *hujson.Object:
		var all []string
		for _, name := range memberNames(value) {
			all = append(all, tomlLineOf(name, memberOf(value, name)))
		}
		return "{" + strings.Join(all, ", ") + "}"
	}
	return strings.TrimSpace(value)
}
