package e2e

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/stretchr/testify/require"

	_ "github.com/choicetui/choicetui/app/cli" // the program under test: a result is cached only as long as it is the same
)

const (
	// patience is how long anything may take that should take milliseconds: the machine may be small and busy.
	patience = 20 * time.Second
	// soon is the longest a process may outlive its terminal.
	soon = 2 * time.Second
	// glance is how often a screen is looked at.
	glance = 15 * time.Millisecond
	// guarded is how long keys that answer are ignored after a question came on screen, and more: on a busy machine the
	// program may be held up between writing a question and noting when it did.
	guarded = 500*time.Millisecond + 400*time.Millisecond
	// paused is how long a letter that does something waits for another key, and a little more. What a person types
	// behind it comes later than that; what comes sooner counts as typing meant for another pane.
	paused = 300*time.Millisecond + 100*time.Millisecond
	// between is how far apart a person presses keys that belong together. The program takes less than 50 ms for a paste,
	// and a machine that is busy may read two keys that much closer together.
	between = 150 * time.Millisecond
	// unseen is how long the next key waits for a change on screen. Few keys change nothing there.
	unseen = time.Second
)

// scratch is this run's directory: the program, and what the race detector found in it.
var scratch string

func TestMain(m *testing.M) {
	if mode := os.Getenv(workerMode); mode != "" {
		os.Exit(worker(mode))
	}
	flag.Parse()
	if f := flag.Lookup("test.parallel"); f.Value.String() == f.DefValue {
		atOnce := map[bool]string{false: "8", true: "6"}[raceDetector] // these tests mostly wait
		_ = flag.Set("test.parallel", atOnce)
	}
	os.Exit(run(m))
}

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "choicetui-e2e-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	scratch = dir
	if os.Getenv("CHOICETUI_E2E") == "require" && flag.Lookup("test.run").Value.String() == "" {
		go offClock() // it takes a minute, which the last tests would wait for
	}
	code := m.Run()
	races, _ := filepath.Glob(filepath.Join(dir, "race.*"))
	for _, name := range races {
		report, _ := os.ReadFile(name)
		fmt.Fprintf(os.Stderr, "choicetui has a data race:\n%s\n", report)
		code = 1
	}
	return code
}

// program builds choicetui, once a run.
var program = sync.OnceValues(func() (string, error) {
	return build("choicetui", raceDetector)
})

// build makes a choicetui of that name, with more flags for the compiler. With the race detector as the tests have it,
// or as they don't, most of it is compiled already.
func build(name string, race bool, flags ...string) (string, error) {
	bin := filepath.Join(scratch, "bin", name)
	args := append([]string{"build", "-buildvcs=false", "-o", bin, "-race=" + strconv.FormatBool(race)}, flags...)
	build := exec.Command("go", append(args, "github.com/choicetui/choicetui")...)
	if !race {
		build.Env = append(os.Environ(), "CGO_ENABLED=0") // as README installs it; the race detector needs cgo
	}
	out, err := build.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("failed to build choicetui: %w\n%s", err, out)
	}
	return bin, nil
}

// need skips a test that cannot run here.
func need(t testing.TB, programs ...string) {
	t.Helper()
	if testing.Short() {
		t.Skip("end-to-end tests are left out under -short")
	}
	for _, name := range programs {
		if _, err := exec.LookPath(name); err == nil {
			continue
		}
		if os.Getenv("CHOICETUI_E2E") == "require" {
			t.Fatalf("%s is not installed, and CHOICETUI_E2E=require allows no skipping", name)
		}
		t.Skipf("%s is not installed", name)
	}
}

// needEvents skips a test of what only events of the file system tell, where the person's processes have taken all that
// the system gives.
func needEvents(t testing.TB) {
	t.Helper()
	watch, err := fsnotify.NewWatcher()
	if errors.Is(err, syscall.EMFILE) {
		t.Skip("this system has no inotify instance left")
	}
	require.NoError(t, err)
	require.NoError(t, watch.Close())
}
