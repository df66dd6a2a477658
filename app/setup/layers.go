package setup

import (
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/app/connect"
)

// What choicetui needs of an agent's settings may be missing there, or may not count: Claude Code reads those of the
// administrator and of a project too, and they count more than the person's own.

// Off is a setting that keeps hooks from running.
type Off struct {
	Path, Setting string
	Managed       bool // the administrator's: the person cannot change it
}

// HooksOff returns what switches an agent's hooks off; a zero Off: they are on. Of the files that say so or not the one
// that counts most decides, but nothing brings back what the administrator takes away.
func HooksOff(h Host, c connect.Client) Off {
	for _, t := range c.Also {
		if t.Off == "" {
			continue
		}
		for _, path := range h.managed(c) {
			doc, _ := document(t.Format, path)
			for _, setting := range []string{t.Off, "allowManagedHooksOnly", "strictPluginOnlyCustomization"} {
				if on, _ := doc[setting].(bool); on || has(doc[setting], "hooks") {
					return Off{path, setting, true}
				}
			}
		}
		for _, path := range append(h.inProject(c), h.path(t)) {
			doc, _ := document(t.Format, path)
			if off, says := doc[t.Off].(bool); says {
				if off {
					return Off{path, t.Off, false}
				}
				break
			}
		}
	}
	return Off{}
}

// inProject are the files of the project here whose settings count more than the person's, the one that counts most
// first.
func (h Host) inProject(c connect.Client) (paths []string) {
	for _, name := range c.Layers.Project {
		if h.Dir != "" && h.Dir != h.Home {
			paths = append(paths, filepath.Join(h.Dir, filepath.FromSlash(name)))
		}
	}
	return paths
}

// managed are the administrator's settings of an agent.
func (h Host) managed(c connect.Client) []string {
	path := c.Layers.Managed
	if runtime.GOOS == "darwin" {
		path = c.Layers.Apple
	}
	if path == "" {
		return nil
	}
	path = filepath.Join(h.Root, path)
	more, _ := filepath.Glob(filepath.Join(strings.TrimSuffix(path, ".json")+".d", "*.json")) // ours is a good pattern
	return append([]string{path}, more...)
}

// has reports whether a list holds a word.
func has(list any, word string) bool {
	all, _ := list.([]any)
	return slices.Contains(all, any(word))
}

// Lack is something that an agent's settings lack.
type Lack struct {
	So     string // what happens without it, and what is missing; part of a sentence
	Remedy string
}

// Lacks returns what an agent lacks although its entry starts choicetui.
func Lacks(h Host, e Entry) (all []Lack) {
	c, again := e.Client, "choicetui setup "+e.Client.ID
	entry := e.has
	wanted, _ := decodeJSON([]byte(wantedEntry(c)))
	members, _ := wanted.(map[string]any)
	for _, name := range memberNames(wantedEntry(c)) {
		switch value, there := entry[name]; {
		case c.Lack[name] == "":
		case !there:
			all = append(all, Lack{c.Lack[name] + ", since its entry has no " + name, again})
		case !reflect.DeepEqual(value, members[name]):
			all = append(all, Lack{c.Lack[name] + ", by the value of " + name, "take " + name + " out of " + e.Path +
				", then run: " + again})
		}
	}
	for _, t := range c.Also {
		doc, err := document(t.Format, h.path(t))
		for _, s := range t.Sets {
			if err != nil || s.Lack == "" || holds(doc, s) {
				continue
			}
			missing := strings.Join(s.Path, ".") + " is not set"
			if s.Listed {
				missing = strings.Join(s.Path, ".") + " lacks " + strings.Trim(s.Value, `"`)
			}
			all = append(all, Lack{s.Lack + ", since " + missing + " in " + h.path(t), again})
		}
	}
	return append(all, h.ruleCountsNot(c)...)
}

// ruleCountsNot says where the rule for our tools is of no use, since the administrator's rules alone count.
func (h Host) ruleCountsNot(c connect.Client) []Lack {
	const only = "allowManagedPermissionRulesOnly"
	for _, path := range h.managed(c) {
		doc, _ := document(connect.JSON, path)
		rules, _, _ := lookUp(doc, []string{"permissions", "allow"})
		if on, _ := doc[only].(bool); on && !has(rules, connect.Rule) {
			return []Lack{{"it asks for your permission before each question, by " + only + " in " + path,
				"ask whoever manages " + path + " to allow " + connect.Rule}}
		}
	}
	return nil
}
