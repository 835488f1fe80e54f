package redact

import (
	"bytes"
	"encoding/binary"
	"net/netip"
	"strings"
)

// The functions of this file make pseudonyms of addresses, hosts, images and
// identifiers, which tell one cluster from others as names do. A pseudonym has the
// form of what it stands for, so that programs can still read it.

// hostFields are fields that hold hosts or domains.
var hostFields = dated(origin{"the Kubernetes API, and resources of cert-manager, Istio, Gateway API and cloud providers", "2026-11-24"},
	set("host hosts hostname hostnames dnsnames externalname domain domains commonname server servername serveraddress registry "+
		"external-dns.alpha.kubernetes.io/hostname apiserver endpoint"))

// idFields are fields that hold identifiers of machines, accounts and runs.
var idFields = dated(origin{"k8s.io/api core/v1 NodeSystemInfo, and resources of the cloud providers", "2026-11-24"},
	set("machineid systemuuid bootid providerid clusterid accountid projectid subscriptionid tenantid instanceid vpcid subnetid networkid nodeid "+
		"volumehandle volumeid diskid hostid deviceid traceid spanid traceparent correlationid requestid auditid installationid serialnumber serial"))

// publicRegistries are registries that everyone uses. All images of those with true
// are public, too.
var publicRegistries = dated(origin{"the registries that the documentation of Kubernetes and of popular charts pulls from", "2026-11-24"},
	map[string]bool{
		"registry.k8s.io": true, "k8s.gcr.io": true, "mcr.microsoft.com": true,
		"docker.io": false, "index.docker.io": false, "gcr.io": false, "ghcr.io": false, "quay.io": false, "public.ecr.aws": false, "registry.gitlab.com": false,
	})

// topLevels are the last labels of domains in texts. Labels that are more often the
// ends of file names are missing.
var topLevels = dated(origin{"IANA's root zone, and names for local use (RFC 6761, RFC 8375)", "2026-11-24"},
	set("com net org io dev app cloud internal local localdomain lan corp intra intranet home arpa example test invalid edu gov mil int info biz ai co tech "+
		"online site xyz uk de fr nl eu us ca cn jp ch at be es it se no fi dk cz in br au ru kr tw hk sg nz za mx ar pt gr hu ro ua il tr ae"))

// publicDomains are domains of Kubernetes and of well-known projects. They tell
// nothing about a cluster.
var publicDomains = dated(origin{"the domains of API groups and images of Kubernetes and its ecosystem", "2026-11-24"},
	[]string{"k8s.io", "kubernetes.io", "cluster.local", "cncf.io", "golang.org", "github.com", "openshift.io", "istio.io", "cert-manager.io", "helm.sh", "coreos.com", "docker.io", "gcr.io", "ghcr.io", "quay.io"})

// host returns the pseudonym of a host, which is a valid host. A port stays. In a name
// of the cluster's own DNS, service and namespace are mapped as names.
func (p *pseudonyms) host(s []byte) string {
	if colon := bytes.LastIndexByte(s, ':'); colon > 0 && isPort(s[colon+1:]) && bytes.IndexByte(s[:colon], ':') < 0 {
		return p.host(s[:colon]) + string(s[colon:])
	}
	if p.made[string(s)] || isPseudonym(s) {
		return string(s)
	}
	if a, ok := address(s); ok {
		return p.address(a)
	}
	name := string(s)
	switch {
	case everyday[name], name == "localhost", name == "*", name == "":
		return name
	case strings.HasPrefix(name, "*."):
		return "*." + p.host(s[2:])
	}
	at := strings.Index(name+".", ".svc.")
	if at < 0 {
		at = strings.Index(name+".", ".pod.")
	}
	if at > 0 {
		labels := strings.Split(name[:at], ".")
		for i, l := range labels {
			if !everyday[l] && !isPseudonym([]byte(l)) {
				labels[i] = p.of([]byte(l))
			}
		}
		return strings.Join(labels, ".") + name[at:]
	}
	return p.of(s)
}

