package native

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/choicetui/choicetui/queue"
)

// The list of what is marked. A mark only ever adds a confirmation: what is missing here is asked all the same, and
// nothing here allows anything. A command that hides what it does is not found by reading it, so nobody may take the
// lack of a mark for safety.

// Patterns for code inside a command, and for the words with which several languages remove or overwrite files.
const (
	inlineCode    = `(\S+\s+)*?(-\w*[cepr]|--eval|--print|eval)[\s='"]`
	removingWords = `(?s:.*)(rmtree|rmdir|removedirs|unlink|truncate|\bremove|\brm(Sync)?\s*\(|rm_rf?|writeFile|` +
		`\brename|copyfile)`
)

// markPatterns pairs each mark with the words of the commands that get it, as a pattern that starts at a word. What
// matches the pattern has one of the leads in it, in small letters.
var markPatterns = []struct {
	mark    string
	leads   string // with spaces between them
	pattern string
}{
	// It removes or overwrites what may not come back.
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
	{queue.MarkDestroys, "sh", `(sh|bash|zsh|dash|ksh|fish)(\s+-\S+)*\s*($|[|;&<])`}, // runs what it is fed
	{queue.MarkDestroys, "sh", `(sh|bash|zsh|dash|ksh|fish)\s+(-\S+\s+)*-\w*c\s+["']?\$`},
	{queue.MarkDestroys, "eval", `eval(\s|$)`},
	{queue.MarkDestroys, "mv", `mv(\s|$)`}, // it overwrites what has the other name
	{queue.MarkDestroys, "python pypy node deno bun ruby perl php",
		`(python|pypy|node|deno|bun|ruby|perl|php)[\d.]*\s+` + inlineCode + removingWords},

	// It acts on more than this project.
	{queue.MarkOutside, "su doas pkexec runas chroot nsenter", `(sudo|doas|su|pkexec|runas|chroot|nsenter)(\s|$)`},
	{queue.MarkOutside, "systemctl launchctl service mount useradd usermod userdel passwd visudo",
		`(systemctl|launchctl|service|mount|umount|useradd|usermod|userdel|passwd|visudo)(\s|$)`},
	{queue.MarkOutside, "git", `git\s+(\S+\s+)*?config\s+(\S+\s+)*--(global|system)`},
	{queue.MarkOutside, "npm yarn", `(npm|pnpm|yarn)\s+(\S+\s+)*?(-g|--global|global)(\s|$)`},

	// It talks to other machines.
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

// compiledPatterns returns the patterns of marked. Each begins where a word does, and is compiled at its first use: to
// compile all of them takes a hook longer than everything else before its question is stored.
var compiledPatterns = sync.OnceValue(func() (list []func() *regexp.Regexp) {
	for _, m := range markPatterns {
		list = append(list, sync.OnceValue(func() *regexp.Regexp {
			return regexp.MustCompile(`(^|[^\w.-])(` + m.pattern + `)`)
		}))
	}
	return list
})

// hasLead reports whether a command, in small letters, has one of the leads.
func hasLead(command, leads string) bool {
	for lead := range strings.FieldsSeq(leads) {
		if strings.Contains(command, lead) {
			return true
		}
	}
	return false
}

// marksOf returns the reasons why an approval must be confirmed, each once, in the order destroys, outside, network.
func marksOf(a queue.Approval) (list []string) {
	found := map[string]bool{}
	for _, p := range a.Parts {
		switch p.Kind {
		case queue.PartCommand:
			markCommand(found, p.Text, a.Dir)
		case queue.PartDiff:
			found[queue.MarkOutside] = found[queue.MarkOutside] || leavesDir(p.Label, a.Dir)
		case queue.PartAddress:
			found[queue.MarkNetwork] = true
		case queue.PartText:
			found[queue.MarkOutside] = found[queue.MarkOutside] || unsandboxed.MatchString(p.Text)
		}
	}
	for _, m := range []string{queue.MarkDestroys, queue.MarkOutside, queue.MarkNetwork} {
		if found[m] {
			list = append(list, m)
		}
	}
	return list
}

// unsandboxed matches the input field with which Claude Code runs a command outside of its sandbox.
var unsandboxed = regexp.MustCompile(`"dangerouslyDisableSandbox":\s*"?true`)

// quoteRemover are the signs by which a shell lets a word be written in pieces: r”m.
var quoteRemover = strings.NewReplacer(`'`, "", `"`, "", `\`, "")

// markCommand reads a command twice: unchanged, and without the quotes within it. It skips the shell in which an agent
// runs all its commands, which says nothing about this one.
func markCommand(found map[string]bool, command, dir string) {
	command = shellOf.ReplaceAllString(command, "")
	for _, text := range []string{command, quoteRemover.Replace(command)} {
		small := strings.ToLower(text)
		for i, m := range markPatterns {
			found[m.mark] = found[m.mark] || hasLead(small, m.leads) && compiledPatterns()[i]().MatchString(text)
		}
		for _, word := range strings.FieldsFunc(addressPattern.ReplaceAllString(text, " "), endsPath) {
			found[queue.MarkOutside] = found[queue.MarkOutside] || looksLikePath(word) && leavesDir(word, dir)
		}
	}
}

// addressPattern matches an address on another machine, whose path is not a path here.
var addressPattern = regexp.MustCompile(`[A-Za-z][\w+.-]*://\S*`)

// endsPath reports whether a character of a command ends the name of a file.
func endsPath(r rune) bool { return strings.ContainsRune(" \t\n'\"`;|&<>()={},:", r) }

// harmlessPaths are places outside every project that hold nothing.
var harmlessPaths = []string{"/dev/null", "/dev/stdout", "/dev/stderr", "/dev/stdin"}

// looksLikePath reports whether a word of a command may name a file that is not below its directory.
func looksLikePath(word string) bool {
	return strings.HasPrefix(word, "/") && len(word) > 1 || strings.HasPrefix(word, "~") ||
		strings.HasPrefix(word, "$HOME") || strings.HasPrefix(word, "${HOME") || word == "/" ||
		slices.Contains(strings.Split(word, "/"), "..")
}

// leavesDir reports whether a path leads out of a directory. Where the directory is not known, every full path does.
func leavesDir(path, dir string) bool {
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
