package redact

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"strings"
)

// ref is what Names makes of a value.
type ref uint8

const (
	aText           ref = iota // may hold names that are known
	aConstant                  // belongs to the API, and holds no name
	aName                      // is a name
	anOwnName                  // is the name of an object, which is also searched for in texts
	aToken                     // a continue token, which holds a name
	aHost                      // a host or a domain
	anID                       // identifies a machine, an account, a run
	aTrackingID                // Argo CD's
	anImage                    // the name of an image, or its digest
	anObject                   // holds the name of an object in "name"
	aPart                      // has a "name" that is no object's: a port, a variable
	aContainer                 // has a container's name
	aContainerName             // is one
	aLabelMap                  // holds labels by their keys
	aLabelValue                // is the value of a label
	aLabelKey                  // is the key of a label
	aSelector                  // selects by labels: an object, or a text
	anAnnotationMap            // holds annotations by their keys
	aNote                      // is a text in which any word may be a name
	aShare                     // has the path of a share
	aGroup                     // is a group of the API, with a version or without
	aQuantityMap               // holds quantities by the names of resources
	numRefs
)

// partLists are the fields whose "name" doesn't name an object.
var partLists = dated(origin{"k8s.io/api v0.37: lists of things with a name that are no objects", "2026-11-24"},
	set("ports env volumes volumemounts volumedevices conditions columndefinitions versions additionalprintercolumns images httpheaders headers "+
		"params resources metrics resource container matchconditions variables"))

// containerLists are those that hold containers.
var containerLists = dated(origin{"k8s.io/api core/v1 PodSpec and PodStatus", "2026-11-24"},
	set("containers initcontainers ephemeralcontainers containerstatuses initcontainerstatuses ephemeralcontainerstatuses"))

// objectFields are the fields whose "name" and "namespace" name an object.
var objectFields = dated(origin{"k8s.io/api core/v1 and meta/v1: references to objects", "2026-11-24"},
	set("metadata ownerreferences involvedobject regarding related targetref claimref details"))

// constants are the fields whose values are words of the API.
var constants = dated(origin{"k8s.io/api and k8s.io/apimachinery v0.37, and the trace format", "2026-11-24"},
	set("kind version resource resources verbs resourceversion uid type phase reason "+
		"protocol scope contenttype method how fn plural singular listkind status operation code initial start informerscope recorder "+
		"handler oldrv rv from times divisor creationtimestamp deletiontimestamp"))

