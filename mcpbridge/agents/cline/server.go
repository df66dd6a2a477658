package cline

import "github.com/choicetui/choicetui/queue"

// shared describes the hub daemon: Cline starts one for all its sessions.
var shared = queue.SharedServer{Kind: "hub daemon", Flag: "--cline-hub-daemon"}
