package cli

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/mcpbridge/agents"
	"github.com/choicetui/choicetui/queue"
)

// The rules for the packages (docs/design.md section 3) as data. Tests are exempt: they may import anything.

const ours = "github.com/choicetui/choicetui"

// topLevel lists what may be in the root directory, besides dotfiles.
var topLevel = []string{"main.go", "app", "panes", "queue", "config", "mcpbridge", "testdata", "docs", "go.mod", "go.sum", "README.md", "LICENSE"}

// nameless lists package names that say nothing about the package.
var nameless = []string{"util", "utils", "common", "helper", "helpers", "types", "models"}

// mayImport lists the packages of this module that a package may import. The first row that fits counts. "x/..." means
// x and all packages below it. A package may always import its own children.
var mayImport = []struct {
	pkg     string
	imports []string
}{
	{".", []string{"app/cli", "app/start"}},
	{"app/cli", []string{"..."}},
	{"app/cli/man", []string{"app/cli"}},
	{"queue/desk/action", []string{"queue", "queue/desk", "queue/form", "queue/rules", "queue/widen", "config"}},
	{"queue/desk", []string{"queue", "queue/form", "queue/trail", "queue/widen", "queue/rules", "config"}},
	{"app/term", aroundThePane},
	{"app/tmux", aroundThePane},
	{"app/notify", aroundThePane},
	{"app/setup", []string{"config", "config/whole", "mcpbridge/agents", "mcpbridge/agents/agent"}},
	{"app/widen", append([]string{"panes/ink", "config/whole"}, aroundThePane...)},
	{"app/widen/httpapi", append([]string{"app/widen"}, aroundThePane...)},
	{"app/widen/slack", append([]string{"app/widen"}, aroundThePane...)},
	{"app/widen/talk", append([]string{"app/widen", "panes/ink"}, aroundThePane...)},
	{"app/widen/interview", append([]string{"app/widen", "app/widen/talk", "config/whole"}, aroundThePane...)},
	{"app/widen/contractserver", []string{"queue", "queue/widen"}}, // for tests alone
	{"app/screen", []string{"queue/desk", "queue/desk/action", "app/term", "panes/...", "queue", "queue/form",
		"queue/widen", "queue/rules", "config"}},
	{"app/plain", append([]string{"app/term", "panes/ink", "panes/reading"}, aFrontendOfWords...)},
	{"app/portal", append([]string{"app/portal/door"}, aFrontendOfWords...)},
	{"app/portal/door", []string{"app/portal/client", "panes/say", "queue", "config", "config/whole"}},
	{"app/portal/client", []string{"config/whole"}},
	{"app/...", nil}, // a new package needs a row here
	{"panes/say", []string{"queue", "queue/desk", "queue/desk/action", "queue/form", "queue/widen", "queue/rules", "config"}},
	{"panes/reading/markdown", nil},
	{"panes/reading", []string{"queue", "panes/say", "panes/ink", "panes/reading/markdown"}},
	{"panes/editor", []string{"queue", "panes/say", "panes/ink"}},
	{"panes/ink", []string{"queue", "panes/say", "panes/reading/markdown"}},
	{"panes", []string{"panes/ink", "panes/say", "panes/editor", "queue", "queue/desk",
		"queue/desk/action"}},
	{"panes/...", []string{"panes", "panes/ink", "panes/say", "panes/reading", "panes/editor",
		"queue", "queue/desk", "queue/desk/action", "queue/form", "queue/trail", "queue/widen", "queue/rules",
		"config"}}, // a pane never imports another pane
	{"queue", nil},
	{"queue/form", []string{"queue", "queue/widen"}},
	{"queue/rules/book", []string{"queue", "queue/rules", "config/whole"}},
	{"queue/spool", []string{"queue", "config/whole"}},
	{"queue/transfer", []string{"queue", "queue/trail"}},
	{"queue/jetstream", []string{"queue", "config/whole"}},
	{"queue/...", []string{"queue"}},
	{"config", []string{"config/whole"}},
	{"config/...", nil},
	{"mcpbridge/wire", []string{"queue"}},
	{"mcpbridge/dialect", []string{"queue", "queue/widen", "mcpbridge/wire"}},
	{"mcpbridge/agents/transcript", nil},
	{"mcpbridge/agents/agenttest", []string{"config", "queue", "queue/storetest", "mcpbridge/agents/prompt",
		"mcpbridge/call"}},
	{"mcpbridge/agents/prompt/marks", []string{"queue"}},
	{"mcpbridge/agents/prompt", append([]string{"mcpbridge/agents/prompt/marks"}, aboveCalls...)},
	{"mcpbridge/agents/agent", append([]string{"mcpbridge/agents/prompt", "mcpbridge/agents/transcript"}, aboveCalls...)},
	{"mcpbridge/agents", append([]string{"mcpbridge/agents/..."}, aboveCalls...)}, // joins the homes
	{"mcpbridge/agents/codex", append([]string{"mcpbridge/agents/codex/socket"}, aHome...)},
	{"mcpbridge/agents/...", aHome},
	{"mcpbridge/...", []string{"queue", "config", "config/whole", "mcpbridge/call", "mcpbridge/dialect",
		"mcpbridge/http", "mcpbridge/rpc", "mcpbridge/stdio", "mcpbridge/wire"}}, // none knows an agent
}

