package testserver

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
)

// This is what kube-apiserver gives to Pods and Services that leave something out, where
// Options.Defaults asks for it. testdata/pods.txt has what the real one answers.

// absent is a field that gets a value where it is left out. The path leads to the objects that
// have the field; "a|b" is each of both, and "[]" each element of a list.
type absent struct{ in, field, value string }

const (
	containers = "spec.containers|initContainers[]"
	probes     = containers + ".livenessProbe|readinessProbe|startupProbe"
	hooks      = containers + ".lifecycle.postStart|preStop"
)

var podDefaults = []absent{
	{"spec", "dnsPolicy", `"ClusterFirst"`}, {"spec", "restartPolicy", `"Always"`}, {"spec", "securityContext", `{}`},
	{"spec", "terminationGracePeriodSeconds", `30`}, {"spec", "schedulerName", `"default-scheduler"`}, {"spec", "enableServiceLinks", `true`},
	{"spec", "priority", `0`}, {"spec", "preemptionPolicy", `"PreemptLowerPriority"`},
	{containers, "resources", `{}`}, {containers, "terminationMessagePath", `"/dev/termination-log"`}, {containers, "terminationMessagePolicy", `"File"`},
	{containers + ".ports[]", "protocol", `"TCP"`}, {containers + ".env[].valueFrom.fieldRef", "apiVersion", `"v1"`},
	{probes, "timeoutSeconds", `1`}, {probes, "periodSeconds", `10`}, {probes, "successThreshold", `1`}, {probes, "failureThreshold", `3`},
	{probes + ".httpGet", "path", `"/"`}, {probes + ".httpGet", "scheme", `"HTTP"`}, {probes + ".grpc", "service", `""`},
	{hooks + ".httpGet", "path", `"/"`}, {hooks + ".httpGet", "scheme", `"HTTP"`},
	{"spec.volumes[].configMap|secret|downwardAPI|projected", "defaultMode", `420`}, {"spec.volumes[].hostPath", "type", `""`},
	{"spec.volumes[].projected.sources[].serviceAccountToken", "expirationSeconds", `3600`},
	{"spec.volumes[].projected.sources[].downwardAPI.items[].fieldRef", "apiVersion", `"v1"`}, {"spec.volumes[].downwardAPI.items[].fieldRef", "apiVersion", `"v1"`},
}

var serviceDefaults = []absent{
	{"spec", "type", `"ClusterIP"`}, {"spec", "sessionAffinity", `"None"`}, {"spec.ports[]", "protocol", `"TCP"`},
}

// addressedDefaults are the defaults of a Service that isn't a mere name.
var addressedDefaults = []absent{
	{"spec", "internalTrafficPolicy", `"Cluster"`}, {"spec", "ipFamilies", `["IPv4"]`}, {"spec", "ipFamilyPolicy", `"SingleStack"`},
}

// eachObject calls do with the objects at a path, and where they are. It returns the first place where something
// else stands in the way.
func eachObject(v any, at, path string, do func(at string, o tree)) (wrong string) {
	o, is := v.(tree)
	if v == nil {
		return ""
	}
	if !is {
		return at
	}
	if path == "" {
		do(at, o)
		return ""
	}
	step, rest, _ := strings.Cut(path, ".")
	names, list := strings.CutSuffix(step, "[]")
	for name := range strings.SplitSeq(names, "|") {
		next := strings.TrimPrefix(at+"."+name, ".")
		if !list {
			if wrong = eachObject(o[name], next, rest, do); wrong != "" {
				return wrong
			}
			continue
		}
		elements, is := o[name].([]any)
		if o[name] != nil && !is {
			return next
		}
		for i, element := range elements {
			if wrong = eachObject(element, fmt.Sprintf("%s[%d]", next, i), rest, do); wrong != "" {
				return wrong
			}
		}
	}
	return ""
}

// fill gives absent fields their values.
func fill(o tree, all []absent) *failure {
	for _, a := range all {
		wrong := eachObject(o, "", a.in, func(_ string, in tree) {
			if v, has := in[a.field]; !has || v == nil {
				var value any
				if err := decode([]byte(a.value), &value); err != nil {
					panic(err) // it is written above
				}
				in[a.field] = value
			}
		})
		if wrong != "" {
			return badRequest("%s is not of the type that it must have", wrong)
		}
	}
	return nil
}

// completed returns an object with its defaults, and validated. old is nil for one that is created.
func (k *kind) completed(s *Server, o, old tree) (tree, *failure) {
	group := k.qualified()
	if group == "namespaces" {
		o = begun(o, old)
	}
	if f := k.immutable(o, old); f != nil {
		return nil, f
	}
	if k.schema != nil {
		o, _, f := k.conforms(o)
		return o, f
	}
	if !s.opts.Defaults || group != "pods" && group != "services" {
		return o, nil
	}
	b := asJSON(o)
	o = tree{}
	if err := decode(b, &o); err != nil { // nothing of it is shared with another version
		panic(err)
	}
	if o["spec"] == nil {
		o["spec"] = tree{}
	}
	if group == "pods" {
		if f := completePod(o); f != nil {
			return nil, f
		}
		return o, k.checkPod(o, old)
	}
	if f := k.completeService(o, old); f != nil {
		return nil, f
	}
	return o, k.checkService(o, old)
}

