// Package agent describes how agents are connected to choicetui: the lines that `choicetui help connect`, the README
// and the dashboard's empty screen show, the settings that `choicetui setup` writes, and how agents start this program.
// Another client is another entry in clients.
package agent

import (
	"bytes"
	"encoding/json"
	"regexp"
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

	Add, Remove []string // the arguments of its own command for servers; empty: its file is edited
	Writer      []string // its own command that changes its settings by JSON-RPC; empty if there is none
	Server      Target   // the file of its MCP servers, with the settings for our server
	Also        []Target // further settings that it needs, in other files
	Gate        Gate     // the hook that holds its prompts back; zero: it has no such hook
	// the hook that brings a part of its own prompts here; zero: Also contains it, or the agent has no such hook
	Native  Native
	Project string // the file of a project's own servers, relative to the project; empty if there is none
	// the key in its own file below which the servers of a directory override the others; empty if there is none
	Local  string
	Passes []string // the environment variables that its servers get in any case; empty: all
	Layers Layers   // files whose settings override the person's

	Lack map[string]string // by member of its server entry: the effect of leaving it out; part of a sentence
}

// Layers names files whose settings override the person's own.
type Layers struct {
	Project []string // a project's files, relative to the project, the strongest first
	Managed string   // the administrator's file on Linux; there may be more in a directory beside it that ends in .d
	Apple   string   // the same on macOS
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
	Others []string // other names that the file may have in its directory, the strongest first
	Format Format
	Off    string // the setting in it that switches off all hooks; empty if there is none
	Sets   []Setting
	Whole  string // the content of a file of ours; empty: the file is the agent's, and gets Sets
	// Lack is the effect of leaving out a file of ours that brings no prompts here; part of a sentence. Empty: it brings
	// some.
	Lack string
}

// OursBegins is the beginning of each file with Whole.
const OursBegins = "// choicetui:"

// ByName is the beginning of a key that means a table in a list by its name: of mcpServers and name=choicetui, the table
// in the list mcpServers whose name is choicetui.
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

// Ask is the sentence that the person tells the agent once it is connected.
const Ask = "ask me before you decide"

// Clients returns the known agents, those with a one-line command first. program starts this program in their lines: a
// name or a path from Here, or "choicetui" if a shell finds it.
func Clients(program string) []Client {
	inShell := strings.NewReplacer("PROGRAM", ShellQuoted(program))
	inFile := strings.NewReplacer("PROGRAM", Quoted(program))
	all := make([]Client, len(clients))
	for i, c := range clients {
		command := strings.NewReplacer("COMMAND", Quoted(NativeCommand(program, c.ID)))
		c.Command, c.Config = inShell.Replace(c.Command), inFile.Replace(c.Config)
		c.Head = inFile.Replace(c.Head)
		c.Server.Sets = fillIn(fillIn(c.Server.Sets, inFile), command)
		c.Add = replaceWords(c.Add, program, c.Server.Sets[0].Value)
		c.Also = slices.Clone(c.Also)
		for j := range c.Also {
			c.Also[j].Sets = fillIn(c.Also[j].Sets, inFile)
			c.Also[j].Whole = inFile.Replace(c.Also[j].Whole)
		}
		all[i] = c
	}
	return all
}

// IDs returns the command-line names of the agents that fit; nil: of all. It fills in no program, because every command
// calls it for its help.
func IDs(fits func(Client) bool) (ids []string) {
	for _, c := range clients {
		if fits == nil || fits(c) {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// lineBreaks matches the line breaks in the values of the table of clients, with the indentation after them.
var lineBreaks = regexp.MustCompile(`\n\s*`)

// replaceWords returns the arguments of a command, with this program and its server entry filled in.
func replaceWords(args []string, program, entry string) (all []string) {
	for _, arg := range args {
		switch arg {
		case "PROGRAM":
			arg = program
		case "ENTRY":
			arg = lineBreaks.ReplaceAllString(entry, " ")
		}
		all = append(all, arg)
	}
	return all
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
