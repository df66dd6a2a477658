package setup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/choicetui/choicetui/app/connect"
)

// Entry is choicetui in one agent's settings, as that agent would read it.
type Entry struct {
	Client  connect.Client
	Path    string        // the settings file
	Project bool          // the file is a project's, which others wrote perhaps
	Local   string        // the directory in which the entry counts, and there more than others; empty: everywhere
	Command []string      // how the agent starts it; empty: it does not know of it
	Env     []string      // in which environment, NAME=VALUE each
	GivesUp time.Duration // how long the agent waits for an answer, as the entry says; 0: it does not say
	Hidden  []string      // what says where queue and settings are, is set here, and does not get through
	Dir     string        // where the agent starts it, where the entry says so
	Off     string        // how it is switched on; empty: it is on
	Faults  []string      // why the agent cannot start it that way
	has     map[string]any
	Err     error // the file cannot be read; an *Unfit with the place, or what the system says
}

// Entries reads what the agents on this machine know of choicetui. It changes nothing, and starts nothing but an agent
// that has to say its version first.
func Entries(ctx context.Context, h Host) (all []Entry, err error) {
	chosen, err := h.Choose(ctx, nil)
	for _, c := range chosen {
		all = append(all, entryOf(h, c, h.path(c.Server)))
	}
	return all, err
}

// ProjectEntries reads what the project in a directory tells agents of choicetui. Agents that it tells nothing are left
// out.
func ProjectEntries(h Host, dir string) (all []Entry) {
	for _, c := range connect.Clients(h.Program) {
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

// Known is how an agent starts choicetui by now; empty: it does not know of it.
func Known(h Host, c connect.Client) []string { return entryOf(h, c, h.path(c.Server)).Command }

// LocalEntries reads what agents know of choicetui in single directories, by this person's own settings. Directories
// that are gone are left out.
func LocalEntries(h Host) (all []Entry) {
	for _, c := range connect.Clients(h.Program) {
		if c.Local == "" {
			continue
		}
		doc, err := document(c.Server.Format, h.path(c.Server))
		if err != nil {
			continue // the entry for everywhere says so
		}
		dirs, _ := doc[c.Local].(map[string]any)
		for _, dir := range slices.Sorted(maps.Keys(dirs)) {
			e := Entry{Client: c, Path: h.path(c.Server), Local: dir}
			e.read(h, doc, append([]string{c.Local, dir}, c.Server.Sets[0].Path...))
			if is, err := os.Stat(dir); err == nil && is.IsDir() && len(e.Command) > 0 {
				all = append(all, e)
			}
		}
	}
	return all
}

// document is what an agent's settings file holds.
func document(format connect.Format, path string) (map[string]any, error) {
	f, err := ReadFile(path)
	if err != nil {
		return nil, err
	}
	return langs[format].decode(bytes.TrimPrefix(f.Text, mark))
}

func entryOf(h Host, c connect.Client, path string) Entry {
	e := Entry{Client: c, Path: path}
	doc, err := document(c.Server.Format, path)
	if err != nil {
		e.Err = err
		return e
	}
	e.read(h, doc, c.Server.Sets[0].Path)
	return e
}

// read takes over what stands at a path of keys.
func (e *Entry) read(h Host, doc map[string]any, keys []string) {
	c := e.Client
	there, _, _ := lookUp(doc, keys)
	if entry, ok := there.(map[string]any); ok {
		e.has = entry
		e.Command, e.Dir, e.Off = Command(entry), startsIn(entry), offWords(entry, e.Path)
		e.Env, e.Hidden = environment(h, c, entry)
		e.Faults, e.GivesUp = faultsOf(entry, wantedEntry(c)), givesUpAfter(entry, wantedEntry(c))
	}
}

// placeVars are the variables that say where the queue and its settings are, and where that is below the home directory
// without them.
var placeVars = map[string]string{"CHOICETUI_QUEUE": "", "XDG_STATE_HOME": ".local/state", "XDG_CONFIG_HOME": ".config"}

// environment is what a server is started with: what the agent lets through, and what its entry sets.
func environment(h Host, c connect.Client, entry map[string]any) (env, hidden []string) {
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

// ErrNoProgram says that nothing can be started under a name.
var ErrNoProgram = errors.New("nothing can be started under that name")

// Started is the file that an entry starts, with its links resolved; ErrNoProgram where there is none.
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
