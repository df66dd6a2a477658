package setup

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/choicetui/choicetui/mcpbridge/agents"
	"github.com/choicetui/choicetui/mcpbridge/agents/agent"
)

// Entry describes choicetui's entry in one agent's settings, as that agent would read it.
type Entry struct {
	Client  agent.Client
	Path    string        // the settings file
	Project bool          // the file is a project's, perhaps written by others
	Local   string        // the directory in which the entry overrides others; empty: it counts everywhere
	Command []string      // the command that the agent starts; empty: the agent has no entry
	Env     []string      // the environment of the command, NAME=VALUE each
	GivesUp time.Duration // how long the agent waits for an answer, as the entry says; 0: it does not say
	Hidden  []string      // the variables of placeVars that are set here and do not reach the command
	Dir     string        // the directory in which the agent starts the command, if the entry names one
	Off     string        // how to switch the entry on; empty: it is on
	Faults  []string      // why the agent cannot start the command, each as part of a sentence
	values  map[string]any
	Err     error // why the file cannot be read: an *Unfit with the place, or the system's error
}

// Entries reads the entries for choicetui of the agents on this machine. It changes nothing. It starts no program
// except an agent that has to say its version first.
func Entries(ctx context.Context, h Host) (all []Entry, err error) {
	chosen, err := h.Choose(ctx, nil)
	for _, c := range chosen {
		all = append(all, entryOf(h, c, h.path(c.Server)))
	}
	return all, err
}

// ProjectEntries reads the entries for choicetui in the project in a directory. Agents without such an entry are left
// out.
func ProjectEntries(h Host, dir string) (all []Entry) {
	for _, c := range agents.Clients(h.Program) {
		if c.Project == "" {
			continue
		}
		e := entryOf(h, c, filepath.Join(dir, filepath.FromSlash(c.Project)))
		if e.Project = true; len(e.Command) > 0 {
			all = append(all, e)
		}
	}
	return all
}

// Known returns the command with which an agent starts choicetui now; empty: it has no entry.
func Known(h Host, c agent.Client) []string { return entryOf(h, c, h.path(c.Server)).Command }

// LocalEntries reads the entries that count only in one directory, from this person's own settings. Directories that no
// longer exist are left out.
func LocalEntries(h Host) (all []Entry) {
	for _, c := range agents.Clients(h.Program) {
		if c.Local == "" {
			continue
		}
		doc, err := document(c.Server.Format, h.path(c.Server))
		if err != nil {
			continue // Entries reports the error
		}
		dirs, _ := doc[c.Local].(map[string]any)
		for _, dir := range slices.Sorted(maps.Keys(dirs)) {
			e := Entry{Client: c, Path: h.path(c.Server), Local: dir}
			e.readFrom(h, doc, append([]string{c.Local, dir}, c.Server.Sets[0].Path...))
			if is, err := os.Stat(dir); err == nil && is.IsDir() && len(e.Command) > 0 {
				all = append(all, e)
			}
		}
	}
	return all
}

// IsOurs reports whether the entry starts choicetui. Otherwise it is another server of that name.
func (e Entry) IsOurs() bool { return isOurs(e.values, wantedEntry(e.Client)) }

// document reads the content of an agent's settings file.
func document(format agent.Format, path string) (map[string]any, error) {
	f, err := ReadFile(path)
	if err != nil {
		return nil, err
	}
	return decode(format, f.Text)
}

// entryOf reads an agent's entry for choicetui from a settings file.
func entryOf(h Host, c agent.Client, path string) Entry {
	e := Entry{Client: c, Path: path}
	doc, err := document(c.Server.Format, path)
	if err != nil {
		e.Err = err
		return e
	}
	e.readFrom(h, doc, c.Server.Sets[0].Path)
	return e
}

// readFrom fills in the entry that a document has at a path of keys.
func (e *Entry) readFrom(h Host, doc map[string]any, keys []string) {
	c := e.Client
	there, _, _ := lookUp(doc, keys)
	if entry, ok := there.(map[string]any); ok {
		e.values = entry
		e.Command, e.Dir, e.Off = Command(entry), startsIn(entry), offWords(entry, e.Path)
		e.Env, e.Hidden = environment(h, c, entry)
		e.Faults, e.GivesUp = faultsOf(entry, wantedEntry(c)), givesUpAfter(entry, wantedEntry(c))
	}
}

// placeVars lists the environment variables that say where the queue and the settings are, each with its default below
// the home directory.
var placeVars = map[string]string{"CHOICETUI_QUEUE": "", "XDG_STATE_HOME": ".local/state", "XDG_CONFIG_HOME": ".config"}

// environment returns the environment in which an agent starts a server: the variables that the agent passes on, and
// those that its entry sets. hidden lists the variables of placeVars that are set here and do not get through.
func environment(h Host, c agent.Client, entry map[string]any) (env, hidden []string) {
	passes := slices.Clone(c.Passes)
	if more, ok := entry["env_vars"].([]any); ok {
		for _, name := range more {
			passes = append(passes, fmt.Sprint(name))
		}
	}
	for _, one := range h.Environ() {
		name, value, _ := strings.Cut(one, "=")
		usual, matters := placeVars[name]
		switch {
		case len(c.Passes) == 0 || slices.Contains(passes, name):
			env = append(env, one)
		case matters && value != "" && filepath.Clean(value) != filepath.Join(h.Home, usual):
			hidden = append(hidden, name)
		}
	}
	for _, key := range []string{"env", "environment", "envs"} {
		sets, _ := entry[key].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(sets)) {
			env = append(env, name+"="+fmt.Sprint(sets[name]))
			hidden = slices.DeleteFunc(hidden, func(h string) bool { return h == name })
		}
	}
	return env, hidden
}

