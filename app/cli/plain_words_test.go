package cli

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// foreignWords matches phrases that are correct English but that no native speaker would write on a screen or in a
// page, each with its usual replacement: continues, is shown, again, on its own, is not possible with, don't, pending.
var foreignWords = regexp.MustCompile(`(?i)\bgoes on\b|\banew\b|\bby (itself|themselves)\b|\bstands still\b|` +
	`\bdoes not go with\b|\bleaves it undone\b|\bnothing of (it|them)\b|\bnone of it\b|\bwhat waits\b|` +
	`\bof its own accord\b|\bit is said\b|\bcannot be had\b|\bbelong into\b|` +
	`\bis to be (shown|allowed|approved|confirmed|opened|hidden)\b`)

// prescribed lists sentences with such words that stay.
var prescribed = []string{
	"The person asked their team first, and answered by themselves", // of several people, one answered
}

// foreignIn returns the phrases of a text that are not natural English.
func foreignIn(text string) []string {
	for _, words := range prescribed {
		text = strings.ReplaceAll(text, words, "")
	}
	return foreignWords.FindAllString(text, -1)
}

func TestSentencesForPeopleAreNaturalEnglish(t *testing.T) {
	files, _ := tree(t, filepath.Join("..", ".."))
	for _, f := range files {
		if strings.HasSuffix(f.path, "_test.go") || strings.Contains(f.path, "storetest") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), f.path, f.text, parser.SkipObjectResolution)
		require.NoError(t, err)
		ast.Inspect(parsed, func(n ast.Node) bool {
			if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
				text, _ := strconv.Unquote(l.Value)
				assert.Empty(t, foreignIn(text), "%s: %s", f.path, text)
			}
			return true
		})
	}
	pages, err := filepath.Glob(filepath.Join("..", "..", "docs", "*.md"))
	require.NoError(t, err)
	for _, page := range append(pages, filepath.Join("..", "..", "README.md")) {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		assert.Empty(t, foreignIn(string(text)), page)
	}
}

func TestForeignWordsAreFound(t *testing.T) {
	require.Equal(t, []string{"goes on", "anew"}, foreignIn("It goes on, and begins anew."))
	require.Empty(t, foreignIn("It continues and begins again; "+prescribed[0]))
}
