package audit

import (
	"strings"

	"github.com/informerscope/informerscope/engine/object"
	"github.com/informerscope/informerscope/replay/convert/internal/api"
	"github.com/informerscope/informerscope/replay/convert/internal/capture"
	"github.com/informerscope/informerscope/replay/trace"
)

// isGone reports whether an object that is marked for deletion has been deleted.
func (a *auditor) isGone(r *tracked, o *answer, raw []byte) bool {
	m := &o.Metadata
	if m.DeletionTimestamp == "" || m.Grace != 0 || len(m.Finalizers) > 0 {
		return false
	}
	if r.Kind == "Namespace" && r.Group == "" {
		return !api.Filled(api.Member(api.Member(raw, "spec"), "finalizers"))
	}
	return true
}

// deletedCollection reads the answer to the deletion of many: they are as they
// were before.
func (a *auditor) deletedCollection() error {
	r, request, list := a.resource(), a.e.RequestObject, a.e.ResponseObject
	if isDryRun(request) {
		a.counts.others++
		return nil
	}
	if !strings.HasSuffix(a.o.Kind, "List") {
		a.counts.nameless++
		return nil
	}
	kind := strings.TrimSuffix(a.o.Kind, "List")
	r.sawKind(kind)
	rv := api.Number(a.o.Metadata.ResourceVersion)
	now := string(api.Member(request, "gracePeriodSeconds")) == "0"
	var o trace.Object
	var failed error
	err := trace.Items(list, 0, &o, func(src object.Source) error {
		raw := list[src.Offset : src.Offset+int64(src.Length)]
		if kind == "Pod" && !now && !endsAtOnce(raw) || api.Filled(api.Member(api.Member(raw, "metadata"), "finalizers")) {
			a.counts.unseen++ // it was only marked, and later requests say what became of it
			return nil
		}
		m := &o.Metadata
		failed = a.hold(r, &audited{
			how: lastState, typ: "DELETED", at: a.now, after: rv, namespace: m.Namespace, name: m.Name, uid: m.UID,
			raw: api.WithKind(raw, api.Resource{Group: r.Group, Version: r.Version, Kind: kind}),
		})
		return failed
	})
	if failed != nil {
		return failed
	}
	return err
}

// notFound reads the answer to a request for an object that isn't there. If it was
// there before, then it was deleted in a way that isn't logged.
func (a *auditor) notFound() error {
	ref := &a.e.ObjectRef
	r := a.resource()
	x := &audited{how: unfound, typ: "DELETED", at: a.now, namespace: ref.Namespace, name: ref.Name, uid: ref.UID}
	if r.Resource.Resource == "namespaces" && r.Group == "" {
		x.namespace = ""
	}
	a.counts.others++
	return a.hold(r, x)
}

// endsAtOnce reports whether a pod is deleted without a grace period, because it is
// on no node or has ended.
func endsAtOnce(raw []byte) bool {
	phase := api.FirstField(api.Member(raw, "status"), "phase")
	return api.FirstField(api.Member(raw, "spec"), "nodeName") == "" || phase == "Succeeded" || phase == "Failed"
}

func isDryRun(options []byte) bool { return api.Filled(api.Member(options, "dryRun")) }

// object is what is shown of a changed object, nil where nothing can be.
func (a *auditor) object(r *tracked, x *audited, old *capture.Known) []byte {
	switch x.how {
	case answered:
		return x.raw
	case metadataOnly, scaled:
		field := "metadata"
		from := x.raw
		if x.how == scaled {
			field, from = "replicas", api.Member(x.raw, "spec")
		}
		value := api.Member(from, field)
		if old == nil || old.Raw == nil || value == nil {
			if x.how == scaled {
				return nil
			}
			return x.raw
		}
		if x.how == metadataOnly {
			return api.SetMember(old.Raw, field, value)
		}
		spec := api.Member(old.Raw, "spec")
		if spec == nil {
			return nil
		}
		return api.SetMember(old.Raw, "spec", api.SetMember(spec, field, value))
	case lastState, unfound:
		if old != nil && old.Raw != nil {
			return old.Raw
		}
		if x.raw != nil {
			return x.raw
		}
		a.counts.bodiless++
	case worse:
		if x.typ == "DELETED" && old != nil && old.Raw != nil {
			return old.Raw
		}
		if x.raw != nil {
			return x.raw
		}
	}
	return api.BareObject(r.Resource, x.namespace, x.name, x.uid)
}