// ErrNoProgram means that no program has the name that an entry starts.
var ErrNoProgram = errors.New("nothing can be started under that name")

// Started returns the path of the program that an entry starts, with its links resolved. It fails with ErrNoProgram.
func Started(h Host, e Entry) (string, error) {
	if len(e.Command) == 0 {
		return "", ErrNoProgram
	}
	found, err := findFor(h, e, e.Command[0])
	switch {
	case errors.Is(err, ErrNoProgram):
		return "", err
	case err != nil:
		return "", ErrNoProgram
	}
	if real, err := filepath.EvalSymlinks(found); err == nil {
		found = real
	}
	return found, nil
}

// DeadHook returns the program that one of our hooks in an agent's settings starts and that is not there; empty: there
// is none.
func DeadHook(h Host, e Entry) string {
	c := e.Client
	for _, t := range slices.Concat([]agent.Target{c.Server, c.Native.Target, c.Gate.Target}, c.Also) {
		t.Sets = slices.DeleteFunc(slices.Clone(t.Sets), func(s agent.Setting) bool { return s.Path[0] != "hooks" })
		for _, command := range h.commandsIn(c, t) {
			program := command
			if m := runsHook.FindStringSubmatch(command); m != nil {
				program = m[1]
			}
			if program = strings.Trim(program, `'"`); program == "" {
				continue
			}
			if _, err := findFor(h, e, program); err != nil {
				return program
			}
		}
	}
	return ""
}

// switchKeys lists the keys by which an entry is switched off, each with the value that switches it on.
var switchKeys = map[string]bool{"enabled": true, "disabled": false}

// switchedOff returns the keys by which an entry is switched off; empty: it is on.
func switchedOff(entry map[string]any) (keys []string) {
	for _, key := range slices.Sorted(maps.Keys(switchKeys)) {
		if is, ok := entry[key].(bool); ok && is != switchKeys[key] {
			keys = append(keys, key)
		}
	}
	return keys
}

// offWords says how to switch on an entry that is switched off; empty: it is on.
func offWords(entry map[string]any, path string) string {
	off := switchedOff(entry)
	for i, key := range off {
		off[i] = fmt.Sprintf("%s to %t", key, switchKeys[key])
	}
	if len(off) == 0 {
		return ""
	}
	return "set " + strings.Join(off, " and ") + " in " + path
}

// faultsOf returns why an agent could not start a server, each as part of a sentence.
func faultsOf(entry, wanted map[string]any) (faults []string) {
	for _, key := range startKeys {
		should, _ := wanted[key].([]any)
		switch has := entry[key].(type) {
		case string:
			if should != nil {
				faults = append(faults, "its "+key+" is “"+has+"”, and has to be a list")
			}
		case []any:
			if should == nil && wanted[key] != nil {
				faults = append(faults, "its "+key+" is a list, and has to be one word")
			}
		}
	}
	if dir := startsIn(entry); dir != "" {
		if is, err := os.Stat(dir); err != nil || !is.IsDir() {
			faults = append(faults, "its cwd "+dir+" is not a directory here")
		}
	}
	return faults
}

// startsIn returns the directory in which an entry starts its server, if it names an absolute one without variables.
func startsIn(entry map[string]any) string {
	if dir, _ := entry["cwd"].(string); filepath.IsAbs(dir) && !strings.Contains(dir, "$") {
		return dir
	}
	return ""
}

// leastMilliseconds tells the unit of a time-out that setup writes. From this number on it is in milliseconds, because
// as seconds it would be four months. Below it is in seconds, because as milliseconds it would be under three hours.
const leastMilliseconds = 10_000_000

// givesUpAfter returns how long the agent waits for an answer, as its entry says; 0: the entry does not say. wanted is
// the entry that setup would write: it shows which key the agent has, and whether its unit is seconds or milliseconds.
func givesUpAfter(entry, wanted map[string]any) time.Duration {
	for _, key := range []string{"timeout", "tool_timeout_sec"} {
		has, should := entry[key], wanted[key]
		if limits, ok := should.(map[string]any); ok { // an agent with several limits: {"request": …}
			own, _ := has.(map[string]any)
			has, should = own["request"], limits["request"]
		}
		usual, _ := should.(int64)
		n, ok := asNumber(has)
		switch {
		case !ok || usual == 0:
		case usual >= leastMilliseconds:
			return time.Duration(n * float64(time.Millisecond))
		default:
			return time.Duration(n * float64(time.Second))
		}
	}
	return 0
}

// asNumber returns a number of a settings file, which may be an integer or a float.
func asNumber(v any) (n float64, ok bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

// findFor returns the path of the program that an agent starts under a name. The agent's entry may set a PATH that
// differs from ours.
func findFor(h Host, e Entry, name string) (string, error) {
	dirs, setsPath := "", false
	for _, one := range e.Env {
		if value, is := strings.CutPrefix(one, "PATH="); is {
			dirs, setsPath = os.Expand(value, h.Env), true
		}
	}
	if !setsPath || dirs == h.Env("PATH") || strings.ContainsRune(name, filepath.Separator) {
		return h.Find(name)
	}
	for _, dir := range filepath.SplitList(dirs) {
		path := filepath.Join(dir, name)
		if is, err := os.Stat(path); err == nil && is.Mode().IsRegular() && is.Mode().Perm()&0o111 != 0 {
			return path, nil
		}
	}
	return "", fmt.Errorf("%w: the entry sets PATH to %s", ErrNoProgram, dirs)
}

// wantedEntry returns the entry that an agent should have.
func wantedEntry(c agent.Client) map[string]any {
	entry, _ := step{raw: c.Server.Sets[0].Value}.value().(map[string]any)
	return entry
}
