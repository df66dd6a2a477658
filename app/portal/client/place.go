// Package client finds the portal of a queue, starts it if necessary, and asks it for links to its pages. The
// dashboard, the bridge and the commands use this package, so that they need not link the server and its pages.
//
//	Ensure ─► the file says where ─► it runs ──────────────────► Link ─► /control/link ─► URL ─► Open
//	               └─► it does not: `choicetui web --transient` ──┘
package client

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/choicetui/choicetui/config/whole"
)

// answersWithin limits how long a running portal takes to accept a connection.
const answersWithin = time.Second

// Place says where the portal of a queue runs. It is stored in a file that only its user can read, because its secret
// Control lets the reader ask for links.
type Place struct {
	PID     int    `json:"pid"`
	Port    int    `json:"port"`
	Queue   string `json:"queue"`            // the queue's directory
	Control string `json:"control"`          // the secret for requests to /control
	Origin  string `json:"origin,omitempty"` // the origin of its pages for other machines: https://name:port
}

// Path returns the file that says where the portal of a queue runs. It is in state, the directory for state files,
// which each process of the user finds; a runtime directory is not set for all of them.
func Path(queue, state string) string {
	sum := sha256.Sum256([]byte(queue))
	return filepath.Join(state, "portal-"+hex.EncodeToString(sum[:8])+".json")
}

// Read reads the file. The error wraps fs.ErrNotExist if no portal has written it. A file that others can read or write
// is rejected, because it could send the person's answers elsewhere.
func Read(path string) (Place, error) {
	var p Place
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW, 0)
	if err != nil {
		return p, fmt.Errorf("failed to look for the portal: %w", err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return p, fmt.Errorf("failed to look for the portal: %w", err)
	}
	if whole.Owner(info) != os.Geteuid() || info.Mode().Perm()&0o077 != 0 {
		return p, fmt.Errorf("others can read or write %s: remove it, and choicetui web makes a new one", path)
	}
	if err := json.NewDecoder(file).Decode(&p); err != nil {
		return p, fmt.Errorf("failed to read %s: %w", path, err)
	}
	return p, nil
}

// Write writes the place to a file that only this user can read, completely or not at all.
func (p Place) Write(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("failed to record the portal's address: %w", err)
	}
	data, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("failed to record the portal's address: %w", err)
	}
	if err := whole.Write(path, ".portal-*", append(data, '\n')); err != nil {
		return fmt.Errorf("failed to record the portal's address: %w", err)
	}
	return nil
}

// Remove deletes the file if it still contains this place.
func (p Place) Remove(path string) error {
	if now, err := Read(path); err != nil || now != p {
		return nil // the file is gone, or belongs to another portal
	}
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("failed to remove the portal's address: %w", err)
	}
	return nil
}

// Runs reports whether the portal still runs: its process exists and accepts connections.
func (p Place) Runs() bool {
	if p.PID <= 0 || p.Port <= 0 || syscall.Kill(p.PID, 0) != nil {
		return false
	}
	conn, err := net.DialTimeout("tcp", p.address(), answersWithin)
	if err != nil {
		return false
	}
	_ = conn.Close() // nothing was sent
	return true
}

// Bare returns the address of a session's page, or of the list without a session, for a browser that was let in
// already.
func (p Place) Bare(session string) string {
	origin := p.Origin
	if origin == "" {
		origin = "http://" + p.address()
	}
	if session == "" {
		return origin + "/"
	}
	return origin + "/choice/" + session
}

func (p Place) address() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(p.Port)) }
