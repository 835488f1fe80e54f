package converttest

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/trace"
)

// Columns and Row are parts of a Table.
const (
	Columns = `[{"name":"Name"},{"name":"Ready"},{"name":"Ready"}]`
	Row     = `{"cells":["a","0/1",3,"more"],"object":{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":"a","namespace":"x","uid":"u","resourceVersion":"5"}}}`
)

// Played returns all that an informer gets to see of a trace.
func Played(t *trace.Trace) string {
	var b bytes.Buffer
	for _, r := range t.Resources {
		b.WriteString(r.Name() + r.Kind + "\n")
		for _, x := range r.Records {
			if x.Obj != 0 {
				m := r.Table.Meta(x.Obj)
				b.WriteString(r.Table.KeyText(m.Key) + " " + r.Table.Text(m.UID) + " ")
			}
			b.WriteString(x.Kind.String() + " " + x.Type.String() + " " + r.Table.RVText(x.RV) + " " + x.Failure.String() + " " + r.Text(x) + "\n")
		}
	}
	return b.String()
}

// Pod returns a pod of the namespace x.
func Pod(name, uid, rv string) string {
	return `{"kind":"Pod","apiVersion":"v1","metadata":{"name":"` + name + `","namespace":"x","uid":"` + uid + `","resourceVersion":"` + rv + `"}}`
}

// PodList returns a list of pods.
func PodList(rv string, items ...string) string {
	return `{"kind":"PodList","apiVersion":"v1","metadata":{"resourceVersion":"` + rv + `"},"items":[` + strings.Join(items, ",") + `]}`
}

// Events returns the watch events of a trace's first resource.
func Events(t *trace.Trace) string {
	var all []string
	r := t.Resources[0]
	for _, x := range r.Records {
		switch x.Kind {
		case trace.ListItem:
			all = append(all, "listed "+Describe(r, x.Obj))
		case trace.WatchEvent:
			all = append(all, x.Type.String()+" "+Describe(r, x.Obj))
		}
	}
	return strings.Join(all, ", ")
}

// Describe returns the key, the UID and the resourceVersion of an object.
func Describe(r *trace.Resource, o object.Ref) string {
	m := r.Table.Meta(o)
	return r.Table.KeyText(m.Key) + "/" + r.Table.Text(m.UID) + "@" + r.Table.RVText(m.RV)
}

// Remarked returns the count of a remark, 0 where the trace doesn't have it.
func Remarked(t *trace.Trace, id string) int64 {
	for _, r := range t.Remarks {
		if r.ID == id {
			return max(r.Count, 1)
		}
	}
	return 0
}

// KubectlList returns a list as kubectl get -o json prints it.
func KubectlList(items ...string) string {
	return `{"apiVersion":"v1","items":[` + strings.Join(items, ",") + `],"kind":"List","metadata":{"resourceVersion":""}}`
}

// Versions returns a resource's events as watchers get them, one a line.
func Versions(t *trace.Trace, resource string) []string {
	var all []string
	for _, r := range t.Resources {
		for _, x := range r.Records {
			if r.Name() == resource && x.Kind == trace.WatchEvent {
				all = append(all, x.Type.String()+" "+Describe(r, x.Obj))
			}
		}
	}
	return all
}

// AuditLine returns a line of the log at level RequestResponse.
func AuditLine(verb, resource, name string, second float64, code int, more string) string {
	return fmt.Sprintf(`{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"RequestResponse","auditID":"%s-%s","stage":"ResponseComplete","requestURI":"/api/v1/namespaces/x/%s/%s","verb":"%s","objectRef":{"resource":"%s","namespace":"x","name":"%s","apiVersion":"v1"},"responseStatus":{"code":%d}%s,"stageTimestamp":"2026-11-20T20:00:%09.6fZ"}`,
		verb, name, resource, name, verb, resource, name, code, more, second) + "\n"
}

// Answer returns the field of an audit event that has the answer.
func Answer(object string) string { return `,"responseObject":` + object }

const yamlPod = "apiVersion: v1\nkind: Pod\nmetadata:\n  name: NAME\n  namespace: x\n  resourceVersion: \"RV\"\n  uid: NAME\n"

// PodYAML returns a pod of the namespace x.
func PodYAML(name, rv, indent string) string {
	s := strings.NewReplacer("NAME", name, "RV", rv).Replace(yamlPod)
	return indent + strings.TrimSuffix(strings.ReplaceAll(s, "\n", "\n"+indent), indent)
}

// ItemYAML returns a pod as an item of a list.
func ItemYAML(name, rv, indent string) string {
	return indent + "- " + strings.TrimPrefix(PodYAML(name, rv, indent+"  "), indent+"  ")
}

// AddedEvent returns a watch event.
func AddedEvent(p string) string { return `{"type":"ADDED","object":` + p + "}\n" }

// TableOf returns a Table.
func TableOf(rv, columns string, rows ...string) string {
	return `{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"` + rv + `"},"columnDefinitions":` + columns + `,"rows":[` + strings.Join(rows, ",") + `]}`
}

// OwnTrace returns a trace of informerscope.
func OwnTrace(start string, lines ...string) string {
	return `{"informerscope":"trace","version":1,"start":"` + start + `"}` + "\n" + strings.Join(lines, "\n") + "\n"
}

// SimulatorLine returns a record of kube-scheduler-simulator.
func SimulatorLine(second, event, object string) string {
	return `{"time":"2026-11-20T20:00:` + second + `Z","event":"` + event + `","resource":` + object + "}\n"
}
