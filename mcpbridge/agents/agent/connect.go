// Package agent describes how agents are connected to choicetui: the lines that `choicetui help connect`, the README
// and the dashboard's empty screen show, the settings that `choicetui setup` writes, and how agents start this program.
// It has the type of the value that each agent's home gives.
package agent

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// Client describes one agent program: the lines that the person pastes, and the changes that `choicetui setup` makes
// instead. If Command is empty, no single command connects the client; then File and Config do.
type Client struct {
	Name    string // the name for the person
	ID      string // the name on a command line
	Program string // its command; the agent is installed if a shell finds that
	Command string // one shell line that connects it
	File    string // the file of its settings
	Place   string // the place for Config in File, in words that follow the file's name; empty: anywhere
	Head    string // the lines before Config, unless a command wrote them
	// the lines for File; beside a Command only those for long waits, unless Instead is set
	Config  string
	Instead bool   // Config does the same as Command
	Timeout string // how long it waits for a tool by default, and how to change that; sentences
	ByHand  string // a step that the person has to do, because no setting does; a sentence, or empty

	Add, Remove []string // the arguments of its own command for servers, if setup does not write its format
	Writer      Writer   // how it changes its own settings on request; zero: it cannot
	Server      Target   // the file of its MCP servers, with the settings for our server
	Also        []Target // further settings that it needs, in other files
	Gate        Gate     // the hook that holds its prompts back; zero: it has no such hook
	// the hook that brings a part of its own prompts here; zero: Also contains it, or the agent has no such hook
	Native  Native
	Project string // the file of a project's own servers, relative to the project; empty if there is none
	// the key in its own file below which the servers of a directory override the others; empty if there is none
	Local string
	// the shell line that removes our server from a directory below Local, when it is run there
	LocalRemove string
	Newer       Newer    // how this version of a program is told from the version before; zero: there is one version
	Passes      []string // the environment variables that its servers get in any case; empty: all
	Layers      Layers   // files whose settings override the person's

	Lack map[string]string // by member of its server entry: the effect of leaving it out; part of a sentence
}

// Newer tells a version of an agent, which has settings of its own, from the version before. Both have one program, and
// mostly the same files.
type Newer struct {
	Than    string   // the ID of the version before
	Version string   // the beginning of the version that its program prints
	Has     []string // the path of keys that only the settings of this version have
}

// Writer is an agent's own command that changes its settings by a JSON-RPC request.
type Writer struct {
	Command []string
	Method  string
	Params  func([]Value) any // the parameters of the request that sets these values
}

// Value is the value of one key in an agent's settings.
type Value struct {
	Path []string
	Raw  json.RawMessage
}

// Layers names files whose settings override the person's own.
type Layers struct {
	Project []string // a project's files, relative to the project, the strongest first
	Managed string   // the administrator's file on Linux; there may be more in a directory beside it that ends in .d
	Apple   string   // the same on macOS
	HookOff []string // the settings of the administrator that keep the person's hooks from running
}

// Gate describes an agent's hook that runs before a prompt is sent. It is added only if the person chooses so.
type Gate struct {
	Event  string // the agent's name of the event
	Target        // the file of the hook, in which COMMAND is replaced by the command line
	// InJSON: the agent reads the verdict as JSON. Other agents read it from the exit code, and the reason from stderr.
	InJSON bool
	ByHand string // a step that the person has to do before it works; a sentence, or empty
}

// Format names the syntax of a settings file.
type Format int

// The formats of settings files. JSON may contain comments and trailing commas, which a plain JSON reader rejects.
const (
	JSON Format = iota
	TOML
	YAML
)

// Target names a file, and the settings that it has to contain.
type Target struct {
	File   string   // the path; ~/ is the home directory, ~/.config/ the system's directory for settings
	Env    string   // a variable that names the directory of File; empty: there is no such variable
	Below  string   // the directory of File below the one that Env names; empty: that one itself
	Others []string // other names that the file may have in its directory, the strongest first
	Format Format
	Off    string // the setting in it that switches off all hooks; empty if there is none
	Sets   []Setting
	Whole  string // the content of a file of ours; empty: the file is the agent's, and gets Sets
	Brings string // the agent's own prompts that it brings here, as a subject of a sentence; empty: none, or see Sets
	// Loads is a line of Whole without which the agent does not load the file; empty: it loads it in any case. Older
	// builds wrote a file without that line.
	Loads string
	// Lack is the effect of leaving out a file of ours that brings no prompts here; part of a sentence. Empty: it
	// brings some.
	Lack string
}

