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

	"github.com/choicetui/choicetui/config/whole"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
	"github.com/choicetui/choicetui/queue/desk/action"
	"github.com/choicetui/choicetui/queue/form"
)

// flagForm fills in a form from flags, and collects what is wrong with the flags.
type flagForm struct {
	*form.Form
	on               queue.Session
	own              *ownWords
	selected, texted map[int]bool // by question: whether a --select or a --text was given for it
	problems         []string
}

// complain notes something that is wrong with the flags.
func (f *flagForm) complain(format string, args ...any) {
	f.problems = append(f.problems, fmt.Sprintf(format, args...))
}

// readWords returns the person's words from the place that a flag's value names. See ownWords.read.
func (f *flagForm) readWords(flag, value string) string {
	text, err := f.own.read(value)
	if err != nil {
		f.complain("%s: %s", flag, err)
	}
	return text
}

// applySelect applies one --select. The first --select of a question replaces its defaults, each further one adds
// options.
func (f *flagForm) applySelect(value string) {
	at, ids, ok := f.questionOf("--select", value, func(q queue.Question) bool {
		_, known := q.Option(value)
		return known
	})
	if !ok {
		return
	}
	q := f.Question(at)
	chosen := optionIDs(q.Question, ids)
	for _, id := range chosen {
		at := slices.IndexFunc(q.Options, func(o queue.Option) bool { return o.ID == id })
		if q.Folded(id) { // Accept refuses ids that no option has
			f.complainRefused("--select "+quoted(id), form.WhyNot{Reason: form.OptionHidden, Have: at + 1}, action.Mark)
		}
	}
	if f.selected[at] {
		chosen = append(q.Selected(), chosen...)
	}
	f.selected[at] = true
	q.Select(chosen...)
}

// defaultFlags says which flags accept the agent's default selection; empty: nothing is selected beforehand, or fewer
// options than are wanted.
func (f *flagForm) defaultFlags() string {
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
	return "; to take what the agent selected, use" + flags
}

// complainRefused notes that the form refuses a flag, in the words of the screen, and reports whether it refuses it.
// The remedy names the setting that decides, since no key helps here.
func (f *flagForm) complainRefused(flag string, why form.WhyNot, as action.Name) bool {
	if why.OK() {
		return false
	}
	remedy := ""
	switch why.Reason {
	case form.OptionHidden:
		remedy = ": it is in the setting hidden_options"
	case form.NotesOffInSettings:
		remedy = ": choicetui config set annotations_enabled on"
	}
	f.complain("%s: %s%s", flag, say.WhyNot(why, as, form.StepSend, say.Speech{Keys: action.Map{}}), remedy)
	return true
}

