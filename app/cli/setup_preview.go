package cli

import (
	"bufio"
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// preview is what a run of setup would do: which files change, and each line. At a terminal the files are shown first,
// and the lines a pane at a time, since they may take hundreds of rows. Elsewhere, and with --diff, all is shown at
// once.
type preview struct{ short, lines page }

// pages reports whether the lines are shown only once the person presses Enter.
func (r *setupRun) pages() bool { return !r.diff && isTerminal(r.sh.in) && isTerminal(r.sh.out) }

// show shows what would be done, and asks nothing.
func (r *setupRun) show(v preview) error {
	switch {
	case v.lines.Len() == 0:
	case !r.pages():
		v.short.line("")
		v.short.Write(v.lines.Bytes())
	case r.dryRun:
		v.short.line("\n--diff shows each line.")
	}
	return v.short.send(r.sh.out)
}

// agreed shows what would be done and asks; the person agrees with the word yes. Enter shows the lines that were not
// shown yet.
func (r *setupRun) agreed(v preview, does string) (bool, error) {
	if err := r.show(v); err != nil || r.yes {
		return err == nil, err
	}
	var rest []byte
	if r.pages() {
		rest = v.lines.Bytes()
		fmt.Fprintln(r.sh.out)
	}
	in := bufio.NewReader(r.sh.in)
	for more := "each line"; ; more = "more" {
		if len(rest) > 0 {
			fmt.Fprintf(r.sh.out, "Enter shows %s. ", more)
		}
		fmt.Fprintf(r.sh.out, "Type yes to %s: ", does)
		line, err := in.ReadString('\n')
		if err != nil { // the answer's line did not end, so ours does
			fmt.Fprintln(r.sh.out)
		}
		switch said := strings.TrimSpace(line); {
		case strings.EqualFold(said, "yes"):
			return true, nil
		case said != "" || err != nil || len(rest) == 0:
			return false, &failure{say: "nothing was changed", hint: "only the word yes makes the changes"}
		}
		var shown []byte
		shown, rest = paneful(rest, widthOf(r.sh.out), heightOf(r.sh.out)-2)
		if _, err := r.sh.out.Write(shown); err != nil {
			return false, err
		}
	}
}

// paneful cuts off as many lines of a text as fit into rows of a width, at least one.
func paneful(text []byte, width, rows int) (first, rest []byte) {
	for l := range bytes.Lines(text) {
		if rows -= 1 + max(utf8.RuneCount(l)-2, 0)/max(width, 1); rows < 0 && len(first) > 0 {
			break
		}
		first = text[:len(first)+len(l)]
	}
	return first, text[len(first):]
}
