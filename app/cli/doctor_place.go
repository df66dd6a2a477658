package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/fsnotify/fsnotify"
	"golang.org/x/mod/semver"

	"github.com/choicetui/choicetui/app/tmux"
	"github.com/choicetui/choicetui/mcpbridge/agents/agent"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/jetstream"
	"github.com/choicetui/choicetui/queue/spool"
)

// lowSpace is the free space below which doctor warns about the queue's disk.
const lowSpace = 100 << 20

// checkQueue checks the queue's directory and its file system, or its server.
func checkQueue(sh *shell) []finding {
	dir, err := sh.queuePlace()
	if err != nil {
		f := explain(err)
		return []finding{{"queue", isFail, f.say, cmp.Or(f.hint, "choicetui config shows where the queue is")}}
	}
	if jetstream.IsAddress(dir) {
		return checkServer(sh, dir)
	}
	if _, err := os.Lstat(dir); errors.Is(err, os.ErrNotExist) {
		return checkFuturePlace(dir)
	}
	if _, err := sh.openQueueAt(dir); err != nil {
		f := explain(err)
		return []finding{{"queue", isFail, f.say, cmp.Or(f.hint, "choicetui config shows where the queue is")}}
	}
	place, err := spool.Look(dir)
	if err != nil {
		return []finding{{"queue", isFail, err.Error(), "look at " + dir + ": its disk, and who owns it"}}
	}
	return append([]finding{{"queue", isOK, dir + " can be read only by you", ""}}, checkPlace(dir, place)...)
}

// checkFuturePlace checks the place of a queue that does not exist yet, in the nearest directory that exists.
func checkFuturePlace(dir string) []finding {
	at := filepath.Dir(dir)
	for !isDir(at) && at != filepath.Dir(at) {
		at = filepath.Dir(at)
	}
	place, err := spool.Look(at)
	if err != nil {
		return []finding{{"queue", isFail, "it will be at " + dir + ", and cannot be created there: " + err.Error(),
			"give yourself permission to write to " + at + ", or: choicetui config set queue DIR"}}
	}
	place.Aside = 0 // only a queue's own directory has files set aside
	return append([]finding{{"queue", isOK, "no questions have been asked yet; it will be at " + dir, ""}},
		checkPlace(at, place)...)
}

func isDir(path string) bool {
	is, err := os.Stat(path)
	return err == nil && is.IsDir()
}

// checkPlace checks a queue's file system, and warns of files that were set aside.
func checkPlace(dir string, place spool.Place) (all []finding) {
	elsewhere := "put the queue on a local disk: choicetui config set queue DIR"
	switch {
	case place.Links != nil:
		all = append(all, finding{"file system", isFail,
			"hard links do not work at " + dir + ", so no answer can be stored: " + place.Links.Error(), elsewhere})
	case place.Remote:
		all = append(all, finding{"file system", isWarn, dir + " is on a network, so changes are seen late", elsewhere})
	default:
		all = append(all, finding{"file system", isOK, "a local disk, and hard links work", ""})
	}
	free := fmt.Sprintf("%d MiB are free for the queue", place.Free>>20)
	room := finding{"space", isOK, free, ""}
	if place.Free < lowSpace {
		room.Status = isWarn
		room.Remedy = "free some space, otherwise no answer can be stored: df -h " + agent.ShellQuoted(dir)
	}
	if place.Free < 1<<20 {
		room.Status = isFail
	}
	all = append(all, room)
	if n := place.Aside; n > 0 {
		all = append(all, finding{"set aside", isWarn, say.Count(n, "file") +
			" of the queue could not be read: see " + filepath.Join(dir, "aside"),
			"the .reason files there say why; nothing needs these files: rm -r " +
				agent.ShellQuoted(filepath.Join(dir, "aside"))})
	}
	return all
}

// The kernel's limits for each user, raised to values that are enough.
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

// checkInotify checks whether the kernel lets this person watch directories.
func checkInotify(limit string, err error) finding {
	if err != nil {
		return finding{"watching files", isWarn, "no events arrive, so the screen polls: " + err.Error(),
			"sudo sysctl " + limit}
	}
	return finding{"watching files", isOK, "works", ""}
}

