package say

// Why the person's own editor does not open.
const (
	NoEditor     = "no editor here"
	TerminalLent = "another program is using the terminal"
)

// EditorTrouble says what went wrong with the person's editor.
func EditorTrouble(err error) string { return "the editor: " + err.Error() }
