package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A document that says which test holds a promise is wrong once that test has another name.
func TestEveryTestThatADocumentNamesIsThere(t *testing.T) {
	root := filepath.Join("..", "..")
	files, _ := tree(t, root)
	var tests strings.Builder
	for _, f := range files {
		if strings.HasSuffix(f.path, "_test.go") {
			tests.WriteString(f.text)
		}
	}
	documents, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	require.NoError(t, err)
	require.NotEmpty(t, documents)
	for _, path := range documents {
		raw, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, named := range regexp.MustCompile("`(Test[A-Z]\\w+)`").FindAllStringSubmatch(string(raw), -1) {
			require.Contains(t, tests.String(), "func "+named[1]+"(", path)
		}
		for _, named := range regexp.MustCompile("`([a-z_]+\\.txtar)`").FindAllStringSubmatch(string(raw), -1) {
			require.FileExists(t, filepath.Join(root, "testdata", "script", named[1]), path)
		}
	}
}