// nameFields are the fields, labels and annotations whose values are names.
var nameFields = dated(origin{"k8s.io/api v0.37, well-known labels of kubernetes.io, Helm and Cluster API, and resources of cloud providers", "2026-11-24"},
	set("namespace namespaces nodename serviceaccountname serviceaccount secretname claimname servicename volumename "+
		"nominatednodename configmapname podname jobname subdomain resourcenames meta.helm.sh/release-name meta.helm.sh/release-namespace helm.sh/chart cluster.x-k8s.io/cluster-name chart nodenames holderidentity reportinginstance clustername "+
		"kubernetes.io/metadata.name kubernetes.io/hostname kubernetes.io/service-name statefulset.kubernetes.io/pod-name job-name "+
		"batch.kubernetes.io/job-name app name app.kubernetes.io/name app.kubernetes.io/instance app.kubernetes.io/part-of k8s-app release instance "+
		"bucket bucketname cluster project projectname database dbname databasename topic queuename realm workspace org orgname resourcegroup resourcegroupname vnet vnetname "+
		"subnet subnetname vpc securitygroup securitygroups keypair hostedzone accountname storageaccount machinename vmname hostgroup "+
		"metadata.name metadata.namespace spec.nodename volume.kubernetes.io/selected-node zone zones region regions availabilityzone availabilityzones datacenter datacentre rack "+
		"topology.kubernetes.io/zone topology.kubernetes.io/region failure-domain.beta.kubernetes.io/zone failure-domain.beta.kubernetes.io/region "+
		"endpoints.kubernetes.io/managed-by-service scheduledname targetname storageclassname ingressclassname kubernetes.io/service-account.name "+
		"schedulername runtimeclassname priorityclassname pool poolname datapool fsname"))

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// refTo returns the ref of the field key of an object whose own ref is parent.
func refTo(parent ref, key string) ref {
	switch {
	case parent == aLabelMap || parent == aSelector && key != "matchlabels" && key != "matchexpressions":
		return refToLabel(key)
	case parent == anAnnotationMap && !strings.HasSuffix(key, "tracking-id"):
		return refToAnnotation(key)
	case key == "name" || key == "generatename":
		switch parent {
		case anObject:
			return anOwnName
		case aPart:
			return aText
		case aContainer:
			return aContainerName
		}
		return aName
	case key == "labels" || key == "matchlabels" || key == "nodeselector" || key == "podlabels" || key == "commonlabels":
		return aLabelMap
	case key == "selector" || key == "labelselector":
		return aSelector
	case key == "annotations" || key == "podannotations" || key == "commonannotations":
		return anAnnotationMap
	case key == "topologykey":
		return aLabelKey
	case groupFields[key]:
		return aGroup
	case quantityMaps[key]:
		return aQuantityMap
	case containerLists[key]:
		return aContainer
	case key == "namespace" && parent == anObject:
		return anOwnName
	case key == "continue" && parent == anObject:
		return aToken
	case hostFields[key]:
		return aHost
	case idFields[key]:
		return anID
	case key == "image" || key == "repository" || key == "imageid" || key == "containerid" || key == "names" && parent == aPart:
		return anImage
	case strings.HasSuffix(key, "tracking-id"):
		return aTrackingID
	case nameFields[key]:
		return aName
	case partLists[key]:
		return aPart
	case constants[key]:
		return aConstant
	case objectFields[key]:
		return anObject
	case key == "nfs" || key == "glusterfs" || key == "cephfs":
		return aShare
	case isPerson(key), pathFields[key], parent == aShare && key == "path":
		return aNote
	}
	return aText
}

// pathFields are fields that hold the path of a share or of a disk.
var pathFields = dated(origin{"k8s.io/api core/v1: volumes of vSphere, Azure and Google Cloud, and NFS", "2026-11-24"},
	set("volumepath sharename datastore datastoreurl storagepolicyname pdname diskname diskuri exportpath"))

// refToLabel returns the ref of the label key.
func refToLabel(key string) ref {
	if plainLabels[key] || strings.HasPrefix(key, "pod-security.kubernetes.io/") || strings.HasPrefix(key, "node-role.kubernetes.io/") {
		return aText
	}
	if what, is := refAnywhere(key); is {
		return what
	}
	return aLabelValue
}

// refAnywhere returns the ref of a key that means the same in labels and annotations, and reports
// whether it is such a key.
func refAnywhere(key string) (what ref, is bool) {
	switch {
	case hostFields[key]:
		return aHost, true
	case idFields[key]:
		return anID, true
	case nameFields[key]:
		return aName, true
	}
	return aText, false
}

// refToAnnotation returns the ref of the annotation key. What a product's annotations
// hold is known to be no prose, unless its name says so.
func refToAnnotation(key string) ref {
	prefix, last, ok := strings.Cut(key, "/")
	if !ok {
		prefix, last = "", key
	}
	if what, is := refAnywhere(key); is {
		return what
	}
	if endsWith(unparted.Replace(last), &nameEnds) {
		return aName
	}
	if isPerson(key) || proseAnnotations[last] || !ok || !isPublicPrefix(prefix) {
		return aNote
	}
	return aText
}

// groupFields are those that hold a group of the API.
var groupFields = dated(origin{"k8s.io/apimachinery meta/v1, k8s.io/api rbac/v1 and apiextensions/v1", "2026-11-24"},
	set("apiversion apigroup apigroups group"))

