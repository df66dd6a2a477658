package setup

import (
	"bytes"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/app/connect"
)

// A setting that choicetui needs may be missing from an agent's settings, or may not count: Claude Code reads those of
// the administrator and of a project too, and these override the person's own.

// Off names a setting that keeps hooks from running.
type Off struct {
	Path, Setting string
	Managed       bool // the administrator's: the person cannot change it
}

// HooksOff returns the setting that switches an agent's hooks off; a zero Off: they are on. Of the files that contain
// such a setting the one that counts most decides, but nothing overrides the administrator's.
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

// inProject returns the files of the project here whose settings override the person's, the one that counts most first.
func (h Host) inProject(c connect.Client) (paths []string) {
	for _, name := range c.Layers.Project {
		if h.Dir != "" && h.Dir != h.Home {
			paths = append(paths, filepath.Join(h.Dir, filepath.FromSlash(name)))
		}
	}
	return paths
}

// managed returns the files of the administrator's settings of an agent.
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

// Lack describes a setting that an agent lacks.
type Lack struct {
	So     string // the effect, and what is missing; part of a sentence
	Remedy string
}

// Lacks returns what an agent lacks although its entry starts choicetui.
func Lacks(h Host, e Entry) (all []Lack) {
	c, again := e.Client, "choicetui setup "+e.Client.ID
	for _, m := range membersOf(c.Server.Sets[0].Value) {
		name := m.name
		switch value, there := e.has[name]; {
		case c.Lack[name] == "":
		case !there:
			all = append(all, Lack{c.Lack[name] + ", since its entry has no " + name, again})
		case !reflect.DeepEqual(value, wanted(c)[name]):
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
	return slices.Concat(all, h.ruleCountsNot(c), h.rulesAgainst(c))
}

// Unset returns the keys that an agent's entry does not have although setup would set or show them. It works without
// them, but not as well.
func (e Entry) Unset() (names []string) {
	for _, m := range membersOf(e.Client.Server.Sets[0].Value) {
		if _, there := e.has[m.name]; !there && !slices.Contains(starts, m.name) {
			names = append(names, m.name)
		}
	}
	return names
}

// rulesAgainst returns the rules of an agent that keep its model from asking freely. They count more than those that
// allow our tools, in each of its settings files.
func (h Host) rulesAgainst(c connect.Client) (all []Lack) {
	for _, t := range c.Also {
		if t.Off == "" { // it has no rules
			continue
		}
		managed := h.managed(c)
		for _, path := range slices.Concat(managed, h.inProject(c), []string{h.path(t)}) {
			doc, _ := document(t.Format, path)
			for _, kind := range connect.RuleKinds {
				where := "permissions." + kind.Name
				found, _, _ := lookUp(doc, []string{"permissions", kind.Name})
				rules, _ := found.([]any)
				for _, rule := range rules {
					name, _ := rule.(string)
					if name != connect.Rule && !strings.HasPrefix(name, connect.Rule+"__") {
						continue
					}
					so, remedy := kind.So, "take "+name+" out of "+where+" in "+path
					if name != connect.Rule && name != connect.AllRule {
						so += " by that tool"
					}
					if slices.Contains(managed, path) {
						remedy = "ask whoever manages " + path + " to take " + name + " out of " + where
					}
					all = append(all, Lack{so + ", by " + name + " in " + where + " of " + path, remedy})
				}
			}
		}
	}
	return all
}

// ruleCountsNot reports that the rule for our tools has no effect, because the administrator's rules alone count.
func (h Host) ruleCountsNot(c connect.Client) []Lack {
	const only = "allowManagedPermissionRulesOnly"
	for _, path := range h.managed(c) {
		doc, _ := document(connect.JSON, path)
		rules, _, _ := lookUp(doc, []string{"permissions", "allow"})
		if on, _ := doc[only].(bool); on && !has(rules, connect.Rule) && !has(rules, connect.AllRule) {
			return []Lack{{"it asks for your permission before each question, by " + only + " in " + path,
				"ask whoever manages " + path + " to allow " + connect.Rule}}
		}
	}
	return nil
}

// Own says where an agent's own prompts are shown.
type Own int

// Places of an agent's own prompts.
const (
	OwnUnknown  Own = iota // nothing brings them here from this agent, or its settings cannot be read
	OwnHere                // they come here: all of them, or what connect.Native.Brings names
	OwnThere               // they stay at the agent: the hook or plugin is missing, or not whole
	OwnMistrust            // the hook is there, and waits until the person trusts it at the agent
	OwnOff                 // the hook is there, and the agent's settings switch all hooks off
)

// OwnAsks says where an agent's own prompts are shown, by its settings.
func OwnAsks(h Host, c connect.Client) Own {
	state := OwnUnknown
	also := c.Also
	if c.Native.File != "" {
		also = append(also[:len(also):len(also)], c.Native.Target)
	}
	for _, t := range also {
		f, err := ReadFile(h.path(t))
		if err != nil {
			return OwnUnknown
		}
		if t.Whole != "" {
			if state = OwnThere; bytes.Equal(f.Text, []byte(t.Whole)) {
				state = OwnHere
			}
			continue
		}
		doc, err := decode(t.Format, f.Text)
		if err != nil {
			return OwnUnknown
		}
		for _, s := range t.Sets {
			switch {
			case !s.Listed, s.Path[0] != "hooks": // else it brings nothing here
			case !holds(doc, s):
				return OwnThere
			default:
				state = OwnHere
			}
		}
	}
	if state == OwnHere && HooksOff(h, c).Setting != "" {
		return OwnOff
	}
	if state == OwnHere && !isTrusted(h, c) {
		return OwnMistrust
	}
	return state
}

// isTrusted reports whether an agent may run the hooks of its file, as far as its settings say: it notes the person's
// consent below the name of that file. Whether a hook was changed since is for the agent to say.
func isTrusted(h Host, c connect.Client) bool {
	f, err := ReadFile(h.path(c.Server))
	if c.Native.Trust == "" || err != nil {
		return true
	}
	hooks := h.path(c.Native.Target)
	real, err := filepath.EvalSymlinks(hooks)
	return bytes.Contains(f.Text, []byte(hooks+c.Native.Trust)) ||
		err == nil && bytes.Contains(f.Text, []byte(real+c.Native.Trust))
}

// UnloadedPlugin returns the path of our plugin file that an agent has and does not load: opencode 2 does not load a
// plugin that was made for version 1 alone. It returns "" if there is no such file.
func UnloadedPlugin(h Host, c connect.Client) string {
	if c.ID != "opencode2" {
		return ""
	}
	for _, t := range c.Also {
		f, err := ReadFile(h.path(t))
		if err == nil && t.Whole != "" && isWholly(f.Text) && !bytes.Contains(f.Text, []byte("\nexport default ")) {
			return f.Path
		}
	}
	return ""
}
