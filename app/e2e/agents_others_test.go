//go:build agents

package e2e

// setUpAndRemoved puts choicetui into an agent's settings, twice, and takes it out again byte for byte.
func setUpAndRemoved(agent string) []step {
	return []step{
		had, sh("choicetui setup " + agent + " --gate --yes"), changed,
		sh("choicetui setup " + agent + " --gate --yes | grep -q 'nothing to do'"),
		sh("choicetui setup --remove " + agent + " --yes"), restored,
	}
}

var codexKind, copilotKind, geminiKind, opencodeKind, qwenKind kind
