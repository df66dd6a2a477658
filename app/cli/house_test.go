package cli

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

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
	{"queue/desk", []string{"queue", "queue/form", "queue/widen", "queue/rules", "config"}},
	{"app/term", aroundThePane},
	{"app/tmux", aroundThePane},
	{"app/notify", aroundThePane},
	{"app/connect", aroundThePane},
	{"app/setup", []string{"config", "config/whole", "app/connect"}},
	{"app/before", []string{"mcpbridge/call"}}, // for the branch of a directory
	{"app/widen", append([]string{"panes/ink", "config/whole"}, aroundThePane...)},
	{"app/widen/httpapi", append([]string{"app/widen"}, aroundThePane...)},
	{"app/widen/slack", append([]string{"app/widen"}, aroundThePane...)},
	{"app/widen/talk", append([]string{"app/widen", "panes/ink"}, aroundThePane...)},
	{"app/widen/interview", append([]string{"app/widen", "app/widen/talk", "config/whole"}, aroundThePane...)},
	{"app/widen/contractserver", []string{"queue", "queue/widen"}}, // for tests alone
	{"app/screen", []string{"queue/desk", "queue/desk/action", "app/term", "panes/...", "queue", "queue/form",
		"queue/widen", "queue/rules", "config"}},
	{"app/plain", append([]string{"app/term", "panes/ink", "panes/reading"}, aFaceOfWords...)},
	{"app/portal", append([]string{"app/portal/client", "config/whole"}, aFaceOfWords...)},
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
		"queue", "queue/desk", "queue/desk/action", "queue/form", "queue/widen", "queue/rules",
		"config"}}, // a pane never imports another pane
	{"queue", nil},
	{"queue/form", []string{"queue", "queue/widen"}},
	{"queue/rules/book", []string{"queue", "queue/rules", "config/whole"}},
	{"queue/spool", []string{"queue", "config/whole"}},
	{"queue/jetstream", []string{"queue", "config/whole"}},
	{"queue/...", []string{"queue"}},
	{"config", []string{"config/whole"}},
	{"config/...", nil},
	{"mcpbridge/dialect", []string{"queue", "queue/widen"}},
	{"mcpbridge/...", []string{"queue", "config", "config/whole", "mcpbridge/..."}},
}

// forTests lists packages that support tests. They may import anything, and only tests import them.
const forTests = "panes/roomtest"

// aroundThePane lists what the packages around the pane may import. Faces receive those packages from app/cli, as
// interfaces.
var aroundThePane = []string{"queue", "queue/widen", "config", "panes/say"}

// aFaceOfWords lists what a face without cells of its own may import.
var aFaceOfWords = []string{"queue/desk", "queue/desk/action", "panes/say", "panes/reading/markdown",
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
	assert.True(t, asksByHand(`os.Getenv("XDG_STATE_HOME")`))
	assert.True(t, asksByHand(`os.LookupEnv("HOME")`))
	assert.True(t, asksByHand(`os.UserConfigDir()`))
}

// judges matches what asks the guard to judge a key, or tells it what became of one.
var judges = regexp.MustCompile(`[gG]uard\.(Refuses|RefusesChange|EndsTyping|NotTaken|IsPress|ActLate)\(`)

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

func TestNoTestNameIsInTwoPackages(t *testing.T) {
	files, _ := tree(t, filepath.Join("..", ".."))
	assert.Empty(t, inTwoPackages(files))

	const one, another = "func TestOne(t *testing.T) {}\n", "func TestAnother(t *testing.T) {}\n"
	const noTests = "func TestMain(m *testing.M) {}\nfunc (s suite) TestOne() {}\nfunc TestdataOf() {}\n"
	assert.Equal(t, []string{"TestOne: queue/spool/x_test.go and queue/desk/x_test.go"}, inTwoPackages([]source{
		{"queue/spool/x_test.go", "package spool\n" + one + noTests},
		{"queue/desk/x_test.go", "package desk\n" + another + one + noTests},
	}))
	assert.Empty(t, inTwoPackages([]source{
		{"queue/spool/x_test.go", "package spool\n" + one},
		{"queue/spool/x_linux_test.go", "package spool_test\n" + one}, // the same directory, so no second package
		{"queue/desk/x_test.go", "package desk\n" + noTests},
		{"app/plain/x_test.go", "package plain\n" + noTests},
		{"app/plain/x.go", "package plain\n" + one}, // not a test file
	}))
}

