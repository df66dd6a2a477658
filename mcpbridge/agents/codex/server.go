package codex

import "github.com/choicetui/choicetui/queue"

// Server describes the app-server: Codex starts one for all its sessions.
var Server = queue.SharedServer{Kind: "app-server", Words: []string{"app-server"}, TakesLines: true}
