package agent

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// name is the command under which a shell finds this program.
const name = "choicetui"

// Program returns the word that starts this program in a pasted line: its name if a shell finds this very file under
// it, else its absolute path.
func Program() string {
	self, err := os.Executable()
	if err != nil || isFoundByShell(self) {
		return name
	}
	return self
}

// isFoundByShell reports whether a shell starts this file when it gets the name.
func isFoundByShell(self string) bool {
	found, err := exec.LookPath(name)
	if err != nil {
		return false
	}
	return SameFile(found, self)
}

// SameFile reports whether two paths lead to the same file, following links.
func SameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// Way describes how to start this program from elsewhere.
type Way struct {
	Program string // the program's name, or its absolute path
	First   string // a command to run first, in the directory of the sources; empty: none
}

// Here returns the way to start this program. A program that `go run` built is deleted before an agent could start it,
// so it must be installed first; the way then leads to the installed file.
func Here() Way {
	self, err := os.Executable()
	if err != nil || !builtToRunOnce(self) {
		return Way{Program: Program()}
	}
	if _, err := exec.LookPath(name); err == nil {
		return Way{Program: name}
	}
	return Way{Program: installPath(), First: "go install ."}
}

// onceOnly matches the directories in which `go run` builds a program: a temporary one, or its cache.
var onceOnly = regexp.MustCompile(`/go-build\d*/|/[0-9a-f]{64}-d/`)

// builtToRunOnce reports whether `go run` built the program at a path.
func builtToRunOnce(path string) bool { return onceOnly.MatchString(filepath.ToSlash(path)) }

// installPath returns the path to which `go install` writes this program. It returns only the name if the go tool does
// not say, or if a shell will find it there.
func installPath() string {
	said, err := exec.Command("go", "env", "GOBIN", "GOPATH").Output()
	if err != nil {
		return name
	}
	bin, path, _ := strings.Cut(strings.TrimSuffix(string(said), "\n"), "\n")
	if bin == "" {
		roots := filepath.SplitList(path)
		if len(roots) == 0 {
			return name
		}
		bin = filepath.Join(roots[0], "bin")
	}
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if filepath.Clean(dir) == filepath.Clean(bin) {
			return name
		}
	}
	return filepath.Join(bin, name)
}

// plainWord matches a word that needs no quotes in a shell.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9_@%+=:,./-]+$`)

// ShellQuoted returns a word quoted for a POSIX shell.
func ShellQuoted(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
