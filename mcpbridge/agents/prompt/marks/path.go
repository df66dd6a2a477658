package marks

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// addressPattern matches a URL. Its path is not a path on this machine.
var addressPattern = lazy(`[A-Za-z][\w+.-]*://\S*`)

// readArguments marks the paths and addresses in a program's arguments.
func (f *finder) readArguments(program string, arguments []argument, reader bool) {
	for _, a := range arguments {
		if netAddress.matches(a.text) && !slices.Contains(readers, program) {
			f.found[queue.MarkNetwork] = true
		}
		if slices.Contains(speakers, program) || slices.Contains(copiers, program) && remotePath.matches(a.text) {
			continue
		}
		for _, word := range strings.FieldsFunc(addressPattern().ReplaceAllString(a.text, " "), endsPath) {
			f.readPath(word, reader)
		}
	}
}

// netAddress matches an address on another machine.
var netAddress = lazy(`(?i)\b(https?|ftp|ssh|git|wss?|s3|gs)://`)

// speakers lists the programs whose arguments are text and no paths.
var speakers = strings.Fields("echo printf")

// textOptions lists the options whose value is text and no path, and patternFirst the programs whose first argument is
// a pattern or a program of their own unless -e or -f gives it.
var (
	textOptions = map[string]string{
		"git":  "-m -am --message --grep --author --format --pretty --trailer -S -G",
		"curl": "-H --header -A --user-agent -w --write-out", "gh": "-t --title -b --body -q --jq -S --search",
		"grep": "-e --regexp", "rg": "-e --regexp -g --glob", "sed": "-e --expression", "jq": "--arg",
	}
	patternFirst = strings.Fields("grep egrep fgrep rg ag ack sed gsed awk gawk mawk jq yq")
	givesPattern = lazy(`^(-\w*[ef]|--file)`)
	scriptWrites = lazy(`\bw\s*[/~.]|[>|]\s*"|getline|\binput_filename`)
)

// pathsIn returns the arguments that may be paths.
func pathsIn(program string, arguments []argument) (paths []argument) {
	switch {
	case isInterpreter(program): // its code is read as code
		for i, a := range arguments {
			if inlineOptions.matches(a.text) {
				return append(paths, arguments[min(i+2, len(arguments)):]...)
			}
			paths = append(paths, a)
		}
		return paths
	case program == "env":
		return nil // what it runs is read on its own
	case program == "ssh":
		return arguments[:len(arguments)-len(remoteWords(arguments))]
	}
	text := strings.Fields(textOptions[program])
	first := slices.Contains(patternFirst, program)
	for i := 0; i < len(arguments); i++ {
		option, _, _ := strings.Cut(arguments[i].text, "=")
		switch a := arguments[i]; {
		case slices.Contains(text, option):
			first = false
			if option == a.text && i+1 < len(arguments) && !strings.HasPrefix(arguments[i+1].text, "@") {
				i++ // @FILE is a file
			}
		case givesPattern.matches(a.text):
			first = false
			paths = append(paths, a)
		case first && !strings.HasPrefix(a.text, "-"):
			if first = false; scriptWrites.matches(a.text) {
				paths = append(paths, a)
			}
		default:
			paths = append(paths, a)
		}
	}
	return paths
}

// copiers lists the programs that name a path on another machine as HOST:PATH.
var copiers = strings.Fields("scp rsync rclone")

var remotePath = lazy(`^[^/]+:`)

// readPath marks a path. reads says that it is only read.
func (f *finder) readPath(path string, reads bool) {
	if holdsKeys(path) {
		f.found[queue.MarkRights] = true
	}
	if !reads && gitRunsLater.matches(path) {
		f.found[queue.MarkRuns] = true
	}
	if !looksLikePath(path) {
		return
	}
	if f.at != "" && strings.IndexAny(path, "/~$") != 0 {
		path = filepath.Join(f.at, path)
	}
	if !LeavesDir(path, f.dir) {
		return
	}
	if reads {
		f.found[queue.MarkReads] = true
		return
	}
	f.found[queue.MarkOutside] = true
}

// gitRunsLater matches files with which git runs a program at its next call.
var gitRunsLater = lazy(`(^|/)\.git/(hooks/|config$)`)

