package setup

import (
	"bytes"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/mcpbridge/agents/agent"
)

// An agent's settings may lack a setting that choicetui needs, or another file may override it: settings of the
// administrator and of the project may count more than the person's own.

// Off names a setting that keeps hooks from running.
type Off struct {
	Path, Setting string
	Managed       bool // whether the administrator set it, so that the person cannot change it
}

// HooksOff returns the setting that switches an agent's hooks off; a zero Off: they are on. If several files have such
// a setting, the one that counts most decides; no file overrides the administrator's.
func HooksOff(h Host, c agent.Client) Off {
	for _, t := range c.Also {
		if t.Off == "" {
			continue
		}
		for _, path := range h.managedFiles(c) {
			doc, _ := document(t.Format, path)
			for _, setting := range append([]string{t.Off}, c.Layers.HookOff...) {
				if on, _ := doc[setting].(bool); on || listHas(doc[setting], "hooks") {
					return Off{path, setting, true}
				}
			}
		}
		for _, path := range append(h.projectFiles(c), h.path(t)) {
			doc, _ := document(t.Format, path)
			if off, says := doc[t.Off].(bool); says {
				if off {
					return Off{path, t.Off, false}
				}
				break // it counts more than the files that follow
			}
		}
	}
	return Off{}
}

// Obstacle names a settings file of an agent that cannot be read, or that setup cannot change.
type Obstacle struct {
	Left
	Remedy string
}

// Obstacles returns the files with an agent's hooks and rules that cannot be used as they are: the person's own, where
// setup cannot change them either, the project's and the administrator's. If the file of its servers cannot be read, it
// is not among them, because Entry.Err has it. works says that the agent's entry starts this program, whatever name it
// gives it.
func Obstacles(h Host, c agent.Client, works bool) (all []Obstacle) {
	seen := map[string]bool{}
	add := func(path string, err error, remedy string) {
		if err != nil && !seen[path] {
			seen[path] = true
			all = append(all, Obstacle{Left{path, err}, remedy})
		}
	}
	if works {
		c.Server.Sets = c.Server.Sets[1:]
	}
	_, unread := document(c.Server.Format, h.path(c.Server))
	c = c.WithNative(h.Program).WithGate(h.Program)
	for i, t := range append([]agent.Target{c.Server}, c.Also...) {
		if unread != nil && h.path(t) == h.path(c.Server) {
			continue
		}
		_, _, err := h.planEdit(t)
		add(h.path(t), err, "put that right, then run: choicetui setup "+c.ID)
		if i == 0 || t.Off == "" {
			continue
		}
		for _, path := range h.projectFiles(c) {
			_, err := document(t.Format, path)
			add(path, err, "repair "+path)
		}
		for _, path := range h.managedFiles(c) {
			_, err := document(t.Format, path)
			add(path, err, "ask whoever manages "+path+" to repair it")
		}
	}
	return all
}

// projectFiles returns the settings files of the current project, which override the person's own. The file that counts
// most comes first.
func (h Host) projectFiles(c agent.Client) (paths []string) {
	for _, name := range c.Layers.Project {
		if h.Dir != "" && h.Dir != h.Home {
			paths = append(paths, filepath.Join(h.Dir, filepath.FromSlash(name)))
		}
	}
	return paths
}

// managedFiles returns the files with the administrator's settings of an agent.
func (h Host) managedFiles(c agent.Client) []string {
	path := c.Layers.Managed
	if runtime.GOOS == "darwin" {
		path = c.Layers.Apple
	}
	if path == "" {
		return nil
	}
	path = filepath.Join(h.Root, path)
	more, _ := filepath.Glob(filepath.Join(strings.TrimSuffix(path, ".json")+".d", "*.json")) // a valid pattern
	return append([]string{path}, more...)
}

// listHas reports whether a list contains a word.
func listHas(list any, word string) bool {
	all, _ := list.([]any)
	return slices.Contains(all, any(word))
}

// Lack describes a setting that an agent lacks.
type Lack struct {
	So     string // the effect and the missing setting, as part of a sentence
	Remedy string
}

// Lacks compares an agent's entry, which does start choicetui, with the entry that setup would write, and returns the
// settings that are missing or have another value.
func Lacks(h Host, e Entry) (all []Lack) {
	c, again := e.Client, "choicetui setup "+e.Client.ID
	for _, m := range membersOf(c.Server.Sets[0].Value) {
		name := m.name
		switch value, there := e.values[name]; {
		case c.Lack[name] == "":
		case !there:
			all = append(all, Lack{c.Lack[name] + ", since its entry has no " + name, again})
		case !reflect.DeepEqual(value, wantedEntry(c)[name]):
			all = append(all, Lack{c.Lack[name] + ", by the value of " + name, "take " + name + " out of " + e.Path +
				", then run: " + again})
		}
	}
	for _, t := range c.Also {
		if t.Lack != "" {
			if f, err := ReadFile(h.path(t)); err == nil && !bytes.Equal(f.Text, []byte(t.Whole)) {
				all = append(all, Lack{t.Lack + ", since " + h.path(t) + " is not the one of this choicetui", again})
			}
			continue
		}
		doc, err := document(t.Format, h.path(t))
		for _, s := range t.Sets {
			if err != nil || s.Lack == "" || holdsSetting(doc, s) {
				continue
			}
			missing := strings.Join(s.Path, ".") + " is not set"
			if s.Listed {
				missing = strings.Join(s.Path, ".") + " lacks " + strings.Trim(s.Value, `"`)
			}
			all = append(all, Lack{s.Lack + ", since " + missing + " in " + h.path(t), again})
		}
	}
	return append(all, h.rulesAgainst(c)...)
}

