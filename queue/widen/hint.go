package widen

import "strings"

// hint begins a line in which an agent says that a question is one for the team. The blank belongs to it.
const hint = "[WIDEN-HINT] "

// CutHint removes the mark from a hint; ok is false if the line is no hint.
func CutHint(line string) (words string, ok bool) {
	line = strings.TrimRight(line, "\r\n")
	if strings.ContainsAny(line, "\r\n") {
		return "", false
	}
	return strings.CutPrefix(line, hint)
}

// TakeHints takes the hints out of a text of many lines, as a prompt is.
func TakeHints(text string) (rest string, hints []string) {
	if !strings.Contains(text, hint) { // as good as always, and asked at every key
		return text, nil
	}
	var kept []string
	for line := range strings.Lines(text) {
		if words, ok := CutHint(line); ok {
			hints = append(hints, words)
		} else {
			kept = append(kept, line)
		}
	}
	return strings.Join(kept, ""), hints
}
