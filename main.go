// Command choicetui is the human's side of human-in-the-loop: coding agents ask, and one person answers in one terminal
// pane.
package main

import (
	"os"

	"github.com/choicetui/choicetui/app/cli"
	"github.com/choicetui/choicetui/app/start"
)

func main() { os.Exit(cli.Main(start.Collect)) }