func completePod(o tree) *failure {
	if f := fill(o, podDefaults); f != nil {
		return f
	}
	spec := o["spec"].(tree)
	account := text(spec, "serviceAccountName")
	if account == "" {
		account = text(spec, "serviceAccount")
	}
	if account != "" {
		spec["serviceAccount"], spec["serviceAccountName"] = account, account
	}
	eachObject(o, "", containers, func(_ string, c tree) {
		if c["imagePullPolicy"] == nil {
			c["imagePullPolicy"] = "IfNotPresent"
			image := text(c, "image")
			if last := image[strings.LastIndexByte(image, '/')+1:]; strings.HasSuffix(last, ":latest") || !strings.ContainsAny(last, ":@") {
				c["imagePullPolicy"] = "Always"
			}
		}
		resources, _ := c["resources"].(tree)
		limits, _ := resources["limits"].(tree)
		requests, _ := resources["requests"].(tree)
		for name, v := range limits {
			if requests == nil {
				requests = tree{}
				resources["requests"] = requests
			}
			if requests[name] == nil {
				requests[name] = v
			}
		}
	})
	eachObject(o, "", "spec.volumes[]", func(_ string, v tree) {
		if len(v) == 1 && v["name"] != nil {
			v["emptyDir"] = tree{}
		}
	})
	tolerations, _ := spec["tolerations"].([]any)
	for _, key := range []string{"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"} {
		if !slices.ContainsFunc(tolerations, func(v any) bool {
			t, _ := v.(tree)
			return (t["key"] == key || t["key"] == nil) && (t["effect"] == "NoExecute" || t["effect"] == nil)
		}) {
			tolerations = append(tolerations, tree{"key": key, "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": json.Number("300")})
		}
	}
	spec["tolerations"] = tolerations
	status, _ := o["status"].(tree)
	if ip := text(status, "podIP"); ip != "" && status["podIPs"] == nil {
		status["podIPs"] = []any{tree{"ip": ip}}
	}
	if status != nil && status["qosClass"] == nil {
		status["qosClass"] = qosClass(o)
	}
	return nil
}

// qosClass returns the class of a pod by the requests and the limits of processor and memory.
func qosClass(o tree) string {
	any, all := false, true
	eachObject(o, "", containers+".resources", func(_ string, r tree) {
		limits, _ := r["limits"].(tree)
		requests, _ := r["requests"].(tree)
		for _, name := range []string{"cpu", "memory"} {
			any = any || limits[name] != nil || requests[name] != nil
			all = all && limits[name] != nil && quantity(limits[name]) == quantity(requests[name])
		}
	})
	switch {
	case any && all:
		return "Guaranteed"
	case any:
		return "Burstable"
	}
	return "BestEffort"
}

func (k *kind) completeService(o, old tree) *failure {
	if f := fill(o, serviceDefaults); f != nil {
		return f
	}
	spec := o["spec"].(tree)
	status, _ := o["status"].(tree)
	if status == nil {
		status = tree{}
		o["status"] = status
	}
	if status["loadBalancer"] == nil {
		status["loadBalancer"] = tree{}
	}
	if spec["sessionAffinity"] == "ClientIP" && spec["sessionAffinityConfig"] == nil {
		spec["sessionAffinityConfig"] = tree{"clientIP": tree{"timeoutSeconds": json.Number("10800")}}
	}
	eachObject(o, "", "spec.ports[]", func(_ string, p tree) {
		if p["targetPort"] == nil {
			p["targetPort"] = p["port"]
		}
	})
	if spec["type"] == "ExternalName" {
		return nil
	}
	if f := fill(o, addressedDefaults); f != nil {
		return f
	}
	before, _ := old["spec"].(tree)
	if text(spec, "clusterIP") == "" {
		if before["clusterIP"] != nil {
			spec["clusterIP"] = before["clusterIP"]
		} else {
			spec["clusterIP"] = k.unused("spec", "clusterIP", func(n int) string {
				return netip.AddrFrom4([4]byte{10, 96, byte(n >> 8), byte(n)}).String()
			})
		}
	}
	if spec["clusterIPs"] == nil {
		spec["clusterIPs"] = []any{spec["clusterIP"]}
	}
	if spec["type"] != "NodePort" && spec["type"] != "LoadBalancer" {
		return nil
	}
	outside := []absent{{"spec", "externalTrafficPolicy", `"Cluster"`}}
	if spec["type"] == "LoadBalancer" {
		outside = append(outside, absent{"spec", "allocateLoadBalancerNodePorts", `true`})
	}
	if f := fill(o, outside); f != nil {
		return f
	}
	ports, _ := before["ports"].([]any)
	i, last := 0, 30000
	eachObject(o, "", "spec.ports[]", func(_ string, p tree) {
		if p["nodePort"] == nil && i < len(ports) {
			p["nodePort"] = ports[i].(tree)["nodePort"]
		}
		if p["nodePort"] == nil {
			port := k.unused("spec.ports[]", "nodePort", func(n int) string { return strconv.Itoa(last + n) })
			p["nodePort"] = json.Number(port)
			last, _ = strconv.Atoi(port)
		}
		i++
	})
	return nil
}

// unused returns the first value that the field at the path has in no object.
func (k *kind) unused(in, field string, value func(n int) string) string {
	used := map[string]bool{}
	for _, it := range k.items {
		eachObject(it.body, "", in, func(_ string, o tree) { used[fieldOf(o, field)] = true })
	}
	n := 1
	for used[value(n)] {
		n++
	}
	return value(n)
}
