package client

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
)

// ErrNoBrowser says that no browser of the person's can be opened from here.
var ErrNoBrowser = errors.New("there is no browser here")

// Browser opens pages for the person.
type Browser struct {
	Getenv func(string) string
	Look   func(program string) (path string, err error)
	Kernel string // what /proc/version says, for WSL
}

// Here is the browser of this machine, as this process sees it.
func Here() Browser {
	kernel, err := os.ReadFile("/proc/version")
	if err != nil {
		kernel = nil // not Linux
	}
	return Browser{Getenv: os.Getenv, Look: exec.LookPath, Kernel: string(kernel)}
}

// Open shows the URL in the person's browser. Over SSH there is none: it would open where nobody sits.
func (b Browser) Open(url string) error {
	words, err := b.command(url)
	if err != nil {
		return err
	}
	child := exec.Command(words[0], words[1:]...)
	child.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := child.Start(); err != nil {
		return fmt.Errorf("failed to open the browser: %w", err)
	}
	go func() { _ = child.Wait() }() // it may stay as long as the browser
	return nil
}

// command is the command that opens the URL; ErrNoBrowser: there is none.
func (b Browser) command(url string) ([]string, error) {
	if b.Getenv("SSH_CONNECTION") != "" || b.Getenv("SSH_TTY") != "" || b.Getenv("SSH_CLIENT") != "" {
		return nil, ErrNoBrowser
	}
	var ways [][]string
	switch {
	case runtime.GOOS == "darwin":
		ways = [][]string{{"open", url}}
	case b.isWSL():
		ways = [][]string{{"wslview", url}, {"rundll32.exe", "url.dll,FileProtocolHandler", url}, {"xdg-open", url}}
	case b.Getenv("DISPLAY") != "" || b.Getenv("WAYLAND_DISPLAY") != "":
		ways = [][]string{{"xdg-open", url}}
	}
	for _, way := range ways {
		if path, err := b.Look(way[0]); err == nil {
			return append([]string{path}, way[1:]...), nil
		}
	}
	return nil, ErrNoBrowser
}

func (b Browser) isWSL() bool {
	kernel := strings.ToLower(b.Kernel)
	return b.Getenv("WSL_DISTRO_NAME") != "" || strings.Contains(kernel, "microsoft")
}
