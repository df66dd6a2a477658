package before

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/choicetui/choicetui/mcpbridge/call"
)

// contextLines is the number of lines of a file that Around shows before and after a change.
const contextLines = 10

// Around returns a change of a file as a unified diff without headings, with the lines around it. ok is false if the
// file cannot be read as this user's regular file, is longer than mostBytes, or does not contain old exactly once. An empty
// old replaces the whole file; then the diff has all its lines.
func Around(path, old, changed string) (diff string, ok bool) {
	text, ok := readOwn(path)
	if !ok {
		return "", false
	}
	var b strings.Builder
	write := func(sign, text string) {
		for line := range strings.Lines(text) {
			b.WriteString(sign + strings.TrimSuffix(line, "\n") + "\n")
		}
	}
	if old == "" {
		write("-", text)
		write("+", changed)
		return b.String(), true
	}
	if strings.Count(text, old) != 1 {
		return "", false
	}
	head, rest, _ := strings.Cut(text, old)
	// The diff has whole lines, and old may begin and end in the middle of one.
	start := strings.LastIndexByte(head, '\n') + 1
	end := strings.IndexByte(rest, '\n') + 1
	if end == 0 {
		end = len(rest)
	}
	if strings.HasSuffix(old, "\n") && strings.HasSuffix(changed, "\n") {
		end = 0
	}
	above, below := lines(head[:start]), lines(rest[end:])
	write(" ", strings.Join(above[max(0, len(above)-contextLines):], ""))
	write("-", head[start:]+old+rest[:end])
	write("+", head[start:]+changed+rest[:end])
	write(" ", strings.Join(below[:min(contextLines, len(below))], ""))
	return b.String(), true
}

// lines splits a text behind each newline.
func lines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n")
}

// readOwn returns the text of a regular file of this user. It follows no link.
func readOwn(path string) (text string, ok bool) {
	if !filepath.IsAbs(path) {
		return "", false
	}
	info, err := os.Lstat(path)
	if err != nil || info.Mode().Type() != 0 || info.Size() > mostBytes {
		return "", false
	}
	if owner, known := info.Sys().(*syscall.Stat_t); !known || int(owner.Uid) != os.Getuid() {
		return "", false
	}
	raw, err := file{root: filepath.Dir(path), path: filepath.Base(path)}.tail()
	return string(raw), err == nil
}

// Place returns where a command would run: the directory and its git branch. It starts no process.
func Place(dir string) (directory, branch string) { return dir, call.Branch(dir) }
