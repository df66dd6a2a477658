package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
	"unicode"

	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/peek"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk"
	"github.com/choicetui/choicetui/queue/relay"
)

// connectWithin limits how long a command waits for another host.
const connectWithin = 20 * time.Second

func remoteCommand(sh *shell) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "remote",
		Short: "Show questions from other hosts here",
		Long: `remote connects the dashboard to other hosts: their questions are listed and
answered here. A host needs choicetui, and a way to run a command there: ssh
without a password, or for example docker exec. The host keeps its own queue,
so nothing is lost when the connection breaks. docs/remote.md has recipes.`,
		Example: `  choicetui remote add build1
  choicetui remote add box --via 'docker exec -i box'
  choicetui remote list
  choicetui remote remove build1`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return nil
			}
			return &failure{say: cmd.CommandPath() + " has no " + quoted(args[0]),
				hint: cmp.Or(didYouMean(args[0], commandsOf(cmd), cmd.CommandPath()+" ", ""),
					cmd.CommandPath()+" --help lists what it has")}
		},
		RunE: func(cmd *cobra.Command, _ []string) error { return listRemotes(cmd.Context(), sh) },
	}
	cmd.AddCommand(remoteAddCommand(sh), &cobra.Command{
		Use: "list", Short: "List the hosts, and whether they can be reached", Args: nothingElse,
		RunE: func(cmd *cobra.Command, _ []string) error { return listRemotes(cmd.Context(), sh) },
	}, &cobra.Command{
		Use: "remove HOST", Short: "Remove a host", Args: oneHost,
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return slices.Sorted(maps.Keys(sh.settings().Settings().Remotes)), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error { return removeRemote(sh, args[0]) },
	})
	return cmd
}

func oneHost(cmd *cobra.Command, args []string) error {
	if len(args) == 1 {
		return nil
	}
	return misused(cmd, "one host")
}

func remoteAddCommand(sh *shell) *cobra.Command {
	var via string
	cmd := &cobra.Command{
		Use:   "add HOST",
		Short: "Add a host",
		Long: `add saves a host in the settings, and tries to connect to it. An open dashboard
connects at once.

Without --via the host is reached with ssh HOST, which must work without a
password: use a key and ssh-agent. With --via, sh runs the command, with
choicetui relay added at its end unless it is there.`,
		Example: `  choicetui remote add build1
  choicetui remote add build1 --via 'ssh -p 2222 -o BatchMode=yes dev@10.0.0.7'
  choicetui remote add box --via 'docker exec -i box'
  choicetui remote add app --via 'devcontainer exec --workspace-folder ~/app'`,
		Args: oneHost,
		RunE: func(cmd *cobra.Command, args []string) error { return addRemote(cmd.Context(), sh, args[0], via) },
	}
	cmd.Flags().StringVar(&via, "via", "", "reach the host with `COMMAND` instead of ssh")
	return cmd
}

// addRemote adds a host to the settings, and says whether it can be reached.
func addRemote(ctx context.Context, sh *shell, host, via string) error {
	here, _ := os.Hostname()
	switch {
	case !queue.ValidHost(host):
		return &failure{say: quoted(host) + " cannot be a host's name: letters, digits and . - _ @ : are possible, " +
			"and the first is a letter or digit",
			hint: "choose a short name, and give the command that reaches it with --via"}
	case host == here && via == "":
		return &failure{say: host + " is this machine", hint: "its questions are shown here already"}
	case host == here:
		return &failure{say: "this machine has the name " + host, hint: "choose another name"}
	}
	file := sh.settings()
	err := file.Update(func(s *config.Settings) {
		if s.Remotes == nil {
			s.Remotes = map[string]string{}
		}
		s.Remotes[host] = via
	})
	if err != nil {
		return unusableSetting(err)
	}
	fmt.Fprintf(sh.out, "%s is saved in %s\n", host, say.OneLine(file.Path()))
	state, pending := tryRemote(ctx, sh, host, via)
	fmt.Fprintln(sh.out, remoteState(state, pending))
	if next := nextForRemote(state, via); next != "" {
		fmt.Fprintln(sh.out, next)
	}
	return nil
}

