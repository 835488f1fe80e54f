package testserver

import (
	"maps"
	"slices"
	"strings"
)

// discovery tells clients what there is.
type discovery struct {
	kinds    []*kind
	recorded *Recording // nil for none
}

// versionsOf returns the versions of a group, "" for core, in the order of the resources.
func (d discovery) versionsOf(group string) []string {
	var all []string
	for _, r := range d.kinds {
		if r.Group == group && !slices.Contains(all, r.Version) {
			all = append(all, r.Version)
		}
	}
	return all
}

func (d discovery) groups() []string {
	var all []string
	for _, r := range d.kinds {
		if r.Group != "" {
			all = append(all, r.Group)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

var verbs = []string{"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"}

// answer answers /api, /apis and what is below them down to a version's resources. It
// returns nil for everything else.
func (d discovery) answer(path []string) tree {
	switch {
	case len(path) == 1 && path[0] == "version":
		v := tree{"major": "1", "minor": "37", "gitVersion": "v1.37.0-testserver", "platform": "testserver"}
		if d.recorded != nil && d.recorded.Version != "" {
			v["gitVersion"] = d.recorded.Version
		}
		return v
	case len(path) == 1 && path[0] == "api":
		return tree{"kind": "APIVersions", "versions": d.versionsOf(""), "serverAddressByClientCIDRs": []any{}}
	case len(path) == 1 && path[0] == "apis":
		list := []any{}
		for _, g := range d.groups() {
			list = append(list, d.group(g))
		}
		return tree{"kind": "APIGroupList", "apiVersion": "v1", "groups": list}
	case len(path) == 2 && path[0] == "apis" && slices.Contains(d.groups(), path[1]):
		g := d.group(path[1])
		g["kind"], g["apiVersion"] = "APIGroup", "v1"
		return g
	case len(path) == 2 && path[0] == "api":
		return d.resourceList("", path[1])
	case len(path) == 3 && path[0] == "apis":
		return d.resourceList(path[1], path[2])
	}
	return nil
}

func (d discovery) group(name string) tree {
	var versions []any
	for _, v := range d.versionsOf(name) {
		versions = append(versions, tree{"groupVersion": name + "/" + v, "version": v})
	}
	return tree{"name": name, "versions": versions, "preferredVersion": versions[0]}
}

func (d discovery) resourceList(group, version string) tree {
	list, name := []any{}, ""
	for _, r := range d.kinds {
		if r.Group != group || r.Version != version {
			continue
		}
		name = r.GroupVersion()
		entry := tree{"name": r.Name, "singularName": strings.ToLower(r.Kind), "namespaced": !r.Cluster, "kind": r.Kind, "verbs": verbs}
		if len(r.ShortNames) > 0 {
			entry["shortNames"] = r.ShortNames
		}
		if list = append(list, entry); d.recorded != nil && !d.recorded.Writable {
			entry["verbs"] = []string{"get", "list", "watch"}
			continue
		}
		below := func(name, kind string, verbs ...string) tree {
			entry := tree{"name": r.Name + "/" + name, "singularName": "", "namespaced": !r.Cluster, "kind": kind, "verbs": verbs}
			list = append(list, entry)
			return entry
		}
		if r.Kind == "Pod" {
			maps.Copy(below("eviction", "Eviction", "create"), tree{"group": "policy", "version": "v1"})
		}
		if r.Scale {
			maps.Copy(below("scale", "Scale", "get", "patch", "update"), tree{"group": "autoscaling", "version": "v1"})
		}
		if r.Status {
			below("status", r.Kind, "get", "patch", "update")
		}
	}
	if len(list) == 0 {
		return nil
	}
	return tree{"kind": "APIResourceList", "apiVersion": "v1", "groupVersion": name, "resources": list}
}
