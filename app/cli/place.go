package cli

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/mcpbridge/agents/agent"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/jetstream"
	"github.com/choicetui/choicetui/queue/spool"
)

// queuePlace returns where the queue is, a directory or a server's address: the flag, else $CHOICETUI_QUEUE, else
// usualPlace.
func (sh *shell) queuePlace() (string, error) {
	for _, name := range []string{sh.queue, os.Getenv("CHOICETUI_QUEUE")} {
		if name != "" {
			return placeNamed(name)
		}
	}
	return sh.usualPlace()
}

// usualPlace returns the queue's place without flag and variable: the setting, else the system's directory for state.
func (sh *shell) usualPlace() (string, error) {
	settings := sh.settings()
	if err := settings.Unusable("queue"); err != nil { // the setting may name a server
		return "", unusableSetting(err)
	}
	sh.complain.Do(func() { sh.warnSettings(settings.Err()) }) // the broken file might have named another place
	if name := settings.Settings().Queue; name != "" {
		return placeNamed(name)
	}
	state, err := config.StateDir()
	if err != nil {
		return "", &failure{say: err.Error() + ", so the queue cannot be found",
			hint: "set HOME, or give --queue DIR", cause: err}
	}
	return filepath.Join(state, "queue"), nil
}

// unusableSetting ends a command if a setting of the queue cannot be used. Continuing without the setting would use
// another queue, which nobody reads.
func unusableSetting(err error) error {
	hint := "repair it there, or: choicetui config set KEY VALUE; --queue DIR names a directory for one command"
	if config.Broken(err) { // config set leaves such a file alone
		hint = "repair the file or move it away; until then: choicetui --queue " + usualQueue()
	}
	return &failure{say: err.Error(), cause: err, hint: hint}
}

// usualQueue returns the directory of the queue where nothing names another one, as a shell takes it.
func usualQueue() string {
	state, err := config.StateDir()
	if err != nil {
		return "DIR"
	}
	return agent.ShellQuoted(filepath.Join(state, "queue"))
}

// placeNamed returns the place that a name stands for: a server's address with its scheme in small letters, or the
// absolute path of a directory. A name that begins with ~/ is below the home directory.
func placeNamed(name string) (string, error) {
	if wrong, want := config.MisplacedQueue(name); wrong != "" {
		if scheme, _, ok := strings.Cut(config.HideLogin(name), "://"); ok && !jetstream.IsAddress(name) {
			return "", &failure{say: "a queue cannot be at " + scheme + "://",
				hint: "give a directory or a NATS server: --queue DIR, --queue nats://HOST:PORT, or the setting queue"}
		}
		return "", &failure{say: "a queue cannot be at " + wrong, hint: "give it as " + want}
	}
	if jetstream.IsAddress(name) {
		return jetstream.LowerSchemes(name), nil
	}
	path, ok := config.BelowHome(name, config.Home())
	if !ok {
		return "", &failure{say: "the home directory of " + quoted(name) + " is not known",
			hint: "set HOME, or give a full path"}
	}
	return filepath.Abs(path)
}

// openQueue opens the queue, and makes a missing one.
func (sh *shell) openQueue() (*queue.Queue, error) {
	dir, err := sh.queuePlace()
	if err != nil {
		return nil, err
	}
	return sh.openQueueAt(dir)
}

// openQueueAt opens the queue at a place that placeNamed has returned, and makes a missing one. A queue on a server
// goes by the server's clock, and knows who the person is.
func (sh *shell) openQueueAt(place string) (*queue.Queue, error) {
	store, err := sh.storeAt(place)
	if err != nil {
		return nil, err
	}
	q := queue.New(store)
	q.Now = sh.now
	if server, ok := store.(*jetstream.Store); ok {
		q.Now = server.Now
		q.Person, q.Host = sh.personHere()
	}
	return q, nil
}

// personHere returns the person's name as the other people of a shared queue see it, and this machine's name.
func (sh *shell) personHere() (person, host string) {
	host, _ = os.Hostname()
	if file, ok := config.BelowHome(sh.currentSettings().QueueCredentials, config.Home()); ok {
		if person = jetstream.PersonIn(file); person != "" {
			return person, host
		}
	}
	who, err := user.Current()
	if err != nil { // a container may have no name for its user
		who = &user.User{Username: strconv.Itoa(os.Getuid())}
	}
	return queue.NamePerson(who.Username, host), host
}