// quantityMaps are those whose keys are the names of resources, such as cpu or example.com/gpu.
var quantityMaps = dated(origin{"k8s.io/api core/v1 ResourceRequirements, NodeStatus and ResourceQuota", "2026-11-24"},
	set("limits requests capacity allocatable hard used overhead allocatedresources"))

// nameEnds are the ends of products' annotations whose values are names that users have given.
var nameEnds = dated(origin{"the annotations of the cloud controllers of Azure, AWS, Google Cloud, Alibaba Cloud, OpenStack and Hetzner", "2026-11-24"},
	ends("resourcegroup subnet subnets subnetname vnet vnetname network networkname networkid loadbalancername targetgroupname securitygroup securitygroups clustername keyname bucket "+
		"backendconfig negname addresspool addresspools publicipname iplist projectname location hostedzone"))

// proseAnnotations are the last parts of products' annotations that people write.
var proseAnnotations = dated(origin{"annotations of OpenShift, Rancher, Backstage and kubectl", "2026-11-24"},
	set("description display-name displayname note notes comment requester"))

// isPerson reports whether a field says who somebody is.
func isPerson(key string) bool {
	if slash := strings.LastIndexByte(key, '/'); slash >= 0 {
		key = key[slash+1:]
	}
	key = unparted.Replace(key)
	if personFields[key] {
		return true
	}
	for _, end := range personEnds {
		if strings.HasSuffix(key, end) {
			return true
		}
	}
	return false
}

// personEnds are the ends of fields that say who somebody is.
var personEnds = dated(origin{"the fields and annotations of Kubernetes, OpenShift, Argo CD, Flux, Backstage and Rancher, and flags of proxies that let users in", "2026-11-24"},
	[]string{"author", "owner", "requester", "email", "username", "customer", "contact", "maintainer", "phone", "assignee", "committer",
		"authors", "owners", "emails", "usernames", "users", "admins", "maintainers", "reviewers", "approvers"})

var unparted = strings.NewReplacer("_", "", "-", "", ".", "")

// pseudonyms maps names. The zero value maps none.
type pseudonyms struct {
	k0, k1 uint64
	known  map[string]string // names that are searched for in texts
	heads  map[string]int    // the first words of these, in small letters, and how many words the longest name has that begins so
	made   map[string]bool   // pseudonyms that look like what they stand for
}

func newPseudonyms(key []byte) pseudonyms {
	return pseudonyms{binary.LittleEndian.Uint64(key), binary.LittleEndian.Uint64(key[8:]), map[string]string{}, map[string]int{}, map[string]bool{}}
}

// everyday are names that every cluster has. They are not searched for in texts,
// where they may be ordinary words.
var everyday = dated(origin{"what every cluster has when it is new", "2026-11-24"},
	set("default kube-system kube-public kube-node-lease kubernetes"))

// standard are names that Kubernetes itself gives, and that stay where they stand.
var standard = dated(origin{"k8s.io/kubernetes: its scheduler, and the priority classes that its API server makes", "2026-11-24"},
	set("default-scheduler system-cluster-critical system-node-critical"))

// of returns a name's pseudonym, which is a valid name.
func (p *pseudonyms) of(name []byte) string {
	const letters = "abcdefghijkmnpqrstuvwxyz23456789"
	if len(name) == 0 {
		return ""
	}
	if name[len(name)-1] == '-' { // a generateName
		return p.of(name[:len(name)-1]) + "-"
	}
	h := sipHash(p.k0, p.k1, name)
	out := []byte("n-0123456789")
	for i := 2; i < len(out); i++ {
		out[i] = letters[h&31]
		h >>= 5
	}
	return string(out)
}

// learn returns a name's pseudonym, and has the name searched for in texts.
func (p *pseudonyms) learn(name []byte) string {
	if standard[string(name)] {
		return string(name)
	}
	if known, ok := p.known[string(name)]; ok {
		return known
	}
	pseudonym := p.of(name)
	if len(name) > 1 && name[len(name)-1] != '-' && !everyday[string(name)] && bytes.IndexByte(name, ' ') < 0 {
		p.remember(name, pseudonym)
	}
	return pseudonym
}

