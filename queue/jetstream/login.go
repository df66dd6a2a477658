package jetstream

import (
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

// options returns the connection option that logs in by this file. The library reads the file again for each
// connection, and keeps no key in memory.
func (c credentialsFile) options() (nats.Option, error) {
	text, err := c.read()
	if err != nil {
		return nil, err
	}
	_, notCreds := nkeys.ParseDecoratedJWT([]byte(text))
	pair, noKey := nkeys.ParseDecoratedUserNKey([]byte(text))
	if noKey == nil {
		pair.Wipe()
	}
	user, password := userOf(text)
	switch {
	case notCreds == nil && noKey == nil && isCreds(text):
		return nats.UserCredentials(string(c)), nil
	case noKey == nil && !isCreds(text):
		return nats.NkeyOptionFromSeed(string(c))
	case user != "" && password != "" && !isCreds(text):
		return nats.UserInfoHandler(c.userAndPassword), nil
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
		return nameInJWT(text)
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
func nameInJWT(text string) string {
	token, _ := nkeys.ParseDecoratedJWT([]byte(text))
	_, rest, _ := strings.Cut(token, ".")
	body, _, _ := strings.Cut(rest, ".")
	var claims struct {
		Name string `json:"name"`
	}
	if raw, err := base64.RawURLEncoding.DecodeString(body); err == nil {
		_ = json.Unmarshal(raw, &claims) // without a name the person goes by the one on this machine
	}
	return claims.Name
}

// trust returns the connection option that trusts the authorities in a PEM file in place of the system's. It does not
// ask for encryption: the address or the server does.
func trust(path string) (nats.Option, error) {
	option := func(o *nats.Options) error {
		secure := o.Secure
		err := nats.RootCAs(path)(o)
		o.Secure = secure
		return err
	}
	if err := option(&nats.Options{}); err != nil {
		return nil, fmt.Errorf("queue_ca cannot be used, it takes a PEM file with a certificate: %w", err)
	}
	return option, nil
}
