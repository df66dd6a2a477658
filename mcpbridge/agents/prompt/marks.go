package prompt

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/choicetui/choicetui/queue"
)

// A mark says why an approval must be confirmed. The patterns below find marks in commands. A mark only adds a
// confirmation and allows nothing; a command without one is still asked about. A command can hide what it does, so the
// lack of a mark does not mean that it is safe.

// Parts of the patterns: an option that passes code to an interpreter, and the words with which several languages
// remove or overwrite files.
const (
	inlineCode    = `(\S+\s+)*?(-\w*[cepr]|--eval|--print|eval)[\s='"]`
	removingWords = `(?s:.*)(rmtree|rmdir|removedirs|unlink|truncate|\bremove|\brm(Sync)?\s*\(|rm_rf?|writeFile|` +
		`\brename|copyfile)`
)

// markPatterns lists the patterns of commands that get a mark. A pattern matches from the beginning of a word.
// Compiling and matching patterns is slow, so each has leads: a command is matched only if one of them is in it.
var markPatterns = []struct {
	mark    string
	leads   string // lower-case substrings, separated by spaces
	pattern string
}{
	// Commands that remove or overwrite something, perhaps for good.
	{queue.MarkDestroys, "rm unlink shred truncate wipefs mkfs fdisk parted dd",
		`(rm|rmdir|unlink|shred|truncate|wipefs|mkfs(\.\w+)?|fdisk|parted|dd)(\s|$)`},
	{queue.MarkDestroys, "git",
		`git\s+(\S+\s+)*?(reset\s+(\S+\s+)*--hard|clean|restore|checkout\s+(\S+\s+)*(--|\.)(\s|$))`},
	{queue.MarkDestroys, "git",
		`git\s+(\S+\s+)*?(branch\s+(\S+\s+)*(-D|-d|--delete)|stash\s+(drop|clear)|tag\s+(\S+\s+)*-d)`},
	{queue.MarkDestroys, "git", `git\s+(\S+\s+)*?push\s+(\S+\s+)*(-f|--force\S*|--delete|--mirror|\+\S+)`},
	{queue.MarkDestroys, "git", `git\s+(\S+\s+)*?(filter-\S+|rebase|reflog)`},
	{queue.MarkDestroys, "find", `find\s+(.*\s)?(-delete|-exec(dir)?|-ok)(\s|$)`},
	{queue.MarkDestroys, "kill shutdown reboot halt poweroff crontab",
		`(kill|pkill|killall|shutdown|reboot|halt|poweroff|crontab)(\s|$)`},
	{queue.MarkDestroys, "chmod chown chgrp setfacl", `(chmod|chown|chgrp|setfacl)(\s|$)`},
	{queue.MarkDestroys, "drop truncate delete",
		`(?i)(drop|truncate)\s+(table|database|schema|index|view|user|role)|delete\s+from`},
	{queue.MarkDestroys, "docker podman", `(docker|podman)\s+(\S+\s+)*?(rm|rmi|prune|down|kill|stop)(\s|$)`},
	{queue.MarkDestroys, "kubectl helm", `(kubectl|helm)\s+(\S+\s+)*?(delete|uninstall|drain|apply)(\s|$)`},
	{queue.MarkDestroys, "terraform tofu pulumi", `(terraform|tofu|pulumi)\s+(\S+\s+)*?(destroy|apply)(\s|$)`},
	{queue.MarkDestroys, "redis-cli dropdb dropuser", `(redis-cli\s+.*(?i:flush)|dropdb|dropuser)`},
	{queue.MarkDestroys, "sh", `(sh|bash|zsh|dash|ksh|fish)(\s+-\S+)*\s*($|[|;&<])`}, // a shell that runs its input
	{queue.MarkDestroys, "sh", `(sh|bash|zsh|dash|ksh|fish)\s+(-\S+\s+)*-\w*c\s+["']?\$`},
	{queue.MarkDestroys, "eval", `eval(\s|$)`},
	{queue.MarkDestroys, "mv", `mv(\s|$)`}, // it overwrites the file with the new name
	{queue.MarkDestroys, "python pypy node deno bun ruby perl php",
		`(python|pypy|node|deno|bun|ruby|perl|php)[\d.]*\s+` + inlineCode + removingWords},

	// Commands that act on more than this project.
	{queue.MarkOutside, "su doas pkexec runas chroot nsenter", `(sudo|doas|su|pkexec|runas|chroot|nsenter)(\s|$)`},
	{queue.MarkOutside, "systemctl launchctl service mount useradd usermod userdel passwd visudo",
		`(systemctl|launchctl|service|mount|umount|useradd|usermod|userdel|passwd|visudo)(\s|$)`},
	{queue.MarkOutside, "git", `git\s+(\S+\s+)*?config\s+(\S+\s+)*--(global|system)`},
	{queue.MarkOutside, "npm yarn", `(npm|pnpm|yarn)\s+(\S+\s+)*?(-g|--global|global)(\s|$)`},

	// Commands that talk to other machines.
	{queue.MarkNetwork, "curl wget http aria2c ssh scp ftp rsync",
		`(curl|wget|http|https|aria2c|ssh|scp|sftp|rsync|ftp)(\s|$)`},
	{queue.MarkNetwork, "telnet nc netcat socat nmap dig", `(telnet|nc|ncat|netcat|socat|nmap|dig)(\s|$)`},
	{queue.MarkNetwork, "git", `git\s+(\S+\s+)*?(push|pull|fetch|clone|ls-remote|submodule)(\s|$)`},
	{queue.MarkNetwork, "npm yarn bun", `(npm|pnpm|yarn|bun)\s+(\S+\s+)*?(i|install|ci|add|update|upgrade)(\s|$)`},
	{queue.MarkNetwork, "npm yarn bun", `(npm|pnpm|yarn|bun)\s+(\S+\s+)*?(publish|login|dlx|create|exec|x)(\s|$)`},
	{queue.MarkNetwork, "npx bunx uv pip poetry gem cargo", `(npx|bunx|uvx|pipx|pip|pip3|uv|poetry|gem|cargo)(\s|$)`},
	{queue.MarkNetwork, "brew apt dnf yum pacman apk snap", `(brew|apt|apt-get|dnf|yum|pacman|apk|snap)(\s|$)`},
	{queue.MarkNetwork, "go", `go\s+(get|install|mod)(\s|$)`},
	{queue.MarkNetwork, "go", `go\s+run\s+(\S+\s+)*?[^\s@]+@\S`},
	{queue.MarkNetwork, "docker podman", `(docker|podman)\s+(\S+\s+)*?(push|pull|login|run|build|compose)(\s|$)`},
	{queue.MarkNetwork, "gh glab aws gcloud az doctl flyctl heroku vercel netlify kubectl helm terraform tofu",
		`(gh|glab|aws|gcloud|az|doctl|flyctl|heroku|vercel|netlify|kubectl|helm|terraform|tofu)(\s|$)`},
	{queue.MarkNetwork, "://", `(?i)(https?|ftp|ssh|git|wss?|s3|gs)://`},
	{queue.MarkNetwork, "/dev/", `/dev/(tcp|udp)/`},
}

