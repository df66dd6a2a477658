package door

import (
	"cmp"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/choicetui/choicetui/panes/say"
)

// Device describes a paired device.
type Device struct {
	ID    string    `json:"id"`
	Name  string    `json:"name"`
	Since time.Time `json:"since"`
	Used  time.Time `json:"used"`
	Until time.Time `json:"until"`
}

// PairingClosed says that no device can be paired for a while, because too many wrong tokens came.
type PairingClosed struct{ For time.Duration }

func (c *PairingClosed) Error() string {
	left := say.Spoken(c.For, time.Second)
	return "five wrong tokens came within a minute, so no device is let in for another " + left
}

// pairingClosed returns for how long no device can be paired; zero or less: devices can be paired.
func (a *access) pairingClosed() time.Duration {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.closed.Sub(a.now())
}

// devices returns the paired devices, the newest first.
func (a *access) devices() []Device {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.sweep()
	list := []Device{}
	for _, s := range slices.Backward(a.kept.Sessions) {
		if s.isDevice() {
			list = append(list, Device{ID: s.ID, Name: s.Name, Since: s.Since, Used: s.Used, Until: s.until()})
		}
	}
	return list
}

// isDevice reports whether the session is that of a paired device.
func (s Session) isDevice() bool { return s.May == RightsDevice && s.Link == "" }

// ErrNoDevice says that no paired device has this id.
var ErrNoDevice = errors.New("no such device")

// allDevices is the id that stands for every device.
const allDevices = "all"

// revoke ends a paired device, or all of them, closes their pages, and returns how many it ended.
func (a *access) revoke(device string) (int, error) {
	a.mu.Lock()
	n := a.end(func(s Session) bool { return s.isDevice() && (s.ID == device || device == allDevices) })
	a.mu.Unlock()
	if n == 0 && device != allDevices {
		return 0, ErrNoDevice
	}
	return n, a.save()
}

// Devices returns the paired devices of a queue whose portal does not run. If it runs the error is *Runs.
func Devices(dir string, now func() time.Time) (list []Device, err error) {
	err = withLastState(dir, now, func(a *access) error {
		list = a.devices()
		return nil
	})
	return list, err
}

// Revoke ends a paired device, or "all", of a queue whose portal does not run, and returns how many it ended. The error
// is *Runs if the portal runs, or ErrNoDevice.
func Revoke(dir, device string, now func() time.Time) (n int, err error) {
	err = withLastState(dir, now, func(a *access) error {
		n, err = a.revoke(device)
		return err
	})
	return n, err
}

// withLastState calls look with the state of the last portal. It holds the lock, so that no portal starts meanwhile.
func withLastState(dir string, now func() time.Time, look func(*access) error) error {
	f, err := filesOf(dir)
	if err != nil {
		return err
	}
	release, err := f.claimPortal()
	if err != nil {
		return err
	}
	defer release()
	k, err := readKept(f.kept)
	if err != nil {
		return err
	}
	return look(newAccess(now, nil, k, f.kept))
}

// deviceName turns the User-Agent of a browser into a name that tells devices apart in a list: "iPhone, Safari".
func deviceName(agent string) string {
	common := map[string]string{"FxiOS": "Firefox", "CriOS": "Chrome", "Edg": "Edge", "Macintosh": "Mac"}
	var words []string
	for _, names := range [][]string{{"iPhone", "iPad", "Android", "Windows", "Macintosh", "Linux"},
		{"Firefox", "FxiOS", "Edg", "CriOS", "Chrome", "Safari"}} {
		i := slices.IndexFunc(names, func(name string) bool { return strings.Contains(agent, name) })
		if i >= 0 {
			words = append(words, cmp.Or(common[names[i]], names[i]))
		}
	}
	return cmp.Or(strings.Join(words, ", "), "unknown")
}
