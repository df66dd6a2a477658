package say

// PeekName names, in the rule over them, the last lines of an agent's own pane; where is that pane, such as 2:1.
func PeekName(agent, where, dot string) string {
	name := PeekAlone + " " + dot + " " + agent
	if where != "" {
		name += " " + dot + " tmux " + where
	}
	return name
}

// PeekAlone returns that name while no question is on screen.
const PeekAlone = "peek"

// PeekAsOf says that the lines are not followed any more, and since when.
func PeekAsOf(clock string) string { return "as of " + clock }

// PeekPage says which key opens a page of the pane.
func PeekPage(key string) string { return key + " page" }

// PeekElsewhere says on which other machine an agent runs whose pane is to be shown.
func PeekElsewhere(host string) string { return RunsOn(host) + ", so its pane cannot be shown here" }

// Why an agent's pane is not shown.
const (
	PeekNeedsTmux = "this is not in tmux, so no agent's pane can be shown"
	PeekIsOff     = "the peek is switched off in the settings"
	PeekOfNobody  = "no question is on screen"
	PeekLooks     = "looking for its pane"
	PeekEmpty     = "its pane is empty"
)
