// Package setup connects agents to choicetui: it works out what their settings files must contain, makes the changes or
// asks the agents to make them, and takes everything out again.
//
//	table of agents ─► Survey ─► Plan ─► (shown, agreed to) ─► Apply ─► a copy of each file, then its new text
//	                   Removals ◄── the entries that start choicetui, and the copies ──► Remove
//
// JSON is patched (patch.go), with comments and layout kept: the result is parsed, and if it differs from the wanted
// document nothing is written. TOML and YAML are only read; the agent's own command or the person changes them. Setup
// changes only this person's files, never a project's.
package setup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/mcpbridge/agents"
	"github.com/choicetui/choicetui/mcpbridge/agents/agent"
)

// Host describes the machine on which agents are set up.
type Host struct {
	Program string // the name or path with which agents start this program
	Home    string // the person's home directory
	Config  string // the system's directory for settings, such as ~/.config
	State   string // the directory that contains the copies
	Dir     string // the current directory, whose project settings count; empty: it is not known
	Root    string // precedes absolute paths of the system in tests; empty otherwise
	Env     func(name string) string
	Environ func() []string                      // every variable, NAME=VALUE each
	Find    func(program string) (string, error) // finds a program as a shell does, or fails
	Run     func(ctx context.Context, dir string, command []string) (said string, err error)
	Ask     func(ctx context.Context, dir string, command []string, method string, params any) (said string, err error)
	Gate    Gate   // whether prompts have to wait for questions
	Native  Choice // whether hooks bring some agents' own prompts here
}

// Left names a file that is not changed, and why.
type Left struct {
	Path string
	Err  error
}

// Words returns `FILE:LINE:COLUMN: why`, without the line and column if they are not known.
func (l Left) Words() string {
	var at *Unfit
	switch {
	case errors.As(l.Err, &at) && at.Line > 0:
		return fmt.Sprintf("%s:%d:%d: %s", l.Path, at.Line, at.Column, at.Why)
	case l.Path == "":
		return l.Err.Error()
	}
	return l.Path + ": " + l.Err.Error()
}

// Edit is the change of one file.
type Edit struct {
	File   File
	After  []byte // the file's new text; nil if the agent writes the file
	steps  []step // what the agent is told to write; nil if it does not write the file
	target agent.Target
}

// changes reports whether the file has to be changed at all.
func (e Edit) changes() bool {
	return len(e.steps) > 0 || !e.byAgent() && !bytes.Equal(e.After, e.File.Text)
}

// IsNewFileOfOurs reports whether the edit adds a file that is wholly ours, such as a plugin.
func (e Edit) IsNewFileOfOurs() bool { return e.target.Whole != "" && !e.File.Exists }

// byAgent reports whether a file of this format is written only by its agent or by the person.
func (e Edit) byAgent() bool { return e.target.Format != agent.JSON }

// Lines returns the settings that an agent is told to make in a file that it writes itself; nil: After is the new text.
func (e Edit) Lines() (lines []string) {
	if !e.byAgent() {
		return nil
	}
	for _, s := range e.steps {
		key, members := strings.Join(s.path, "."), membersOf(s.raw)
		if members == nil {
			lines = append(lines, key+" = "+s.raw)
		}
		for _, m := range members {
			lines = append(lines, key+"."+m.name+" = "+m.raw)
		}
	}
	return lines
}

// ByHand is the error that the person has to add lines to a file, because setup does not write its format.
type ByHand struct {
	Lead  string   // the words before the lines
	Lines string   // all lines that the file must have
	Lacks []string // the keys that are missing or different
}

func (b *ByHand) Error() string {
	return "choicetui does not write this format, and the file lacks " + strings.Join(b.Lacks, ", ")
}

// byHand returns the lines for a file that setup cannot change.
func byHand(c agent.Client, e Edit) *ByHand {
	b := &ByHand{Lead: "In " + e.File.Path + ":", Lines: c.Head + c.Config}
	for _, s := range e.steps {
		b.Lacks = append(b.Lacks, strings.Join(s.path, "."))
	}
	return b
}

