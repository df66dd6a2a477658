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

// Where the person's files are is asked of one library, on every system; nothing here reads the environment.

// dirName is the directory of ours inside each of the person's base directories.
const dirName = "choicetui"

// errNoHome says that no place for the person's own files is known.
var errNoHome = errors.New("the home directory is not known")

// Home is the person's home directory; empty where it is not known.
func Home() string {
	if xdg.Home == noHome {
		return ""
	}
	return xdg.Home
}

// noHome is what the library takes for the home directory where it is not known.
var noHome = string(filepath.Separator)

// BelowHome is the path that a name means: one that begins with ~/ is below home, since settings, agents' files and
// what a person types into a field pass no shell. ok is false where home is empty, and the name left as it is.
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

// Path is where the settings are: choicetui/config.json in the system's directory for settings. That is
// $XDG_CONFIG_HOME where it is set, else ~/.config, on macOS ~/Library/Application Support.
func Path() string { return filepath.Join(xdg.ConfigHome, dirName, "config.json") }

// StateDir is where the queue is unless somebody names another place: choicetui in the system's directory for state.
// That is $XDG_STATE_HOME where it is set, else ~/.local/state, on macOS ~/Library/Application Support. It fails where
// none of these is known: the library would then take the root directory for the person's home.
func StateDir() (string, error) {
	if _, state := belowHome(); Home() == "" && xdg.StateHome == state {
		return "", errNoHome
	}
	return filepath.Join(xdg.StateHome, dirName), nil
}

// RunDir is a directory of ours that is on this machine, for what lasts as long as its processes do: in the system's
// directory for that where there is one, else in the one for temporary files, under a name that has the user in it.
// It need not be there, and somebody else may have made it.
func RunDir() string {
	if is, err := os.Stat(xdg.RuntimeDir); err == nil && is.IsDir() && runtime.GOOS == "linux" {
		return filepath.Join(xdg.RuntimeDir, dirName)
	}
	return filepath.Join(os.TempDir(), dirName+"-"+strconv.Itoa(os.Getuid()))
}

// AtHome reports whether settings and state are where every process of this person finds them that knows no more than
// its home directory: no variable of this process says otherwise.
func AtHome() bool {
	settings, state := belowHome()
	return xdg.ConfigHome == settings && xdg.StateHome == state
}

// belowHome is where the library looks for settings and state while no variable says otherwise.
func belowHome() (settings, state string) {
	if runtime.GOOS == "darwin" {
		support := filepath.Join(xdg.Home, "Library", "Application Support")
		return support, support
	}
	return filepath.Join(xdg.Home, ".config"), filepath.Join(xdg.Home, ".local", "state")
}