// aHome lists what the home of an agent may import: the kits of all homes, and aboveCalls.
var aHome = append([]string{"mcpbridge/agents/agent", "mcpbridge/agents/prompt", "mcpbridge/agents/prompt/marks",
	"mcpbridge/agents/transcript"}, aboveCalls...)

// aboveCalls lists what the packages may import that know how an agent calls.
var aboveCalls = []string{"queue", "config", "config/whole", "mcpbridge/dialect", "mcpbridge/call", "mcpbridge/wire"}

// forTests lists packages that support tests. They may import anything, and only tests import them.
const forTests = "panes/roomtest"

// aroundThePane lists what the packages around the pane may import. Frontends receive those packages from app/cli, as
// interfaces.
var aroundThePane = []string{"queue", "queue/widen", "config", "panes/say"}

// aFrontendOfWords lists what a frontend without cells of its own may import.
var aFrontendOfWords = []string{"queue/desk", "queue/desk/action", "panes/say", "panes/reading/markdown",
	"queue", "queue/form", "queue/widen", "queue/rules", "config"}

// ofTview lists the names of tview that may be used: the application, its boxes, and the one widget for typing text.
// All other widgets parse tags in their text, so text could hide from the person who approves it.
var ofTview = []string{"Application", "NewApplication", "Box", "NewBox", "Pages", "NewPages", "Primitive", "TextArea",
	"NewTextArea", "TabSize"}

// withTags lists the methods of those types that must not be called, because they parse tags in their text: the title
// of a box, which is drawn only within a border, and the label of a text area. SetPlaceholder may be called: it takes
// its text as it is.
var withTags = []string{"SetTitle", "SetTitleAlign", "SetTitleColor", "SetBorder", "SetLabel"}

// ofTheWindow lists the files that set the title of the terminal's window, which is no box: see Screen of app/term.
var ofTheWindow = []string{"app/term/screen.go", "app/term/title.go", "app/screen/alerts.go"}

// wiredOnlyBy lists packages that only the named packages may import.
var wiredOnlyBy = map[string][]string{"queue/spool": {"app/cli"}, "queue/jetstream": {"app/cli"},
	"mcpbridge": {"app/cli"}, "queue/relay": {"app/cli"}, "queue/rules/book": {"app/cli"}, "app/cli": {".", "app/cli/man"}}

// screenLibraries lists the libraries that only app and panes may import.
var screenLibraries = []string{"github.com/rivo/tview", "github.com/gdamore/tcell/v2"}

// noScreen lists the packages of panes that draw nothing, because lines, commands and pages use them too.
var noScreen = []string{"panes/say", "panes/reading/markdown"}

