package follow

import (
	"slices"
	"sort"
	"strings"

	json "github.com/goccy/go-json"

	"github.com/informerscope/informerscope/engine/fault"
	"github.com/informerscope/informerscope/replay/trace"
)

// DiscoveryAccept is the Accept header to discover with: servers since v1.27
// then answer at /api and /apis with all that they have (aggregated discovery).
const DiscoveryAccept = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList," +
	"application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json"

// Limits of what a server may tell, far above what any server has.
const (
	maxGroups    = 2000
	maxResources = 20000
	maxDiscovery = 64 << 20 // bytes of one answer
)

// Resource is something that can be watched.
type Resource struct {
	Group, Version, Resource string // "apps", "v1", "deployments"
	Kind                     string
	Singular                 string
	ShortNames               []string
	Namespaced               bool
}

// Path is where to list and watch it: everywhere, or in one namespace. A
// resource without namespaces is always listed and watched as a whole.
func (r Resource) Path(namespace string) string {
	var b strings.Builder
	if r.Group == "" {
		b.WriteString("/api/")
	} else {
		b.WriteString("/apis/")
		escape(&b, r.Group)
		b.WriteByte('/')
	}
	escape(&b, r.Version)
	if namespace != "" && r.Namespaced {
		b.WriteString("/namespaces/")
		escape(&b, namespace)
	}
	b.WriteByte('/')
	escape(&b, r.Resource)
	return b.String()
}

// Name is the resource as kubectl names it: "pods", "deployments.apps".
func (r Resource) Name() string {
	if r.Group == "" {
		return r.Resource
	}
	return r.Resource + "." + r.Group
}

// Discovery finds out what can be watched. Its caller asks for the paths that
// Next says, with DiscoveryAccept, and hands in the Answers, in any order. It
// looks only at the version of a group that the server prefers.
type Discovery struct {
	ask    []string
	found  []Resource
	groups int
}

// NewDiscovery returns a Discovery that has not asked for anything yet.
func NewDiscovery() *Discovery { return &Discovery{ask: []string{"/api", "/apis"}} }

// Next returns what is to be asked for and was not returned before. When all of
// it is answered and there is no more, the Discovery is complete.
func (d *Discovery) Next() []string {
	ask := d.ask
	d.ask = nil
	return ask
}

// Resources returns what was found so far, each once, ordered by group and name.
func (d *Discovery) Resources() []Resource {
	sort.SliceStable(d.found, func(i, j int) bool {
		a, b := &d.found[i], &d.found[j]
		return a.Group < b.Group || a.Group == b.Group && a.Resource < b.Resource
	})
	return d.found
}

// discovered is any of the answers: APIVersions, APIGroupList, APIResourceList
// and APIGroupDiscoveryList.
type discovered struct {
	Kind     string   `json:"kind"`
	Message  string   `json:"message"`
	Versions []string `json:"versions"`
	Groups   []struct {
		Name             string `json:"name"`
		PreferredVersion struct {
			GroupVersion string `json:"groupVersion"`
		} `json:"preferredVersion"`
	} `json:"groups"`
	GroupVersion string `json:"groupVersion"`
	Resources    []struct {
		Name         string   `json:"name"`
		SingularName string   `json:"singularName"`
		Kind         string   `json:"kind"`
		Namespaced   bool     `json:"namespaced"`
		Verbs        []string `json:"verbs"`
		ShortNames   []string `json:"shortNames"`
	} `json:"resources"`
	Items []struct {
		Metadata struct {
			Name string `json:"name"`
		} `json:"metadata"`
		Versions []struct {
			Version   string `json:"version"`
			Resources []struct {
				Resource         string   `json:"resource"`
				SingularResource string   `json:"singularResource"`
				Scope            string   `json:"scope"`
				Verbs            []string `json:"verbs"`
				ShortNames       []string `json:"shortNames"`
				ResponseKind     struct {
					Kind string `json:"kind"`
				} `json:"responseKind"`
			} `json:"resources"`
		} `json:"versions"`
	} `json:"items"`
}

