package config

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/stretchr/testify/require"
)

func place(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "choicetui", "config.json")
	if text != "" {
		if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		put(t, path, text)
	}
	return path
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func content(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestNoFileAndAnEmptyFileAreTheDefaults(t *testing.T) {
	for _, text := range []string{"", " \n", "{}"} {
		f := Open(place(t, text))
		want := Default()
		if f.Err() != nil || !reflect.DeepEqual(f.Settings(), want) {
			t.Errorf("%q: %v %+v", text, f.Err(), f.Settings())
		}
	}
}

func TestABrokenFileIsReportedWithItsPlaceAndLeftAlone(t *testing.T) {
	for text, want := range map[string]string{
		"{\n  \"theme\": \"dark\",\n}":        ":3:1: unexpected \"}\"",
		"{\n  \"한글\": tru }":                  ":2:12: ",
		"{\"theme\": \"dark\"":                ":1:17: the file ends too early",
		"[1]":                                 ":1:1: the settings must begin with {",
		"{} x":                                ":1:4: ",
		"\n\n  {\"theme\" \"dark\"}":          ":3:12: ",
		strings.Repeat(" ", maxSize) + "{}  ": "larger than 1 MiB",
	} {
		path := place(t, text)
		f := Open(path)
		var bad *Invalid
		if !errors.As(f.Err(), &bad) || !bad.Broken || !strings.Contains(f.Err().Error(), want) {
			t.Errorf("%.60q: %v", text, f.Err())
		}
		if err := f.Update(func(s *Settings) { s.Theme = "light" }); err == nil || content(t, path) != text {
			t.Errorf("%.60q was overwritten: %v", text, err)
		}
	}
}

func TestANewProcessStartsOnTheDefaultsWhereTheFileIsBroken(t *testing.T) {
	path := place(t, `{"queue": "/q2"}`)
	before := Open(path)
	put(t, path, "{\n  \"queue\": \"/q3")
	before.Reload()
	if got := before.Settings().Queue; got != "/q2" || !strings.HasSuffix(before.Err().Error(), leftAlone) {
		t.Errorf("a process that has read good settings keeps them: %q, %v", got, before.Err())
	}
	after := Open(path)
	if got := after.Settings(); !reflect.DeepEqual(got, Default()) {
		t.Errorf("%+v", got)
	}
	refused := after.Update(func(s *Settings) { s.Theme = "mono" })
	for _, err := range []error{after.Err(), refused} {
		if err == nil || !strings.Contains(err.Error(), "config.json:2:16: ") || !strings.HasSuffix(err.Error(), noneGood) {
			t.Errorf("said with its place, and what is in force: %v", err)
		}
	}
	put(t, path, `{"queue": "/q4"}`)
	if !after.Reload() || after.Err() != nil || after.Settings().Queue != "/q4" {
		t.Errorf("repaired: %v %q", after.Err(), after.Settings().Queue)
	}
}

func TestAFileThatCannotBeReadNamesNoQueueUntilGoodSettingsWereRead(t *testing.T) {
	path := place(t, "{\n  \"theme\": \"dark\",\n}")
	f := Open(path)
	err := f.Unusable("queue")
	want := path + ":3:1: unexpected \"}\""
	if err == nil || !strings.HasPrefix(err.Error(), want) || !strings.HasSuffix(err.Error(), noQueue) || !Broken(err) {
		t.Errorf("a shared queue may be meant: %v", err)
	}
	put(t, path, `{"queue": "nats://h"}`)
	f.Reload()
	put(t, path, `{"queue": "nats://h",}`)
	f.Reload()
	for _, running := range []*File{f, f.Reopen()} {
		if !Broken(running.Err()) || running.Unusable("queue") != nil || running.Settings().Queue != "nats://h" {
			t.Errorf("a process that has read good settings keeps them: %v", running.Err())
		}
	}
	put(t, path, `{"queue": "/q"}`)
	if again := f.Reopen(); again.Err() != nil || again.Settings().Queue != "/q" || f.Settings().Queue != "nats://h" {
		t.Errorf("it is read apart: %v %q", again.Err(), again.Settings().Queue)
	}
}

func TestAWrongQueueStaysUnusableWhileTheFileIsBroken(t *testing.T) {
	path := place(t, `{"queue": "nats://"}`)
	f := Open(path)
	before := f.Unusable("queue")
	put(t, path, `{"queue": "nats://h",}`)
	f.Reload()
	if after := f.Unusable("queue"); before == nil || after == nil || after.Error() != before.Error() {
		t.Errorf("before %v, after %v", before, after)
	}
}

func TestTheSameTroubleReadAgainIsNoChange(t *testing.T) {
	directory := t.TempDir()
	wrong := place(t, `{"theme": "pink", "tehme": 1}`)
	for _, path := range []string{directory, place(t, `{"theme"`), wrong} {
		f := Open(path)
		if f.Err() == nil || f.Reload() {
			t.Errorf("%s: %v", path, f.Err())
		}
	}
	f := Open(wrong)
	put(t, wrong, `{ "theme": "pink", "tehme": 1}`)
	if !f.Reload() {
		t.Error("what is wrong has moved")
	}
	if err := Open(directory).Err(); !Broken(err) || !strings.HasSuffix(err.Error(), "not a regular file; "+noneGood) {
		t.Error(err)
	}
}

func TestAWrongValueIsReportedAndTheOthersApply(t *testing.T) {
	f := Open(place(t, `{
  "timeout_seconds": 0,
  "transport": "pigeon",
  "peek": null,
  "notify": {"bell": "yes", "warn_seconds": 20},
  "chat": "off",
  "soft_limits": {"codex": 280, "gemini": 90000},
  "keys": {"quit": ["Q", "ctrl-q"], "cancel": "", "help": "F1", "undo": []},
  "timeout_override": 600,
  "theme": "dark",
  "theme": "mono",
  "hidden_options": [{"client": "codex", "id": "a", "label": "A"}]
}`))
	for _, want := range []string{
		":2:22: timeout_seconds is 0; it must be a whole number of seconds from 1 to 86400",
		`:3:16: transport is "pigeon"; it must be one of auto, terminal`,
		":4:11: peek is null; it must be true or false",
		`:5:22: notify.bell is "yes"; it must be true or false`,
		`:6:11: chat is "off"; it must be an object`,
		":7:43: soft_limits.gemini is 90000; it must be",
		":8:47: keys.cancel is empty; it must be",
		":11:3: theme is given twice",
	} {
		if !strings.Contains(f.Err().Error(), want) {
			t.Errorf("missing %q in\n%v", want, f.Err())
		}
	}
	want := Default()
	override := 600
	want.TimeoutOverride, want.Theme, want.Notify.WarnSeconds = &override, "mono", 20
	want.SoftLimits = map[string]int{"codex": 280}
	want.Keys = map[string][]string{"quit": {"Q", "ctrl-q"}, "help": {"F1"}, "undo": {}}
	want.HiddenOptions = []HiddenOption{{"codex", "a", "A"}}
	if got := f.Settings(); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestUpdateChangesItsKeysAndNothingElse(t *testing.T) {
	path := place(t, `{
    "zebra": {"b": 1, "a": [1,  2]},
    "timeout_seconds": 90000,
    "notify": { "bell": false, "colour": "pink" },
    "soft_limits": {"codex": 280, "gemini": 570},
	"alpha": 1e400
}
`)
	f := Open(path)
	err := f.Update(func(s *Settings) {
		s.Notify.WarnSeconds = 20
		s.Notify.Bell = true
		delete(s.SoftLimits, "codex")
		s.SoftLimits["pi"] = 7
		s.Theme = "dark"
		s.Keys = map[string][]string{"quit": {"<Q>"}}
	})
	if err != nil {
		t.Fatal(err)
	}
	want := `{
    "zebra": {"b": 1, "a": [1,  2]},
    "timeout_seconds": 90000,
    "notify": { "bell": true, "colour": "pink", "warn_seconds": 20 },
    "soft_limits": {"gemini": 570, "pi": 7},
	"alpha": 1e400,
	"theme": "dark",
	"keys": {
    "quit": ["<Q>"]
  }
}
`
	if got := content(t, path); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if s := f.Settings(); s.Theme != "dark" || s.SoftLimits["pi"] != 7 || !reflect.DeepEqual(Open(path).Settings(), s) {
		t.Errorf("%+v", s)
	}
}

func TestUpdateCreatesPrivatelyAndRefusesNonsense(t *testing.T) {
	path := place(t, "")
	f := Open(path)
	if err := f.Update(func(*Settings) {}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err == nil {
		t.Error("no change must write no file")
	}
	for name, change := range map[string]func(*Settings){
		"timeout_seconds": func(s *Settings) { s.TimeoutSeconds = -1 },
		"transport":       func(s *Settings) { s.Transport = "pigeon" },
		"keys.cancel":     func(s *Settings) { s.Keys = map[string][]string{"cancel": nil} },
		"queue":           func(s *Settings) { s.Queue = "http://q" },
	} {
		var bad *Invalid
		if err := f.Update(change); !errors.As(err, &bad) || bad.Problems[0].Key != name {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := f.Update(func(s *Settings) { s.Queue = "/q" }); err != nil {
		t.Fatal(err)
	}
	if got := content(t, path); got != "{\n  \"queue\": \"/q\"\n}\n" {
		t.Errorf("%q", got)
	}
	for at, want := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700 | os.ModeDir} {
		if is, err := os.Stat(at); err != nil || is.Mode() != want {
			t.Errorf("%s: %v %v", at, is.Mode(), err)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".*")); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
}

func TestWhatAKilledProcessLeftIsSweptWithTheNextChange(t *testing.T) {
	path := place(t, "{}")
	left, fresh := filepath.Join(filepath.Dir(path), ".config-1.tmp"), filepath.Join(filepath.Dir(path), ".config-2.tmp")
	for _, name := range []string{left, fresh} {
		if err := os.WriteFile(name, []byte("{"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	hourAgo := time.Now().Add(-time.Hour)
	if err := os.Chtimes(left, hourAgo, hourAgo); err != nil {
		t.Fatal(err)
	}
	if err := Open(path).Update(func(s *Settings) { s.Theme = "mono" }); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(left); err == nil {
		t.Error("the old one is still there")
	}
	if _, err := os.Stat(fresh); err != nil {
		t.Error("somebody may be writing the other one:", err)
	}
}

func TestALinkedFileStaysALink(t *testing.T) {
	path := place(t, "{}")
	real := filepath.Join(t.TempDir(), "dotfiles", "choicetui.json")
	_ = os.Remove(path)
	if err := os.Symlink(real, path); err != nil { // the target does not even exist yet
		t.Fatal(err)
	}
	f := Open(path)
	if err := f.Update(func(s *Settings) { s.Theme = "mono" }); err != nil {
		t.Fatal(err)
	}
	if is, _ := os.Lstat(path); is.Mode()&os.ModeSymlink == 0 || !strings.Contains(content(t, real), "mono") {
		t.Error("the link was replaced")
	}
}

func TestConcurrentUpdatesLoseNothing(t *testing.T) {
	path := place(t, "")
	var wg sync.WaitGroup
	for n := range 8 {
		f := Open(path)
		wg.Go(func() {
			for i := range 10 {
				if err := f.Update(func(s *Settings) {
					if s.SoftLimits == nil {
						s.SoftLimits = map[string]int{}
					}
					s.SoftLimits[fmt.Sprintf("c%d-%d", n, i)] = i
				}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	if got := len(Open(path).Settings().SoftLimits); got != 80 {
		t.Errorf("%d of 80 survived", got)
	}
}

func TestSettingsAreTheCallersOwn(t *testing.T) {
	f := Open(place(t, `{"soft_limits": {"a": 1}, "timeout_override": 5, "keys": {"quit": ["q"]}}`))
	s := f.Settings()
	s.SoftLimits["a"], *s.TimeoutOverride, s.Keys["quit"][0] = 2, 6, "x"
	if now := f.Settings(); now.SoftLimits["a"] != 1 || *now.TimeoutOverride != 5 || now.Keys["quit"][0] != "q" {
		t.Errorf("%+v", now)
	}
}

func TestEffectiveSaysWhereAValueComesFrom(t *testing.T) {
	f := Open(place(t, "{\n \"theme\": \"dark\", \"notify\": {\"bell\": false}, \"tehme\": 1, \"transport\": 3,\n"+
		`"hold_while_typing": false, "native": {"homes": "/a"}}`)) // which were settings once
	got := map[string]string{}
	for _, v := range f.Effective() {
		got[v.Key] = fmt.Sprintf("%s %s %d", v.From, v.Value, v.Line)
	}
	for key, want := range map[string]string{
		"theme": `file "dark" 2`, "notify.bell": "file false 2", "notify.warn_seconds": "default 10 0", "tehme": "unknown 1 2",
		"hold_while_typing": "unknown false 3", "native.homes": `unknown "/a" 3`,
		"transport": `default "auto" 0`, "timeout_override": "default null 0", "chat.deliver": `default "auto" 0`, "queue": `default "" 0`,
	} {
		if got[key] != want {
			t.Errorf("%s: %q, want %q", key, got[key], want)
		}
	}
}

// watched counts the calls of Watch's callback. It returns once Watch has looked at the file for the first time.
func watched(t *testing.T, f *File) (calls chan struct{}) {
	t.Helper()
	calls = make(chan struct{}, 100)
	f.mu.Lock()
	f.last.settings.Theme = "" // a changed setting, so that the first look calls the callback
	f.mu.Unlock()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := f.Watch(ctx, func() { calls <- struct{}{} }); err != nil {
			t.Error(err)
		}
	}()
	t.Cleanup(func() { cancel(); <-done })
	called(t, "the first look", calls)
	return calls
}

func called(t *testing.T, what string, calls chan struct{}) {
	t.Helper()
	select {
	case <-calls:
	case <-time.After(10 * time.Second): // shorter than pollRarely, so an event has reported it where there are events
		t.Fatal("not told: " + what)
	}
}

func quiet(t *testing.T, what string, calls chan struct{}) {
	t.Helper()
	select {
	case <-calls:
		t.Fatal("told once too often: " + what)
	case <-time.After(3 * settle):
	}
}

func TestAChangeReachesEveryFile(t *testing.T) {
	path := place(t, "")
	here, there := Open(path), Open(path)
	calls, own := watched(t, there), watched(t, here)
	if err := here.Update(func(s *Settings) { s.Theme = "dark" }); err != nil { // creates the directory
		t.Fatal(err)
	}
	called(t, "the other process's update", calls)
	if there.Settings().Theme != "dark" {
		t.Error("not read")
	}
	quiet(t, "one update", calls)
	quiet(t, "one's own update", own)
	temp := filepath.Join(filepath.Dir(path), ".x.swp") // editors write a new file and rename it
	put(t, temp, `{"theme": "mono"}`)
	if err := os.Rename(temp, path); err != nil {
		t.Fatal(err)
	}
	called(t, "an editor's rename", calls)
	put(t, path, `{"theme": "mo`)
	called(t, "a broken file", calls)
	if there.Err() == nil || there.Settings().Theme != "mono" {
		t.Errorf("the last good settings must stay: %v %q", there.Err(), there.Settings().Theme)
	}
	put(t, path, `{"theme": "light"}`)
	called(t, "a repaired file", calls)
	if there.Err() != nil || there.Settings().Theme != "light" {
		t.Errorf("repaired: %v %q", there.Err(), there.Settings().Theme)
	}
	_ = os.Remove(path)
	called(t, "a removed file", calls)
	if there.Settings().Theme != "auto" {
		t.Error("without a file there are the defaults")
	}
}

func TestALinksTargetIsWatched(t *testing.T) {
	path := place(t, "{}")
	real := filepath.Join(t.TempDir(), "real.json")
	put(t, real, "{}")
	_ = os.Remove(path)
	_ = os.Symlink(real, path)
	f := Open(path)
	calls := watched(t, f)
	put(t, real, `{"theme": "dark"}`)
	called(t, "the target", calls)
}

func TestRefreshSeesAChangeAtOnceAndReadsAnUnchangedFileOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "config.json")
	f := Open(path)
	if f.Refresh() {
		t.Error("there is no file")
	}
	for _, seconds := range []int{100, 200} {
		if err := Open(path).Update(func(s *Settings) { s.TimeoutSeconds = seconds }); err != nil {
			t.Fatal(err)
		}
		if !f.Refresh() || f.Settings().TimeoutSeconds != seconds {
			t.Errorf("the file says %d, this %d", seconds, f.Settings().TimeoutSeconds)
		}
		if f.Refresh() {
			t.Error("nothing changed since")
		}
	}
}

func TestWhatEventsTellIsLookedForRarely(t *testing.T) {
	f := Open(filepath.Join(t.TempDir(), "choicetui", "config.json"))
	require.Equal(t, pollEvery, (&watch{file: f}).pollInterval(), "no events at all")
	notify, err := fsnotify.NewWatcher()
	if errors.Is(err, syscall.EMFILE) {
		t.Skip("this system has no inotify instance left")
	}
	require.NoError(t, err)
	w := &watch{file: f, notify: notify}
	w.watchDirs()
	require.Equal(t, pollRarely, w.pollInterval())
	require.NoError(t, notify.Close()) // as if the system had no free watches
	w.watchDirs()
	require.Equal(t, pollEvery, w.pollInterval())
}