// ioPackages and clockCalls are what panes do without: they draw what they are given.
var (
	// ioPackages and clockCalls list what panes must not use: a pane draws only what it is given.
	ioPackages = []string{"os/...", "net/...", "io/ioutil", "io/fs", "syscall", "path/filepath", "log/..."}
	clockCalls = []string{"Now", "Since", "Until", "After", "AfterFunc", "Tick", "NewTicker", "NewTimer", "Sleep"}
)

func TestHouseKeepsItsRules(t *testing.T) {
	files, top := tree(t, filepath.Join("..", ".."))
	require.Greater(t, len(files), 20)
	assert.Empty(t, append(strangers(top), breaches(files)...))
}

// byHand matches code that finds the person's directories without the library that knows them on every system.
var byHand = regexp.MustCompile(`os\.User(Home|Config|Cache)Dir|[eE]nv\("(XDG_|HOME")`)

// asksByHand reports whether a file does so. It runs the slow pattern only if a quick search finds a sign of it.
func asksByHand(text string) bool {
	return (strings.Contains(text, "os.User") || strings.Contains(text, `nv("`)) && byHand.MatchString(text)
}

func TestThePersonsPlacesAreAskedOfTheLibraryAlone(t *testing.T) {
	files, _ := tree(t, filepath.Join("..", ".."))
	for _, f := range files {
		if !strings.HasSuffix(f.path, "_test.go") {
			assert.False(t, asksByHand(f.text), f.path)
		}
	}
}

// judges matches what asks the guard to judge a key, or tells it what became of one.
var judges = regexp.MustCompile(`[gG]uard\.(Refuses|RefusesChange|EndsTyping|NotTaken|IsPress|ActLate|ActBefore)\(`)

func TestGuard_OnlyTheKeyboardAsksIt(t *testing.T) {
	files, _ := tree(t, filepath.Join("..", ".."))
	asked := 0
	for _, f := range files {
		switch asks := judges.MatchString(f.text); {
		case !asks || strings.HasSuffix(f.path, "_test.go"):
		case strings.HasPrefix(f.path, "queue/desk/action/"):
			asked++
		default:
			t.Errorf("%s: only queue/desk/action asks the guard", f.path)
		}
	}
	assert.NotZero(t, asked)
}

// mayNameAgents lists patterns of the files that may name an agent, each with the reason.
var mayNameAgents = map[string]string{
	`^mcpbridge/agents/`:      "the homes, and what joins them",
	`_test\.go$`:              "a test plays an agent",
	`test/[^/]*$`:             "so does a package for tests",
	`^app/cli/demo[^/]*\.go$`: "and the script of the demo",
}

// ordinaryWords lists ids and programs of agents that mean something else in Go files, each with the reason why they
// are not looked for.
var ordinaryWords = map[string]string{
	"cursor":   "each list and each text has a cursor",
	"vscode":   "its terminal is among the terminals of app/notify and app/term",
	"code":     "the program of VS Code is an ordinary word",
	"continue": "it is a keyword of Go",
}

// agentNames returns the words that name an agent, in lower case.
func agentNames() map[string]bool {
	names := map[string]bool{}
	for _, a := range agents.All() {
		for _, name := range []string{a.ID, a.Program} {
			if name = strings.Trim(name, "0123456789"); name != "" && ordinaryWords[name] == "" {
				names[name] = true
			}
		}
	}
	return names
}

// agentIn returns the first word of a text that names an agent: alone, in the plural, or as a part of a Go identifier
// such as isClaude; empty: it names none.
func agentIn(text string, names map[string]bool) string {
	text = strings.ReplaceAll(text, "&amp;", "")
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		for _, part := range append(partsOf(word), word) {
			if part = strings.ToLower(part); names[part] || names[strings.TrimSuffix(part, "s")] {
				return word
			}
		}
	}
	return ""
}

// partsOf returns the words in a Go identifier.
func partsOf(word string) (parts []string) {
	lower := func(i int) bool { return i < len(word) && word[i] >= 'a' && word[i] <= 'z' }
	start := 0
	for i := 1; i < len(word); i++ {
		if !lower(i) && (lower(i-1) || lower(i+1)) {
			parts, start = append(parts, word[start:i]), i
		}
	}
	return append(parts, word[start:])
}

