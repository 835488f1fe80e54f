package kwok

import (
	"slices"
	"strings"
)

// patcher applies patches to objects, as the API server does: strategic merge
// patches to the kinds that Kubernetes itself has, and JSON merge patches (RFC
// 7396) to all others, which is what strategic is about.
//
// Objects are as JSON decoders make them. What is patched is changed, and may
// hold parts of the patch afterwards.
type patcher struct{ strategic bool }

// mergeKeys are the fields that hold lists whose elements a strategic merge patch
// merges, and by which field of theirs it knows them ("" for lists of plain
// values): what the types of Kubernetes have as patchMergeKey. Names before a dot
// are the field around; all other lists are replaced.
var mergeKeys = map[string]string{
	"addresses":                            "type",
	"conditions":                           "type",
	"containers":                           "name",
	"drivers":                              "name",
	"env":                                  "name",
	"ephemeralContainers":                  "name",
	"healthConditions":                     "status",
	"hostAliases":                          "ip",
	"hostIPs":                              "ip",
	"imagePullSecrets":                     "name",
	"initContainers":                       "name",
	"matchConditions":                      "name",
	"metadata.finalizers":                  "",
	"metadata.ownerReferences":             "uid",
	"nodeAllocatableResourceClaimStatuses": "resourceClaimName",
	"podCIDRs":                             "",
	"podIPs":                               "ip",
	"ports":                                "containerPort",
	"reservedFor":                          "uid",
	"resourceClaimStatuses":                "name",
	"schedulingGates":                      "name",
	"secrets":                              "name",
	"spec.ports":                           "port",
	"spec.resourceClaims":                  "name",
	"topologySpreadConstraints":            "topologyKey",
	"variables":                            "name",
	"volumeDevices":                        "devicePath",
	"volumeMounts":                         "mountPath",
	"volumes":                              "name",
	"webhooks":                             "name",
}

// mergeKey returns how elements of the list in a field are known, by which field
// around it.
func mergeKey(around, field string) (key string, merged bool) {
	if key, merged = mergeKeys[around+"."+field]; !merged {
		key, merged = mergeKeys[field]
	}
	return key, merged
}

// What the names of directives begin with in a strategic merge patch.
const (
	directive    = "$patch"
	retainKeys   = "$retainKeys"
	elementOrder = "$setElementOrder/"
	fromPlain    = "$deleteFromPrimitiveList/"
)

// object patches old, which is in the field called around, and returns it.
func (p patcher) object(old, patch map[string]any, around string) map[string]any {
	if p.strategic {
		if how := patch[directive]; how == "replace" || how == "delete" {
			old = nil
		}
		if keep, ok := patch[retainKeys].([]any); ok {
			for name := range old {
				if !slices.Contains(keep, any(name)) {
					delete(old, name)
				}
			}
		}
	}
	if old == nil {
		old = map[string]any{}
	}
	for name, value := range patch {
		if p.strategic && strings.HasPrefix(name, "$") {
			continue
		}
		switch value := value.(type) {
		case nil:
			// A null that is there is how a type writes its zero value (a condition's
			// lastProbeTime), and comes back.
			if old[name] != nil {
				delete(old, name)
			}
		case map[string]any:
			if p.strategic && value[directive] == "delete" {
				delete(old, name)
				continue
			}
			inner, _ := old[name].(map[string]any)
			old[name] = p.object(inner, value, name)
		case []any:
			before, _ := old[name].([]any)
			old[name] = p.list(before, value, around, name)
		default:
			old[name] = value
		}
	}
	if p.strategic {
		p.direct(old, patch, around)
	}
	return old
}

// direct does what the directives of a patch say about lists: after the patch is
// merged, because elements that came with it are put in order too.
func (p patcher) direct(old, patch map[string]any, around string) {
	for name, value := range patch {
		list, _ := value.([]any)
		if field, ok := strings.CutPrefix(name, fromPlain); ok {
			if all, ok := old[field].([]any); ok {
				old[field] = slices.DeleteFunc(all, func(x any) bool { return isPlain(x) && slices.ContainsFunc(list, equals(x)) })
			}
		}
	}
	for name, value := range patch {
		list, _ := value.([]any)
		if field, ok := strings.CutPrefix(name, elementOrder); ok {
			if all, ok := old[field].([]any); ok {
				key, _ := mergeKey(around, field)
				order(all, list, key)
			}
		}
	}
}

// list patches the list in a field.
func (p patcher) list(old, patch []any, around, field string) []any {
	key, merged := mergeKey(around, field)
	if !p.strategic || !merged {
		return patch
	}
	for i, x := range patch {
		element, _ := x.(map[string]any)
		switch {
		case key == "" && isPlain(x):
			if !slices.ContainsFunc(old, equals(x)) {
				old = append(old, x)
			}
			continue
		case key == "" || element == nil:
			return patch // it is not such a list, whatever its name
		case element[directive] == "replace" && len(element) == 1:
			return slices.Delete(patch, i, i+1)
		case element[key] == nil:
			return patch
		}
		at := slices.IndexFunc(old, func(o any) bool { return hasMergeKey(o, key, element[key]) })
		switch {
		case element[directive] == "delete":
			if at >= 0 {
				old = slices.Delete(old, at, at+1)
			}
		case at < 0:
			old = append(old, element) // with nulls in it, as the API server does
		default:
			before, _ := old[at].(map[string]any)
			old[at] = p.object(before, element, field)
		}
	}
	return old
}

// order puts a list's elements in the order of others that are known by key;
// those that it doesn't name go to the end.
func order(all, by []any, key string) {
	place := func(x any) int {
		i := slices.IndexFunc(by, func(o any) bool {
			if named, ok := o.(map[string]any); ok && key != "" {
				return hasMergeKey(x, key, named[key])
			}
			return isPlain(o) && isPlain(x) && o == x
		})
		if i < 0 {
			return len(by)
		}
		return i
	}
	slices.SortStableFunc(all, func(a, b any) int { return place(a) - place(b) })
}

// hasMergeKey reports whether the field key of o, its merge key, has this value.
func hasMergeKey(o any, key string, value any) bool {
	m, ok := o.(map[string]any)
	return ok && isPlain(value) && isPlain(m[key]) && m[key] == value
}

// equals returns a function that reports whether its argument is the plain value x.
func equals(x any) func(any) bool {
	return func(o any) bool { return isPlain(o) && o == x }
}

// isPlain reports whether x can be compared: neither an object nor a list.
func isPlain(x any) bool {
	switch x.(type) {
	case map[string]any, []any:
		return false
	}
	return true
}
