package cli

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// readByName is how a program reads one variable of its environment.
var readByName = regexp.MustCompile(`(?:Getenv|LookupEnv|\benv)\("([A-Z_]+)"\)`)

// ofTheSystem are variables that mean the same to every program.
var ofTheSystem = []string{"PATH"}

func TestEveryVariableThatIsReadStandsInTheHelp(t *testing.T) {
	known := " " + strings.Join(ofTheSystem, " ") + " "
	for _, v := range variables {
		known += strings.ReplaceAll(v.name, ",", "") + " "
	}
	files, _ := tree(t, filepath.Join("..", ".."))
	read := 0
	for _, f := range files {
		if strings.HasSuffix(f.path, "_test.go") || strings.HasPrefix(f.path, "app/cli/man/") {
			continue
		}
		if !strings.Contains(f.text, `nv("`) { // to look for the pattern takes much longer
			continue
		}
		for _, name := range readByName.FindAllStringSubmatch(f.text, -1) {
			read++
			assert.Contains(t, known, " "+name[1]+" ", "%s reads it", f.path)
		}
	}
	require.Greater(t, read, 10)
}

func TestEveryExitCodeStandsInTheHelp(t *testing.T) {
	text := environmentText().String()
	for code, of := range map[int]string{exitDone: "done", exitFailed: "anything", exitClosed: "gate",
		exitCancelled: "cancelled", exitTimeout: "timed out", exitMissing: "not found", exitLeft: "attach"} {
		require.Regexp(t, regexp.MustCompile(`(?m)^  `+string(rune('0'+code))+`   .*`+of), text)
	}
}
