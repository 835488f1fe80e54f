// Package wire has what recorders do at a connection to the API server: how they ask for answers that can be
// recorded whole, and how an answer ended.
package wire

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"syscall"

	"github.com/informerscope/informerscope/replay/record/follow"
)

// AcceptJSON returns a request that asks for JSON in the place of protobuf and CBOR: r itself, if
// it asks for neither.
func AcceptJSON(r *http.Request) *http.Request {
	accept := r.Header.Values("Accept")
	wanted := strings.Join(accept, ",")
	if len(accept) == 0 || Accept(wanted) == wanted {
		return r
	}
	copied := *r
	copied.Header = r.Header.Clone()
	copied.Header.Set("Accept", Accept(wanted))
	return &copied
}

// Accept returns an Accept header with JSON in the place of what can't be recorded whole:
// protobuf and CBOR. What is asked for besides (as=Table,
// as=PartialObjectMetadata) stays.
func Accept(accept string) string {
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

// Ended returns how an answer ended whose body returned err.
func Ended(err error) follow.Ending {
	var n net.Error
	switch {
	case err == io.EOF:
		return follow.EOF
	case errors.Is(err, context.Canceled):
		return follow.Canceled
	case errors.Is(err, syscall.ECONNREFUSED):
		return follow.Refused
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &n) && n.Timeout():
		return follow.Timeout
	}
	return follow.Reset
}
