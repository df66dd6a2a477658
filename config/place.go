package config

import (
	"os"
	"path/filepath"

	"github.com/adrg/xdg"
)

// dirName is the directory of ours inside each of the person's base directories.
const dirName = "choicetui"

// Path is where the settings are: choicetui/config.json in the system's directory for settings. That is
// $XDG_CONFIG_HOME where it is set, else ~/.config, on macOS ~/Library/Application Support.
func Path() string { return filepath.Join(xdg.ConfigHome, dirName, "config.json") }

// StateDir is where the queue is unless somebody names another place: choicetui in the system's directory for state.
// That is $XDG_STATE_HOME where it is set, else ~/.local/state, on macOS ~/Library/Application Support. It fails where
// none of these is known: the library would then take the root directory for the person's home.
func StateDir() (string, error) {
	if _, err := os.UserHomeDir(); err != nil && !filepath.IsAbs(os.Getenv("XDG_STATE_HOME")) {
		return "", err
	}
	return filepath.Join(xdg.StateHome, dirName), nil
}