func TestAgentIn(t *testing.T) {
	names := agentNames()
	for text, want := range map[string]bool{
		"claude": true, "Codex's prompts": true, `os.Getenv("CLAUDE_PID")`: true, "isHeadlessClaude(r)": true,
		"geminiExit": true, `"opencode2"`: true, "several opencodes": true, "in amp": true, "agents/qwen\"": true, "agy": true,
		"MiMo Code": true, "declined": false, "kilobytes": false, "&amp;": false, "timestamp": false, "crushed": false,
		"Cursor(r)": false, "vscode": false, "incline": false, "PID": false, "piece": false, "o.PID": false, "of pi": true, "": false,
	} {
		assert.Equal(t, want, agentIn(text, names) != "", text)
	}
}

// What is known of an agent lies in its home, and a new agent needs nothing elsewhere.
func TestAgents_AreNamedOnlyInTheirHomes(t *testing.T) {
	files, _ := tree(t, filepath.Join("..", ".."))
	exempt := regexp.MustCompile(strings.Join(slices.Collect(maps.Keys(mayNameAgents)), "|"))
	names, judged := agentNames(), 0
	for _, f := range files {
		if !exempt.MatchString(f.path) {
			judged++
			assert.Empty(t, agentIn(f.text, names), "%s names an agent", f.path)
		}
	}
	assert.Greater(t, judged, 300)
}

// Each way in which a question can end has one row, and programs find it in the contract.
func TestEndings_AreInTheContract(t *testing.T) {
	contract, err := os.ReadFile(filepath.Join("..", "..", "docs", "contract.md"))
	require.NoError(t, err)
	names := map[string]bool{}
	for _, e := range queue.Endings() {
		assert.False(t, names[e.Name], "%s has two rows", e.Name)
		names[e.Name] = true
		assert.NotEmpty(t, e.Word, e.Name)
		assert.True(t, e.Answered || e.Elsewhere || e.Name == queue.StatusDelivered || e.Exit > exitFailed, e.Name)
		assert.True(t, e.Unlisted || bytes.Contains(contract, []byte("`"+e.Name+"`")), "docs/contract.md lacks %s", e.Name)
	}
}

// source is one Go file. Its path uses slashes and begins at the module's root.
type source struct{ path, text string }

// tree reads every Go file of the module, and the names in its root directory.
func tree(t *testing.T, root string) (files []source, top []string) {
	entries, err := os.ReadDir(root)
	require.NoError(t, err)
	built, _ := os.ReadFile(filepath.Join(root, ".gitignore")) // a built binary in the root is allowed
	for _, e := range entries {
		if !slices.Contains(strings.Fields(string(built)), "/"+e.Name()) {
			top = append(top, e.Name())
		}
	}
	err = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && p != root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata"):
			return fs.SkipDir
		case d.IsDir() || filepath.Ext(p) != ".go":
			return nil
		}
		raw, err := os.ReadFile(p)
		rel, _ := filepath.Rel(root, p)
		files = append(files, source{filepath.ToSlash(rel), string(raw)})
		return err
	})
	require.NoError(t, err)
	return files, top
}

func strangers(top []string) (found []string) {
	for _, name := range top {
		if !strings.HasPrefix(name, ".") && !slices.Contains(topLevel, name) {
			found = append(found, name+": does not belong at the top level")
		}
	}
	return found
}

// breaches returns each rule that a file breaks.
func breaches(files []source) (found []string) {
	for _, f := range files {
		if strings.HasSuffix(f.path, "_test.go") || path.Dir(f.path) == forTests {
			continue
		}
		tokens := token.NewFileSet()
		tree, err := parser.ParseFile(tokens, f.path, f.text, parser.SkipObjectResolution)
		if err != nil {
			found = append(found, err.Error())
			continue
		}
		pkg := path.Dir(f.path)
		if slices.Contains(nameless, path.Base(pkg)) {
			found = append(found, pkg+": says nothing about what lives there")
		}
		for _, imp := range tree.Imports {
			if wrong := imported(pkg, imp); wrong != "" {
				found = append(found, f.path+": "+wrong)
			}
		}
		for _, wrong := range used(f.path, tree) {
			found = append(found, f.path+": "+wrong)
		}
	}
	return found
}

