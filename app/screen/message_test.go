package screen

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/ink"
)

// constants returns the strings of an expression, with nothing for what is filled in at run time.
func constants(e ast.Expr) (words string) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			f, ok := n.Fun.(*ast.SelectorExpr)
			return ok && (f.Sel.Name == "Sprintf" || f.Sel.Name == "Keyed") // the arguments of others are no words
		case *ast.FuncLit:
			return false
		case *ast.BasicLit:
			if n.Kind == token.STRING {
				text, _ := strconv.Unquote(n.Value)
				words += text
			}
		}
		return true
	})
	return words
}

// reason matches functions that say why a key has no effect, or what one has done.
var reason = regexp.MustCompile(`^(why|unchangeable|refusal|refuse|pasteWords|WhyNot|counted|nothing|Nothing|` +
	`overLong|Line|ChatOff|PasteWhere|NoStep|unsent|takenBack)`)

// inLines are said in lines alone, which the terminal wraps.
var inLines = []string{"LineTooSoon", "LineNotTaken"}

// said returns the expressions of a file that may stand in the Enter line's place.
func said(file *ast.File) (list []ast.Expr) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.SelectorExpr); ok && (f.Sel.Name == "Say" || f.Sel.Name == "New") {
				list = append(list, n.Args...)
			}
		case *ast.AssignStmt:
			for i, to := range n.Lhs {
				if name := nameOf(to); len(n.Lhs) == len(n.Rhs) && (name == "message" || name == "words" || name == "note") {
					list = append(list, n.Rhs[i])
				}
			}
		case *ast.FuncDecl:
			if reason.MatchString(n.Name.Name) && !slices.Contains(inLines, n.Name.Name) {
				list = append(list, returned(n.Body)...)
			}
		case *ast.ValueSpec: // constants and maps of words
			for _, v := range n.Values {
				if words, ok := v.(*ast.CompositeLit); ok {
					for _, e := range words.Elts {
						if pair, ok := e.(*ast.KeyValueExpr); ok {
							list = append(list, pair.Value)
						}
					}
					continue
				}
				list = append(list, v)
			}
		}
		return true
	})
	return list
}

func nameOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.Ident:
		return e.Name
	}
	return ""
}

func returned(body *ast.BlockStmt) (list []ast.Expr) {
	ast.Inspect(body, func(n ast.Node) bool {
		if r, ok := n.(*ast.ReturnStmt); ok {
			list = append(list, r.Results...)
		}
		return true
	})
	return list
}

func TestNoMessageIsCutAt40Cells(t *testing.T) {
	n := 0
	for _, pattern := range []string{"*.go", "../../queue/desk/*.go", "../../panes/*/*.go"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, name := range files {
			if strings.HasSuffix(name, "_test.go") {
				continue
			}
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
			require.NoError(t, err)
			for _, e := range said(file) {
				if words := constants(e); words != "" {
					n++
					assert.LessOrEqual(t, len(ink.Wrap(words, 40)), 2, "%s: %s", name, words)
				}
			}
		}
	}
	require.Greater(t, n, 100)
	for _, words := range []string{"only the listed options are allowed: x cancels with a reason",
		"press q again to leave; the question stays in the dashboard",
		"hidden in all future questions: v shows it, V there brings it back",
		`timeout_seconds is "abc"; it must be a whole number of seconds from 1 to 86400`,
		"not written: that file is there already, give another name",
		"⏎ was ignored (typed too fast), press it again"} {
		assert.LessOrEqual(t, len(ink.Wrap(words, 40)), 2, words)
	}
}

func TestShowPasting_StaysUntilThePasteIsOver(t *testing.T) {
	b := newBench(t, 80, 24)
	b.ask(database(), shop())
	b.showPasting(true)
	b.clock.Pass(time.Minute)
	require.Equal(t, "pasting… (^C ends it)", b.said())
	b.showPasting(false)
	require.Empty(t, b.said())
	b.Say("something else")
	b.showPasting(false)
	require.Equal(t, "something else", b.said())
}
