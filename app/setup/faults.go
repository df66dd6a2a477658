package setup

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/choicetui/choicetui/app/connect"
)

// What in an entry keeps its agent from using it, beside a command that cannot be started.

// switches are the keys by which an entry is switched off, and the value with which it is on.
var switches = map[string]bool{"enabled": true, "disabled": false}

// switchedOff are the keys by which an entry is switched off; none: it is on.
func switchedOff(entry map[string]any) (keys []string) {
	for _, key := range slices.Sorted(maps.Keys(switches)) {
		if is, ok := entry[key].(bool); ok && is != switches[key] {
			keys = append(keys, key)
		}
	}
	return keys
}

// offWords say how an entry that is switched off is switched on; empty: it is on.
func offWords(entry map[string]any, path string) string {
	off := switchedOff(entry)
	for i, key := range off {
		off[i] = fmt.Sprintf("%s to %t", key, switches[key])
	}
	if len(off) == 0 {
		return ""
	}
	return "set " + strings.Join(off, " and ") + " in " + path
}

// faultsOf are what an agent could not start a server with, one sentence's part each.
func faultsOf(entry map[string]any, want string) (faults []string) {
	wanted, err := decodeJSON([]byte(want))
	members, _ := wanted.(map[string]any)
	if err != nil {
		return nil
	}
	for _, key := range starts {
		should, _ := members[key].([]any)
		switch has := entry[key].(type) {
		case string:
			if should != nil {
				faults = append(faults, "its "+key+" is “"+has+"”, and has to be a list")
			}
		case []any:
			if should == nil && members[key] != nil {
				faults = append(faults, "its "+key+" is a list, and has to be one word")
			}
		}
	}
	if dir := startsIn(entry); dir != "" {
		if is, err := os.Stat(dir); err != nil || !is.IsDir() {
			faults = append(faults, "its cwd "+dir+" is no directory here")
		}
	}
	return faults
}

// startsIn is the directory that an entry is started in, where it names one in full.
func startsIn(entry map[string]any) string {
	if dir, _ := entry["cwd"].(string); filepath.IsAbs(dir) && !strings.Contains(dir, "$") {
		return dir
	}
	return ""
}

// lotsOfMilliseconds parts time-outs in milliseconds from those in seconds: nobody has us wait four months.
const lotsOfMilliseconds = 10_000_000

// givesUpAfter is how long the agent waits for an answer, as an entry says; 0: it does not say.
func givesUpAfter(entry map[string]any, want string) time.Duration {
	wanted, err := decodeJSON([]byte(want))
	members, _ := wanted.(map[string]any)
	if err != nil {
		return 0
	}
	for _, key := range []string{"timeout", "tool_timeout_sec"} {
		has, should := entry[key], members[key]
		if each, ok := should.(map[string]any); ok { // {"request": …}
			parts, _ := has.(map[string]any)
			has, should = parts["request"], each["request"]
		}
		usual, _ := should.(int64)
		n, ok := number(has)
		switch {
		case !ok || usual == 0:
		case usual >= lotsOfMilliseconds:
			return time.Duration(n * float64(time.Millisecond))
		default:
			return time.Duration(n * float64(time.Second))
		}
	}
	return 0
}

func number(v any) (n float64, ok bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

// findFor is the program that an agent starts under a name: its entry may set another PATH than is set here.
func findFor(h Host, e Entry, name string) (string, error) {
	dirs, own := "", false
	for _, one := range e.Env {
		if value, is := strings.CutPrefix(one, "PATH="); is {
			dirs, own = os.Expand(value, h.Env), true
		}
	}
	if !own || dirs == h.Env("PATH") || strings.ContainsRune(name, filepath.Separator) {
		return h.Find(name)
	}
	for _, dir := range filepath.SplitList(dirs) {
		path := filepath.Join(dir, name)
		if is, err := os.Stat(path); err == nil && is.Mode().IsRegular() && is.Mode().Perm()&0o111 != 0 {
			return path, nil
		}
	}
	return "", fmt.Errorf("%w: the entry sets PATH to %s", ErrNoProgram, dirs)
}

// wantedEntry is the entry that an agent should have, as JSON.
func wantedEntry(c connect.Client) string { return c.Server.Sets[0].Value }