// storeAt opens the store at a place.
func (sh *shell) storeAt(place string) (queue.Store, error) {
	if !jetstream.IsAddress(place) {
		return spool.Open(place)
	}
	return sh.serverStore(place)
}

// serverStore opens the store on a server, with the login and the buckets that the settings name.
func (sh *shell) serverStore(address string) (*jetstream.Store, error) {
	settings := sh.settings()
	err := settings.Unusable("queue_credentials", "queue_ca", "queue_bucket", "queue_replicas")
	if err != nil {
		return nil, unusableSetting(err)
	}
	set := settings.Settings()
	files := map[string]string{"queue_credentials": set.QueueCredentials, "queue_ca": set.QueueCA}
	for setting, name := range files {
		path, ok := config.BelowHome(name, config.Home())
		if !ok {
			return nil, &failure{say: "the home directory of " + quoted(name) + " is not known",
				hint: "set HOME, or give " + setting + " a full path"}
		}
		files[setting] = path
	}
	replicas, _ := strconv.Atoi(set.QueueReplicas) // one of the table's choices
	store, err := jetstream.Open(jetstream.Options{URL: address, Bucket: set.QueueBucket, Replicas: replicas,
		Credentials: files["queue_credentials"], Authority: files["queue_ca"],
		Local: filepath.Join(config.RunDir(), "present")})
	if err != nil {
		return nil, &failure{say: err.Error(), cause: err,
			hint: "choicetui config shows queue, queue_credentials, queue_ca, queue_bucket and queue_replicas"}
	}
	return store, nil
}

// countAside returns how many files of the queue were set aside. It does not ask a server, because a start must not
// wait.
func (sh *shell) countAside() int {
	dir, err := sh.queuePlace()
	if err != nil || jetstream.IsAddress(dir) {
		return 0
	}
	return spool.Aside(dir)
}

// errNoQueue means that nothing was ever asked here, so there is no queue. Looking for a queue does not create one.
var errNoQueue = errors.New("no queue")

// openNamed opens the queue at a place that the person named, and makes a missing one.
func (sh *shell) openNamed(name string) (*queue.Queue, error) {
	place, err := placeNamed(name)
	if err != nil {
		return nil, err
	}
	return sh.openQueueAt(place)
}

// samePlace reports whether two names stand for one place, however it is written.
func samePlace(one, other string) (bool, error) {
	first, err := placeNamed(one)
	second, err2 := placeNamed(other)
	if err := cmp.Or(err, err2); err != nil {
		return false, err
	}
	if jetstream.IsAddress(first) && jetstream.IsAddress(second) {
		return jetstream.NamePlace(first) == jetstream.NamePlace(second), nil
	}
	return withoutLinks(first) == withoutLinks(second), nil
}

// withoutLinks returns a path with its symbolic links resolved, as far as the path exists.
func withoutLinks(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	above, last := filepath.Split(path)
	if above = filepath.Clean(above); above == path {
		return path
	}
	return filepath.Join(withoutLinks(above), last)
}

// openExisting opens the queue if it exists, else it fails with errNoQueue. A queue on a server is opened in any case.
func (sh *shell) openExisting() (*queue.Queue, error) {
	place, err := sh.queuePlace()
	if err != nil {
		return nil, err
	}
	return sh.openExistingAt(place)
}

// openExistingDir opens the queue if it exists in a directory. For a missing queue, and for one on a server, it fails
// with errNoQueue.
func (sh *shell) openExistingDir() (*queue.Queue, error) {
	place, err := sh.queuePlace()
	if err != nil {
		return nil, err
	}
	if jetstream.IsAddress(place) {
		return nil, errNoQueue
	}
	return sh.openExistingAt(place)
}

// openExistingAt does the same as openExisting at a place that the person named.
func (sh *shell) openExistingAt(name string) (*queue.Queue, error) {
	dir, err := placeNamed(name)
	if err != nil {
		return nil, err
	}
	if jetstream.IsAddress(dir) {
		return sh.openQueueAt(dir)
	}
	if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil, &failure{say: "no questions have been asked yet: there is no queue at " + dir,
			hint: "choicetui help connect says how agents are connected", code: exitMissing, cause: errNoQueue}
	}
	return sh.openQueueAt(dir)
}