// Unset returns the keys that setup would set and an agent's entry does not have. Without them the entry works, but
// less well.
func (e Entry) Unset() (names []string) {
	for _, m := range membersOf(e.Client.Server.Sets[0].Value) {
		if _, there := e.values[m.name]; !there && !slices.Contains(startKeys, m.name) {
			names = append(names, m.name)
		}
	}
	return names
}

// rulesAgainst returns what keeps an agent's model from asking freely although a rule allows our tools: rules that
// override it, from all of the agent's settings files, and the administrator's setting that leaves it without effect.
func (h Host) rulesAgainst(c agent.Client) (all []Lack) {
	for _, t := range c.Also {
		for _, s := range t.Sets {
			if s.Rule.Against == nil {
				continue
			}
			ours, _ := step{raw: s.Value}.value().(string)
			all = slices.Concat(all, h.ruleWithoutEffect(c, t, s, ours))
			managed := h.managedFiles(c)
			for _, path := range slices.Concat(managed, h.projectFiles(c), []string{h.path(t)}) {
				doc, _ := document(t.Format, path)
				isManaged := slices.Contains(managed, path)
				for _, list := range s.Rule.Against {
					all = append(all, rulesIn(doc, list, path, isManaged, ours, s.Rule.Alike)...)
				}
			}
		}
	}
	return all
}

// rulesIn returns the rules for our tools in one list of a settings file. ours and alike are the forms of the rule for
// all of our tools.
func rulesIn(doc map[string]any, list agent.Against, path string, isManaged bool, ours, alike string) (all []Lack) {
	where := strings.Join(list.Path, ".")
	found, _, _ := lookUp(doc, list.Path)
	rules, _ := found.([]any)
	for _, rule := range rules {
		name, _ := rule.(string)
		if name != ours && !strings.HasPrefix(name, ours+"__") {
			continue
		}
		so, remedy := list.So, "take "+name+" out of "+where+" in "+path
		if name != ours && name != alike {
			so += " by that tool"
		}
		if isManaged {
			remedy = "ask whoever manages " + path + " to take " + name + " out of " + where
		}
		all = append(all, Lack{so + ", by " + name + " in " + where + " of " + path, remedy})
	}
	return all
}

// ruleWithoutEffect returns a Lack if a rule for our tools has no effect, because only the administrator's rules count.
func (h Host) ruleWithoutEffect(c agent.Client, t agent.Target, s agent.Setting, rule string) []Lack {
	for _, path := range h.managedFiles(c) {
		doc, _ := document(t.Format, path)
		rules, _, _ := lookUp(doc, s.Path)
		if on, _ := doc[s.Rule.Managed].(bool); on && !listHas(rules, rule) && !listHas(rules, s.Rule.Alike) {
			return []Lack{{s.Lack + ", by " + s.Rule.Managed + " in " + path,
				"ask whoever manages " + path + " to allow " + rule}}
		}
	}
	return nil
}

// Own says where an agent's own prompts are shown.
type Own int

// The values of Own.
const (
	OwnUnknown  Own = iota // the agent has no hook or plugin for it, or its settings cannot be read
	OwnHere                // they are shown here: all of them, or those that agent.Native brings
	OwnThere               // they are shown at the agent: a hook or plugin is missing or incomplete
	OwnMistrust            // the hook is installed, and the person has yet to trust it at the agent
	OwnOff                 // the hook is installed, and the agent's settings switch all hooks off
)

// OwnAsks finds out from an agent's settings where the agent's own prompts are shown: here, because our hooks or our
// plugin are installed, or only in the agent.
func OwnAsks(h Host, c agent.Client) Own {
	state := OwnUnknown
	also := slices.Clone(c.Also)
	if c.Native.File != "" {
		also = append(also, c.Native.Target)
	}
	for _, t := range also {
		if t.Lack != "" { // it brings no prompts here
			continue
		}
		f, err := ReadFile(h.path(t))
		if err != nil {
			return OwnUnknown
		}
		if t.Whole != "" { // the whole file is ours, such as a plugin
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
			case !s.Listed, s.Path[0] != "hooks": // no hook, so it brings no prompts here
			case !holdsSetting(doc, s):
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

// isTrusted reports whether the person has trusted the hooks in an agent's file: the agent notes that in its settings,
// under the path of the file. It does not check whether the hooks were changed since; the agent does.
func isTrusted(h Host, c agent.Client) bool {
	f, err := ReadFile(h.path(c.Server))
	if c.Native.Trust == "" || err != nil {
		return true
	}
	hooks := h.path(c.Native.Target)
	real, err := filepath.EvalSymlinks(hooks)
	return bytes.Contains(f.Text, []byte(hooks+c.Native.Trust)) ||
		err == nil && bytes.Contains(f.Text, []byte(real+c.Native.Trust))
}

// UnloadedPlugin returns the path of a plugin file of ours that an agent does not load, because an older build wrote
// it. It returns "" if there is no such file.
func UnloadedPlugin(h Host, c agent.Client) string {
	for _, t := range c.Also {
		f, err := ReadFile(h.path(t))
		if err == nil && t.Loads != "" && isWholly(f.Text) && !bytes.Contains(f.Text, []byte("\n"+t.Loads)) {
			return f.Path
		}
	}
	return ""
}
