package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/mcpbridge/agents/agent"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/rules/book"
)

// The values of finding.Status.
const (
	isOK   = "ok"
	isWarn = "warn"
	isFail = "fail"
)

// finding is the result of one check, printed as one line of doctor.
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
		Short: "Find problems and how to fix them",
		Long: `doctor checks everything that choicetui depends on: the program, each agent's
settings, your rules, the queue and its disk or server, tmux and the terminal.
Each line is ok, warn or fail, with the remedy below it: a command where one
helps. The last line counts what there is to fix. It changes nothing.

If your own settings start this choicetui as a server, doctor starts it too and
asks it a question in a temporary queue. It never runs what a project's files or
other entries name, and starts agents only to ask for their version.

Exit codes: 0 nothing failed, 1 something did.`,
		Args: nothingElse,
		RunE: func(cmd *cobra.Command, _ []string) error { return runChecks(cmd.Context(), sh, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON array of {check, status, detail, remedy}")
	return cmd
}

// runChecks makes all checks and prints their findings.
func runChecks(ctx context.Context, sh *shell, asJSON bool) error {
	sh.muteSettings()                      // checkSettings reports the file's problems
	other, _ := exec.LookPath("choicetui") // "" where a shell finds no choicetui
	all := append(checkProgram(agent.Here(), other), checkAgents(ctx, sh)...)
	all = append(all, checkUnread(sh.now())...)
	all = append(all, checkSettings(config.Path(), sh.settings().Err()))
	for _, gone := range action.Removed(sh.currentSettings().Keys) {
		all = append(all, finding{"keys", isWarn, gone, "take it out of " + config.Path()})
	}
	all = append(all, checkRules(ruleBook())...)
	all = append(all, checkQueue(sh)...)
	all = append(all, checkInotify(watchOnce()))
	all = append(all, checkTmux(tmuxHere(ctx))...)
	variable, value := locale()
	all = append(all, checkTerminal(os.Getenv("TERM"), variable, value)...)
	err := printAs(sh.out, asJSON, all, func(p *page) {
		for _, f := range all {
			p.line("%-4s  %s: %s", f.Status, f.Check, say.OneLine(f.Detail))
			if f.Remedy != "" {
				p.block("        ", f.Remedy)
			}
		}
		p.line("%s", toFix(all))
	})
	for _, f := range all {
		if f.Status == isFail && err == nil {
			return &failure{code: exitFailed}
		}
	}
	return err
}

// toFix says how many findings are not ok.
func toFix(all []finding) string {
	n := len(slices.DeleteFunc(slices.Clone(all), func(f finding) bool { return f.Status == isOK }))
	if n == 0 {
		return "\nThere is nothing to fix."
	}
	return "\n" + say.Count(n, "thing") + " to fix"
}

// checkSettings checks whether the settings file can be read.
func checkSettings(path string, err error) finding {
	switch {
	case config.Broken(err):
		return finding{"settings", isFail, err.Error(), "repair " + path + ", or move it away"}
	case err != nil:
		return finding{"settings", isWarn, err.Error(),
			"repair it there; choicetui config shows the values in force until then"}
	}
	if _, err := os.Stat(path); err != nil {
		return finding{"settings", isOK, "all defaults; a settings file would be " + path, ""}
	}
	return finding{"settings", isOK, path + " is valid", ""}
}

// checkProgram says which build this is, and checks whether a shell finds it. other is the choicetui that a shell
// finds; empty: it finds none.
func checkProgram(way agent.Way, other string) []finding {
	version := finding{Check: "version", Status: isOK, Detail: thisBuild().words()}
	switch {
	case way.First != "":
		return []finding{version, {"program", isWarn, "this choicetui is deleted when `go run` ends",
			"run in the directory of its sources: " + way.First}}
	case !filepath.IsAbs(way.Program):
		return []finding{version, {"program", isOK, "on PATH: " + other, ""}}
	}
	detail := way.Program + " is not on your PATH"
	if other != "" {
		detail = "a shell starts another choicetui: " + other + ", and this one is " + way.Program
	}
	return []finding{version, {"program", isWarn, detail, "put its directory on your PATH: export PATH=" +
		agent.ShellQuoted(filepath.Dir(way.Program)) + ":$PATH"}}
}

// checkRules checks whether the person's rules are applied. Without rules it returns nothing.
func checkRules(b *book.Book, err error) []finding {
	const check = "rules"
	if err != nil {
		return []finding{{check, isWarn, err.Error(), "set XDG_STATE_HOME or HOME"}}
	}
	if _, err := os.Lstat(b.Path()); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	list, broken, err := b.Read()
	var unsafe *book.Unsafe
	switch {
	case errors.As(err, &unsafe):
		return []finding{{check, isFail, rulesUnsafe(unsafe.Path, unsafe.Problem),
			"look at what is there, then run: " + unsafe.Repair}}
	case err != nil:
		return []finding{{check, isFail, err.Error() + ", so no rule is applied",
			"repair " + b.Path() + ", or move it away"}}
	case len(broken) > 0:
		first := broken[0]
		return []finding{{check, isWarn, ruleBroken(b.Path(), first.Line, first.Reason),
			"take that line out of " + b.Path()}}
	}
	return []finding{{check, isOK, fmt.Sprintf("%s in %s", say.Count(len(list), "rule"), b.Path()), ""}}
}
