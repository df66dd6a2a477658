//go:build agents

package e2e

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

// -- What a person does

// press presses keys on a screen. In the dashboard a new question takes no keys for half a second, and Enter waits
// behind a mark.
func press(screen string, keys ...string) step {
	return step{fmt.Sprintf("press(%s, %q)", screen, keys), func(w *world) error {
		time.Sleep(guarded)
		for _, key := range keys {
			w.panes[screen].press(key)
			time.Sleep(paused)
		}
		return nil
	}}
}

// quickly presses keys that mean something only in quick succession. It pauses between them as a person does, because
// two Escapes that are read together are a different key.
func quickly(screen string, keys ...string) step {
	return step{fmt.Sprintf("quickly(%s, %q)", screen, keys), func(w *world) error {
		time.Sleep(guarded)
		for _, key := range keys {
			w.panes[screen].press(key)
			time.Sleep(100 * time.Millisecond)
		}
		return nil
	}}
}

// types types words, as late behind a key as a person does.
func types(screen, words string) step {
	return step{fmt.Sprintf("types(%s, %q)", screen, words), func(w *world) error {
		time.Sleep(paused)
		w.panes[screen].write(words)
		time.Sleep(paused)
		return nil
	}}
}

// says types a line and presses Enter.
func says(screen, words string) step {
	return step{fmt.Sprintf("says(%s, %q)", screen, words), func(w *world) error {
		w.panes[screen].write(words)
		time.Sleep(paused)
		w.panes[screen].press("Enter")
		return nil
	}}
}

// dashboard opens the dashboard of a row that began without one.
var dashboard = step{"dashboard", func(w *world) error { w.opensDashboard(); return nil }}

// starts starts another agent: $WORK and $OTHER are its directories.
func starts(name, dir, command string) step {
	return step{fmt.Sprintf("starts(%s, %s, %q)", name, dir, command), func(w *world) error {
		w.starts(name, w.expands.Replace(dir), command)
		return nil
	}}
}

// kills ends an agent as the kernel does when memory runs out, with the server of Codex.
func kills(screen string) step {
	return step{fmt.Sprintf("kills(%s)", screen), func(w *world) error {
		w.signal(w.panes[screen], syscall.SIGKILL)
		w.endDaemon(syscall.SIGKILL)
		return nil
	}}
}

// sh runs a command where the agent works.
func sh(command string) step {
	return step{fmt.Sprintf("sh(%q)", command), func(w *world) error { return w.shell(w.expands.Replace(command)) }}
}

// stays waits as long as anything that is still to come would take.
func stays(d time.Duration) step {
	return step{fmt.Sprintf("stays(%s)", d), func(*world) error { time.Sleep(d); return nil }}
}

// waitsLong waits as long as an agent that gives up early would not.
var waitsLong = step{"waitsLong", func(*world) error { time.Sleep(long()); return nil }}

// serves waits until an agent has started our server, and has had time to read its tools.
func serves(screen string) step {
	return step{fmt.Sprintf("serves(%s)", screen), func(w *world) error {
		started := wait(agentPatience, func() bool {
			return slices.ContainsFunc(family(w.panes[screen].process()), func(pid int) bool {
				line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
				return strings.HasPrefix(string(line), "choicetui\x00mcp")
			})
		})
		if !started {
			return errNever
		}
		time.Sleep(2 * time.Second)
		return nil
	}}
}

// -- What must come true

// sees waits until all of these words are on a screen.
func sees(screen string, words ...string) step { return seesWithin(agentPatience, screen, words...) }

func seesWithin(most time.Duration, screen string, words ...string) step {
	return eventually(fmt.Sprintf("sees(%s, %q)", screen, words), most, func(w *world) bool {
		return containsAll(w.panes[screen].screen(), words)
	})
}

// loses waits until these words are no longer on a screen.
func loses(screen string, words string) step {
	return eventually(fmt.Sprintf("loses(%s, %q)", screen, words), promptly, func(w *world) bool {
		return !strings.Contains(w.panes[screen].screen(), words)
	})
}

// lacks looks once, and must not find these words.
func lacks(screen string, words string) step {
	return step{fmt.Sprintf("lacks(%s, %q)", screen, words), func(w *world) error {
		if strings.Contains(w.panes[screen].screen(), words) {
			return fmt.Errorf("%q is on the screen", words)
		}
		return nil
	}}
}

// answers waits for words on a screen and presses keys.
func answers(screen, words string, keys ...string) step {
	first, second := sees(screen, words), press(screen, keys...)
	return step{first.says + " " + second.says, func(w *world) error {
		if err := first.do(w); err != nil {
			return err
		}
		return second.do(w)
	}}
}

// told waits until one request of the model has brought all of these words. Backslashes do not count: agents put JSON
// into JSON.
func told(words ...string) step {
	return eventually(fmt.Sprintf("told(%q)", words), agentPatience, func(w *world) bool { return w.told(words) })
}

