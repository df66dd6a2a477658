package config

// Kind says what a setting is and so how it can be shown and changed.
type Kind int

// Kinds of settings, each with the type of its field.
const (
	Flag          Kind = iota // on or off: bool
	Choice                    // one of the row's choices: string
	Seconds                   // a whole number from Least to MaxSeconds: int, or *int where it can be off
	Text                      // any text; the choices are offered: string
	HiddenOptions             // options that are left out: []HiddenOption
	SecondsByName             // an object, a number of seconds for each name: map[string]int
	KeysByName                // an object, the keys for each name: map[string]Keys
	Object                    // an object that this package does not look into: json.RawMessage
)

// MaxSeconds is the longest time a setting may name: a day, as for a question's deadline.
const MaxSeconds = 86400

// Row is one setting: all that is known about it.
type Row struct {
	Key     string // its name in the file; in an object of the file with a dot: notify.bell
	Label   string // its name for people
	Kind    Kind
	Default any      // of a new installation; nil: the field's zero value
	Help    string   // what it is
	Choices []string // of Choice and Text
	Least   int      // of Seconds
	Zero    string   // what 0 seconds mean
	Allows  string   // what a Text may be, for people who change it on a page
	Wants   string   // what it must be, for people who write the file; empty: its kind says it
	Empty   string   // how an empty Text is shown

	// TerminalOnly settings name a program, file, directory, address or key. A page that anybody on this machine could
	// open must not change them; the others only choose among values.
	TerminalOnly bool

	at func(*Settings) any // the field's address; its type is the one that Kind names
}

// Table has every setting, the ones people change most first: the order of the settings page and of `config`.
var Table = []Row{
	{Key: "transport", Label: "transport", Kind: Choice, Default: TransportAuto,
		Choices: []string{TransportAuto, TransportTerminal, TransportWeb},
		Help:    "Where a question opens if its agent does not say: here, by a command, or in the browser.",
		at:      func(s *Settings) any { return &s.Transport }},
	{Key: "timeout_seconds", Label: "timeout seconds", Kind: Seconds, Default: 300, Least: 1,
		Help: "How long the next question waits when its agent does not say.",
		at:   func(s *Settings) any { return &s.TimeoutSeconds }},
	{Key: "timeout_action", Label: "timeout action", Kind: Choice, Default: TimeoutNone,
		Choices: []string{TimeoutNone, TimeoutDefaults},
		Help:    "What the next question sends when its time is up: no answer, or its agent's defaults.",
		at:      func(s *Settings) any { return &s.TimeoutAction }},
	{Key: "hold_while_typing", Label: "hold while typing", Kind: Flag, Default: true,
		Help: "With less than 45 s left, typing moves the deadline to a minute from then.",
		at:   func(s *Settings) any { return &s.HoldWhileTyping }},
	{Key: "placeholder_visible", Label: "placeholder visible", Kind: Flag, Default: true,
		Help: "Shows the agent's example where you type your own words.",
		at:   func(s *Settings) any { return &s.PlaceholderVisible }},
	{Key: "annotations_enabled", Label: "annotations enabled", Kind: Flag, Default: true,
		Help: "Notes on options and a comment on the whole. Off: offered nowhere.",
		at:   func(s *Settings) any { return &s.AnnotationsEnabled }},
	{Key: "single_submit_mode", Label: "single submit mode", Kind: Flag,
		Help: "Choosing answers at once, where one is wanted and the agent does not say.",
		at:   func(s *Settings) any { return &s.SingleSubmitMode }},
	{Key: "hidden_options", Label: "hidden options", Kind: HiddenOptions, Wants: "a list of {client, id, label}",
		Help: "Options left out of every later ask of the same client.",
		at:   func(s *Settings) any { return &s.HiddenOptions }},
	{Key: "notify.bell", Label: "notify bell", Kind: Flag, Default: true,
		Help: "The bell rings for a new question while this pane has not the focus.",
		at:   func(s *Settings) any { return &s.Notify.Bell }},
	{Key: "notify.title", Label: "notify title", Kind: Flag, Default: true,
		Help: "The terminal's title says how many wait.",
		at:   func(s *Settings) any { return &s.Notify.Title }},
	{Key: "notify.desktop", Label: "notify desktop", Kind: Text, Default: "off", TerminalOnly: true,
		Choices: []string{"off", "auto"}, Wants: `"off", "auto" or a command`,
		Help: "A notification on the desktop:", Allows: "off, auto (by the terminal), or a command.",
		at: func(s *Settings) any { return &s.Notify.Desktop }},
	{Key: "notify.warn_seconds", Label: "notify warn seconds", Kind: Seconds, Default: 10, Zero: "not",
		Help: "This long before the deadline you are told again.",
		at:   func(s *Settings) any { return &s.Notify.WarnSeconds }},
	{Key: "chat.deliver", Label: "chat deliver", Kind: Choice, Default: DeliverAuto,
		Choices: []string{DeliverAuto, DeliverTmux, DeliverMCP, DeliverOff},
		Help:    "How chat reaches an agent: its session or pane, next_message, either, or not.",
		at:      func(s *Settings) any { return &s.Chat.Deliver }},
	{Key: "theme", Label: "theme", Kind: Choice, Default: "auto",
		Choices: []string{"auto", "dark", "light", "mono"},
		Help:    "auto: the terminal's own colours. NO_COLOR means mono.",
		at:      func(s *Settings) any { return &s.Theme }},
	{Key: "timeout_override", Label: "timeout override", Kind: Seconds, Least: 1,
		Help: "How long questions wait, whatever their agent says.",
		at:   func(s *Settings) any { return &s.TimeoutOverride }},
	{Key: "timeout_least_seconds", Label: "timeout least seconds", Kind: Seconds, Zero: "any",
		Help: "The shortest time an agent may give you.",
		at:   func(s *Settings) any { return &s.TimeoutLeastSeconds }},
	{Key: "undo_seconds", Label: "undo seconds", Kind: Seconds, Zero: "off",
		Help: "How long an answer waits before it is sent, so that you can take it back.",
		at:   func(s *Settings) any { return &s.UndoSeconds }},
	{Key: "attach_stay", Label: "attach stays open", Kind: Flag,
		Help: "choicetui attach goes on as the dashboard when its question has ended.",
		at:   func(s *Settings) any { return &s.AttachStay }},
	{Key: "soft_limits", Label: "soft limits", Kind: SecondsByName,
		Help: "Seconds a call may block before its agent must call again, by client.",
		at:   func(s *Settings) any { return &s.SoftLimits }},
	{Key: "keys", Label: "keys", Kind: KeysByName, TerminalOnly: true,
		Wants: `a key, a list of keys, or "" for none (cancel and enter need one)`,
		Help:  "Your own keys, by action; choicetui config keys lists them all.",
		at:    func(s *Settings) any { return &s.Keys }},
	{Key: "widen", Label: "widen", Kind: Object, TerminalOnly: true,
		Help: "Who else is asked, and how.",
		at:   func(s *Settings) any { return &s.Widen }},
	{Key: "queue", Label: "queue", Kind: Text, TerminalOnly: true, Empty: "the usual place",
		Help:   "Where questions are kept; counts from the next start.",
		Allows: "A directory, or nats://…", Wants: "a directory or nats://…",
		at: func(s *Settings) any { return &s.Queue }},
}
