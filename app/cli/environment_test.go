package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/queue/desk/action"
)

// These patterns match the ways in which a program reads environment variables: one by its name, several in a row, one
// that a table names, and those that a library reads.
var (
	readByName   = regexp.MustCompile(`(?:Getenv|LookupEnv|\benv|\bget)\("([A-Z_]+)"\)`)
	readInARow   = regexp.MustCompile(`range \[\]string\{([^}]*)\} \{\s+if \w+(?:, \w+)? := os\.(?:Getenv|LookupEnv)\(`)
	readByTable  = regexp.MustCompile(`\bEnv:\s*"([A-Z_]+)"`)
	readByOthers = regexp.MustCompile(`\bxdg\.([A-Z]\w+)`)
	wholeName    = regexp.MustCompile(`"([A-Z_]+)"`)
	nextWord     = regexp.MustCompile(`[a-z][A-Z]`)
)

// ofTheSystem lists variables that mean the same to every program.
var ofTheSystem = []string{"PATH", "HOME"}

// variablesOf returns the variables that a file reads.
func variablesOf(text string) (names []string) {
	for _, way := range []struct {
		sign string // a quick search for it avoids the slow pattern
		re   *regexp.Regexp
	}{{`nv("`, readByName}, {`get("`, readByName}, {`Env:`, readByTable}} {
		if strings.Contains(text, way.sign) {
			for _, found := range way.re.FindAllStringSubmatch(text, -1) {
				names = append(names, found[1])
			}
		}
	}
	if strings.Contains(text, "range []string{") {
		for _, row := range readInARow.FindAllStringSubmatch(text, -1) {
			for _, found := range wholeName.FindAllStringSubmatch(row[1], -1) {
				names = append(names, found[1])
			}
		}
	}
	if strings.Contains(text, "xdg.") {
		for _, found := range readByOthers.FindAllStringSubmatch(text, -1) {
			name := nextWord.ReplaceAllStringFunc(found[1], func(at string) string { return at[:1] + "_" + at[1:] })
			if name != "Home" {
				name = "XDG_" + name
			}
			names = append(names, strings.ToUpper(name))
		}
	}
	return names
}

func TestEveryVariableThatIsReadStandsInTheHelp(t *testing.T) {
	known := " " + strings.Join(ofTheSystem, " ") + " "
	for _, v := range environmentVars() {
		known += strings.ReplaceAll(v.name, ",", "") + " "
	}
	files, _ := tree(t, filepath.Join("..", ".."))
	read := 0
	for _, f := range files {
		if strings.HasSuffix(f.path, "_test.go") || strings.HasPrefix(f.path, "app/cli/man/") {
			continue
		}
		for _, name := range variablesOf(f.text) {
			read++
			assert.Contains(t, known, " "+name+" ", "%s reads it", f.path)
		}
	}
	require.Greater(t, read, 30)
}

func TestEveryWayToReadAVariableIsSeen(t *testing.T) {
	for text, want := range map[string][]string{
		`os.Getenv("ONE") + env("TWO")`:       {"ONE", "TWO"},
		`_, ok := os.LookupEnv("ONE")`:        {"ONE"},
		`dir = get("CODEX_HOME")`:             {"CODEX_HOME"},
		`Target{File: "~/x", Env: "CODE_DIR"`: {"CODE_DIR"},
		`xdg.RuntimeDir + xdg.Home`:           {"XDG_RUNTIME_DIR", "HOME"},
		"range []string{\"ONE\",\n\"TWO\"} {\n\tif v, ok := os.LookupEnv(name); ok {": {"ONE", "TWO"},
		"range []string{\"ONE\"} {\n\tuse(name)":                                      nil,
	} {
		assert.Equal(t, want, variablesOf(text), text)
	}
}

func TestEveryExitCodeStandsInTheHelp(t *testing.T) {
	text := environmentText().String()
	for code, of := range map[int]string{exitDone: "done", exitFailed: "any other", exitClosed: "gate",
		exitCancelled: "cancelled", exitTimeout: "timed out", exitMissing: "not found", exitLeft: "attach"} {
		require.Regexp(t, regexp.MustCompile(`(?m)^  `+string(rune('0'+code))+`   .*`+of), text)
	}
}

func TestHelpKeysListsEveryRowWithThePersonsOwnKeys(t *testing.T) {
	m, problems := action.New(map[string][]string{"note": {"N"}, "all": {}}, ink.Width)
	require.Empty(t, problems)
	text := keysText(m)
	for _, row := range m.HelpRows() {
		assert.Contains(t, text, row.Heading)
		words := strings.Join(strings.Fields(row.Keys+" "+row.Words), " ")
		assert.Contains(t, strings.Join(strings.Fields(text), " "), words)
	}
	assert.Contains(t, text, "\n  N             add a note to this option\n")
	assert.NotContains(t, text, "\n  n             a note")
	for l := range strings.SplitSeq(text, "\n") {
		assert.LessOrEqual(t, ink.Width(l), 80, l)
	}
}

func TestTheUsualEditorIsNotStartedWhereThereIsNoTerminal(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "vi"), []byte("#!/bin/sh\necho vi >\"$1\"\n"), 0o755))
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	t.Setenv("EDITOR", "")
	t.Setenv("VISUAL", "")
	in, out, err := os.Pipe()
	require.NoError(t, err)
	usual := os.Stdin
	os.Stdin = in
	t.Cleanup(func() { os.Stdin = usual; in.Close(); out.Close() })

	text, err := editText(t.Context(), "mine")
	require.ErrorContains(t, err, "no editor is set in $VISUAL or $EDITOR, and vi needs a terminal; the text is unchanged")
	assert.Equal(t, "mine", text)

	t.Setenv("EDITOR", "vi")
	text, err = editText(t.Context(), "mine")
	require.NoError(t, err, "one that the person named may do without")
	assert.Equal(t, "vi", text)
}
