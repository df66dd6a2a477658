package app

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/panes/ink"
	"github.com/choicetui/choicetui/queue"
)

func TestWhatNoKeyCausedStandsInTheRuleUntilItsCauseIsGone(t *testing.T) {
	for _, w := range []int{30, 40, 80} {
		b := newBench(t, w, 12)
		file := b.onFile("")
		s := b.ask(database(), shop())
		b.calm()
		write := func(text string) {
			require.NoError(t, os.MkdirAll(filepath.Dir(file.Path()), 0o700))
			require.NoError(t, os.WriteFile(file.Path(), []byte(text), 0o600))
			file.Reload()
			b.newSettings()
		}
		write(`{"theme": "post"}`)
		assert.Contains(t, b.foot(), "⏎ send PostgreSQL", "Enter says what it does")
		assert.Contains(t, b.picture(), "settings: ")
		b.press("j", "k")
		assert.Contains(t, b.picture(), "settings: ", "a key does not repair it")
		write(`{"theme": "auto"}`)
		assert.NotContains(t, b.picture(), "settings: ")

		b.arrived(batch{err: errors.New("disk on fire")})
		assert.Contains(t, b.picture(), "! the que")
		assert.Contains(t, b.foot(), "⏎ send PostgreSQL")
		b.arrived(batch{})
		assert.NotContains(t, b.picture(), "! the que")
		b.press("enter")
		require.False(t, b.get(s.ID).Pending())
	}
}

func TestWhatWasSentIsSaidAtEverySizeForAMomentOrUntilTheNextKey(t *testing.T) {
	for _, size := range sizes {
		b := newBench(t, size[0], size[1])
		b.ask(small("Deploy?", 100), infra())
		for range 4 {
			b.ask(database(), shop())
		}
		b.calm()
		b.press("enter")
		assert.Contains(t, b.picture(), "✓ PostgreSQL → infra", size)
		b.clock.pass(settle)
		b.press("j")
		assert.NotContains(t, b.foot(), "✓", size)
		assert.Contains(t, b.foot(), "⏎ send SQLite", size)

		b.calm()
		b.press("enter")
		b.clock.pass(saidFor)
		assert.NotContains(t, b.foot(), "✓", "not longer than a moment")
	}
}

func TestTheGuardsWordsWinOverWhatWasSent(t *testing.T) {
	b := newBench(t, 40, 12)
	b.ask(small("Deploy?", 100), infra())
	b.ask(database(), shop())
	b.ask(database(), shop())
	b.calm()
	b.press("enter")
	require.Contains(t, b.foot(), "✓ PostgreSQL → infra")
	b.press("enter")
	require.Contains(t, b.picture(), "ignored ⏎: this had just appeared, press\nagain")
	require.NotContains(t, b.foot(), "✓")
}

func TestAChatLineIsSaidToBeSent(t *testing.T) {
	b := newBench(t, 40, 12)
	s := b.ask(database(), shop())
	b.settleElsewhere(s, queue.SurfaceWeb, "lite")
	b.press("esc", "i")
	b.write("the README still says SQLite, please fix it")
	b.press("enter")
	require.Contains(t, b.foot(), "✓ “the README")
	require.Contains(t, b.foot(), "→ shop")
}

func TestReadyReasonsAreSaidInASmallPane(t *testing.T) {
	b := newBench(t, 40, 12)
	b.ask(database(), shop())
	b.calm()
	b.press("x", "down")
	require.Contains(t, b.picture(), "x cancel · why: …on with something else\n")
	require.Contains(t, b.picture(), "Esc keep the question  ↑↓ ready reasons\n")
}

// constants are the strings of an expression, with nothing for what is filled in at run time.
func constants(e ast.Expr) (words string) {
	ast.Inspect(e, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			if f, ok := call.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "Sprintf" {
				return true
			}
			return false // its arguments are no words
		}
		if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			text, _ := strconv.Unquote(lit.Value)
			words += text
		}
		return true
	})
	return words
}

