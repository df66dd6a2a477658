// Package connect knows how agents learn of choicetui: the lines that `choicetui help connect`, the README and the
// dashboard's empty screen show, and how agents start this very program. One more client is one more entry.
package connect

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// Client describes one agent program: the lines that the person pastes, and the changes that `choicetui setup` makes in
// place of that. Command is empty if no command connects the client in one line; then File and Config do.
type Client struct {
	Name    string // as the person calls it
	ID      string // as a command line names it
	Program string // its command; if a shell finds that, the agent is on this machine
	Command string // one shell line that connects it
	File    string // where its settings live
	Place   string // where in File the Config goes, in words that follow its name; empty: anywhere
	Head    string // the lines before Config where no command wrote them
	Config  string // the lines there; beside a Command only those that make long waits work, unless Instead
	Instead bool   // Config does the same as Command, so one of them is enough
	Timeout string // how long it waits for a tool by default, and how to change that; sentences
	ByHand  string // a step that no setting does, so the person has to; a sentence, or empty

	Add, Remove []string // its own command for a server, argument by argument; empty: its file is edited
	Writer      []string // its own command that changes its settings by JSON-RPC; empty: nothing does
	Server      Target   // the file of its servers, with this one
	Also        []Target // further settings that it needs, in other files
	Gate        Gate     // the hook that keeps its prompts waiting; zero: it has no such hook
	Native      Native   // the hook that brings a part of its own prompts here; zero: Also does, or nothing can
	Project     string   // the file of a project's own servers, from the project's directory; empty: no file
	Local       string   // the key in its own file below which a directory has servers that override; empty: no key
	Passes      []string // the variables that its servers get without being named; empty: all
	Layers      Layers   // files whose settings override the person's

	Lack map[string]string // by the members of its entry: the effect of leaving them out; part of a sentence
}

// Layers names files whose settings override the person's own.
type Layers struct {
	Project []string // a project's files, from its directory, the one that counts most first
	Managed string   // the administrator's file on Linux; more lie beside it, in a directory that ends in .d
	Apple   string   // the same on macOS
}

// Gate describes an agent's hook that runs before a prompt is sent. It is added only if the person chooses so.
type Gate struct {
	Event  string // the agent's name for it
	Target        // the file of the hook, in which COMMAND is replaced by the command line
	InJSON bool   // the agent reads the verdict from JSON; other agents from the exit code, and the reason from stderr
	ByHand string // a step that the person has to do before it works; a sentence, or empty
}

// Format names the syntax of a settings file.
type Format int

// The formats of settings files. JSON may have comments and commas at the end, which a plain reader of it never sees.
const (
	JSON Format = iota
	TOML
	YAML
)

// Target names a file, and the settings that it has to contain.
type Target struct {
	File   string   // ~/ is the home directory, ~/.config/ the system's place for settings where it has another
	Env    string   // a variable that names the directory of File; empty: there is no such variable
	Others []string // other names the file may have in its directory, those that count more first
	Format Format
	Off    string // the setting that switches off all hooks in it; empty: there is no such setting
	Sets   []Setting
	Whole  string // the whole text of a file of ours; empty: the file is the agent's, and Sets is added to it
}

// OursBegins is the beginning of each file that is ours as a whole.
const OursBegins = "// choicetui:"

// Setting holds a value at a path of keys. If an object is there already, the missing members are added to it.
type Setting struct {
	Path   []string
	Value  string // JSON, its members in the order in which they are written
	Listed bool   // Value is an element of the list at the path, beside whatever else is in the list
	Shared bool   // others need it too, so it stays when choicetui is removed
	Former bool   // earlier versions added it; it is only removed
	// Before is set where another version of the agent has the same in this place: it is removed where ours is added.
	Before bool
	Lack   string // the effect of leaving it out; part of a sentence, or empty
	Note   string // a fact the person has to know before it is added; a sentence, or empty
}

// Lead returns the words before Config, which end with a colon; file is the name of File in them.
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

// Ask is the sentence that the person tells the agent once it is connected.
const Ask = "ask me before you decide"

// Clients lists the known agents, those with a one-line command first. The lines start this program by a name or a
// path: as Here returns it, or "choicetui" where a shell finds it.
func Clients(program string) []Client {
	inShell := strings.NewReplacer("PROGRAM", ShellQuoted(program))
	inFile := strings.NewReplacer("PROGRAM", Quoted(program))
	all := make([]Client, len(clients))
	for i, c := range clients {
		command := strings.NewReplacer("COMMAND", Quoted(NativeCommand(program, c.ID)))
		c.Command, c.Config = inShell.Replace(c.Command), inFile.Replace(c.Config)
		c.Head = inFile.Replace(c.Head)
		c.Server.Sets = filledIn(filledIn(c.Server.Sets, inFile), command)
		c.Add = replaced(c.Add, program, c.Server.Sets[0].Value)
		c.Also = slices.Clone(c.Also)
		for j := range c.Also {
			c.Also[j].Sets = filledIn(c.Also[j].Sets, inFile)
			c.Also[j].Whole = inFile.Replace(c.Also[j].Whole)
		}
		all[i] = c
	}
	return all
}

// IDs returns the names of the agents on a command line, of those that fit; nil: of all. Each command names them in its
// help, so nothing is filled in for it.
func IDs(fits func(Client) bool) (ids []string) {
	for _, c := range clients {
		if fits == nil || fits(c) {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// breaks finds the line breaks of our own values.
var breaks = regexp.MustCompile(`\n\s*`)

// replaced returns the arguments of a command, with this program and the entry of its server filled in.
func replaced(args []string, program, entry string) (all []string) {
	for _, arg := range args {
		switch arg {
		case "PROGRAM":
			arg = program
		case "ENTRY":
			arg = breaks.ReplaceAllString(entry, " ")
		}
		all = append(all, arg)
	}
	return all
}

// filledIn returns settings with this program filled in.
func filledIn(sets []Setting, program *strings.Replacer) (all []Setting) {
	for _, s := range sets {
		s.Value = program.Replace(s.Value)
		all = append(all, s)
	}
	return all
}

// Quoted returns a word as JSON, TOML and YAML write it.
func Quoted(word string) string {
	var raw bytes.Buffer
	e := json.NewEncoder(&raw)
	e.SetEscapeHTML(false)
	if e.Encode(word) != nil { // a string always can
		return `""`
	}
	return strings.TrimSuffix(raw.String(), "\n")
}

// Anyway is true of every client, whatever its timeout is.
const Anyway = "A client that gives up loses no question: before its limit choicetui tells the agent that the " +
	"person has not answered yet and to call again, and the question stays until its own deadline. Where you raised " +
	"a client's timeout, raise its entry in soft_limits in choicetui's settings too, to save those calls."
