// Package since31 is what the modules of client-go v0.31 and v0.32 compile alike: a feature gate for streaming lists.
package since31

import (
	"github.com/informerscope/informerscope/engine/conformance/live"
	"github.com/informerscope/informerscope/engine/conformance/live/since27"
	"k8s.io/client-go/features"
)

// Version is what the comparison needs to know of a version of client-go, by its name.
func Version(name string) live.Version {
	v := since27.Version(name)
	v.Gates = func(set map[string]bool) {
		features.ReplaceFeatureGates(live.Gates[features.Feature]{Set: set, Defaults: defaults})
	}
	return v
}

// defaults are the gates that client-go itself has on.
var defaults = features.FeatureGates()
