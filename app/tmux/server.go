package tmux

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
)

// UseDefaultServer makes a process that runs outside tmux, such as one that sshd started, use this user's default tmux
// server, if there is one. It sets TMUX, which the tmux program reads.
func UseDefaultServer() {
	if Inside() {
		return
	}
	dir := os.Getenv("TMUX_TMPDIR")
	if dir == "" {
		dir = "/tmp"
	}
	socket := filepath.Join(dir, "tmux-"+strconv.Itoa(os.Getuid()), "default")
	if info, err := os.Lstat(socket); err == nil && info.Mode()&os.ModeSocket != 0 {
		_ = os.Setenv("TMUX", socket+",0,0")
	}
}

var pane = regexp.MustCompile(`^%[0-9]{1,9}$`)

// IsPane reports whether id is the id of a pane, such as %3.
func IsPane(id string) bool { return pane.MatchString(id) }
