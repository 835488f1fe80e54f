package redact

import (
	"bytes"
	"strings"
)

// kept is a row of the list: what stays where.
type kept struct {
	path string // fields, parted by dots; lists are passed through, and * is any field
	form form
}

// ofLines is what stays of a line of the trace, beside numbers, booleans and the names of fields.
var ofLines = []kept{
	// What a reader must know before the first line after the header.
	{"informerscope", asEnum}, {"start", asTime}, {"server", asServer}, {"from", asWord}, {"level", asEnum}, {"times", asEnum},
	{"recorder", asText}, {"note", asText},
	// The engine is fed with these: who asked for what, how it was answered, how it ended.
	{"req.method", asEnum}, {"req.url", asURL}, {"resp.contentType", asMediaType}, {"resp.retryAfter", asCount}, {"resp.level", asEnum},
	{"event.type", asEnum}, {"end.how", asEnum}, {"end.error", asText}, {"end.rest", asCut},
	// Calls, reconciles, writes and work: the names are the program's own words, and the keys those of the objects.
	{"call.handler", asOwn}, {"call.fn", asEnum}, {"call.key", asKey}, {"call.oldRV", asVersion}, {"call.rv", asVersion},
	{"calling.handler", asOwn}, {"calling.fn", asEnum}, {"calling.key", asKey}, {"calling.oldRV", asVersion}, {"calling.rv", asVersion},
	{"reconcile.controller", asOwn}, {"reconcile.key", asKey},
	{"reconciled.result", asEnum}, {"reconciled.error", asWord}, {"reconciled.message", asText},
	{"write.verb", asEnum}, {"write.url", asURL}, {"write.patch", asEnum}, {"write.key", asKey}, {"write.generateName", asName}, {"write.rv", asVersion}, {"write.uid", asUID},
	{"wrote.reason", asWord}, {"wrote.key", asKey}, {"wrote.rv", asVersion}, {"wrote.uid", asUID}, {"wrote.how", asEnum}, {"wrote.error", asText},
	{"work.queue", asOwn}, {"work.fn", asEnum}, {"work.key", asKey},
	// What readers say of the capture, in words of their own. A mark is a user's, unless it is of a log.
	{"remark.id", asWord}, {"remark.detail", asResource}, {"problem.kind", asEnum}, {"problem.reason", asText},
	{"problem.why.id", asWord}, {"problem.why.args.name", asWord}, {"problem.why.args.text", asText},
	{"mark.log", asEnum}, {"series.name", asMetric},
	// A saved future is made of the names that the objects have.
	{"future.informer", asResource}, {"future.setup.profile", asWord}, {"future.setup.handlers.name", asOwn}, {"future.setup.index", asLabelKey},
	{"future.way.when", asMoment}, {"future.way.line", asFuture},
}

// ofReports is what stays of the report of a problem: what the page says of itself, the browser and the last commands.
var ofReports = []kept{
	{"informerscope", asIs}, {"version", asIs}, {"release", asIs}, {"program", asIs}, {"browser", asIs}, {"languages", asIs}, {"states", asIs}, {"page", asIs}, {"commands", asIs}, {"console", asText},
}

// ofObjects is what stays of an object of the API, beside numbers, booleans and the names of fields.
var ofObjects = []kept{
	// Which object it is, and in which version: informers and their caches know no more of it.
	{"apiVersion", asGroup}, {"kind", asKind},
	{"metadata.name", asName}, {"metadata.generateName", asName}, {"metadata.namespace", asName}, {"metadata.uid", asUID}, {"metadata.resourceVersion", asVersion},
	{"metadata.creationTimestamp", asTime}, {"metadata.deletionTimestamp", asTime}, {"metadata.finalizers", asLabelKey},
	{"metadata.labels.*", asLabel}, // selectors choose by them
	{`metadata.annotations["k8s.io/initial-events-end"]`, asEnum},
	{"metadata.ownerReferences.apiVersion", asGroup}, {"metadata.ownerReferences.kind", asKind}, {"metadata.ownerReferences.name", asName}, {"metadata.ownerReferences.uid", asUID},
	{"spec.nodeName", asName}, // a usual field selector
}

