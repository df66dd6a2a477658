package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/choicetui/choicetui/panes/keys"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/deed"
	"github.com/choicetui/choicetui/queue/form"
)

// flagged is a form being filled in from flags, and what is wrong with them.
type flagged struct {
	*form.Form
	own              *ownWords
	selected, texted map[int]bool // questions that a flag already spoke for
	problems         []string
}

func (f *flagged) complain(format string, args ...any) {
	f.problems = append(f.problems, fmt.Sprintf(format, args...))
}

// words are own words, from wherever the flag says.
func (f *flagged) words(flag, value string) string {
	text, err := f.own.read(value)
	if err != nil {
		f.complain("%s: %s", flag, err)
	}
	return text
}

// choose applies one --select. The first one for a question takes its defaults' place, further ones add.
func (f *flagged) choose(value string) {
	at, ids, ok := f.question("--select", value, func(q queue.Question) bool {
		_, known := q.Option(value)
		return known
	})
	if !ok {
		return
	}
	q := f.Question(at)
	chosen := pieces(q.Question, ids)
	for _, id := range chosen {
		at := slices.IndexFunc(q.Options, func(o queue.Option) bool { return o.ID == id })
		if q.Folded(id) { // an id that no option has is for Accept to refuse
			f.refused("--select "+quoted(id), form.WhyNot{Reason: form.OptionHidden, Have: at + 1}, deed.Mark)
		}
	}
	if f.selected[at] {
		chosen = append(q.Selected(), chosen...)
	}
	f.selected[at] = true
	q.Select(chosen...)
}

// defaults says how what the agent has selected beforehand is taken as the answer; empty: it has selected nothing, or
// fewer than are wanted.
func (f *flagged) defaults() string {
	flags := ""
	for i := range f.Len() {
		q := f.Question(i)
		if len(q.Defaults) < max(q.Min, 1) {
			continue
		}
		ids := strings.Join(q.Defaults, ",")
		if f.Several() {
			ids = q.ID + "=" + ids
		}
		flags += " --select " + say.OneLine(ids)
	}
	if flags == "" {
		return ""
	}
	return "; what the agent has selected is taken with" + flags
}

// refused complains that the form does not take what a flag gives, in the words of the screen, and reports whether it
// did. No key helps here, but the settings may.
func (f *flagged) refused(flag string, why form.WhyNot, as keys.Action) bool {
	if why.OK() {
		return false
	}
	remedy := ""
	switch why.Reason {
	case form.OptionHidden:
		remedy = ": it stands in hidden_options of the settings"
	case form.NotesOffInSettings:
		remedy = ": choicetui config set annotations_enabled on"
	}
	f.complain("%s: %s%s", flag, say.WhyNot(why, as, form.StepSend, say.Speech{Keys: keys.Map{}}), remedy)
	return true
}

// pieces returns the text as one id if an option has exactly that id, commas and all, else the ids between the commas.
func pieces(q queue.Question, ids string) []string {
	if _, exact := q.Option(ids); exact {
		return []string{ids}
	}
	var out []string
	for piece := range strings.SplitSeq(ids, ",") {
		if piece = strings.TrimSpace(piece); piece != "" {
			out = append(out, piece)
		}
	}
	return out
}

// write applies one --text. In a radio the text is one of its rows, so it takes the place of the default, but not of
// what a flag selected: then it is both, which Accept refuses.
func (f *flagged) write(value string) {
	at, text, ok := f.question("--text", value, nil)
	if !ok {
		return
	}
	if f.texted[at] {
		f.complain("--text is there twice for %s; want it once", quoted(f.Ask().Questions[at].ID))
		return
	}
	f.texted[at] = true
	text = f.words("--text", text)
	q := f.Question(at)
	chosen := q.Selected()
	q.Write(text)
	switch {
	case f.selected[at]:
		q.Select(chosen...)
	case q.TakesText() && q.Radio() && text != "": // blank text too: it is refused, not the default sent instead
		q.Select()
	}
}

// question finds which question a flag's value is for, and what it says. With one question the value is the answer;
// QUESTION= in front of it is understood where the value is a list of ids, but own text is never cut.
func (f *flagged) question(flag, value string, exact func(queue.Question) bool) (at int, rest string, ok bool) {
	if len(f.Ask().Questions) == 1 && (exact == nil || exact(f.Ask().Questions[0])) {
		return 0, value, true
	}
	if at, rest, ok := f.named(value); ok {
		return at, rest, true
	}
	if len(f.Ask().Questions) == 1 {
		return 0, value, true
	}
	f.complain("%s %s does not say which question; want %s QUESTION=…, one of %s", flag, quoted(value), flag,
		f.questions())
	return 0, "", false
}

