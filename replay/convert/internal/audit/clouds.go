package audit

import (
	"strings"

	"github.com/informerscope/informerscope/replay/convert/internal/api"
	"github.com/informerscope/informerscope/replay/convert/internal/capture"
	"github.com/informerscope/informerscope/replay/jsonscan"
	"github.com/informerscope/informerscope/replay/trace"
)

// Payload is an audit event that somebody has wrapped, or written in another form.
var Payload = capture.Payload{
	Extract: func(b []byte) []byte {
		if isEvent(b) {
			return b
		}
		for _, name := range []string{"protoPayload", "protopayload_auditlog"} { // the latter is BigQuery's
			if payload := api.Member(b, name); payload != nil {
				return ofGoogle(b, payload)
			}
		}
		if api.FirstField(b, "AuditId") != "" && api.FirstField(b, "Stage") != "" {
			return ofAzure(b)
		}
		return nil
	},
}

// eventFields are the fields of an audit event that are read, with their names in Azure's tables AKSAudit and
// AKSAuditAdmin.
var eventFields = []struct{ name, azure string }{
	{"level", "Level"}, {"auditID", "AuditId"}, {"stage", "Stage"}, {"requestURI", "RequestUri"}, {"verb", "Verb"},
	{"objectRef", "ObjectRef"}, {"responseStatus", "ResponseStatus"}, {"requestObject", "RequestObject"}, {"responseObject", "ResponseObject"},
	{"requestReceivedTimestamp", "RequestReceivedTime"}, {"stageTimestamp", "StageReceivedTime"},
}

// ofAzure makes an audit event of a row of these tables. Objects may be text there.
func ofAzure(b []byte) []byte {
	out := []byte(`{"kind":"Event","apiVersion":"audit.k8s.io/v1"`)
	for _, f := range eventFields {
		v := api.Member(b, f.azure)
		if v == nil || string(v) == "null" || string(v) == `""` {
			continue
		}
		if s, ok := jsonscan.Unquote(v); ok && strings.HasPrefix(s, "{") && jsonscan.Valid([]byte(s)) {
			v = []byte(s)
		}
		out = append(jsonscan.AppendString(append(out, ','), f.name), ':')
		out = append(out, v...)
	}
	return append(out, '}')
}

// googleLevel marks the events that are made of Google's.
const googleLevel = "Google"

// codes are the codes of HTTP for gRPC's codes, which Google writes.
var codes = map[string]string{"5": "404", "6": "409", "7": "403", "9": "409", "10": "409", "16": "401", "3": "400", "4": "504", "8": "429", "13": "500", "14": "503"}

// ofGoogle makes an audit event of an entry of Cloud Audit Logs about a cluster; nil where it is none of those.
// Its methodName is as io.k8s.apps.v1.deployments.patch, and its resourceName as apps/v1/namespaces/x/deployments/web.
func ofGoogle(entry, payload []byte) []byte {
	method, ok := strings.CutPrefix(api.FirstField(payload, "methodName"), "io.k8s.")
	parts := strings.Split(api.FirstField(payload, "resourceName"), "/")
	if i := strings.LastIndexByte(method, '.'); !ok || i < 0 || len(parts) < 3 {
		return nil
	} else {
		method = method[i+1:]
	}
	group, version, rest := parts[0], parts[1], parts[2:]
	if group == "core" {
		group = ""
	}
	uri := "/apis/" + group + "/" + version
	if group == "" {
		uri = "/api/" + version
	}
	uri += "/" + strings.Join(rest, "/")
	var ref reference
	if rest[0] == "namespaces" && len(rest) > 2 {
		ref.Namespace, rest = rest[1], rest[2:]
	}
	ref.Resource = rest[0]
	if len(rest) > 1 {
		ref.Name = rest[1]
	}
	if len(rest) > 2 {
		ref.Subresource = strings.Join(rest[2:], "/")
	}
	resource := api.Resource{Group: group, Version: version, Resource: ref.Resource}
	code := string(api.Member(api.Member(payload, "status"), "code"))
	switch {
	case code == "" || code == "0":
		code = "200"
		if method == "create" {
			code = "201"
		}
	case codes[code] != "":
		code = codes[code]
	default:
		code = "500"
	}
	out := []byte(`{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"` + googleLevel + `","stage":"ResponseComplete"`)
	text := func(name, value string) {
		if value != "" {
			out = append(jsonscan.AppendString(append(out, ','), name), ':')
			out = jsonscan.AppendString(out, value)
		}
	}
	text("auditID", api.FirstField(entry, "insertId"))
	text("requestURI", uri)
	text("verb", method)
	text("stageTimestamp", api.FirstField(entry, "timestamp"))
	out = append(out, `,"objectRef":{"apiVersion":`...)
	out = jsonscan.AppendString(out, version)
	text("apiGroup", group)
	text("resource", ref.Resource)
	text("namespace", ref.Namespace)
	text("name", ref.Name)
	text("subresource", ref.Subresource)
	out = append(append(out, `},"responseStatus":{"code":`...), code...)
	if code == "404" {
		text("reason", "NotFound")
	}
	out = append(out, '}')
	for _, f := range []struct {
		name string
		raw  []byte
	}{{"requestObject", typed(sent(payload, "request"), resource)}, {"responseObject", typed(sent(payload, "response"), resource)}} {
		if len(f.raw) > 2 {
			out = append(jsonscan.AppendString(append(out, ','), f.name), ':')
			out = append(out, f.raw...)
		}
	}
	return append(out, '}')
}

// sent returns what was sent with a request or an answer. BigQuery has it as text.
func sent(payload []byte, name string) []byte {
	if raw := api.Member(payload, name); raw != nil {
		return raw
	}
	if text := []byte(api.FirstField(payload, name+"Json")); jsonscan.Valid(text) {
		return text
	}
	return nil
}

// typed returns an object without the field in which Google writes its type, as core.k8s.io/v1.Pod. An object of r gets
// its kind from there, if it says none itself.
func typed(raw []byte, r api.Resource) []byte {
	full := api.FirstField(raw, "@type")
	if full == "" {
		return raw
	}
	out := []byte{'{'}
	jsonscan.Fields(raw, func(key []byte, from, to int) bool {
		if string(key) != `"@type"` {
			if len(out) > 1 {
				out = append(out, ',')
			}
			out = append(append(append(out, key...), ':'), raw[from:to]...)
		}
		return true
	})
	out = append(out, '}')
	if r.Kind = full[strings.LastIndexByte(full, '.')+1:]; trace.Plural(r.Kind) == r.Resource {
		out = api.AddKind(out, r)
	}
	return out
}
