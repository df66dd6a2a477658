package app

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// actNaming ends the line that asks for the file's name. If the file cannot be written the line stays.
func (p *historyPage) actNaming(a keys.Action) {
	switch {
	case a == keys.ActBack:
		p.naming = nil
	case a == keys.ActEnter && !p.writing:
		p.write()
	}
}

func (p *historyPage) write() {
	s, ok := p.session()
	name := strings.TrimSpace(p.naming.Text())
	switch {
	case queue.Blank(name):
		p.d.message = "a file needs a name"
		return
	case !ok:
		p.d.message = "it is still being read, press again"
		return
	}
	p.writing = true
	text, home := p.words(s).Plain(), p.d.o.Home
	p.d.later(func() {
		where, err := writeText(name, home, text)
		p.d.post(func() {
			p.writing = false
			if err != nil {
				p.d.message = "not written: " + say.OneLine(err.Error())
				return
			}
			p.naming = nil
			p.d.message = "written to " + say.OneLine(say.Tilde(where, home))
		})
	})
}

// writeText makes a new file that only this person can read, and says where it is. It never writes over one.
func writeText(name, home, text string) (string, error) {
	if rest, ok := strings.CutPrefix(name, "~/"); ok && home != "" {
		name = filepath.Join(home, rest)
	}
	path, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return "", errors.New("that file is there already, give another name")
	}
	if err != nil {
		return "", err
	}
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(err, os.Remove(path)) // half a file is none
	}
	return path, nil
}
