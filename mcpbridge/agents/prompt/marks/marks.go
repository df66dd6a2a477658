// Package marks finds out what a request for permission may do. A red mark asks for one more key, and a grey one is a
// tag; queue.IsRed says which is which. A mark allows nothing, and the lack of one does not mean that a request is
// safe: programs are known by their names, and what a program of the project does nobody knows.
//
//	command ─► a shell's parser ─► each call in it, also in substitutions, wrappers, sh -c, xargs, find -exec
//	                                 │   (wrapper.go)
//	                                 ├─► rows of its program (table.go)
//	                                 ├─► paths: outside the project, keys and credentials (path.go)
//	                                 └─► code that an interpreter is given (code.go)
//
// A command that cannot be parsed, and a call whose program is only known when it runs, are marked as well.
package marks

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/choicetui/choicetui/queue"
)

// mostParsed limits the commands that are parsed. The parser calls itself for each bracket.
const mostParsed = 64 << 10

// mostNested limits how deep commands are looked for in the arguments of others.
const mostNested = 8

// mostCalls and mostRead limit the calls that are read, and the bytes of their arguments, because an agent waits for
// the marks.
const (
	mostCalls = 2000
	mostRead  = 512 << 10
)

// Of returns the marks of an approval, each once, those that weigh most first. more has marks that are known already.
func Of(a queue.Approval, more ...string) []string {
	f := newFinder(a.Dir)
	for _, m := range more {
		f.found[m] = true
	}
	for _, p := range a.Parts {
		switch p.Kind {
		case queue.PartCommand:
			f.readCommand(p.Text, 0)
		case queue.PartDiff, queue.PartFile:
			f.found[queue.MarkOutside] = f.found[queue.MarkOutside] || LeavesDir(p.Label, a.Dir)
			f.found[queue.MarkRights] = f.found[queue.MarkRights] || holdsKeys(p.Label)
		case queue.PartAddress:
			f.found[queue.MarkNetwork] = true
		}
	}
	return f.list()
}

// finder collects the marks of one request.
type finder struct {
	dir   string
	found map[string]bool
	at    string // the directory within dir that the command enters first
	left  bool   // a cd led out of the directory
	calls int    // that were read
	read  int    // bytes of arguments
	// The names of files that were downloaded, and of those that were run.
	loaded, ran map[string]bool
	piped       map[*syntax.Stmt]bool // statements whose input was read already
	acts        bool                  // some call does more than read
}

func newFinder(dir string) *finder {
	return &finder{dir: dir, found: map[string]bool{}, loaded: map[string]bool{}, ran: map[string]bool{},
		piped: map[*syntax.Stmt]bool{}}
}

// list returns what was found, in order. A request that leaves the project needs no second mark for reading there.
func (f *finder) list() (all []string) {
	for name := range f.ran {
		f.found[queue.MarkRuns] = f.found[queue.MarkRuns] || f.loaded[name]
	}
	if f.left && f.acts {
		f.found[queue.MarkOutside] = true
	}
	if f.found[queue.MarkOutside] {
		delete(f.found, queue.MarkReads)
	}
	for _, m := range queue.Marks {
		if f.found[m] {
			all = append(all, m)
		}
	}
	return all
}

// shellOf matches the shell in which some agents run every command.
var shellOf = lazy(`^/(usr/)?bin/(ba|z|da)?sh -l?c `)

// WithoutShell returns a command without the shell in which some agents run every command. Titles and marks are about
// the command after it; the approval shows the whole line.
func WithoutShell(command string) string { return shellOf().ReplaceAllString(command, "") }

