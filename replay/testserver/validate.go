package testserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// rule says which values a field may have. Its path leads to the objects with the field, as the path of an absent does.
type rule struct {
	in, field string
	holds     func(v any) string // why it doesn't, "" if it does
}

var podRules = []rule{
	{"spec", "containers", required},
	{containers, "name", isDNSLabel}, {containers, "image", required},
	{containers, "imagePullPolicy", enum("Always", "IfNotPresent", "Never")}, {containers, "terminationMessagePolicy", enum("FallbackToLogsOnError", "File")},
	{containers + ".ports[]", "containerPort", isPort}, {containers + ".ports[]", "protocol", enum("SCTP", "TCP", "UDP")},
	{"spec", "restartPolicy", enum("Always", "OnFailure", "Never")}, {"spec", "dnsPolicy", enum("ClusterFirst", "ClusterFirstWithHostNet", "Default", "None")},
	{"spec.volumes[]", "name", isDNSLabel},
}

var serviceRules = []rule{
	{"spec", "type", enum("ClusterIP", "ExternalName", "LoadBalancer", "NodePort")}, {"spec", "sessionAffinity", enum("ClientIP", "None")},
	{"spec.ports[]", "port", isPort}, {"spec.ports[]", "protocol", enum("SCTP", "TCP", "UDP")},
}

func required(v any) string {
	if list, is := v.([]any); v == nil || v == "" || is && len(list) == 0 {
		return "Required value"
	}
	return ""
}

func enum(all ...string) func(v any) string {
	return func(v any) string {
		if s, _ := v.(string); !slices.Contains(all, s) {
			return fmt.Sprintf("Unsupported value: %q: supported values: %q", s, all)
		}
		return ""
	}
}

