package question

import (
	"time"

	"github.com/choicetui/choicetui/panes/roomtest"
)

// The questions and agents of every room.
var (
	database   = roomtest.Database
	endpoints  = roomtest.Endpoints
	small      = roomtest.Small
	authRework = roomtest.AuthRework
	dropTable  = roomtest.DropTable
	marked     = roomtest.Marked
	migration  = roomtest.Migration
	three      = roomtest.Three
	one        = roomtest.One
	shop       = roomtest.Shop
	infra      = roomtest.Infra
	web        = roomtest.Web
)

func five(b *bench) {
	b.ask(database(), shop())
	b.pass(time.Minute)
	b.ask(small("Deploy 2.4.1 to production?", 42), infra())
	b.ask(endpoints(), shop())
	b.ask(small("Name the design-token package", 14*60+30), web())
	b.ask(small("Which auth provider?", 2*3600+60), web())
}
