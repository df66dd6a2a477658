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

// pathInBackticks matches a path from the root of the repository, or the name of a source file.
var pathInBackticks = regexp.MustCompile("`((?:(?:app|config|mcpbridge|panes|queue|docs|testdata|\\.ci)/|[a-z_*]+\\.(?:go|js)`)[^`]*)")

// A document leads to files. A name without a directory is in the directory that the paragraph, or the row of a table,
// named last.
func TestEveryPathInADocumentIsThere(t *testing.T) {
	root := filepath.Join("..", "..")
	found := 0
	for name, text := range documents(t, root) {
		for _, line := range regexp.MustCompile(`\n(?:\n|\||- )`).Split(text, -1) {
			last := ""
			for _, named := range pathInBackticks.FindAllStringSubmatch(line, -1) {
				to := strings.TrimSuffix(named[1], "`")
				if strings.ContainsAny(to, "<… ") || strings.Contains(to, "NAME") || strings.Contains(to, "AGENT") {
					continue // a place that is to be filled in
				}
				full := strings.Contains(to, "/")
				if full {
					last = to
					if strings.Contains(path.Base(to), ".") {
						last = path.Dir(to)
					}
				} else {
					if last == "" {
						continue // not a file of the repository
					}
					to = path.Join(last, to)
				}
				found++
				there, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(to)))
				require.NoError(t, err)
				assert.NotEmpty(t, there, "%s names %s", name, to)
			}
		}
	}
	require.Greater(t, found, 100)
}

// inMap matches a folder in the map of docs/design.md.
var inMap = regexp.MustCompile(`([a-z]+)/( |$)`)

// A folder in the map is in the folder above it with less indent, or in the first one of its own line.
func TestEveryFolderInTheMapIsThere(t *testing.T) {
	root := filepath.Join("..", "..")
	_, text, _ := strings.Cut(documents(t, root)["design.md"], "\n```\nmain.go")
	text, _, found := strings.Cut(text, "```")
	require.True(t, found)
	var above []string // by depth
	named := 0
	for _, line := range strings.Split(text, "\n")[1:] {
		depth := (len(line) - len(strings.TrimLeft(line, " "))) / 2
		first := ""
		for i, m := range inMap.FindAllStringSubmatch(line, -1) {
			if i == 0 && depth <= len(above) {
				above = append(above[:depth], m[1])
				first = m[1]
			}
			named++
			up := path.Join(above[:min(depth, len(above))]...)
			_, beside := os.Stat(filepath.Join(root, up, m[1]))
			_, below := os.Stat(filepath.Join(root, up, first, m[1]))
			assert.True(t, beside == nil || below == nil, "the map has %s/ in %q", m[1], strings.TrimSpace(line))
		}
	}
	require.Greater(t, named, 30)
}
