package setup

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/tailscale/hujson"
	"go.yaml.in/yaml/v3"

	"github.com/choicetui/choicetui/app/connect"
)

// Unfit says why a text is not changed. Lines and columns count from 1, columns in bytes; 0: it names no place in the
// text.
type Unfit struct {
	Line, Column int
	Why          string
}

func (u *Unfit) Error() string {
	if u.Line == 0 {
		return u.Why
	}
	return fmt.Sprintf("line %d, column %d: %s", u.Line, u.Column, u.Why)
}

// unfitAt returns an Unfit at an offset of a text.
func unfitAt(text []byte, offset int, why string) *Unfit {
	before := text[:min(max(offset, 0), len(text))]
	return &Unfit{1 + bytes.Count(before, []byte("\n")), len(before) - bytes.LastIndexByte(before, '\n'), why}
}

// unfitIn returns an Unfit at the value of a path in JSON, or above it. Of other formats it names no place.
func unfitIn(format connect.Format, text []byte, path []string, why string) *Unfit {
	text = bytes.TrimPrefix(text, mark)
	v, err := hujson.Parse(text)
	if format != connect.JSON || err != nil {
		return &Unfit{Why: why}
	}
	for v.Find(pointer(path)) == nil {
		path = path[:len(path)-1]
	}
	return unfitAt(text, v.Find(pointer(path)).StartOffset, why)
}

// mark is the byte order mark that some editors write; it stays, and no parser has to know it.
var mark = []byte("\xef\xbb\xbf")

// decode reads a text into maps, lists and scalars, whole numbers as int64. It fails with an *Unfit.
func decode(format connect.Format, text []byte) (doc map[string]any, err error) {
	text = bytes.TrimPrefix(text, mark)
	switch format {
	case connect.TOML:
		err = toml.Unmarshal(text, &doc)
	case connect.YAML:
		err = yaml.Unmarshal(text, &doc)
	default:
		return decodeObject(text)
	}
	if err != nil {
		return nil, noneOf(format, err)
	}
	if doc == nil { // a file of comments
		doc = map[string]any{}
	}
	return alike(doc).(map[string]any), nil
}

// placed finds the place that a parser names in its error.
var placed = regexp.MustCompile(`line (\d+)(?:, column (\d+))?: (.*)`)

// noneOf returns a parser's error as an Unfit.
func noneOf(format connect.Format, err error) *Unfit {
	why := "this is no " + [...]string{"JSON", "TOML", "YAML"}[format] + ": "
	var at *toml.DecodeError
	if errors.As(err, &at) {
		line, column := at.Position()
		return &Unfit{line, column, why + strings.TrimPrefix(at.Error(), "toml: ")}
	}
	if m := placed.FindStringSubmatch(err.Error()); m != nil {
		line, _ := strconv.Atoi(m[1])
		column, _ := strconv.Atoi(m[2])
		return &Unfit{line, max(column, 1), why + m[3]}
	}
	return &Unfit{1, 1, why + err.Error()}
}

// decodeObject reads JSON, with or without comments and commas at the end.
func decodeObject(text []byte) (map[string]any, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return map[string]any{}, nil
	}
	v, err := hujson.Parse(text)
	if err != nil {
		return nil, noneOf(connect.JSON, err)
	}
	if at := doubled(v); at >= 0 {
		return nil, unfitAt(text, at, "this key is here for the second time; agents differ in which one they take")
	}
	plain := v.Clone()
	plain.Standardize()
	read, err := decodeJSON(plain.Pack())
	if err != nil {
		return nil, noneOf(connect.JSON, err)
	}
	doc, ok := read.(map[string]any)
	if !ok {
		return nil, unfitAt(text, v.StartOffset, "the file should hold one object, { … }")
	}
	return doc, nil
}

