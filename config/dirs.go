package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/adrg/xdg"
)

// The xdg library finds the person's directories on every system. This file does not read the environment itself.

// dirName is the name of our directory inside each of the person's base directories.
const dirName = "choicetui"

// errNoHome reports that there is no known place for the person's files.
var errNoHome = errors.New("the home directory is not known")

// errRelativeHome says why nothing is kept below a home directory that is another one in each directory.
func errRelativeHome() error {
	return fmt.Errorf("%w: HOME is %q, and has to be an absolute path", errNoHome, xdg.Home)
}

// Home returns the person's home directory; "" if it is not known, or if HOME names one that depends on the directory
// in which a program is started.
func Home() string {
	if xdg.Home == noHome || !filepath.IsAbs(xdg.Home) {
		return ""
	}
	return xdg.Home
}

// noHome is the value that the library returns if it does not know the home directory.
var noHome = string(filepath.Separator)

// BelowHome returns the path that a name means. A name that begins with ~/ is below home: no shell has expanded it in
// settings, agents' files and text fields. If home is empty, ok is false for such a name and path is the name
// unchanged.
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

// Path returns the path of the settings file: choicetui/config.json in $XDG_CONFIG_HOME, else in ~/.config, on macOS in
// ~/Library/Application Support.
func Path() string { return filepath.Join(xdg.ConfigHome, dirName, "config.json") }

// StateDir returns the default directory of the queue: choicetui in $XDG_STATE_HOME, else in ~/.local/state, on macOS
// in ~/Library/Application Support. It fails if the home directory is needed and not known, because the library would
// use the root directory then.
func StateDir() (string, error) {
	if xdg.StateHome == "" { // the library takes no relative path
		return "", errRelativeHome()
	}
	if _, state := belowHome(); Home() == "" && xdg.StateHome == state {
		return "", errNoHome
	}
	return filepath.Join(xdg.StateHome, dirName), nil
}

// RunDir returns our directory for files that live as long as their processes. It is in the system's directory for such
// files, or else in the directory for temporary files, with the user's id in its name. It may not exist, and another
// user may have created it.
func RunDir() string {
	if is, err := os.Stat(xdg.RuntimeDir); err == nil && is.IsDir() && runtime.GOOS == "linux" {
		return filepath.Join(xdg.RuntimeDir, dirName)
	}
	return filepath.Join(os.TempDir(), dirName+"-"+strconv.Itoa(os.Getuid()))
}

// AtHome reports whether settings and state are in their places below the home directory. Then a process without this
// environment finds them too.
func AtHome() bool {
	settings, state := belowHome()
	return xdg.ConfigHome == settings && xdg.StateHome == state
}

// belowHome returns the directories of settings and state that the library uses if no environment variable is set.
func belowHome() (settings, state string) {
	if runtime.GOOS == "darwin" {
		support := filepath.Join(xdg.Home, "Library", "Application Support")
		return support, support
	}
	return filepath.Join(xdg.Home, ".config"), filepath.Join(xdg.Home, ".local", "state")
}
