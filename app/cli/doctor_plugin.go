package cli

import "github.com/choicetui/choicetui/app/setup"

// checkPlugin warns of a plugin of ours that the agent does not load, whatever else is known of it.
func checkPlugin(host setup.Host, e setup.Entry, f finding) finding {
	file := setup.UnloadedPlugin(host, e.Client)
	if file == "" {
		return f
	}
	return f.warned(file+" is by an older choicetui, and "+e.Client.Name+
		" does not load it, so its own prompts do not come here", "choicetui setup "+e.Client.ID)
}