// ofKinds is what else stays of objects of some kinds.
var ofKinds = map[string][]kept{
	"Status": { // why the server refused something
		{"status", asEnum}, {"message", asStatus}, {"reason", asWord}, {"details.name", asName}, {"details.group", asGroup}, {"details.kind", asResource}, {"details.uid", asUID},
		{"details.causes.reason", asWord}, {"details.causes.message", asStatus}, {"details.causes.field", asWord},
	},
	"Event": { // what happened to which object
		{"reason", asWord}, {"message", asText}, {"note", asText}, {"type", asEnum},
		{"involvedObject.kind", asKind}, {"involvedObject.apiVersion", asGroup}, {"involvedObject.name", asName}, {"involvedObject.namespace", asName}, {"involvedObject.uid", asUID}, {"involvedObject.resourceVersion", asVersion},
		{"regarding.kind", asKind}, {"regarding.apiVersion", asGroup}, {"regarding.name", asName}, {"regarding.namespace", asName}, {"regarding.uid", asUID}, {"regarding.resourceVersion", asVersion},
	},
	"Table": {{"columnDefinitions.type", asEnum}, {"columnDefinitions.format", asEnum}},
}

// anywhere is what stays of an object at any depth, below fields of any name.
var anywhere = []kept{
	{"conditions.type", asWord}, {"conditions.status", asEnum}, {"conditions.reason", asWord}, {"conditions.message", asText},
	// Selectors, and the labels that they match.
	{"matchLabels.*", asLabel}, {"matchExpressions.key", asLabelKey}, {"matchExpressions.operator", asEnum}, {"matchExpressions.values", asLabel},
	{"selector.*", asLabel}, {"nodeSelector.*", asLabel}, {"topologyKey", asLabelKey},
	{"template.metadata.labels.*", asLabel}, {"jobTemplate.metadata.labels.*", asLabel}, {"volumeClaimTemplates.metadata.labels.*", asLabel},
	// Quantities are numbers.
	{"limits.*", asQuantity}, {"requests.*", asQuantity}, {"capacity.*", asQuantity}, {"allocatable.*", asQuantity}, {"allocatedResources.*", asQuantity},
	{"hard.*", asQuantity}, {"used.*", asQuantity}, {"overhead.*", asQuantity}, {"sizeLimit", asQuantity},
	{"maxSurge", asPercent}, {"maxUnavailable", asPercent}, {"minAvailable", asPercent},
	// What went wrong, in words.
	{"message", asText}, {"lastError", asText}, {"error", asText},
}

// usersMaps are fields below which users choose the names, whatever parts the words of the field. In it are those of
// built-in kinds and of common operators. A field is one of them only where it has an object for a value.
var usersMaps = set("data stringdata binarydata encrypteddata annotations env envs envvars environment environmentvariables extraenv " +
	"options parameters volumeattributes attributes attachmentmetadata extra")

