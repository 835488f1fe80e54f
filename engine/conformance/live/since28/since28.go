// Package since28 is what the modules of client-go v0.28 to v0.30 have alike: an environment variable for streaming lists.
package since28

import (
	"os"

	"github.com/informerscope/informerscope/engine/conformance/live"
	"github.com/informerscope/informerscope/engine/conformance/live/since27"
)

// Version is what the comparison needs to know of a version of client-go, by its name.
func Version(name string) live.Version {
	v := since27.Version(name)
	v.Gates = func(set map[string]bool) {
		const streams = "ENABLE_CLIENT_GO_WATCH_LIST_ALPHA" // each new reflector reads it
		if set["WatchListClient"] {
			os.Setenv(streams, "true")
		} else {
			os.Unsetenv(streams)
		}
	}
	return v
}
