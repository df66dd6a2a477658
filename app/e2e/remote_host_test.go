package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// host is another machine: a room whose programs run as another user, or in a namespace of their own. Its queue cannot
// be opened from here; commands run there, and a dashboard here reaches it by its via.
type host struct {
	*room
	name string
	via  string // empty: as `ssh NAME` does
	user string // empty: the one who runs the tests
}

var userNumbers atomic.Int64

// sshServer is a real sshd on loopback, with keys of its own.
type sshServer struct {
	*room // whose dashboard logs in: it has the client's key
	dir   string
	port  int
	pid   int
}

// sshd starts a server that lets this room's person in without a password. It ends with the test.
func (r *room) sshd() *sshServer {
	r.Helper()
	needRoot(r, "useradd", "userdel", "sshd", "ssh", "ssh-keygen")
	s := &sshServer{room: r, dir: filepath.Join(r.dir, "sshd")}
	require.NoError(r, os.MkdirAll(s.dir, 0o700))
	require.NoError(r, os.MkdirAll("/run/sshd", 0o755)) // sshd refuses to run without it
	for _, key := range []string{"host", "id"} {
		s.must("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", filepath.Join(s.dir, key))
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(r, err)
	s.port = free.Addr().(*net.TCPAddr).Port
	require.NoError(r, free.Close())
	conf := filepath.Join(s.dir, "sshd_config")
	require.NoError(r, os.WriteFile(conf, fmt.Appendf(nil, "ListenAddress 127.0.0.1:%d\nHostKey %s/host\n"+
		"PidFile none\n"+
		"UsePAM no\nPasswordAuthentication no\nKbdInteractiveAuthentication no\nMaxStartups 100\nLogLevel ERROR\n",
		s.port, s.dir), 0o600))
	program, err := exec.LookPath("sshd")
	require.NoError(r, err)
	cmd := exec.Command(program, "-D", "-e", "-f", conf)
	var said locked
	cmd.Stderr = &said
	require.NoError(r, cmd.Start())
	s.pid = cmd.Process.Pid
	r.Cleanup(func() {
		for _, pid := range family(s.pid) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		_ = cmd.Wait()
	})
	until(r, "sshd listens", func() bool {
		c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", s.port))
		if err == nil {
			_ = c.Close()
		}
		return err == nil
	})
	return s
}

// must runs a program to its end.
func (r *room) must(name string, args ...string) {
	r.Helper()
	out, err := exec.Command(name, args...).CombinedOutput()
	require.NoError(r, err, "%s %q: %s", name, args, out)
}

// options are what ssh needs to log in as a user of the server.
func (s *sshServer) options(user string) string {
	return fmt.Sprintf("-p %d -i %s/id -o BatchMode=yes -o IdentitiesOnly=yes -o StrictHostKeyChecking=no "+
		"-o UserKnownHostsFile=%s/known -o LogLevel=ERROR %s@127.0.0.1", s.port, s.dir, s.dir, user)
}

// host makes a user on the server, who is called name in the dashboard here. Its login shell greets, and knows where
// choicetui is.
func (s *sshServer) host(name string) *host {
	s.Helper()
	r := newRoom(s)
	home := filepath.Join(r.dir, "home")
	user := fmt.Sprintf("ct%d-%d", os.Getpid(), userNumbers.Add(1))
	until(s, "there is a user", func() bool { // another run of these tests may hold the lock
		add := exec.Command("useradd", "-M", "-N", "-g", "nogroup", "-d", home, "-s", "/bin/sh", "-p", "*", user)
		return add.Run() == nil
	})
	h := &host{room: r, name: name, user: user}
	s.Cleanup(func() {
		for _, pid := range h.processes("") {
			_ = syscall.Kill(pid, syscall.SIGKILL)
			gone(s, pid, patience)
		}
		until(s, "the user is removed", func() bool { return exec.Command("userdel", user).Run() == nil })
	})
	bin := filepath.Join(home, "bin")
	for _, d := range []string{filepath.Join(home, ".ssh"), bin} {
		require.NoError(s, os.MkdirAll(d, 0o700))
	}
	copyFile(s, r.bin, filepath.Join(bin, "choicetui"), 0o755)
	copyFile(s, filepath.Join(s.dir, "id.pub"), filepath.Join(home, ".ssh", "authorized_keys"), 0o600)
	profile := "echo 'Welcome to " + name + "'; printf 'no end of line'\n" +
		"export PATH=" + bin + ":$PATH GORACE='atexit_sleep_ms=10 log_path=" + home + "/race'\n"
	require.NoError(s, os.WriteFile(filepath.Join(home, ".profile"), []byte(profile), 0o600))
	uid, err := exec.Command("id", "-u", user).Output()
	require.NoError(s, err)
	id, err := strconv.Atoi(strings.TrimSpace(string(uid)))
	require.NoError(s, err)
	s.must("chown", "-R", user, r.dir)
	r.as = &syscall.Credential{Uid: uint32(id), Gid: 65534}
	r.bin, r.queue = filepath.Join(bin, "choicetui"), filepath.Join(home, ".local", "state", "choicetui", "queue")
	r.env = []string{"PATH=" + bin + ":/usr/bin:/bin", "HOME=" + home, "LC_ALL=C.UTF-8", "SHELL=/bin/sh",
		"TERM=xterm-256color",
		"GORACE=atexit_sleep_ms=10 log_path=" + home + "/race"}
	h.via = "ssh -T " + s.options(user) + " env PATH=" + bin + ":/usr/bin:/bin"
	s.Cleanup(func() {
		races, _ := filepath.Glob(filepath.Join(home, "race.*"))
		for _, name := range races {
			report, _ := os.ReadFile(name)
			s.Errorf("choicetui has a data race on the host:\n%s", report)
		}
	})
	return h
}

// named makes `ssh NAME` lead to a host.
func (s *sshServer) named(h *host) {
	s.Helper()
	conf, bin := filepath.Join(s.dir, "ssh_config"), filepath.Join(s.dir, "bin")
	require.NoError(s, os.MkdirAll(bin, 0o700))
	require.NoError(s, os.WriteFile(conf, fmt.Appendf(nil, "Host %s\nHostName 127.0.0.1\nPort %d\nUser %s\n"+
		"IdentityFile %s/id\n"+
		"IdentitiesOnly yes\nStrictHostKeyChecking no\nUserKnownHostsFile %s/known\nLogLevel ERROR\n",
		h.name, s.port, h.user, s.dir, s.dir), 0o600))
	real, err := exec.LookPath("ssh")
	require.NoError(s, err)
	require.NoError(s, os.WriteFile(filepath.Join(bin, "ssh"),
		fmt.Appendf(nil, "#!/bin/sh\nexec %s -F %s \"$@\"\n", real, conf), 0o700))
	s.env = append(s.env, "PATH="+bin+":"+s.path())
	h.via = ""
}

// path is the room's PATH.
func (r *room) path() (path string) {
	for _, line := range r.env {
		if value, is := strings.CutPrefix(line, "PATH="); is {
			path = value
		}
	}
	return path
}

func copyFile(t testing.TB, from, to string, mode os.FileMode) {
	t.Helper()
	in, err := os.Open(from)
	require.NoError(t, err)
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, mode)
	require.NoError(t, err)
	_, err = io.Copy(out, in)
	require.NoError(t, err)
	require.NoError(t, out.Close())
}