// enums are the words of the fields that have few. They are those of the trace format, and of built-in kinds.
var enums = map[string]map[string]bool{
	"informerscope": set("trace"), "level": set("transport client metadata"), "times": set("spaced"),
	"method": set("GET HEAD POST PUT PATCH DELETE"), "how": set("eof timeout reset canceled refused undecodable recorder-stopped"),
	"fn":   set("OnAdd OnUpdate OnDelete Add AddAfter AddRateLimited Get Done Forget ShutDown AddWithOpts When"),
	"verb": set("create update patch delete deletecollection"), "patch": set("json merge strategic apply"),
	"result": set("done requeue requeueAfter error terminalError panic"), "log": set("debug info warning error fatal"),
	"kind": set("cut damaged tooLong tooDeep strange source missing"), "k8s.io/initial-events-end": set("true"),

	"type": set("ADDED MODIFIED DELETED BOOKMARK ERROR Normal Warning ClusterIP NodePort LoadBalancer ExternalName RollingUpdate Recreate OnDelete Opaque " +
		"InternalIP ExternalIP InternalDNS ExternalDNS Hostname Utilization Value AverageValue Resource Pods Object External ContainerResource " +
		"Container Pod PersistentVolumeClaim RuntimeDefault Unconfined Localhost Exact Percent string integer number boolean object array " +
		"kubernetes.io/tls kubernetes.io/dockerconfigjson kubernetes.io/dockercfg kubernetes.io/service-account-token kubernetes.io/basic-auth kubernetes.io/ssh-auth bootstrap.kubernetes.io/token helm.sh/release.v1"),
	"format":                        set("name int32 int64 float double byte date date-time password int-or-string"),
	"status":                        set("True False Unknown Success Failure"),
	"phase":                         set("Pending Running Succeeded Failed Unknown Active Terminating Available Bound Released Lost"),
	"operator":                      set("In NotIn Exists DoesNotExist Gt Lt Equal"),
	"protocol":                      set("TCP UDP SCTP"),
	"qosClass":                      set("Guaranteed Burstable BestEffort"),
	"imagePullPolicy":               set("Always Never IfNotPresent"),
	"restartPolicy":                 set("Always OnFailure Never"),
	"dnsPolicy":                     set("ClusterFirst ClusterFirstWithHostNet Default None"),
	"preemptionPolicy":              set("PreemptLowerPriority Never"),
	"terminationMessagePolicy":      set("File FallbackToLogsOnError"),
	"effect":                        set("NoSchedule PreferNoSchedule NoExecute"),
	"whenUnsatisfiable":             set("DoNotSchedule ScheduleAnyway"),
	"nodeAffinityPolicy":            set("Honor Ignore"),
	"nodeTaintsPolicy":              set("Honor Ignore"),
	"concurrencyPolicy":             set("Allow Forbid Replace"),
	"completionMode":                set("NonIndexed Indexed"),
	"podReplacementPolicy":          set("TerminatingOrFailed Failed"),
	"podManagementPolicy":           set("OrderedReady Parallel"),
	"whenDeleted":                   set("Retain Delete"),
	"whenScaled":                    set("Retain Delete"),
	"persistentVolumeReclaimPolicy": set("Retain Delete Recycle"),
	"reclaimPolicy":                 set("Retain Delete Recycle"),
	"volumeBindingMode":             set("Immediate WaitForFirstConsumer"),
	"volumeMode":                    set("Filesystem Block"),
	"accessModes":                   set("ReadWriteOnce ReadOnlyMany ReadWriteMany ReadWriteOncePod"),
	"mountPropagation":              set("None HostToContainer Bidirectional"),
	"externalTrafficPolicy":         set("Cluster Local"),
	"internalTrafficPolicy":         set("Cluster Local"),
	"sessionAffinity":               set("None ClientIP"),
	"ipFamilyPolicy":                set("SingleStack PreferDualStack RequireDualStack"),
	"ipFamilies":                    set("IPv4 IPv6"),
	"addressType":                   set("IPv4 IPv6 FQDN"),
	"pathType":                      set("Exact Prefix ImplementationSpecific"),
	"policyTypes":                   set("Ingress Egress"),
	"failurePolicy":                 set("Ignore Fail"),
	"matchPolicy":                   set("Exact Equivalent"),
	"sideEffects":                   set("None NoneOnDryRun Some Unknown"),
	"scope":                         set("Cluster Namespaced"),
	"scheme":                        set("HTTP HTTPS"),
	"procMount":                     set("Default Unmasked"),
	"fsGroupChangePolicy":           set("OnRootMismatch Always"),
	"unhealthyPodEvictionPolicy":    set("IfHealthyBudget AlwaysAllow"),
	"operation":                     set("Apply Update"),
	"verbs":                         set("get list watch create update patch delete deletecollection use bind escalate impersonate approve sign"),
}

// longestEnum is how many bytes the longest of these words has.
const longestEnum = 40

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// node is a place in a line or an object, with what stays there. Lists are passed through.
type node struct {
	form   form
	path   string // of the row of the list, for the counts
	n      int64  // how many texts were kept
	fields []branch
	each   *node // the other fields of a map whose keys stay where its values do
	object bool  // an object of the API
	users  bool  // a map whose keys users choose, and all that it holds
	whole  bool  // goes as a whole: managedFields
}

// branch leads to a field.
type branch struct {
	key *key
	to  *node
}

// field returns the node of a field, nil if the list has none there.
func (x *node) field(k *key) *node {
	if x == nil {
		return nil
	}
	for i := range x.fields {
		if x.fields[i].key == k {
			return x.fields[i].to
		}
	}
	return x.each
}

// key is the name of a field.
type key struct {
	text   string // with its quotes, as it stands in the line
	name   string
	folded string // in small letters, without what parts its words
	word   bool   // it has the form of the fields of kinds
	public bool   // it is a label's or an annotation's key of Kubernetes itself
	time   bool   // the field has a time
	binary bool   // the field has base64
	users  bool   // see usersMaps
	enum   map[string]bool
	any    *node // what stays in such a field anywhere
	next   *key  // the name that followed it last

	// What it is to an owner.
	hides                      hides // what a value under it is
	data, env, envFile, copies bool
	says                       bool // it tells what the field value beside it has
}

// maxKeys is how many names of fields are remembered, and longestKey how many bytes the longest of them has.
const (
	maxKeys    = 1 << 14
	longestKey = 256
)

// keys are the names of fields that were met.
type keys struct {
	known map[string]*key
	last  *key
}

