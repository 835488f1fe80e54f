package objects

import (
	"strings"

	"github.com/informerscope/informerscope/replay/convert/internal/api"
	"github.com/informerscope/informerscope/replay/convert/remarks"
	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/replay/trace"
)

// builtIn is a kind of Kubernetes' own, with what its objects look like.
type builtIn struct {
	apiVersion, kind string
	// shapes are marks. One is enough. Each is paths that must be there, apart by spaces; after ! one that
	// must not, and after = the value. A mark that begins with ? is weak: other kinds may have it, too.
	shapes []string
}

// builtIns are looked through in this order.
var builtIns = []builtIn{
	{"v1", "Status", []string{"status=Failure code"}},
	{"v1", "Event", []string{"involvedObject"}},
	{"events.k8s.io/v1", "Event", []string{"regarding"}},
	{"v1", "Endpoints", []string{"subsets"}},
	{"discovery.k8s.io/v1", "EndpointSlice", []string{"addressType"}},
	{"rbac.authorization.k8s.io/v1", "RoleBinding", []string{"roleRef metadata.namespace"}},
	{"rbac.authorization.k8s.io/v1", "ClusterRoleBinding", []string{"roleRef"}},
	{"apiextensions.k8s.io/v1", "CustomResourceDefinition", []string{"spec.names spec.group"}},
	{"apiregistration.k8s.io/v1", "APIService", []string{"spec.groupPriorityMinimum"}},
	{"admissionregistration.k8s.io/v1", "MutatingWebhookConfiguration", []string{"webhooks.0.reinvocationPolicy"}},
	{"admissionregistration.k8s.io/v1", "ValidatingWebhookConfiguration", []string{"webhooks.0.clientConfig"}},
	{"coordination.k8s.io/v1", "Lease", []string{"spec.holderIdentity", "spec.leaseDurationSeconds"}},
	{"v1", "Node", []string{"status.nodeInfo", "spec.podCIDR", "status.nodeInfo.kubeletVersion", "spec.providerID !spec.template"}},
	{"v1", "PersistentVolume", []string{"spec.persistentVolumeReclaimPolicy", "spec.capacity.storage spec.accessModes"}},
	{"v1", "PersistentVolumeClaim", []string{"spec.accessModes metadata.namespace", "?status.phase=Bound metadata.namespace"}},
	{"storage.k8s.io/v1", "StorageClass", []string{"provisioner"}},
	{"storage.k8s.io/v1", "VolumeAttachment", []string{"spec.attacher spec.nodeName"}},
	{"storage.k8s.io/v1", "CSINode", []string{"spec.drivers"}},
	{"storage.k8s.io/v1", "CSIDriver", []string{"spec.attachRequired", "spec.podInfoOnMount"}},
	{"scheduling.k8s.io/v1", "PriorityClass", []string{"value preemptionPolicy", "value globalDefault"}},
	{"autoscaling/v2", "HorizontalPodAutoscaler", []string{"spec.scaleTargetRef spec.maxReplicas"}},
	{"policy/v1", "PodDisruptionBudget", []string{"spec.minAvailable spec.selector", "spec.maxUnavailable spec.selector", "status.disruptionsAllowed"}},
	{"networking.k8s.io/v1", "NetworkPolicy", []string{"spec.podSelector spec.policyTypes", "spec.podSelector !spec.template"}},
	{"networking.k8s.io/v1", "IngressClass", []string{"spec.controller metadata.name !spec.template !metadata.namespace"}},
	{"networking.k8s.io/v1", "Ingress", []string{"spec.ingressClassName", "spec.rules.0.http.paths", "spec.defaultBackend.service"}},
	{"batch/v1", "CronJob", []string{"spec.jobTemplate"}},
	{"batch/v1", "Job", []string{"spec.completionMode", "spec.backoffLimit spec.template", "status.completionTime spec.template", "spec.completions spec.template"}},
	{"apps/v1", "StatefulSet", []string{"spec.podManagementPolicy spec.template", "spec.serviceName spec.template"}},
	{"apps/v1", "DaemonSet", []string{"status.desiredNumberScheduled", "spec.updateStrategy spec.template !spec.replicas"}},
	{"apps/v1", "Deployment", []string{"spec.strategy spec.template", "spec.progressDeadlineSeconds spec.template"}},
	{"apps/v1", "ReplicaSet", []string{"spec.template spec.selector.matchLabels spec.replicas", "status.fullyLabeledReplicas spec.selector.matchLabels"}},
	{"v1", "ReplicationController", []string{"spec.template spec.selector spec.replicas !spec.selector.matchLabels", "status.fullyLabeledReplicas"}},
	{"apps/v1", "ControllerRevision", []string{"revision data"}},
	{"v1", "ResourceQuota", []string{"spec.hard", "status.hard"}},
	{"v1", "LimitRange", []string{"spec.limits.0.type"}},
	{"v1", "Service", []string{"spec.clusterIP", "spec.clusterIPs", "spec.sessionAffinity spec.ports", "spec.externalName", "?spec.ports.0.port spec.selector"}},
	{"flowcontrol.apiserver.k8s.io/v1", "FlowSchema", []string{"spec.priorityLevelConfiguration"}},
	{"flowcontrol.apiserver.k8s.io/v1", "PriorityLevelConfiguration", []string{"spec.limited.nominalConcurrencyShares", "spec.type spec.exempt"}},
	{"certificates.k8s.io/v1", "CertificateSigningRequest", []string{"spec.signerName spec.request"}},
	{"node.k8s.io/v1", "RuntimeClass", []string{"handler !spec"}},
	{"v1", "Pod", []string{"spec.containers", "status.podIP", "status.qosClass", "status.containerStatuses", "spec.nodeName spec.serviceAccountName",
		"?status.phase=Pending", "?status.phase=Running", "?status.phase=Succeeded", "?status.phase=Failed"}},
	{"v1", "Namespace", []string{"spec.finalizers !metadata.namespace", "?status.phase=Active !metadata.namespace"}},
	{"v1", "ServiceAccount", []string{"automountServiceAccountToken", "imagePullSecrets", "?secrets.0.name"}},
	{"v1", "Secret", []string{"data type", "stringData", "?type metadata.namespace"}},
	{"v1", "ConfigMap", []string{"?data", "?binaryData"}},
	{"rbac.authorization.k8s.io/v1", "Role", []string{"rules.0.verbs metadata.namespace"}},
	{"rbac.authorization.k8s.io/v1", "ClusterRole", []string{"rules.0.verbs", "aggregationRule"}},
}

