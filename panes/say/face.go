package say

import (
	"strings"
)

// Face names the reader of the words. The same surface has different names depending on its neighbours, a screen has
// room for a few words behind a key, and lines are whole sentences that may be heard.
type Face int

// Faces.
const (
	faceHistory Face = iota // what happened, told later
	FaceScreen              // the person's own screen
	FaceCommand             // a command for scripts
	FaceLines               // the dashboard as lines
	FacePage                // the page in the browser
)

// side picks the words of a face where screen and lines need different ones.
func (f Face) side(screen, lines string) string {
	if f == FaceLines {
		return lines
	}
	return screen
}

// Sentence writes separate words as lines do: with a capital and a full stop.
func Sentence(words string) string { return FaceLines.sentence(words) }

// sentence returns the form in which a face writes a separate sentence.
func (f Face) sentence(words string) string {
	return f.side(words, Capital(words)+".")
}

// Capital begins words with a capital.
func Capital(words string) string {
	if words == "" {
		return ""
	}
	return strings.ToUpper(words[:1]) + words[1:]
}
