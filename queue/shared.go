package queue

import (
	"path"
	"slices"
	"strings"
)

// Results of SharedServer.
const (
	AppServer      = "app-server"      // of Codex
	HubDaemon      = "hub daemon"      // of Cline
	OpencodeServer = "opencode server" // `opencode serve` and `opencode web`, and so of Kilo and MiMo Code
)

// SharedServer names the program that runs with this command line, if one process of it serves the sessions of many
// agents at once; empty: it does not, as far as is known. Neither its place in the process tree nor its environment
// says anything about one of these agents: both are those of whoever happened to start it first.
//
// Codex starts one app-server for all its sessions, Cline one hub daemon, and `opencode serve` has clients elsewhere.
func SharedServer(args []string) string {
	if len(args) == 1 {
		args = strings.Fields(args[0]) // a process may write a title over its arguments
	}
	prompt, value := false, false // the person's words have begun; the last argument was a flag, this may be its value
	for i, arg := range args {
		flag := strings.HasPrefix(arg, "-")
		name, _, _ := strings.Cut(arg, "=")
		switch {
		case i == 0:
		case name == "--cline-hub-daemon":
			return HubDaemon
		case flag, prompt:
		case arg == "app-server":
			return AppServer
		case (arg == "serve" || arg == "web") && slices.ContainsFunc(args[:i], isOpencode):
			return OpencodeServer
		case !value && !strings.Contains(arg, "/"): // the path of a script is no word of a prompt
			prompt = true
		}
		value = flag
	}
	return ""
}

func isOpencode(arg string) bool {
	name := path.Base(arg)
	return strings.HasPrefix(name, "opencode") || name == "kilo" || name == "mimo"
}