// nextForRemote says what to do about a host that was just added and is not connected; empty: it is connected.
func nextForRemote(s queue.HostState, via string) string {
	if s.Connected {
		return ""
	}
	next := "make this work without a password: ssh " + s.Host
	if via != "" {
		next = "run this yourself to see what is wrong: " + say.OneLine(via)
	}
	return "Next: " + next + "\n" +
		"An open dashboard then connects on its own. To forget the host: choicetui remote remove " + s.Host
}

// remoteHosts returns the hosts of the settings, each with the command that reaches it.
func (sh *shell) remoteHosts() (map[string]string, error) {
	file := sh.settings()
	if err := file.Unusable("remotes"); err != nil {
		return nil, unusableSetting(err)
	}
	return file.Settings().Remotes, nil
}

func removeRemote(sh *shell, host string) error {
	hosts, err := sh.remoteHosts()
	if err != nil {
		return err
	}
	file := sh.settings()
	if _, known := hosts[host]; !known {
		return &failure{say: quoted(host) + " is not among the remote hosts", hint: "choicetui remote list shows them",
			code: exitMissing}
	}
	if err := file.Unset("remotes." + host); err != nil {
		return unusableSetting(err)
	}
	fmt.Fprintf(sh.out, "%s is removed; its questions stay in its own queue\n", host)
	return nil
}

// listRemotes prints each host of the settings with its state. It connects to all of them at once.
func listRemotes(ctx context.Context, sh *shell) error {
	hosts, err := sh.remoteHosts()
	if err != nil {
		return err
	}
	if len(hosts) == 0 {
		fmt.Fprintln(sh.out, "There are no remote hosts. To add one: choicetui remote add HOST")
		return nil
	}
	names := slices.Sorted(maps.Keys(hosts))
	lines := make([]string, len(names))
	var all sync.WaitGroup
	for i, host := range names {
		all.Go(func() {
			state, pending := tryRemote(ctx, sh, host, hosts[host])
			lines[i] = remoteState(state, pending)
			if via := hosts[host]; via != "" {
				lines[i] += "  (via " + say.OneLine(via) + ")"
			}
		})
	}
	all.Wait()
	for _, line := range lines {
		fmt.Fprintln(sh.out, line)
	}
	return nil
}

// tryRemote connects to a host, and returns the result and how many questions are pending there.
func tryRemote(ctx context.Context, sh *shell, host, via string) (queue.HostState, int) {
	ctx, stop := context.WithTimeout(ctx, connectWithin)
	defer stop()
	if !queue.ValidHost(host) {
		return queue.HostState{Host: host, Err: errors.New("its name is not valid")}, 0
	}
	l := linkMaker(queue.NewToken(), queue.RoleVisitor)(host, via)
	defer l.Start(ctx)()
	select {
	case <-l.Ready():
	case <-ctx.Done():
		return queue.HostState{Host: host, Err: errors.New("it does not answer")}, 0
	}
	live, _, _ := l.Live(ctx)
	n := 0
	for _, s := range live {
		if !s.IsMessage() && s.At(sh.now()).Pending() {
			n++
		}
	}
	return l.State(), n
}

// remoteState says whether a host is connected, in one line.
func remoteState(s queue.HostState, pending int) string {
	if s.Connected {
		return s.Host + " is connected: " + say.Count(pending, "question") + " waiting"
	}
	return say.HostAway(s)[0]
}

