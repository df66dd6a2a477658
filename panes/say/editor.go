package say

// Reasons why the person's own editor does not open.
const (
	NoEditor     = "no editor here"
	TerminalLent = "another program is using the terminal"
)

// EditorTrouble reports an error of the person's editor.
func EditorTrouble(err error) string { return "the editor: " + err.Error() }