// tmuxHere returns the settings of the tmux around this process; nil: it runs outside tmux.
func tmuxHere(ctx context.Context) (*tmux.Settings, error) {
	if !tmux.Inside() {
		return nil, nil
	}
	s, err := tmux.ReadSettings(ctx)
	return &s, err
}

// checkTmux checks the settings of the tmux around this process.
func checkTmux(s *tmux.Settings, err error) []finding {
	switch {
	case err != nil:
		return []finding{{"tmux", isWarn, "it does not answer: " + err.Error(),
			"start choicetui in a new pane; outside tmux: unset TMUX TMUX_PANE"}}
	case s == nil:
		return []finding{{"tmux", isOK, "not inside tmux", ""}}
	}
	all := []finding{{"tmux", isOK, s.Version, ""}}
	for _, one := range []struct{ name, value, want, why string }{
		{"focus-events", s.FocusEvents, "on", "choicetui cannot tell whether you are looking"},
		{"allow-passthrough", s.Passthrough, "on all", "the terminal's notifications do not get through"},
		{"set-clipboard", s.Clipboard, "on external", "copied text does not reach the clipboard"},
	} {
		switch {
		case one.value == "": // this version of tmux does not have the setting
		case slices.Contains(strings.Fields(one.want), one.value):
			all = append(all, finding{"tmux " + one.name, isOK, one.value, ""})
		default:
			all = append(all, finding{"tmux " + one.name, isWarn, one.value + ": " + one.why,
				"tmux set -g " + one.name + " on"})
		}
	}
	return all
}

// checkTerminal checks the terminal's name and the locale. variable is the environment variable that sets the locale.
func checkTerminal(term, variable, locale string) []finding {
	all := []finding{{"terminal", isOK, "TERM=" + term, ""}, {"locale", isOK, locale, ""}}
	if term == "" || term == "dumb" {
		all[0].Status = isWarn
		all[0].Remedy = "it cannot show a full screen: export TERM=xterm-256color, or use choicetui --plain"
	}
	if !isUTF8(locale) {
		remedy := "export LC_CTYPE=C.UTF-8"
		if variable == "LC_ALL" { // LC_ALL overrides LC_CTYPE
			remedy = "export LC_ALL=C.UTF-8"
		}
		all[1] = finding{"locale", isWarn, fmt.Sprintf("%q is not UTF-8, so text beyond ASCII may not show", locale),
			remedy}
	}
	return all
}

// checkServer checks whether the queue's server answers, accepts these credentials, and can store something.
func checkServer(sh *shell, address string) []finding {
	version, err := tryServer(context.Background(), sh, address)
	if err != nil {
		f := explain(err)
		return []finding{{"queue", isFail, f.say, cmp.Or(f.hint, "choicetui config shows where the queue is")}}
	}
	all := []finding{{"queue", isOK, "the server at " + address + " answers: NATS " + say.OneLine(version), ""}}
	if isOpenServer(version) {
		all = append(all, finding{"queue's server", isWarn, "NATS " + say.OneLine(version) + " is too old: it lets a " +
			"user bypass the permissions that the server gives them",
			"whoever runs the server: install NATS 2.11.15, 2.12.6 or newer"})
	}
	return all
}

// tryServer reads the pending questions of a server, stores something on trial, and returns the server's version.
func tryServer(ctx context.Context, sh *shell, address string) (version string, err error) {
	store, err := sh.serverStore(address)
	if err != nil {
		return "", err
	}
	defer store.Close()
	if _, _, err = store.Live(ctx); err != nil {
		return "", err
	}
	if err = jetstream.TryRoom(ctx, store); err != nil {
		return "", err
	}
	return jetstream.Version(ctx, store)
}

// isOpenServer reports whether users can bypass the permissions of a server of this version. NATS fixed that
// (CVE-2026-33222 and others) in 2.11.15 and in 2.12.6. An invalid version counts as old.
func isOpenServer(version string) bool {
	v, fixed := "v"+version, "v2.12.6"
	if semver.MajorMinor(v) == "v2.11" {
		fixed = "v2.11.15"
	}
	return semver.Compare(v, fixed) < 0
}