// OursBegins is the beginning of each file with Whole.
const OursBegins = "// choicetui:"

// WholeOff is the content of a file with Whole that the person has switched off: it does nothing.
const WholeOff = OursBegins +
	" switched off. choicetui setup --remove takes this file away.\nexport default () => {};\n"

// ByName is the beginning of a key that means a table in a list by its name: of mcpServers and name=choicetui, the
// table in the list mcpServers whose name is choicetui.
const ByName = "name="

// Setting is a value at a path of keys. If an object exists there, the missing members are added to it.
type Setting struct {
	Path   []string
	Value  string // the value as JSON, with its members in the order in which they are written
	Listed bool   // Value is added to the list at the path
	Shared bool   // other programs need it too, so it stays when choicetui is removed
	// Before is set if this is how another version of the agent writes the same setting: setup removes this one where
	// it adds ours.
	Before bool
	Lack   string // the effect of leaving it out; part of a sentence, or empty
	Note   string // a fact the person has to know before it is added; a sentence, or empty
	Brings string // the agent's own prompts that this hook brings here, as a subject of a sentence; empty: none
	Rule   Rule   // what may override this permission rule; zero: it is no rule
}

// Rule says what keeps a permission rule of ours from having its effect.
type Rule struct {
	Alike   string    // another form of the rule, which has the same effect
	Against []Against // lists whose rules for our tools count more
	Managed string    // the setting of the administrator with which only the administrator's rules count
}

// Against is a list of permission rules with another effect than ours.
type Against struct {
	Path []string
	So   string // the effect of a rule for our tools there; part of a sentence
}

// Lead returns the words before Config, which end with a colon; file is the name of File in these words.
func (c Client) Lead(file string) string {
	switch {
	case c.Command == "":
		return "In " + file + ":"
	case c.Instead:
		return "Or in " + file + ":"
	case c.Place != "":
		return "For long waits, in " + file + " " + c.Place + ":"
	}
	return "For long waits, in " + file + ":"
}

// Brings lists the client's own prompts that its settings bring here, each as a subject of a sentence.
func (c Client) Brings() (all []string) {
	for _, t := range append([]Target{c.Server}, c.Also...) {
		if t.Brings != "" {
			all = append(all, t.Brings)
		}
		for _, s := range t.Sets {
			if s.Brings != "" {
				all = append(all, s.Brings)
			}
		}
	}
	return all
}

// Ask is the sentence that the person tells the agent once it is connected.
const Ask = "ask me before you decide"

// Filled returns the client with the words that start this program filled in: a name or a path from Here, or
// "choicetui" if a shell finds it.
func (c Client) Filled(program string) Client {
	inShell := strings.NewReplacer("PROGRAM", ShellQuoted(program))
	inFile := strings.NewReplacer("PROGRAM", Quoted(program))
	command := strings.NewReplacer("COMMAND", Quoted(NativeCommand(program, c.ID)))
	c.Command, c.Config = inShell.Replace(c.Command), inFile.Replace(c.Config)
	c.Head = inFile.Replace(c.Head)
	c.Server.Sets = fillIn(fillIn(c.Server.Sets, inFile), command)
	c.Add = slices.Clone(c.Add)
	for i, word := range c.Add {
		c.Add[i] = strings.Replace(word, "PROGRAM", program, 1)
	}
	c.Native.Whole = inFile.Replace(c.Native.Whole)
	c.Also = slices.Clone(c.Also)
	for i := range c.Also {
		c.Also[i].Sets = fillIn(c.Also[i].Sets, inFile)
		c.Also[i].Whole = inFile.Replace(c.Also[i].Whole)
	}
	return c
}

// fillIn returns settings with the program's words filled in.
func fillIn(sets []Setting, program *strings.Replacer) (all []Setting) {
	for _, s := range sets {
		s.Value = program.Replace(s.Value)
		all = append(all, s)
	}
	return all
}

// Quoted returns a word as a string of JSON, which TOML and YAML read too.
func Quoted(word string) string {
	var raw bytes.Buffer
	e := json.NewEncoder(&raw)
	e.SetEscapeHTML(false)
	if e.Encode(word) != nil { // a string can always be encoded
		return `""`
	}
	return strings.TrimSuffix(raw.String(), "\n")
}

// Anyway is a note that applies to every client, whatever its timeout is.
const Anyway = "A client that gives up loses no question: before its limit choicetui tells the agent that the " +
	"person has not answered yet and to call again, and the question stays until its own deadline. Where you raised " +
	"a client's timeout, raise its entry in soft_limits in choicetui's settings too, to save those calls."