// elsewhere makes a host of nothing but another home.
func (r *room) elsewhere(name string) *host {
	r.Helper()
	h := &host{room: newRoom(r), name: name, via: "env"}
	for _, line := range h.env {
		h.via += " '" + line + "'"
	}
	return h
}

// container makes a host of namespaces: its own processes, mounts and name, as a container has them.
func (r *room) container(name string) *host {
	r.Helper()
	needRoot(r, "unshare", "nsenter")
	h := r.elsewhere(name)
	ready := filepath.Join(h.dir, "ready")
	cmd := exec.Command("unshare", "--mount", "--uts", "--pid", "--fork", "--mount-proc", "--kill-child",
		"sh", "-c", "hostname "+name+" && touch "+ready+" && exec sleep infinity")
	var said locked
	cmd.Stderr = &said
	require.NoError(r, cmd.Start())
	r.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	first := 0
	until(r, "the container runs", func() bool {
		_, err := os.Stat(ready)
		if pids := family(cmd.Process.Pid); len(pids) == 2 {
			first = pids[1]
		}
		return err == nil && first != 0
	})
	// nsenter goes to /, and env comes back.
	h.inside = []string{"nsenter", "-t", strconv.Itoa(first), "-m", "-u", "-p", "env", "-C", h.work}
	h.via = strings.Join(h.inside, " ") + strings.TrimPrefix(h.via, "env")
	return h
}

