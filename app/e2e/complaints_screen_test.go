package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rivo/uniseg"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestComplaintsAboutTheScreen(t *testing.T) {
	answered(t,
		complaint{"5 I did not see that it waits for me", seenFromAnyPage},
		complaint{"8 a long question was clipped and could not be scrolled", aLongQuestion},
		complaint{"8 the options were clipped", manyOptionsInASmallPane},
		complaint{"8 what I typed was below the fold", typingIsInSight},
		complaint{"8 the preview of an option was cut", aLongPreview},
		complaint{"8 the question hid the conversation", theConversation},
		complaint{"11 over SSH it never came up", overSSH},
		complaint{"11 on a poor terminal it was unreadable", onAPoorTerminal},
		complaint{"13 Markdown stood there raw", markdown},
		complaint{"15 no more than four options", moreThanFourOptions},
		complaint{"15 I could not say why", notesAndComment},
		complaint{"15 typing Chinese, Japanese or Korean sent half a word", inputMethods},
	)
}

// waitsForMe is what the rule of another page says.
var waitsForMe = regexp.MustCompile(`─ 1 waiting .*(9:\d\d|10m) ─`)

func seenFromAnyPage(r *room) {
	p := r.tmux().dashboard(80, 24)
	a := r.connect("claude-code")
	for key, page := range map[string]string{"h": "─ history ", "s": "─ settings ", "?": "─ keys "} {
		p.press(key)
		p.see(page)
		call := a.ask(which())
		p.when("its rule says so", waitsForMe.MatchString)
		p.press("Escape")
		p.meet("Which database?", "⏎ Send PostgreSQL")
		p.press("Enter")
		require.Equal(r, "selected", call.answer().status())
		p.see("nothing is waiting")
	}
}

// lines are numbered lines of text.
func lines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %d of the plan\n\n", i+1)
	}
	return b.String()
}

func aLongQuestion(r *room) {
	p := r.tmux().dashboard(80, 24)
	call := r.connect("claude-code").ask(with(object{"prompt": lines(60)}))
	p.meet("line 1 of", " lines below, unread", "1 ● PostgreSQL", "2 ○ SQLite", "⏎ Send PostgreSQL · ", "lines unread")
	p.walk("PageDown", "line 60 of the plan")
	p.see("▸1 ● PostgreSQL", "2 ○ SQLite")
	p.when("all was seen", func(s string) bool { return !strings.Contains(s, "unread") })
	p.press("Enter")
	assert.Equal(r, "selected", call.answer().status())
}

// options are n of them, the first recommended.
func options(n int) []object {
	all := make([]object, n)
	for i := range all {
		all[i] = object{"id": fmt.Sprintf("o%d", i+1), "label": fmt.Sprintf("Option %d", i+1), "recommended": i == 0,
			"description": fmt.Sprintf("what follows from %d", i+1)}
	}
	return all
}

func manyOptionsInASmallPane(r *room) {
	p := r.tmux().open(40, 12, r.bin)
	p.see("nothing is waiting")
	call := r.connect("claude-code").ask(with(object{"options": options(30), "prompt": lines(20)}))
	p.meet("Which database?", "▸1 ● Option 1", " below")
	p.walk("j", "▸24● Option 24")
	p.see("▲", "▼ 30 descriptions (z)", "⏎ Send Option 24")
	p.press("z")
	p.see("z back")
	p.press("G")
	p.see("what follows from 30")
	p.press("z")
	p.meet("▸24● Option 24", "▼ 30 descriptions (z)", "⏎ Send Option 24")
	p.press("Enter")
	assert.Equal(r, []any{"o24"}, call.answer().selection()["selected_ids"])
}

func typingIsInSight(r *room) {
	p := r.tmux().open(40, 12, r.bin)
	p.see("nothing is waiting")
	call := r.connect("claude-code").ask(with(object{"selection_mode": "hybrid", "options": options(12), "prompt": lines(20)}))
	p.meet("Which database?", "space mark")
	p.opens("t", "Done")
	for i := range 12 {
		p.write(fmt.Sprintf("word%d and some more of it, ", i))
		p.see(fmt.Sprintf("word%d", i))
	}
	p.sendWords()
	assert.Contains(r, call.answer().selection()["custom_input"], "word0 and some more of it, word1")
}

func aLongPreview(r *room) {
	p := r.tmux().dashboard(80, 24)
	r.connect("claude-code").use(request{tool: "ask_user_question", args: object{"questions": []object{{
		"question": "Which layout?", "header": "Layout", "options": []object{
			{"label": "Two columns", "description": "as now", "preview": lines(40)}, {"label": "One column"}},
	}}}})
	p.meet("Which layout?", "▸1 ● Two columns", "2 ○ One column")
	p.press("z")
	p.walk("PageDown", "line 40 of the plan")
	p.press("z")
	p.see("▸1 ● Two columns", "2 ○ One column")
}

func theConversation(r *room) {
	require.NoError(r, os.WriteFile(filepath.Join(r.work, "agent.sh"), []byte("echo the conversation before\n"+paneAgent), 0o600))
	m := r.tmux()
	p := m.dashboard(80, 24)
	agent := &pane{tmux: m, id: m.do("split-window", "-d", "-P", "-F", "#{pane_id}", "-t", p.id, "-c", r.work, "--", "sh", "agent.sh")}
	p.see("Which database?", "p agent's pane")
	agent.see("the conversation before") // nothing is drawn over it
	active := func() string { return p.told("#{?pane_active,here,}") + agent.told("#{?pane_active,there,}") }
	assert.Equal(r, "here", active())
	p.press("p")
	until(r, "the agent's pane has the focus", func() bool { return active() == "there" })
	p.see("Which database?")
}

