// Package connect is how agents are told about choicetui: the lines `choicetui help connect`, the README and the
// dashboard's empty screen show, and how they start this very program. One more client is one more entry.
package connect

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// Client is one agent program: what the person pastes where, and what `choicetui setup` does in place of that. Command
// is empty where the client has none that needs no more words; File and Config then are the way.
type Client struct {
	Name    string // as the person calls it
	ID      string // as a command line names it
	Program string // what starts it; where a shell finds that, the agent is on this machine
	Command string // one shell line that connects it
	File    string // where its settings live
	Place   string // where in File the Config goes, in words that follow its name; empty: anywhere
	Config  string // what stands there; where there is a Command: only what makes long waits work, unless Instead
	Instead bool   // Config does what the Command does, so one of them is enough
	Timeout string // how long it waits for a tool by itself, and what changes that; sentences
	ByHand  string // what no setting does, so the person has to; a sentence, or empty

	Add, Remove []string // its own command for a server, argument by argument; none: its file is edited
	Server      Target   // where its servers stand, and this one among them
	Also        []Target // what else it needs, in other files
	Gate        Gate     // how its prompts wait while questions do; none: it has no hook for that
	Native      Native   // what brings here a part of what it asks by itself; none: Also does, or nothing can
	Project     string   // where a project's own servers stand, from the project's directory; empty: nowhere
	Local       string   // the key in its own file below which a directory has servers that count more; empty: none
	Passes      []string // the variables that its servers get by themselves; none: all
	Layers      Layers   // whose settings count more than the person's; none: nobody's

	Lack map[string]string // by the members of its entry: what happens without them; part of a sentence
}

// Layers are settings of an agent that count more than the person's own.
type Layers struct {
	Project []string // a project's files, from its directory, the one that counts most first
	Managed string   // the administrator's file on Linux; more lie beside it, in a directory that ends in .d
	Apple   string   // the same on macOS
}

// Gate is an agent's hook that runs before a prompt is sent. It is put in only where the person chooses so.
type Gate struct {
	Event  string // as the agent calls it
	Target        // where the hook stands; COMMAND stands for what it runs
	InJSON bool   // the agent reads its verdict from JSON; the others from the exit code, and the reason from stderr
	ByHand string // what the person has to do before it works; a sentence, or empty
}

// Format is how a settings file is written.
type Format int

// The formats of settings files. JSON may have comments and commas at the end, which a plain reader of it never sees.
const (
	JSON Format = iota
	TOML
	YAML
)

// Target is a file, and what has to stand in it.
type Target struct {
	File   string   // ~/ is the home directory, ~/.config/ the system's place for settings where it has another
	Env    string   // a variable that names the directory of File; empty: there is none
	Others []string // other names the file may have in its directory, those that count more first
	Format Format
	Off    string // the setting that switches off all hooks in it; empty: there is none
	Sets   []Setting
	Whole  string // the whole text of a file of ours; empty: the file is the agent's, and Sets is added to it
}

// OursBegins is how each file begins that is ours as a whole.
const OursBegins = "// choicetui:"

// Setting is a value at a path of keys. Of an object that is there already the missing members are added.
type Setting struct {
	Path   []string
	Value  string // JSON, its members in the order in which they are written
	Listed bool   // Value is one of a list at the path, beside whatever else is in there
	Shared bool   // others need it too, so it stays where choicetui is taken out
	Former bool   // earlier versions put it in; it is only taken out
	Lack   string // what happens without it; part of a sentence, or empty
	Note   string // what the person has to know before it is put in; a sentence, or empty
}

// Lead leads up to Config, in words that end with a colon; file is how File is written there.
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

// Ask is what the person tells the agent once it is connected.
const Ask = "ask me before you decide"

// Clients lists the known agents, those with a one-line command first. The lines start this program by a name or a
// path: as Here says, or "choicetui" where a shell finds it.
func Clients(program string) []Client {
	inShell := strings.NewReplacer("PROGRAM", ShellQuoted(program))
	inFile := strings.NewReplacer("PROGRAM", Quoted(program))
	all := make([]Client, len(clients))
	for i, c := range clients {
		command := strings.NewReplacer("COMMAND", Quoted(NativeCommand(program, c.ID)))
		c.Command, c.Config = inShell.Replace(c.Command), inFile.Replace(c.Config)
		c.Add = replaced(c.Add, program)
		c.Server.Sets = filledIn(filledIn(c.Server.Sets, inFile), command)
		c.Also = slices.Clone(c.Also)
		for j := range c.Also {
			c.Also[j].Sets = filledIn(c.Also[j].Sets, inFile)
			c.Also[j].Whole = inFile.Replace(c.Also[j].Whole)
		}
		all[i] = c
	}
	return all
}

// IDs are the agents' names on a command line, of those that fit; nil: of all. Each command names them in its help, so
// nothing is filled in for it.
func IDs(fits func(Client) bool) (ids []string) {
	for _, c := range clients {
		if fits == nil || fits(c) {
			ids = append(ids, c.ID)
		}
	}
	return ids
}

// replaced are the arguments of a command that start this program.
func replaced(args []string, program string) (all []string) {
	for _, arg := range args {
		if arg == "PROGRAM" {
			arg = program
		}
		all = append(all, arg)
	}
	return all
}

// filledIn are settings that start this program.
func filledIn(sets []Setting, program *strings.Replacer) (all []Setting) {
	for _, s := range sets {
		s.Value = program.Replace(s.Value)
		all = append(all, s)
	}
	return all
}

// Quoted is a word as JSON, TOML and YAML have it.
func Quoted(word string) string {
	var raw bytes.Buffer
	e := json.NewEncoder(&raw)
	e.SetEscapeHTML(false)
	if e.Encode(word) != nil { // a string always can
		return `""`
	}
	return strings.TrimSuffix(raw.String(), "\n")
}

// Anyway holds for every client, whatever its timeout is.
const Anyway = "A client that gives up loses no question: before its limit choicetui tells the agent that the " +
	"person has not answered yet and to call again, and the question stays until its own deadline. Where you raised " +
	"a client's timeout, raise its entry in soft_limits in choicetui's settings too, to save those calls."
