package cli

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/informerscope/informerscope/engine/world"
)

// ProfileFor returns the profile of that name, or of that version of client-go.
func ProfileFor(name string) (world.Profile, error) {
	if p, ok := world.ProfileFor(name); ok {
		return p, nil
	}
	var known []string
	for _, p := range world.Profiles() {
		known = append(known, p.Name)
	}
	first, last := world.VersionsKnown()
	return world.Profile{}, Wrong("unknown profile %q; want %s, or a release of client-go from %s to %s", name, strings.Join(known, ", "), first, last)
}

// CompleteProfiles completes the name of a profile.
func CompleteProfiles(c *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	var profiles []string
	for _, known := range world.Profiles() {
		profiles = append(profiles, cobra.CompletionWithDesc(known.Name, "client-go "+known.Versions))
	}
	return OneOf(profiles...)(c, args, begun)
}
