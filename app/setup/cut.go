package setup

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/choicetui/choicetui/app/connect"
)

// An entry is cut out of a text where what was put in is not found as it was: somebody wrote to the file since, or the
// agent's own command wrote the entry and is gone. What a parser reads afterwards is held against what it should be.

// errNoCut says that an entry is not written as lines of its own.
var errNoCut = errors.New("it is not written in lines of its own")

// cutters are the formats in which a table is cut out as lines. JSON has withoutMembers.
var cutters = map[connect.Format]func(text []byte, path []string) []byte{
	connect.TOML: cutTOML, connect.YAML: cutYAML,
}

// withoutEntries is a text without what a target wants in it, where it still says what was put there, and without the
// tables that hold nothing then. It fails where that is written in a way that no cut fits.
func withoutEntries(text []byte, doc map[string]any, t connect.Target) ([]byte, error) {
	cut, byLines := cutters[t.Format]
	if !byLines {
		return withoutMembers(text, doc, t), nil
	}
	after, hasMark := bytes.CutPrefix(text, mark)
	for _, s := range t.Sets {
		path, found := stillOurs(doc, s)
		if !found {
			continue
		}
		for len(path) > 1 && isAlone(doc, path) {
			path = path[:len(path)-1]
		}
		after = cut(after, path)
		take(doc, path)
	}
	got, err := langs[t.Format].decode(after)
	if err != nil || !reflect.DeepEqual(pruned(got), pruned(doc)) {
		return nil, fmt.Errorf("failed to take out %s: %w", strings.Join(t.Sets[0].Path, "."), errNoCut)
	}
	if hasMark {
		after = append(slices.Clone(mark), after...)
	}
	return after, nil
}

// isAlone reports whether the table that a path ends in holds nothing else.
func isAlone(doc map[string]any, path []string) bool {
	above, _, _ := lookUp(doc, path[:len(path)-1])
	table, ok := above.(map[string]any)
	return ok && len(table) == 1
}

// take removes what stands at a path of a document.
func take(doc map[string]any, path []string) {
	for _, key := range path[:len(path)-1] {
		below, ok := doc[key].(map[string]any)
		if !ok {
			return
		}
		doc = below
	}
	delete(doc, path[len(path)-1])
}

// cutTOML is a text without the tables and values at a path and below it. An empty line before them goes along.
func cutTOML(text []byte, path []string) []byte {
	all := tomlText{}.lines(text)
	for i, l := range slices.Backward(all) {
		if !below(l, path) {
			continue
		}
		from, to := lineStart(text, l.at), lineEnd(text, l.at)
		if !l.head {
			to = endOfValue(text, l.at)
		} else if i == 0 || !below(all[i-1], path) {
			from = beforeEmptyLine(text, from)
		}
		text = slices.Concat(text[:from], text[to:])
	}
	return text
}

// below reports whether a line of TOML stands at a path or below it.
func below(l tomlLine, path []string) bool {
	return len(l.path) >= len(path) && slices.Equal(l.path[:len(path)], path)
}

// beforeEmptyLine is where the empty line before a line begins; the line itself where there is none.
func beforeEmptyLine(text []byte, line int) int {
	if line == 0 {
		return line
	}
	if start := lineStart(text, line-1); len(bytes.TrimSpace(text[start:line])) == 0 {
		return start
	}
	return line
}

// cutYAML is a text without the key at a path and the lines below it. A table in one line is left as it is.
func cutYAML(text []byte, path []string) []byte {
	y := yamlText{}
	root, err := y.parse(text)
	if err != nil || root == nil {
		return text
	}
	keys, _ := y.find(root, path)
	_, table := y.find(root, path[:len(path)-1])
	if len(keys) < len(path) || table.Style&yaml.FlowStyle != 0 {
		return text
	}
	at := offsetOf(text, keys[len(keys)-1])
	indent := len(indentAt(text, at))
	from, to := lineStart(text, at), lineEnd(text, at)
	for end := to; end < len(text); {
		line := text[end:lineEnd(text, end)]
		words := bytes.TrimLeft(line, " ")
		end += len(line)
		if len(bytes.TrimSpace(words)) == 0 {
			continue // it goes only where more of the entry follows
		}
		if len(line)-len(words) <= indent {
			break
		}
		to = end
	}
	return slices.Concat(text[:from], text[to:])
}
