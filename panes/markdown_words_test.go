package panes

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// setIn is what of a fence's code is bold and what italic, piece by piece.
func setIn(language, code string) (bold, italic string) {
	var keys, remarks []string
	for _, l := range Markdown("```"+language+"\n"+code+"\n```", 80) {
		for _, s := range l {
			switch s.Style {
			case Plain.Bold(true):
				keys = append(keys, s.Text)
			case Plain.Italic(true):
				remarks = append(remarks, s.Text)
			}
		}
	}
	return strings.Join(keys, "|"), strings.Join(remarks, "|")
}

func TestFencedCodeHasItsKeywordsBoldAndItsCommentsItalic(t *testing.T) {
	for name, c := range map[string]struct{ language, code, bold, italic string }{
		"go":                  {"go", "func f() { return \"for // x\" } // if so", "func|return", "// if so"},
		"a block goes on":     {"go", "var a /* if\nfor */ range", "var|range", "/* if|for */"},
		"a raw string too":    {"go", "x := `if\nfor` + y; return", "return", ""},
		"shell":               {"sh", "if true; then rm -rf a#b; fi # done", "if|then|fi", "# done"},
		"flags are no words":  {"bash", "git log --for=x in-case ./do", "", ""},
		"sql in any case":     {"sql", "Drop TABLE orders -- from it", "Drop|TABLE", "-- from it"},
		"python":              {"python", "def f():\n    \"\"\"if\n    for\"\"\"\n    return 1  # x", "def|return", "# x"},
		"an escaped quote":    {"js", `let a = "\"if" + b`, "let", ""},
		"an unknown language": {"brainfuck", "if for while", "", ""},
		"no language":         {"", "if for while", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			bold, italic := setIn(c.language, c.code)
			assert.Equal(t, c.bold, bold)
			assert.Equal(t, c.italic, italic)
		})
	}
}

func TestSettingCodeLeavesNothingOut(t *testing.T) {
	code := "if x { // \u00e4\n\ty := \"\\\\\" + `\n`\n}"
	got := laid(Markdown("```go\n"+code+"\n```", 80))
	for line := range strings.SplitSeq(code, "\n") {
		require.Contains(t, got, strings.ReplaceAll(line, "\t", tabStop))
	}
}
