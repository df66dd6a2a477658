// Package marks finds out what a request for permission may do. A red mark asks for one more key, and a grey one is a
// tag; queue.IsRed says which is which. A mark allows nothing, and the lack of one does not mean that a request is
// safe: programs are known by their names, and what a program of the project does nobody knows.
//
//	command ─► a shell's parser ─► each call in it, also in substitutions, wrappers, sh -c, xargs, find -exec
//	                                 ├─► rows of its program (table.go)
//	                                 └─► paths: outside the project, keys and credentials (path.go)
//
// A command that cannot be parsed, and a call whose program is only known when it runs, are marked as well.
package marks

import (
	"regexp"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/choicetui/choicetui/queue"
)

// mostParsed limits the commands that are parsed. The parser calls itself for each bracket.
const mostParsed = 64 << 10

// mostNested limits how deep commands are looked for in the arguments of others.
const mostNested = 8

// order is the order of the marks in a list.
var order = []string{queue.MarkDestroys, queue.MarkRights, queue.MarkSends, queue.MarkRuns, queue.MarkOutside,
	queue.MarkReads, queue.MarkNetwork}

// Of returns the marks of an approval, each once, those that weigh most first. more has marks that are known already.
func Of(a queue.Approval, more ...string) []string {
	f := finder{dir: a.Dir, found: map[string]bool{}}
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

// OfCommand returns the marks of a command that is run in a directory.
func OfCommand(command, dir string) []string {
	return Of(queue.Approval{Dir: dir, Parts: []queue.Part{{Kind: queue.PartCommand, Text: command}}})
}

// finder collects the marks of one request.
type finder struct {
	dir   string
	found map[string]bool
	left  bool // a cd led out of the directory
	acts  bool // some call does more than read
}

// list returns what was found, in order. A request that leaves the project needs no second mark for reading there.
func (f *finder) list() (all []string) {
	if f.left && f.acts {
		f.found[queue.MarkOutside] = true
	}
	if f.found[queue.MarkOutside] {
		delete(f.found, queue.MarkReads)
	}
	for _, m := range order {
		if f.found[m] {
			all = append(all, m)
		}
	}
	return all
}

// ShellOf matches the shell in which Codex runs every command. Titles and marks are about the command after it; the
// approval shows the whole line.
var ShellOf = regexp.MustCompile(`^/(usr/)?bin/(ba|z|da)?sh -l?c `)

// readCommand marks what a shell would run.
func (f *finder) readCommand(text string, depth int) {
	if m := ShellOf.FindString(text); m != "" && depth == 0 {
		f.readInner(strings.TrimPrefix(text, m), depth)
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
	syntax.Walk(file, func(node syntax.Node) bool {
		switch n := node.(type) {
		case *syntax.Stmt:
			f.readStatement(n, depth)
		case *syntax.BinaryCmd:
			f.readPipe(n)
		case *syntax.FuncDecl:
			f.readFunction(n)
		}
		return true
	})
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
			default:
				b.WriteString("$")
				whole = false
			}
		}
	}
	write(w.Parts, false)
	return b.String(), whole
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
	for _, a := range c.Assigns {
		if a.Name != nil && slices.Contains(hijacks, a.Name.Value) {
			f.found[queue.MarkRuns] = true
		}
	}
	var words []argument
	for _, w := range c.Args {
		text, whole := literal(w)
		words = append(words, argument{text, whole})
		for _, p := range w.Parts {
			sub, is := p.(*syntax.ProcSubst)
			if is && sub.Op == syntax.CmdIn && len(words) > 1 && runsInput(words[0].text) {
				f.found[queue.MarkRuns] = true // such as bash <(curl …)
			}
		}
	}
	if len(words) == 0 {
		return
	}
	f.readCall(words, depth, writes)
	f.readInput(words, s, depth)
}

// hijacks lists the variables with which a program runs something else.
var hijacks = strings.Fields("LD_PRELOAD LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES BASH_ENV ENV PROMPT_COMMAND PATH " +
	"GIT_SSH " +
	"GIT_SSH_COMMAND GIT_EXTERNAL_DIFF GIT_PAGER PAGER EDITOR VISUAL NODE_OPTIONS PYTHONSTARTUP PYTHONPATH RUBYOPT " +
	"PERL5OPT")

