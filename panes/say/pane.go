package say

import "fmt"

// NoPaneIsSure says why no pane is an agent's whose server serves several. program is what was looked for in its
// directory, empty where nothing could be; fit is in how many terminals it may run there.
func NoPaneIsSure(server, program string, fit int) string {
	const unsure = "no pane is surely its own: "
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
