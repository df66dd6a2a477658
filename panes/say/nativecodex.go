package say

// Words for the choices that Codex offers.
const (
	CodexStop           = "Refuse, and stop this turn"
	CodexStopCovers     = "Codex ends what it is doing and waits for you."
	CodexSessionFiles   = "Allow changes of these files for this session"
	CodexSessionCommand = "Allow this command for this session"
	CodexUntilEnd       = "Codex does not ask again for the same until this session ends."
	CodexWhich          = "What may it have of this, and for how long?"
	CodexTurn           = "Allow for this turn"
	CodexSession        = "Allow for this session"
	CodexNetwork        = "Use the network"
)

// CodexSimilar returns the choice of a rule of Codex's own.
func CodexSimilar(prefix string) string { return "Allow always: " + prefix }

// CodexSimilarCovers says all that such a rule allows.
func CodexSimilarCovers(prefix string) string {
	return "Codex keeps a rule and does not ask again, in any session, for a command that begins with " + prefix + "."
}

// CodexHost returns the choice to allow a host from now on.
func CodexHost(host string) string { return "Allow always: " + host }

// CodexHostCovers says what that allows.
func CodexHostCovers(host string) string {
	return "Codex keeps a rule and does not ask again, in any session, before a command reaches " + host + "."
}

// CodexNotHost returns the choice to refuse a host from now on.
func CodexNotHost(host string) string { return "Refuse always: " + host }

// CodexNotHostCovers says what that refuses.
func CodexNotHostCovers(host string) string {
	return "Codex keeps a rule, and no command reaches " + host + " any more."
}

// CodexPermissions returns the title of a request for more than the sandbox gives.
func CodexPermissions(n int) string {
	return "Codex wants " + Count(n, "more permission")
}

// CodexPath returns a path that Codex asks for; a path that begins with a colon is a place that Codex names.
func CodexPath(access, path string) string {
	if access == "write" {
		return "Write " + path
	}
	return "Read " + path
}
