package opencode

import "github.com/choicetui/choicetui/queue"

// shared describes `opencode serve` and `opencode web`, also those of Kilo and MiMo Code.
var shared = queue.SharedServer{Kind: "opencode server", Words: []string{"serve", "web"},
	Programs: []string{"opencode*", "kilo", "mimo"}, Anywhere: true}
