package cline

import "github.com/choicetui/choicetui/queue"

// sharedServer describes the hub daemon: Cline starts one for all its sessions.
var sharedServer = queue.SharedServer{Kind: "hub daemon", Flag: "--cline-hub-daemon"}
