package cli

import "runtime/debug"

// version is the module's where it was installed by version, else the commit it was built from, else "devel".
func version() string {
	b, ok := debug.ReadBuildInfo()
	if !ok {
		return "devel"
	}
	if v := b.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range b.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return "devel-" + s.Value[:12]
		}
	}
	return "devel"
}
