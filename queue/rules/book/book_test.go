package book_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/config/whole"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/rules"
	"github.com/choicetui/choicetui/queue/rules/book"
)

var noon = time.Date(2026, 11, 20, 14, 2, 0, 0, time.UTC)

func rule() rules.Rule {
	return rules.Rule{ID: queue.NewID(), Client: "claude-code", Tool: "Bash", Kind: queue.PartCommand,
		Hash: strings.Repeat("ab", 32), Text: "npm test", Dir: "/home/ana/shop", Thread: "t1", MadeAt: noon,
		Until: noon.Add(rules.MaxLife), From: "k7f3m2qx"}
}

// place returns a path in a directory that nobody else can write.
func place(t *testing.T) string {
	dir := filepath.Join(t.TempDir(), "choicetui")
	require.NoError(t, os.Mkdir(dir, 0o700))
	return filepath.Join(dir, "rules.jsonl")
}

func TestWhatIsWrittenIsReadAndThePersonsAlone(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "new", "rules.jsonl")
	b := book.At(path)
	list, err := b.Rules()
	require.NoError(t, err)
	require.Empty(t, list, "no file has no rules")
	require.NoDirExists(t, filepath.Dir(path), "looking makes nothing")
	one, two := rule(), rule()
	require.NoError(t, b.Add(one))
	require.NoError(t, b.Add(two))
	list, err = b.Rules()
	require.NoError(t, err)
	require.Equal(t, []rules.Rule{one, two}, list)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, append([]byte(whole.Mark), text...), 0o600))
	list, err = b.Rules()
	require.NoError(t, err)
	require.Equal(t, []rules.Rule{one, two}, list, "an editor has put a byte order mark before them")
	is, err := os.Stat(path)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), is.Mode().Perm())
	left, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Len(t, left, 1, "nothing else is left behind")
}

func TestWhatIsTakenBackIsGone(t *testing.T) {
	t.Parallel()
	b := book.At(place(t))
	_, err := b.Revoke("k7f3m2qx")
	require.ErrorIs(t, err, book.ErrNoRule)
	one, two := rule(), rule()
	require.NoError(t, b.Add(one))
	require.NoError(t, b.Add(two))
	gone, err := b.Revoke(one.ID)
	require.NoError(t, err)
	require.Equal(t, one, gone)
	list, err := b.Rules()
	require.NoError(t, err)
	require.Equal(t, []rules.Rule{two}, list)
	_, err = b.Revoke(one.ID)
	require.ErrorIs(t, err, book.ErrNoRule)
}

func TestALineThatIsNoRuleAllowsNothingIsReportedAndKept(t *testing.T) {
	t.Parallel()
	path := place(t)
	b := book.At(path)
	one := rule()
	require.NoError(t, b.Add(one))
	good, err := os.ReadFile(path)
	require.NoError(t, err)
	whole := strings.TrimSpace(string(good))
	bad := []string{
		"half of a ru",
		`{"id":"k7f3m2qx","command":"*"}`,
		`{}`,
		strings.Replace(whole, `"dir":`, `"only_on":"monday","dir":`, 1),
		strings.Replace(strings.Replace(whole, one.ID, queue.NewID(), 1), "2026-11-21", "2027-11-21", 1),
		strings.Replace(whole, one.ID, queue.NewID(), 1) + whole,
		whole,
		"",
	}
	require.NoError(t, os.WriteFile(path, []byte(whole+"\n"+strings.Join(bad, "\n")+"\n"), 0o600))
	list, broken, err := b.Read()
	require.NoError(t, err)
	require.Equal(t, []rules.Rule{one}, list)
	require.Len(t, broken, len(bad))
	require.Equal(t, 2, broken[0].Line)

	two := rule()
	require.NoError(t, b.Add(two))
	_, err = b.Revoke(one.ID)
	require.NoError(t, err)
	after, err := os.ReadFile(path)
	require.NoError(t, err)
	for _, l := range bad[:6] {
		require.Contains(t, string(after), l+"\n")
	}
}

