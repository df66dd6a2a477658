package cli

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/mcpbridge/native"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// natives lists what `choicetui native` runs, by its argument: processes for agents with prompts of their own, and
// those that outlive a hook.
var natives = map[string]func(context.Context, *shell) error{"opencode": serveOpencode, "codex": serveCodex,
	noticeArg: serveNotice, confirmationArg: serveConfirmation, orphanArg: serveOrphan}

func nativeCommand(sh *shell) *cobra.Command {
	return &cobra.Command{
		Use:    "native AGENT",
		Hidden: true,
		Short:  "Internal: used by agent plugins",
		Long: `native is run by agent plugins and hooks and by the dashboard, not by you.

opencode      run by its plugin, which choicetui setup installs: exchanges lines
              of JSON with the plugin
codex         run by the dashboard if Codex's server runs; needs no setup, see
              the settings native.codex and native.codex_homes
notice        run by hooks of Claude Code and Gemini CLI, for prompts that you
              can answer only in the agent's pane; ends when the agent continues
confirmation  run by a hook of Claude Code that printed an answer; ends when
              Claude Code says whether it took the answer
orphan        run by a hook of Copilot CLI while it waits; records why if
              Copilot CLI kills the hook`,
		Example: `  choicetui setup opencode`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 1 && natives[args[0]] != nil {
				return nil
			}
			return misused(cmd, "the agent: opencode or codex")
		},
		ValidArgs: []string{"opencode", "codex"}, // only hooks run the others
		RunE:      func(cmd *cobra.Command, args []string) error { return natives[args[0]](cmd.Context(), sh) },
	}
}

// nativeProcess returns the command `choicetui native WHAT` for a queue. The process outlives its parent: it gets its
// own session, because agents kill what a hook leaves in its process group. It keeps no directory in use.
func nativeProcess(what, queue string) (*exec.Cmd, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("failed to find choicetui's own program: %w", err)
	}
	child := exec.Command(self, "native", what, "--queue", queue)
	child.Dir, child.SysProcAttr = "/", &syscall.SysProcAttr{Setsid: true}
	return child, nil
}

// serveOpencode serves opencode's plugin until opencode ends. It reports no errors, because opencode shows its own
// prompt too.
func serveOpencode(ctx context.Context, sh *shell) error {
	sh.muteSettings()
	signal.Ignore(os.Interrupt) // Ctrl-C is meant for opencode
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	var once sync.Mutex
	var found *queue.Queue
	look := func() (*queue.Queue, error) { // the queue may not exist yet
		once.Lock()
		defer once.Unlock()
		if found != nil {
			return found, nil
		}
		q, err := sh.openExisting()
		if err == nil {
			found = q
		}
		return q, err
	}
	p := native.Plugin{Words: nativeWords(), Dir: config.RunDir(),
		Open: func(ctx context.Context) (*native.Intake, error) {
			q, err := look()
			if err != nil {
				return nil, err
			}
			return native.Open(ctx, native.Options{Queue: q, Left: nativeLeft, Before: nativeBefore,
				Settings: func() config.Settings { return sh.settings().Settings() }})
		},
		Dashboard: func(ctx context.Context) bool {
			q, err := look()
			return err == nil && native.Dashboard(ctx, q)
		}}
	p.Serve(ctx, sh.in, sh.out)
	return nil
}

// nativeWords returns our words for the agents' own prompts.
func nativeWords() native.Words {
	return native.Words{
		Title: nativeTitle, Rest: "it is also given",
		Once: "Allow once", Refuse: "Refuse",
		Session: func(what string) string { return "Allow for this session: " + what },
		Covers: func(agent, what string) string {
			return agent + " does not ask again for " + what + " until this session ends."
		},
		Always: func(what string) string { return "Allow always: " + what }, AlwaysCovers: nativeAlwaysCovers,
		Mode: func(mode string) string { return nativeModes[mode] },
		Folders: func(agent string, dirs []string) string {
			return agent + " may also work in " + strings.Join(dirs, ", ") + " until this session ends."
		},
		PlanTitle: func(heading string) string { return "A plan: " + heading },
		PlanOnce:  "Go ahead", PlanSession: "Go ahead, and edit without asking", PlanRefuse: "Keep planning",
		Form: nativeForm, Yes: "Yes", No: "No", LeaveOut: "Leave it empty",
		Takes:           func(want string) string { return "It takes " + want + "." },
		AddressQuestion: "Open this address yourself; nothing opens it for you.", Opened: "I opened it myself",
		Decline: "Decline",
		Declined: func(words string) string {
			return "The person declined to answer: “" + words + "”. Do not choose for them."
		},
		Refused:    "The person refused this. Do not try it again in another way; ask what they want instead.",
		MoreDetail: nativeMoreDetail,
		Answered: func(tool, result string) string {
			return "The person answered in choicetui. Treat this " + tool +
				" call as successful with response JSON: " + result + ". Do not ask again."
		},
		Untaken: lineUntaken, NotConfirmed: "it did not confirm that it took this",
		Codex: codexNativeWords(),
	}
}