// openRemote returns the queue of a host, connected, for a command about one question there.
func (sh *shell) openRemote(ctx context.Context, host string) (*queue.Queue, error) {
	hosts, err := sh.remoteHosts()
	if err != nil {
		return nil, err
	}
	via, known := hosts[host]
	if !known {
		return nil, &failure{say: quoted(host) + " is not among the remote hosts",
			hint: "choicetui remote list shows them", code: exitMissing}
	}
	l := linkMaker(queue.NewToken(), queue.RoleVisitor)(host, via)
	l.Start(ctx)
	select {
	case <-l.Ready():
	case <-time.After(connectWithin):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if s := l.State(); !s.Connected {
		s.Err = cmp.Or(s.Err, errors.New("it does not answer"))
		return nil, &failure{say: say.HostAway(s)[0], cause: s.Err}
	}
	return queue.New(l), nil
}

// joinAll shows the questions of all hosts in the settings beside those of a queue, for a command that reads them once.
// It returns a line about each host that cannot be reached.
func (sh *shell) joinAll(ctx context.Context, q *queue.Queue) (away []string, err error) {
	hosts := sh.settings().Settings().Remotes
	h := relay.NewHosts(q)
	h.Keep(ctx, hosts, linkMaker(queue.NewToken(), queue.RoleVisitor))
	late, stop := context.WithTimeout(ctx, connectWithin)
	defer stop()
	for _, host := range slices.Sorted(maps.Keys(hosts)) {
		l := h.Link(host)
		if l == nil {
			continue
		}
		select {
		case <-l.Ready():
		case <-late.Done():
		}
		if s := l.State(); !s.Connected {
			s.Err = cmp.Or(s.Err, errors.New("it does not answer"))
			away = append(away, say.HostAway(s)[0])
		}
	}
	return away, ctx.Err()
}

// linkMaker returns the function that makes the link to a host. via is the command that reaches the host, empty for
// ssh. instance identifies this process to the host, and role says whether it counts as a dashboard there.
func linkMaker(instance, role string) func(host, via string) *relay.Link {
	return func(host, via string) *relay.Link {
		l := relay.New(host, instance, thisBuild().Version, func(context.Context) (relay.Conn, error) {
			return startRelay(host, via)
		})
		l.Role = role
		return l
	}
}

// remotes does for a dashboard what only the host of an agent can do. It asks the relay there.
type remotes struct{ hosts *relay.Hosts }

var _ desk.Remote = remotes{}

// joinRemotes connects a dashboard with the hosts in the settings, and follows the settings. stop
// ends the connections.
func joinRemotes(ctx context.Context, sh *shell, q *queue.Queue, instance string) (r remotes, stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	h := relay.NewHosts(q)
	link := linkMaker(instance, queue.RoleDashboard)
	h.Keep(ctx, sh.settings().Settings().Remotes, link)
	file := config.Open(config.Path()) // not shared: one reader's reload would hide a change from the other
	followed := make(chan struct{})
	go func() {
		defer close(followed)
		_ = file.Watch(ctx, func() { h.Keep(ctx, file.Settings().Remotes, link) })
	}()
	return remotes{h}, func() {
		cancel()
		<-followed
		h.Close()
	}
}

// linkTo returns the link to an agent's host.
func (r remotes) linkTo(host string) (*relay.Link, error) {
	if l := r.hosts.Link(host); l != nil {
		return l, nil
	}
	return nil, fmt.Errorf("%s is not among the remote hosts: %w", host, queue.ErrUnreachable)
}

// AddRule makes a rule on the session's host.
func (r remotes) AddRule(ctx context.Context, session string) error {
	host, own := queue.SplitID(session)
	l, err := r.linkTo(host)
	if err != nil {
		return err
	}
	return l.Call(ctx, serviceRule, own, nil)
}

// SendLine gives a line to an agent of another host. If the connection breaks meanwhile, nobody knows whether it
// arrived.
func (r remotes) SendLine(ctx context.Context, to queue.Origin, text string) (queue.Session, error) {
	l, err := r.linkTo(to.Host)
	if err != nil {
		return queue.Session{}, err
	}
	if !l.State().Connected {
		return queue.Session{}, fmt.Errorf("%s is not connected: %w", to.Host, queue.ErrUnreachable)
	}
	var raw json.RawMessage
	err = l.Call(ctx, serviceLine, remoteLine{To: to, Text: text}, &raw)
	if errors.Is(err, queue.ErrUnreachable) {
		err = &queue.Doubt{Err: err}
	}
	s, _ := l.Session(raw)
	return s, err
}

// ways returns near, which reaches the agents of this machine, extended to the agents of other hosts.
func (r remotes) ways(near desk.ChatWays) desk.ChatWays { return remoteWays{near, r} }

// remoteWays finds out how lines reach agents of any host: those of this machine with ChatWays, others through the
// relay.
type remoteWays struct {
	desk.ChatWays
	remotes remotes
}

// Reach finds out how a line would get to an agent.
func (w remoteWays) Reach(ctx context.Context, o queue.Origin) desk.Reached {
	if !o.Remote {
		return w.ChatWays.Reach(ctx, o)
	}
	l, err := w.remotes.linkTo(o.Host)
	var remote remoteReach
	if err == nil {
		err = l.Call(ctx, serviceReach, o, &remote)
	}
	if err != nil {
		return desk.Reached{Err: err}
	}
	at := desk.Reached{Alive: remote.Alive, Where: say.OneLine(queue.Shorten(remote.Where, 40, "…")),
		Direct: remote.Ready && remote.Where == ""}
	if !remote.Ready {
		at.Err = errors.New(say.OneLine(queue.Shorten(remote.Why, 200, "…")))
	}
	return at
}

// peek returns near, which shows what an agent of this machine was doing, extended to the agents of other hosts.
func (r remotes) peek(near peek.Look) peek.Look {
	return func(ctx context.Context, s queue.Session, last peek.Shot) (peek.Shot, error) {
		o := s.Origin
		if !o.Remote {
			return near(ctx, s, last)
		}
		l, err := r.linkTo(o.Host)
		if err != nil {
			return peek.Shot{}, err
		}
		var remote remoteShot
		look := remoteLook{Of: o, Pane: last.Pane, Mark: last.Mark, Sought: last.Sought}
		if err := l.Call(ctx, serviceLook, look, &remote); err != nil {
			return peek.Shot{}, err
		}
		if remote.Same {
			return last, nil
		}
		remote.Shot.Where = say.OneLine(queue.Shorten(remote.Shot.Where, 40, "…"))
		return boundedShot(remote.Shot), nil
	}
}

// Reasons why a relay does not start that the person can do something about.
var (
	errNotInstalled = errors.New("choicetui is not installed there, or not on the PATH")
	errNoLogin      = errors.New("ssh does not let you in without a password")
)

// advised is an error about which the person can do something.
type advised struct {
	error
	advice string
}

// Advice returns what the person can do.
func (a advised) Advice() string { return a.advice }
func (a advised) Unwrap() error  { return a.error }

// onHost is what the host's shell runs: choicetui from the PATH, else from the PATH of a login shell, because a command
// over ssh often has a short one. Any shell reads it as one command.
const onHost = `sh -c 'command -v choicetui >/dev/null 2>&1 || exec "${SHELL:-sh}" -lc "exec choicetui relay"; ` +
	`exec choicetui relay'`

// startRelay starts the relay on a host. The command gets no terminal, so that it cannot ask for a password in the
// middle of the dashboard.
func startRelay(host, via string) (relay.Conn, error) {
	cmd := exec.Command("ssh", "-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10", host, onHost)
	if via != "" {
		cmd = exec.Command("sh", "-c", viaCommand(via))
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Env = slices.DeleteFunc(os.Environ(), func(v string) bool { // the agents there are in a tmux of their own
		return strings.HasPrefix(v, "TMUX=") || strings.HasPrefix(v, "TMUX_PANE=")
	})
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c := &relayProcess{host: host, cmd: cmd, in: in, out: out, ended: make(chan struct{})}
	cmd.Stderr = &c.said
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return c, nil
}

// viaCommand returns the command that starts the relay by way of via. A person may name the program in via, for example
// with its full path.
func viaCommand(via string) string {
	const program = "choicetui relay"
	if strings.HasSuffix(strings.TrimSpace(via), program) {
		return via
	}
	return via + " " + program
}

// relayProcess is a running command that leads to a relay.
type relayProcess struct {
	host    string
	cmd     *exec.Cmd
	in      io.WriteCloser
	out     io.Reader
	said    tail // the end of what it wrote to standard error
	noise   tail // the end of what it wrote to standard output before the relay's greeting
	greeted bool // the relay's greeting has come; only Read uses it
	once    sync.Once
	ended   chan struct{}
	err     error
}

// Read also notes what comes before the greeting, because docker reports there that it cannot run a program.
func (c *relayProcess) Read(b []byte) (int, error) {
	n, err := c.out.Read(b)
	if c.greeted = c.greeted || bytes.Contains(b[:n], []byte(relay.Greeting)); !c.greeted {
		_, _ = c.noise.Write(b[:n])
	}
	return n, err
}

func (c *relayProcess) Write(b []byte) (int, error) { return c.in.Write(b) }

// endWithin is the time for which a command may end on its own after its input was closed.
const endWithin = time.Second

// Close ends the command, and returns why it ended on its own, if that is known.
func (c *relayProcess) Close() error {
	c.once.Do(func() {
		_ = c.in.Close()
		kill := time.AfterFunc(endWithin, func() { _ = syscall.Kill(-c.cmd.Process.Pid, syscall.SIGKILL) })
		err := c.cmd.Wait()
		kill.Stop()
		c.err = whyEnded(c.host, err, c.said.String(), c.noise.String())
		close(c.ended)
	})
	<-c.ended
	return c.err
}

// whyEnded explains why a command that leads to a relay has ended, from its exit code, its standard error and the noise
// on its standard output.
func whyEnded(host string, err error, said, noise string) error {
	var exit *exec.ExitError
	if err == nil || !errors.As(err, &exit) || exit.ExitCode() < 0 {
		return nil
	}
	last := lastReason(said)
	if last == "" && exit.ExitCode() == 126 { // docker cannot run the program
		last = lastReason(noise)
	}
	switch {
	case strings.Contains(said, `there is no command "relay"`), strings.Contains(said, "there is no command “relay”"):
		return advised{relay.ErrOlder, "docs/install.md says how"}
	case strings.Contains(said+noise, "executable file not found"),
		exit.ExitCode() == 127 && (last == "" || strings.Contains(last, "choicetui")): // not another program
		return advised{errNotInstalled, "docs/install.md says how to install it"}
	case strings.Contains(said, "Permission denied ("), strings.Contains(said, "Host key verification failed"):
		return advised{fmt.Errorf("%w: %s", errNoLogin, last),
			"ssh-copy-id " + host + " installs your key there, ssh-add unlocks it here"}
	case last != "":
		return errors.New(last)
	}
	return fmt.Errorf("its command ended with %w", err)
}

// lastReason returns the last line that can be a reason: without hints, the lines of a stack trace and lone brackets.
func lastReason(said string) string {
	lines := strings.Split(said, "\n")
	for _, line := range slices.Backward(lines) {
		line = strings.TrimSpace(line)
		if !strings.ContainsFunc(line, unicode.IsLetter) || strings.HasPrefix(line, "at ") ||
			strings.HasPrefix(line, "choicetui: hint:") {
			continue
		}
		return say.OneLine(queue.Shorten(line, 200, "…"))
	}
	return ""
}

// tail keeps the last bytes that were written to it.
type tail struct {
	mu  sync.Mutex
	end []byte
}

// mostSaid limits the bytes of standard error that are kept.
const mostSaid = 4 << 10

func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.end = append(t.end, b...)
	if extra := len(t.end) - mostSaid; extra > 0 {
		t.end = append([]byte(nil), t.end[extra:]...)
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.end)
}
