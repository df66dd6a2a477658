package cli

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What a person reads stands in panes/say, once for every face (docs/design.md section 3). A face and its desk may have
// names of two words at most: three make a sentence.
var (
	withoutWords  = []string{"app/plain", "app/desk", "app/screen", "app/widen/talk"}
	mostOfAName   = 2
	forProgrammer = []string{"log", "slog", "debug"} // packages whose words no person at the pane reads
)

func TestFacesHaveNoSentencesOfTheirOwn(t *testing.T) {
	files, _ := tree(t, filepath.Join("..", ".."))
	require.Greater(t, len(files), 20)
	assert.Empty(t, sentences(files))
}

func TestASentenceInAFaceIsCaught(t *testing.T) {
	for name, src := range map[string]string{
		"whole":          "var x = \"Nothing was sent.\"",
		"raw":            "var x = `Nothing was sent.`",
		"with verbs":     "func f() { say(\"%s from %s, %s\") }",
		"over two lines": "var x = \"Nothing \" +\n\"was sent.\"",
		"around names":   "func f(key string) string { return key + \" again quits; \" + key + \" waits\" }",
		"in parentheses": "func f(key string) string { return \"Enter \" + (key + \" sends\") + \" it\" }",
		"of an error":    "var err = errors.New(\"the answer was lost\")",
		"handed on":      "func f() { panics(\"that cannot be\") }",
		"within a sum":   "func f() string { return \"! \" + words(\"that cannot be\") }",
	} {
		for _, pkg := range withoutWords {
			assert.Len(t, sentences([]source{{pkg + "/x.go", "package x\n" + src}}), 1, "%s in %s", name, pkg)
		}
	}
}

func TestWhatIsNoSentenceMayStandInAFace(t *testing.T) {
	for name, s := range map[string]source{
		"a name":               {"app/desk/x.go", "var err = errors.New(\"too soon\")"},
		"a format":             {"app/screen/x.go", "var x = \"%s: %w\""},
		"signs between names":  {"app/plain/x.go", "func f(a, b string) string { return a + \" · \" + b + \" · \" + a }"},
		"a panic":              {"app/desk/x.go", "func f() { panic(\"no seat was given\") }"},
		"a line of a log":      {"app/desk/x.go", "func f() { slog.Info(\"the queue was read\") }"},
		"a test":               {"app/plain/x_test.go", "var x = \"Nothing was sent.\""},
		"a command of a shell": {"app/cli/x.go", "var x = \"Nothing was sent.\""},
		"the words themselves": {"panes/say/x.go", "var x = \"Nothing was sent.\""},
	} {
		assert.Empty(t, sentences([]source{{s.path, "package x\n" + s.text}}), name)
	}
}

// sentences names what a person would read and does not stand in panes/say.
func sentences(files []source) (found []string) {
	for _, f := range files {
		if strings.HasSuffix(f.path, "_test.go") || !slices.Contains(withoutWords, path.Dir(f.path)) {
			continue
		}
		tokens := token.NewFileSet()
		tree, err := parser.ParseFile(tokens, f.path, f.text, parser.SkipObjectResolution)
		if err != nil {
			found = append(found, err.Error())
			continue
		}
		for _, l := range literals(tree) {
			words := slices.DeleteFunc(strings.Fields(l.text),
				func(w string) bool { return !strings.ContainsFunc(w, unicode.IsLetter) })
			if len(words) > mostOfAName {
				found = append(found, fmt.Sprintf("%s: %q belongs to panes/say", tokens.Position(l.at), l.text))
			}
		}
	}
	return found
}

// literal is a text in the source. A sum of strings is one, with a blank for what it adds besides literals.
type literal struct {
	at   token.Pos
	text string
}

// literals returns the texts below a node, without those that are for a programmer.
func literals(n ast.Node) (list []literal) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			return !readByNobody(n)
		case *ast.BinaryExpr:
			if n.Op != token.ADD {
				return true
			}
			left, right := literals(n.X), literals(n.Y)
			sum := literal{at: n.Pos()}
			for _, side := range [][]literal{left, right} {
				for _, l := range side {
					sum.text += l.text + " "
				}
			}
			list = append(list, sum)
			return false
		case *ast.BasicLit:
			if text, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING {
				list = append(list, literal{n.Pos(), text})
			}
		}
		return true
	})
	return list
}

// readByNobody reports whether a call's words are for a programmer: of a panic, or of a log.
func readByNobody(call *ast.CallExpr) bool {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name == "panic"
	case *ast.SelectorExpr:
		of, _ := f.X.(*ast.Ident)
		return of != nil && slices.Contains(forProgrammer, of.Name)
	}
	return false
}
