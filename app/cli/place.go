package cli

import (
	"errors"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/jetstream"
	"github.com/choicetui/choicetui/queue/spool"
)

// place returns where the queue is, a directory or a server's address: the flag, else $CHOICETUI_QUEUE, else
// usualPlace.
func (sh *shell) place() (string, error) {
	for _, name := range []string{sh.queue, os.Getenv("CHOICETUI_QUEUE")} {
		if name != "" {
			return placeNamed(name)
		}
	}
	return sh.usualPlace()
}

// usualPlace returns where a command without flag and variable looks: the setting, else the system's place for state.
func (sh *shell) usualPlace() (string, error) {
	settings := sh.settings()
	if err := settings.Unusable("queue"); err != nil { // who named a server there does not mean a directory here
		return "", unusableSetting(err)
	}
	sh.complain.Do(func() { sh.warnSettings(settings.Err()) }) // it might have named another place
	if name := settings.Settings().Queue; name != "" {
		return placeNamed(name)
	}
	state, err := config.StateDir()
	if err != nil {
		return "", &failure{say: "the home directory is not known, so neither is the queue's place",
			hint: "set HOME, or give --queue DIR", cause: err}
	}
	return filepath.Join(state, "queue"), nil
}

// unusableSetting ends a command where a setting of the queue cannot be used: going on without it would lead to another
// queue, where nobody looks.
func unusableSetting(err error) error {
	hint := "mend it there, or: choicetui config set KEY VALUE; --queue DIR names a directory for one command"
	if config.Broken(err) { // config set leaves such a file alone
		hint = "mend the file or move it away; --queue DIR names a directory for one command"
	}
	return &failure{say: err.Error(), cause: err, hint: hint}
}

// placeNamed returns the address of a server, its scheme in small letters, and a directory's name made absolute; one
// that begins with ~/ is below the home directory.
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

// open opens the queue and makes it if it is missing.
func (sh *shell) open() (*queue.Queue, error) {
	dir, err := sh.place()
	if err != nil {
		return nil, err
	}
	return sh.openAt(dir)
}

func (sh *shell) openAt(place string) (*queue.Queue, error) {
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

// personHere returns the name of the person at this machine for the others at a shared queue, and the machine's name.
func (sh *shell) personHere() (person, host string) {
	host, _ = os.Hostname()
	if file, ok := config.BelowHome(sh.settings().Settings().QueueCredentials, config.Home()); ok {
		if person = jetstream.PersonIn(file); person != "" {
			return person, host
		}
	}
	who, err := user.Current()
	if err != nil { // a container without a name for its user
		who = &user.User{Username: strconv.Itoa(os.Getuid())}
	}
	return queue.NamePerson(who.Username, host), host
}

// storeAt opens the store that is at a place. Nothing of the one on a server runs where the place is a directory.
func (sh *shell) storeAt(place string) (queue.Store, error) {
	if !jetstream.IsAddress(place) {
		return spool.Open(place)
	}
	return sh.serverStore(place)
}

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

// aside counts what lies aside in the queue, which was opened. On a server it is not looked for: a start would wait.
func (sh *shell) aside() int {
	dir, err := sh.place()
	if err != nil || jetstream.IsAddress(dir) {
		return 0
	}
	return spool.Aside(dir)
}

// errNoQueue says that nothing was ever asked here. Looking makes no directory.
var errNoQueue = errors.New("no queue")

// openNamed opens the queue at a place that the person named, and makes it if it is missing.
func (sh *shell) openNamed(name string) (*queue.Queue, error) {
	place, err := placeNamed(name)
	if err != nil {
		return nil, err
	}
	return sh.openAt(place)
}

// trailName returns the one name of a place, however it was written, for the trail of what is moved between it and
// another: a move that was stopped is recognised by it. If others may read the name, a directory's includes its
// machine.
func (sh *shell) trailName(name, other string) (string, error) {
	place, err := placeNamed(name)
	if err != nil {
		return "", err
	}
	if jetstream.IsAddress(place) {
		return jetstream.NamePlace(place, sh.settings().Settings().QueueBucket), nil
	}
	place = withoutLinks(place)
	if jetstream.IsAddress(other) {
		host, _ := os.Hostname()
		place += " on " + host
	}
	return place, nil
}

// withoutLinks returns a path without symbolic links, as far as it exists.
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

// look opens an existing queue; errNoQueue if there is none. On a server an empty one counts as missing.
func (sh *shell) look() (*queue.Queue, error) {
	place, err := sh.place()
	if err != nil {
		return nil, err
	}
	return sh.lookAt(place)
}

// lookHere opens an existing queue in a directory; errNoQueue also where it is on a server.
func (sh *shell) lookHere() (*queue.Queue, error) {
	place, err := sh.place()
	if err != nil {
		return nil, err
	}
	if jetstream.IsAddress(place) {
		return nil, errNoQueue
	}
	return sh.lookAt(place)
}

// lookAt does the same at a place that the person named.
func (sh *shell) lookAt(name string) (*queue.Queue, error) {
	dir, err := placeNamed(name)
	if err != nil {
		return nil, err
	}
	if jetstream.IsAddress(dir) {
		return sh.openAt(dir)
	}
	if _, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil, &failure{say: "nothing was asked yet: there is no queue at " + dir,
			hint: "choicetui help connect says how agents ask", code: exitMissing, cause: errNoQueue}
	}
	return sh.openAt(dir)
}