func TestNoMessageIsCutAt40Cells(t *testing.T) {
	n := 0
	for _, dir := range []string{".", "../panes"} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		require.NoError(t, err)
		for _, name := range files {
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
			require.NoError(t, err)
			ast.Inspect(file, func(node ast.Node) bool {
				set, ok := node.(*ast.AssignStmt)
				if !ok || len(set.Lhs) != len(set.Rhs) || strings.HasSuffix(name, "_test.go") {
					return true
				}
				for i, to := range set.Lhs {
					if sel, ok := to.(*ast.SelectorExpr); ok && (sel.Sel.Name == "message" || sel.Sel.Name == "Note") {
						if words := constants(set.Rhs[i]); words != "" {
							n++
							assert.LessOrEqual(t, len(ink.Wrap(words, 40)), 2, "%s: %s", name, words)
						}
					}
				}
				return true
			})
		}
	}
	require.Greater(t, n, 40)
	for _, words := range []string{"this one takes its options only: x cancels it and tells why", "q again leaves; the question stays for the dashboard, this command is used up",
		"hidden from now on: v shows it, V there brings it back", `timeout_seconds is "abc"; it must be a whole number of seconds from 1 to 86400`,
		"not written: that file is there already, give another name", "ignored ⏎: that looked like typing for another pane"} {
		assert.LessOrEqual(t, len(ink.Wrap(words, 40)), 2, words)
	}
}

func TestClosedChatSaysToWhomItsTextWouldGo(t *testing.T) {
	for _, w := range []int{30, 40, 80} {
		b := newBench(t, w, 14)
		b.ask(database(), shop())
		b.ask(database(), infra())
		b.press("i")
		b.write("hello")
		assert.Contains(t, b.picture(), "closed")
		assert.Contains(t, b.picture(), "· to shop · claude")
		b.press("tab")
		assert.Contains(t, b.picture(), "· to infra · codex")
	}
}

func TestHistoryOfAHandOffFormListsWhatIsNotArchivedYet(t *testing.T) {
	b := newBench(t, 80, 24)
	b.past(time.Hour, small("Archived?", 300), infra(), time.Second, queue.Settle{Answer: chose("pg")}, true)
	b.past(time.Minute, small("Settled just now?", 300), infra(), time.Second, queue.Settle{Answer: chose("pg")}, false)
	s := b.ask(database(), shop())
	b.o.Attach = s.ID
	for id := range b.live { // a hand-off form watches its own session only
		if id != s.ID {
			delete(b.live, id)
		}
	}
	b.press("h")
	require.Contains(t, b.picture(), "Settled just now?")
	require.Contains(t, b.picture(), "Archived?")
	require.Contains(t, b.picture(), "2 settled")
}

func TestUndoOfASettingThatWasNotInTheFileTakesItOutAgain(t *testing.T) {
	b := newBench(t, 50, 20)
	b.onFile(`{"mine": 1}`)
	b.press("s")
	b.to("timeout_seconds")
	b.press("right", "right")
	require.JSONEq(t, `{"mine": 1, "timeout_seconds": 600}`, b.fileText())
	b.press("u")
	require.JSONEq(t, `{"mine": 1, "timeout_seconds": 420}`, b.fileText())
	b.press("u")
	require.JSONEq(t, `{"mine": 1}`, b.fileText())
	require.Contains(t, b.picture(), "The default, 300")
	b.to("notify.bell")
	b.press("space", "u")
	require.JSONEq(t, `{"mine": 1}`, b.fileText())
	b.to("hidden_options")
	require.Equal(t, "V on an option hides it", b.foot())
}

func TestTheFileNameIsOneLineThatScrolls(t *testing.T) {
	b := newBench(t, 40, 12)
	b.o.Home = t.TempDir()
	b.past(time.Hour, small("Which store, default hidden?", 300), infra(), time.Second, queue.Settle{Answer: chose("pg")}, true)
	b.press("h", "w")
	require.Contains(t, b.picture(), "w write to: …h-store-default-hidden.txt\n")
}
