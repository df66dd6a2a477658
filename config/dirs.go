package config

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/adrg/xdg"
)

// One library finds the person's directories on every system. Nothing here reads the environment.

// dirName is the directory of ours inside each of the person's base directories.
const dirName = "choicetui"

// errNoHome says that no place for the person's own files is known.
var errNoHome = errors.New("the home directory is not known")

// Home returns the person's home directory, or "" if it is not known.
func Home() string {
	if xdg.Home == noHome {
		return ""
	}
	return xdg.Home
}

// noHome is the directory that the library returns if it does not know the home directory.
var noHome = string(filepath.Separator)

// BelowHome returns the path that a name means: a name that begins with ~/ is below home, because settings, agents'
// files and text typed into a field pass no shell. ok is false if home is empty, and the name unchanged.
func BelowHome(name, home string) (path string, ok bool) {
	rest, below := strings.CutPrefix(name, "~/")
	switch {
	case !below:
		return name, true
	case home == "":
		return name, false
	}
	return filepath.Join(home, rest), true
}

// Path returns the path of the settings: choicetui/config.json in the system's directory for settings. That is
// $XDG_CONFIG_HOME if it is set, else ~/.config, on macOS ~/Library/Application Support.
func Path() string { return filepath.Join(xdg.ConfigHome, dirName, "config.json") }

// StateDir returns the default directory of the queue: choicetui in the system's directory for state. That is
// $XDG_STATE_HOME if it is set, else ~/.local/state, on macOS ~/Library/Application Support. It fails if no such
// directory is known: the library would take the root directory for the person's home.
func StateDir() (string, error) {
	if _, state := belowHome(); Home() == "" && xdg.StateHome == state {
		return "", errNoHome
	}
	return filepath.Join(xdg.StateHome, dirName), nil
}

// RunDir returns our directory on this machine for files that live as long as their processes. It is in the system's
// directory for such files if there is one, else in the directory for temporary files, with the user in its name. It
// may be missing, and somebody else may have made it.
func RunDir() string {
	if is, err := os.Stat(xdg.RuntimeDir); err == nil && is.IsDir() && runtime.GOOS == "linux" {
		return filepath.Join(xdg.RuntimeDir, dirName)
	}
	return filepath.Join(os.TempDir(), dirName+"-"+strconv.Itoa(os.Getuid()))
}

// AtHome reports whether a process that knows nothing but this person's home directory finds the settings and the
// state: no variable of this process moves them.
func AtHome() bool {
	settings, state := belowHome()
	return xdg.ConfigHome == settings && xdg.StateHome == state
}

// belowHome returns the directories in which the library looks for settings and state while no variable says otherwise.
func belowHome() (settings, state string) {
	if runtime.GOOS == "darwin" {
		support := filepath.Join(xdg.Home, "Library", "Application Support")
		return support, support
	}
	return filepath.Join(xdg.Home, ".config"), filepath.Join(xdg.Home, ".local", "state")
}
