package jetstream

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"github.com/choicetui/choicetui/queue"
)

// maxCredentials is more than any file of credentials takes.
const maxCredentials = 64 << 10

// credentialsFile names a file that says who asks; empty: nobody is named. The file is read again for every connection,
// so that a new file counts from the next one on. No error contains any of its contents.
type credentialsFile string

// credentialWords list the valid contents of a file of credentials, for the error about a file without any of them.
const credentialWords = "a .creds file, the seed of an nkey, or the lines user: NAME and password: WORD"

// options returns the connection options that log in by this file.
func (c credentialsFile) options() ([]nats.Option, error) {
	if c == "" {
		return nil, nil
	}
	text, err := c.read()
	if err != nil {
		return nil, err
	}
	if pair, err := userKey(text); err == nil {
		defer pair.Wipe()
		if isCreds(text) {
			return []nats.Option{nats.UserJWT(c.jwt, c.sign)}, nil
		}
		public, err := pair.PublicKey()
		return []nats.Option{nats.Nkey(public, c.sign)}, err
	}
	if user, password := userOf(text); user != "" && password != "" && !isCreds(text) {
		return []nats.Option{nats.UserInfoHandler(c.userAndPassword)}, nil
	}
	return nil, fmt.Errorf("there are no whole credentials in the file %q: it takes %s", c, credentialWords)
}

// read reads the file if nobody else can.
func (c credentialsFile) read() (string, error) {
	fi, err := os.Stat(string(c))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("there is no file of credentials at %q", c)
	case err != nil:
		return "", fmt.Errorf("failed to look at the file of credentials: %w", err)
	case !fi.Mode().IsRegular() || fi.Size() > maxCredentials:
		return "", fmt.Errorf("%q is no file of credentials", c)
	case fi.Mode().Perm()&0o077 != 0:
		return "", fmt.Errorf("others can read the file of credentials %q: chmod 600 it", c)
	}
	raw, err := os.ReadFile(string(c))
	if err != nil {
		return "", fmt.Errorf("failed to read the file of credentials: %w", err)
	}
	return strings.TrimSpace(string(raw)), nil
}

func isCreds(text string) bool { return strings.Contains(text, "BEGIN NATS USER JWT") }

// userOf finds the two lines of a user with a password.
func userOf(text string) (user, password string) {
	for line := range strings.Lines(text) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		switch value = strings.TrimSpace(value); strings.TrimSpace(key) {
		case "user":
			user = value
		case "password":
			password = value
		}
	}
	return user, password
}

// errCredentials replaces a library's error about credentials, which might repeat them.
var errCredentials = errors.New("the file of credentials cannot be used")

// seedLine is the line with a user's seed, alone in a file or behind the token of a .creds file.
var seedLine = regexp.MustCompile(`(?m)^\s*(SU[A-Z2-7]+)\s*$`)

// userKey returns the key that a file of credentials holds.
func userKey(text string) (nkeys.KeyPair, error) {
	found := seedLine.FindStringSubmatch(text)
	if found == nil {
		return nil, errCredentials
	}
	pair, err := nkeys.FromSeed([]byte(found[1]))
	if err != nil {
		return nil, errCredentials
	}
	return pair, nil
}

// sign proves to the server that the key is here.
func (c credentialsFile) sign(nonce []byte) ([]byte, error) {
	text, err := c.read()
	if err != nil {
		return nil, err
	}
	pair, err := userKey(text)
	if err != nil {
		return nil, err
	}
	defer pair.Wipe()
	return pair.Sign(nonce)
}

func (c credentialsFile) jwt() (string, error) {
	text, err := c.read()
	if err != nil {
		return "", err
	}
	token, err := nkeys.ParseDecoratedJWT([]byte(text))
	if err != nil {
		return "", errCredentials
	}
	return token, nil
}

func (c credentialsFile) userAndPassword() (user, password string) {
	text, err := c.read()
	if err != nil {
		return "", "" // the server refuses that, and says so
	}
	return userOf(text)
}

// PersonIn returns the person whom a file of credentials names: its user, or the name in its JWT. Empty: nobody, or it
// cannot be read.
func PersonIn(path string) string {
	name, _ := queue.VisibleLine(credentialsFile(path).name())
	return queue.Shorten(name, queue.MaxPerson-1, "…")
}

// name returns the person's name as written in the file. It is empty if the file has no name, or cannot be read.
func (c credentialsFile) name() string {
	if c == "" {
		return ""
	}
	text, err := c.read()
	switch {
	case err != nil:
		return ""
	case isCreds(text):
		return c.nameInJWT()
	}
	name, _ := userOf(text)
	return name
}

// fitsSubject are the names that can be one part of a subject.
var fitsSubject = regexp.MustCompile(`^[A-Za-z0-9_@-]+$`)

// inbox begins the subjects on which the server answers. With the user's name in them a server can keep each user from
// listening to what the others are answered; where nobody is named, all are alike.
func (c credentialsFile) inbox() string {
	if name := c.name(); fitsSubject.MatchString(name) {
		return commonInbox + "." + name
	}
	return commonInbox
}

const commonInbox = "_INBOX"

// nameInJWT returns the user's name as the account gave it. It is read, not verified: the server does that.
func (c credentialsFile) nameInJWT() string {
	token, err := c.jwt()
	parts := strings.Split(token, ".")
	if err != nil || len(parts) != 3 {
		return ""
	}
	raw, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		return ""
	}
	var claims struct {
		Name string `json:"name"`
	}
	_ = json.Unmarshal(raw, &claims) // without a name the person goes by the one on this machine
	return claims.Name
}

// authorityFile names a file with the certificates of those who may vouch for the server, in place of those that the
// system trusts; empty: the system's count. It is read again for every connection, so that a new file counts from the
// next one on.
type authorityFile string

// errAuthority begins what is said of a file that holds no such certificate.
var errAuthority = errors.New("queue_ca cannot be used")

// options returns the connection options that limit whom to trust. They do not ask for encryption: the address or the
// server does.
func (a authorityFile) options() ([]nats.Option, error) {
	if a == "" {
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

func (a authorityFile) pool() (*x509.CertPool, error) {
	text, err := os.ReadFile(string(a))
	var at *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w: there is no file %q", errAuthority, a)
	case errors.As(err, &at):
		return nil, fmt.Errorf("%w: the file %q cannot be read: %w", errAuthority, a, at.Err)
	case err != nil:
		return nil, fmt.Errorf("%w: %w", errAuthority, err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("%w: there is no certificate in %q; it takes a PEM file, in which one begins with "+
			"-----BEGIN CERTIFICATE-----", errAuthority, a)
	}
	return pool, nil
}

// ofCertificate explains why the server's certificate was refused, and what to do; nil: it was not.
func (a authorityFile) ofCertificate(err error) error {
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
	case a != "":
		return fmt.Errorf("the server's certificate was issued by nobody whose certificate is in %q, the file that "+
			"queue_ca names", a)
	}
	return errors.New("the server's certificate was issued by an authority that this machine does not trust; if it " +
		"is your own, set queue_ca to the file with the authority's certificate")
}