// inTwoPackages returns each test name that two packages have: one of the tests is a copy, or the name does not find
// it.
func inTwoPackages(files []source) (found []string) {
	first := map[string]string{} // by test name: the first file that has it
	for _, f := range files {
		if !strings.HasSuffix(f.path, "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), f.path, f.text, parser.SkipObjectResolution)
		if err != nil {
			found = append(found, err.Error())
			continue
		}
		for _, d := range tree.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Recv != nil || !testName.MatchString(fn.Name.Name) || fn.Name.Name == "TestMain" {
				continue
			}
			switch before, seen := first[fn.Name.Name]; {
			case !seen:
				first[fn.Name.Name] = f.path
			case path.Dir(before) != path.Dir(f.path):
				found = append(found, fmt.Sprintf("%s: %s and %s", fn.Name.Name, before, f.path))
			}
		}
	}
	return found
}

// listStatuses lists the files besides queue/outcome.go that may name the statuses one by one, with the reason.
var listStatuses = map[string]string{
	"queue/outcome.go":                  "has the table",
	"queue/message.go":                  "a line to an agent is no question and ends in three ways of its own",
	"mcpbridge/dialect/hitl_request.go": "its format knows three statuses; every other one is its canceled",
}

func TestHouseStatusesAreListedInOneTable(t *testing.T) {
	files, _ := tree(t, filepath.Join("..", ".."))
	assert.Empty(t, statusLists(files))
	for _, breach := range []string{
		"func f(o queue.Outcome) { switch o.Status { case queue.StatusTimeout: } }",
		"var all = []string{queue.StatusTimeout, queue.StatusCancelled}",
		"var words = map[string]string{queue.StatusTimeout: `a`, queue.StatusCancelled: `b`}",
	} {
		assert.Len(t, statusLists([]source{{"panes/list/x.go", "package list\n" + breach}}), 1, breach)
	}
	assert.Empty(t, statusLists([]source{{"panes/list/x.go", "package list\nvar o = queue.Outcome{Status: queue.StatusLost}\n" +
		"func f(o queue.Outcome) { switch { case o.Status == queue.StatusTimeout: } }"}}))

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

// statusLists returns the places that name the statuses of an outcome one by one, where a new status would be
// forgotten: a switch over a status, or a list or map of statuses.
func statusLists(files []source) (found []string) {
	for _, f := range files {
		if strings.HasSuffix(f.path, "_test.go") || listStatuses[f.path] != "" ||
			!strings.Contains(f.text, "queue.Status") && !strings.HasPrefix(f.path, "queue/") {
			continue
		}
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, f.path, f.text, parser.SkipObjectResolution)
		if err != nil {
			found = append(found, err.Error())
			continue
		}
		ast.Inspect(tree, func(n ast.Node) bool {
			var listed []ast.Expr
			switch n := n.(type) {
			case *ast.CaseClause:
				listed = n.List
			case *ast.CompositeLit:
				listed = n.Elts
			}
			for _, one := range listed {
				if pair, ok := one.(*ast.KeyValueExpr); ok {
					one = pair.Key
				}
				if name, ok := one.(*ast.SelectorExpr); ok {
					one = name.Sel
				}
				if name, ok := one.(*ast.Ident); ok && statusName.MatchString(name.Name) {
					found = append(found, set.Position(n.Pos()).String())
					break
				}
			}
			return true
		})
	}
	return found
}

// statusName matches the name of a constant for a status.
var statusName = regexp.MustCompile(`^Status[A-Z]`)

// testName matches the name of a function that go test runs.
var testName = regexp.MustCompile(`^(Test|Benchmark|Fuzz|Example)(\P{Ll}.*)?$`)

