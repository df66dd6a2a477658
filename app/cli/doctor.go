package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/fsnotify/fsnotify"
	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/app/connect"
	"github.com/choicetui/choicetui/app/setup"
	"github.com/choicetui/choicetui/app/tmux"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/spool"
)

// How a check ends.
const (
	isOK   = "ok"
	isWarn = "warn"
	isFail = "fail"
)

// finding is one line of doctor.
type finding struct {
	Check  string `json:"check"`
	Status string `json:"status"`
	Detail string `json:"detail"`
	Remedy string `json:"remedy,omitempty"`
}

func doctorCommand(sh *shell) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Say what is wrong here, and what to do about it",
		Long: `doctor looks at what choicetui depends on: the program, each agent's entry for
it, the queue's directory and disk, tmux and the terminal. It changes nothing,
and starts no agent but to ask for its version.

Each line is ok, warn or fail; what to do stands below it.

Exit codes: 0 nothing failed, 1 something did.`,
		Args: nothingElse,
		RunE: func(cmd *cobra.Command, _ []string) error { return examine(cmd.Context(), sh, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON array of {check, status, detail, remedy}")
	return cmd
}

func examine(ctx context.Context, sh *shell, asJSON bool) error {
	all := append(checkProgram(), checkAgents(ctx)...)
	all = append(all, checkQueue(sh)...)
	all = append(all, checkInotify())
	all = append(all, checkTmux(ctx)...)
	all = append(all, checkTerminal()...)
	var err error
	if asJSON {
		err = printJSON(sh.out, all, "  ")
	} else {
		var p page
		for _, f := range all {
			p.line("%-4s  %s: %s", f.Status, f.Check, say.OneLine(f.Detail))
			if f.Remedy != "" {
				p.block("        ", f.Remedy)
			}
		}
		err = p.send(sh.out)
	}
	for _, f := range all {
		if f.Status == isFail && err == nil {
			return &failure{code: exitFailed}
		}
	}
	return err
}

// checkProgram tells which choicetui this is, and whether a shell finds it.
func checkProgram() []finding {
	way := connect.Here()
	version := finding{Check: "version", Status: isOK, Detail: thisBuild().words()}
	switch {
	case way.First != "":
		return []finding{version, {"program", isWarn, "this choicetui is gone when `go run` ends",
			"run in the directory of its sources: " + way.First}}
	case !filepath.IsAbs(way.Program):
		found, _ := exec.LookPath(way.Program)
		return []finding{version, {"program", isOK, "a shell finds it: " + found, ""}}
	}
	detail := way.Program + " is not on your PATH"
	if other, err := exec.LookPath("choicetui"); err == nil {
		detail = "a shell starts another choicetui: " + other + ", and this one is " + way.Program
	}
	return []finding{version, {"program", isWarn, detail, "put its directory on your PATH: export PATH=" +
		connect.ShellQuoted(filepath.Dir(way.Program)) + ":$PATH"}}
}

// checkAgents tells of each agent on this machine what it knows of choicetui.
func checkAgents(ctx context.Context) (all []finding) {
	host, err := thisHost(connect.Here().Program)
	if err != nil {
		return []finding{{"agents", isFail, err.Error(), "set HOME"}}
	}
	entries, err := host.Entries(ctx)
	if err != nil {
		return []finding{{"agents", isFail, err.Error(), ""}}
	}
	if len(entries) == 0 {
		return []finding{{"agents", isWarn, "none was found on this machine", "choicetui help connect"}}
	}
	for _, e := range entries {
		f := checkEntry(host, e)
		if version := host.Version(ctx, e.Client); version != "" {
			f.Check += " " + say.OneLine(version)
		}
		all = append(all, f)
	}
	return all
}

// checkEntry tells whether an agent's entry for choicetui starts this program.
func checkEntry(host setup.Host, e setup.Entry) finding {
	again := "choicetui setup " + e.Client.ID
	if e.Err != nil {
		return finding{e.Client.Name, isFail, setup.Left{Path: e.Path, Err: e.Err}.Words(),
			"repair the file, then run: " + again}
	}
	if len(e.Command) == 0 {
		return finding{e.Client.Name, isWarn, "it does not know choicetui: nothing in " + e.Path, again}
	}
	line := shellLine(e.Command)
	file, err := host.Started(e)
	if err != nil {
		return finding{e.Client.Name, isFail, e.Path + " starts “" + line + "”, and " + err.Error(), again}
	}
	if self, err := os.Executable(); err == nil && !connect.SameFile(self, file) {
		return finding{e.Client.Name, isWarn, e.Path + " starts another program: " + file,
			"if it should be this one: " + again}
	}
	return finding{e.Client.Name, isOK, e.Path + " starts “" + line + "”", ""}
}

// lowSpace is how much the queue's disk should still take.
const lowSpace = 100 << 20

// checkQueue tells about the queue's directory and what it lies on.
func checkQueue(sh *shell) []finding {
	dir, err := sh.place()
	if err != nil {
		f := explain(err)
		return []finding{{"queue", isFail, f.say, f.hint}}
	}
	if _, err := os.Lstat(dir); errors.Is(err, os.ErrNotExist) {
		return []finding{{"queue", isOK, "nothing was asked yet; it will be at " + dir, ""}}
	}
	if _, err := sh.openAt(dir); err != nil {
		f := explain(err)
		return []finding{{"queue", isFail, f.say, f.hint}}
	}
	place, err := spool.Look(dir)
	if err != nil {
		return []finding{{"queue", isFail, err.Error(), ""}}
	}
	all := []finding{{"queue", isOK, dir + " is yours alone", ""}}
	if place.Links != nil {
		all = append(all, finding{"hard links", isFail, "they do not work at " + dir + ": " + place.Links.Error(),
			"put the queue on a local disk: choicetui config set queue DIR"})
	}
	if place.Remote {
		all = append(all, finding{"file system", isWarn, "changes show up late: " + dir + " is on a network",
			"put the queue on a local disk: choicetui config set queue DIR"})
	}
	if place.Free < lowSpace {
		all = append(all, finding{"space", isWarn, fmt.Sprintf("%d MiB are left for the queue", place.Free>>20),
			"free some space: without it no answer can be stored"})
	}
	if place.Aside > 0 {
		all = append(all, finding{"set aside", isWarn, say.Count(place.Aside, "file") +
			" of the queue could not be read: see " + filepath.Join(dir, "aside"),
			"the .reason files there say why; nothing else needs what lies there, so you may delete it"})
	}
	return all
}

// checkInotify tells whether the kernel lets this person watch directories.
func checkInotify() finding {
	watch, err := fsnotify.NewWatcher()
	if err != nil {
		return finding{"watching files", isWarn, "no event arrives, so the screen polls: " + err.Error(),
			"sudo sysctl fs.inotify.max_user_instances=512"}
	}
	defer watch.Close()
	if err := watch.Add(os.TempDir()); err != nil {
		return finding{"watching files", isWarn, "no event arrives, so the screen polls: " + err.Error(),
			"sudo sysctl fs.inotify.max_user_watches=524288"}
	}
	return finding{"watching files", isOK, "works", ""}
}

// checkTmux tells about the settings of the tmux around this process.
func checkTmux(ctx context.Context) []finding {
	if !tmux.Inside() {
		return []finding{{"tmux", isOK, "this is not inside tmux", ""}}
	}
	s, err := tmux.ReadSettings(ctx)
	if err != nil {
		return []finding{{"tmux", isWarn, "it does not answer: " + err.Error(), "look at $TMUX"}}
	}
	all := []finding{{"tmux", isOK, s.Version, ""}}
	for _, one := range []struct{ name, value, want, why string }{
		{"focus-events", s.FocusEvents, "on", "choicetui cannot tell whether you are looking"},
		{"allow-passthrough", s.Passthrough, "on all", "notifications of the terminal do not get through"},
		{"set-clipboard", s.Clipboard, "on external", "what is copied does not reach the clipboard"},
	} {
		if one.value != "" && !strings.Contains(" "+one.want+" ", " "+one.value+" ") {
			all = append(all, finding{"tmux " + one.name, isWarn, one.value + ": " + one.why,
				"tmux set -g " + one.name + " on"})
		}
	}
	return all
}

// checkTerminal tells about the terminal's name and the locale.
func checkTerminal() []finding {
	name := finding{"terminal", isOK, "TERM=" + os.Getenv("TERM"), ""}
	if t := os.Getenv("TERM"); t == "" || t == "dumb" {
		name.Status, name.Remedy = isWarn, "it shows no full screen; choicetui --plain works"
	}
	if !utf8Locale() {
		return []finding{name, {"locale", isWarn,
			fmt.Sprintf("%q is not UTF-8, so text beyond ASCII may not show", locale()), "export LC_CTYPE=C.UTF-8"}}
	}
	return []finding{name, {"locale", isOK, locale(), ""}}
}