func overSSH(r *room) {
	remote := r.command()
	remote.Env = append(remote.Env, "SSH_CONNECTION=203.0.113.7 50022 198.51.100.3 22", "SSH_TTY=/dev/pts/9")
	for _, e := range remote.Env {
		require.NotRegexp(r, "^(DISPLAY|WAYLAND_DISPLAY|TMUX|BROWSER)=", e)
	}
	c := r.console(80, 24, remote)
	c.see("? keys")
	call := r.connect("claude-code").ask(which())
	c.see("⏎ Send PostgreSQL")
	time.Sleep(guarded)
	c.press("j", "\r")
	assert.Equal(r, []any{"sqlite"}, call.answer().selection()["selected_ids"])
	c.see("nothing is waiting")
}

func onAPoorTerminal(r *room) {
	for _, term := range []string{"vt100", "linux", "screen"} {
		cmd := r.command()
		cmd.Env = append(cmd.Env, "TERM="+term, "LC_ALL=C", "LANG=C", "NO_COLOR=1")
		c := r.console(80, 24, cmd)
		c.see("? keys")
		call := r.connect("claude-code").ask(with(object{"title": "On " + term + "?"}))
		c.see("On " + term + "?")
		c.see(">1 (*) PostgreSQL")
		c.see("Enter Send PostgreSQL")
		time.Sleep(guarded)
		c.press("j", "\r")
		assert.Equal(r, []any{"sqlite"}, call.answer().selection()["selected_ids"])
		c.see("nothing is waiting")
		c.quit()
		assert.Zero(r, c.ended())
		assert.NotRegexp(r, "[^\x00-\x7f]", c.bytes(), "it can show ASCII only")
		assert.NotRegexp(r, `\x1b\[([0-9;]*;)?(3[0-7]|4[0-7]|[34]8;[0-9;]*)m`, c.bytes(), "NO_COLOR")
	}
}

func markdown(r *room) {
	p := r.tmux().dashboard(80, 30)
	r.connect("claude-code").ask(with(object{"prompt": "## Limits\n\nThis is **urgent** for:\n\n- search\n- checkout, see [the board](https://board.example/7)\n\n" +
		"| route | share |\n|:--|--:|\n| /search | 40 % |\n\n```sh\nmake deploy\n```\n"}))
	p.see("## Limits", "This is **urgent** for:", "- search", "see [the board](https://board.example/7)", "make deploy")
	styled := p.do("capture-pane", "-e", "-p", "-t", p.id)
	bold, dim := `\x1b\[0;1m(\x1b\[[34]9m)*`, `\x1b\[(0;)?2m(\x1b\[[34]9m)*`
	assert.Regexp(r, "This is "+dim+`\*\*`+bold+"urgent"+dim+`\*\*`, styled)
	assert.Regexp(r, dim+"##"+bold+" Limits", styled)
	for _, mark := range []string{"```", ":--", `\]\(`} {
		assert.Regexp(r, dim+`[^\x1b]*`+mark, styled)
	}
}

func moreThanFourOptions(r *room) {
	p := r.tmux().dashboard(80, 24)
	call := r.connect("claude-code").ask(with(object{"options": options(12)}))
	p.meet("Option 1", "Option 12")
	p.walk("j", "▸11● Option 11")
	p.see("⏎ Send Option 11")
	p.press("Enter")
	assert.Equal(r, []any{"o11"}, call.answer().selection()["selected_ids"])
}

func notesAndComment(r *room) {
	p := r.tmux().dashboard(80, 24)
	call := r.connect("claude-code").ask(several())
	p.meet("Which database?")
	for i, key := range []string{"1", "2"} {
		p.press(key)
		p.opens("n", "Done")
		p.write(fmt.Sprintf("because %d", i+1))
		p.press("Enter")
		p.see(fmt.Sprintf("✎ because %d", i+1), "⏎ Send")
	}
	p.opens("a", "Done")
	p.write("both until March")
	p.press("Enter")
	p.see("⏎ Send 2: PostgreSQL, SQLite + 2 notes + comment")
	p.press("Enter")
	got := call.answer().selection()
	assert.Equal(r, []any{"pg", "sqlite"}, got["selected_ids"])
	assert.Equal(r, object{"pg": "because 1", "sqlite": "because 2"}, got["option_annotations"])
	assert.Equal(r, "both until March", got["global_annotation"])
}

func inputMethods(r *room) {
	p := r.tmux().dashboard(80, 24)
	call := r.connect("claude-code").ask(with(object{"selection_mode": "text_input", "options": nil}))
	p.meet("Type your answer")
	said := ""
	for _, word := range []string{"데이터베이스", "は二つ", "，用SQLite"} {
		p.write(word)
		said += word
		p.see(said)
		for y, row := range p.rows() { // an input method draws what is being composed where the cursor is
			if before, _, here := strings.Cut(row, said); here {
				behind := fmt.Sprint(uniseg.StringWidth(before+said), y, 1)
				until(r, "the cursor is behind the words", func() bool { return p.told("#{cursor_x} #{cursor_y} #{cursor_flag}") == behind })
				break // the button names them too
			}
		}
	}
	// the word and the Enter that commits it come at once
	p.do("send-keys", "-t", p.id, "-l", "--", "確定\r")
	p.see(said+"確定", "Was this meant for claude? ⏎ Send it")
	time.Sleep(guarded)
	call.waits()
	time.Sleep(2 * between) // it is no repeat of a held key
	p.press("Enter")
	assert.Equal(r, said+"確定", call.answer().selection()["custom_input"])
}
