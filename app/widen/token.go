package widen

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/say"
)

// maxToken limits the length of a token.
const maxToken = 4096

// errToken means that a token's file cannot be used. The words of the failure say why.
var errToken = errors.New("no token")

// ReadToken reads the token of a backend from a file that belongs to the person and that nobody else can read. Its
// errors are *Failure, and never contain anything of the file.
func ReadToken(name string) (string, error) {
	if name == "" {
		return "", &Failure{Words: SettingEmpty("widen.token_file"), Err: errToken}
	}
	path, ok := config.BelowHome(name, config.Home())
	if !ok {
		return "", &Failure{Words: tokenMissing(name), Err: errToken}
	}
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0) // opening a pipe must not wait
	if err != nil {
		return "", &Failure{Words: tokenMissing(name), Err: fmt.Errorf("failed to open the token's file: %w", err)}
	}
	defer file.Close()
	is, err := file.Stat()
	if err != nil {
		err = fmt.Errorf("failed to look at the token's file: %w", err)
		return "", &Failure{Words: tokenMissing(name), Err: err}
	}
	owner, _ := is.Sys().(*syscall.Stat_t)
	switch {
	case !is.Mode().IsRegular():
		return "", &Failure{Words: tokenMissing(name), Err: errToken}
	case owner != nil && int(owner.Uid) != os.Geteuid():
		return "", &Failure{Words: tokenForeign(name), Err: errToken}
	case is.Mode().Perm()&0o077 != 0:
		return "", &Failure{Words: tokenOpen(name), Err: errToken}
	}
	raw, err := io.ReadAll(io.LimitReader(file, maxToken+1))
	if err != nil {
		return "", &Failure{Words: tokenMissing(name), Err: fmt.Errorf("failed to read the token's file: %w", err)}
	}
	token := strings.TrimSpace(string(raw))
	if token == "" || len(raw) > maxToken || strings.ContainsFunc(token, isNoTokenRune) {
		return "", &Failure{Words: tokenWrong(name), Err: errToken}
	}
	return token, nil
}

// tokenMissing says that the file cannot be read.
func tokenMissing(file string) string {
	return "The token cannot be read from " + say.OneLine(file) +
		". Put it there, or name another file: widen.token_file."
}

// tokenOpen says that others may read the file.
func tokenOpen(file string) string {
	return "Others may read the token in " + say.OneLine(file) +
		". Keep it to yourself: chmod 600 " + say.OneLine(file) + "."
}

// tokenForeign says that the file belongs to somebody else.
func tokenForeign(file string) string {
	return "The file " + say.OneLine(file) + " is not yours. Put the token into a file of your own."
}

// tokenWrong says that there is no token in the file.
func tokenWrong(file string) string {
	return "There is no token in " + say.OneLine(file) + ". It has to be the only line."
}

// isNoTokenRune reports whether a token cannot contain a character.
func isNoTokenRune(r rune) bool { return r <= ' ' || r > '~' }

// leastOfToken is the number of characters from which a part of a token must be kept as secret as the token.
const leastOfToken = 8

// HoldsToken reports whether a text contains the token or a large part of it, in upper or lower case, also with
// characters in between that tokens do not have. Such a text must not be shown or stored.
func HoldsToken(text, token string) bool {
	return repeats(text, token, max(leastOfToken, len(token)/2))
}

// longToken is the length, in characters, from which nobody writes a token by accident.
const longToken = 16

// WithoutToken returns a text unchanged, or a note in its place if it contains the whole token. It does not look for
// tokens that are so short that they may be words.
func WithoutToken(text, token string) string {
	if len(token) >= longToken && repeats(text, token, len(token)) {
		return "(left out: it repeats the token)"
	}
	return text
}

// repeats reports whether a text contains at least part characters of a token in a row.
func repeats(text, token string, part int) bool {
	text = strings.ToLower(strings.Map(func(r rune) rune {
		if isNoTokenRune(r) {
			return -1
		}
		return r
	}, text))
	token = strings.ToLower(token)
	part = min(len(token), part)
	for i := 0; part > 0 && i+part <= len(token); i++ {
		if strings.Contains(text, token[i:i+part]) {
			return true
		}
	}
	return false
}
