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
)

// partLists are the fields whose "name" doesn't name an object.
var partLists = set("ports env volumes volumemounts volumedevices conditions columndefinitions versions additionalprintercolumns images httpheaders headers " +
	"params resources metrics resource container matchconditions variables")

// containerLists are those that hold containers.
var containerLists = set("containers initcontainers ephemeralcontainers containerstatuses initcontainerstatuses ephemeralcontainerstatuses")

// objectFields are the fields whose "name" and "namespace" name an object.
var objectFields = set("metadata ownerreferences involvedobject regarding related targetref claimref details")

// constants are the fields whose values are words of the API.
var constants = set("kind apiversion apigroup apigroups group version resource resources verbs resourceversion uid type phase reason " +
	"protocol scope contenttype method how fn plural singular listkind status operation code initial start informerscope recorder " +
	"handler oldrv rv from times divisor creationtimestamp deletiontimestamp")

// nameFields are the fields, labels and annotations whose values are names.
var nameFields = set("namespace namespaces nodename serviceaccountname serviceaccount secretname claimname servicename volumename " +
	"nominatednodename configmapname podname jobname subdomain resourcenames meta.helm.sh/release-name meta.helm.sh/release-namespace helm.sh/chart cluster.x-k8s.io/cluster-name chart nodenames holderidentity reportinginstance clustername " +
	"kubernetes.io/metadata.name kubernetes.io/hostname kubernetes.io/service-name statefulset.kubernetes.io/pod-name job-name " +
	"batch.kubernetes.io/job-name app name app.kubernetes.io/name app.kubernetes.io/instance app.kubernetes.io/part-of k8s-app release instance " +
	"bucket bucketname cluster project projectname database dbname databasename topic queuename realm workspace org orgname resourcegroup resourcegroupname vnet vnetname " +
	"subnet subnetname vpc securitygroup securitygroups keypair hostedzone accountname storageaccount machinename vmname hostgroup " +
	"metadata.name metadata.namespace spec.nodename volume.kubernetes.io/selected-node zone zones region regions availabilityzone availabilityzones datacenter datacentre rack " +
	"topology.kubernetes.io/zone topology.kubernetes.io/region failure-domain.beta.kubernetes.io/zone failure-domain.beta.kubernetes.io/region " +
	"endpoints.kubernetes.io/managed-by-service scheduledname targetname storageclassname ingressclassname kubernetes.io/service-account.name")

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
var pathFields = set("volumepath sharename datastore datastoreurl storagepolicyname pdname diskname diskuri exportpath")

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
	if isPerson(key) || proseAnnotations[last] || !ok || !isPublicPrefix(prefix) {
		return aNote
	}
	return aText
}

// proseAnnotations are the last parts of products' annotations that people write.
var proseAnnotations = set("description display-name displayname note notes comment requester")

// isPerson reports whether a field says who somebody is.
func isPerson(key string) bool {
	if slash := strings.LastIndexByte(key, '/'); slash >= 0 {
		key = key[slash+1:]
	}
	key = unparted.Replace(key)
	if personFields[key] {
		return true
	}
	for _, end := range []string{"author", "owner", "requester", "email", "username", "customer", "contact", "maintainer", "phone", "assignee", "committer"} {
		if strings.HasSuffix(key, end) {
			return true
		}
	}
	return false
}

var unparted = strings.NewReplacer("_", "", "-", "", ".", "")

// pseudonyms maps names. The zero value maps none.
type pseudonyms struct {
	k0, k1 uint64
	known  map[string]string // names that are searched for in texts
	parts  int               // how many words the longest of them has
	made   map[string]bool   // pseudonyms that look like what they stand for
}

func newPseudonyms(key []byte) pseudonyms {
	return pseudonyms{binary.LittleEndian.Uint64(key), binary.LittleEndian.Uint64(key[8:]), map[string]string{}, 0, map[string]bool{}}
}

// everyday are names that every cluster has. They are not searched for in texts,
// where they may be ordinary words.
var everyday = set("default kube-system kube-public kube-node-lease kubernetes")

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
	if known, ok := p.known[string(name)]; ok {
		return known
	}
	pseudonym := p.of(name)
	if len(name) > 1 && name[len(name)-1] != '-' && !everyday[string(name)] && bytes.IndexByte(name, ' ') < 0 {
		words := 1
		for _, c := range name {
			if !isAlnum(c) {
				words++
			}
		}
		if words <= maxWords {
			p.known[string(name)] = pseudonym
			p.parts = max(p.parts, words)
		}
	}
	return pseudonym
}

// meet is learn for a name that may as well be a word, unless it has a dash, a dot or a
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

// sipHash is SipHash-2-4, whose results can't be guessed without the key.
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
