package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
)

// mostWords bounds own words that are read; no answer may be nearly as long.
const mostWords = 1 << 20

// wordsHelp says in a command's help where own words may come from.
const wordsHelp = `A text that is - is read from stdin, and @FILE from a file, since everybody on
this machine can see a command's arguments; @@ begins a text with @.`

// ownWords reads the person's own words as a flag has them.
type ownWords struct {
	in    io.Reader
	spent bool // standard input was read
}

// read returns the text that a flag's value refers to: the value itself, standard input for “-”, a file for “@FILE”;
// without the line's end that editors put last.
func (w *ownWords) read(value string) (string, error) {
	switch {
	case value == "-":
		if w.spent {
			return "", errors.New("standard input is read once: give the other text in a file, as @FILE")
		}
		w.spent = true
		return readWords(w.in, "standard input")
	case strings.HasPrefix(value, "@@"):
		return value[1:], nil
	case strings.HasPrefix(value, "@"):
		name := value[1:]
		f, err := os.Open(name)
		if errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("there is no file %s; a text that begins with @ is given as @%s",
				quoted(name), value)
		}
		if err != nil {
			return "", fmt.Errorf("the file cannot be read: %w", err)
		}
		defer f.Close()
		return readWords(f, quoted(name))
	}
	return value, nil
}

func readWords(from io.Reader, name string) (string, error) {
	raw, err := io.ReadAll(io.LimitReader(from, mostWords+1))
	if err != nil {
		return "", fmt.Errorf("%s cannot be read: %w", name, err)
	}
	if len(raw) > mostWords {
		return "", fmt.Errorf("%s is larger than %d MiB", name, mostWords>>20)
	}
	return string(trimFinalNewline(raw)), nil
}
