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
	System string // as Go names it: darwin, linux
}

// Here returns the browser of this machine, as this process sees it.
func Here() Browser {
	kernel, err := os.ReadFile("/proc/version")
	if err != nil {
		kernel = nil // not Linux
	}
	return Browser{Getenv: os.Getenv, Look: exec.LookPath, Kernel: string(kernel), System: runtime.GOOS}
}

// Open shows the URL in the person's browser. Over SSH it does not: the browser would open where nobody sits.
func (b Browser) Open(url string) error {
	words, input, err := b.command(url)
	if err != nil {
		return err
	}
	child := exec.Command(words[0], words[1:]...)
	child.Stdin = strings.NewReader(input)
	child.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := child.Start(); err != nil {
		return fmt.Errorf("failed to open the browser: %w", err)
	}
	go func() { _ = child.Wait() }() // it may stay as long as the browser
	return nil
}

// command returns the command that opens the URL, and its input; ErrNoBrowser if there is no browser. If others could
// use a link that they see among a program's arguments, it is handed over as input: the portal on macOS does not know
// which user a connection belongs to.
func (b Browser) command(url string) (words []string, input string, err error) {
	if b.Getenv("SSH_CONNECTION") != "" || b.Getenv("SSH_TTY") != "" || b.Getenv("SSH_CLIENT") != "" {
		return nil, "", ErrNoBrowser
	}
	var ways [][]string
	switch {
	case b.System == "darwin":
		ways, input = [][]string{{"osascript", "-"}}, "open location "+quotedForAppleScript(url)+"\n"
	case b.isWSL():
		ways = [][]string{{"wslview", url}, {"rundll32.exe", "url.dll,FileProtocolHandler", url}, {"xdg-open", url}}
	case b.Getenv("DISPLAY") != "" || b.Getenv("WAYLAND_DISPLAY") != "":
		ways = [][]string{{"xdg-open", url}}
	}
	for _, way := range ways {
		if path, err := b.Look(way[0]); err == nil {
			return append([]string{path}, way[1:]...), input, nil
		}
	}
	return nil, "", ErrNoBrowser
}

// quotedForAppleScript returns a string of AppleScript.
func quotedForAppleScript(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

func (b Browser) isWSL() bool {
	kernel := strings.ToLower(b.Kernel)
	return b.Getenv("WSL_DISTRO_NAME") != "" || strings.Contains(kernel, "microsoft")
}
