package config

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// edit is one value to set, or to take out (nil), at a path of keys.
type edit struct {
	path []string
	raw  json.RawMessage
}

// difference lists what turns the object before into after. It goes into objects, so that what somebody else keeps
// beside our keys in them survives.
func difference(path []string, before, after json.RawMessage) (edits []edit) {
	old, oldErr := members(before)
	now, nowErr := members(after)
	if oldErr != nil || nowErr != nil {
		if !bytes.Equal(before, after) {
			edits = append(edits, edit{path, after})
		}
		return edits
	}
	find := func(list []member, key string) json.RawMessage {
		for _, m := range list {
			if m.key == key {
				return m.raw
			}
		}
		return nil
	}
	for _, m := range now {
		at := append(slices.Clone(path), m.key)
		if was := find(old, m.key); was == nil {
			edits = append(edits, edit{at, m.raw})
		} else {
			edits = append(edits, difference(at, was, m.raw)...)
		}
	}
	for _, m := range old {
		if find(now, m.key) == nil {
			edits = append(edits, edit{append(slices.Clone(path), m.key), nil})
		}
	}
	return edits
}

// apply makes one edit in the text of an object and leaves every other character as it is.
func apply(text []byte, e edit, depth int) []byte {
	list, err := members(text)
	if err != nil { // not an object: it is in the way
		text, list = []byte("{}"), nil
	}
	at := -1
	for i, m := range list {
		if m.key == e.path[0] {
			at = i // the last one counts
		}
	}
	switch {
	case at < 0 && e.raw == nil:
		return text
	case at < 0:
		return insert(text, list, e, depth)
	case len(e.path) > 1:
		inner := apply(list[at].raw, edit{e.path[1:], e.raw}, depth+1)
		return splice(text, list[at].valueAt, list[at].end(), inner)
	case e.raw == nil:
		return cut(text, list, at)
	}
	return splice(text, list[at].valueAt, list[at].end(), e.raw)
}

func splice(text []byte, from, to int, with []byte) []byte {
	return slices.Concat(text[:from], with, text[to:])
}

// insert adds a member behind the last one, laid out like it.
func insert(text []byte, list []member, e edit, depth int) []byte {
	value := []byte(e.raw)
	if len(e.path) > 1 {
		value = apply([]byte("{}"), edit{e.path[1:], e.raw}, depth+1)
	}
	key, _ := json.Marshal(e.path[0])
	if len(list) == 0 {
		open := bytes.IndexByte(text, '{') + 1
		shut := bytes.LastIndexByte(text, '}')
		line := "\n" + strings.Repeat("  ", depth+1)
		added := slices.Concat([]byte(line), key, []byte(": "), value, []byte("\n"+strings.Repeat("  ", depth)))
		return splice(text, open, shut, added)
	}
	last := list[len(list)-1]
	gapFrom := last.keyAt
	for gapFrom > 0 && strings.IndexByte(" \t\r\n", text[gapFrom-1]) >= 0 {
		gapFrom--
	}
	added := slices.Concat([]byte(","), text[gapFrom:last.keyAt], key, []byte(": "), value)
	return splice(text, last.end(), last.end(), added)
}

// cut takes a member out, with one of the commas beside it.
func cut(text []byte, list []member, at int) []byte {
	switch {
	case at > 0:
		return splice(text, list[at-1].end(), list[at].end(), nil)
	case len(list) > 1:
		return splice(text, list[0].keyAt, list[1].keyAt, nil)
	}
	return splice(text, list[0].keyAt, list[0].end(), nil)
}
