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

// maxCredentials is larger than any credentials file.
const maxCredentials = 64 << 10

// credentialsFile is the path of a file with credentials; empty: no login. The file is read for every connection, so
// that a changed file counts from the next connection on. No error contains any of its contents.
type credentialsFile string

// credentialWords lists the valid contents of a credentials file, for error messages.
const credentialWords = "a .creds file, the seed of an nkey, or the lines user: NAME and password: WORD"

// options returns the connection option that logs in by this file. The library reads the file for each connection and
// keeps no key in memory.
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
	user, password := parseUser(text)
	switch {
	case notCreds == nil && noKey == nil && isCreds(text):
		return nats.UserCredentials(string(c)), nil
	case noKey == nil && !isCreds(text):
		return nats.NkeyOptionFromSeed(string(c))
	case user != "" && password != "" && !isCreds(text):
		return nats.UserInfoHandler(c.userAndPassword), nil
	}
	return nil, fmt.Errorf("the file %q has no complete credentials: it needs %s", c, credentialWords)
}

// read reads the file. It fails if other users can read it.
func (c credentialsFile) read() (string, error) {
	fi, err := os.Stat(string(c))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("there is no credentials file at %q", c)
	case err != nil:
		return "", fmt.Errorf("failed to look at the credentials file: %w", err)
	case !fi.Mode().IsRegular() || fi.Size() > maxCredentials:
		return "", fmt.Errorf("%q is not a credentials file", c)
	case fi.Mode().Perm()&0o077 != 0:
		return "", fmt.Errorf("others can read the credentials file %q: chmod 600 it", c)
	}
	raw, err := os.ReadFile(string(c))
	if err != nil {
		return "", fmt.Errorf("failed to read the credentials file: %w", err)
	}
	return strings.TrimSpace(string(raw)), nil
}

func isCreds(text string) bool { return strings.Contains(text, "BEGIN NATS USER JWT") }

// parseUser finds the lines with a user and a password.
func parseUser(text string) (user, password string) {
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

// userAndPassword reads the file again for each connection; the library calls it.
func (c credentialsFile) userAndPassword() (user, password string) {
	text, err := c.read()
	if err != nil {
		return "", "" // the server refuses an empty user with a clear error
	}
	return parseUser(text)
}

// PersonIn returns the person whom a credentials file names: its user, or the name in its JWT. It is empty if there
// is no name or the file cannot be read.
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
	name, _ := parseUser(text)
	return name
}

// fitsSubject matches names that are valid as one token of a subject.
var fitsSubject = regexp.MustCompile(`^[A-Za-z0-9_@-]+$`)

// inbox returns the prefix of the subjects on which the server answers. With the user's name in it, a server can keep
// users from reading each other's answers. Without a name all users have the same prefix.
func (c credentialsFile) inbox() string {
	if name := c.name(); fitsSubject.MatchString(name) {
		return commonInbox + "." + name
	}
	return commonInbox
}

const commonInbox = "_INBOX"

// nameInJWT returns the user's name in the JWT. The signature is not verified here; the server verifies it.
func nameInJWT(text string) string {
	token, _ := nkeys.ParseDecoratedJWT([]byte(text))
	_, rest, _ := strings.Cut(token, ".")
	body, _, _ := strings.Cut(rest, ".")
	var claims struct {
		Name string `json:"name"`
	}
	if raw, err := base64.RawURLEncoding.DecodeString(body); err == nil {
		_ = json.Unmarshal(raw, &claims) // without a name the person's name on this machine is used
	}
	return claims.Name
}

// trustAuthority returns the connection option that trusts the authorities in a PEM file instead of the system's. It
// does not turn TLS on: the address or the server does.
func trustAuthority(path string) (nats.Option, error) {
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
