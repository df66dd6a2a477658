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

	"github.com/choicetui/choicetui/config/whole"
	"github.com/choicetui/choicetui/mcpbridge/agents/agent"
)

// Unfit says why a text is not changed. Line and Column count from 1, columns in bytes; Line is 0 if the error has no
// place in the text.
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

// unfitIn returns an Unfit at the value of a path in JSON, or at the nearest table above it. For other formats it has
// no place.
func unfitIn(format agent.Format, text []byte, path []string, why string) *Unfit {
	text = bytes.TrimPrefix(text, byteOrderMark)
	v, err := hujson.Parse(text)
	if format != agent.JSON || err != nil {
		return &Unfit{Why: why}
	}
	for v.Find(jsonPointer(path)) == nil {
		path = path[:len(path)-1]
	}
	return unfitAt(text, v.Find(jsonPointer(path)).StartOffset, why)
}

// byteOrderMark is the mark that some editors write at the start of a file. It is kept, and cut off before parsing.
var byteOrderMark = []byte(whole.Mark)

// decode parses a text into maps, lists and scalars, with whole numbers as int64. It fails with an *Unfit.
func decode(format agent.Format, text []byte) (doc map[string]any, err error) {
	text = bytes.TrimPrefix(text, byteOrderMark)
	switch format {
	case agent.TOML:
		err = toml.Unmarshal(text, &doc)
	case agent.YAML:
		err = yaml.Unmarshal(text, &doc)
	default:
		return decodeObject(text)
	}
	if err != nil {
		return nil, parseFailure(format, err)
	}
	if doc == nil { // a file of comments
		doc = map[string]any{}
	}
	return normalised(doc).(map[string]any), nil
}

// placeInError matches the line and column in a parser's error.
var placeInError = regexp.MustCompile(`line (\d+)(?:, column (\d+))?: (.*)`)

// parseFailure returns a parser's error as an Unfit.
func parseFailure(format agent.Format, err error) *Unfit {
	why := "this is not valid " + [...]string{"JSON", "TOML", "YAML"}[format] + ": "
	var at *toml.DecodeError
	if errors.As(err, &at) {
		line, column := at.Position()
		return &Unfit{line, column, why + strings.TrimPrefix(at.Error(), "toml: ")}
	}
	if m := placeInError.FindStringSubmatch(err.Error()); m != nil {
		line, _ := strconv.Atoi(m[1])
		column, _ := strconv.Atoi(m[2])
		return &Unfit{line, max(column, 1), why + m[3]}
	}
	return &Unfit{1, 1, why + err.Error()}
}

// decodeObject parses a JSON object with or without comments and trailing commas. It fails with an *Unfit.
func decodeObject(text []byte) (map[string]any, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return map[string]any{}, nil
	}
	v, err := hujson.Parse(text)
	if err != nil {
		return nil, parseFailure(agent.JSON, err)
	}
	if at := doubledKey(v); at >= 0 {
		return nil, unfitAt(text, at, "this key is here twice; agents differ in which one they use")
	}
	plain := v.Clone()
	plain.Standardize()
	read, err := decodeJSON(plain.Pack())
	if err != nil {
		return nil, parseFailure(agent.JSON, err)
	}
	doc, ok := read.(map[string]any)
	if !ok {
		return nil, unfitAt(text, v.StartOffset, "the file should hold one object, { … }")
	}
	return doc, nil
}

// doubledKey returns the offset of a key that its object has twice; -1 if there is none.
func doubledKey(v hujson.Value) int {
	at, seen := -1, map[string]bool{}
	switch c := v.Value.(type) {
	case *hujson.Object:
		for i := 0; i < len(c.Members) && at < 0; i++ {
			name := c.Members[i].Name.Value.(hujson.Literal).String()
			if at = doubledKey(c.Members[i].Value); seen[name] {
				at = c.Members[i].Name.StartOffset
			}
			seen[name] = true
		}
	case *hujson.Array:
		for i := 0; i < len(c.Elements) && at < 0; i++ {
			at = doubledKey(c.Elements[i])
		}
	}
	return at
}

// decodeJSON parses one value of plain JSON.
func decodeJSON(text []byte) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	err = d.Decode(&v)
	return normalised(v), err
}

// normalised converts the values of different parsers to the same Go types, so that they can be compared.
func normalised(v any) any {
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
			v[key] = normalised(v[key])
		}
	case []any:
		for i := range v {
			v[i] = normalised(v[i])
		}
	}
	return v
}

// member is one key of a JSON object with its value.
type member struct {
	name, raw string // raw is the value as JSON
}

// membersOf returns the members of a JSON object in order; nil: the text is no object.
func membersOf(object string) (all []member) {
	v, _ := hujson.Parse([]byte(object))
	o, _ := v.Value.(*hujson.Object)
	for i := 0; o != nil && i < len(o.Members); i++ {
		m := o.Members[i]
		all = append(all, member{m.Name.Value.(hujson.Literal).String(), strings.TrimSpace(m.Value.String())})
	}
	return all
}

// step sets one value in a document, or removes it.
type step struct {
	path []string // the keys that lead to the value; the indexes of lists count from 0
	raw  string   // the new value as JSON; empty: the value is removed
}

// absent is the value of a step that removes a value.
type absent struct{}

// value returns the new value, or absent.
func (s step) value() any {
	if s.raw == "" {
		return absent{}
	}
	v, _ := decodeJSON([]byte(s.raw)) // valid, because the text is our own
	return v
}