// optionIDs splits a text at its commas into option ids. A text that is an option's id as a whole stays in one piece.
func optionIDs(q queue.Question, ids string) []string {
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

// applyText applies one --text. If the question takes either one option or own words, the text replaces the default
// option. It does not replace a --select: both together are an error that Accept reports.
func (f *flagForm) applyText(value string) {
	at, text, ok := f.questionOf("--text", value, nil)
	if !ok {
		return
	}
	if f.texted[at] {
		f.complain("--text is given twice for %s; give it once", quoted(f.Ask().Questions[at].ID))
		return
	}
	f.texted[at] = true
	text = f.readWords("--text", text)
	q := f.Question(at)
	chosen := q.Selected()
	q.Write(text)
	switch {
	case f.selected[at]:
		q.Select(chosen...)
	case q.TakesText() && q.Radio() && text != "": // blank text too, which Accept then refuses
		q.Select()
	}
}

// questionOf finds the question that a flag's value is for, and returns the rest of the value. In a form the value
// begins with QUESTION=. With one question that prefix is optional, and it is recognised only before option ids: own
// text is never cut.
func (f *flagForm) questionOf(flag, value string, exact func(queue.Question) bool) (at int, rest string, ok bool) {
	if len(f.Ask().Questions) == 1 && (exact == nil || exact(f.Ask().Questions[0])) {
		return 0, value, true
	}
	if at, rest, ok := f.splitQuestion(value); ok {
		return at, rest, true
	}
	if len(f.Ask().Questions) == 1 {
		return 0, value, true
	}
	f.complain("%s %s does not say which question; give %s QUESTION=…, one of %s", flag, quoted(value), flag,
		f.questionIDs())
	return 0, "", false
}

// splitQuestion splits QUESTION=rest. Ids may contain “=”, so the longest id that fits is taken.
func (f *flagForm) splitQuestion(value string) (at int, rest string, ok bool) {
	best := -1
	for i, q := range f.Ask().Questions {
		if after, fits := strings.CutPrefix(value, q.ID+"="); fits && len(q.ID) > best {
			best, at, rest, ok = len(q.ID), i, after, true
		}
	}
	return at, rest, ok
}

// applyNote applies one --note. QUESTION= may be left out if only one question has the option.
func (f *flagForm) applyNote(value string) {
	found := map[int]string{}
	for i, q := range f.Ask().Questions {
		if id, ok := notedOption(q, value); ok {
			found[i] = id
		}
	}
	if len(found) != 1 { // then QUESTION= has to say which
		if at, rest, ok := f.splitQuestion(value); ok {
			if id, ok := notedOption(f.Ask().Questions[at], rest); ok {
				f.setNote(at, id, rest)
				return
			}
		}
	}
	switch {
	case len(found) == 0 && !strings.Contains(value, "="):
		f.complain("--note %s has no text; give --note ID=TEXT", quoted(value))
	case len(found) == 0:
		id, _, _ := strings.Cut(value, "=")
		f.complain("--note %s belongs to no option; use %s", quoted(id), f.wantedIDs())
	case len(found) > 1:
		f.complain("--note %s fits several questions; give --note QUESTION=ID=TEXT", quoted(value))
	}
	if len(found) == 1 {
		for at, id := range found {
			f.setNote(at, id, value)
		}
	}
}

// setNote sets the note on one option. value is the flag's value without the question.
func (f *flagForm) setNote(at int, id, value string) {
	f.GoTo(at)
	n := slices.IndexFunc(f.Here().Options, func(o queue.Option) bool { return o.ID == id }) + 1
	f.write("--note "+quoted(id), strings.TrimPrefix(value, id+"="), action.Note, n)
}

// write types the words of a flag into the field that an action opens.
func (f *flagForm) write(flag, value string, a action.Name, n int) {
	e := action.At{Form: f.Form, On: f.on}.Do(a, action.Arg{N: n})
	var why form.WhyNot
	_ = errors.As(e.WhyNot.Err, &why)
	if !f.complainRefused(flag, why, a) {
		f.Type(f.readWords(flag, value))
		f.EndTyping()
	}
}

// notedOption returns the option of ID=TEXT. Ids may contain “=”, so the longest id that fits is taken.
func notedOption(q queue.Question, value string) (id string, ok bool) {
	for _, o := range q.Options {
		if strings.HasPrefix(value, o.ID+"=") && (!ok || len(o.ID) > len(id)) {
			id, ok = o.ID, true
		}
	}
	return id, ok
}

// replyPath matches the path under which queue.Ask.Accept reports a problem of a reply.
var replyPath = regexp.MustCompile(`^replies\[(\d+)\]\.(selected|text|notes)(\[.*\])?$`)

// inFlags returns a problem of the answer as a sentence, with the flag that caused it in place of the path. Accept has
// already made hidden characters of its values visible.
func (f *flagForm) inFlags(p queue.Problem) string {
	where, question := "--"+p.Path, ""
	if m := replyPath.FindStringSubmatch(p.Path); m != nil {
		at, _ := strconv.Atoi(m[1])
		where = map[string]string{"selected": "--select", "text": "--text", "notes": "--note"}[m[2]]
		if m[2] == "notes" {
			where += " " + strings.Trim(m[3], "[]")
		}
		if len(f.Ask().Questions) > 1 && at < len(f.Ask().Questions) {
			question = "question " + quoted(f.Ask().Questions[at].ID)
			where += " (" + question + ")"
		}
	}
	if p.Want == queue.WantsEither {
		words := "no answer was given"
		if question != "" {
			words += " to " + question
		}
		return words + ": choose an option or give text"
	}
	p.Path = where
	return p.String()
}

// wantedFlags says which flags answer this ask.
func (f *flagForm) wantedFlags() string {
	if len(f.Ask().Questions) > 1 {
		return "--select QUESTION=ID or --text QUESTION=TEXT for each of " + f.questionIDs()
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

func (f *flagForm) questionIDs() string {
	var ids []string
	for _, q := range f.Ask().Questions {
		ids = append(ids, quoted(q.ID))
	}
	return strings.Join(ids, ", ")
}

// wantedIDs lists the option ids, the first twelve of them.
func (f *flagForm) wantedIDs() string {
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
	return orJoined(ids)
}

// maxWords limits how many bytes of own words are read. Every answer has a much lower limit.
const maxWords = 1 << 20

// wordsHelp is the part of a command's help about where own words may come from.
const wordsHelp = `TEXT can be - (standard input) or @FILE, which keeps it out of the process list.
@@ means a leading @.`

// ownWords reads the texts of flags whose values are the person's own words.
type ownWords struct {
	in    io.Reader
	spent bool // whether standard input was read already
}

// read returns the text of a flag's value: standard input for “-”, a file for “@FILE”, else the value itself. The last
// line break of an input is removed, because editors add it.
func (w *ownWords) read(value string) (string, error) {
	switch {
	case value == "-":
		if w.spent {
			return "", errors.New("standard input can be read only once; give the other text in a file, as @FILE")
		}
		w.spent = true
		return readWords(w.in, "standard input")
	case strings.HasPrefix(value, "@@"):
		return value[1:], nil
	case strings.HasPrefix(value, "@"):
		name := value[1:]
		f, err := os.Open(name)
		if errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("there is no file %s; if the text begins with @, write @%s",
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

// readWords reads a text of at most maxWords bytes. name names its source in errors.
func readWords(from io.Reader, name string) (string, error) {
	raw, err := io.ReadAll(io.LimitReader(from, maxWords+1))
	if err != nil {
		return "", fmt.Errorf("%s cannot be read: %w", name, err)
	}
	if len(raw) > maxWords {
		return "", fmt.Errorf("%s is larger than %d MiB", name, maxWords>>20)
	}
	return string(trimFinalNewline(whole.WithoutMark(raw))), nil
}