// Plan describes the changes for one agent.
type Plan struct {
	Client  agent.Client
	Command []string // the agent's own command, run first; the edits add what it leaves out. Empty if there is none
	Edits   []Edit   // the changes of the agent's files
	Kept    []string // the person's own settings that differ from ours and stay
	Notes   []string // sentences that the person has to read first
	Left    []Left
	Off     bool // whether the plan switches on an entry that is off
}

// ByHand reports whether the person has to add the server.
func (p Plan) ByHand() bool {
	var hand *ByHand
	return len(p.Left) > 0 && errors.As(p.Left[0].Err, &hand)
}

// Connects reports whether the plan is for an agent that did not know choicetui before.
func (p Plan) Connects() bool {
	return p.ByHand() || slices.ContainsFunc(p.Edits, func(e Edit) bool {
		return e.target.File == p.Client.Server.File && !hasServer(e.File.Text, p.Client.Server)
	})
}

// Part says what of an agent's set-up is in a file.
type Part int

// The values of Part.
const (
	PartEntry  Part = iota // the entry with which the agent starts choicetui
	PartHooks              // hooks alone
	PartRules              // hooks and permissions
	PartPlugin             // a plugin of ours
)

// PartIn returns what the plan has in one of the agent's files.
func (h Host) PartIn(p Plan, path string) Part {
	for _, t := range p.Client.Also {
		switch {
		case h.path(t) != path:
			continue
		case t.Whole != "":
			return PartPlugin
		case slices.ContainsFunc(t.Sets, func(s agent.Setting) bool { return s.Path[0] != "hooks" && !s.Shared }):
			return PartRules
		}
		return PartHooks
	}
	return PartEntry
}

// Nothing reports whether all settings are right already.
func (p Plan) Nothing() bool { return len(p.Edits) == 0 && len(p.Left) == 0 }

// ErrNoAgent means that an agent is not on this machine.
var ErrNoAgent = errors.New("is not installed here: neither its program nor its settings were found")

// Choose returns the agents with these names; without names, all agents on this machine. It fails with ErrNoAgent.
func (h Host) Choose(ctx context.Context, names []string) (chosen []agent.Client, err error) {
	all := agents.Clients(h.Program)
	for _, name := range names {
		i := slices.IndexFunc(all, func(c agent.Client) bool { return c.ID == name })
		if i < 0 {
			return nil, fmt.Errorf("there is no agent %q; %s", name, "the agents are "+strings.Join(Names(), ", "))
		}
		if !h.isHere(all[i]) {
			return nil, fmt.Errorf("%s %w", all[i].Name, ErrNoAgent)
		}
		chosen = append(chosen, h.clientByVersion(ctx, all[i], all))
	}
	if len(names) > 0 {
		return chosen, nil
	}
	for _, c := range all {
		if c.Newer.Than == "" && h.isHere(c) {
			chosen = append(chosen, h.clientByVersion(ctx, c, all))
		}
	}
	return chosen, nil
}

// Names returns the agents' names on a command line.
func Names() []string { return agents.IDs(nil) }

// isHere reports whether an agent's program, or a file or directory of its settings, exists on this machine.
func (h Host) isHere(c agent.Client) bool {
	if _, err := h.Find(c.Program); err == nil {
		return true
	}
	for _, t := range append([]agent.Target{c.Server}, c.Also...) {
		path := h.path(t)
		if exists(path) {
			return true
		}
		if dir := filepath.Dir(path); dir != h.Home && !h.holdsAnother(dir) {
			if is, err := os.Stat(dir); err == nil && is.IsDir() {
				return true
			}
		}
	}
	return false
}

// holdsAnother reports whether another agent keeps its settings below dir: then the directory alone does not show which
// of the two agents is installed.
func (h Host) holdsAnother(dir string) bool {
	return slices.ContainsFunc(agents.Clients(h.Program), func(c agent.Client) bool {
		within := filepath.Dir(h.path(c.Server))
		return strings.HasPrefix(within, dir+string(filepath.Separator)) && exists(within)
	})
}

