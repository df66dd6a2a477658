package setup

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/choicetui/choicetui/app/connect"
)

// yamlText edits YAML. A parser says where the keys are; lines are added to block tables, other tables are not changed.
type yamlText struct{}

// yamlPlaced finds the line that the parser names in its error.
var yamlPlaced = regexp.MustCompile(`line (\d+): (.*)`)

// parse returns the table of the one document of a text; nil: the text has no document.
func (yamlText) parse(text []byte) (*yaml.Node, error) {
	d := yaml.NewDecoder(bytes.NewReader(text))
	var doc, second yaml.Node
	switch err := d.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return nil, nil
	case err != nil:
		return nil, yamlUnfit(err)
	}
	if err := d.Decode(&second); !errors.Is(err, io.EOF) {
		line, column := 1, 1
		if err == nil && len(second.Content) > 0 {
			line, column = second.Content[0].Line, second.Content[0].Column
		}
		return nil, &Unfit{line, column, "this file holds several documents, so it is not clear which one counts"}
	}
	root := doc.Content[0]
	if root.Kind == yaml.ScalarNode && root.Tag == "!!null" {
		return nil, nil
	}
	if root.Kind != yaml.MappingNode {
		return nil, &Unfit{root.Line, root.Column, "the file should hold keys and values"}
	}
	if key, first := doubledYAML(root); key != nil {
		return nil, unfitAt(text, offsetOf(text, key), fmt.Sprintf(
			"this is no YAML: mapping key %q already defined at line %d", key.Value, first.Line))
	}
	return root, nil
}

// doubledYAML returns a key that its table has twice, and its first occurrence; nil: no key is doubled. The parser
// names the line of such a key, but not the column.
func doubledYAML(n *yaml.Node) (key, first *yaml.Node) {
	seen := map[string]*yaml.Node{}
	for i, below := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 && below.Kind == yaml.ScalarNode {
			name := below.ShortTag() + " " + below.Value
			if seen[name] != nil && name != "!!merge <<" {
				return below, seen[name]
			}
			seen[name] = below
		}
		if key, first = doubledYAML(below); key != nil {
			return key, first
		}
	}
	return nil, nil
}

// yamlUnfit returns the parser's error as an Unfit. The parser names a line and no column, so that is 1.
func yamlUnfit(err error) *Unfit {
	if m := yamlPlaced.FindStringSubmatch(err.Error()); m != nil {
		line, _ := strconv.Atoi(m[1])
		return &Unfit{line, 1, "this is no YAML: " + m[2]}
	}
	return &Unfit{1, 1, "this is no YAML: " + strings.TrimPrefix(err.Error(), "yaml: ")}
}

func (y yamlText) decode(text []byte) (map[string]any, error) {
	if _, err := y.parse(text); err != nil {
		return nil, err
	}
	doc := map[string]any{}
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, yamlUnfit(err)
	}
	if doc == nil { // a file of comments
		doc = map[string]any{}
	}
	return alike(doc).(map[string]any), nil
}

// find follows a path as far as it leads: the nodes of the keys, and of the last one's value.
func (yamlText) find(root *yaml.Node, path []string) (keys []*yaml.Node, value *yaml.Node) {
	value = root
	for _, name := range path {
		if value == nil || value.Kind != yaml.MappingNode {
			return keys, value
		}
		at := -1
		for i := 0; i < len(value.Content); i += 2 {
			if value.Content[i].Value == name {
				at = i
			}
		}
		if at < 0 {
			return keys, value
		}
		keys, value = append(keys, value.Content[at]), value.Content[at+1]
	}
	return keys, value
}

// offsetOf returns where a node begins in its text. The parser counts columns in characters.
func offsetOf(text []byte, n *yaml.Node) int {
	at := 0
	for range n.Line - 1 {
		at = lineEnd(text, at)
	}
	line, column := text[at:lineEnd(text, at)], 1
	for i := range string(line) {
		if column == n.Column {
			return at + i
		}
		column++
	}
	return at + len(line)
}

func (y yamlText) offset(text []byte, path []string) int {
	root, err := y.parse(text)
	if err != nil || root == nil {
		return 0
	}
	if keys, _ := y.find(root, path); len(keys) > 0 {
		return offsetOf(text, keys[len(keys)-1])
	}
	return 0
}

