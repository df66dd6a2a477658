package cli

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// inBackticks matches the name of a test, a test script or a package in a document.
var inBackticks = regexp.MustCompile("`(?:(Test[A-Z]\\w+)|([a-z_]+\\.txtar)|" +
	"((?:app|config|mcpbridge|panes|queue)(?:/[a-z0-9]+)*))`")

// A document names the tests that hold its promises, so each of them must exist under that name in that place.
func TestEveryTestThatADocumentNamesIsThere(t *testing.T) {
	root := filepath.Join("..", "..")
	files, _ := tree(t, root)
	tests := map[string]string{} // by package: the text of its tests
	for _, f := range files {
		if strings.HasSuffix(f.path, "_test.go") {
			tests[path.Dir(f.path)] += f.text
		}
	}
	for name, text := range documents(t, root) {
		for _, section := range strings.Split(text, "\n## ") {
			in := ""
			for _, named := range inBackticks.FindAllStringSubmatch(section, -1) {
				switch {
				case named[1] != "":
					declared := strings.Contains(tests[in], "func "+named[1]+"(")
					assert.True(t, declared, "%s: %s is not in %q, the package named before it", name, named[1], in)
				case named[2] != "":
					assert.FileExists(t, filepath.Join(root, "testdata", "script", named[2]), name)
				default:
					in = named[3]
				}
			}
		}
	}
}

// link matches a link in a document to a file of the repository, to a heading, or to a heading of a file.
var link = regexp.MustCompile(`\]\(([^)#:\s]*)(?:#([^)\s]*))?\)`)

// heading matches a heading of a document.
var heading = regexp.MustCompile(`(?m)^#+ (.*)$`)

// anchors returns the names under which the headings of a document are reached.
func anchors(text string) (all []string) {
	for _, h := range heading.FindAllStringSubmatch(text, -1) {
		all = append(all, strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
				return unicode.ToLower(r)
			}
			return -1
		}, h[1]))
	}
	return all
}

func TestEveryLinkOfADocumentLeadsToAFileAndItsHeading(t *testing.T) {
	root := filepath.Join("..", "..")
	found := 0
	for _, pattern := range []string{"README.md", "docs/*.md", "docs/*/*.md"} {
		all, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		require.NoError(t, err)
		for _, file := range all {
			raw, err := os.ReadFile(file)
			require.NoError(t, err)
			for _, to := range link.FindAllStringSubmatch(string(raw), -1) {
				found++
				target := file
				if to[1] != "" {
					target = filepath.Join(filepath.Dir(file), filepath.FromSlash(to[1]))
				}
				_, err := os.Stat(target)
				assert.NoError(t, err, "%s links to %s", file, to[1])
				if to[2] != "" && err == nil {
					text, err := os.ReadFile(target)
					require.NoError(t, err)
					assert.Contains(t, anchors(string(text)), to[2], "%s links to %s", file, to[0])
				}
			}
		}
	}
	require.Greater(t, found, 20)
}

// documents returns the texts in docs, by file name.
func documents(t *testing.T, root string) map[string]string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	require.NoError(t, err)
	require.NotEmpty(t, all)
	texts := map[string]string{}
	for _, file := range all {
		raw, err := os.ReadFile(file)
		require.NoError(t, err)
		texts[filepath.Base(file)] = string(raw)
	}
	return texts
}
