package desk

import (
	"context"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/widen"
)

// Services hold what surrounds a desk and its frontends: the queue, the settings file, and the ways to agents, to the
// team and to other programs. app/cli makes them once for each process; the desk and every frontend take them as they
// are. A desk needs a Queue and Settings. A frontend offers no action whose service is nil.
type Services struct {
	Queue    *queue.Queue
	Settings Settings
	Instance string // names this process in the queue's list of processes
	Pane     string // this process's tmux pane; empty: it is in none
	Home     string // the home directory, shown as ~
	Aside    int    // the files of the queue that were set aside before this process began, because they cannot be read

	Team   widen.Team // asks teammates; nil: no team is set up
	Rules  Rulebook   // the person's permission rules for approvals; nil: none is applied or made here
	Chat   ChatWays   // gives lines to agents at once; nil: nothing is typed into terminals
	Remote Remote     // what other hosts do besides commands; nil: no questions of other hosts are shown

	// Alerts makes what tells an absent person of new questions; nil: the person is not told.
	Alerts func(AlertWays) Alerts
	// Browse shows a question in the browser, or the list of questions without one. If no browser can be opened, link
	// lets the person in once.
	Browse func(ctx context.Context, session string) (link string, opened bool, err error)
	// Elsewhere returns the other machine that an agent runs on; empty: it runs on this one.
	Elsewhere func(queue.Origin) string

	Edit     func(ctx context.Context, text string) (string, error) // opens a text in the person's editor
	EditFile func(ctx context.Context, path string) error           // opens a file there

	GoToPane func(ctx context.Context, o queue.Origin) error // brings up the tmux pane of an agent
	Locate   func(ctx context.Context, pane string) string   // returns the place of a tmux pane, such as 2:1
	// Copy copies a text with tmux; asked: tmux passed it on to the terminal. nil: a screen asks the terminal itself.
	Copy func(ctx context.Context, text string) (asked bool, err error)
}

// Settings is the settings file. The desk puts each new version in force.
type Settings interface {
	Settings() config.Settings
	Err() error                // returns why the file cannot be used; nil: it can
	Path() string              // returns the name of the file
	Effective() []config.Value // returns every setting with where it comes from
	Update(change func(*config.Settings)) error
	Unset(key string) error // sets one setting back to its default
	Watch(ctx context.Context, changed func()) error
}

// Remote asks the hosts of questions that are not in this machine's queue for what is no command. Its methods wait for
// the host.
type Remote interface {
	// AddRule stores a rule of the person's, on the session's host, that covers the session's request.
	AddRule(ctx context.Context, session string) error
	// SendLine gives a line to an agent on its host, by that host's ways and settings. After a *queue.Doubt it may have
	// arrived.
	SendLine(ctx context.Context, to queue.Origin, text string) (queue.Session, error)
}