func imported(pkg string, imp *ast.ImportSpec) string {
	name, _ := strconv.Unquote(imp.Path.Value)
	if mine, ok := strings.CutPrefix(name, ours+"/"); ok {
		if by, alone := wiredOnlyBy[mine]; alone && !slices.Contains(by, pkg) {
			return fmt.Sprintf("%s is wired by %s alone", mine, strings.Join(by, " and "))
		}
		if mine == forTests || !allowed(pkg, mine) {
			return fmt.Sprintf("%s may not import %s", pkg, mine)
		}
		return ""
	}
	library := func(l string) bool { return under(name, l+"/...") }
	switch {
	case slices.ContainsFunc(screenLibraries, library) && !mayDraw(pkg):
		return name + ": only app and panes draw"
	case slices.ContainsFunc(screenLibraries, library) && slices.Contains(noScreen, pkg):
		return name + ": " + pkg + " knows no screen"
	case name == screenLibraries[0] && imp.Name != nil && imp.Name.Name == ".":
		return "import . hides where names of tview come from"
	case under(pkg, "panes/...") && slices.ContainsFunc(ioPackages, func(p string) bool { return under(name, p) }):
		return name + ": panes do no I/O"
	}
	return ""
}

func mayDraw(pkg string) bool {
	return pkg != "queue/desk" && (under(pkg, "app/...") || under(pkg, "panes/..."))
}

func allowed(pkg, mine string) bool {
	for _, rule := range mayImport {
		if under(pkg, rule.pkg) {
			return slices.ContainsFunc(rule.imports, func(p string) bool { return under(mine, p) })
		}
	}
	return false
}

// under reports whether a package matches a pattern of mayImport.
func under(pkg, pattern string) bool {
	base, deep := strings.CutSuffix(pattern, "...")
	base = strings.TrimSuffix(base, "/")
	return pkg == base || deep && (base == "" || strings.HasPrefix(pkg, base+"/"))
}

// used returns the banned names of other packages that a file uses.
func used(file string, tree *ast.File) (found []string) {
	pkg := path.Dir(file)
	tview, clock := nameOf(tree, screenLibraries[0]), nameOf(tree, "time")
	ast.Inspect(tree, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if _, starts := n.(*ast.GoStmt); starts && (pkg == "app/screen" || under(pkg, "panes/...")) {
			found = append(found, "go: a panic there leaves the terminal raw: use Go of app/term")
		}
		if !ok {
			return true
		}
		of, _ := sel.X.(*ast.Ident)
		is := func(name string) bool { return name != "" && of != nil && of.Name == name }
		switch name := sel.Sel.Name; {
		case is(tview) && !slices.Contains(ofTview, name):
			found = append(found, "tview."+name+" parses tags, or leads to what does: draw it through a canvas")
		case slices.Contains(withTags, name) && (name != "SetTitle" || !slices.Contains(ofTheWindow, file)):
			found = append(found, name+" draws text with tags")
		case (name == "PutStr" || name == "PutStrStyled") && pkg != "app/term": // app/term has its own function of that name, which cleans the text
			found = append(found, name+" passes escape sequences raw")
		case is(clock) && under(pkg, "panes/...") && slices.Contains(clockCalls, name):
			found = append(found, "time."+name+": panes have no clock")
		}
		return true
	})
	return found
}

// nameOf returns the name by which a file imports a package; "": it does not import it.
func nameOf(tree *ast.File, importPath string) string {
	for _, imp := range tree.Imports {
		if p, _ := strconv.Unquote(imp.Path.Value); p == importPath {
			if imp.Name != nil {
				return imp.Name.Name
			}
			return path.Base(importPath)
		}
	}
	return ""
}