// readCommand marks what a shell would run.
func (f *finder) readCommand(text string, depth int) {
	if inner := WithoutShell(text); len(inner) < len(text) && depth == 0 {
		f.readInner(inner, depth)
		return
	}
	if len(text) > mostParsed || depth > mostNested {
		f.found[queue.MarkRuns] = true
		return
	}
	defer func() {
		if recover() != nil { // the parser is given what agents make up
			f.found[queue.MarkRuns] = true
		}
	}()
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
	if err != nil {
		f.found[queue.MarkRuns] = true
		f.readWords(text)
		return
	}
	if depth == 0 {
		f.at = f.enters(file, text)
	}
	syntax.Walk(file, func(node syntax.Node) bool {
		switch n := node.(type) {
		case *syntax.Stmt:
			f.readStatement(n, depth)
		case *syntax.Assign:
			if n.Name != nil && n.Value != nil {
				value, _ := literal(n.Value)
				f.readAssignment(n.Name.Value, value, depth)
			}
		case *syntax.BinaryCmd:
			if n.Op == syntax.Pipe || n.Op == syntax.PipeAll {
				f.readPiped(n.Y, n.X)
			}
		case *syntax.ProcSubst:
			for _, s := range n.Stmts {
				if n.Op == syntax.CmdOut {
					f.readPiped(s, nil)
				}
			}
		case *syntax.FuncDecl:
			f.readFunction(n)
		}
		return true
	})
}

// changesDir matches what changes the directory of a shell.
var changesDir = lazy(`\b(cd|pushd|popd)\b`)

// enters returns the directory of a command that is run as a whole in a part of the project, as in cd web && npm test.
func (f *finder) enters(file *syntax.File, text string) string {
	if len(file.Stmts) != 1 || len(changesDir().FindAllString(text, 2)) != 1 {
		return ""
	}
	s := file.Stmts[0]
	for {
		b, ok := s.Cmd.(*syntax.BinaryCmd)
		if !ok {
			break
		}
		if b.Op != syntax.AndStmt {
			return ""
		}
		s = b.X
	}
	c, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(c.Args) != 2 || c.Args[0].Lit() != "cd" {
		return ""
	}
	at, whole := literal(c.Args[1])
	if !whole || filepath.IsAbs(at) || LeavesDir(at, f.dir) {
		return ""
	}
	return at
}

// readInner marks the argument of `sh -c`, which agents also give without quotes.
func (f *finder) readInner(text string, depth int) {
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
	if err == nil && len(text) <= mostParsed && len(file.Stmts) == 1 {
		if c, ok := file.Stmts[0].Cmd.(*syntax.CallExpr); ok && len(c.Args) == 1 && len(c.Args[0].Parts) == 1 {
			if inner, whole := literal(c.Args[0]); whole && isQuoted(c.Args[0].Parts[0]) {
				text = inner
			}
		}
	}
	f.readCommand(text, depth+1)
}

func isQuoted(p syntax.WordPart) bool {
	switch p.(type) {
	case *syntax.SglQuoted, *syntax.DblQuoted:
		return true
	}
	return false
}

// readWords marks the words of a text that no shell could read, as if each began a call.
func (f *finder) readWords(text string) {
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\n'\"`;|&<>(){}", r) })
	for i := range words[:min(len(words), 1000)] {
		f.readCall(argumentsOf(words[i:min(len(words), i+20)]), mostNested, false)
	}
}

// argument is a word of a call.
type argument struct {
	text  string // with “$” for each part that is only known when it runs
	whole bool   // all of it is known
}

// braces matches a word that the shell makes several words of.
var braces = lazy(`^\{[^{}]*,[^{}]*\}$`)

// wordsOf returns the words of a call.
func wordsOf(c *syntax.CallExpr) (all []argument) {
	for _, w := range c.Args {
		text, whole := literal(w)
		if braces.matches(w.Lit()) {
			all = append(all, argumentsOf(strings.Split(text[1:len(text)-1], ","))...)
			continue
		}
		all = append(all, argument{text, whole})
	}
	return all
}

func argumentsOf(words []string) (all []argument) {
	for _, w := range words {
		all = append(all, argument{w, true})
	}
	return all
}

