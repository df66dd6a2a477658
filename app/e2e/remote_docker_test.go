package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// docker makes a host of a real container, which is reached as docs/remote.md says. It skips a test if no engine
// answers: the tests install none, since that takes a daemon. The container has this machine's programs, but processes,
// a name and an environment of its own, and no network.
func (r *room) docker(name string) *host {
	r.Helper()
	if out, err := exec.Command("docker", "version", "--format", "{{.Server.Version}}").CombinedOutput(); err != nil {
		r.Skipf("no Docker engine answers (see DOCKER_HOST): %s", out)
	}
	if at := os.Getenv("DOCKER_HOST"); at != "" {
		r.env = append(r.env, "DOCKER_HOST="+at)
	}
	h := &host{room: newRoom(r), name: name}
	image, box := "choicetui-e2e:"+filepath.Base(h.dir), filepath.Base(h.dir)
	r.must("sh", "-c", "tar -cT /dev/null | docker import - "+image)
	r.Cleanup(func() { r.must("docker", "rmi", "-f", image) })
	args := []string{"run", "-d", "--init", "--name", box, "--hostname", name, "--network", "none", "-v", h.dir + ":" + h.dir}
	args = append(args, "-v", scratch+":"+scratch) // the program
	for _, dir := range []string{"/usr", "/bin", "/lib", "/lib64"} {
		if _, err := os.Stat(dir); err == nil {
			args = append(args, "-v", dir+":"+dir+":ro")
		}
	}
	for _, line := range h.env {
		args = append(args, "-e", line)
	}
	r.must("docker", append(args, image, "/bin/sleep", "3600")...)
	r.Cleanup(func() { r.must("docker", "rm", "-f", box) })
	h.env = r.env
	h.inside = []string{"docker", "exec", "-i", "-w", h.work, box}
	h.via = "docker exec -i " + box
	return h
}

func TestAgentsInADockerContainerAreAnsweredHere(t *testing.T) {
	t.Parallel()
	r := newRoom(t)
	h := r.docker("box")
	r.adds(h)
	p := r.tmux().dashboard(120, 40)
	h.connected()

	a := h.connect("claude-code")
	call := a.ask(which())
	p.meet("Which database?", "shop · claude @box")
	p.press("j", "Enter")
	require.Equal(t, "sqlite", call.selected())
	p.see("nothing is waiting")

	hook := h.hook(h.wantsTest(t))
	p.meet("npm test", "shop · claude @box")
	p.allowsOnce("npm test")
	require.Equal(t, string(ofClaude(t, "permission_once").Stdout), hook.wait().out)
	p.see("nothing is waiting")

	call = a.ask(which())
	p.meet("1 waiting", "Which database?")
	p.opens("x", "⏎ Cancel and tell")
	p.write("show me the cost")
	p.press("Enter")
	assert.Contains(t, call.answer().text, "show me the cost")

	p.see("nothing is waiting")

	a.ask(which())
	p.meet("1 waiting", "Which database?")
	box := h.inside[len(h.inside)-1]
	h.must("docker", "stop", "-t", "1", box)
	p.see("Connection to box lost, retrying", "Which database?")
	h.must("docker", "start", box)
	p.see("1 waiting (agent gone)")
	p.lose("lost")
	call = h.connect("codex-mcp-client").ask(which())
	p.see("2 waiting", "shop · codex @box")
	p.press("K")
	p.meet("─ shop · codex @box ", "Send PostgreSQL")
	p.press("Enter")
	require.Equal(t, "pg", call.selected())

	missing := r.run("remote", "add", "bare", "--via", "docker exec -i -e PATH=/bin "+box)
	assert.Contains(t, missing.out, "bare is not connected: choicetui is not installed there", missing.out)
	silent := r.run("remote", "add", "silent", "--via", "docker exec "+box)
	assert.Contains(t, silent.out, "silent is not connected: its command does not pass standard input on")
}
