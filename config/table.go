package config

// Kind is the type of a setting. It determines how the setting is shown and changed.
type Kind int

// The kinds of settings. The last word of each line is the type of the field.
const (
	Flag          Kind = iota // on or off: bool
	Choice                    // one of the row's choices: string
	Seconds                   // a whole number from Least to MaxSeconds: int, or *int where it can be off
	Port                      // a port of this machine, from 0 to maxPort; 0: any: int
	Text                      // any text; the choices are offered: string
	HiddenOptions             // a list of options that are not shown: []HiddenOption
	SecondsByName             // an object, a number of seconds for each name: map[string]int
	KeysByName                // an object, the keys for each name: map[string][]string
	PathsByName               // an object, a path for each name, or null: map[string]*string
)

// MaxSeconds is the longest time that a setting can have: a day, like the longest time limit of a question.
const MaxSeconds = 86400

// maxPort is the highest port.
const maxPort = 65535

// Row describes one setting.
type Row struct {
	Key     string // its name in the file, with a dot for each object around it: notify.bell
	Label   string // its name for people
	Kind    Kind
	Default any      // the value in a new installation; nil: the zero value of the field
	Help    string   // its explanation
	Choices []string // the values of a Choice, or those offered for a Text
	Least   int      // the lowest number of Seconds
	Zero    string   // the meaning of 0 seconds, or of port 0
	Allows  string   // the valid values of a Text, for people who change it on the settings page
	Wants   string   // the valid values, for people who write the file; empty: they follow from Kind
	Empty   string   // the word that is shown for an empty Text
	Names   []string // the names of PathsByName

	fits func(string) bool // reports whether a Text is valid; nil: every text is. An empty text always is

	// refused describes a Text that is not valid, and the valid ones. If it is nil or returns nothing, the text is
	// quoted beside Wants.
	refused func(string) (wrong, want string)

	// OnPage allows the web page to change the setting, if it is a number or has choices. Settings without OnPage can
	// be changed only in the terminal: above all those that name a program, file, directory, address or key.
	OnPage bool

	at func(*Settings) any // returns the address of the field, whose type follows from Kind
}