func TestHouseRulesCatchBreaches(t *testing.T) {
	own := func(p string) string { return strconv.Quote(ours + "/" + p) }
	for _, c := range []struct{ name, file, src, want string }{
		{"main knows more than the command line", "main.go", `import ` + own("queue"), "may not import queue"},
		{"dashboard opens a store", "app/screen/model.go", `import ` + own("queue/spool"), "queue/spool"},
		{"dashboard starts a bridge", "app/screen/model.go", `import ` + own("mcpbridge"), "mcpbridge"},
		{"dashboard knows the command line", "app/screen/model.go", `import ` + own("app/cli"), "app/cli"},
		{"manual opens a store by itself", "app/cli/man/main.go", `import ` + own("queue/spool"), "queue/spool"},
		{"child of app knows the command line", "app/tmux/x.go", `import ` + own("app/cli"), "app/cli"},
		{"face wires tmux itself", "app/x.go", `import ` + own("app/tmux"), "may not import app/tmux"},
		{"face wires notifications itself", "app/plain/x.go", `import ` + own("app/notify"), "may not import app/notify"},
		{"tmux knows the desk", "app/tmux/x.go", `import ` + own("queue/desk"), "may not import queue/desk"},
		{"notification draws", "app/notify/x.go", `import ` + own("panes"), "may not import panes"},
		{"desk knows a face", "queue/desk/x.go", `import ` + own("app/plain"), "may not import app/plain"},
		{"desk knows panes", "queue/desk/x.go", `import ` + own("panes"), "may not import panes"},
		{"desk draws", "queue/desk/x.go", `import "github.com/gdamore/tcell/v2"`, "only app and panes draw"},
		{"pane knows the app", "panes/foot.go", `import ` + own("app"), "may not import app"},
		{"pane knows a store", "panes/foot.go", `import ` + own("queue/spool"), "queue/spool"},
		{"pane reads files", "panes/foot.go", `import "os"`, "os: panes"},
		{"pane runs programs", "panes/sub/foot.go", `import "os/exec"`, "os/exec: panes"},
		{"pane opens connections", "panes/foot.go", `import "net/http"`, "net/http: panes"},
		{"pane reads the clock", "panes/foot.go", "import \"time\"\nvar t = time.Now()", "time.Now"},
		{"pane reads the clock by another name", "panes/foot.go", "import clock \"time\"\nvar t = clock.Since", "time.Since"},
		{"words know a pane", "panes/say/time.go", `import ` + own("panes"), "may not import panes"},
		{"words know a terminal", "panes/say/time.go", `import "github.com/gdamore/tcell/v2"`, "knows no screen"},
		{"words read the clock", "panes/say/time.go", "import \"time\"\nvar t = time.Now()", "time.Now"},
		{"Markdown knows what draws it", "panes/reading/markdown/x.go", `import ` + own("panes/ink"),
			"may not import panes/ink"},
		{"Markdown knows a terminal", "panes/reading/markdown/x.go", `import "github.com/gdamore/tcell/v2"`,
			"knows no screen"},
		{"ink knows the keys", "panes/ink/x.go", `import ` + own("queue/desk/action"), "may not import queue/desk/action"},
		{"ink knows a pane", "panes/ink/x.go", `import ` + own("panes"), "may not import panes"},
		{"reading knows the keys", "panes/reading/x.go", `import ` + own("queue/desk/action"), "may not import queue/desk/action"},
		{"reading knows a text field", "panes/reading/x.go", `import ` + own("panes/editor"),
			"may not import panes/editor"},
		{"text field knows a pane", "panes/editor/x.go", `import ` + own("panes"), "may not import panes"},
		{"text field knows the keys", "panes/editor/x.go", `import ` + own("queue/desk/action"), "may not import queue/desk/action"},
		{"queue knows settings", "queue/ask.go", `import ` + own("config"), "may not import config"},
		{"queue knows a store", "queue/ask.go", `import ` + own("queue/spool"), "queue/spool"},
		{"rules read files by themselves", "queue/rules/x.go", `import ` + own("app/setup"), "may not import app/setup"},
		{"desk opens the file of rules", "queue/desk/x.go", `import ` + own("queue/rules/book"), "queue/rules/book"},
		{"store knows another store", "queue/spool/x.go", `import ` + own("queue/storetest"), "may not import queue/storetest"},
		{"config knows the queue", "config/file.go", `import ` + own("queue"), "may not import queue"},
		{"bridge knows a store", "mcpbridge/serve.go", `import ` + own("queue/spool"), "queue/spool"},
		{"bridge knows the app", "mcpbridge/serve.go", `import ` + own("app/tmux"), "may not import app/tmux"},
		{"dialect knows settings", "mcpbridge/dialect/x.go", `import ` + own("config"), "may not import config"},
		{"dialect knows its bridge", "mcpbridge/dialect/x.go", `import ` + own("mcpbridge"), "mcpbridge"},
		{"bridge draws", "mcpbridge/serve.go", `import "github.com/rivo/tview"`, "only app and panes draw"},
		{"queue draws", "queue/x.go", `import "github.com/gdamore/tcell/v2/views"`, "only app and panes draw"},
		{"escape that hides text", "panes/x.go", "import \"github.com/rivo/tview\"\nvar s = tview.Escape(``)", "tview.Escape"},
		{"escape by another name", "app/screen/x.go", "import tv \"github.com/rivo/tview\"\nvar f = tv.Escape", "tview.Escape"},
		{"widget that parses tags", "panes/list/x.go", "import \"github.com/rivo/tview\"\nvar l = tview.NewList()", "tview.NewList"},
		{"title that parses tags", "panes/list/x.go", "func f(b interface{ SetTitle(string) }) { b.SetTitle(``) }", "SetTitle"},
		{"title of a box of the screen", "app/screen/frame.go", "func f(b interface{ SetTitle(string) }) { b.SetTitle(``) }",
			"SetTitle draws"},
		{"border in the file of the window's title", "app/screen/alerts.go", "func f(b interface{ SetBorder(bool) }) " +
			"{ b.SetBorder(true) }", "SetBorder draws"},
		{"border, which draws a title", "app/screen/x.go", "func f(b interface{ SetBorder(bool) }) { b.SetBorder(true) }",
			"SetBorder draws"},
		{"label of a text area", "panes/editor/x.go", "func f(t interface{ SetLabel(string) }) { t.SetLabel(``) }",
			"SetLabel draws"},
		{"widget that parses tags, of another face", "app/plain/x.go",
			"import \"github.com/rivo/tview\"\nvar l = tview.NewTextView()", "tview.NewTextView"},
		{"room knows its tests' bench", "panes/list/x.go", `import ` + own("panes/roomtest"), "may not import panes/roomtest"},
		{"room knows another room", "panes/list/x.go", `import ` + own("panes/history"), "may not import panes/history"},
		{"room knows the screen", "panes/list/x.go", `import ` + own("app/screen"), "may not import app/screen"},
		{"lines draw a room", "app/plain/x.go", `import ` + own("panes/question"), "may not import panes/question"},
		{"page draws cells", "app/portal/x.go", `import ` + own("panes/ink"), "may not import panes/ink"},
		{"page reads cells", "app/portal/x.go", `import ` + own("panes/reading"), "may not import panes/reading"},
		{"page knows a terminal", "app/portal/x.go", `import ` + own("app/term"), "may not import app/term"},
		{"desk knows the words", "queue/desk/x.go", `import ` + own("panes/say"), "may not import panes/say"},
		{"form knows the desk", "queue/form/x.go", `import ` + own("queue/desk"), "may not import queue/desk"},
		{"everything of tview", "app/screen/x.go", `import . "github.com/rivo/tview"`, "import . "},
		{"raw text on the screen", "app/screen/x.go", "func f(s interface{ PutStr(int, int, string) }) { s.PutStr(0, 0, ``) }", "PutStr"},
		{"goroutine whose panic leaves the terminal raw", "app/screen/x.go", "func f() { go f() }", "leaves the terminal raw"},
		{"package that says nothing", "app/util/x.go", "", "says nothing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			found := breaches([]source{{c.file, "package x\n" + c.src}})
			require.Len(t, found, 1)
			assert.Contains(t, found[0], c.want)
		})
	}
	assert.Len(t, strangers([]string{".git", "app", "pkg", "notes.txt"}), 2)
}

