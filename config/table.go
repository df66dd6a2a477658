package config

// Kind is the type of a setting. It determines how the setting is shown and changed.
type Kind int

// The kinds of settings. The last word of each line is the type of the field.
const (
	Flag          Kind = iota // on or off: bool
	Choice                    // one of the row's choices: string
	Seconds                   // a whole number from Least to MaxSeconds: int, or *int where it can be off
	Port                      // a port of this machine, up to maxPort, where 0 means any free port: int
	Text                      // any text; the choices are offered: string
	HiddenOptions             // a list of options that are not shown: []HiddenOption
	SecondsByName             // an object, a number of seconds for each name: map[string]int
	KeysByName                // an object, the keys for each name: map[string][]string
	PathsByName               // an object, a path for each name, or null: map[string]*string
	TextByName                // an object, a text for each name: map[string]string
)

// MaxSeconds is the longest time that a setting can have: a day, like the longest time limit of a question.
const MaxSeconds = 86400

// maxPort is the highest port.
const maxPort = 65535

// The groups of the settings page, in its order: those that are shown at first, and those behind “more”. The other
// settings are in the file, in `choicetui config` and in docs/settings.md, because few people change them.
const (
	GroupFirst = "first page"
	GroupMore  = "more"
)

// Row describes one setting.
type Row struct {
	Key     string // its name in the file, with a dot for each object around it: notify.bell
	Label   string // its name for people
	Group   string // its group on the settings page; empty: it is not on the page
	Kind    Kind
	Default any               // the value in a new installation; nil: the zero value of the field
	Help    string            // its explanation
	Choices []string          // the values of a Choice, or those offered for a Text
	Least   int               // the lowest number of Seconds
	Zero    string            // the meaning of 0 seconds, or of port 0
	Behind  string            // the word behind a number of seconds: before
	Words   map[string]string // what people read for a choice, where the file has a less clear word
	Allows  string            // the valid values of a Text, for people who change it on the settings page
	Wants   string            // the valid values, for people who write the file; empty: they follow from Kind
	Empty   string            // the word that is shown for an empty Text
	Names   []string          // the names of PathsByName

	fits func(string) bool // reports whether a Text is valid; nil: every text is valid. Empty texts are always valid

	// runs reports whether a Text can be used on this machine now. Only SetTyped checks it, because a file may be read
	// where a command is not installed. nil: every text can.
	runs func(string) bool

	// refused describes a Text that is not valid, and the valid ones. If it is nil or returns nothing, the text is
	// quoted beside Wants.
	refused func(string) (wrong, want string)

	// OnPage allows the web page to change the setting, if it is a number or has choices. Settings without OnPage can
	// be changed only in the terminal: above all those that name a program, file, directory, address or key.
	OnPage bool

	at func(*Settings) any // returns the address of the field, whose type follows from Kind
}