// remember has a name searched for in texts, unless it has too many words.
func (p *pseudonyms) remember(name []byte, by string) {
	words := 1
	for _, c := range name {
		if !isAlnum(c) {
			words++
		}
	}
	if words > maxWords {
		return
	}
	p.known[string(name)] = by
	var room [64]byte
	head := headOf(room[:0], name)
	if words > p.heads[string(head)] {
		p.heads[string(head)] = words
	}
}

// headOf appends the first word of s in small letters.
func headOf(out, s []byte) []byte {
	for _, c := range s {
		if !isAlnum(c) {
			break
		}
		out = append(out, lower(c))
	}
	return out
}

// meet does what learn does, for a name that may as well be a word, unless it has a dash, a dot or a
// digit in it. It learns what can't be a word.
func (p *pseudonyms) meet(name []byte) string {
	if len(name) > 3 && bytes.ContainsAny(name, "-._0123456789") && !isVersion(name) && !isHex(name) {
		return p.learn(name)
	}
	return p.of(name)
}

// labelValue returns the pseudonym of a label's value, or the value itself where it is a
// number, a version, a hash or a word such as true.
func (p *pseudonyms) labelValue(s []byte) string {
	if isVersion(s) || plainValues[strings.ToLower(string(s))] || len(s) >= 7 && isHex(s) || isPseudonym(s) {
		return string(s)
	}
	return p.meet(s)
}

// group returns a group of the API, with its version or without, with a pseudonym for a group
// that is no product's.
func (p *pseudonyms) group(s []byte, versioned bool) string {
	group, version, both := strings.Cut(string(s), "/")
	if versioned && !both || isPublicPrefix(strings.ToLower(group)) || isPseudonym([]byte(group)) {
		return string(s)
	}
	by := p.learnHost([]byte(group))
	if both {
		by += "/" + version
	}
	return by
}

// labelKey returns a label's or an annotation's key with the pseudonym of its domain,
// unless that is a product's.
func (p *pseudonyms) labelKey(s []byte) string {
	prefix, name, ok := strings.Cut(string(s), "/")
	if !ok || isPublicPrefix(strings.ToLower(prefix)) || isPseudonym([]byte(prefix)) {
		return string(s)
	}
	return p.learnHost([]byte(prefix)) + "/" + name
}

// maxWords is how many words a name may have that is searched for in texts. Dashes
// and dots part words. The time of the search grows with their number.
const maxWords = 24

func isAlnum(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// sipHash returns SipHash-2-4, whose results can't be guessed without the key.
func sipHash(k0, k1 uint64, b []byte) uint64 {
	v0, v1, v2, v3 := k0^0x736f6d6570736575, k1^0x646f72616e646f6d, k0^0x6c7967656e657261, k1^0x7465646279746573
	round := func() {
		v0 += v1
		v2 += v3
		v1 = bits.RotateLeft64(v1, 13) ^ v0
		v3 = bits.RotateLeft64(v3, 16) ^ v2
		v0 = bits.RotateLeft64(v0, 32)
		v2 += v1
		v0 += v3
		v1 = bits.RotateLeft64(v1, 17) ^ v2
		v3 = bits.RotateLeft64(v3, 21) ^ v0
		v2 = bits.RotateLeft64(v2, 32)
	}
	word := func(m uint64) {
		v3 ^= m
		round()
		round()
		v0 ^= m
	}
	last := uint64(len(b)) << 56
	for ; len(b) >= 8; b = b[8:] {
		word(binary.LittleEndian.Uint64(b))
	}
	for i, c := range b {
		last |= uint64(c) << (8 * i)
	}
	word(last)
	v2 ^= 0xff
	for range 4 {
		round()
	}
	return v0 ^ v1 ^ v2 ^ v3
}