// kindly is what is known of the kinds in a Conversion's inputs.
type kindly struct {
	input      string // the input
	apiVersion string // of the last object of that input whose kind is known
	kind       string
}

// kindOf returns the kind of an object that doesn't say it, "" where it can't be known. It is what the user says, what
// was applied, what the object looks like, what the file or its folder is called, or the kind of the others.
func (c *Reader) kindOf(raw []byte) (apiVersion, kind string) {
	if c.kinds.input != c.From.Name {
		c.kinds = kindly{input: c.From.Name}
	}
	version := managedBy(raw)
	named := func(x builtIn) bool {
		apiVersion, kind = x.apiVersion, x.kind
		return kind != ""
	}
	how := ""
	switch {
	case named(kindNamed(c.From.Kind, version)):
	case named(appliedKind(raw)):
		how = remarks.KindFromObject
	case named(shapedKind(raw, version, false)):
		how = remarks.KindFromShape
	case named(namedKind(c.From.Name, version, false)):
		how = remarks.KindFromName
	case named(shapedKind(raw, version, true)):
		how = remarks.KindFromShape
	case named(namedKind(c.From.Name, version, true)):
		how = remarks.KindFromName
	case named(builtIn{apiVersion: c.kinds.apiVersion, kind: c.kinds.kind}):
		how = remarks.KindInferred
	default:
		return "", ""
	}
	c.kinds.apiVersion, c.kinds.kind = apiVersion, kind
	if how != "" {
		c.Remark(how, 0, kind)
	}
	return apiVersion, kind
}

// noteKind takes note of an object that says its kind.
func (c *Reader) noteKind(apiVersion, kind string) {
	if c.kinds.kind != kind || c.kinds.input != c.From.Name {
		c.kinds = kindly{input: c.From.Name, apiVersion: strings.Clone(apiVersion), kind: strings.Clone(kind)}
	}
}

// kindNamed returns the kind that a user names as Pod, pods, Deployment.apps, or apps/v1/Deployment.
func kindNamed(said, version string) builtIn {
	if i := strings.LastIndexByte(said, '/'); i > 0 {
		return builtIn{apiVersion: said[:i], kind: said[i+1:]}
	}
	kind, group, _ := strings.Cut(said, ".")
	for _, x := range builtIns {
		if namesKind(strings.ToLower(kind), x.kind) && (group == "" || strings.HasPrefix(x.apiVersion, group+"/")) {
			return x
		}
	}
	switch {
	case kind == "":
		return builtIn{}
	case version != "":
		return builtIn{apiVersion: version, kind: kind}
	case group != "":
		return builtIn{apiVersion: group + "/v1", kind: kind}
	}
	return builtIn{apiVersion: "v1", kind: kind}
}

// namesKind reports whether s is a kind or its resource, in small letters.
func namesKind(s, kind string) bool { return s == strings.ToLower(kind) || s == trace.Plural(kind) }

