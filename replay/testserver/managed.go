package testserver

import (
	"encoding/json"
	"maps"
	"strings"
)

// empty returns an object before anything is written to it.
func (k *kind) empty(namespace, name string) tree {
	meta := tree{"name": name}
	if !k.Cluster {
		meta["namespace"] = namespace
	}
	return tree{"apiVersion": k.groupVersion(), "kind": k.Kind, "metadata": meta}
}

// managed returns an object with the fields that its writer manages, unless apply has made it.
func (r *request) managed(s *Server, live, o tree) (tree, *failure) {
	if s.opts.Fields == nil || r.applied {
		return o, nil
	}
	o = maps.Clone(o)
	o["kind"], o["apiVersion"] = r.kind.Kind, r.kind.groupVersion()
	b := asJSON(o)
	manager := r.query.Get("fieldManager")
	if manager == "" {
		manager, _, _ = strings.Cut(r.Header.Get("User-Agent"), "/")
	}
	return r.fields(s, live, b, manager, false, true)
}

// fields calls Options.Fields.
func (r *request) fields(s *Server, live tree, object []byte, manager string, apply, force bool) (tree, *failure) {
	b := asJSON(live)
	out, err := s.opts.Fields(r.subresource, b, object, manager, apply, force)
	if err != nil {
		return nil, r.refusal(err)
	}
	var o tree
	if err := decode(out, &o); err != nil {
		return nil, badRequest("%v", err)
	}
	return o, nil
}

// refusal returns the failure that an error stands for.
func (r *request) refusal(err error) *failure {
	var known struct {
		ErrStatus struct {
			Code            int
			Reason, Message string
			Details         tree
		}
	}
	b, failed := json.Marshal(err)
	if failed != nil || json.Unmarshal(b, &known) != nil || known.ErrStatus.Code == 0 {
		return badRequest("%v", err)
	}
	f := r.kind.objectFailure(known.ErrStatus.Code, known.ErrStatus.Reason, r.name, "%s", known.ErrStatus.Message)
	maps.Copy(f.details, known.ErrStatus.Details)
	return f
}

// timeless returns managed fields without the times at which they were written.
func timeless(fields any) any {
	list, _ := fields.([]any)
	var out []any
	for _, one := range list {
		entry, _ := one.(tree)
		entry = maps.Clone(entry)
		delete(entry, "time")
		out = append(out, entry)
	}
	return out
}