// literal returns a word as its program gets it.
func literal(w *syntax.Word) (text string, whole bool) {
	whole = true
	var b strings.Builder
	var write func(parts []syntax.WordPart, quoted bool)
	write = func(parts []syntax.WordPart, quoted bool) {
		for _, p := range parts {
			switch p := p.(type) {
			case *syntax.Lit:
				b.WriteString(unescaped(p.Value, quoted))
			case *syntax.SglQuoted:
				b.WriteString(p.Value)
				whole = whole && !p.Dollar
			case *syntax.DblQuoted:
				write(p.Parts, true)
			case *syntax.ParamExp:
				b.WriteString("$")
				if p.Param != nil && (p.Param.Value == "HOME" || p.Param.Value == "PWD") {
					b.WriteString(p.Param.Value)
				}
				whole = false
			case *syntax.CmdSubst:
				b.WriteString("$")
				if isTop(p) {
					b.WriteString("PWD")
				}
				whole = false
			default:
				b.WriteString("$")
				whole = false
			}
		}
	}
	write(w.Parts, false)
	return b.String(), whole
}

// isTop reports whether a substitution prints the project's own directory.
func isTop(s *syntax.CmdSubst) bool {
	if len(s.Stmts) != 1 {
		return false
	}
	c, ok := s.Stmts[0].Cmd.(*syntax.CallExpr)
	if !ok || len(c.Args) != 3 {
		return false
	}
	return c.Args[0].Lit() == "git" && c.Args[1].Lit() == "rev-parse" && c.Args[2].Lit() == "--show-toplevel"
}