// untold fails where the model was told these words.
func untold(words ...string) step {
	return step{fmt.Sprintf("untold(%q)", words), func(w *world) error {
		if w.told(words) {
			return fmt.Errorf("the model was told %q", words)
		}
		return nil
	}}
}

func (w *world) told(words []string) bool {
	return slices.ContainsFunc(w.turns(), func(r turn) bool {
		return containsAll(strings.ReplaceAll(strings.Join(r.Heard, "\n"), `\`, ""), words)
	})
}

// offers waits for the first request of the model, which must offer these tools.
func offers(tools ...string) step {
	return step{fmt.Sprintf("offers(%q)", tools), func(w *world) error {
		if !wait(agentPatience, func() bool { return len(w.turns()) > 0 }) {
			return errNever
		}
		for _, tool := range tools {
			if offered := w.turns()[0].Tools; !slices.Contains(offered, tool) {
				return fmt.Errorf("the first request offers %q", offered)
			}
		}
		return nil
	}}
}

// logged waits until one event of a question, named by the beginning of its title, has all of these words.
func logged(title string, words ...string) step {
	return eventually(fmt.Sprintf("logged(%q, %q)", title, words), promptly, func(w *world) bool {
		return w.logged(title, words)
	})
}

// unlogged fails where the log knows of a question.
func unlogged(title string, words ...string) step {
	return step{fmt.Sprintf("unlogged(%q, %q)", title, words), func(w *world) error {
		if w.logged(title, words) {
			return fmt.Errorf("the log has it")
		}
		return nil
	}}
}

func (w *world) logged(title string, words []string) bool {
	for line := range strings.Lines(w.output("log", "--json")) {
		if strings.Contains(line, `"title":"`+title) && containsAll(line, words) {
			return true
		}
	}
	return false
}

// pending waits until so many questions are pending.
func pending(n int) step {
	return eventually(fmt.Sprintf("pending(%d)", n), promptly, func(w *world) bool { return len(w.list()) == n })
}

// file waits until the agent made a file with this content.
func file(name, content string) step {
	return eventually(fmt.Sprintf("file(%q, %q)", name, content), agentPatience, func(w *world) bool {
		raw, err := os.ReadFile(filepath.Join(w.work, name))
		return err == nil && string(raw) == content
	})
}

// absent fails where a file is there.
func absent(name string) step {
	return step{fmt.Sprintf("absent(%q)", name), func(w *world) error {
		if _, err := os.Stat(filepath.Join(w.work, name)); err == nil {
			return fmt.Errorf("it was made")
		}
		return nil
	}}
}

// -- Settings files, which setup must leave as they were

// had keeps what the agent's settings files are.
var had = step{"had", func(w *world) error { w.before = w.settings(); return nil }}

// changed fails where the settings files are as they were.
var changed = step{"changed", func(w *world) error {
	if len(differences(w.before, w.settings())) == 0 {
		return fmt.Errorf("no settings file has changed")
	}
	return nil
}}

// restored fails where a settings file is not, byte for byte, as it was.
var restored = step{"restored", func(w *world) error {
	if names := differences(w.before, w.settings()); len(names) > 0 {
		return fmt.Errorf("not as they were: %q", names)
	}
	return nil
}}

// settings are the settings files in the home, without what the agents keep for themselves.
func (w *world) settings() map[string]string {
	w.Helper()
	home, all := filepath.Join(w.dir, "home"), map[string]string{}
	_ = filepath.WalkDir(home, func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(home, path)
		switch {
		case err != nil:
			return nil
		case d.IsDir() && slices.Contains([]string{"node_modules", ".cache", ".local", "tmp"}, d.Name()):
			return fs.SkipDir
		case d.Type().IsRegular() && isSettings(name):
			raw, _ := os.ReadFile(path)
			all[name] = fmt.Sprintf("%x", sha256.Sum256(raw))
		}
		return nil
	})
	return all
}

func isSettings(name string) bool {
	base := filepath.Base(name)
	return slices.Contains([]string{"settings.json", ".claude.json", "hooks.json", "mcp-config.json", "mcp.json",
		"opencode.json", "opencode.jsonc", "kilo.json", "cline_mcp_settings.json", "config.yaml"}, base) ||
		strings.HasSuffix(base, ".toml") || strings.Contains(name, "/hooks/") || strings.Contains(name, "/plugins/") ||
		strings.Contains(name, "/extensions/")
}

func differences(a, b map[string]string) (names []string) {
	for name := range a {
		if a[name] != b[name] {
			names = append(names, name)
		}
	}
	for name := range b {
		if _, had := a[name]; !had {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func containsAll(text string, words []string) bool {
	return !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, word) })
}
