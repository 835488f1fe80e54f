package cli

import (
	"runtime/debug"

	"github.com/informerscope/informerscope/engine/world"
)

// Releases is where programs are to be had that carry the page.
const Releases = "https://github.com/informerscope/informerscope/releases"

// Versions is what the version command prints.
type Versions struct {
	Version  string    `json:"version"`
	Commit   string    `json:"commit,omitempty"`
	Date     string    `json:"date,omitempty"`     // the commit's, RFC 3339
	Modified bool      `json:"modified,omitempty"` // the source differs from the commit
	Go       string    `json:"go"`
	Profiles []Profile `json:"profiles"`
}

// Profile is a profile that --profile can name.
type Profile struct {
	Name     string `json:"name"`
	ClientGo string `json:"clientGo"`
}

// Built returns what this program was built from.
func Built() Versions {
	v := Versions{Version: "devel", Go: "an unknown Go"}
	for _, p := range world.Profiles() {
		v.Profiles = append(v.Profiles, Profile{p.Name, p.Versions})
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return v
	}
	v.Go = info.GoVersion
	if released := info.Main.Version; released != "" && released != "(devel)" {
		v.Version = released
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Commit = s.Value
		case "vcs.time":
			v.Date = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		}
	}
	return v
}

// Version returns the version in one line: the module's where one was released, else
// the commit.
func Version() string {
	v := Built()
	if v.Version == "devel" && v.Commit != "" {
		return "devel " + v.Commit
	}
	return v.Version
}