// path returns the path of a target's file on this machine.
func (h Host) path(t agent.Target) string {
	path, _ := config.BelowHome(t.File, h.Home)
	if rest, ok := strings.CutPrefix(t.File, "~/.config/"); ok {
		base := h.Config
		if runtime.GOOS == "darwin" && !strings.HasPrefix(rest, "Code/") { // on macOS these agents use ~/.config too
			base = filepath.Join(h.Home, ".config")
		}
		path = filepath.Join(base, rest)
	}
	if dir := h.Env(t.Env); t.Env != "" && dir != "" {
		path = filepath.Join(dir, t.Below, filepath.Base(path))
	}
	if exists(path) {
		return path
	}
	for _, other := range t.Others {
		if other = filepath.Join(filepath.Dir(path), other); exists(other) {
			return other
		}
	}
	return path
}

// exists reports whether there is anything at a path, even a link that leads nowhere.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// versionWithin limits how long an agent may take to print its version.
const versionWithin = 10 * time.Second

// clientByVersion returns the row of the table of agents for the installed version of an agent: by the program's own
// words, else by its settings. It returns an agent without versions unchanged.
func (h Host) clientByVersion(ctx context.Context, c agent.Client, all []agent.Client) agent.Client {
	at := slices.IndexFunc(all, func(other agent.Client) bool { return other.Newer.Than == c.ID })
	if at < 0 {
		return c
	}
	newer := all[at].Newer
	if said := h.Version(ctx, c); said != "" {
		if strings.HasPrefix(said, newer.Version) {
			return all[at]
		}
		return c
	}
	if doc, err := document(c.Server.Format, h.path(c.Server)); err == nil && has(doc, newer.Has) {
		return all[at]
	}
	return c
}

// Version returns the version that an agent's program prints, such as 1.18.33; empty: the program is missing or prints
// none.
func (h Host) Version(ctx context.Context, c agent.Client) string {
	program, err := h.Find(c.Program)
	if err != nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, versionWithin)
	defer cancel()
	said, err := h.Run(ctx, h.Home, []string{program, "--version"})
	if err != nil {
		return ""
	}
	return versionIn(said)
}

// versionLine matches a line that holds a version, and not a warning about a path.
var versionLine = regexp.MustCompile(`(?m)^[^/\n]*?(\d+(?:\.\d[\w+-]*)+)`)

// versionIn returns the version from a program's output, without the program's name beside it.
func versionIn(said string) string {
	found := versionLine.FindStringSubmatch(said)
	if found == nil {
		return ""
	}
	return found[1]
}

// Survey works out what has to be done for an agent. It changes nothing.
func (h Host) Survey(c agent.Client) Plan {
	switch {
	case h.Gate == GateOut:
		return h.surveyWithout(c, c.Gate.Target)
	case h.Native == TakesOut:
		return h.surveyWithout(c, c.Native.Target)
	case h.Native == PutsIn || len(h.commandsIn(c, c.Native.Target)) > 0 || h.hasOurs(c.Native.Target):
		c = c.WithNative(h.Program)
	}
	switch h.gateOf(c) {
	case GateOwn:
		c = c.WithGate(h.Program)
	case GateAll:
		c = c.WithGateForAll(h.Program)
	case GateOff, GateOut:
	}
	plan := Plan{Client: c}
	for i, t := range append([]agent.Target{c.Server}, c.Also...) {
		edit, kept, err := h.planEdit(t)
		plan.Kept = append(plan.Kept, kept...)
		_, missing := h.Find(c.Program)
		switch {
		case err != nil:
			plan.Left = append(plan.Left, Left{edit.File.Path, err})
			if i == 0 { // the other files are useless without the server
				return plan
			}
			continue
		case !edit.changes():
			continue
		case edit.byAgent() && (missing != nil || c.Writer.Command == nil):
			plan.Left = append(plan.Left, Left{edit.File.Path, byHand(c, edit)})
			continue
		}
		plan.Edits, plan.Notes = append(plan.Edits, edit), append(plan.Notes, notesOf(edit)...)
		if i == 0 {
			entry, found := serverIn(edit.File.Text, t)
			plan.Off = len(switchedOff(entry)) > 0
			if edit.byAgent() && !found {
				plan.Command = c.Add
			}
		}
	}
	return plan
}

