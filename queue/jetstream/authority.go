package jetstream

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/nats-io/nats.go"
)

// authority is a file with the certificates of those who may vouch for the server, in place of those that the system
// trusts. It is read again for every connection, so that a new file counts from the next one on.
type authority struct{ path string } // empty: the system's

// errAuthority begins what is said of a file that holds no such certificate.
var errAuthority = errors.New("queue_ca cannot be used")

// options returns the connection options that limit whom to trust. They do not ask for encryption: the address or the
// server does.
func (a authority) options() ([]nats.Option, error) {
	if a.path == "" {
		return nil, nil
	}
	if _, err := a.pool(); err != nil {
		return nil, err
	}
	return []nats.Option{func(o *nats.Options) error {
		o.RootCAsCB = a.pool
		return nil
	}}, nil
}

func (a authority) pool() (*x509.CertPool, error) {
	text, err := os.ReadFile(a.path)
	var at *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w: there is no file %q", errAuthority, a.path)
	case errors.As(err, &at):
		return nil, fmt.Errorf("%w: the file %q cannot be read: %w", errAuthority, a.path, at.Err)
	case err != nil:
		return nil, fmt.Errorf("%w: %w", errAuthority, err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("%w: there is no certificate in %q; it takes a PEM file, in which one begins with "+
			"-----BEGIN CERTIFICATE-----", errAuthority, a.path)
	}
	return pool, nil
}

// ofCertificate explains why the server's certificate was refused, and what to do; nil: it was not.
func (a authority) ofCertificate(err error) error {
	var bad *tls.CertificateVerificationError
	var unknown x509.UnknownAuthorityError
	var other x509.HostnameError
	switch {
	case errors.Is(err, errAuthority):
		return err
	case !errors.As(err, &bad):
		return nil
	case errors.As(err, &other):
		return fmt.Errorf("the server's certificate is for another name: %w; the setting queue has to name the server "+
			"as its certificate does", bad.Err)
	case !errors.As(err, &unknown):
		return fmt.Errorf("the server's certificate is not good: %w", bad.Err)
	case a.path != "":
		return fmt.Errorf("the server's certificate was issued by nobody whose certificate is in %q, the file that "+
			"queue_ca names", a.path)
	}
	return errors.New("the server's certificate was issued by an authority that this machine does not trust; if it " +
		"is your own, set queue_ca to the file with the authority's certificate")
}