// codexNativeWords returns our words for the choices that Codex offers.
func codexNativeWords() native.CodexWords {
	const keepsRule = "Codex keeps a rule and does not ask again, in any session, "
	return native.CodexWords{
		Stop: "Refuse, and stop this turn", StopCovers: "Codex ends what it is doing and waits for you.",
		Similar: func(prefix string) string { return "Allow always: " + prefix },
		SimilarCovers: func(prefix string) string {
			return keepsRule + "for a command that begins with " + prefix + "."
		},
		Host:       func(host string) string { return "Allow always: " + host },
		HostCovers: func(host string) string { return keepsRule + "before a command reaches " + host + "." },
		NotHost:    func(host string) string { return "Refuse always: " + host },
		NotHostCovers: func(host string) string {
			return "Codex keeps a rule, and no command reaches " + host + " any more."
		},
		SessionFiles:     "Allow changes of these files for this session",
		SessionCommand:   "Allow this command for this session",
		UntilSessionEnds: "Codex does not ask again for the same until this session ends.",
		Permissions:      func(n int) string { return "Codex wants " + say.Count(n, "more permission") },
		Which:            "Which of these do you allow, and for how long?",
		Turn:             "Allow for this turn", Session: "Allow for this session", Path: codexPath,
		Network: "Use the network",
	}
}

// nativeModes describes the permission modes of Claude Code that a person can choose here.
var nativeModes = map[string]string{
	"acceptEdits":       "It edits files without asking until this session ends.",
	"bypassPermissions": "It stops asking until this session ends: about commands, files or addresses.",
	"dontAsk":           "It does only what is allowed already, and stops asking until this session ends.",
	"default":           "It asks before it does something for the first time.",
	"plan":              "It only plans: it changes no file and runs no command.",
}

// nativeTitle returns the title of an approval.
func nativeTitle(tool, what string) string {
	if what == "" {
		return "Allow " + tool + "?"
	}
	return "Allow " + tool + ": " + what
}

// nativeForm returns the title of a form that an MCP server of the agent asks for.
func nativeForm(server string) string {
	if server == "" {
		return "A form"
	}
	return "A form of " + server
}

// nativeAlwaysCovers says what the choice for always allows. lasts: the agent remembers it after a restart.
func nativeAlwaysCovers(agent, what string, lasts bool) string {
	if lasts {
		return agent + " does not ask again for " + what + ", also after its next start."
	}
	return agent + " does not ask again for " + what + " until its next start."
}

// nativeMoreDetail tells an agent that the person wants to know more before deciding.
func nativeMoreDetail(about string) string {
	words := "The person wants more detail before deciding"
	if about != "" {
		words += ": “" + about + "”"
	}
	return words + ". Ask again with it."
}

// codexPath returns the label of a path that Codex wants to read or write. A path that begins with a colon is a name of
// Codex's for a place.
func codexPath(access, path string) string {
	if access == "write" {
		return "Write " + path
	}
	return "Read " + path
}

// nativeLeft says why a prompt went back to its agent.
const nativeLeft = "left to the agent because no dashboard is open any more"

// nativeBefore says why an agent did not take an answer. where is the place of the earlier answer: `in claude`.
func nativeBefore(where string) string { return "answered " + where + " before" }

// lineUntaken says why an agent's plugin could not deliver a line to its session. The agent is named beside it.
const lineUntaken = "its session did not take it and may be closed"
