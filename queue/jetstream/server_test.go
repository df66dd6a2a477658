package jetstream

import (
	"bufio"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/stretchr/testify/require"

	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/storetest"
)

// childMode makes the test binary run as a server, or as another process of the queue.
const childMode = "CHOICETUI_JETSTREAM_CHILD"

func TestMain(m *testing.M) {
	if mode := os.Getenv(childMode); mode != "" {
		os.Exit(child(mode))
	}
	_ = flag.Set("test.parallel", "8") // these tests mostly wait; go test -parallel still applies
	code := m.Run()
	if shared.server != nil {
		shared.server.Shutdown()
		_ = os.RemoveAll(shared.dir)
	}
	os.Exit(code)
}

// shared is the server that most tests share. Each test has its own bucket.
var shared struct {
	once   sync.Once
	server *server.Server
	dir    string
	err    error
}

func serverOptions(dir string, port int) *server.Options {
	return &server.Options{Host: "127.0.0.1", Port: port, JetStream: true, StoreDir: dir, SyncAlways: true,
		NoSigs: true, NoLog: true}
}

func runServer(o *server.Options) (*server.Server, error) {
	s, err := server.NewServer(o)
	if err != nil {
		return nil, err
	}
	s.Start()
	if !s.ReadyForConnections(10 * time.Second) {
		return nil, fmt.Errorf("the server does not start")
	}
	return s, nil
}

func sharedURL(t testing.TB) string {
	t.Helper()
	shared.once.Do(func() {
		shared.dir, shared.err = os.MkdirTemp("", "choicetui-jetstream-")
		if shared.err == nil {
			shared.server, shared.err = runServer(serverOptions(shared.dir, server.RANDOM_PORT))
		}
	})
	require.NoError(t, shared.err)
	return shared.server.ClientURL()
}

// open opens an empty queue on the shared server.
func open(t testing.TB) *Store {
	t.Helper()
	return openAt(t, Options{URL: sharedURL(t), Bucket: "t-" + queue.NewToken()})
}

func openAt(t testing.TB, o Options) *Store {
	t.Helper()
	s, err := Open(o)
	require.NoError(t, err)
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// again opens the same queue like another process.
func again(t testing.TB, s *Store) *Store {
	t.Helper()
	return openAt(t, s.link.options)
}

// natsServer is a server in a child process, which can be killed and started again on its port and directory.
type natsServer struct {
	t      testing.TB
	dir    string
	port   string
	routes string // routes of its cluster, see joinCluster; empty: no cluster
	cmd    *exec.Cmd
	out    io.Reader
}

func startServer(t testing.TB) *natsServer {
	t.Helper()
	n := &natsServer{t: t, dir: t.TempDir(), port: "-1"}
	n.start()
	t.Cleanup(n.kill)
	return n
}

// start launches the server and waits until it accepts connections.
func (n *natsServer) start() {
	n.t.Helper()
	n.launch()
	line, err := bufio.NewReader(n.out).ReadString('\n')
	require.NoError(n.t, err)
	n.port = strings.TrimSpace(line)
}

// launch starts the server's process.
func (n *natsServer) launch() {
	n.t.Helper()
	n.cmd = exec.Command(os.Args[0], n.dir, n.port, n.routes)
	n.cmd.Env = append(os.Environ(), childMode+"=server")
	n.cmd.Stderr = os.Stderr
	var err error
	n.out, err = n.cmd.StdoutPipe()
	require.NoError(n.t, err)
	require.NoError(n.t, n.cmd.Start())
}

// kill sends SIGKILL.
func (n *natsServer) kill() {
	if n.cmd.ProcessState == nil {
		_ = n.cmd.Process.Kill()
		_, _ = n.cmd.Process.Wait()
		n.cmd.ProcessState = &os.ProcessState{}
	}
}

func (n *natsServer) url() string { return "nats://127.0.0.1:" + n.port }

func (n *natsServer) open() *Store {
	n.t.Helper()
	return openAt(n.t, Options{URL: n.url()})
}

// childServer runs a server until it is killed. It prints the port.
func childServer(args []string) error {
	port := 0
	if _, err := fmt.Sscan(args[1], &port); err != nil {
		return err
	}
	o := serverOptions(args[0], port)
	if args[2] != "" {
		if err := joinCluster(o, args[2]); err != nil {
			return err
		}
	}
	s, err := runServer(o)
	if err != nil {
		return err
	}
	_, port2, _ := strings.Cut(strings.TrimPrefix(s.ClientURL(), "nats://"), ":")
	fmt.Println(port2)
	s.WaitForShutdown()
	return nil
}

func child(mode string) int {
	var err error
	switch mode {
	case "server":
		err = childServer(os.Args[1:])
	default:
		err = childOf(mode, os.Args[1:])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "child:", err)
		return 1
	}
	return 0
}

func TestJetStreamKeepsTheContract(t *testing.T) {
	t.Parallel()
	storetest.Run(t, func(t *testing.T) queue.Store { return open(t) })
}