func (y yamlText) set(text []byte, path []string, value string) ([]byte, error) {
	root, err := y.parse(text)
	if err != nil {
		return nil, err
	}
	if root == nil {
		return atTheEnd(text, yamlBlock(path, value, "", "  ", newline(text))), nil
	}
	keys, found := y.find(root, path)
	rest := path[len(keys):]
	switch {
	case len(rest) == 0:
		return replacedScalar(text, found, value)
	case len(keys) == 0 && root.Style&yaml.FlowStyle == 0:
		indent := indentAt(text, offsetOf(text, root.Content[0]))
		return atTheEnd(text, yamlBlock(path, value, indent, yamlUnit(root), newline(text))), nil
	case len(keys) == 0:
		return nil, unfitAt(text, 0, "the file"+inOneLine)
	}
	return y.addBelow(text, root, keys[len(keys)-1], found, rest, value)
}

// inOneLine ends the words about a table that no line can be added to.
const inOneLine = " is written in one line, { … }: add the lines by hand (choicetui help connect)"

// addBelow adds what is left of a path as the first entry below a key.
func (yamlText) addBelow(text []byte, root, key, table *yaml.Node, rest []string, value string) ([]byte, error) {
	at := offsetOf(text, key)
	end := lineEnd(text, at)
	indent := indentAt(text, at) + yamlUnit(root)
	empty := table.Kind == yaml.MappingNode && len(table.Content) == 0 || table.Tag == "!!null"
	switch {
	case empty && table.Line == key.Line: // `extensions: {}`, `extensions:`, `extensions: ~`
		from := offsetOf(text, table)
		for _, word := range []string{"{}", "null", "~"} {
			if bytes.HasPrefix(text[from:], []byte(word)) {
				text = slices.Concat(bytes.TrimRight(text[:from], " "), text[from+len(word):])
				end = lineEnd(text, at)
				break
			}
		}
	case empty:
	case table.Style&yaml.FlowStyle != 0 || table.Kind != yaml.MappingNode || table.Line == key.Line:
		return nil, unfitAt(text, at, key.Value+inOneLine)
	default:
		indent = indentAt(text, offsetOf(text, table))
	}
	block := yamlBlock(rest, value, indent, yamlUnit(root), newline(text))
	if end == len(text) && !bytes.HasSuffix(text, []byte("\n")) {
		block = newline(text) + strings.TrimSuffix(block, newline(text))
	}
	return inserted(text, end, block), nil
}

// yamlUnit returns the indentation that one level adds to a line.
func yamlUnit(root *yaml.Node) string {
	for i := 1; i < len(root.Content); i += 2 {
		if v := root.Content[i]; v.Kind == yaml.MappingNode && v.Style&yaml.FlowStyle == 0 && v.Column > root.Column {
			return strings.Repeat(" ", v.Column-root.Column)
		}
	}
	return "  "
}

// replacedScalar returns a text with another value in place of a value that is written in one line.
func replacedScalar(text []byte, n *yaml.Node, value string) ([]byte, error) {
	at := offsetOf(text, n)
	line := text[at:lineEnd(text, at)]
	end := -1
	for i := len(line); i > 0; i-- { // the longest part of the line that means this value, comments left out
		var got, want any
		part := bytes.TrimRight(line[:i], " \t\r\n")
		if bytes.Contains(part, []byte(" #")) || yaml.Unmarshal(part, &got) != nil || n.Decode(&want) != nil {
			continue
		}
		if reflect.DeepEqual(got, want) {
			end = at + len(part)
			break
		}
	}
	if end < 0 {
		return nil, unfitAt(text, at, "this value takes several lines: change it to "+value+" by hand")
	}
	return slices.Concat(text[:at], []byte(value), text[end:]), nil
}

// atTheEnd returns a text with lines behind its last one.
func atTheEnd(text []byte, block string) []byte {
	if len(text) > 0 && !bytes.HasSuffix(text, []byte("\n")) {
		nl := newline(text)
		block = nl + strings.TrimSuffix(block, nl)
	}
	return append(slices.Clone(text), block...)
}

// yamlBlock returns a value, given as JSON, below keys. An object's members are on lines of their own.
func yamlBlock(path []string, value, indent, unit, nl string) (block string) {
	for _, key := range path[:len(path)-1] {
		block += indent + yamlKey(key) + ":" + nl
		indent += unit
	}
	key := indent + yamlKey(path[len(path)-1]) + ":"
	if !strings.HasPrefix(strings.TrimSpace(value), "{") {
		return block + key + " " + value + nl // a JSON string, number or list is YAML too
	}
	block += key + nl
	for _, name := range memberNames(value) {
		block += yamlBlock([]string{name}, memberOf(value, name), indent+unit, unit, nl)
	}
	return block
}

// plainKey matches keys that need no quotes in YAML.
var plainKey = regexp.MustCompile(`^[A-Za-z_][\w-]*$`)

func yamlKey(key string) string {
	if plainKey.MatchString(key) {
		return key
	}
	return connect.Quoted(key)
}