// of returns what is known of a name in its quotes. Fields mostly follow each other as they did before.
func (x *keys) of(quoted []byte) *key {
	if x.last.next != nil && string(quoted) == x.last.next.text {
		x.last = x.last.next
		return x.last
	}
	k := x.known[string(quoted)]
	if k == nil {
		k = newKey(quoted)
		if len(x.known) < maxKeys && len(quoted) <= longestKey {
			x.known[k.text] = k
		}
	}
	x.last.next, x.last = k, k
	return k
}

// named returns what is known of a name.
func (x *keys) named(name string) *key {
	return x.of(quote(nil, []byte(name)))
}

func newKey(quoted []byte) *key {
	text, _ := plainText(nil, quoted, bytes.IndexByte(quoted, '\\') >= 0)
	k := &key{text: string(quoted), name: string(text), folded: fold(text)}
	k.word = isField(text)
	k.public = publicKeys[k.name]
	k.time = strings.HasSuffix(k.name, "Time") || strings.HasSuffix(k.name, "Timestamp") || k.name == "time" || k.name == "notBefore" || k.name == "notAfter"
	k.binary = k.name == "caBundle"
	k.users = usersMaps[k.folded]
	k.enum = enums[k.name]
	k.hides = hidesBy(k.name, k.folded)
	k.data, k.env, k.envFile, k.copies, k.says = isSecretData(k.folded), isEnv(k.folded), strings.HasSuffix(k.name, ".env"), copies(k.name), sayers[k.folded]
	return k
}

// fold returns a name in small letters, without what parts its words.
func fold(name []byte) string {
	out := make([]byte, 0, len(name))
	for _, c := range name {
		switch {
		case c-'A' < 26:
			out = append(out, c|0x20)
		case c != '_' && c != '-' && c != '.' && c != ' ':
			out = append(out, c)
		}
	}
	return string(out)
}

// isField reports whether a name has the form of a field of a kind: words whose first letters are large, but for
// the first, and at most one number of three digits.
func isField(name []byte) bool {
	digits := 0
	for i, c := range name {
		switch {
		case c-'0' < 10 && i > 0:
			if digits++; digits > 3 || name[i-1]-'0' >= 10 && digits > 1 {
				return false
			}
		case c|0x20-'a' >= 26:
			return bytes.HasPrefix(name, []byte("x-kubernetes-")) && madeOf(name, "-", 63)
		}
	}
	return len(name) > 0 && len(name) <= 63 && name[0]-'a' < 26
}

// publicKeys are those of labels and annotations that Kubernetes and kubectl write, and that their documents use.
// They give nobody away.
var publicKeys = set("app k8s-app pod-template-hash controller-revision-hash pod-template-generation controller-uid job-name " +
	"app.kubernetes.io/name app.kubernetes.io/instance app.kubernetes.io/version app.kubernetes.io/component app.kubernetes.io/part-of app.kubernetes.io/managed-by " +
	"batch.kubernetes.io/controller-uid batch.kubernetes.io/job-name batch.kubernetes.io/job-completion-index batch.kubernetes.io/job-tracking batch.kubernetes.io/cronjob-scheduled-timestamp " +
	"apps.kubernetes.io/pod-index statefulset.kubernetes.io/pod-name deployment.kubernetes.io/revision deployment.kubernetes.io/desired-replicas deployment.kubernetes.io/max-replicas " +
	"deprecated.daemonset.template.generation kubectl.kubernetes.io/last-applied-configuration kubectl.kubernetes.io/restartedAt kubectl.kubernetes.io/default-container " +
	"kubernetes.io/arch kubernetes.io/os kubernetes.io/hostname kubernetes.io/metadata.name kubernetes.io/service-name kubernetes.io/description kubernetes.io/change-cause kubernetes.io/created-by " +
	"kubernetes.io/config.hash kubernetes.io/config.mirror kubernetes.io/config.seen kubernetes.io/config.source kubernetes.io/psp kubernetes.io/limit-ranger kubernetes.io/ingress.class " +
	"kubernetes.io/service-account.name kubernetes.io/service-account.uid kubernetes.io/enforce-mountable-secrets kubernetes.io/legacy-token-last-used " +
	"node.kubernetes.io/instance-type node.kubernetes.io/not-ready node.kubernetes.io/unreachable node.kubernetes.io/unschedulable node.kubernetes.io/memory-pressure node.kubernetes.io/disk-pressure " +
	"node.kubernetes.io/pid-pressure node.kubernetes.io/network-unavailable node.alpha.kubernetes.io/ttl node-role.kubernetes.io/control-plane node-role.kubernetes.io/master " +
	"topology.kubernetes.io/zone topology.kubernetes.io/region failure-domain.beta.kubernetes.io/zone failure-domain.beta.kubernetes.io/region beta.kubernetes.io/arch beta.kubernetes.io/os " +
	"volumes.kubernetes.io/controller-managed-attach-detach volume.kubernetes.io/selected-node volume.kubernetes.io/storage-provisioner volume.beta.kubernetes.io/storage-provisioner " +
	"pv.kubernetes.io/bind-completed pv.kubernetes.io/bound-by-controller pv.kubernetes.io/provisioned-by storageclass.kubernetes.io/is-default-class ingressclass.kubernetes.io/is-default-class " +
	"endpoints.kubernetes.io/last-change-trigger-time endpoints.kubernetes.io/over-capacity endpoints.kubernetes.io/managed-by-service endpointslice.kubernetes.io/managed-by endpointslice.kubernetes.io/skip-mirror " +
	"service.kubernetes.io/headless service.kubernetes.io/topology-mode service.kubernetes.io/service-proxy-name control-plane.alpha.kubernetes.io/leader " +
	"cluster-autoscaler.kubernetes.io/safe-to-evict controller.kubernetes.io/pod-deletion-cost scheduler.alpha.kubernetes.io/critical-pod k8s.io/initial-events-end " +
	"pod-security.kubernetes.io/enforce pod-security.kubernetes.io/audit pod-security.kubernetes.io/warn pod-security.kubernetes.io/enforce-version rbac.authorization.kubernetes.io/autoupdate kubernetes.io/bootstrapping")

