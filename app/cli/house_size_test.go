package cli

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// How large things may grow (docs/design.md section 3). Tests are exempt: tables and recorded text may be long.
const (
	mostColumns     = 120 // of a line, where a tab takes four
	mostLines       = 400 // of a file
	mostOfAFunction = 40  // lines, from func to its last brace
	mostFiles       = 3   // in which the methods of one type stand
)

func TestHouseKeepsItsSizes(t *testing.T) {
	files, _ := tree(t, filepath.Join("..", ".."))
	require.Greater(t, len(files), 20)
	assert.Empty(t, oversized(files))
}

func TestHouseSizesCatchWhatGrewTooLarge(t *testing.T) {
	lines := func(n int) string { return strings.Repeat("\n", n) }
	method := func(n int) source {
		return source{fmt.Sprintf("queue/x%d.go", n), fmt.Sprintf("package x\nfunc (t *T) m%d() {}", n)}
	}
	for _, c := range []struct {
		name, want string
		files      []source
	}{
		{"line", "queue/x.go:2: 121 columns", []source{{"queue/x.go", "package x\n//" + strings.Repeat("x", 119)}}},
		{"line behind tabs", "queue/x.go:3: 121 columns",
			[]source{{"queue/x.go", "package x\nfunc f() {\n\t\t//" + strings.Repeat("x", 111) + "\n}"}}},
		{"file", "queue/x.go: 401 lines", []source{{"queue/x.go", "package x" + lines(401)}}},
		{"file without a last line break", "queue/x.go: 401 lines", []source{{"queue/x.go", "package x" + lines(400) + "//"}}},
		{"function", "queue/x.go: f has 41 lines", []source{{"queue/x.go", "package x\nfunc f() {" + lines(40) + "}"}}},
		{"method", "queue/x.go: m has 41 lines", []source{{"queue/x.go", "package x\nfunc (T) m() {" + lines(40) + "}"}}},
		{"type", "queue.T: its methods stand in 4 files", []source{method(1), method(2), method(3), method(4)}},
		{"type with parameters", "queue.T: its methods stand in 4 files", []source{method(1), method(2), method(3),
			{"queue/x4.go", "package x\nfunc (t T[K, V]) m() {}"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			found := oversized(c.files)
			require.Len(t, found, 1)
			assert.Contains(t, found[0], c.want)
		})
	}
}

func TestHouseSizesLetPassWhatIsJustSmallEnough(t *testing.T) {
	lines := func(n int) string { return strings.Repeat("\n", n) }
	for name, files := range map[string][]source{
		"line":     {{"queue/x.go", "package x\n//" + strings.Repeat("ä", 118)}},
		"file":     {{"queue/x.go", "package x" + lines(400)}},
		"function": {{"queue/x.go", "package x\nfunc f() {" + lines(39) + "}"}},
		"test":     {{"queue/x_test.go", "package x\nfunc f() {" + lines(500) + "}//" + strings.Repeat("x", 200)}},
		"type": {{"queue/a.go", "package x\nfunc (T) a() {}"}, {"queue/b.go", "package x\nfunc (T) b() {}"},
			{"queue/c.go", "package x\nfunc (T) c() {}"}, {"queue/c_test.go", "package x\nfunc (T) d() {}"}},
		"type of the same name elsewhere": {{"queue/a.go", "package x\nfunc (T) a() {}"},
			{"queue/b.go", "package x\nfunc (T) b() {}"}, {"config/c.go", "package x\nfunc (T) c() {}"},
			{"config/d.go", "package x\nfunc (T) d() {}"}},
	} {
		assert.Empty(t, oversized(files), name)
	}
}

// oversized names what is larger than the house allows.
func oversized(files []source) (found []string) {
	standsIn := map[string]map[string]bool{} // files by the type whose methods they hold
	for _, f := range files {
		if strings.HasSuffix(f.path, "_test.go") || path.Dir(f.path) == forTests {
			continue
		}
		found = append(found, longLines(f)...)
		tokens := token.NewFileSet()
		tree, err := parser.ParseFile(tokens, f.path, f.text, parser.SkipObjectResolution)
		if err != nil {
			found = append(found, err.Error())
			continue
		}
		for _, d := range tree.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if n := tokens.Position(fn.End()).Line - tokens.Position(fn.Pos()).Line + 1; n > mostOfAFunction {
				found = append(found, fmt.Sprintf("%s: %s has %d lines, at most %d", f.path, fn.Name.Name, n, mostOfAFunction))
			}
			if of := methodOf(fn); of != "" {
				of = path.Dir(f.path) + "." + of
				if standsIn[of] == nil {
					standsIn[of] = map[string]bool{}
				}
				standsIn[of][path.Base(f.path)] = true
			}
		}
	}
	for _, of := range slices.Sorted(maps.Keys(standsIn)) {
		if in := slices.Sorted(maps.Keys(standsIn[of])); len(in) > mostFiles {
			found = append(found, fmt.Sprintf("%s: its methods stand in %d files, at most %d: %s", of, len(in), mostFiles,
				strings.Join(in, ", ")))
		}
	}
	return found
}

// longLines names the lines of a file that are too long, and the file if it has too many.
func longLines(f source) (found []string) {
	lines := strings.Split(strings.TrimSuffix(f.text, "\n"), "\n")
	if len(lines) > mostLines {
		found = append(found, fmt.Sprintf("%s: %d lines, at most %d", f.path, len(lines), mostLines))
	}
	for i, line := range lines {
		if n := utf8.RuneCountInString(line) + 3*strings.Count(line, "\t"); n > mostColumns {
			found = append(found, fmt.Sprintf("%s:%d: %d columns, at most %d", f.path, i+1, n, mostColumns))
		}
	}
	return found
}

// methodOf is the type that a function is a method of, "" if it is none.
func methodOf(fn *ast.FuncDecl) string {
	if fn.Recv == nil || len(fn.Recv.List) == 0 {
		return ""
	}
	of := fn.Recv.List[0].Type
	for {
		switch t := of.(type) {
		case *ast.StarExpr:
			of = t.X
		case *ast.IndexExpr:
			of = t.X
		case *ast.IndexListExpr:
			of = t.X
		case *ast.Ident:
			return t.Name
		default:
			return ""
		}
	}
}
