package cline

import "github.com/choicetui/choicetui/queue"

// Server describes the hub daemon: Cline starts one for all its sessions.
var Server = queue.SharedServer{Kind: "hub daemon", Flag: "--cline-hub-daemon"}