// list is the list, as places.
type list struct {
	line, object *node
	kinds        map[string]*node
	rows         []*node
}

// newList makes the list, with the paths that the user adds and takes away.
func newList(x *keys, keep, remove []path, report bool) *list {
	l := &list{line: &node{}, kinds: map[string]*node{}}
	add := func(root *node, rows []kept, prefix string) {
		for _, row := range rows {
			p, _ := parsePath(row.path)
			l.add(x, root, p.steps, row.form, prefix+row.path)
		}
	}
	if report {
		add(l.line, ofReports, "")
	} else {
		add(l.line, ofLines, "")
	}
	root := func() *node {
		o := &node{object: true}
		add(o, ofObjects, "")
		return o
	}
	l.object = root()
	for kind, rows := range ofKinds {
		l.kinds[kind] = root()
		add(l.kinds[kind], rows, kind+" ")
	}
	for _, row := range anywhere {
		p, _ := parsePath(row.path)
		k := x.named(p.steps[0])
		if k.any == nil {
			k.any = &node{}
		}
		l.add(x, k.any, p.steps[1:], row.form, "*."+row.path)
	}
	l.line.at(x, "event").at(x, "object").object = true
	l.line.at(x, "body").object = true
	why := l.line.at(x, "problem").at(x, "why").at(x, "args")
	why.fields = append(why.fields, branch{x.named("why"), l.line.at(x, "problem").at(x, "why")})
	for _, o := range l.objects() {
		o.at(x, "metadata").at(x, "managedFields").whole = true
		o.at(x, "metadata").at(x, "annotations").users = true
		o.at(x, "items").object = true
	}
	rows := l.kinds["Table"].at(x, "rows")
	rows.at(x, "object").object = true
	for _, p := range keep {
		l.addPath(x, p, asIs)
	}
	for _, p := range remove {
		l.addPath(x, p, asNothing)
	}
	return l
}

func (l *list) objects() []*node {
	all := []*node{l.object}
	for _, o := range l.kinds {
		all = append(all, o)
	}
	return all
}

// at returns the node of a field, which it adds if it isn't there.
func (x *node) at(names *keys, name string) *node {
	if name == "*" {
		if x.each == nil {
			x.each = &node{}
		}
		return x.each
	}
	k := names.named(name)
	for _, f := range x.fields {
		if f.key == k {
			return f.to
		}
	}
	x.fields = append(x.fields, branch{k, &node{}})
	return x.fields[len(x.fields)-1].to
}

// add adds a row.
func (l *list) add(names *keys, at *node, steps []string, f form, path string) {
	for _, s := range steps {
		at = at.at(names, s)
	}
	at.form, at.path = f, path
	l.rows = append(l.rows, at)
}

// addPath adds a user's path to what is known of all objects.
func (l *list) addPath(names *keys, p path, f form) {
	for _, o := range l.objects() {
		l.add(names, o, p.steps, f, p.text)
	}
}
