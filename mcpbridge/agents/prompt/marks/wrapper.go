package marks

import (
	"slices"
	"strings"
)

// wrapping describes a program that runs the rest of its arguments.
type wrapping struct {
	behind string // the subcommand behind which it does so; empty: always
	valued string // the options with a value, separated by blanks
	before int    // how many arguments come before the program
}

// wrappers lists programs that run another one, beside plainWrappers.
var wrappers = map[string]wrapping{
	"env":          {valued: "-u -C --unset --chdir"},
	"nice":         {valued: "-n --adjustment"},
	"time":         {valued: "-f -o"},
	"exec":         {valued: "-a"},
	"stdbuf":       {valued: "-i -o -e"},
	"timeout":      {valued: "-s -k --signal --kill-after", before: 1},
	"xargs":        {valued: "-I -n -P -L -d -s -a -E --max-args --max-procs --delimiter --replace --arg-file"},
	"ionice":       {valued: "-c -n -p"},
	"caffeinate":   {valued: "-t -w"},
	"watch":        {valued: "-n --interval"},
	"chrt":         {valued: "-p", before: 1},
	"taskset":      {valued: "-p", before: 1},
	"strace":       {valued: "-e -o -p -f"},
	"ltrace":       {valued: "-e -o"},
	"sudo":         {valued: "-u -g -h -p -C -r -t -U -D -R -T --user --group"},
	"doas":         {valued: "-u -C"},
	"run0":         {valued: "-u --user"},
	"pkexec":       {valued: "--user"},
	"flock":        {valued: "-w -E", before: 1},
	"direnv":       {behind: "exec", before: 1},
	"mise":         {behind: "exec"},
	"dotenv":       {valued: "-e -f"},
	"op":           {behind: "run"},
	"parallel":     {valued: "-j --jobs"},
	"faketime":     {before: 1},
	"poetry":       {behind: "run"},
	"pipenv":       {behind: "run"},
	"hatch":        {behind: "run"},
	"bundle":       {behind: "exec"},
	"rye":          {behind: "run"},
	"pdm":          {behind: "run"},
	"pnpm":         {behind: "exec"},
	"yarn":         {behind: "exec"},
	"npm":          {behind: "exec"},
	"uv":           {behind: "run", valued: "--with --python -p --project --directory --extra --group --env-file"},
	"gtimeout":     {valued: "-s -k --signal --kill-after", before: 1},
	"npx":          {valued: "-p --package"},
	"nix":          {behind: "develop"},
	"nix-shell":    {valued: "-p -I -A"},
	"cmake":        {behind: "-E"},
	"conda":        {behind: "run", valued: "-n -p"},
	"aws-vault":    {behind: "exec", before: 1},
	"doppler":      {behind: "run", valued: "-p -c"},
	"hyperfine":    {valued: "-w -r -m -M"},
	"watchexec":    {valued: "-e -w"},
	"concurrently": {valued: "-n"},
	"systemd-run":  {valued: "-p -u"},
}

// plainWrappers lists programs that run another one, which is their first argument that is no option.
var plainWrappers = strings.Fields("nohup command builtin setsid unbuffer arch firejail not ! busybox toybox " +
	"fakeroot ssh-agent bunx " +
	"entr xvfb-run chronic rlwrap")

// wrapperOf returns how a program runs another one, if it does.
func wrapperOf(program string) (w wrapping, is bool) {
	if w, is = wrappers[program]; !is {
		is = slices.Contains(plainWrappers, program)
	}
	return w, is
}

// isLookup reports whether a call only asks where a program is, as in command -v docker.
func isLookup(words []argument) bool {
	return len(words) > 1 && words[0].text == "command" && strings.EqualFold(words[1].text, "-v")
}

// unwrapped returns the call that a wrapper such as env or timeout makes, if words is one.
func unwrapped(words []argument) []argument {
	for range mostNested {
		if len(words) == 0 {
			return words
		}
		w, is := wrapperOf(nameOf(words[0].text))
		if !is || isLookup(words) || w.behind != "" && (len(words) < 2 || words[1].text != w.behind) {
			return words
		}
		rest := words[1:]
		if w.behind != "" {
			rest = rest[1:]
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
