package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fsnotify/fsnotify"

	"github.com/choicetui/choicetui/app/tmux"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/jetstream"
	"github.com/choicetui/choicetui/queue/spool"
)

// lowSpace is the free space below which doctor warns about the queue's disk.
const lowSpace = 100 << 20

// checkQueue tells about the queue's directory and what it lies on.
func checkQueue(sh *shell) []finding {
	dir, err := sh.place()
	if err != nil {
		f := explain(err)
		return []finding{{"queue", isFail, f.say, f.hint}}
	}
	if jetstream.IsAddress(dir) {
		return checkServer(sh, dir)
	}
	if _, err := os.Lstat(dir); errors.Is(err, os.ErrNotExist) {
		return checkFuturePlace(dir)
	}
	if _, err := sh.openAt(dir); err != nil {
		f := explain(err)
		return []finding{{"queue", isFail, f.say, f.hint}}
	}
	place, err := spool.Look(dir)
	if err != nil {
		return []finding{{"queue", isFail, err.Error(), "look at " + dir + ": its disk, and who owns it"}}
	}
	return append([]finding{{"queue", isOK, dir + " is yours alone", ""}}, checkPlace(dir, place)...)
}

// checkFuturePlace tells about where a queue will be made: the nearest directory that is there already.
func checkFuturePlace(dir string) []finding {
	at := filepath.Dir(dir)
	for !isDir(at) && at != filepath.Dir(at) {
		at = filepath.Dir(at)
	}
	place, err := spool.Look(at)
	if err != nil {
		return []finding{{"queue", isFail, "it will be at " + dir + ", and cannot be made there: " + err.Error(),
			"give yourself the right to write to " + at + ", or: choicetui config set queue DIR"}}
	}
	place.Aside = 0 // that is of queues alone
	return append([]finding{{"queue", isOK, "nothing was asked yet; it will be at " + dir, ""}},
		checkPlace(at, place)...)
}

func isDir(path string) bool {
	is, err := os.Stat(path)
	return err == nil && is.IsDir()
}

// checkPlace tells about what a queue lies on, and what was set aside there.
func checkPlace(dir string, place spool.Place) (all []finding) {
	elsewhere := "put the queue on a local disk: choicetui config set queue DIR"
	switch {
	case place.Links != nil:
		all = append(all, finding{"file system", isFail,
			"hard links do not work at " + dir + ", so no answer can be stored: " + place.Links.Error(), elsewhere})
	case place.Remote:
		all = append(all, finding{"file system", isWarn, dir + " is on a network, so changes show up late", elsewhere})
	default:
		all = append(all, finding{"file system", isOK, "a local disk, and hard links work", ""})
	}
	free := fmt.Sprintf("%d MiB are left for the queue", place.Free>>20)
	room := finding{"space", isOK, free, ""}
	if place.Free < lowSpace {
		room.Status, room.Remedy = isWarn, "free some space: without it no answer can be stored"
	}
	if place.Free < 1<<20 {
		room.Status = isFail
	}
	all = append(all, room)
	if n := place.Aside; n > 0 {
		all = append(all, finding{"set aside", isWarn, say.Count(n, "file") +
			" of the queue could not be read: see " + filepath.Join(dir, "aside"),
			"the .reason files there say why; nothing else needs what lies there, so you may delete it"})
	}
	return all
}

// Limits that the kernel sets for each person.
const (
	maxInstances = "fs.inotify.max_user_instances=512"
	maxWatches   = "fs.inotify.max_user_watches=524288"
)

// watchOnce watches a directory as the screen does. limit names the kernel's setting that prevents it.
func watchOnce() (limit string, err error) {
	watch, err := fsnotify.NewWatcher()
	if err != nil {
		return maxInstances, err
	}
	defer watch.Close()
	return maxWatches, watch.Add(os.TempDir())
}

// checkInotify tells whether the kernel lets this person watch directories.
func checkInotify(limit string, err error) finding {
	if err != nil {
		return finding{"watching files", isWarn, "no event arrives, so the screen polls: " + err.Error(),
			"sudo sysctl " + limit}
	}
	return finding{"watching files", isOK, "works", ""}
}

// tmuxHere returns the settings of the tmux around this process; nil: it runs outside of tmux.
func tmuxHere(ctx context.Context) (*tmux.Settings, error) {
	if !tmux.Inside() {
		return nil, nil
	}
	s, err := tmux.ReadSettings(ctx)
	return &s, err
}

// checkTmux tells about the settings of the tmux around this process.
func checkTmux(s *tmux.Settings, err error) []finding {
	switch {
	case err != nil:
		return []finding{{"tmux", isWarn, "it does not answer: " + err.Error(), "look at $TMUX"}}
	case s == nil:
		return []finding{{"tmux", isOK, "this is not inside tmux", ""}}
	}
	all := []finding{{"tmux", isOK, s.Version, ""}}
	for _, one := range []struct{ name, value, want, why string }{
		{"focus-events", s.FocusEvents, "on", "choicetui cannot tell whether you are looking"},
		{"allow-passthrough", s.Passthrough, "on all", "notifications of the terminal do not get through"},
		{"set-clipboard", s.Clipboard, "on external", "what is copied does not reach the clipboard"},
	} {
		switch {
		case one.value == "": // this tmux is too old to know it
		case slices.Contains(strings.Fields(one.want), one.value):
			all = append(all, finding{"tmux " + one.name, isOK, one.value, ""})
		default:
			all = append(all, finding{"tmux " + one.name, isWarn, one.value + ": " + one.why,
				"tmux set -g " + one.name + " on"})
		}
	}
	return all
}

// checkTerminal tells about the terminal's name and the locale, which the variable of that name sets.
func checkTerminal(term, variable, locale string) []finding {
	all := []finding{{"terminal", isOK, "TERM=" + term, ""}, {"locale", isOK, locale, ""}}
	if term == "" || term == "dumb" {
		all[0].Status, all[0].Remedy = isWarn, "it shows no full screen; choicetui --plain works"
	}
	if !isUTF8(locale) {
		remedy := "export LC_CTYPE=C.UTF-8"
		if variable == "LC_ALL" { // it counts more than LC_CTYPE
			remedy = "export LC_ALL=C.UTF-8"
		}
		all[1] = finding{"locale", isWarn, fmt.Sprintf("%q is not UTF-8, so text beyond ASCII may not show", locale),
			remedy}
	}
	return all
}
