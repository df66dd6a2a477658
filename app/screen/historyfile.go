package screen

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/choicetui/choicetui/config"
)

// errThere says that a session is not written over a file.
var errThere = errors.New("that file is there already, give another name")

// writeText makes a new file that only this person can read, and says where it is. It never writes over one. A name
// that begins with ~/ is below home.
func writeText(name, home, text string) (path string, err error) {
	name, _ = config.BelowHome(name, home)
	if path, err = filepath.Abs(name); err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return "", errThere
	}
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(err, os.Remove(path)) // an incomplete file is removed
	}
	return path, nil
}
