package connect

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// name is what this program is called where a shell finds it.
const name = "choicetui"

// Program is how a line that somebody pastes starts this program: by its name where a shell finds this very file under
// it, else by its absolute path.
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

// SameFile reports whether two names are one file, links followed.
func SameFile(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}

// Way is how this program is started from elsewhere.
type Way struct {
	Program string // its name, or its absolute path
	First   string // what has to be run before, in the directory of the sources; empty: nothing
}

// Here is the way to this program. One that `go run` built is gone before an agent starts it, so it has to be
// installed first, and the way is to where that puts it.
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

// onceOnly is where the go tool builds what it runs at once: a directory of its own, or its cache.
var onceOnly = regexp.MustCompile(`/go-build\d*/|/[0-9a-f]{64}-d/`)

func builtToRunOnce(path string) bool { return onceOnly.MatchString(filepath.ToSlash(path)) }

// installed is where `go install` puts this program; its name alone where the go tool does not say, or where a shell
// will find it there.
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

// ShellQuoted is a word that a POSIX shell reads as it stands.
func ShellQuoted(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
