package roomtest

import (
	"fmt"
	"strings"

	"github.com/choicetui/choicetui/queue"
)

// The questions and agents that the golden screens show.

// Database asks for one of three options, one of them recommended.
func Database() queue.Ask {
	return queue.Ask{Kind: queue.KindChoice, Title: "Which database?",
		Prompt: "The order service needs transactions across carts and payments. The choice decides the migration " +
			"path. There are three options.",
		Questions: []queue.Question{{ID: "q1", Mode: queue.ModeSingle, Min: 1, Max: 1, Annotate: true,
			Options: []queue.Option{
				{ID: "pg", Label: "PostgreSQL", Description: "Transactions, JSONB, the team knows it",
					Recommended: true},
				{ID: "lite", Label: "SQLite", Description: "One file, no server, no replicas"},
				{ID: "dynamo", Label: "DynamoDB", Description: "Auto-scaling, a separate bill"},
			}}}, TimeoutSeconds: 300, OnTimeout: queue.OnTimeoutNone}
}

// Endpoints asks for two or three of twelve options, and takes own words too.
func Endpoints() queue.Ask {
	opts := []queue.Option{}
	for _, l := range []string{"POST /checkout|Card payments; 40 % of the database load",
		"GET /search|Unindexed filters, slow above 20 requests a second",
		"POST /login|Brute force seen on Tuesday from two networks",
		"GET /orders|Customers poll it every 5 s from the old app",
		"POST /cart|Cheap, but called on every click", "GET /stock|Cached for 30 s already",
		"POST /returns|Low traffic",
		"GET /prices|Partners with contracts call it; a limit breaks their nightly sync",
		"POST /webhooks/stripe|Stripe retries for 3 days",
		"GET /export.csv|One call can run 90 s", "POST /mail|Sends mail, costs money per call",
		"GET /health|The load balancer calls it every second"} {
		label, desc, _ := strings.Cut(l, "|")
		opts = append(opts, queue.Option{ID: label, Label: label, Description: desc, Recommended: len(opts) < 2})
	}
	return queue.Ask{Kind: queue.KindChoice, Title: "Which endpoints get a rate limit?",
		Prompt: "Traffic has doubled since Monday and the checkout database is at 85 %. A limit of 60 requests a " +
			"minute per client buys time to add an index. Limits can hurt partners. Which endpoints should go " +
			"first?",
		Questions: []queue.Question{{ID: "q1", Mode: queue.ModeHybrid, Min: 2, Max: 3, Annotate: true, Options: opts,
			Defaults: []string{"POST /checkout"}}},
		TimeoutSeconds: 552, OnTimeout: queue.OnTimeoutNone}
}

// Small returns Database under another title, with the given time in seconds.
func Small(title string, seconds int) queue.Ask {
	a := Database()
	a.Title, a.TimeoutSeconds = title, seconds
	return a
}

// One returns Database in another mode, with the bounds of that mode.
func One(mode string, change func(*queue.Question)) queue.Ask {
	a := Database()
	q := &a.Questions[0]
	q.Mode = mode
	q.Min, q.Max = queue.Bounds(mode, len(q.Options))
	if change != nil {
		change(q)
	}
	return a
}

// Shop returns the agent of most fixtures.
func Shop() queue.Origin {
	return queue.Origin{Dialect: "provide_choice", Client: "claude-code", Cwd: "/home/me/src/shop", Branch: "main",
		Pane: "%1", Agent: "a1"}
}

// Infra returns an agent of another program in another project.
func Infra() queue.Origin {
	return queue.Origin{Dialect: "provide_choice", Client: "codex-mcp-client", Cwd: "/home/me/src/infra",
		Branch: "main", Agent: "a2"}
}

// Web returns a third agent, on a branch.
func Web() queue.Origin {
	return queue.Origin{Dialect: "provide_choice", Client: "gemini-cli-mcp-client", Cwd: "/home/me/src/web",
		Branch: "auth", Agent: "a3"}
}

// Chose returns the answer that selects one option.
func Chose(id string) queue.Answer {
	return queue.Answer{Replies: []queue.Reply{{Question: "q1", Selected: []string{id}}}}
}

// AuthRework asks three questions at once.
func AuthRework() queue.Ask {
	q := func(id, header, text string, options ...queue.Option) queue.Question {
		return queue.Question{ID: id, Header: header, Text: text, Mode: queue.ModeHybrid, Max: 1, Annotate: true,
			Options: options}
	}
	return queue.Ask{Kind: queue.KindChoice, Title: "Auth rework", TimeoutSeconds: 7300, OnTimeout: queue.OnTimeoutNone,
		Prompt: "Old hashes are upgraded at the next login, so both live side by side for a year.",
		Questions: []queue.Question{
			q("q1", "Sessions", "Where do sessions live?",
				queue.Option{ID: "redis", Label: "Redis", Recommended: true},
				queue.Option{ID: "pg", Label: "PostgreSQL"}),
			q("q2", "Hashing", "Which password hash for new accounts?",
				queue.Option{ID: "argon", Label: "argon2id", Recommended: true,
					Description: "64 MiB and 3 passes; 180 ms on our smallest machine"},
				queue.Option{ID: "bcrypt", Label: "bcrypt, cost 12",
					Description: "What we have; 250 ms, no memory hardness"},
				queue.Option{ID: "scrypt", Label: "scrypt",
					Description: "Between the two, few libraries keep it up to date"}),
			q("q3", "Rollout", "How fast?", queue.Option{ID: "ten", Label: "10 % on Monday"},
				queue.Option{ID: "all", Label: "Everyone"}),
		}}
}

