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
	Kernel string // the content of /proc/version, to recognize WSL
	System string // runtime.GOOS, such as darwin or linux
}

// Here returns the Browser for this process's environment.
func Here() Browser {
	kernel, err := os.ReadFile("/proc/version")
	if err != nil {
		kernel = nil // not Linux
	}
	return Browser{Getenv: os.Getenv, Look: exec.LookPath, Kernel: string(kernel), System: runtime.GOOS}
}

// Open shows the URL in the person's browser. Over SSH it returns ErrNoBrowser, because the browser would open on a
// machine where nobody sits.
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
	go func() { _ = child.Wait() }() // the program may run as long as the browser
	return nil
}

// command returns the command that opens the URL, and its input; ErrNoBrowser if there is no browser. On macOS the URL
// is passed as input, so that other users cannot read it among the arguments: the portal there cannot check who
// connects.
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

// quotedForAppleScript returns s as a string literal of AppleScript.
func quotedForAppleScript(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}

// isWSL reports whether the process runs in the Windows Subsystem for Linux, where Windows opens the browser.
func (b Browser) isWSL() bool {
	kernel := strings.ToLower(b.Kernel)
	return b.Getenv("WSL_DISTRO_NAME") != "" || strings.Contains(kernel, "microsoft")
}
