package term

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gdamore/tcell/v2"
)

// asXterm are terminals that take what xterm-256color does, and whose own name a machine that one came to over ssh
// often does not know.
var asXterm = []string{"alacritty", "contour", "ghostty", "gnome", "iterm", "iterm2", "kitty", "konsole", "mintty",
	"rio", "vscode", "vte", "warp", "wezterm"}

// knownAs is the name under which the terminal is known here: its own, else that of the kind it is of.
func knownAs(name string) (string, error) {
	switch name {
	case "":
		return "", unusable("TERM is not set")
	case "dumb":
		return "", unusable("TERM=dumb cannot place text")
	}
	for _, kind := range append([]string{name}, kindsOf(name)...) {
		if _, err := tcell.LookupTerminfo(kind); err == nil {
			return kind, nil
		}
	}
	return "", unusable(fmt.Sprintf("TERM=%s is not known here, try TERM=xterm-256color choicetui", name))
}

// standIn is a terminal's name that is not known here, and what it is drawn as in its place.
type standIn struct{ name, kind string }

// kindsOf are the names of what a terminal of this name may be like, the nearest first: of xterm-ghostty first
// xterm-256color, then xterm.
func kindsOf(name string) (kinds []string) {
	for stem := name; ; {
		if slices.Contains(asXterm, strings.ToLower(stem)) {
			kinds = append(kinds, "xterm-256color")
		}
		cut := strings.LastIndexAny(stem, "-.+")
		if cut <= 0 {
			return kinds
		}
		stem = stem[:cut]
		kinds = append(kinds, stem+"-256color", stem)
	}
}