// compiledPatterns returns a function for each of markPatterns that returns its compiled pattern. Each is compiled at
// its first use: compiling all of them would take a hook longer than all its other work before the question is stored.
var compiledPatterns = sync.OnceValue(func() (list []func() *regexp.Regexp) {
	for _, m := range markPatterns {
		list = append(list, sync.OnceValue(func() *regexp.Regexp {
			return regexp.MustCompile(`(^|[^\w.-])(` + m.pattern + `)`)
		}))
	}
	return list
})

// hasLead reports whether a command in lower case contains one of the words in leads (see markPatterns).
func hasLead(command, leads string) bool {
	for lead := range strings.FieldsSeq(leads) {
		if strings.Contains(command, lead) {
			return true
		}
	}
	return false
}

// MarksOf returns the reasons why an approval must be confirmed, each once, in the order destroys, outside, network.
// more has the reasons that are known already.
func MarksOf(a queue.Approval, more ...string) (list []string) {
	found := map[string]bool{}
	for _, m := range more {
		found[m] = true
	}
	for _, p := range a.Parts {
		switch p.Kind {
		case queue.PartCommand:
			markCommand(found, p.Text, a.Dir)
		case queue.PartDiff, queue.PartFile:
			found[queue.MarkOutside] = found[queue.MarkOutside] || LeavesDir(p.Label, a.Dir)
		case queue.PartAddress:
			found[queue.MarkNetwork] = true
		}
	}
	for _, m := range []string{queue.MarkDestroys, queue.MarkOutside, queue.MarkNetwork} {
		if found[m] {
			list = append(list, m)
		}
	}
	return list
}

// unsandboxed matches the input field with which Claude Code runs a command outside its sandbox.
var unsandboxed = regexp.MustCompile(`"` + fieldSandboxOff + `":\s*"?true`)

// quoteRemover removes the quotes and backslashes with which a shell command can write one word in pieces, such as r\m.
var quoteRemover = strings.NewReplacer(`'`, "", `"`, "", `\`, "")

// markCommand adds the marks of a command to found. It reads the command twice: unchanged, and without quotes. The
// shell in which an agent runs all its commands is skipped, because it says nothing about this one.
func markCommand(found map[string]bool, command, dir string) {
	command = ShellOf.ReplaceAllString(command, "")
	for _, text := range []string{command, quoteRemover.Replace(command)} {
		small := strings.ToLower(text)
		for i, m := range markPatterns {
			found[m.mark] = found[m.mark] || hasLead(small, m.leads) && compiledPatterns()[i]().MatchString(text)
		}
		for _, word := range strings.FieldsFunc(addressPattern.ReplaceAllString(text, " "), endsPath) {
			found[queue.MarkOutside] = found[queue.MarkOutside] || looksLikePath(word) && LeavesDir(word, dir)
		}
	}
}

// addressPattern matches a URL. Its path is not a path on this machine.
var addressPattern = regexp.MustCompile(`[A-Za-z][\w+.-]*://\S*`)

// endsPath reports whether a character of a command ends a file name.
func endsPath(r rune) bool { return strings.ContainsRune(" \t\n'\"`;|&<>()={},:", r) }

// harmlessPaths lists paths outside every project that store nothing.
var harmlessPaths = []string{"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/stdin"}

// looksLikePath reports whether a word of a command may name a file outside the command's directory.
func looksLikePath(word string) bool {
	return strings.HasPrefix(word, "/") && len(word) > 1 || strings.HasPrefix(word, "~") ||
		strings.HasPrefix(word, "$HOME") || strings.HasPrefix(word, "${HOME") || word == "/" ||
		slices.Contains(strings.Split(word, "/"), "..")
}

// LeavesDir reports whether a path leads out of a directory. If the directory is not known, every absolute path does.
func LeavesDir(path, dir string) bool {
	switch {
	case slices.Contains(harmlessPaths, path):
		return false
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

// ShellOf matches the shell in which Codex runs every command. Titles and marks are about the command after it; the
// approval shows the whole line.
var ShellOf = regexp.MustCompile(`^/(usr/)?bin/(ba|z|da)?sh -l?c `)