// notesOf returns the sentences about the settings that an edit adds.
func notesOf(e Edit) (all []string) {
	doc, err := decode(e.target.Format, e.File.Text)
	for _, s := range e.target.Sets {
		if err == nil && s.Note != "" && !holdsSetting(doc, s) {
			all = append(all, s.Note)
		}
	}
	return all
}

// surveyWithout works out how the hooks of a target are removed.
func (h Host) surveyWithout(c agent.Client, t agent.Target) Plan {
	p := Plan{Client: c}
	if t.File == "" {
		return p
	}
	switch {
	case t.Whole != "" && !h.hasOurs(t):
		return p
	case t.Whole != "":
		t.Whole = agent.WholeOff
	}
	t.Sets = slices.Clone(t.Sets)
	for i := range t.Sets { // planEdit removes such settings
		t.Sets[i].Before = true
	}
	e, _, err := h.planEdit(t)
	switch {
	case err != nil:
		p.Left = []Left{{e.File.Path, err}}
	case e.changes():
		p.Edits = []Edit{e}
	}
	return p
}

// gateOf returns the gate that an agent should have: the person's choice for this run, else the gate in its settings.
func (h Host) gateOf(c agent.Client) Gate {
	if h.Gate != GateOff || c.Gate.File == "" {
		return h.Gate
	}
	switch commands := h.commandsIn(c, c.Gate.Target); {
	case len(commands) == 0:
		return GateOff
	case strings.HasSuffix(commands[0], " --all"):
		return GateAll
	}
	return GateOwn
}

// commandsIn returns our commands that the file of a target already has.
func (h Host) commandsIn(c agent.Client, t agent.Target) (commands []string) {
	if t.File == "" {
		return nil
	}
	doc, err := document(t.Format, h.path(t))
	if err != nil {
		return nil
	}
	for _, s := range t.Sets {
		there, _, _ := lookUp(doc, s.Path)
		s.Value = strings.ReplaceAll(s.Value, "COMMAND", agent.Quoted(agent.NativeCommand(h.Program, c.ID)))
		if _, command, found := hookOf(there, s); found {
			commands = append(commands, command)
		}
	}
	return commands
}

// hasOurs reports whether the file of a target is wholly ours and not switched off.
func (h Host) hasOurs(t agent.Target) bool {
	if t.Whole == "" {
		return false
	}
	f, err := ReadFile(h.path(t))
	return err == nil && isWholly(f.Text) && !bytes.Equal(f.Text, []byte(agent.WholeOff))
}

// planEdit works out the change of one file.
func (h Host) planEdit(t agent.Target) (e Edit, kept []string, err error) {
	e = Edit{File: File{Path: h.path(t)}, target: t}
	f, err := ReadFile(e.File.Path)
	if err != nil {
		return e, nil, err
	}
	e.File = f
	if t.Whole != "" {
		if e.After = []byte(t.Whole); f.Exists && !isWholly(f.Text) {
			err = &Unfit{1, 1, "choicetui did not write this file; move it away"}
		}
		return e, nil, err
	}
	if e.byAgent() {
		e.steps, kept, err = lackingSteps(f.Text, t)
		return e, kept, err
	}
	before := slices.DeleteFunc(slices.Clone(t.Sets), func(s agent.Setting) bool { return !s.Before })
	if e.After, err = withoutOurs(f.Text, before, nil); err != nil {
		return e, nil, err
	}
	steps, kept, err := lackingSteps(e.After, t)
	if err == nil && len(steps) > 0 {
		e.After, err = patchText(e.After, steps)
	}
	return e, kept, err
}

// isWholly reports whether choicetui wrote the whole file.
func isWholly(text []byte) bool { return bytes.HasPrefix(text, []byte(agent.OursBegins)) }

// hasServer reports whether a text has the first of a target's settings, whatever its value is.
func hasServer(text []byte, t agent.Target) bool {
	_, found := serverIn(text, t)
	return found
}

// serverIn returns the value of the first of a target's settings; nil: the value is no table.
func serverIn(text []byte, t agent.Target) (entry map[string]any, found bool) {
	doc, err := decode(t.Format, text)
	if err != nil {
		return nil, false
	}
	there, found, _ := lookUp(doc, t.Sets[0].Path)
	entry, _ = there.(map[string]any)
	return entry, found
}