// keyPaths matches the places of keys and credentials.
var keyPaths = lazy(`(^|/)(\.ssh|\.aws|\.gnupg|\.kube|\.azure|\.config/(gcloud|gh|op)|\.docker/config\.json|\.netrc|` +
	`\.npmrc|\.pypirc|\.pgpass|\.git-credentials|\.vault-token|etc/(g?shadow|sudoers(\.d)?)|\.codex/auth\.json|` +
	`proc/[^/]+/environ|id_(rsa|dsa|ecdsa|ed25519)|[^/]*\.(pem|p12|pfx|jks|keystore|kdbx|ppk)|[^/]*_rsa|` +
	`\.?credentials(\.json|\.toml|$)|service-account[^/]*\.json|\.env(\.[\w-]+)?|[^/]+\.key)(/|$)`)

// openKeys matches what is named like a key and is none.
var openKeys = lazy(`\.pub$|\.env\.(example|sample|template|dist|test|schema)$`)

// holdsKeys reports whether a path is that of keys or credentials.
func holdsKeys(path string) bool {
	return keyPaths.matches(path) && !openKeys.matches(path)
}

// endsPath reports whether a character of a command ends a file name.
func endsPath(r rune) bool { return strings.ContainsRune(" \t\n'\"`;|&<>()={},:@", r) }

// systemPaths lists the directories of the programs that everybody has.
var systemPaths = []string{"/bin/", "/usr/bin/", "/usr/local/bin/", "/sbin/", "/usr/sbin/", "/opt/homebrew/bin/"}

// ownPrograms matches the directories in which people keep the tools of their languages.
var ownPrograms = lazy(`^(~|\$HOME|/root|/(home|Users)/[^/.]+)/(go|\.cargo|\.local|\.bun|\.deno|\.pyenv)/bin/$|` +
	`^/usr/local/go/bin/$`)

// isSystemPath reports whether a program is one that everybody has.
func isSystemPath(program string) bool {
	dir := program[:strings.LastIndexByte(program, '/')+1]
	return slices.Contains(systemPaths, dir) || ownPrograms.matches(dir)
}

// rootPath matches a path that can only be one of the machine's, and no address within a web page.
var rootPath = lazy(`^(~|\.\.|/(etc|usr|var|tmp|home|root|Users|opt|srv|mnt|proc|sys|dev|s?bin|lib\w*|boot|private|` +
	`Library|Applications|Volumes|System|media|run|data))(/|$)`)

// harmlessPaths lists paths outside every project that store nothing.
var harmlessPaths = []string{"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/stdin", "/dev/tty", "/dev/zero",
	"/dev/random", "/dev/urandom"}

// looksLikePath reports whether a word of a command may name a file outside the command's directory.
func looksLikePath(word string) bool {
	return strings.HasPrefix(word, "/") && len(word) > 1 || strings.HasPrefix(word, "~") ||
		strings.HasPrefix(word, "$HOME") || word == "/" || slices.Contains(strings.Split(word, "/"), "..")
}

// LeavesDir reports whether a path leads out of a directory. If the directory is not known, every absolute path does.
func LeavesDir(path, dir string) bool {
	switch {
	case slices.Contains(harmlessPaths, path):
		return false
	case strings.HasPrefix(path, "$PWD"):
		path = filepath.Join(dir, strings.TrimPrefix(path, "$PWD"))
	case strings.HasPrefix(path, "~") || strings.HasPrefix(path, "$"):
		return true
	case !filepath.IsAbs(path) && !filepath.IsAbs(dir):
		return strings.HasPrefix(filepath.Clean(path), "..")
	case !filepath.IsAbs(path):
		path = filepath.Join(dir, path)
	}
	within, err := filepath.Rel(dir, path)
	return err != nil || within == ".." || strings.HasPrefix(within, "../")
}

// webClients lists the programs that send what they are given to an address.
var webClients = strings.Fields("curl wget http https xh")

var (
	// hereAddress matches an address on this machine, such as that of a server under development.
	hereAddress = lazy(`^(https?://)?(localhost|127\.0\.0\.1|\[::1\]|0\.0\.0\.0)(:\d+)?([/?#]\S*)?$`)
	// otherAddress matches what may be an address elsewhere.
	otherAddress = lazy(`://|\$|^[\w-]+(\.[\w-]+)+(:\d+)?(/|$)`)
	// leadsElsewhere matches the options with which a web client sends to another address than it is given.
	leadsElsewhere = lazy(` (-[a-zA-Z]*[xKL]\S*|--(proxy|preproxy|socks|connect-to|resolve|config|location)\S*) `)
)

// staysHere reports whether a web client with these arguments sends to this machine alone.
func staysHere(line string) bool {
	here := false
	for word := range strings.FieldsSeq(line) {
		switch {
		case hereAddress.matches(word):
			here = true
		case otherAddress.matches(word):
			return false
		}
	}
	return here && !leadsElsewhere.matches(line)
}
