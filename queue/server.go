package queue

import (
	"path"
	"slices"
	"strings"
)

// SharedServer describes a program of which one process serves the sessions of many agents. The place of such a process
// in the process tree, and its environment, belong to the person or agent that started it first, and say nothing about
// the agents it serves.
type SharedServer struct {
	Kind string // its name for the person, such as app-server
	Flag string // a flag in its command line; empty: it has none
	// Words lists words of which its command line has one before the words of the person. Programs lists the patterns
	// of path.Match for the programs that must come before the word; empty: any program.
	Words, Programs []string
	TakesLines      bool // it takes the person's lines itself, because one screen can show any of its sessions
	Anywhere        bool // its clients may be in browsers or on other machines
}

// SharedServers lists the servers of many agents that are known.
type SharedServers []SharedServer

// Of returns the server that a process with this command line is; ok is false if it is none.
func (l SharedServers) Of(args []string) (found SharedServer, ok bool) {
	if len(args) == 1 {
		args = strings.Fields(args[0]) // a process may write a title over its arguments
	}
	prompt := false // the arguments from here on are the person's words
	value := false  // the last argument was a flag, so this one may be its value
	for i, arg := range args {
		flag := strings.HasPrefix(arg, "-")
		if i > 0 {
			for _, server := range l {
				if server.isNamedBy(arg, args[:i], prompt || flag) {
					return server, true
				}
			}
			// A path is a script's, not a word of the person.
			prompt = prompt || !flag && !value && !strings.Contains(arg, "/")
		}
		value = flag
	}
	return SharedServer{}, false
}

// isNamedBy reports whether an argument after others makes a process this server. noWord: the argument is no word of
// the program's own.
func (s SharedServer) isNamedBy(arg string, before []string, noWord bool) bool {
	if name, _, _ := strings.Cut(arg, "="); s.Flag != "" && name == s.Flag {
		return true
	}
	return !noWord && slices.Contains(s.Words, arg) &&
		(len(s.Programs) == 0 || slices.ContainsFunc(before, s.isProgram))
}

// isProgram reports whether an argument is the path of one of the programs.
func (s SharedServer) isProgram(arg string) bool {
	return slices.ContainsFunc(s.Programs, func(pattern string) bool {
		fits, _ := path.Match(pattern, path.Base(arg))
		return fits
	})
}