// isDescriptor matches the target of a redirection that is no file, as in 2>&1.
var isDescriptor = regexp.MustCompile(`^(\d+-?|-)$`)

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
		case r.Hdoc != nil, r.Op == syntax.WordHdoc, isDescriptor.MatchString(path):
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
	if !isShell && !isInterpreter(program) && !slices.Contains(sqlClients, program) {
		return
	}
	for _, r := range s.Redirs {
		switch {
		case r.Hdoc != nil:
			f.readGiven(program, r.Hdoc, depth)
		case r.Op == syntax.WordHdoc:
			f.readGiven(program, r.Word, depth)
		case r.Op == syntax.RdrIn && (isShell || slices.Contains(sqlClients, program)):
			f.found[queue.MarkRuns] = true // nobody sees here what is in the file
		}
	}
}

// readGiven marks a text that a program gets as its input.
func (f *finder) readGiven(program string, input *syntax.Word, depth int) {
	switch text, _ := literal(input); {
	case slices.Contains(shells, program):
		f.readCommand(text, depth+1)
	case isInterpreter(program):
		f.readCode(text)
	default:
		f.readRows(program, " "+text+" ")
	}
}

// readPipe marks a pipe into an interpreter.
func (f *finder) readPipe(b *syntax.BinaryCmd) {
	if b.Op != syntax.Pipe && b.Op != syntax.PipeAll || b.Y == nil {
		return
	}
	c, ok := b.Y.Cmd.(*syntax.CallExpr)
	if !ok {
		return
	}
	var words []argument
	for _, w := range c.Args {
		text, whole := literal(w)
		words = append(words, argument{text, whole})
	}
	if words = unwrapped(words); len(words) == 0 {
		return
	}
	program := nameOf(words[0].text)
	switch {
	case slices.Contains(sqlClients, program) && onlyOptions(words[1:], true):
		f.found[queue.MarkRuns] = true
		if text, known := echoed(b.X); known { // what it is given can be read
			delete(f.found, queue.MarkRuns)
			f.readRows(program, " "+text+" ")
		}
	case runsInput(program) && onlyOptions(words[1:], false):
		f.found[queue.MarkRuns] = true
	}
}

// echoed returns the text that a statement prints, if that can be read.
func echoed(s *syntax.Stmt) (text string, known bool) {
	c, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(c.Args) == 0 {
		return "", false
	}
	for i, w := range c.Args {
		word, whole := literal(w)
		if !whole || i == 0 && word != "echo" && word != "printf" {
			return "", false
		}
		text += " " + word
	}
	return text, true
}

