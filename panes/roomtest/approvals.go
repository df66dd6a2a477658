package roomtest

import (
	"fmt"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// Agents' own permission prompts, as the golden screens show them.

// approval returns an agent's request for permission, with the choices that the agent offers.
func approval(title, why string, a queue.Approval, options ...queue.Option) queue.Ask {
	return queue.Ask{Kind: queue.KindApproval, Title: title, Prompt: why, Approval: &a, TimeoutSeconds: 300,
		OnTimeout: queue.OnTimeoutNone, Confirm: len(a.Marks) > 0,
		Questions: []queue.Question{{ID: "approval", Text: queue.AllowThis, Mode: queue.ModeSingle,
			Min: 1, Max: 1, Annotate: true, Options: options}}}
}

var (
	allowOnce = queue.Option{ID: "once", Label: "Allow once", Act: queue.ActOnce}
	allowAll  = queue.Option{ID: "session", Label: "Allow for this session: acceptEdits", Act: queue.ActSession,
		Description: "It edits files without asking until this session ends."}
	refuse = queue.Option{ID: "refuse", Label: "Refuse", Act: queue.ActRefuse}
)

// ApproveCommand asks to run a command that destroys something.
func ApproveCommand() queue.Ask {
	return approval("Allow Bash: rm -rf ./dist && docker build --no-cache -t registry.example.com/shop/orders:2.4.1 \\",
		"The old build is in the way: the image tag is read from it.",
		queue.Approval{Tool: "Bash", Dir: "/home/me/src/shop", Marks: []string{queue.MarkDestroys, queue.MarkNetwork},
			Parts: []queue.Part{{Kind: queue.PartCommand, Text: "rm -rf ./dist && docker build --no-cache " +
				"-t registry.example.com/shop/orders:2.4.1 \\\n    --build-arg COMMIT=$(git rev-parse HEAD) . && " +
				"docker push registry.example.com/shop/orders:2.4.1"}}},
		allowOnce, refuse)
}

// ApproveTest asks to run a plain command, for which a permission rule can be made.
func ApproveTest() queue.Ask {
	return approval("Allow Bash: npm test", "The change is done.", queue.Approval{Tool: "Bash", Dir: "/home/me/src/shop",
		Parts: []queue.Part{{Kind: queue.PartCommand, Text: "npm test"}}}, allowOnce, refuse)
}

// ApproveOwn returns ApproveTest from an agent that offers to make a rule of its own for the same command.
func ApproveOwn() queue.Ask {
	a := ApproveTest()
	a.Questions[0].Options = []queue.Option{allowOnce, {ID: "session-1", Label: "Allow for this session: Bash(npm test)",
		Description: "claude does not ask again for Bash(npm test) until this session ends.", Act: queue.ActSession,
		Exact: true}, refuse}
	return a
}

// ApproveDiff asks to change two files.
func ApproveDiff() queue.Ask {
	var long strings.Builder
	for i := range 30 {
		fmt.Fprintf(&long, "+INSERT INTO regions VALUES (%d, 'region %d');\n", i, i)
	}
	return approval("Allow Edit: migrations/0042_ttl.sql", "The nightly job fails since the TTL change.",
		queue.Approval{Tool: "Edit", Dir: "/home/me/src/shop", Parts: []queue.Part{
			{Kind: queue.PartDiff, Label: "migrations/0042_ttl.sql", Text: "@@ -1,2 +1,3 @@\n-DROP INDEX orders_ttl;\n" +
				"+DROP INDEX CONCURRENTLY orders_ttl;\n+CREATE INDEX CONCURRENTLY orders_ttl2 ON orders (expires_at);\n" +
				" COMMIT;\n"},
			{Kind: queue.PartDiff, Label: "migrations/0043_regions.sql", Text: long.String()}}},
		allowOnce, allowAll, refuse)
}

// ApproveAddress asks to fetch an address that has an invisible character.
func ApproveAddress() queue.Ask {
	return approval("Allow WebFetch: https://docs.examp\u200ble.com/releases/2.4?token=4f1c#flags",
		"The release notes say how the flag is called now.",
		queue.Approval{Tool: "WebFetch", Dir: "/home/me/src/shop", Marks: []string{queue.MarkNetwork},
			Parts: []queue.Part{{Kind: queue.PartAddress, Label: "docs.examp\u200ble.com",
				Text: "https://docs.examp\u200ble.com/releases/2.4?token=4f1c#flags"}}},
		allowOnce, refuse)
}

// ApprovePlan asks for the approval of a plan.
func ApprovePlan() queue.Ask {
	return approval("A plan: Rate limits", "",
		queue.Approval{Tool: "ExitPlanMode", Dir: "/home/me/src/shop", Parts: []queue.Part{{Kind: queue.PartPlan,
			Text: "# Rate limits\n\n1. Count requests by client in **Redis**, one key a minute.\n2. Refuse with `429` and " +
				"`Retry-After`.\n3. Roll out to 10 % on Monday.\n\n## What is left out\n\nThe old app polls every 5 s; " +
				"it gets a limit of its own."}}},
		queue.Option{ID: "once", Label: "Go ahead", Act: queue.ActOnce},
		queue.Option{ID: "session-1", Label: "Go ahead, and edit without asking", Act: queue.ActSession,
			Description: "It edits files without asking until this session ends."},
		queue.Option{ID: "refuse", Label: "Keep planning", Act: queue.ActRefuse})
}

// ApprovePermissions asks for three permissions, each of which may be allowed or not.
func ApprovePermissions() queue.Ask {
	a := approval("codex wants 3 more permissions", "The build fetches its modules.",
		queue.Approval{Tool: "permissions", Dir: "/home/me/src/shop",
			Marks: []string{queue.MarkOutside, queue.MarkNetwork}, Parts: []queue.Part{{Kind: queue.PartText,
				Text: "Use the network\nRead /srv/modules\nWrite /srv/cache"}}},
		queue.Option{ID: "network", Label: "Use the network"}, queue.Option{ID: "read-1", Label: "Read /srv/modules"},
		queue.Option{ID: "write-1", Label: "Write /srv/cache"},
		queue.Option{ID: "turn", Label: "Allow for this turn", Act: queue.ActOnce},
		queue.Option{ID: "session", Label: "Allow for this session", Act: queue.ActSession}, refuse)
	q := &a.Questions[0]
	q.Text, q.Mode, q.Max = "What may it have of this, and for how long?", queue.ModeMulti, 4
	return a
}
