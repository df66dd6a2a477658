package claude

import (
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/choicetui/choicetui/mcpbridge/call"
)

// promptTool is the flag by which a program that runs Claude Code, such as an editor, answers permission prompts
// itself.
const promptTool = "--permission-prompt-tool"

// attendance is the variable in which Claude Code tells its hooks whether it has a terminal with a person: 1 or 0.
// claude -p and the SDK have none. An older version does not say.
const attendance = "CLAUDE_CODE_SESSION_ATTENDED"

// attended reports whether Claude Code has a terminal with a person. It is false where Claude does not say.
func attended() bool { return os.Getenv(attendance) == "1" }

// shows reports whether a person sees Claude Code's own permission prompt while the hook runs: in its terminal, or in
// the editor that has started it with promptTool. claude -p without it asks nobody.
func shows() bool {
	return attended() || slices.ContainsFunc(call.ArgsOf(pid()), func(arg string) bool {
		return arg == promptTool || strings.HasPrefix(arg, promptTool+"=")
	})
}

// headless reports whether Claude Code runs without a person, as `claude -p` does: it shows no dialog then.
func headless() bool { return os.Getenv(attendance) == "0" && !shows() }

// pid returns the pid of the Claude Code that runs this hook; zero: it is not known.
func pid() int {
	pid, err := strconv.Atoi(os.Getenv("CLAUDE_PID"))
	if err != nil || pid <= 1 {
		return 0
	}
	return pid
}
