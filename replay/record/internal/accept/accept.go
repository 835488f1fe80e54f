// Package accept changes what a client asks for.
package accept

import (
	"net/http"
	"strings"
)

// JSON returns a request that asks for JSON in the place of protobuf and CBOR: r itself, if
// it asks for neither.
func JSON(r *http.Request) *http.Request {
	accept := r.Header.Values("Accept")
	wanted := strings.Join(accept, ",")
	if len(accept) == 0 || Header(wanted) == wanted {
		return r
	}
	copied := *r
	copied.Header = r.Header.Clone()
	copied.Header.Set("Accept", Header(wanted))
	return &copied
}

// Header returns an Accept header with JSON in the place of what can't be recorded whole:
// protobuf and CBOR. What is asked for besides (as=Table,
// as=PartialObjectMetadata) stays.
func Header(accept string) string {
	var out []string
	seen := map[string]bool{}
	for part := range strings.SplitSeq(accept, ",") {
		part = strings.TrimSpace(part)
		media, params, has := strings.Cut(part, ";")
		switch strings.ToLower(strings.TrimSpace(media)) {
		case "application/vnd.kubernetes.protobuf", "application/cbor", "application/cbor-seq":
			media = "application/json"
			params = strings.ReplaceAll(params, "stream=watch", "")
			params = strings.Trim(params, "; ")
			has = params != ""
		}
		if has {
			media += ";" + params
		}
		if !seen[media] {
			seen[media] = true
			out = append(out, media)
		}
	}
	return strings.Join(out, ",")
}
