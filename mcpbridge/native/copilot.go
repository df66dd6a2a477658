package native

// Copilot reads what a hook of Copilot CLI was given; false where that is nothing to ask here. Its hook runs before
// each call, whether or not Copilot would ask its person.
func Copilot(raw []byte, w Words, token func() string) (Asked, bool) {
	e, ok := readHook(raw, hookAgent{client: "copilot-cli", where: "in copilot", source: "copilot"}, w, token)
	if !ok || e.name != "permissionRequest" {
		return Asked{}, false
	}
	return e.allows(copilotTools, func(allowed bool, words string) []byte { return hookLine(verdict(allowed, words)) })
}

// copilotTools are the tools of Copilot CLI that are shown in a form of their own.
var copilotTools = toolReaders{"bash": readCommand}