// onlyOptions reports whether no word names a script. A client's words may name its database.
func onlyOptions(words []argument, client bool) bool {
	for _, w := range words {
		switch {
		case w.text == "-c" || w.text == "-e" || w.text == "-f" || w.text == "--eval" || w.text == "-m":
			return false
		case !client && w.text != "-" && w.text != "-s" && !strings.HasPrefix(w.text, "-") && w.text != "/dev/stdin":
			return false
		case w.text == "-" || w.text == "-s":
			return true
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

// interpreterName matches the programs that run code in an argument.
var interpreterName = regexp.MustCompile(`^(python|pypy|node|nodejs|deno|bun|ruby|perl|php|lua|osascript|Rscript|` +
	`elixir|groovy)[\d.]*$`)

func isInterpreter(program string) bool { return interpreterName.MatchString(program) }

// runsInput reports whether a program runs its input.
func runsInput(program string) bool {
	program = nameOf(program)
	return slices.Contains(shells, program) || isInterpreter(program) || program == "source" || program == "."
}

// nameOf returns the name of a program without its directory.
func nameOf(program string) string { return program[strings.LastIndexByte(program, '/')+1:] }

// wrapping describes a program that runs the rest of its arguments: the options with a value, and how many arguments
// come before the program.
type wrapping struct {
	valued string
	before int
}

// wrappers lists programs that run another one.
var wrappers = map[string]wrapping{
	"env": {"-u -C -S --unset --chdir", 0}, "nice": {"-n --adjustment", 0}, "nohup": {}, "time": {"-f -o", 0},
	"command": {}, "builtin": {}, "exec": {"-a", 0}, "setsid": {}, "stdbuf": {"-i -o -e", 0},
	"timeout":    {"-s -k --signal --kill-after", 1},
	"xargs":      {"-I -n -P -L -d -s -a -E --max-args --max-procs --delimiter --replace --arg-file", 0},
	"ionice":     {"-c -n -p", 0},
	"caffeinate": {"-t -w", 0}, "unbuffer": {}, "watch": {"-n --interval", 0}, "chrt": {"-p", 1}, "taskset": {"-p", 1},
	"strace": {"-e -o -p -f", 0}, "ltrace": {"-e -o", 0}, "sudo": {"-u -g -h -p -C -r -t -U -D -R -T --user --group",
		0},
	"doas": {"-u -C", 0}, "run0": {"-u --user", 0}, "pkexec": {"--user", 0}, "flock": {"-w -E", 1}, "direnv": {"", 2},
	"mise":   {"", 1},
	"dotenv": {"-e -f", 0}, "op": {"", 0}, "parallel": {"-j --jobs", 0}, "arch": {}, "firejail": {}, "faketime": {"",
		1}, "not": {}, "!": {},
	"poetry": {}, "pipenv": {}, "hatch": {}, "bundle": {}, "rye": {}, "pdm": {},
}

// runsBehind lists the wrappers that run another program only behind a subcommand.
var runsBehind = map[string]string{"poetry": "run", "pipenv": "run", "bundle": "exec", "pdm": "run", "hatch": "run",
	"rye": "run", "mise": "exec", "direnv": "exec", "op": "run"}

// unwrapped returns the call that a wrapper such as env or timeout makes, if words is one.
func unwrapped(words []argument) []argument {
	for range mostNested {
		if len(words) == 0 {
			return words
		}
		w, is := wrappers[nameOf(words[0].text)]
		sub, needs := runsBehind[nameOf(words[0].text)]
		if !is || needs && (len(words) < 2 || words[1].text != sub) {
			return words
		}
		rest := words[1:]
		if needs {
			rest = rest[1:]
			w.before = max(w.before-1, 0)
		}
		for len(rest) > 0 {
			option := rest[0].text
			isAssign := strings.Contains(option, "=") && !strings.HasPrefix(option, "-")
			switch {
			case slices.Contains(strings.Fields(w.valued), option) && len(rest) > 1:
				rest = rest[2:]
				continue
			case strings.HasPrefix(option, "-") && len(option) > 1, isAssign:
				rest = rest[1:]
				continue
			case w.before > 0:
				w.before--
				rest = rest[1:]
				continue
			}
			break
		}
		words = rest
	}
	return words
}

// readCall marks one call of a program. writes says that its output goes into a file.
func (f *finder) readCall(words []argument, depth int, writes bool) {
	for range mostNested {
		if len(words) == 0 {
			return
		}
		inner := unwrapped(words)
		f.readProgram(words, depth, writes)
		if len(inner) == len(words) {
			return
		}
		words = inner
	}
}

// readProgram marks a call by the rows of its program, its paths, and the commands in its arguments.
func (f *finder) readProgram(words []argument, depth int, writes bool) {
	first := words[0]
	if !first.whole || strings.HasPrefix(first.text, "$") {
		f.found[queue.MarkRuns] = true
		return
	}
	program := nameOf(first.text)
	if first.text != program && !isSystemPath(first.text) {
		f.readPath(first.text, false)
	}
	line := lineOf(program, words[1:])
	f.readRows(program, line)
	reader := readsOnly(program, line) && !writes
	_, wraps := wrappers[program]
	f.acts = f.acts || !reader && !wraps
	f.readArguments(program, words[1:], reader)
	if program == "cd" || program == "pushd" {
		f.left = f.left || len(words) > 1 && LeavesDir(words[1].text, f.dir)
	}
	f.readNested(program, words[1:], depth)
}

// readRows adds the marks of the rows that a program's arguments match.
func (f *finder) readRows(program, line string) {
	for _, c := range byProgram()[program] {
		f.found[c.mark] = f.found[c.mark] || c.applies(line)
	}
	if strings.HasPrefix(program, "deploy") || strings.HasPrefix(program, "publish") || strings.HasPrefix(program,
		"release") {
		f.found[queue.MarkSends] = true // such as ./deploy.sh
	}
}

// lineOf returns arguments in one line, as the patterns of the table see them.
func lineOf(program string, arguments []argument) string {
	for len(arguments) > 0 && strings.HasPrefix(arguments[0].text, "-") {
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
	at := func(options ...string) (text string, whole, found bool) {
		for i, a := range arguments[:max(len(arguments)-1, 0)] {
			if slices.Contains(options, a.text) || slices.Contains(shells, program) && shellRuns.MatchString(a.text) {
				return arguments[i+1].text, arguments[i+1].whole, true
			}
		}
		return "", false, false
	}
	switch {
	case slices.Contains(shells, program), program == "su", program == "script":
		if text, whole, found := at("-c"); found && whole {
			f.readCommand(text, depth+1)
		} else if found {
			f.found[queue.MarkRuns] = true
		}
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
	case program == "trap", program == "watch", program == "parallel":
		if len(arguments) > 0 && strings.Contains(arguments[0].text, " ") {
			f.readCommand(arguments[0].text, depth+1)
		}
	case program == "git":
		for i, a := range arguments[:max(len(arguments)-1, 0)] {
			if a.text == "-c" && gitRuns.MatchString(arguments[i+1].text) {
				f.found[queue.MarkRuns] = true
			}
		}
	}
}

// shellRuns matches the option of a shell with which it runs an argument, alone or together with others.
var shellRuns = regexp.MustCompile(`^-[a-zA-Z]*c[a-zA-Z]*$`)

// gitRuns matches the settings of git with which it runs a program.
var gitRuns = regexp.MustCompile(`(?i)^(core\.(sshcommand|pager|editor|fsmonitor|hookspath|gitproxy)|alias\.|` +
	`diff\.external|credential\.|filter\.)`)

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
	there := finder{dir: "/", found: f.found}
	there.readCommand(strings.Join(line, " "), depth+1)
}

// Parts of the patterns of code: words with which several languages remove or overwrite files, start programs, and
// talk to other machines.
var (
	codeDestroys = regexp.MustCompile(`rmtree|rmdir|removedirs|unlink|truncate|\bremove|\brm(Sync)?\s*\(|rm_rf?|` +
		`writeFile|` +
		`\brename|copyfile|(?i)\b(drop|truncate)\s+(table|database)|delete\s+from`)
	codeRuns = regexp.MustCompile(`subprocess|os\.(system|popen|exec|spawn)|child_process|\bexec(Sync|File|v|` +
		`l)?\s*\(|` +
		`\bspawn(Sync)?\s*\(|\beval\s*\(|` + "`[^`]+`" + `|\bsystem\s*\(|Deno\.(run|Command)|__import__|` +
		`do shell script`)
	codeNetwork = regexp.MustCompile(`https?://|urllib|requests\.|http\.client|\bfetch\s*\(|axios|socket|Net::|LWP|` +
		`open-uri|s3://`)
	codeSends = regexp.MustCompile(`requests\.(post|put|patch|delete)|method\s*[:=]\s*['"](POST|PUT|PATCH|DELETE)|` +
		`smtplib|\.send\s*\(`)
)

// inlineOptions lists the options with which interpreters run an argument.
var inlineOptions = regexp.MustCompile(`^(-\w*[ceprE]|--eval|--print|-pe|eval)(=|$)`)

// readInline marks code in the arguments of an interpreter.
func (f *finder) readInline(program string, arguments []argument) {
	for i, a := range arguments {
		switch {
		case a.text == "-m" && i+1 < len(arguments): // a module, such as python -m pip
			f.readRows(arguments[i+1].text, lineOf(arguments[i+1].text, arguments[i+2:]))
			return
		case !strings.HasPrefix(a.text, "-") && a.text != "eval":
			if program != "deno" && program != "bun" {
				return // a script of the project
			}
		case inlineOptions.MatchString(a.text):
			_, code, inside := strings.Cut(a.text, "=")
			whole := a.whole
			if !inside && i+1 < len(arguments) {
				code, whole = arguments[i+1].text, arguments[i+1].whole
			}
			f.readCode(code)
			f.found[queue.MarkRuns] = f.found[queue.MarkRuns] || !whole
			return
		}
	}
}

// readCode marks code of a language that no table is about.
func (f *finder) readCode(code string) {
	f.acts = true
	for mark, pattern := range map[string]*regexp.Regexp{queue.MarkDestroys: codeDestroys, queue.MarkRuns: codeRuns,
		queue.MarkNetwork: codeNetwork, queue.MarkSends: codeSends} {
		f.found[mark] = f.found[mark] || pattern.MatchString(code)
	}
}