// doubled returns the offset of a key that its object has twice; -1: no key is doubled.
func doubled(v hujson.Value) int {
	at, seen := -1, map[string]bool{}
	switch c := v.Value.(type) {
	case *hujson.Object:
		for i := 0; i < len(c.Members) && at < 0; i++ {
			name := c.Members[i].Name.Value.(hujson.Literal).String()
			if at = doubled(c.Members[i].Value); seen[name] {
				at = c.Members[i].Name.StartOffset
			}
			seen[name] = true
		}
	case *hujson.Array:
		for i := 0; i < len(c.Elements) && at < 0; i++ {
			at = doubled(c.Elements[i])
		}
	}
	return at
}

// decodeJSON reads one value of plain JSON.
func decodeJSON(text []byte) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	err = d.Decode(&v)
	return alike(v), err
}

// alike makes the values of different parsers comparable.
func alike(v any) any {
	switch v := v.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		return v.String()
	case int:
		return int64(v)
	case map[string]any:
		for key := range v {
			v[key] = alike(v[key])
		}
	case []any:
		for i := range v {
			v[i] = alike(v[i])
		}
	}
	return v
}

// member is a member of an object.
type member struct {
	name, raw string // raw is JSON
}

// membersOf returns the members of a JSON object, in order; nil: the text is no object.
func membersOf(object string) (all []member) {
	v, _ := hujson.Parse([]byte(object))
	o, _ := v.Value.(*hujson.Object)
	for i := 0; o != nil && i < len(o.Members); i++ {
		m := o.Members[i]
		all = append(all, member{m.Name.Value.(hujson.Literal).String(), strings.TrimSpace(m.Value.String())})
	}
	return all
}

// step sets one value, or removes it.
type step struct {
	path []string // in the text; of a list the numbers count from 0
	raw  string   // JSON; empty: the value is removed
}

// gone in place of a value removes it.
type gone struct{}

func (s step) value() any {
	if s.raw == "" {
		return gone{}
	}
	v, _ := decodeJSON([]byte(s.raw)) // our own text
	return v
}

// with returns a copy of a value with another value at a path into it, and the tables on the way.
func with(v any, path []string, value any) any {
	if len(path) == 0 {
		return value
	}
	if list, isList := v.([]any); isList {
		i, err := strconv.Atoi(path[0])
		switch list = slices.Clone(list); {
		case err != nil || i > len(list):
		case i == len(list):
			list = append(list, with(nil, path[1:], value))
		default:
			if list[i] = with(list[i], path[1:], value); list[i] == any(gone{}) {
				list = slices.Delete(list, i, i+1)
			}
		}
		return list
	}
	table, _ := v.(map[string]any)
	if table = maps.Clone(table); table == nil {
		table = map[string]any{}
	}
	if table[path[0]] = with(table[path[0]], path[1:], value); table[path[0]] == any(gone{}) {
		delete(table, path[0])
	}
	return table
}

// lookUp returns the value at a path. depth is the number of keys that lead to something that is no table; -1: all lead
// to tables.
func lookUp(doc map[string]any, path []string) (value any, found bool, depth int) {
	for i, key := range path {
		if value, found = doc[key]; !found || i == len(path)-1 {
			return value, found, -1
		}
		if value == nil { // `servers:` with nothing behind it
			return nil, false, -1
		}
		below, ok := value.(map[string]any)
		if !ok {
			return nil, false, i + 1
		}
		doc = below
	}
	return nil, false, -1
}