// Table lists all settings. Those that people change most come first, on the settings page and in `config` too.
var Table = []Row{
	{Key: "transport", Label: "transport", OnPage: true, Kind: Choice, Default: TransportAuto,
		Choices: []string{TransportAuto, TransportTerminal, TransportWeb},
		Help:    "auto: in the dashboard. terminal: the agent gets a command that opens it. web: in your browser.",
		at:      func(s *Settings) any { return &s.Transport }},
	{Key: "timeout_seconds", Label: "time limit", OnPage: true, Kind: Seconds, Default: 300, Least: 1,
		Help: "Time limit of a question whose agent sets none.",
		at:   func(s *Settings) any { return &s.TimeoutSeconds }},
	{Key: "timeout_action", Label: "when time runs out", OnPage: true, Kind: Choice, Default: TimeoutNone,
		Choices: []string{TimeoutNone, TimeoutDefaults},
		Help:    "none: new questions send no answer. defaults: they send the agent's default options.",
		at:      func(s *Settings) any { return &s.TimeoutAction }},
	{Key: "hold_while_typing", Label: "more time while typing", OnPage: true, Kind: Flag, Default: true,
		Help: "When less than 45 s are left, typing sets the clock to one minute.",
		at:   func(s *Settings) any { return &s.HoldWhileTyping }},
	{Key: "placeholder_visible", Label: "show placeholders", OnPage: true, Kind: Flag, Default: true,
		Help: "Show the agent's example where you type your own words.",
		at:   func(s *Settings) any { return &s.PlaceholderVisible }},
	{Key: "annotations_enabled", Label: "notes and comments", OnPage: true, Kind: Flag, Default: true,
		Help: "Allow notes on options and an overall comment.",
		at:   func(s *Settings) any { return &s.AnnotationsEnabled }},
	{Key: "single_submit_mode", Label: "submit on select", OnPage: true, Kind: Flag,
		Help: "Where one option is to be chosen, its digit or space sends it at once.",
		at:   func(s *Settings) any { return &s.SingleSubmitMode }},
	{Key: "hidden_options", Label: "hidden options", Kind: HiddenOptions, Wants: "a list of {client, id, label}",
		Help: "Options you have hidden, per agent.",
		at:   func(s *Settings) any { return &s.HiddenOptions }},
	{Key: "notify.bell", Label: "bell", OnPage: true, Kind: Flag, Default: true,
		Help: "Ring the terminal's bell for new questions while you look elsewhere.",
		at:   func(s *Settings) any { return &s.Notify.Bell }},
	{Key: "notify.title", Label: "count in the title", OnPage: true, Kind: Flag, Default: true,
		Help: "Show in the terminal's title how many questions are waiting.",
		at:   func(s *Settings) any { return &s.Notify.Title }},
	{Key: "notify.desktop", Label: "desktop notification", OnPage: true, Kind: Text, Default: "off",
		Choices: []string{"off", "auto"}, Wants: `"off", "auto" or a command`,
		Help: "Desktop notification:", Allows: "off, auto (terminal), or a command to run.",
		at: func(s *Settings) any { return &s.Notify.Desktop }},
	{Key: "notify.warn_seconds", Label: "reminder", OnPage: true, Kind: Seconds, Default: 10, Zero: "off",
		Help: "Remind me this long before time runs out.",
		at:   func(s *Settings) any { return &s.Notify.WarnSeconds }},
	{Key: "chat.deliver", Label: "chat delivery", OnPage: true, Kind: Choice, Default: DeliverAuto,
		Choices: []string{DeliverAuto, DeliverTmux, DeliverMCP, DeliverOff},
		Help:    "How your lines reach an agent. tmux: its session or pane. mcp: when it next asks.",
		at:      func(s *Settings) any { return &s.Chat.Deliver }},
	{Key: "theme", Label: "theme", OnPage: true, Kind: Choice, Default: "auto",
		Choices: []string{"auto", "dark", "light", "mono"},
		Help:    "auto: the terminal's own colours. mono: no colours, as where NO_COLOR is set.",
		at:      func(s *Settings) any { return &s.Theme }},
	{Key: "peek", Label: "peek at the agent's pane", OnPage: true, Kind: Flag, Default: true,
		Help: "Show the last lines of the agent's tmux pane below its question.",
		at:   func(s *Settings) any { return &s.Peek }},
	{Key: "timeout_override", Label: "fixed time limit", OnPage: true, Kind: Seconds, Least: 1,
		Help: "Time limit of every new question, whatever its agent says.",
		at:   func(s *Settings) any { return &s.TimeoutOverride }},
	{Key: "timeout_least_seconds", Label: "minimum time limit", OnPage: true, Kind: Seconds, Zero: "any",
		Help: "The shortest time limit an agent may set.",
		at:   func(s *Settings) any { return &s.TimeoutLeastSeconds }},
	{Key: "undo_seconds", Label: "time to undo", OnPage: true, Kind: Seconds, Zero: "off",
		Help: "How long an answer waits before it is sent, so that you can take it back.",
		at:   func(s *Settings) any { return &s.UndoSeconds }},
	{Key: "attach_stay", Label: "attach stays open", OnPage: true, Kind: Flag,
		Help: "choicetui attach stays open as a dashboard after its question has ended.",
		at:   func(s *Settings) any { return &s.AttachStay }},
	{Key: "soft_limits", Label: "longest call per agent", Kind: SecondsByName,
		Help: "How many seconds one call of an agent waits for you before it has to call again.",
		at:   func(s *Settings) any { return &s.SoftLimits }},
	{Key: "keys", Label: "keys", Kind: KeysByName,
		Wants: `a key, a list of keys, or "" for none (cancel and enter need one)`,
		Help:  "Your own keys; the command choicetui config keys lists all actions.",
		at:    func(s *Settings) any { return &s.Keys }},
	{Key: "web.port", Label: "port of the web page", Kind: Port, Zero: "any",
		Help: "Port of the web page, from its next start.",
		at:   func(s *Settings) any { return &s.Web.Port }},
	{Key: "widen.backend", Label: "ask the team", Kind: Choice, Default: WidenOff,
		Choices: []string{WidenOff, WidenHTTP, WidenSlack},
		Help:    "Where you ask your team about a question. http: a server of yours. slack: a channel.",
		at:      func(s *Settings) any { return &s.Widen.Backend }},
	{Key: "widen.base_url", Label: "team server", Kind: Text, Empty: "none", fits: isServer,
		refused: serverWithoutLogin,
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
	{Key: "native.codex", Label: "what Codex asks", Kind: Choice, Default: NativeAuto,
		Choices: []string{NativeAuto, NativeOff},
		Help:    "auto: what Codex asks by itself stands here too. off: it stands in Codex alone.",
		at:      func(s *Settings) any { return &s.Native.Codex }},
	{Key: "native.codex_homes", Label: "more Codex homes", Kind: Text, Empty: "none", fits: areFullPaths,
		Help: "Codex homes beside the usual one.", Allows: "Directories, with a colon between them.",
		Wants: "full paths, or ones that begin with ~/, with a colon between them",
		at:    func(s *Settings) any { return &s.Native.CodexHomes }},
	{Key: "queue", Label: "queue", Kind: Text, Empty: "default location", fits: isQueuePlace,
		refused: MisplacedQueue,
		Help:    "Where questions are kept from the next start on:",
		Allows:  "a directory, or a NATS server.", Wants: queueWants,
		at: func(s *Settings) any { return &s.Queue }},
	{Key: "queue_credentials", Label: "queue login file", Kind: Text, Empty: "none", fits: isFullPath,
		Help:   "The file with which the queue's server lets you in.",
		Allows: "A file that only you can read.", Wants: "the full path of a file, or one that begins with ~/",
		at: func(s *Settings) any { return &s.QueueCredentials }},
	{Key: "queue_ca", Label: "queue authority file", Kind: Text, Empty: "the system's", fits: isFullPath,
		Help:   "The authority that the certificate of the queue's server comes from.",
		Allows: "A PEM file.", Wants: "the full path of a file, or one that begins with ~/",
		at: func(s *Settings) any { return &s.QueueCA }},
	{Key: "queue_bucket", Label: "queue name on server", Kind: Text, Default: "choicetui", fits: isBucket,
		Help:   "Begins the names of all that the queue's server keeps for it.",
		Allows: "Letters, digits, - and _.", Wants: "letters, digits, - and _",
		at: func(s *Settings) any { return &s.QueueBucket }},
	{Key: "queue_replicas", Label: "queue copies", Kind: Choice, Choices: []string{"1", "3", "5"}, Default: "1",
		Help: "On how many servers of a cluster a new queue is kept.",
		at:   func(s *Settings) any { return &s.QueueReplicas }},
}
