package doctorcmd

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/informerscope/informerscope/replay/cmd/informerscope/internal/cli"
	"github.com/informerscope/informerscope/replay/doctor"
)

// builtIn are resources of Kubernetes that need not be looked up.
var builtIn = map[string]struct {
	at    string // group and version
	whole bool   // it is in no namespace
}{
	"pods": {at: "/api/v1"}, "services": {at: "/api/v1"}, "configmaps": {at: "/api/v1"}, "secrets": {at: "/api/v1"},
	"events": {at: "/api/v1"}, "endpoints": {at: "/api/v1"}, "serviceaccounts": {at: "/api/v1"}, "persistentvolumeclaims": {at: "/api/v1"},
	"nodes": {"/api/v1", true}, "namespaces": {"/api/v1", true}, "persistentvolumes": {"/api/v1", true},
	"deployments": {at: "/apis/apps/v1"}, "replicasets": {at: "/apis/apps/v1"}, "statefulsets": {at: "/apis/apps/v1"}, "daemonsets": {at: "/apis/apps/v1"},
	"jobs": {at: "/apis/batch/v1"}, "cronjobs": {at: "/apis/batch/v1"},
	"endpointslices": {at: "/apis/discovery.k8s.io/v1"}, "leases": {at: "/apis/coordination.k8s.io/v1"}, "ingresses": {at: "/apis/networking.k8s.io/v1"},
}

// known returns the names of builtIn.
func known() []string { return slices.Sorted(maps.Keys(builtIn)) }

// resolve finds a resource's path, and says how many requests that has taken.
func (o *options) resolve(ctx context.Context, h doctor.Hop, name string) (doctor.Resource, int, error) {
	where, of := "", ""
	if o.namespace != "" {
		where, of = "/namespaces/"+url.PathEscape(o.namespace), " in "+o.namespace
	}
	resource, group, _ := strings.Cut(name, ".")
	b, ok := builtIn[resource]
	switch {
	case strings.HasPrefix(name, "/"):
		u, err := url.Parse(name)
		if err != nil || u.RawQuery != "" || u.Fragment != "" || u.Host != "" {
			return doctor.Resource{}, 0, cli.Wrong("invalid path of a list %q; want, for example, /apis/example.com/v1/widgets", name)
		}
		return doctor.Resource{Name: name, Path: strings.TrimSuffix(u.EscapedPath(), "/")}, 0, nil
	case ok && b.whole && (group == "" || strings.HasPrefix(b.at, "/apis/"+group+"/")):
		return doctor.Resource{Name: name, Path: b.at + "/" + resource}, 0, nil
	case ok && (group == "" || strings.HasPrefix(b.at, "/apis/"+group+"/")):
		return doctor.Resource{Name: name + of, Path: b.at + where + "/" + resource}, 0, nil
	case group == "":
		return doctor.Resource{}, 0, cli.Wrong("unknown resource %q of Kubernetes; want NAME.GROUP, or a path such as /apis/example.com/v1/widgets", name)
	case o.dryRun:
		return doctor.Resource{Name: name + of, Path: "/apis/" + url.PathEscape(group) + "/<the preferred version>" + where + "/" + url.PathEscape(resource)}, 1, nil
	}
	version, err := preferred(ctx, h, group)
	if err != nil {
		return doctor.Resource{}, 1, fmt.Errorf("the group %s: %w", cli.Printable(group), err)
	}
	return doctor.Resource{Name: name + of, Path: "/apis/" + url.PathEscape(group) + "/" + url.PathEscape(version) + where + "/" + url.PathEscape(resource)}, 1, nil
}

// preferred asks which version of a group the server prefers.
func preferred(ctx context.Context, h doctor.Hop, group string) (string, error) {
	a, err := h.Get(ctx, "/apis/"+url.PathEscape(group))
	if err != nil {
		return "", err
	}
	defer a.Body.Close()
	text, err := io.ReadAll(io.LimitReader(a.Body, 1<<20))
	if err != nil {
		return "", err
	}
	var about struct {
		Message          string
		PreferredVersion struct{ Version string }
	}
	switch err := json.Unmarshal(text, &about); {
	case a.Code != 200:
		return "", fmt.Errorf("%d %s", a.Code, cli.Printable(about.Message))
	case err != nil:
		return "", err
	case about.PreferredVersion.Version == "":
		return "", fmt.Errorf("the server doesn't say which version it prefers")
	}
	return about.PreferredVersion.Version, nil
}