// appliedKind returns the kind in the annotation that kubectl apply has made.
func appliedKind(raw []byte) builtIn {
	applied := api.FirstField(fieldAt(raw, "metadata.annotations"), "kubectl.kubernetes.io/last-applied-configuration")
	return builtIn{apiVersion: api.FirstField([]byte(applied), "apiVersion"), kind: api.FirstField([]byte(applied), "kind")}
}

// managedBy returns the apiVersion that the object's managedFields speak of, "" where there are none or several.
func managedBy(raw []byte) (version string) {
	several := false
	jsonscan.Elements(fieldAt(raw, "metadata.managedFields"), func(_, from, to int) bool {
		v := api.FirstField(fieldAt(raw, "metadata.managedFields")[from:to], "apiVersion")
		several = several || version != "" && v != version
		version = v
		return true
	})
	if several {
		return ""
	}
	return version
}

// shapedKind returns the kind that an object looks like.
func shapedKind(raw []byte, version string, weak bool) builtIn {
	for _, x := range builtIns {
		if group(version) != group(x.apiVersion) && version != "" {
			continue
		}
		for _, shape := range x.shapes {
			marks, isWeak := strings.CutPrefix(shape, "?")
			if isWeak == weak && hasAll(raw, marks) {
				return x
			}
		}
	}
	return builtIn{}
}

// group returns the group of an apiVersion.
func group(apiVersion string) string {
	g, _, ok := strings.Cut(apiVersion, "/")
	if !ok {
		return ""
	}
	return g
}

// hasAll reports whether an object has all marks of a shape.
func hasAll(raw []byte, marks string) bool {
	for mark := range strings.FieldsSeq(marks) {
		mark, not := strings.CutPrefix(mark, "!")
		place, value, _ := strings.Cut(mark, "=")
		found := fieldAt(raw, place)
		if string(found) == "null" {
			found = nil
		}
		if (found != nil) == not || value != "" && string(found) != `"`+value+`"` {
			return false
		}
	}
	return true
}

// fieldAt returns the value at a path, whose numbers are indices of arrays; nil for none.
func fieldAt(raw []byte, place string) []byte {
	for part := range strings.SplitSeq(place, ".") {
		if part == "0" {
			raw = jsonscan.FirstElement(raw)
		} else if raw = api.Member(raw, part); raw == nil {
			return nil
		}
	}
	return raw
}

// namedKind returns the kind after which a file or one of its folders is called. parts says that it may be a part of such
// a name. A custom resource has its group in the name, as kubectl and support bundles write it.
func namedKind(name, version string, parts bool) builtIn {
	elements := strings.Split(strings.ToLower(strings.ReplaceAll(name, "\\", "/")), "/")
	for i := len(elements) - 1; i >= 0; i-- {
		s := elements[i]
		for _, ext := range []string{".gz", ".zst", ".json", ".jsonl", ".ndjson", ".yaml", ".yml", ".txt", ".log"} {
			s = strings.TrimSuffix(s, ext)
		}
		for _, x := range builtIns {
			switch plural := trace.Plural(x.kind); {
			case x.kind == "Event" || x.kind == "Status": // what is called so are events of all kinds
			case !parts && (namesKind(s, x.kind) || strings.HasPrefix(x.apiVersion, strings.TrimPrefix(s, plural+".")+"/") && strings.HasPrefix(s, plural+".")):
				return x
			case parts && contains(s, plural):
				return x
			}
		}
		if resource, group, ok := strings.Cut(s, "."); ok && !parts && strings.Contains(group, ".") && (version == "" || strings.HasPrefix(version, group+"/")) {
			if version == "" {
				version = group + "/v1"
			}
			return builtIn{apiVersion: version, kind: trace.Singular(resource)}
		}
	}
	return builtIn{}
}

// contains reports whether a word is a part of s.
func contains(s, word string) bool {
	for part := range strings.FieldsFuncSeq(s, func(c rune) bool { return c < 'a' || c > 'z' }) {
		if part == word {
			return true
		}
	}
	return false
}

// Kindless reports whether head begins an object that doesn't say its kind, as typed clients write objects and the items
// of lists.
func Kindless(head []byte) bool { return api.FirstField(head, "kind") == "" && isStored(head) }

// isStored reports whether head begins an object that a server has kept: with a name, and what no user writes.
func isStored(head []byte) bool {
	m := api.Member(head, "metadata")
	return named(m) && (api.Member(m, "uid") != nil || api.Member(m, "resourceVersion") != nil || api.Member(m, "resource_version") != nil || api.Member(m, "creationTimestamp") != nil)
}

// named reports whether metadata has a name.
func named(metadata []byte) bool { return api.FirstField(metadata, "name") != "" }
