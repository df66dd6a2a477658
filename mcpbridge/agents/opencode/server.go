package opencode

import "github.com/choicetui/choicetui/queue"

// Server describes `opencode serve` and `opencode web`, also those of Kilo and MiMo Code.
var Server = queue.SharedServer{Kind: "opencode server", Words: []string{"serve", "web"},
	Programs: []string{"opencode*", "kilo", "mimo"}, Anywhere: true}