// Answer takes what came for a path. An error says that it is no discovery. The
// resources of other answers stay.
func (d *Discovery) Answer(path string, body []byte) error {
	var a discovered
	switch {
	case len(body) > maxDiscovery:
		return fault.New("named name why", path, fault.Number("longBody max", maxDiscovery))
	case !trace.Shallow(body):
		return fault.New("named name why", path, fault.Number("deepAnswer max", trace.MaxDepth))
	}
	if err := json.Unmarshal(body, &a); err != nil {
		return fault.New("named name why", path, fault.Of("answerNoJSON begins", begin(body)))
	}
	switch a.Kind {
	case "APIVersions":
		if len(a.Versions) > 0 { // the core group will never have another version
			return d.later(path + "/" + a.Versions[0])
		}
	case "APIGroupList":
		for _, g := range a.Groups {
			if err := d.later(path + "/" + g.PreferredVersion.GroupVersion); err != nil {
				return err
			}
		}
	case "APIResourceList":
		group, version, ok := strings.Cut(a.GroupVersion, "/")
		if !ok {
			group, version = "", a.GroupVersion
		}
		for _, r := range a.Resources {
			if err := d.add(r.Verbs, Resource{
				Group: group, Version: version, Resource: r.Name, Kind: r.Kind,
				Singular: r.SingularName, ShortNames: r.ShortNames, Namespaced: r.Namespaced,
			}); err != nil {
				return err
			}
		}
	case "APIGroupDiscoveryList":
		return d.aggregated(&a)
	case "Status":
		return fault.New("named name why", path, a.Message)
	default:
		return fault.New("named name why", path, fault.Of("answerNoDiscovery begins", begin(body)))
	}
	return nil
}

// aggregated takes an aggregated answer, which has all resources.
func (d *Discovery) aggregated(a *discovered) error {
	for _, g := range a.Items {
		if len(g.Versions) == 0 {
			continue
		}
		preferred := g.Versions[0] // they come in the order of preference
		for _, r := range preferred.Resources {
			if err := d.add(r.Verbs, Resource{
				Group: g.Metadata.Name, Version: preferred.Version, Resource: r.Resource, Kind: r.ResponseKind.Kind,
				Singular: r.SingularResource, ShortNames: r.ShortNames, Namespaced: r.Scope == "Namespaced",
			}); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *Discovery) later(path string) error {
	if d.groups++; d.groups > maxGroups {
		return fault.Number("manyGroups max", maxGroups)
	}
	d.ask = append(d.ask, path)
	return nil
}

// add keeps a resource that can be both listed and watched, and is no subresource.
func (d *Discovery) add(verbs []string, r Resource) error {
	if !slices.Contains(verbs, "list") || !slices.Contains(verbs, "watch") || r.Resource == "" || strings.Contains(r.Resource, "/") {
		return nil
	}
	if len(d.found) >= maxResources {
		return fault.Number("manyResources max", maxResources)
	}
	d.found = append(d.found, r)
	return nil
}

// Find finds the resource that people name as kubectl lets them: by its plural,
// singular, kind or a short name, with ".GROUP" after it where that is needed.
// If several have that name, the core group's comes first.
func Find(all []Resource, name string) (r Resource, ok bool) {
	name = strings.ToLower(name)
	matches := []func(r Resource) bool{
		func(r Resource) bool { return name == r.Name() || name == r.Resource+"."+r.Version+"."+r.Group },
		func(r Resource) bool { return name == r.Resource },
		func(r Resource) bool { return names(r, name) },
		func(r Resource) bool {
			short, group, _ := strings.Cut(name, ".")
			return group != "" && group == r.Group && names(r, short)
		},
	}
	for _, is := range matches {
		if i := slices.IndexFunc(all, is); i >= 0 {
			return all[i], true
		}
	}
	return r, false
}

func names(r Resource, name string) bool {
	return name == strings.ToLower(r.Kind) || name == r.Singular || slices.Contains(r.ShortNames, name)
}
