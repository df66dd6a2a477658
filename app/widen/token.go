package widen

import (
	"errors"
	"strings"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/config/whole"
	"github.com/choicetui/choicetui/panes/say"
)

// maxToken limits the length of a token.
const maxToken = 4096

// ReadToken reads the token of a backend from a file that belongs to the person and that nobody else can read. Its
// errors are *Failure, and never contain anything of the file.
func ReadToken(name string) (string, error) {
	file := say.OneLine(name)
	missing := &Failure{Words: "The token cannot be read from " + file +
		". Put it there, or name another file: widen.token_file."}
	path, ok := config.BelowHome(name, config.Home())
	if !ok {
		return "", missing
	}
	raw, err := whole.ReadPrivate(path, maxToken+1)
	switch {
	case errors.Is(err, whole.ErrForeign):
		return "", &Failure{Words: "The file " + file + " is not yours. Put the token into a file of your own."}
	case errors.Is(err, whole.ErrShared):
		return "", &Failure{Words: "Others may read the token in " + file + ". Keep it to yourself: chmod 600 " +
			file + "."}
	case err != nil:
		return "", missing
	}
	token := strings.TrimSpace(string(raw))
	if token == "" || len(raw) > maxToken || strings.ContainsFunc(token, isNoTokenRune) {
		return "", &Failure{Words: "There is no token in " + file + ". It has to be the only line."}
	}
	return token, nil
}

// isNoTokenRune reports whether a token cannot contain a character.
func isNoTokenRune(r rune) bool { return r <= ' ' || r > '~' }

// leastOfToken is the least number of characters that HoldsToken looks for. Fewer may be in a text by chance.
const leastOfToken = 8

// HoldsToken reports whether a text contains the token or at least half of it in one piece, in upper or lower case,
// also with characters in between that tokens do not have. Such a text must not be shown or stored.
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
