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

// credentials read a file that says who asks. The file is read again for every connection, so that a new file counts
// from the next one on. No error contains any of its contents.
type credentials struct{ path string }

// credentialWords list the valid contents of a file of credentials, for the error about a file without any of them.
const credentialWords = "a .creds file, the seed of an nkey, or the lines user: NAME and password: WORD"

// options returns the connection options that log in by this file.
func (c credentials) options() ([]nats.Option, error) {
	if c.path == "" {
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
	return nil, fmt.Errorf("there are no whole credentials in the file %q: it takes %s", c.path, credentialWords)
}

// read reads the file if nobody else can.
func (c credentials) read() (string, error) {
	fi, err := os.Stat(c.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("there is no file of credentials at %q", c.path)
	case err != nil:
		return "", fmt.Errorf("failed to look at the file of credentials: %w", err)
	case !fi.Mode().IsRegular() || fi.Size() > maxCredentials:
		return "", fmt.Errorf("%q is no file of credentials", c.path)
	case fi.Mode().Perm()&0o077 != 0:
		return "", fmt.Errorf("others can read the file of credentials %q: chmod 600 it", c.path)
	}
	raw, err := os.ReadFile(c.path)
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
func (c credentials) sign(nonce []byte) ([]byte, error) {
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

func (c credentials) jwt() (string, error) {
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

func (c credentials) userAndPassword() (user, password string) {
	text, err := c.read()
	if err != nil {
		return "", "" // the server refuses that, and says so
	}
	return userOf(text)
}

// PersonIn returns the person whom a file of credentials names: its user, or the name in its JWT. Empty: nobody, or it
// cannot be read.
func PersonIn(path string) string {
	name, _ := queue.VisibleLine(credentials{path}.name())
	return queue.Shorten(name, queue.MaxPerson-1, "…")
}

// name returns the person's name as written in the file. Empty: there is none, or the file cannot be read.
func (c credentials) name() string {
	if c.path == "" {
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
func (c credentials) inbox() string {
	if name := c.name(); fitsSubject.MatchString(name) {
		return commonInbox + "." + name
	}
	return commonInbox
}

const commonInbox = "_INBOX"

// nameInJWT returns the user's name as the account gave it. It is read, not verified: the server does that.
func (c credentials) nameInJWT() string {
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
	_ = json.Unmarshal(raw, &claims) // without a name the person is who they are on this machine
	return claims.Name
}