// learnHost does what host does. It also has the host searched for in texts.
func (p *pseudonyms) learnHost(s []byte) string {
	by := p.host(s)
	if len(s) > 3 && bytes.IndexByte(s, '.') > 0 && bytes.IndexByte(s, ':') < 0 && by != string(s) {
		if _, isAddress := address(s); !isAddress {
			p.remember(s, by)
		}
	}
	return by
}

// address parses an IP address. ok is false for addresses that every machine has, such
// as 127.0.0.1.
func address(s []byte) (netip.Addr, bool) {
	if len(s) < 3 || len(s) > 45 || hexDigit(s[0]) < 0 && s[0] != ':' {
		return netip.Addr{}, false
	}
	parts := false
	for i, c := range s { // most words are none, and the parser's error costs more than this
		switch {
		case c == '.' || c == ':':
			parts = true
		case c == '%' && i > 0: // a zone follows
		case hexDigit(c) < 0 && bytes.IndexByte(s[:i], '%') < 0:
			return netip.Addr{}, false
		}
	}
	if !parts {
		return netip.Addr{}, false
	}
	a, err := netip.ParseAddr(string(s))
	if err != nil || a.IsLoopback() || a.IsUnspecified() || a.Is4() && (a.As4()[0] == 255 || a.As4()[0] == 0) {
		return netip.Addr{}, false
	}
	return a, true
}

// address returns the pseudonym of an IP address. It is in 240.0.0.0/4, which is
// reserved, or in 2001:db8::/32, which is for examples.
func (p *pseudonyms) address(a netip.Addr) string {
	b := a.As16()
	h := sipHash(p.k0, p.k1, b[:])
	if a.Unmap().Is4() {
		made := netip.AddrFrom4([4]byte{240 | byte(h)&7, byte(h >> 8), byte(h >> 16), byte(h >> 24)}).String()
		p.made[made] = true
		return made
	}
	var by [16]byte
	copy(by[:], []byte{0x20, 0x01, 0x0d, 0xb8})
	binary.BigEndian.PutUint64(by[8:], h)
	made := netip.AddrFrom16(by).String()
	p.made[made] = true
	return made
}

// id returns the pseudonym of an identifier. It replaces digits and letters, and keeps
// other characters.
func (p *pseudonyms) id(s []byte) string {
	out := bytes.Clone(s)
	hex := isHex(s)
	h := uint64(0)
	for i, c := range out {
		if i%12 == 0 {
			h = sipHash(p.k0, p.k1+uint64(i)+1, s)
		}
		switch {
		case hex && c != '-':
			out[i] = "0123456789abcdef"[h&15]
			h >>= 4
		case isDigit(c):
			out[i] = '0' + byte(h%10)
			h >>= 4
		case 'a' <= lower(c) && lower(c) <= 'z':
			out[i] = 'a' + byte(h%26)
			h >>= 5
		}
	}
	return string(out)
}

// providerID returns the pseudonym of a providerID. The scheme stays, which names the
// cloud.
func (p *pseudonyms) providerID(s []byte) string {
	scheme := 0
	if at := bytes.Index(s, []byte("://")); at > 0 {
		scheme = at + len("://")
	}
	out := string(s[:scheme])
	for i, part := range strings.Split(string(s[scheme:]), "/") { // a name that is known stays the same one
		if i > 0 {
			out += "/"
		}
		if by, ok := p.known[part]; ok {
			out += by
		} else {
			out += p.id([]byte(part))
		}
	}
	return out
}

// trackingID returns the pseudonym of Argo CD's app:group/kind:namespace/name.
func (p *pseudonyms) trackingID(s []byte) string {
	parts := strings.Split(string(s), ":")
	for i, part := range parts {
		if len(parts) == 3 && i == 1 {
			continue
		}
		names := strings.Split(part, "/")
		for j := range names {
			names[j] = p.of([]byte(names[j]))
		}
		parts[i] = strings.Join(names, "/")
	}
	return strings.Join(parts, ":")
}

