package say

import "fmt"

// NoPaneIsSure says why no pane is an agent's whose server serves several. program is what was looked for in its
// directory, empty where nothing could be; fit is in how many terminals it may run there.
func NoPaneIsSure(server, program string, fit int) string {
	const unsure = "its pane is not certain: "
	switch {
	case program == "":
		return unsure + "its " + server + " may serve several agents"
	case fit == 0:
		return unsure + OneLine(program) + " runs in its directory in no terminal here"
	case fit == 1:
		return unsure + OneLine(program) + " runs in one terminal, but perhaps not in its directory"
	}
	return unsure + fmt.Sprintf("%s may run in its directory in %d terminals", OneLine(program), fit)
}

// Why a line cannot be given to the session of Codex that asked.
const (
	CodexNamedNoSession = "Codex did not say which of its sessions asked"
	CodexIsSilent       = "its Codex server does not answer on its socket"
	CodexSessionClosed  = "its Codex session is not open any more"
	CodexSessionMoved   = "its Codex session works in another directory now"
	CodexTakesNoLines   = "its Codex session takes no lines from outside"
)

// CodexRefused says that Codex itself did not take a line.
func CodexRefused(why string) string { return "Codex did not take it: " + OneLine(why) }

// Why there is no way to an agent's pane.
const (
	RunsElsewhere = "it runs on another machine"
	InNoPaneHere  = "it is not running in this tmux server"
	MayBeAnywhere = "its process is not known, so it may run in another tmux server"
)