func TestHouseRulesLetGoodFilesPass(t *testing.T) {
	own := func(p string) string { return strconv.Quote(ours + "/" + p) }
	for _, s := range []source{
		{"main.go", `import ` + own("app/cli")},
		{"app/cli/mcp.go", "import (\n" + own("queue/spool") + "\n" + own("mcpbridge") + "\n\"os\"\n)"},
		{"app/screen/app.go", "import (\n\"os\"\n" + own("panes") + "\n" + own("app/term") + "\n\"github.com/rivo/tview\"\n)"},
		{"panes/foot.go", "import (\n\"time\"\n" + own("queue") + "\n)\nfunc left(d time.Duration) string { return d.String() }"},
		{"queue/spool/x.go", `import ` + own("queue")},
		{"queue/spool/x_test.go", "import (\n" + own("queue/storetest") + "\n)"},
		{"mcpbridge/x.go", "import (\n" + own("mcpbridge/dialect") + "\n" + own("config") + "\n)"},
		{"app/plain/x.go", "import (\n" + own("panes/ink") + "\n" + own("panes/reading") + "\n" + own("app/term") + "\n)"},
		{"app/portal/x.go", "import (\n" + own("panes/say") + "\n" + own("panes/reading/markdown") + "\n)"},
		{"app/screen/alerts.go", "func f(s interface{ SetTitle(string) }) { s.SetTitle(``) }"},
		{"panes/editor/x.go", "func f(t interface{ SetPlaceholder(string) }) { t.SetPlaceholder(``) }"},
		{"app/term/x.go", "type s struct{}\nfunc (x s) PutStr(t string) { x.PutStrStyled(t) }\nfunc (s) PutStrStyled(string) {}"},
	} {
		assert.Empty(t, breaches([]source{{s.path, "package x\n" + s.text}}), s.path)
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
