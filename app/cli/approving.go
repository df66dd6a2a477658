package cli

import (
	"bufio"
	"fmt"

	"github.com/choicetui/choicetui/config"
	"github.com/choicetui/choicetui/panes/say"
	"github.com/choicetui/choicetui/queue"
)

// refuseUnlessTyped refuses to decide an approval where nobody sits at a terminal: an agent that has a shell must not
// approve what it asked for itself.
func refuseUnlessTyped(sh *shell, s queue.Session) error {
	if s.Ask.Kind != queue.KindApproval || isTerminal(sh.in) {
		return nil
	}
	return &failure{say: say.ApprovalUntyped, hint: say.ApprovalInDashboard}
}

// askForYes shows what an approval asks for, and continues only after the word yes; does names the effect.
func askForYes(sh *shell, s queue.Session, does string) error {
	if s.Ask.Kind != queue.KindApproval {
		return nil
	}
	var p page
	p.line("%s", say.AskHeading(s))
	p.line("%s", say.AskedFrom(say.Who(s.Origin), s.Origin, config.Home()))
	describePrompt(&p, s.Ask)
	p.line("")
	fmt.Fprintf(&p, "%s ", say.TypesYes(does, say.Who(s.Origin)))
	if err := p.send(sh.err); err != nil {
		return err
	}
	line, _ := bufio.NewReader(sh.in).ReadString('\n') // a line that ends without Enter is no yes
	if line != "yes\n" && line != "yes\r\n" {
		return &failure{say: say.NotDecided}
	}
	return nil
}

// describeApproval prints what is to be allowed, in full.
func describeApproval(p *page, a *queue.Approval) {
	if a == nil {
		return
	}
	if words := say.MarkedLine(a); words != "" {
		p.line("! %s", words)
	}
	for _, part := range a.Parts {
		p.line("")
		part, _ = part.Shown()
		p.line("%s", say.PartLine(part))
		p.block("| ", part.Text)
	}
	if where := say.ApprovalWhereLine(a, config.Home()); where != "" {
		p.line("%s", where)
	}
}
