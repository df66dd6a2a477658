package question

import (
	"time"

	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
)

// The questions and agents of every room.
var (
	database  = roomtest.Database
	endpoints = roomtest.Endpoints
	small     = roomtest.Small
	one       = roomtest.One
	shop      = roomtest.Shop
	infra     = roomtest.Infra
	web       = roomtest.Web
)

func authRework() queue.Ask {
	q := func(id, header, text string, options ...queue.Option) queue.Question {
		return queue.Question{ID: id, Header: header, Text: text, Mode: queue.ModeHybrid, Max: 1, Annotate: true,
			Options: options}
	}
	return queue.Ask{Kind: queue.KindChoice, Title: "Auth rework", TimeoutSeconds: 7300, OnTimeout: queue.OnTimeoutNone,
		Prompt: "Old hashes are upgraded at the next login, so both live side by side for a year.",
		Questions: []queue.Question{
			q("q1", "Sessions", "Where do sessions live?", queue.Option{ID: "redis", Label: "Redis", Recommended: true},
				queue.Option{ID: "pg", Label: "PostgreSQL"}),
			q("q2", "Hashing", "Which password hash for new accounts?",
				queue.Option{ID: "argon", Label: "argon2id", Description: "64 MiB and 3 passes; 180 ms on our smallest machine",
					Recommended: true},
				queue.Option{ID: "bcrypt", Label: "bcrypt, cost 12", Description: "What we have; 250 ms, no memory hardness"},
				queue.Option{ID: "scrypt", Label: "scrypt", Description: "Between the two, few libraries keep it up to date"}),
			q("q3", "Rollout", "How fast?", queue.Option{ID: "ten", Label: "10 % on Monday"}, queue.Option{ID: "all",
				Label: "Everyone"}),
		}}
}

func dropTable() queue.Ask {
	return queue.Ask{Kind: queue.KindChoice, Title: "Drop table orders_2019?",
		Prompt:  "The table is not read since May. I ask because it cannot be undone.",
		Confirm: true, ConfirmMessage: "This cannot be undone. 4,112,080 rows, last backup 03:00.", TimeoutSeconds: 60,
		OnTimeout: queue.OnTimeoutNone,
		Questions: []queue.Question{{ID: "choice", Mode: queue.ModeSingle, Min: 1, Max: 1,
			Options: []queue.Option{{ID: "yes, drop", Label: "yes, drop"}, {ID: "no", Label: "no"}}}}}
}

const report = "## Rate limits\n\nTraffic **doubled** since Monday; see the " +
	"[dashboard](https://grafana.example/d/7) and `GET /search`. " +
	"The [old one](https://evil.example/login?next=https://grafana.example) is gone.\n\n" +
	"1. add an index\n2. limit partners\n   - [x] asked them\n   - [ ] *nightly sync* still open, waits for the " +
	"answer of the vendor\n\n" +
	"> They said: not before Friday.\n\n" +
	"| endpoint | share | note |\n|:--|--:|---|\n| POST /checkout | 40 % | card payments, the biggest part of the " +
	"load |\n| GET /search | 22 % | unindexed |\n\n" +
	"```diff\n@@ -1,2 +1,3 @@\n limits:\n-  search: 0\n+  search: 60\n```\n\n" +
	"Then run `rm -rf build/*.tmp` <!-- nothing is hidden --> and\n\n    make deploy\n"

func marked() queue.Ask {
	a := database()
	a.Title, a.Prompt = "Apply these limits?", report
	a.Questions[0].Options = []queue.Option{
		{ID: "now", Label: "Apply now",
			Description: "Runs `make deploy`, **locks nothing**; see [the plan](https://x.example/plan)", Recommended: true},
		{ID: "later", Label: "Tonight", Description: "Same, at 03:00"}, {ID: "no", Label: "Do not apply"}}
	return a
}

func five(b *bench) {
	b.ask(database(), shop())
	b.pass(time.Minute)
	b.ask(small("Deploy 2.4.1 to production?", 42), infra())
	b.ask(endpoints(), shop())
	b.ask(small("Name the design-token package", 14*60+30), web())
	b.ask(small("Which auth provider?", 2*3600+60), web())
}