// needRoot skips a test that makes users and namespaces where it may not.
func needRoot(t testing.TB, programs ...string) {
	t.Helper()
	if os.Geteuid() != 0 {
		if os.Getenv("CHOICETUI_E2E") == "require" {
			t.Fatal("this needs root, and CHOICETUI_E2E=require allows no skipping")
		}
		t.Skip("only root can make users and namespaces")
	}
	need(t, programs...)
}

// processes are those of the host's user whose command line contains these words.
func (h *host) processes(words string) (pids []int) {
	all, _ := filepath.Glob("/proc/[0-9]*")
	for _, dir := range all {
		info, err := os.Stat(dir)
		line, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
		if err != nil || info.Sys().(*syscall.Stat_t).Uid != h.uid() ||
			!strings.Contains(strings.ReplaceAll(string(line), "\x00", " "), words) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(dir)); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}

func (h *host) uid() uint32 {
	if h.as == nil {
		return 0
	}
	return h.as.Uid
}

// adds keeps the host in this room's settings, and sees that it is connected.
func (r *room) adds(h *host) {
	r.Helper()
	args := []string{"remote", "add", h.name}
	if h.via != "" {
		args = append(args, "--via", h.via)
	}
	got := r.run(args...)
	require.Zero(r, got.code, got.err)
	require.Contains(r, got.out, h.name+" is connected: ")
}

// descendants returns the programs that a process started whose command line contains these words, without the shells
// that run them.
func descendants(pid int, words string) (pids []int) {
	for _, p := range family(pid) {
		line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", p))
		if p != pid && !strings.HasPrefix(string(line), "sh\x00") && strings.Contains(strings.ReplaceAll(string(line), "\x00", " "), words) {
			pids = append(pids, p)
		}
	}
	return pids
}

// link is the process that leads from a dashboard to a host over ssh.
func (p *pane) link(h *host) (pid int) {
	p.Helper()
	until(p, "ssh runs", func() bool {
		list := descendants(p.process(), "ssh ")
		if len(list) == 1 {
			pid = list[0]
		}
		return len(list) == 1
	})
	return pid
}

// away keeps the relay from starting on the host, until back is called.
func (h *host) away() (back func()) {
	h.Helper()
	program := filepath.Join(filepath.Dir(h.bin), "choicetui")
	hidden := program + ".away"
	require.NoError(h, os.Rename(program, hidden))
	h.bin = hidden // what else runs there still does
	return func() {
		require.NoError(h, os.Rename(hidden, program))
		h.bin = program
	}
}

// lastID is the id of the session that the host's log names first.
func (h *host) lastID() string {
	h.Helper()
	var e struct {
		ID string `json:"session_id"`
	}
	first, _, _ := strings.Cut(h.run("log", "--json").out, "\n")
	require.NoError(h, json.Unmarshal([]byte(first), &e))
	return e.ID
}
