package cli

import (
	"slices"

	"github.com/spf13/cobra"

	"github.com/choicetui/choicetui/app/setup"
)

// hookChoice holds the flags for the hooks that are installed only on request.
type hookChoice struct {
	gate   string // empty: not chosen; own, all, off
	native string // empty: not chosen; on, off
}

// What --gate may be.
const (
	gateOwn = "own"
	gateAll = "all"
	gateOff = "off"
)

// gates maps the values of --gate to their meaning.
var gates = map[string]setup.Gate{gateOwn: setup.GateOwn, gateAll: setup.GateAll, gateOff: setup.GateOut}

// What --native may be.
const (
	nativeOn  = "on"
	nativeOff = "off"
)

// nativeChoices maps the values of --native to their meaning.
var nativeChoices = map[string]setup.Choice{nativeOn: setup.PutsIn, nativeOff: setup.TakesOut}

// addTo adds the flags. Their values may be left out.
func (r *hookChoice) addTo(cmd *cobra.Command) {
	cmd.Flags().StringVar(&r.gate, "gate", "", "prompts wait while questions wait: `own` ones, all, or off")
	cmd.Flags().Lookup("gate").NoOptDefVal = gateOwn
	cmd.Flags().StringVar(&r.native, "native", "",
		"hooks bring here what agents ask, where they can do so only in part: `on` or off")
	cmd.Flags().Lookup("native").NoOptDefVal = nativeOn
}

// chosen checks what was chosen about hooks.
func (r *hookChoice) chosen(remove bool) error {
	_, isGate := gates[r.gate]
	_, isNative := nativeChoices[r.native]
	switch {
	case r.gate != "" && !isGate:
		return &failure{say: "--gate is " + quoted(r.gate) + ", and can be own or all, or off to take it out",
			hint: "choicetui setup --help"}
	case r.native != "" && !isNative:
		return &failure{say: "--native is " + quoted(r.native) + ", and can be on, or off to take it out",
			hint: "choicetui setup --help"}
	case r.gate != "" && remove:
		return &failure{say: "--remove takes the gate out with the rest", hint: "leave out --gate"}
	case r.native != "" && remove:
		return &failure{say: "--remove takes these hooks out with the rest", hint: "leave out --native"}
	case r.gate != "" && r.native != "" && (r.gate == gateOff || r.native == nativeOff):
		return &failure{say: "off takes out one thing at a time",
			hint: "run it once with --gate, and once with --native"}
	}
	return nil
}

// valued takes the value of a flag, which may be left out, from among the agents' names behind it.
func valued[C any](flag *string, usual string, values map[string]C, names []string) (rest []string) {
	at := slices.IndexFunc(names, func(name string) bool { _, is := values[name]; return is })
	if *flag != usual || at < 0 {
		return names
	}
	*flag = names[at]
	return slices.Delete(slices.Clone(names), at, at+1)
}

// takesOut reports whether hooks are taken out, and nothing else is done.
func (r *hookChoice) takesOut() bool { return r.gate == gateOff || r.native == nativeOff }

// withoutHook says how an agent is whose hook is to be taken out and is not there.
func (r *hookChoice) withoutHook() string {
	if r.gate == gateOff {
		return "its prompts do not wait"
	}
	return "no hook brings here what it asks by itself"
}
