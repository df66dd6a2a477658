package cli

import (
	"fmt"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	// inBackticks matches the name of a test, a test script or a package in a document.
	inBackticks = regexp.MustCompile("`(?:(Test[A-Z]\\w+)|([a-z_]+\\.txtar)|" +
		"((?:app|config|mcpbridge|panes|queue)(?:/[a-z0-9]+)*))`")
	// pointer matches a reference to a document and its section in a comment.
	pointer = regexp.MustCompile(`docs/([\w-]+\.md)(?: section (\d+(?:\.\d+)?))?`)
	heading = regexp.MustCompile(`(?m)^##+ (\d+(?:\.\d+)?)\b`)
	// elsewhere matches a reference to a document that is not in the repository.
	elsewhere = regexp.MustCompile(`\bDESIGN\b|\bWIREFRAMES\b|\bSTYLE\b|\bfacts/|\bseeds?/|\bseed [\w-]+\.md`)
)

// namedElsewhere returns the references in a text to documents that are not in the repository. It runs the slow pattern
// only if a quick search finds a part of one.
func namedElsewhere(text string) []string {
	for _, part := range []string{"DESIGN", "WIREFRAMES", "STYLE", "facts/", "seed"} {
		if strings.Contains(text, part) {
			return elsewhere.FindAllString(text, -1)
		}
	}
	return nil
}

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

// A comment may refer only to documents that a reader of this repository can open.
func TestEveryDocumentThatACommentNamesIsThere(t *testing.T) {
	root := filepath.Join("..", "..")
	files, _ := tree(t, root)
	assert.Empty(t, astray(files, sectionsOf(documents(t, root))))
}

func TestCommentsThatPointNowhereAreFound(t *testing.T) {
	sections := sectionsOf(map[string]string{"design.md": "# Design\n\n## 4. The domain\n\n### 4.1 Words\n"})
	for comment, found := range map[string]int{
		"see docs/design.md":                        0,
		"rule 6 of docs/design.md section 4":        0,
		"see docs/design.md section 4.1, \"Words\"": 0,
		"see docs/design.md\n// section 5":          1,
		"see docs/plan.md":                          1,
		"DESIGN section 3":                          1,
		"(seed provide-choice.md)":                  1,
		"measured: facts/tui.md and WIREFRAMES":     2,
		"the redesign of facts":                     0,
	} {
		src := source{"queue/x.go", "package queue\n\n// " + comment + "\nvar x = `DESIGN`\n"}
		assert.Len(t, astray([]source{src}, sections), found, comment)
	}
}

// link matches a link in a document to another file of the repository.
var link = regexp.MustCompile(`\]\(([^)#:\s]+)(?:#[^)]*)?\)`)

func TestEveryLinkOfADocumentLeadsToAFile(t *testing.T) {
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
				_, err := os.Stat(filepath.Join(filepath.Dir(file), filepath.FromSlash(to[1])))
				assert.NoError(t, err, "%s links to %s", file, to[1])
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

// sectionsOf returns the numbers of each document's sections.
func sectionsOf(documents map[string]string) map[string][]string {
	sections := map[string][]string{}
	for name, text := range documents {
		sections[name] = []string{}
		for _, h := range heading.FindAllStringSubmatch(text, -1) {
			sections[name] = append(sections[name], h[1])
		}
	}
	return sections
}

// astray returns the comments that name a missing document or section.
func astray(files []source, sections map[string][]string) (found []string) {
	for _, f := range files {
		tokens := token.NewFileSet()
		parsed, err := parser.ParseFile(tokens, f.path, f.text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			found = append(found, err.Error())
			continue
		}
		for _, group := range parsed.Comments {
			at := tokens.Position(group.Pos())
			text := strings.Join(strings.Fields(group.Text()), " ")
			for _, word := range namedElsewhere(text) {
				found = append(found, fmt.Sprintf("%s: %q is no document here: point to one in docs, or say the reason", at, word))
			}
			for _, p := range pointer.FindAllStringSubmatch(text, -1) {
				switch there, known := sections[p[1]]; {
				case !known:
					all := slices.Sorted(maps.Keys(sections))
					found = append(found, fmt.Sprintf("%s: there is no docs/%s, only %v", at, p[1], all))
				case p[2] != "" && !slices.Contains(there, p[2]):
					found = append(found, fmt.Sprintf("%s: docs/%s has no section %s", at, p[1], p[2]))
				}
			}
		}
	}
	return found
}