func TestWhatExpiredGoesWithTheNextRule(t *testing.T) {
	t.Parallel()
	b := book.At(place(t))
	old, young := rule(), rule()
	old.MadeAt, old.Until = noon.Add(-25*time.Hour), noon.Add(-time.Hour)
	require.NoError(t, b.Add(old))
	require.NoError(t, b.Add(young))
	list, err := b.Rules()
	require.NoError(t, err)
	require.Equal(t, []rules.Rule{young}, list)
	bad := rule()
	bad.Until = bad.Until.Add(time.Hour)
	require.ErrorIs(t, b.Add(bad), rules.ErrInvalid)
}

func TestAFileThatOthersCanWriteIsNotRead(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(path string) error{
		"group may write":     func(path string) error { return os.Chmod(path, 0o620) },
		"everybody may write": func(path string) error { return os.Chmod(path, 0o602) },
		"its directory may be written": func(path string) error {
			return os.Chmod(filepath.Dir(path), 0o777)
		},
		"a link": func(path string) error {
			if err := os.Rename(path, path+".real"); err != nil {
				return err
			}
			return os.Symlink(path+".real", path)
		},
		"a directory": func(path string) error {
			if err := os.Remove(path); err != nil {
				return err
			}
			return os.Mkdir(path, 0o700)
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := book.At(place(t))
			one := rule()
			require.NoError(t, b.Add(one))
			require.NoError(t, spoil(b.Path()))
			list, _, err := b.Read()
			var unsafe *book.Unsafe
			require.ErrorAs(t, err, &unsafe)
			require.NotEmpty(t, unsafe.Repair)
			require.Empty(t, list)
			require.ErrorAs(t, b.Add(rule()), &unsafe, "nor is it written")
			_, err = b.Revoke(one.ID)
			require.ErrorAs(t, err, &unsafe)
		})
	}
}

func TestManyAtOnceLoseNoRule(t *testing.T) {
	t.Parallel()
	path := place(t)
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			if err := book.At(path).Add(rule()); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	list, err := book.At(path).Rules()
	require.NoError(t, err)
	require.Len(t, list, 20)
}

func TestThereAreNoMoreThanSoMany(t *testing.T) {
	t.Parallel()
	path := place(t)
	require.NoError(t, book.At(path).Add(rule()))
	raw, err := os.ReadFile(path)
	require.NoError(t, err)
	var text strings.Builder
	for i := range book.MaxRules {
		text.WriteString(strings.Replace(string(raw), `"id":"`+string(raw[7:15]), fmt.Sprintf(`"id":"%08d`, i), 1))
	}
	require.NoError(t, os.WriteFile(path, []byte(text.String()), 0o600))
	require.ErrorIs(t, book.At(path).Add(rule()), book.ErrFull)
	require.NoError(t, os.WriteFile(path, make([]byte, 1<<20+1), 0o600))
	_, err = book.At(path).Rules()
	require.ErrorContains(t, err, "1 MiB")
}

func TestADirectoryIsFollowedToWhereItReallyIs(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	link := filepath.Join(dir, "link")
	for _, name := range []string{"a", "b"} {
		require.NoError(t, os.Mkdir(filepath.Join(dir, name), 0o700))
	}
	b := book.At(filepath.Join(dir, "rules.jsonl"))
	require.NoError(t, os.Symlink("a", link))
	real, err := b.Real(link)
	require.NoError(t, err)
	require.Equal(t, filepath.Join(dir, "a"), real)
	require.NoError(t, os.Remove(link))
	require.NoError(t, os.Symlink("b", link))
	real, err = b.Real(link)
	require.NoError(t, err)
	require.Equal(t, filepath.Join(dir, "b"), real)
	_, err = b.Real(filepath.Join(dir, "none"))
	require.Error(t, err)
	require.NoError(t, os.WriteFile(b.Path(), nil, 0o600))
	_, err = b.Real(b.Path())
	require.Error(t, err)
}
