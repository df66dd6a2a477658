package question

import (
	"fmt"
	"strings"
	"time"

	"github.com/choicetui/choicetui/panes/roomtest"
	"github.com/choicetui/choicetui/queue"
)

// The questions and agents of every room.
var (
	database   = roomtest.Database
	endpoints  = roomtest.Endpoints
	small      = roomtest.Small
	authRework = roomtest.AuthRework
	dropTable  = roomtest.DropTable
	one        = roomtest.One
	shop       = roomtest.Shop
	infra      = roomtest.Infra
	web        = roomtest.Web
)

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

// migration is a question with a prompt of 84 more lines.
func migration() queue.Ask {
	a := database()
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