var dnsLabel = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`)

func isDNSLabel(v any) string {
	if why := required(v); why != "" {
		return why
	}
	if s, _ := v.(string); !dnsLabel.MatchString(s) {
		return fmt.Sprintf("Invalid value: %q: a lowercase RFC 1123 label is expected", s)
	}
	return ""
}

func isPort(v any) string {
	n, _ := v.(json.Number)
	if port, err := strconv.Atoi(n.String()); err != nil || port < 1 || port > 65535 {
		return fmt.Sprintf("Invalid value: %v: must be between 1 and 65535, inclusive", v)
	}
	return ""
}

// follows checks the rules, and that no two objects of a list have the same name.
func (k *kind) follows(o tree, rules []rule, lists ...string) (f *failure) {
	name := text(metaOf(o), "name")
	for _, r := range rules {
		eachObject(o, "", r.in, func(at string, in tree) {
			if why := r.holds(in[r.field]); why != "" && f == nil {
				f = k.invalid(name, at+"."+r.field, why)
			}
		})
	}
	for _, list := range lists {
		names := map[string]bool{}
		eachObject(o, "", list, func(at string, in tree) {
			container := text(in, "name")
			if names[container] && f == nil {
				f = k.invalid(name, at+".name", fmt.Sprintf("Duplicate value: %q", container))
			}
			names[container] = true
		})
	}
	return f
}

func (k *kind) checkPod(o, old tree) *failure {
	if f := k.follows(o, podRules, containers, "spec.volumes[]"); f != nil {
		return f
	}
	volumes := map[string]bool{}
	eachObject(o, "", "spec.volumes[]", func(_ string, v tree) { volumes[text(v, "name")] = true })
	name, f := text(metaOf(o), "name"), (*failure)(nil)
	eachObject(o, "", containers+".volumeMounts[]", func(at string, m tree) {
		if !volumes[text(m, "name")] && f == nil {
			f = k.invalid(name, at+".name", fmt.Sprintf("Not found: %q", text(m, "name")))
		}
	})
	eachObject(o, "", containers+".resources", func(at string, r tree) {
		limits, _ := r["limits"].(tree)
		requests, _ := r["requests"].(tree)
		for _, resource := range slices.Sorted(maps.Keys(requests)) {
			if limits[resource] != nil && quantity(requests[resource]) > quantity(limits[resource]) && f == nil {
				f = k.invalid(name, at+".requests", fmt.Sprintf("Invalid value: %q: must be less than or equal to %s limit of %v", requests[resource], resource, limits[resource]))
			}
		}
	})
	eachObject(o, "", "spec.volumes[].projected.sources[].serviceAccountToken", func(at string, _ tree) {
		if fieldOf(o, "spec.serviceAccountName") == "" && f == nil {
			f = k.invalid(name, at, "Forbidden: must not be specified when serviceAccountName is not set")
		}
	})
	if f != nil || old == nil {
		return f
	}
	had, _ := old["spec"].(tree)
	tolerated, _ := had["tolerations"].([]any)
	has := o["spec"].(tree)
	now, _ := has["tolerations"].([]any)
	if !bytes.Equal(fixed(had), fixed(has)) || slices.ContainsFunc(tolerated, func(t any) bool {
		return !slices.ContainsFunc(now, func(u any) bool { return equalJSON(t, u) })
	}) {
		return k.invalid(name, "spec", "Forbidden: pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations)")
	}
	return nil
}

// fixed returns what no update of a pod's spec may change.
func fixed(spec tree) []byte {
	spec = maps.Clone(spec)
	delete(spec, "activeDeadlineSeconds")
	delete(spec, "tolerations")
	for _, list := range []string{"containers", "initContainers"} {
		all, _ := spec[list].([]any)
		all = slices.Clone(all)
		for i := range all {
			c, _ := all[i].(tree)
			c = maps.Clone(c)
			delete(c, "image")
			all[i] = c
		}
		spec[list] = all
	}
	return asJSON(spec)
}

// equalJSON reports whether two values are the same JSON.
func equalJSON(a, b any) bool { return bytes.Equal(asJSON(a), asJSON(b)) }

// asJSON returns what is made of JSON as a text.
func asJSON(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // it is made of JSON
	}
	return b
}

func (k *kind) checkService(o, old tree) *failure {
	meta, spec := metaOf(o), o["spec"].(tree)
	name := text(meta, "name")
	if strings.Contains(name, ".") {
		return k.invalid(name, "metadata.name", fmt.Sprintf("Invalid value: %q: must not contain dots", name))
	}
	ports, _ := spec["ports"].([]any)
	ip, external := text(spec, "clusterIP"), spec["type"] == "ExternalName"
	_, err := netip.ParseAddr(ip)
	switch {
	case external && text(spec, "externalName") == "":
		return k.invalid(name, "spec.externalName", "Required value")
	case len(ports) == 0 && !external && ip != "None":
		return k.invalid(name, "spec.ports", "Required value")
	case !external && ip != "None" && err != nil:
		return k.invalid(name, "spec.clusterIPs[0]", fmt.Sprintf("Invalid value: %q: must be a valid IP address", ip))
	case old != nil && !external && fieldOf(old, "spec.clusterIP") != "" && fieldOf(old, "spec.clusterIP") != ip:
		return k.invalid(name, "spec.clusterIPs[0]", fmt.Sprintf("Invalid value: [%q]: may not change once set", ip))
	}
	rules := serviceRules
	if len(ports) > 1 {
		rules = append(slices.Clone(rules), rule{"spec.ports[]", "name", isDNSLabel})
	}
	return k.follows(o, rules, "spec.ports[]")
}

// quantity returns the number that a text such as 500m or 64Mi stands for.
func quantity(v any) float64 {
	s := fmt.Sprint(v)
	digits := strings.TrimRight(s, "numkKMGTPEi")
	n, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return 0
	}
	unit := s[len(digits):]
	if scale, binary := strings.CutSuffix(unit, "i"); binary {
		return n * float64(int64(1)<<(10*(strings.Index("KMGTPE", scale)+1)))
	}
	for i, name := range []string{"n", "u", "m", "", "k", "M", "G", "T", "P", "E"} {
		if name == unit {
			for ; i < 3; i++ {
				n /= 1000
			}
			for ; i > 3; i-- {
				n *= 1000
			}
		}
	}
	return n
}

// fixedFields are what no update changes, by resource. Of a StatefulSet's spec they are all but those that are named, and an
// immutable ConfigMap or Secret has more.
var fixedFields = map[string][]string{
	"daemonsets.apps": {"spec.selector"}, "deployments.apps": {"spec.selector"}, "replicasets.apps": {"spec.selector"},
	"jobs.batch": {"spec.selector", "spec.template", "spec.completionMode"}, "persistentvolumeclaims": {"spec.accessModes", "spec.selector"},
	"secrets": {"type"}, crds: {"spec"},
}

var changeable = strings.Fields("replicas ordinals template updateStrategy revisionHistoryLimit persistentVolumeClaimRetentionPolicy minReadySeconds")

// immutable refuses an update that changes what can't be.
func (k *kind) immutable(o, old tree) *failure {
	if old == nil {
		return nil
	}
	fields := fixedFields[k.qualified()]
	if kind := k.qualified(); old["immutable"] == true && (kind == "configmaps" || kind == "secrets") {
		fields = append(slices.Clone(fields), "immutable", "data", "binaryData", "stringData")
	}
	for _, field := range fields {
		had, has := fieldAt(old, field), fieldAt(o, field)
		suspended := field == "spec.template" && treeAt(old, "spec")["suspend"] == true // whose pods may still be placed
		switch {
		case equalJSON(had, has) || field == "type" && has == nil || suspended:
		case k.qualified() == crds:
			return k.notHere(text(metaOf(o), "name"), field)
		default:
			return k.invalid(text(metaOf(o), "name"), field, "Forbidden: field is immutable")
		}
	}
	if k.qualified() == "statefulsets.apps" {
		had, has := maps.Clone(treeAt(old, "spec")), maps.Clone(treeAt(o, "spec"))
		for _, name := range changeable {
			delete(had, name)
			delete(has, name)
		}
		if !equalJSON(had, has) {
			return k.invalid(text(metaOf(o), "name"), "spec", "Forbidden: updates to statefulset spec for fields other than "+strings.Join(changeable, ", ")+" are forbidden")
		}
	}
	return nil
}

// fieldAt returns what is at a path.
func fieldAt(o tree, path string) any {
	parts := strings.Split(path, ".")
	return treeAt(o, parts[:len(parts)-1]...)[parts[len(parts)-1]]
}