// named splits QUESTION=rest. Ids may hold “=”: the longest one that fits is meant.
func (f *flagged) named(value string) (at int, rest string, ok bool) {
	best := -1
	for i, q := range f.Ask().Questions {
		if after, fits := strings.CutPrefix(value, q.ID+"="); fits && len(q.ID) > best {
			best, at, rest, ok = len(q.ID), i, after, true
		}
	}
	return at, rest, ok
}

// annotate applies one --note. The option may stand alone where only one question has it.
func (f *flagged) annotate(value string) {
	found := map[int]string{}
	for i, q := range f.Ask().Questions {
		if id, ok := noted(q, value); ok {
			found[i] = id
		}
	}
	if len(found) != 1 {
		if at, rest, ok := f.named(value); ok {
			if id, ok := noted(f.Ask().Questions[at], rest); ok {
				f.note(at, id, rest)
				return
			}
		}
	}
	switch {
	case len(found) == 0 && !strings.Contains(value, "="):
		f.complain("--note %s has no text; want --note ID=TEXT", quoted(value))
	case len(found) == 0:
		id, _, _ := strings.Cut(value, "=")
		f.complain("--note %s belongs to no option; want %s", quoted(id), f.wantedIDs())
	case len(found) > 1:
		f.complain("--note %s fits several questions; want --note QUESTION=ID=TEXT", quoted(value))
	}
	if len(found) == 1 {
		for at, id := range found {
			f.note(at, id, value)
		}
	}
}

func (f *flagged) note(at int, id, value string) {
	if f.refused("--note "+quoted(id), f.Question(at).MayNote(), deed.Note) {
		return
	}
	f.Question(at).Note(id, f.words("--note "+quoted(id), strings.TrimPrefix(value, id+"=")))
}

// remark applies --comment.
func (f *flagged) remark(comment string) {
	if !f.refused("--comment", f.Takes(form.FieldComment), deed.Comment) {
		f.Comment(f.words("--comment", comment))
	}
}

// noted finds the option that ID=TEXT is about; the longest id that fits.
func noted(q queue.Question, value string) (id string, ok bool) {
	for _, o := range q.Options {
		if strings.HasPrefix(value, o.ID+"=") && (!ok || len(o.ID) > len(id)) {
			id, ok = o.ID, true
		}
	}
	return id, ok
}

// replyPath matches the path at which queue.Ask.Accept reports a problem.
var replyPath = regexp.MustCompile(`^replies\[(\d+)\]\.(selected|text|notes)(\[.*\])?$`)

// inFlags says a problem of the answer with the flag that caused it. Values in it are visible already.
func (f *flagged) inFlags(p queue.Problem) string {
	where := "--" + p.Path
	if m := replyPath.FindStringSubmatch(p.Path); m != nil {
		at, _ := strconv.Atoi(m[1])
		where = map[string]string{"selected": "--select", "text": "--text", "notes": "--note"}[m[2]]
		if m[2] == "notes" {
			where += " " + strings.Trim(m[3], "[]")
		}
		if len(f.Ask().Questions) > 1 && at < len(f.Ask().Questions) {
			where += " (question " + quoted(f.Ask().Questions[at].ID) + ")"
		}
	}
	p.Path = where
	return p.String()
}

// wanted says which flags answer this ask.
func (f *flagged) wanted() string {
	if len(f.Ask().Questions) > 1 {
		return "--select QUESTION=ID or --text QUESTION=TEXT for each of " + f.questions()
	}
	q := f.Ask().Questions[0]
	switch {
	case q.Mode == queue.ModeText:
		return "--text TEXT"
	case q.TakesText():
		return "--select with " + f.wantedIDs() + ", or --text TEXT"
	}
	return "--select with " + f.wantedIDs()
}

func (f *flagged) questions() string {
	var ids []string
	for _, q := range f.Ask().Questions {
		ids = append(ids, quoted(q.ID))
	}
	return strings.Join(ids, ", ")
}

// wantedIDs lists option ids, not too many of them.
func (f *flagged) wantedIDs() string {
	const most = 12
	var ids []string
	for _, q := range f.Ask().Questions {
		for _, o := range q.Options {
			ids = append(ids, quoted(o.ID))
		}
	}
	ids = slices.Compact(ids)
	if more := len(ids) - most; more > 0 {
		ids = append(ids[:most], fmt.Sprintf("%d more", more))
	}
	return strings.Join(ids, ", ")
}

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
