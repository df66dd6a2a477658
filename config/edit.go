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

// parts are what is written of a setting: each name in it, or the one value without a name.
func (r Row) parts(s *Settings) (list []member) {
	raw := r.get(s)
	if !r.byName() {
		return []member{{raw: raw}}
	}
	list, _ = members(raw)
	return list
}

// edits lists what turns a file that says before into one that says after. Of an object of any names it changes the
// names that differ, so that what somebody else keeps beside them survives.
func edits(before, after *Settings) (list []edit) {
	for _, row := range Table {
		was, now := row.parts(before), row.parts(after)
		for _, m := range now {
			if !slices.ContainsFunc(was, m.same) {
				list = append(list, edit{row.path(m.key), m.raw})
			}
		}
		for _, m := range was {
			if find(now, m.key) < 0 {
				list = append(list, edit{row.path(m.key), nil})
			}
		}
	}
	return list
}

func (m member) same(o member) bool { return m.key == o.key && bytes.Equal(m.raw, o.raw) }

// find is where the key stands, the last time if more than once: that is the one that counts; -1: nowhere.
func find(list []member, key string) (at int) {
	at = -1
	for i, m := range list {
		if m.key == key {
			at = i
		}
	}
	return at
}

// apply makes one edit in the text of an object and leaves every other character as it is.
func apply(text []byte, e edit, depth int) []byte {
	list, object := members(text)
	if !object { // it is in the way
		if text = []byte("{}"); depth == 0 {
			text = append(text, '\n')
		}
	}
	switch at := find(list, e.path[0]); {
	case at < 0 && e.raw == nil:
		return text
	case at < 0:
		return insert(text, list, e, depth)
	case len(e.path) > 1:
		inner := apply(list[at].raw, edit{e.path[1:], e.raw}, depth+1)
		return splice(text, list[at].valueAt, list[at].end(), inner)
	case e.raw == nil:
		return cut(text, list, at)
	default:
		return splice(text, list[at].valueAt, list[at].end(), e.raw)
	}
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