// image returns the pseudonym of an image's name. The tag stays.
func (p *pseudonyms) image(s []byte) string {
	name, digest, digested := strings.Cut(string(s), "@")
	scheme := ""
	if at := strings.Index(name, "://"); at >= 0 {
		scheme, name = name[:at+3], name[at+3:]
	}
	tag := ""
	if at := strings.LastIndexByte(name, ':'); at > strings.LastIndexByte(name, '/') {
		name, tag = name[:at], name[at:]
	}
	if digested {
		kind, hash, ok := strings.Cut(digest, ":")
		if ok {
			tag += "@" + kind + ":" + p.id([]byte(hash))
		} else {
			tag += "@" + p.id([]byte(digest))
		}
	}
	if scheme != "" && !digested && isHex([]byte(name)) { // a container's own identifier
		return scheme + p.id([]byte(name))
	}
	if kind := strings.TrimPrefix(tag, ":"); name == "sha256" && isHex([]byte(kind)) {
		return scheme + name + ":" + p.id([]byte(kind))
	}
	parts := strings.Split(name, "/")
	first := 0
	if len(parts) > 1 && (strings.ContainsAny(parts[0], ".:") || parts[0] == "localhost") {
		first = 1
		everything, public := publicRegistries[parts[0]]
		if everything || public && len(parts) == 3 && parts[1] == "library" {
			return scheme + name + tag
		}
		if !public {
			parts[0] = p.learnHost([]byte(parts[0]))
		}
	} else if len(parts) == 1 { // an official image of Docker Hub
		return scheme + name + tag
	}
	for i := first; i < len(parts); i++ {
		parts[i] = p.of([]byte(parts[i]))
	}
	return scheme + strings.Join(parts, "/") + tag
}

// place returns the pseudonym of the address or the domain that word begins with, and
// the part of word that it replaces. The pseudonym is empty if there is none.
func (p *pseudonyms) place(word []byte) (_ []byte, by string) {
	if p.made[string(word)] {
		return word, ""
	}
	if a, ok := address(word); ok {
		return word, p.address(a)
	}
	if bytes.HasPrefix(word, []byte("S-1-5-21-")) { // of Windows
		by = string(word[:9]) + p.id(word[9:])
		p.made[by] = true
		return word, by
	}
	if len(word) == 17 && (bytes.Count(word, []byte{':'}) == 5 || bytes.Count(word, []byte{'-'}) == 5) && isHex(bytes.ReplaceAll(word, []byte{':'}, nil)) {
		by = p.id(word) // the address of a network card
		p.made[by] = true
		return word, by
	}
	if colon := bytes.IndexByte(word, ':'); colon > 0 {
		if p.made[string(word[:colon])] {
			return word[:colon], ""
		}
		if a, ok := address(word[:colon]); ok {
			return word[:colon], p.address(a)
		}
		word = word[:colon]
	}
	if isPseudonym(word) {
		return word, ""
	}
	if bytes.HasPrefix(word, []byte("ip-")) && portLike(word[3:]) && bytes.Count(word, []byte{'-'}) == 4 {
		return word, p.of(word)
	}
	dot := bytes.LastIndexByte(word, '.')
	if dot <= 0 || !topLevels[strings.ToLower(string(word[dot+1:]))] {
		return word, ""
	}
	for _, public := range publicDomains {
		if string(word) == public || bytes.HasSuffix(word, []byte("."+public)) && !bytes.HasSuffix(word, []byte(".svc.cluster.local")) && !bytes.HasSuffix(word, []byte(".pod.cluster.local")) {
			return word, ""
		}
	}
	if by = p.host(word); by == string(word) {
		by = ""
	}
	return word, by
}

// isPseudonym reports whether word has the form of the pseudonyms that pseudonyms.of makes.
func isPseudonym(word []byte) bool { return len(word) == 12 && word[0] == 'n' && word[1] == '-' }