// lacking returns the steps that give a text everything that a target needs. Values that are there already stay, the
// person's own too, but an old way to start this program is replaced, and our entry for another version of the agent
// removed. kept lists the paths whose value differs from the wanted one. It fails with an *Unfit if the text cannot be
// read, or has another server of this name.
func lacking(text []byte, t connect.Target) (steps []step, kept []string, err error) {
	doc, err := decode(t.Format, text)
	if err != nil {
		return nil, nil, err
	}
	steps = removing(doc, slices.DeleteFunc(slices.Clone(t.Sets), func(s connect.Setting) bool { return !s.Before }))
	for _, s := range steps {
		doc, _ = with(doc, s.path, gone{}).(map[string]any)
	}
	for _, s := range t.Sets {
		if s.Former || s.Before {
			continue
		}
		more, differ, err := missing(t.Format, text, doc, s)
		if err != nil {
			return nil, nil, err
		}
		steps, kept = append(steps, more...), append(kept, differ...)
		for _, s := range more {
			doc, _ = with(doc, s.path, s.value()).(map[string]any)
		}
	}
	return steps, kept, nil
}

// starts lists the keys that say how a server is started. An old way of ours is replaced, every other value is the
// person's.
var starts = []string{"command", "cmd", "args"}

// missing returns the steps for the values of a setting that a document does not have yet.
func missing(f connect.Format, text []byte, doc map[string]any, s connect.Setting) (steps []step, kept []string,
	err error) {
	want := step{s.Path, s.Value}.value()
	there, found, depth := lookUp(doc, s.Path)
	if depth >= 0 {
		at := s.Path[:depth]
		return nil, nil, unfitIn(f, text, at, strings.Join(at, ".")+
			" is no table of values here, so nothing can be added to it")
	}
	if s.Listed {
		return missingInList(f, text, there, want, s)
	}
	members, isObject := want.(map[string]any)
	entry, isEntry := there.(map[string]any)
	switch {
	case !found || there == nil && isObject:
		return []step{{s.Path, s.Value}}, nil, nil
	case !isObject && !reflect.DeepEqual(there, want):
		return nil, []string{strings.Join(s.Path, ".")}, nil
	case !isObject:
		return nil, nil, nil
	case !isEntry || !isOurs(entry, members):
		return nil, nil, unfitIn(f, text, s.Path,
			strings.Join(s.Path, ".")+" is another server here; rename or remove it first")
	}
	for _, m := range membersOf(s.Value) {
		at := append(slices.Clone(s.Path), m.name)
		old, has := entry[m.name]
		switch {
		case !has, slices.Contains(starts, m.name) && !reflect.DeepEqual(old, members[m.name]):
			steps = append(steps, step{at, m.raw})
		case slices.Contains(switchedOff(entry), m.name): // switched on below
		case !reflect.DeepEqual(old, members[m.name]):
			kept = append(kept, strings.Join(at, "."))
		}
	}
	for _, key := range switchedOff(entry) {
		steps = append(steps, step{append(slices.Clone(s.Path), key), fmt.Sprint(switches[key])})
	}
	return steps, kept, nil
}

// StartsUs reports whether an agent's entry for a server starts a choicetui, this one or another, as its server.
func StartsUs(entry map[string]any) bool {
	command := Command(entry)
	return Serves(command) && strings.HasPrefix(path.Base(command[0]), "choicetui")
}

// isOurs reports whether startsOurs is true, or the entry starts exactly the wanted command, whatever this program is
// called.
func isOurs(entry, want map[string]any) bool {
	return startsOurs(entry) || slices.Equal(Command(entry), Command(want))
}

// startsOurs reports whether an entry starts a choicetui, even one with the wrong arguments or without arguments.
func startsOurs(entry map[string]any) bool {
	command := Command(entry)
	return StartsUs(entry) || len(command) > 0 && path.Base(command[0]) == "choicetui"
}

// Serves reports whether a command of choicetui serves the agent that starts it.
func Serves(command []string) bool {
	return len(command) > 1 && slices.Contains(command[1:], "mcp") && !slices.Contains(command, "--http")
}

// Command returns how an agent's entry starts its server; empty: it does not say.
func Command(entry map[string]any) (words []string) {
	for _, key := range starts {
		switch v := entry[key].(type) {
		case string:
			words = append(words, v)
		case []any:
			for _, word := range v {
				words = append(words, fmt.Sprint(word))
			}
		}
	}
	return words
}
