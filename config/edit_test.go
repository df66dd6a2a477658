package config

import (
	"encoding/json"
	"math/rand"
	"reflect"
	"testing"
)

// TestRandomEditsGiveTheSameAsEditingAMap compares the textual edits with the same ones on a decoded object.
func TestRandomEditsGiveTheSameAsEditingAMap(t *testing.T) {
	keys := []string{"a", "b", "c", `q"\`, "한"}
	for seed := range int64(500) {
		rnd := rand.New(rand.NewSource(seed))
		text := []byte([]string{"{}", "{ }", "{\n}\n", ` { "a" : { "b":1 } , "x":[{"c":2}] } `, "{\n\t\"c\": 1\n}"}[rnd.Intn(5)])
		var model map[string]any
		if err := json.Unmarshal(text, &model); err != nil {
			t.Fatal(err)
		}
		for range 12 {
			path := []string{keys[rnd.Intn(len(keys))]}
			if rnd.Intn(2) == 0 {
				path = append(path, keys[rnd.Intn(len(keys))])
			}
			e := edit{path: path}
			if rnd.Intn(3) > 0 {
				e.raw = json.RawMessage([]string{"1", `"}"`, "[1, 2]", `{"z": null}`}[rnd.Intn(4)])
			}
			if len(path) == 2 && e.raw == nil {
				if inner, ok := model[path[0]].(map[string]any); !ok || inner[path[1]] == nil {
					continue // editsBetween never removes a missing key
				}
			}
			text = applyEdit(text, e, 0)
			editMap(model, e)
			var got map[string]any
			if err := json.Unmarshal(text, &got); err != nil || !reflect.DeepEqual(got, model) {
				t.Fatalf("seed %d, edit %q=%s: %v\n%s\nwant %v", seed, path, e.raw, err, text, model)
			}
		}
	}
}

func editMap(m map[string]any, e edit) {
	if len(e.path) > 1 {
		inner, ok := m[e.path[0]].(map[string]any)
		if !ok {
			inner = map[string]any{}
			m[e.path[0]] = inner
		}
		editMap(inner, edit{e.path[1:], e.raw})
		return
	}
	if e.raw == nil {
		delete(m, e.path[0])
		return
	}
	var v any
	_ = json.Unmarshal(e.raw, &v)
	m[e.path[0]] = v
}

func FuzzParse(f *testing.F) {
	f.Add(`{"notify": {"bell": 1}, "keys": {"a": [1]}}`)
	f.Add("{\"a\": {\"\\\"\": 2}")
	f.Fuzz(func(t *testing.T, text string) {
		got := parseText("x", []byte(text))
		if checkSettings("x", got.settings) != nil {
			t.Fatalf("%q gave settings that are wrong: %+v", text, got.settings)
		}
	})
}