// unescaped takes the backslashes of a shell's word away.
func unescaped(s string, quoted bool) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) && (!quoted || strings.IndexByte("$`\"\\\n", s[i+1]) >= 0) {
			if i++; s[i] == '\n' {
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// readStatement marks a statement: its call, and where it reads from and writes to.
func (f *finder) readStatement(s *syntax.Stmt, depth int) {
	writes := f.readRedirects(s)
	c, ok := s.Cmd.(*syntax.CallExpr)
	if !ok {
		if s.Cmd == nil && writes {
			f.found[queue.MarkDestroys] = true // `> file` alone empties it
		}
		return
	}
	words := wordsOf(c)
	if len(words) == 0 {
		return
	}
	for _, w := range c.Args[1:] {
		for _, p := range w.Parts {
			if sub, is := p.(*syntax.ProcSubst); is && sub.Op == syntax.CmdIn && runsInput(words[0].text) {
				f.found[queue.MarkRuns] = true // such as bash <(curl …)
			}
		}
	}
	f.readCall(words, depth, writes)
	f.readInput(words, s, depth)
	f.readFiles(unwrapped(words), s)
}

// readFiles notes the files that a call downloads or runs. One that is run where it was downloaded is like a pipe into
// an interpreter.
func (f *finder) readFiles(words []argument, s *syntax.Stmt) {
	if len(words) == 0 {
		return
	}
	first := words[0].text
	switch program := nameOf(first); {
	case program == "curl" || program == "wget" || program == "tee":
		for _, w := range words[1:] {
			f.loaded[nameOf(w.text)] = f.loaded[nameOf(w.text)] || program != "tee" || f.found[queue.MarkNetwork]
		}
		for _, r := range s.Redirs {
			if r.Word != nil {
				path, _ := literal(r.Word)
				f.loaded[nameOf(path)] = true
			}
		}
	case runsInput(program):
		for _, w := range words[1:] {
			if !strings.HasPrefix(w.text, "-") {
				f.ran[nameOf(w.text)] = true
				return
			}
		}
	case program != first:
		f.ran[program] = true
	}
}

// Variables with which a program runs something else: always, if a value has such options, with the value as a
// command, and from the directories of the value.
var (
	hijacks     = strings.Fields("LD_PRELOAD DYLD_INSERT_LIBRARIES BASH_ENV PROMPT_COMMAND PYTHONSTARTUP")
	hijacksWith = lazy(`^(NODE_OPTIONS=.*--?(r|require|import|loader|experimental-loader)|RUBYOPT=.*-r|` +
		`PERL5OPT=.*-[Mm]|GOFLAGS=.*exec)`)
	commandVars = strings.Fields("GIT_SSH GIT_SSH_COMMAND GIT_EXTERNAL_DIFF GIT_PAGER PAGER EDITOR VISUAL GIT_EDITOR " +
		"GIT_SEQUENCE_EDITOR")
	directoryVars = strings.Fields("PATH LD_LIBRARY_PATH DYLD_LIBRARY_PATH PYTHONPATH NODE_PATH")
)

// readAssignment marks a variable that decides what is run.
func (f *finder) readAssignment(name, value string, depth int) {
	switch {
	case slices.Contains(hijacks, name), hijacksWith.matches(name + "=" + value):
		f.found[queue.MarkRuns] = true
	case slices.Contains(commandVars, name) && value != "":
		f.readCommand(value, depth+1)
	case slices.Contains(directoryVars, name):
		for dir := range strings.SplitSeq(value, ":") {
			if dir != "$" && !isSystemPath(dir+"/") {
				f.readPath(dir, false)
			}
		}
	}
}

// isDescriptor matches the target of a redirection that is no file, as in 2>&1.
var isDescriptor = lazy(`^(\d+-?|-)$`)

// readRedirects marks the files of a statement's redirections, and reports whether it writes one.
func (f *finder) readRedirects(s *syntax.Stmt) (writes bool) {
	for _, r := range s.Redirs {
		if r.Word == nil {
			continue
		}
		path, _ := literal(r.Word)
		if strings.HasPrefix(path, "/dev/tcp/") || strings.HasPrefix(path, "/dev/udp/") {
			f.found[queue.MarkNetwork], f.found[queue.MarkSends] = true,
				f.found[queue.MarkSends] || r.Op != syntax.RdrIn
			continue
		}
		switch {
		case r.Hdoc != nil, r.Op == syntax.WordHdoc, isDescriptor.matches(path):
		case r.Op == syntax.RdrIn, r.Op == syntax.DplIn:
			f.readPath(path, true)
		default:
			writes = writes || !slices.Contains(harmlessPaths, path)
			f.readPath(path, false)
		}
	}
	return writes
}

// readInput marks an interpreter that runs what it is given as its input.
func (f *finder) readInput(words []argument, s *syntax.Stmt, depth int) {
	words = unwrapped(words)
	if len(words) == 0 {
		return
	}
	program := nameOf(words[0].text)
	isShell := slices.Contains(shells, program)
	if !isShell && !runsInput(program) && !slices.Contains(sqlClients, program) && program != "ssh" {
		return
	}
	for _, r := range s.Redirs {
		switch {
		case r.Hdoc != nil:
			f.readGiven(program, r.Hdoc, depth)
		case r.Op == syntax.WordHdoc:
			f.readGiven(program, r.Word, depth)
		case r.Op == syntax.RdrIn && (isShell || slices.Contains(sqlClients, program) ||
			runsInput(program) && readsInput(program, words[1:])):
			f.found[queue.MarkRuns] = true // nobody sees here what is in the file
		}
	}
}

// readGiven marks a text that a program gets as its input.
func (f *finder) readGiven(program string, input *syntax.Word, depth int) {
	switch text, _ := literal(input); {
	case isInterpreter(program):
		f.readCode(program, text)
	case program == "ssh":
		f.readRemote(argumentsOf([]string{text}), depth)
	case runsInput(program):
		f.readCommand(text, depth+1)
	default:
		f.readRows(program, " "+text+" ")
	}
}

// readPiped marks a statement that gets what from prints, and each in it, as their input.
func (f *finder) readPiped(to, from *syntax.Stmt) {
	if to == nil || f.piped[to] {
		return
	}
	syntax.Walk(to, func(node syntax.Node) bool {
		if s, ok := node.(*syntax.Stmt); ok {
			f.piped[s] = true
			if c, ok := s.Cmd.(*syntax.CallExpr); ok {
				f.readFed(wordsOf(c), from)
			}
		}
		return true
	})
}

// readFed marks a call that gets what a statement prints.
func (f *finder) readFed(words []argument, from *syntax.Stmt) {
	fedByName := len(words) > 0 && nameOf(words[0].text) == "xargs"
	if words = unwrapped(words); len(words) == 0 {
		return
	}
	program := nameOf(words[0].text)
	if program == "ssh" {
		words = remoteWords(words[1:])
		f.found[queue.MarkSends] = f.found[queue.MarkSends] || len(words) > 0
		f.readFed(words, from)
		return
	}
	if fedByName {
		last := words[len(words)-1].text // such as xargs sh -c
		if len(words) == 1 && slices.Contains(shells, program) ||
			len(words) > 1 && runsInput(program) && givesCode(program, last) {
			f.found[queue.MarkRuns] = true
		}
		return
	}
	isClient := slices.Contains(sqlClients, program)
	if !isClient && !runsInput(program) || !readsInput(program, words[1:]) {
		return
	}
	if text, known := echoed(from); known && isClient {
		f.readRows(program, " "+text+" ")
		return
	}
	f.found[queue.MarkRuns] = true
}

// echoed returns the text that a statement prints, if that can be read.
func echoed(s *syntax.Stmt) (text string, known bool) {
	if s == nil {
		return "", false
	}
	c, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(c.Args) == 0 {
		return "", false
	}
	for i, w := range wordsOf(c) {
		if !w.whole || i == 0 && w.text != "echo" && w.text != "printf" {
			return "", false
		}
		if i > 0 {
			text += " " + w.text
		}
	}
	return text, true
}

// givesCode reports whether code follows an option of a program that runs its input.
func givesCode(program, option string) bool {
	if slices.Contains(shells, program) {
		return shellRuns.matches(option)
	}
	return slices.Contains([]string{"-c", "-e", "-E", "-f", "--eval", "-m", "--command", "--execute"}, option)
}

// readsInput reports whether a program runs its input: no argument has a script. A client's words may name its
// database.
func readsInput(program string, arguments []argument) bool {
	for i := 0; i < len(arguments); i++ {
		switch word := arguments[i].text; {
		case word == "-", word == "-s", word == "/dev/stdin":
			return true
		case givesCode(program, word):
			return false
		case slices.Contains([]string{"-o", "+o", "-O", "+O"}, word):
			i++
		case !strings.HasPrefix(word, "-") && !slices.Contains(sqlClients, program):
			return false
		}
	}
	return true
}

// readFunction marks a function that starts itself again and again.
func (f *finder) readFunction(d *syntax.FuncDecl) {
	calls := 0
	if d.Name == nil {
		return
	}
	syntax.Walk(d.Body, func(node syntax.Node) bool {
		if c, ok := node.(*syntax.CallExpr); ok && len(c.Args) > 0 {
			if name, _ := literal(c.Args[0]); name == d.Name.Value {
				calls++
			}
		}
		return true
	})
	if calls > 1 {
		f.found[queue.MarkDestroys] = true
	}
}

var (
	shells     = strings.Fields("sh bash zsh dash ksh fish ash busybox pwsh")
	sqlClients = strings.Fields("psql mysql mariadb sqlite3 duckdb clickhouse-client mongosh mongo redis-cli " +
		"valkey-cli cqlsh")
)

// runsInput reports whether a program runs its input.
func runsInput(program string) bool {
	program = nameOf(program)
	return slices.Contains(shells, program) || isInterpreter(program) || program == "source" || program == "."
}

// nameOf returns the name of a program without its directory.
func nameOf(program string) string { return program[strings.LastIndexByte(program, '/')+1:] }

// readCall marks one call of a program. writes says that its output goes into a file.
func (f *finder) readCall(words []argument, depth int, writes bool) {
	if f.calls++; depth > mostNested || f.calls > mostCalls {
		f.found[queue.MarkRuns] = true
		return
	}
	for range mostNested {
		if len(words) == 0 {
			return
		}
		inner := unwrapped(words)
		wraps := len(inner) < len(words)
		f.readProgram(words, depth, writes, wraps)
		if !wraps {
			return
		}
		words = inner
	}
	f.found[queue.MarkRuns] = true // nobody wraps a program so often
}

// isMade matches the name of a program that is only known when it runs.
var isMade = lazy(`^\$|[*?{}]|.\[|^%$`)

// readProgram marks a call by the rows of its program, its paths, and the commands in its arguments. wraps says that
// it runs another program, which is read on its own.
func (f *finder) readProgram(words []argument, depth int, writes, wraps bool) {
	first := words[0]
	if strings.Contains(first.text, " ") && first.whole { // such as env -S 'rm x'
		f.readCommand(first.text, depth+1)
		return
	}
	if !first.whole || isMade.matches(first.text) && first.text != "[[" {
		f.found[queue.MarkRuns] = true
		return
	}
	program := nameOf(first.text)
	if first.text != program && !isSystemPath(first.text) {
		f.readPath(first.text, false)
	}
	line := lineOf(program, words[1:])
	if f.read += len(line); f.read > mostRead {
		f.found[queue.MarkRuns] = true
		return
	}
	f.readRows(program, f.withoutLoading(program, words[1:], line))
	if (program == ":" || program == "true") && writes {
		f.found[queue.MarkDestroys] = true // like > file alone
	}
	reader := readsOnly(program, line) && !writes
	f.acts = f.acts || !reader && !wraps
	f.readArguments(program, pathsIn(program, words[1:]), reader)
	if program == "cd" || program == "pushd" {
		to := "~"
		if len(words) > 1 {
			to = words[len(words)-1].text
		}
		f.left = f.left || LeavesDir(to, f.dir)
	}
	f.readNested(program, words[1:], depth)
}

// packageRunners run a program of a package: one that the project has installed, or else one that they download.
var packageRunners = strings.Fields("npx bunx pnpx")

// withoutLoading returns the line of a call as it is where the program of a package is installed: it loads nothing.
func (f *finder) withoutLoading(program string, arguments []argument, line string) string {
	if slices.Contains(packageRunners, program) && len(arguments) > 0 && f.isInstalled(arguments[0].text) {
		return " --no-install" + line
	}
	return line
}

// packageName matches the name of a program of a package, as it is called without a version.
var packageName = lazy(`^[A-Za-z0-9][\w.-]*$`)

// isInstalled reports whether the project has installed a package's program with this name.
func (f *finder) isInstalled(name string) bool {
	if !filepath.IsAbs(f.dir) || !packageName.matches(name) {
		return false
	}
	_, err := os.Lstat(filepath.Join(f.dir, f.at, "node_modules", ".bin", name))
	return err == nil
}

// readRows adds the marks of the rows that a program's arguments match.
func (f *finder) readRows(program, line string) {
	stays := slices.Contains(webClients, program) && staysHere(line)
	for _, c := range byProgram()[program] {
		if c.mark != queue.MarkSends || !stays {
			f.found[c.mark] = f.found[c.mark] || c.applies(line)
		}
	}
	if strings.HasPrefix(program, "deploy") || strings.HasPrefix(program, "publish") || strings.HasPrefix(program,
		"release") {
		f.found[queue.MarkSends] = true // such as ./deploy.sh
	}
}

// lineOf returns arguments in one line, as the patterns of the table see them.
func lineOf(program string, arguments []argument) string {
	for len(arguments) > 0 && (strings.HasPrefix(arguments[0].text, "-") ||
		program == "cargo" && strings.HasPrefix(arguments[0].text, "+")) {
		valued, known := valueOptions[program]
		if !known || arguments[0].text == "--help" || arguments[0].text == "--version" {
			break
		}
		if slices.Contains(strings.Fields(valued), arguments[0].text) && len(arguments) > 1 {
			arguments = arguments[1:]
		}
		arguments = arguments[1:]
	}
	var b strings.Builder
	b.WriteByte(' ')
	for _, a := range arguments {
		b.WriteString(a.text)
		b.WriteByte(' ')
	}
	return b.String()
}

// readNested marks the commands that a call has in its arguments.
func (f *finder) readNested(program string, arguments []argument, depth int) {
	switch {
	case slices.Contains(shells, program), program == "su", program == "script":
		f.readScript(arguments, depth)
	case program == "find", program == "fd", program == "fdfind":
		f.readExecuted(arguments, depth)
	case isInterpreter(program):
		f.readInline(program, arguments)
	case program == "ssh":
		if words := remoteWords(arguments); len(words) > 0 {
			f.readRemote(words, depth)
		} else {
			f.found[queue.MarkRuns] = true // whatever is typed there
		}
	case program == "alias", program == "env":
		for _, a := range arguments {
			name, value, found := strings.Cut(a.text, "=")
			if found && program == "env" {
				f.readAssignment(name, value, depth)
			} else if found {
				f.readCommand(value, depth+1)
			}
		}
	case program == "trap":
		if len(arguments) > 0 && strings.Contains(arguments[0].text, " ") {
			f.readCommand(arguments[0].text, depth+1)
		}
	case program == "git":
		f.readSettings(arguments)
	}
}

// readScript marks what a shell is given: the command behind -c, or a script, such as deploy.sh.
func (f *finder) readScript(arguments []argument, depth int) {
	at := slices.IndexFunc(arguments, func(a argument) bool { return shellRuns.matches(a.text) }) + 1
	if at == 0 {
		if len(arguments) > 0 {
			f.readRows(nameOf(arguments[0].text), lineOf("", arguments[1:]))
		}
		return
	}
	for at+1 < len(arguments) && strings.HasPrefix(arguments[at].text, "-") {
		at++
	}
	switch {
	case at == len(arguments): // the command is given elsewhere, as by xargs
	case arguments[at].whole:
		f.readCommand(arguments[at].text, depth+1)
	default:
		f.found[queue.MarkRuns] = true
	}
}

// readSettings marks the settings with which git runs a program.
func (f *finder) readSettings(arguments []argument) {
	for i, a := range arguments[:max(len(arguments)-1, 0)] {
		setting := arguments[i+1].text
		if a.text == "-c" && gitRuns.matches(setting) && !gitRunsNothing.matches(setting) {
			f.found[queue.MarkRuns] = true
		}
	}
}

// shellRuns matches the option of a shell with which it runs an argument, alone or together with others.
var shellRuns = lazy(`^-[a-zA-Z]*c[a-zA-Z]*$`)

// gitRuns matches the settings of git with which it runs a program.
var gitRuns = lazy(`(?i)^(core\.(sshcommand|pager|editor|fsmonitor|hookspath|gitproxy)|alias\.|diff\.external|` +
	`credential\.|filter\.)`)

// gitRunsNothing matches such a setting that shows or edits nothing.
var gitRunsNothing = lazy(`(?i)^core\.(pager|editor)=(cat|less|true|:|)$`)

// readExecuted marks the calls that find makes.
func (f *finder) readExecuted(arguments []argument, depth int) {
	for i := 0; i < len(arguments); i++ {
		if !slices.Contains([]string{"-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec", "--exec-batch"},
			arguments[i].text) {
			continue
		}
		end := i + 1
		for end < len(arguments) && arguments[end].text != ";" && arguments[end].text != "+" {
			end++
		}
		f.readCall(arguments[i+1:end], depth+1, false)
		i = end
	}
}

// remoteWords returns the command in the arguments of ssh.
func remoteWords(arguments []argument) []argument {
	for i := 0; i < len(arguments); i++ {
		switch a := arguments[i].text; {
		case len(a) == 2 && strings.Contains("BbcDEeFIiJLlmOopQRSWw", a[1:]) && a[0] == '-':
			i++
		case !strings.HasPrefix(a, "-"):
			return arguments[i+1:]
		}
	}
	return nil
}

// readRemote marks what another machine runs. Its paths are not those of this one.
func (f *finder) readRemote(words []argument, depth int) {
	var line []string
	for _, w := range words {
		if !w.whole {
			f.found[queue.MarkRuns] = true
		}
		line = append(line, w.text)
	}
	there := newFinder("/")
	there.readCommand(strings.Join(line, " "), depth+1)
	marks := there.list()
	for _, m := range marks {
		f.found[m] = true
	}
	if there.acts && !slices.ContainsFunc(marks, queue.IsRed) {
		f.found[queue.MarkRuns] = true // a program of that machine
	}
}
