package connect

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// name is the command by which a shell finds this program.
const name = "choicetui"

// Program returns the way in which a pasted line starts this program: its name if a shell finds this very file under
// it, else its absolute path.
func Program() string {
	self, err := os.Executable()
	if err != nil || isFound(self) {
		return name
	}
	return self
}

// isFound reports whether a shell that is told the name starts this file.
func isFound(self string) bool {
	found, err := exec.LookPath(name)
	if err != nil {
		return false
	}
	return SameFile(found, self)
}

// SameFile reports whether two names lead to one file, links followed.
func SameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// Way says how this program is started from elsewhere.
type Way struct {
	Program string // its name, or its absolute path
	First   string // a command that has to be run before, in the directory of the sources; empty: nothing
}

// Here returns the way to start this program. A program that `go run` built is gone before an agent starts it, so it
// has to be installed first, and the way leads to the place where it is installed.
func Here() Way {
	self, err := os.Executable()
	if err != nil || !builtToRunOnce(self) {
		return Way{Program: Program()}
	}
	if _, err := exec.LookPath(name); err == nil {
		return Way{Program: name}
	}
	return Way{Program: installed(), First: "go install ."}
}

// onceOnly matches the directories in which the go tool builds a program that it runs at once: one of its own, or its
// cache.
var onceOnly = regexp.MustCompile(`/go-build\d*/|/[0-9a-f]{64}-d/`)

func builtToRunOnce(path string) bool { return onceOnly.MatchString(filepath.ToSlash(path)) }

// installed returns the path at which `go install` puts this program. It returns the name alone if the go tool does not
// say, or if a shell will find it there.
func installed() string {
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

var plainWord = regexp.MustCompile(`^[A-Za-z0-9_@%+=:,./-]+$`)

// ShellQuoted returns a word in the form that a POSIX shell reads back unchanged.
func ShellQuoted(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
