package native

// The tools of Qwen Code that are questions and plans.
const (
	toolQwenAsk  = "ask_user_question"
	toolQwenPlan = "exit_plan_mode"
)

// Qwen reads what a hook of Qwen Code was given; false where that is nothing to ask here. The hook runs where a prompt
// is about to be shown, whatever the way of working. A permission is answered in full. A question is refused, and the
// reason holds the answers: an allowed one would be shown there all the same, as a plan would be.
func Qwen(raw []byte, w Words, token func() string) (Asked, bool) {
	e, ok := readHook(raw, hookAgent{client: "qwen-code", where: "in qwen", source: "qwen"}, w, token)
	switch {
	case !ok || e.name != eventPermission || e.tool == toolQwenPlan:
		return Asked{}, false
	case e.tool == toolQwenAsk:
		return e.asksRefusing(byText("multiSelect"), byNumber,
			func(words string) []byte { return decided(verdict(false, words)) })
	}
	return e.allows(qwenTools, func(allowed bool, words string) []byte { return decided(verdict(allowed, words)) })
}

// qwenTools are the tools of Qwen Code that are shown in a form of their own.
var qwenTools = toolReaders{
	"run_shell_command": readCommand,
	"edit":              func(o object) (shown, bool) { return readEdits(o, o) },
	"write_file":        readWrite,
	"web_fetch":         readFetch,
}
