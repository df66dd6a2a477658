package prompt

import (
	"strings"

	"github.com/choicetui/choicetui/mcpbridge/wire"
	"github.com/choicetui/choicetui/queue"
)

// patchFiles lists the line beginnings that start the part of a patch for one file.
var patchFiles = []string{"*** Add File: ", "*** Update File: ", "*** Delete File: ", "*** Move to: "}

// ReadPatch reads a patch of Codex, one part for each file. ok is false for a patch with text before its first file.
func ReadPatch(o wire.Object) (s Shown, ok bool) {
	text, isText := o.Text("command")
	s.Names = []string{"command"}
	body, begins := strings.CutPrefix(strings.TrimSpace(text), "*** Begin Patch\n")
	body, ends := strings.CutSuffix(body, "\n*** End Patch")
	if !isText || !begins || !ends {
		return s, false
	}
	for line := range strings.Lines(body) {
		if path := patchFile(line); path != "" {
			s.Parts = append(s.Parts, queue.Part{Kind: queue.PartDiff, Label: path})
		}
		if len(s.Parts) == 0 {
			return s, false
		}
		s.Parts[len(s.Parts)-1].Text += line
	}
	var paths []string
	for i := range s.Parts {
		s.Parts[i].Text = strings.TrimSuffix(s.Parts[i].Text, "\n")
		path, _ := queue.ShownName(s.Parts[i].Label)
		paths = append(paths, path)
	}
	s.title = strings.Join(paths, ", ")
	return s, len(s.Parts) > 0
}

// patchFile returns the file whose part begins at this line of a patch; empty: the line begins none. Codex takes the
// blanks at both ends of such a line away, and no others.
func patchFile(line string) string {
	line = strings.TrimSpace(line)
	for _, begins := range patchFiles {
		if path, ok := strings.CutPrefix(line, begins); ok {
			return path
		}
	}
	return ""
}
