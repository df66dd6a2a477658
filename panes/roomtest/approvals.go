package roomtest

import (
	"fmt"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// Agents' own permission prompts, as the golden screens show them.

// Approval returns an agent's request for permission, with the choices that the agent offers.
func Approval(title, why string, a queue.Approval, options ...queue.Option) queue.Ask {
	return queue.Ask{Kind: queue.KindApproval, Title: title, Prompt: why, Approval: &a, TimeoutSeconds: 300,
		OnTimeout: queue.OnTimeoutNone, Confirm: len(a.Marks) > 0,
		Questions: []queue.Question{{ID: "approval", Text: queue.AllowThis, Mode: queue.ModeSingle,
			Min: 1, Max: 1, Annotate: true, Options: options}}}
}

// The choices that every agent offers.
var (
	AllowOnce = queue.Option{ID: "once", Label: "Allow once", Act: queue.ActOnce}
	allowAll  = queue.Option{ID: "session", Label: "Allow for this session: acceptEdits", Act: queue.ActSession,
		Description: "It edits files without asking until this session ends."}
	Refuse = queue.Option{ID: "refuse", Label: "Refuse", Act: queue.ActRefuse}
)

// ApproveCommand asks to run a command that destroys something.
func ApproveCommand() queue.Ask {
	return Approval("Allow Bash: rm -rf ./dist && docker build --no-cache -t registry.example.com/shop/orders:2.4.1 \\",
		"The old build is in the way: the image tag is read from it.",
		queue.Approval{Tool: "Bash", Dir: "/home/me/src/shop", Marks: []string{queue.MarkDestroys, queue.MarkNetwork},
			Parts: []queue.Part{{Kind: queue.PartCommand, Text: "rm -rf ./dist && docker build --no-cache " +
				"-t registry.example.com/shop/orders:2.4.1 \\\n    --build-arg COMMIT=$(git rev-parse HEAD) . && " +
				"docker push registry.example.com/shop/orders:2.4.1"}}},
		AllowOnce, Refuse)
}

// ApproveTest asks to run a plain command, for which a permission rule can be made.
func ApproveTest() queue.Ask {
	return Approval("Allow Bash: npm test", "The change is done.", queue.Approval{Tool: "Bash", Dir: "/home/me/src/shop",
		Parts: []queue.Part{{Kind: queue.PartCommand, Text: "npm test"}}}, AllowOnce, Refuse)
}

// ApproveDiff asks to change two files.
func ApproveDiff() queue.Ask {
	var long strings.Builder
	for i := range 30 {
		fmt.Fprintf(&long, "+INSERT INTO regions VALUES (%d, 'region %d');\n", i, i)
	}
	return Approval("Allow Edit: migrations/0042_ttl.sql", "The nightly job fails since the TTL change.",
		queue.Approval{Tool: "Edit", Dir: "/home/me/src/shop", Parts: []queue.Part{
			{Kind: queue.PartDiff, Label: "migrations/0042_ttl.sql", Text: "@@ -1,2 +1,3 @@\n-DROP INDEX orders_ttl;\n" +
				"+DROP INDEX CONCURRENTLY orders_ttl;\n+CREATE INDEX CONCURRENTLY orders_ttl2 ON orders (expires_at);\n" +
				" COMMIT;\n"},
			{Kind: queue.PartDiff, Label: "migrations/0043_regions.sql", Text: long.String()}}},
		AllowOnce, allowAll, Refuse)
}