// withValue returns a copy of a value in which the place at a path has another value, or is removed if that is absent.
// Missing tables on the way are made.
func withValue(v any, path []string, value any) any {
	if len(path) == 0 {
		return value
	}
	list, isList := v.([]any)
	if isList || v == nil && strings.HasPrefix(path[0], agent.ByName) {
		i := indexIn(list, path[0])
		switch list = slices.Clone(list); {
		case i < 0:
		case i == len(list):
			list = append(list, withValue(nil, path[1:], value))
		default:
			if list[i] = withValue(list[i], path[1:], value); list[i] == any(absent{}) {
				list = slices.Delete(list, i, i+1)
			}
		}
		return list
	}
	table, _ := v.(map[string]any)
	if table = maps.Clone(table); table == nil {
		table = map[string]any{}
	}
	if table[path[0]] = withValue(table[path[0]], path[1:], value); table[path[0]] == any(absent{}) {
		delete(table, path[0])
	}
	return table
}

// lookUp returns the value at a path. If a key on the way leads to something that is no table, depth is the number of
// keys up to it, else -1.
func lookUp(doc map[string]any, path []string) (value any, found bool, depth int) {
	value = doc
	for i, key := range path {
		_, byName := strings.CutPrefix(key, agent.ByName)
		list, isList := value.([]any)
		table, isTable := value.(map[string]any)
		switch {
		case value == nil: // `servers:` with nothing behind it
			return nil, false, -1
		case isList && byName:
			if at := indexIn(list, key); at < len(list) {
				value, found = list[at], true
			} else {
				value, found = nil, false
			}
		case isTable && !byName:
			value, found = table[key]
		default:
			return nil, false, i
		}
		if !found {
			return nil, false, -1
		}
	}
	return value, found, -1
}

// indexIn returns the index in a list that a key of a path means: a number, or the name of a table in the list. It is
// the length of the list if there is no such table, and -1 if the key means no index.
func indexIn(list []any, key string) int {
	name, byName := strings.CutPrefix(key, agent.ByName)
	if !byName {
		if i, err := strconv.Atoi(key); err == nil && i <= len(list) {
			return i
		}
		return -1
	}
	for i, one := range list {
		if table, _ := one.(map[string]any); table["name"] == name {
			return i
		}
	}
	return len(list)
}

// lackingSteps returns the steps that give a text everything that a target needs. Existing values stay, the person's
// own too; only an old command that starts this program is replaced. kept lists the paths whose values differ from
// ours. It fails with an *Unfit if the text cannot be read or has another server under our name.
func lackingSteps(text []byte, t agent.Target) (steps []step, kept []string, err error) {
	doc, err := decode(t.Format, text)
	if err != nil {
		return nil, nil, err
	}
	for _, s := range t.Sets {
		if s.Before {
			continue
		}
		more, differ, err := stepsForSetting(t.Format, text, doc, s)
		if err != nil {
			return nil, nil, err
		}
		steps, kept = append(steps, more...), append(kept, differ...)
		for _, s := range more {
			doc, _ = withValue(doc, s.path, s.value()).(map[string]any)
		}
	}
	return steps, kept, nil
}

// startKeys lists the keys that hold a server's command. A value of ours is brought up to date; all other values belong
// to the person.
var startKeys = []string{"command", "cmd", "args"}

// stepsForSetting returns the steps for the values of a setting that a document lacks.
func stepsForSetting(f agent.Format, text []byte, doc map[string]any, s agent.Setting) (steps []step, kept []string,
	err error) {
	want := step{s.Path, s.Value}.value()
	there, found, depth := lookUp(doc, s.Path)
	if depth >= 0 {
		at := s.Path[:depth]
		return nil, nil, unfitIn(f, text, at, strings.Join(at, ".")+
			" is not a table here, so nothing can be added to it")
	}
	if s.Listed {
		steps, err = stepsForList(f, text, there, want, s)
		return steps, nil, err
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
		case !has, slices.Contains(startKeys, m.name) && !reflect.DeepEqual(old, members[m.name]):
			steps = append(steps, step{at, m.raw})
		case slices.Contains(switchedOff(entry), m.name): // switched on below
		case !reflect.DeepEqual(old, members[m.name]):
			kept = append(kept, strings.Join(at, "."))
		}
	}
	for _, key := range switchedOff(entry) {
		steps = append(steps, step{append(slices.Clone(s.Path), key), fmt.Sprint(switchKeys[key])})
	}
	return steps, kept, nil
}

// StartsUs reports whether an agent's entry starts a choicetui as its server, this one or another.
func StartsUs(entry map[string]any) bool {
	command := Command(entry)
	return Serves(command) && strings.HasPrefix(path.Base(command[0]), "choicetui")
}

// isOurs reports whether an entry is ours: startsOurs is true, or its command is exactly the wanted one, whatever the
// program is called.
func isOurs(entry, want map[string]any) bool {
	return startsOurs(entry) || slices.Equal(Command(entry), Command(want))
}

// startsOurs reports whether an entry starts a choicetui, even with wrong or missing arguments.
func startsOurs(entry map[string]any) bool {
	command := Command(entry)
	return StartsUs(entry) || len(command) > 0 && path.Base(command[0]) == "choicetui"
}

// Serves reports whether a command of choicetui serves the agent that starts it.
func Serves(command []string) bool {
	return len(command) > 1 && slices.Contains(command[1:], "mcp") && !slices.Contains(command, "--http")
}

// Command returns the command with which an agent's entry starts its server; empty: the entry has none.
func Command(entry map[string]any) (words []string) {
	for _, key := range startKeys {
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
