package view

import (
	"github.com/informerscope/informerscope/wasm/link"
	"github.com/informerscope/informerscope/wasm/session"
)

// addSecond adds a second machine to a busy model.
func addSecond(m *session.Model) {
	second := *m.Stage.Frame
	second.Step, second.Queue.Kind = 8300, link.RealFIFO
	first := *m.Stage.Frame
	first.Second = &second
	first.Reached = []link.Reached{{Name: link.StationServer, Listener: -1, RV: "48213"}, {Name: link.StationStore, Listener: -1, RV: "48207", Behind: 6, Time: 2e6}, {Name: "audit", Listener: 1}, {Name: link.StationWork, Listener: -1, RV: "3"}}
	second.Reached = first.Reached
	m.Stage.Frame, m.Stage.Lists, m.Second.Differ = &first, &first, 0
	setup := m.Open.Trace.Setup
	setup.Profile = "current"
	m.Second.Comparison = &link.SecondMachine{Second: link.Standing{Second: link.SecondProfile{Profile: "current"}}, Setup: &setup, Done: true, Count: 1,
		Differs: []link.Differ{{Handler: "audit", Key: "default/web", First: []link.Call{{Func: "OnUpdate", OldRV: "1", RV: "2", Step: 8214}}, More: []int{3, 0}}},
		Calls:   []link.Calls{{Handler: "audit", Counts: []int64{7, 6}, Differ: 1}}, Cached: 1, Caches: []link.Cached{{Key: "default/web", First: "3"}}}
	for _, id := range []string{"lists", "watches", "objects", "copies", "deltas", "notifications", "held", "waited"} {
		m.Second.Comparison.Costs = append(m.Second.Comparison.Costs, link.Cost{ID: id, Values: []int64{1, 2}})
	}
}

// hostile is what must stay text.
const hostile = `<img src=x onerror=alert(1)>`

// openTrace returns a trace with all that can be said of one.
func openTrace() *link.Opened {
	return &link.Opened{
		Name: "a.json", Format: "objects+audit+newer", Start: "2026-01-02T03:04:05Z", Server: "v1.36.3", Note: "the night of " + hostile, NoTimes: true, Truncated: true,
		Redacted:  []string{"secret data: 3", "env values: 12"},
		Remarks:   []link.Remark{{ID: "noDeletions"}, {ID: "pagesMissing", Detail: hostile}, {ID: "auditNameless", Count: 12345}, {ID: "newerRemark", Detail: "of pods"}},
		Problems:  []link.Failure{{Sentence: link.Sentence{ID: "fail.problem.cut"}, Line: 17, Offset: 123456, Reason: link.FaultText("unexpected end " + hostile)}},
		Informers: []link.Informer{{Name: "pods", Version: "v1", Events: 61377, Lists: 3}, {Name: "deployments.apps", Version: "v1", Events: 12, Lists: 1}},
		Profiles:  []link.Profile{{Name: "classic", Versions: "v0.22"}},
	}
}

// someCluster returns a cluster with some resources.
func someCluster() *link.Cluster {
	return &link.Cluster{Found: true, Server: "v1.36.3", Context: "kind-demo", Proxy: "informerscope serve", Resources: []link.Watchable{
		{Name: "configmaps", Kind: "ConfigMap"}, {Name: "events", Kind: "Event"}, {Name: "nodes", Kind: "Node"}, {Name: "pods", Kind: "Pod"}, {Name: "services", Kind: "Service"},
		{Name: "daemonsets.apps", Kind: "DaemonSet"}, {Name: "deployments.apps", Kind: "Deployment"}, {Name: "leases.coordination.k8s.io", Kind: "Lease"},
	}}
}