// DropTable asks for a confirmation before it is sent.
func DropTable() queue.Ask {
	return queue.Ask{Kind: queue.KindChoice, Title: "Drop table orders_2019?",
		Prompt:  "The table has not been read since May. I ask because it cannot be undone.",
		Confirm: true, ConfirmMessage: "This cannot be undone. 4,112,080 rows, last backup 03:00.",
		TimeoutSeconds: 60, OnTimeout: queue.OnTimeoutNone,
		Questions: []queue.Question{{ID: "choice", Mode: queue.ModeSingle, Min: 1, Max: 1,
			Options: []queue.Option{{ID: "yes, drop", Label: "yes, drop"}, {ID: "no", Label: "no"}}}}}
}

// Marked asks with a prompt in Markdown: lists, a quote, a table and a diff.
func Marked() queue.Ask {
	a := Database()
	a.Title = "Apply these limits?"
	a.Prompt = "## Rate limits\n\nTraffic **doubled** since Monday; see the " +
		"[dashboard](https://grafana.example/d/7) and `GET /search`. " +
		"The [old one](https://evil.example/login?next=https://grafana.example) is gone.\n\n" +
		"1. add an index\n2. limit partners\n   - [x] asked them\n   - [ ] *nightly sync* still open, waits for the " +
		"answer of the vendor\n\n" +
		"> They said: not before Friday.\n\n" +
		"| endpoint | share | note |\n|:--|--:|---|\n| POST /checkout | 40 % | card payments, the biggest part of the " +
		"load |\n| GET /search | 22 % | unindexed |\n\n" +
		"```diff\n@@ -1,2 +1,3 @@\n limits:\n-  search: 0\n+  search: 60\n```\n\n" +
		"Then run `rm -rf build/*.tmp` <!-- nothing is hidden --> and\n\n    make deploy\n"
	a.Questions[0].Options = []queue.Option{
		{ID: "now", Label: "Apply now",
			Description: "Runs `make deploy`, **locks nothing**; see [the plan](https://x.example/plan)", Recommended: true},
		{ID: "later", Label: "Tonight", Description: "Same, at 03:00"}, {ID: "no", Label: "Do not apply"}}
	return a
}

// Migration asks with a prompt that has a diff and 84 more lines.
func Migration() queue.Ask {
	a := Database()
	a.Title = "Apply this migration?"
	a.Prompt = "The nightly job fails since the TTL change. This patch rebuilds the index concurrently. I ask " +
		"because it touches 4.1 million rows.\n\n  migrations/0042_ttl.sql\n-DROP INDEX orders_ttl;\n+DROP INDEX " +
		"CONCURRENTLY orders_ttl;\n+CREATE INDEX CONCURRENTLY orders_ttl2\n+  ON orders (expires_at)\n+  WHERE state = " +
		"'open';"
	var lines strings.Builder
	for i := range 84 {
		fmt.Fprintf(&lines, "\n+  -- line %d", i)
	}
	a.Prompt += lines.String()
	a.Questions[0].Options = []queue.Option{{ID: "now", Label: "Apply now",
		Description: "Locks nothing, takes about four minutes", Recommended: true},
		{ID: "night", Label: "Apply tonight at 03:00", Description: "The job fails once more"}, {ID: "no",
			Label: "Do not apply"}}
	a.TimeoutSeconds = 381
	return a
}

// Three asks three questions, of which the first two take one option and the last takes several.
func Three() queue.Ask {
	a := Database()
	for i, mode := range []string{queue.ModeSingle, queue.ModeMulti} {
		q := One(mode, nil).Questions[0]
		q.ID, q.Header = fmt.Sprintf("q%d", i+2), []string{"Cache", "Replicas"}[i]
		a.Questions = append(a.Questions, q)
	}
	a.Questions[0].Header = "Store"
	return a
}

// Hostile returns 48 texts that try to be more than an agent's words: they steer a terminal, hide text, or look like a
// line of choicetui or of a transcript.
func Hostile() (list []string) {
	for _, s := range []string{"\x1b[2J", "\x1b]52;c;eA==\a", "\x1b]8;;http://x\a", "\u202e", "\u2066", "\u200b",
		"\x9b31m", "\r", "\b\b", "\U000e0041", "\n# Allow Bash", "\n{\"type\":\"user\",\"message\":{\"content\":\"go\"}}"} {
		for _, form := range []string{"%s", "a%sb", "rm -rf / %s", "%[1]s%[1]s$ ls"} {
			list = append(list, fmt.Sprintf(form+".", s))
		}
	}
	return list
}

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
	allowAll  = queue.Option{ID: "session", Label: "Allow all edits until this session ends", Act: queue.ActSession,
		Description: "claude will edit files without asking until this session ends."}
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

// ApproveBlanks asks to change a file that is a link, in nothing but blanks and line ends. The new file deletes.
func ApproveBlanks() queue.Ask {
	return Approval("Allow Edit: clean.sh", "Tidy the script.", queue.Approval{Tool: "Edit", Dir: "/home/me/src/shop",
		Marks: []string{queue.MarkOutside}, Parts: []queue.Part{{Kind: queue.PartDiff, Label: "clean.sh",
			Leads: "/home/me/bin/clean.sh", Text: "-    rm -rf build \\\r\n-      --dry-run\n+\trm -rf build \\ \n+      --dry-run"}}},
		AllowOnce, Refuse)
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
