package e2e

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// serverMode is the worker that is a queue's server.
const serverMode = "server"

// serveQueue serves until it is killed, as the arguments say: directory and port. The port goes to stdout.
func serveQueue(args []string) int {
	port, err := strconv.Atoi(args[1])
	if err == nil {
		var n *server.Server
		n, err = server.NewServer(&server.Options{Host: "127.0.0.1", Port: port, JetStream: true, StoreDir: args[0],
			SyncAlways: true, NoSigs: true, NoLog: true})
		if err == nil {
			n.Start()
			n.ReadyForConnections(patience)
			address := n.ClientURL()
			fmt.Println(address[strings.LastIndex(address, ":")+1:])
			n.WaitForShutdown()
		}
	}
	fmt.Fprintln(os.Stderr, "server:", err)
	return 1
}

// killable is a queue's server in a process of its own.
type killable struct {
	t         testing.TB
	dir, port string
	cmd       *exec.Cmd
}

func newKillable(t testing.TB, dir string) *killable {
	t.Helper()
	k := &killable{t: t, dir: dir, port: "-1"}
	k.start()
	t.Cleanup(k.kill)
	return k
}

// start starts it, on the port that it had before.
func (k *killable) start() {
	k.t.Helper()
	k.cmd = exec.Command(os.Args[0], k.dir, k.port)
	k.cmd.Env = append(os.Environ(), workerMode+"="+serverMode)
	k.cmd.Stderr = os.Stderr
	out, err := k.cmd.StdoutPipe()
	require.NoError(k.t, err)
	require.NoError(k.t, k.cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(k.t, err)
	k.port = strings.TrimSpace(line)
}

// kill sends SIGKILL.
func (k *killable) kill() {
	_ = k.cmd.Process.Kill()
	_ = k.cmd.Wait()
}

// times waits until a terminal got a text so many times.
func (c *console) times(n int, text string) {
	c.Helper()
	until(c, fmt.Sprintf("written %d times: %s", n, text), func() bool {
		c.mu.Lock()
		defer c.mu.Unlock()
		return strings.Count(string(c.raw), text) == n
	})
}

// onKillable is an interview whose queue is on such a server.
func onKillable(t *testing.T) (*interviewee, *killable) {
	i := newInterviewee(t)
	k := newKillable(t, filepath.Join(i.dir, "server"))
	i.env = append(i.env, "CHOICETUI_QUEUE=nats://127.0.0.1:"+k.port)
	return i, k
}

func TestAnInterviewOnLinesOutlastsTheDeathOfTheQueuesServer(t *testing.T) {
	t.Parallel()
	i, server := onKillable(t)
	c := i.lines(i.args...)
	c.readable("Which database do we use")
	server.kill()
	c.ask("[!cancel]\n", "MySQL")
	assert.Contains(t, c.readable("Ctrl-C stops waiting."), "The queue cannot be reached: ")
	server.start()

	c.readable("The queue can be reached again.\n\nUnder which license")
	c.ask("[!cancel]\n", "w")
	c.ask("Audience > ", "alice johnson")
	c.ask("(default: b): ", "")
	c.readable("Waiting > ")
	server.kill()
	c.ask("Waiting > ", "d")
	c.ask("Rationale for deferral (required): ", "our lawyers want the patent grant")
	c.times(2, "Ctrl-C stops waiting.")
	server.start()

	c.readable("What is it called")
	c.times(2, "The queue can be reached again.")
	server.kill()
	c.ask("What is it called? [shop]:\n", "store")
	c.times(3, "Ctrl-C stops waiting.")
	server.start()
	c.readable("The interview is finished: 2 answered, 1 deferred.")
	assert.Zero(t, c.ended())
	assert.Equal(t, "mission: shop-charter\nanswers:\n  charter.db: MySQL\n  charter.name: store\n"+
		"deferred:\n  charter.license: our lawyers want the patent grant\n", i.file("answers.yaml"))
}

func TestAnInterviewInTheDashboardOutlastsTheDeathOfTheQueuesServer(t *testing.T) {
	t.Parallel()
	i, server := onKillable(t)
	p := i.tmux().shell(100, 24)
	p.line("clear; choicetui interview charter.yaml; echo code $?")
	p.meet("Which database", "⏎ Send “")
	server.kill()
	p.see("the queue cannot be reached")
	p.press("Enter")
	p.see("not saved yet, trying again")
	server.start()
	for _, text := range []string{"Under which license", "What is it called"} {
		p.meet(text, "⏎ Send “")
		p.press("Enter")
	}
	p.see("The interview is finished: 3 answered. The answers are in answers.yaml", "code 0")
	assert.Equal(t, "mission: shop-charter\nanswers:\n  charter.db: SQLite\n  charter.license: MIT\n  charter.name: shop\n",
		i.file("answers.yaml"))
}
