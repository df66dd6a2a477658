package portal

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/choicetui/choicetui/panes/say"
)

// Remote configures the entrance for other machines. It always uses TLS.
type Remote struct {
	Address     string // host and port to listen on
	Certificate tls.Certificate
}

// ErrNoNames says that a certificate contains no complete host name.
var ErrNoNames = errors.New("the certificate has no full host name")

// NewRemote reads the certificate and key for the entrance for other machines. Requests to a host name that is not in
// the certificate are refused.
func NewRemote(address, certificate, key string) (*Remote, error) {
	pair, err := tls.LoadX509KeyPair(certificate, key)
	if err != nil {
		return nil, fmt.Errorf("failed to read the certificate: %w", err)
	}
	if pair.Leaf == nil {
		if pair.Leaf, err = x509.ParseCertificate(pair.Certificate[0]); err != nil {
			return nil, fmt.Errorf("failed to read the certificate: %w", err)
		}
	}
	if len(namesOf(pair.Leaf)) == 0 {
		return nil, ErrNoNames
	}
	return &Remote{Address: address, Certificate: pair}, nil
}

// namesOf returns the host names and addresses in a certificate, without wildcards.
func namesOf(leaf *x509.Certificate) []string {
	names := slices.DeleteFunc(slices.Clone(leaf.DNSNames), func(n string) bool { return strings.Contains(n, "*") })
	for _, ip := range leaf.IPAddresses {
		names = append(names, ip.String())
	}
	return names
}

// listenAway opens the port for other machines, and returns it with its entrance.
func (r *Remote) listenAway() (net.Listener, entrance, error) {
	l, err := net.Listen("tcp", r.Address)
	if err != nil {
		return nil, entrance{}, fmt.Errorf("failed to listen: %w", err)
	}
	e := entrance{scheme: "https", port: strconv.Itoa(portOf(l)), remote: true}
	for _, name := range namesOf(r.Certificate.Leaf) {
		e.hosts = append(e.hosts, hostsOf(name, e.port, "443")...)
	}
	return tls.NewListener(l, &tls.Config{Certificates: []tls.Certificate{r.Certificate},
		MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}}), e, nil
}

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

func (c *PairingClosed) Error() string { return pairClosed(c.For) }

// pairClosed returns the sentence of a PairingClosed. left is how long pairing stays closed.
func pairClosed(left time.Duration) string {
	return "five wrong tokens came within a minute, so no device is let in for another " + say.Spoken(left, time.Second)
}

// Pair returns a link that pairs one device, once, within a minute. The error is *PairingClosed after too many wrong
// tokens.
func (p *Portal) Pair() (string, error) {
	if left := p.access.pairingClosed(); left > 0 {
		return "", &PairingClosed{left}
	}
	e := p.here
	if p.there != nil {
		e = *p.there
	}
	return p.linkTo(e, ticket{Path: "/", Pairs: true, Until: p.access.now().Add(linkFor)}), nil
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
	a.sweepExpired()
	list := []Device{}
	for _, s := range slices.Backward(a.kept.Sessions) {
		if s.Device != "" {
			list = append(list, Device{ID: s.Device, Name: s.Name, Since: s.Since, Used: s.Used, Until: s.until()})
		}
	}
	return list
}

// Devices returns the paired devices of a queue whose portal does not run. If it runs the error is *Runs.
func Devices(dir string, now func() time.Time) (list []Device, err error) {
	err = withLastState(dir, now, func(a *access) error {
		list = a.devices()
		return nil
	})
	return list, err
}

// Revoke removes a paired device, or "all", of a queue whose portal does not run, and returns how many it removed. The
// error is *Runs if the portal runs, or ErrNoDevice.
func Revoke(dir, device string, now func() time.Time) (n int, err error) {
	err = withLastState(dir, now, func(a *access) error {
		n, err = a.revokeDevice(device)
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
	file := &keptFile{path: f.kept}
	k, err := file.readKept()
	if err != nil {
		return err
	}
	return look(newAccess(now, nil, k, file))
}

// forgetHere drops the links and web sessions of browsers on this machine. Paired devices stay, because they use
// another port.
func (k *kept) forgetHere() {
	k.Tickets = nil
	k.Sessions = slices.DeleteFunc(k.Sessions, func(s session) bool { return s.Device == "" })
}
