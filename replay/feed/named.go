package feed

import (
	"strings"

	"github.com/informerscope/informerscope/engine/apiserver"
	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/trace"
)

// Named returns a function that finds the recording of a resource by its name, such as
// deployments.apps, in whichever namespace and with whichever selector it was asked
// for. It is what script.Runner's Recorded takes.
func Named(t *trace.Trace) func(resource string) (*object.Table, apiserver.Feed, bool) {
	return func(resource string) (*object.Table, apiserver.Feed, bool) {
		for _, res := range t.Resources {
			if name, _, _ := strings.Cut(res.Name(), " "); name == resource {
				return res.Table, Feed{Trace: t, Resource: res}, true
			}
		}
		return nil, nil, false
	}
}
