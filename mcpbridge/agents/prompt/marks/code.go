package marks

import (
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// interpreterName matches the programs that run code in an argument.
var interpreterName = lazy(`^(python|pypy|node|nodejs|deno|bun|ruby|perl|php|lua|osascript|Rscript|elixir|` +
	`groovy)[\d.]*$`)

func isInterpreter(program string) bool { return interpreterName.matches(program) }

// Parts of the patterns of code: words with which several languages remove or overwrite files, start programs, and
// talk to other machines.
var (
	codeDestroys = lazy(`rmtree|removedirs|\bos\.(remove|rename|replace|rmdir|truncate)|shutil\.move|\.(unlink|rmdir|` +
		`rm|truncate)(Sync)?\s*\(|(unlink|rmdir|rm|rename|truncate)Sync|rm_rf?|\bfs\.rename|(^|[^.\w])(remove|unlink|` +
		`rmdir|rename|truncate)\s*\(|File\.(delete|rename)|FileUtils\.(rm|mv|remove)|(?i)\b(drop|truncate)\s+(table|` +
		`database)|delete\s+from|\bupdate\s+\S+\s+set\b`)
	codeRuns = lazy(`subprocess|\bos\.(system|popen|exec|spawn)|child_process|(^|[^.\w])(exec|eval)\s*\(|` +
		`\b(exec(Sync|File|v|l)\w*|spawn(Sync)?)\s*\(|\bsystem\s*\(|Deno\.(run|Command)|__import__|do shell script|` +
		`Bun\.(spawn|\$)`)
	perlRuns    = lazy("`[^`]+`" + `|\b(system|exec|popen|spawn|qx)\b|%x`)
	perlRemoves = lazy(`\b(unlink|rmdir|rename|truncate)\b`)
	codeNetwork = lazy(`https?://|urllib|requests\.|http\.client|\bfetch\s*\(|axios|socket|Net::|LWP|open-uri|s3://`)
	codeSends   = lazy(`requests\.(post|put|patch|delete)|method\s*[:=]\s*['"](POST|PUT|PATCH|DELETE)|smtplib|` +
		`\.send\s*\(`)
	codeStrings = lazy(`"[^"\n]*"|'[^'\n]*'`)
)

// inlineOptions lists the options with which interpreters run an argument.
var inlineOptions = lazy(`^(-\w*[ceprE]|--eval|--print|-pe|eval)(=|$)`)

// readInline marks code in the arguments of an interpreter.
func (f *finder) readInline(program string, arguments []argument) {
	for i, a := range arguments {
		switch {
		case a.text == "-m" && i+1 < len(arguments): // a module, such as python -m pip
			f.readRows(arguments[i+1].text, lineOf(arguments[i+1].text, arguments[i+2:]))
			return
		case !strings.HasPrefix(a.text, "-") && a.text != "eval":
			if program != "deno" && program != "bun" {
				f.readRows(nameOf(a.text), lineOf("", arguments[i+1:])) // a script of the project
				return
			}
		case inlineOptions.matches(a.text):
			_, code, inside := strings.Cut(a.text, "=")
			whole := a.whole
			if !inside && i+1 < len(arguments) {
				code, whole = arguments[i+1].text, arguments[i+1].whole
			}
			f.readCode(program, code)
			f.found[queue.MarkRuns] = f.found[queue.MarkRuns] || !whole
			return
		}
	}
}

// readCode marks code of a language that no table is about.
func (f *finder) readCode(program, code string) {
	f.acts = true
	for mark, p := range map[string]pattern{queue.MarkDestroys: codeDestroys, queue.MarkRuns: codeRuns,
		queue.MarkNetwork: codeNetwork, queue.MarkSends: codeSends} {
		f.found[mark] = f.found[mark] || p.matches(code)
	}
	if strings.HasPrefix(program, "perl") || strings.HasPrefix(program, "ruby") || strings.HasPrefix(program, "php") {
		f.found[queue.MarkRuns] = f.found[queue.MarkRuns] || perlRuns.matches(code)
		f.found[queue.MarkDestroys] = f.found[queue.MarkDestroys] || perlRemoves.matches(code)
	}
	for _, text := range codeStrings().FindAllString(code, -1) {
		if path := text[1 : len(text)-1]; holdsKeys(path) || rootPath.matches(path) {
			f.readPath(path, false)
		}
	}
}
