package cli

type object = map[string]any

// demoQuestions are the questions of the demo's agent: one per selection mode.
var demoQuestions = []object{
	{
		"title": "Which database?",
		"prompt": "The order service needs transactions across carts and payments. The choice decides the " +
			"migration path; three ways are open, so I ask.",
		"selection_mode": "single",
		"options": []object{
			{"id": "pg", "label": "PostgreSQL",
				"description": "Transactions, JSONB, the team knows it", "recommended": true},
			{"id": "sqlite", "label": "SQLite", "description": "One file, no server, no replicas"},
			{"id": "dynamo", "label": "DynamoDB", "description": "Scales by itself, a new bill"},
		},
	},
	{
		"title": "Which endpoints get a rate limit?",
		"prompt": "Traffic doubled since Monday and the checkout database is at 85 %. A limit of 60 requests a " +
			"minute and client buys time to add an index. Limits can break partners, so I ask which " +
			"endpoints to take first.",
		"selection_mode": "multi",
		"min_selections": 2, "max_selections": 3,
		"default_selection_ids": []string{"checkout"},
		"options": []object{
			{"id": "checkout", "label": "POST /checkout",
				"description": "Card payments; 40 % of the database load", "recommended": true},
			{"id": "search", "label": "GET /search",
				"description": "Unindexed filters, slow above 20 requests a second", "recommended": true},
			{"id": "login", "label": "POST /login",
				"description": "Brute force seen on Tuesday from two networks",
				"annotation":  "per network, not per client"},
			{"id": "orders", "label": "GET /orders", "description": "Customers poll it every 5 s from the old app"},
			{"id": "prices", "label": "GET /prices",
				"description": "Partners with contracts call it; a limit breaks their nightly sync"},
			{"id": "health", "label": "GET /health", "description": "The load balancer calls it every second"},
		},
	},
	{
		"title": "How fast should the new checkout roll out?",
		"prompt": "All tests pass and staging ran for two days. A rollback takes ten minutes, and Friday is the " +
			"busiest day. You may also describe another plan.",
		"selection_mode": "hybrid",
		"max_selections": 1,
		"options": []object{
			{"id": "ten", "label": "10 % today, the rest on Monday",
				"description": "A day of real traffic before the weekend", "recommended": true},
			{"id": "all", "label": "Everyone now", "description": "Done before lunch, no way back but the rollback"},
			{"id": "wait", "label": "Wait until Monday", "description": "Nothing can go wrong at the weekend"},
		},
		"placeholder": "another plan, in your own words",
	},
	{
		"title":          "Name the design-token package",
		"prompt":         "It is published to npm under our scope, so the name cannot change later.",
		"selection_mode": "text_input",
		"placeholder":    "@acme/…",
	},
}