// Table lists all settings. Those of the settings page come first, group by group.
var Table = []Row{
	{Key: "transport", Label: "transport", Group: GroupFirst, OnPage: true, Kind: Choice, Default: TransportAuto,
		Choices: []string{TransportAuto, TransportTerminal, TransportWeb},
		Help:    "Where you answer. auto: dashboard. terminal: with a command. web: browser.",
		at:      func(s *Settings) any { return &s.Transport }},
	{Key: "timeout_seconds", Label: "time limit", Group: GroupFirst, OnPage: true,
		Kind: Seconds, Default: 300, Least: 1,
		Help: "Time limit if the agent sets none.",
		at:   func(s *Settings) any { return &s.TimeoutSeconds }},
	{Key: "placeholder_visible", Label: "placeholders", Group: GroupFirst, OnPage: true,
		Kind: Flag, Default: true,
		Help: "Show the agent's example where you type your own words.",
		at:   func(s *Settings) any { return &s.PlaceholderVisible }},
	{Key: "annotations_enabled", Label: "notes and comments", Group: GroupFirst, OnPage: true,
		Kind: Flag, Default: true,
		Help: "Allow notes on options and an overall comment.",
		at:   func(s *Settings) any { return &s.AnnotationsEnabled }},
	{Key: "single_submit_mode", Label: "send with one key", Group: GroupFirst, OnPage: true, Kind: Flag,
		Help: "When only one option can be chosen, its number or space sends it at once.",
		at:   func(s *Settings) any { return &s.SingleSubmitMode }},
	{Key: "hidden_options", Label: "hidden options", Group: GroupFirst,
		Kind: HiddenOptions, Wants: "a list of {client, id, label}",
		Help: "Options you have hidden, per agent.",
		at:   func(s *Settings) any { return &s.HiddenOptions }},
	{Key: "undo_seconds", Label: "time to undo", Group: GroupFirst, OnPage: true, Kind: Seconds, Zero: "off",
		Help: "Time to take back an answer. Approvals are sent at once.",
		at:   func(s *Settings) any { return &s.UndoSeconds }},
	{Key: "notify.bell", Label: "bell", Group: GroupFirst, OnPage: true, Kind: Flag, Default: true,
		Help: "Ring the terminal's bell when a question arrives while you're not looking.",
		at:   func(s *Settings) any { return &s.Notify.Bell }},
	{Key: "notify.desktop", Label: "desktop notification", Group: GroupFirst, OnPage: true,
		Kind: Text, Default: "off",
		Choices: []string{"off", "auto"}, Wants: `"off", "auto" or a command that is installed here`,
		runs: isOffAutoOrCommand,
		Help: "Desktop notification:", Allows: "off, auto (via the terminal), or a command to run.",
		at: func(s *Settings) any { return &s.Notify.Desktop }},
	{Key: "theme", Label: "theme", Group: GroupFirst, OnPage: true, Kind: Choice, Default: "auto",
		Choices: []string{"auto", "dark", "light", "mono"},
		Help:    "auto: the terminal's own colours. mono: no colours, as with NO_COLOR.",
		at:      func(s *Settings) any { return &s.Theme }},
	{Key: "timeout_override", Label: "my own time limit", Group: GroupMore, OnPage: true, Kind: Seconds, Least: 1,
		Help: "Time limit for new questions, whatever the agent sets.",
		at:   func(s *Settings) any { return &s.TimeoutOverride }},
	{Key: "timeout_action", Label: "when time runs out", Group: GroupMore, OnPage: true,
		Kind: Choice, Default: TimeoutNone,
		Choices: []string{TimeoutNone, TimeoutDefaults},
		Words:   map[string]string{TimeoutNone: "no answer", TimeoutDefaults: "defaults"},
		Help:    "What the agent gets then: no answer, or its default options.",
		at:      func(s *Settings) any { return &s.TimeoutAction }},
	{Key: "approve_with_one_key", Label: "approve with one key", Group: GroupMore, Kind: Flag,
		Help: "y allows at once; never a plan, a red mark or what was not all on screen.",
		at:   func(s *Settings) any { return &s.ApproveWithOneKey }},
	{Key: "notify.warn_seconds", Label: "reminder", Group: GroupMore, OnPage: true,
		Kind: Seconds, Default: 10, Zero: "off", Behind: "before",
		Help: "How long before time runs out you are reminded.",
		at:   func(s *Settings) any { return &s.Notify.WarnSeconds }},
	{Key: "peek", Label: "what the agent was doing", Group: GroupMore, OnPage: true, Kind: Flag, Default: true,
		Help: "Show what the agent said and did before it asked.",
		at:   func(s *Settings) any { return &s.Peek }},
	{Key: "chat.deliver", Label: "chat", Group: GroupMore, OnPage: true,
		Kind: Choice, Default: DeliverAuto,
		Choices: []string{DeliverAuto, DeliverTmux, DeliverMCP, DeliverOff},
		Help:    "How agents get your messages. tmux: in their pane. mcp: when they next ask.",
		at:      func(s *Settings) any { return &s.Chat.Deliver }},
	{Key: "widen.backend", Label: "ask the team", Group: GroupMore, Kind: Choice, Default: WidenOff,
		Choices: []string{WidenOff, WidenHTTP, WidenSlack},
		Help:    "How your team is asked. http: through your own server. slack: in a channel.",
		at:      func(s *Settings) any { return &s.Widen.Backend }},
	{Key: "attach_stay", Label: "attach stays open", Kind: Flag,
		Help: "choicetui attach stays open as a dashboard after its question has ended.",
		at:   func(s *Settings) any { return &s.AttachStay }},
	{Key: "soft_limits", Label: "longest call per agent", Kind: SecondsByName,
		Help: "How many seconds an agent's call waits for you before the agent must call again.",
		at:   func(s *Settings) any { return &s.SoftLimits }},
	{Key: "remotes", Label: "remote hosts", Kind: TextByName,
		Wants: `the command that reaches the host, or "" for ssh`,
		Help:  "Other hosts whose questions are shown here; choicetui remote changes them.",
		at:    func(s *Settings) any { return &s.Remotes }},
	{Key: "keys", Label: "keys", Kind: KeysByName,
		Wants: `a key, a list of keys, or "" for none (cancel and enter need one)`,
		Help:  "Your own keys; the command choicetui config keys lists all actions.",
		at:    func(s *Settings) any { return &s.Keys }},
	{Key: "web.port", Label: "port of the web page", Kind: Port, Zero: "any",
		Help: "Port of the web page, from its next start.",
		at:   func(s *Settings) any { return &s.Web.Port }},
	{Key: "widen.base_url", Label: "team server", Kind: Text, Empty: "none", fits: isServer,
		refused: refuseLogin,
		Help:    "The server that asks your team.", Allows: "An address: https, or http on this machine.",
		Wants: serverWants,
		at:    func(s *Settings) any { return &s.Widen.BaseURL }},
	{Key: "widen.token_file", Label: "team token", Kind: Text, Empty: "none", fits: isFullPath,
		Help: "The file with the token for your team's server or for Slack.", Allows: "A file that only you can read.",
		Wants: "the full path of a file, or one that begins with ~/",
		at:    func(s *Settings) any { return &s.Widen.TokenFile }},
	{Key: "widen.channel", Label: "team channel", Kind: Text, Empty: "none", fits: isChannel,
		Help: "The Slack channel in which your team is asked.", Allows: "Its id.",
		Wants: "the id of a Slack channel, such as C0123456789",
		at:    func(s *Settings) any { return &s.Widen.Channel }},
	{Key: "widen.paths", Label: "team server's paths", Kind: PathsByName,
		Names: []string{WidenAudience, WidenCall, WidenDiscussion, WidenResolve, WidenDefer},
		Help:  "Paths on your team's server that differ from the usual ones.",
		Wants: "a path that begins with / and has {decision} in it, {mission} in that of audience; " +
			"null for resolve and defer means that they are not called",
		at: func(s *Settings) any { return &s.Widen.Paths }},
	{Key: "native.watch", Label: "watch agents", Kind: Choice, Default: NativeAuto,
		Choices: []string{NativeAuto, NativeOff},
		Help:    "auto: watch agents that need no hook, and show their own prompts here too. off: don't.",
		at:      func(s *Settings) any { return &s.Native.Watch }},
	{Key: "queue", Label: "queue", Kind: Text, Empty: "default location", fits: isQueuePlace,
		refused: MisplacedQueue,
		Help:    "Where questions are kept from the next start on:",
		Allows:  "a directory, or a NATS server.", Wants: queueWants,
		at: func(s *Settings) any { return &s.Queue }},
	{Key: "queue_credentials", Label: "queue login file", Kind: Text, Empty: "none", fits: isFullPath,
		Help:   "The credentials file for the queue's server.",
		Allows: "A file that only you can read.", Wants: "the full path of a file, or one that begins with ~/",
		at: func(s *Settings) any { return &s.QueueCredentials }},
	{Key: "queue_ca", Label: "queue authority file", Kind: Text, Empty: "the system's", fits: isFullPath,
		Help:   "The certificate authority of the queue's server.",
		Allows: "A PEM file.", Wants: "the full path of a file, or one that begins with ~/",
		at: func(s *Settings) any { return &s.QueueCA }},
	{Key: "queue_bucket", Label: "queue name on server", Kind: Text, Default: "choicetui", fits: isBucket,
		Help:   "Name prefix for everything stored on the NATS server.",
		Allows: "Letters, digits, - and _.", Wants: "letters, digits, - and _",
		at: func(s *Settings) any { return &s.QueueBucket }},
	{Key: "queue_replicas", Label: "queue copies", Kind: Choice, Choices: []string{"1", "3", "5"}, Default: "1",
		Help: "How many servers of a cluster keep a copy of a new queue.",
		at:   func(s *Settings) any { return &s.QueueReplicas }},
}
