package testserver

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// ServeHTTP answers a request.
func (s *Server) ServeHTTP(w http.ResponseWriter, hr *http.Request) {
	there, back := s.opts.Latency, s.opts.Latency
	if ways := s.opts.Delays; ways != nil {
		there, back = ways(hr.Method, hr.URL.Path)
	}
	path := strings.Split(strings.Trim(hr.URL.Path, "/"), "/")
	if n := len(path); path[0] != "api" && path[0] != "apis" || n <= 2 || n == 3 && path[0] == "apis" {
		// Discovery takes no time. Clients hold a lock meanwhile, for which others wait, and the
		// clock of a bubble stands still as long as anybody waits for a lock.
		there, back = 0, 0
	}
	if !s.pause(hr, there) {
		panic(http.ErrAbortHandler)
	}
	code, answer, f := s.route(w, hr, path)
	switch {
	case f == nil && answer == nil: // the answer has been sent
		return
	case !s.pause(hr, back):
		panic(http.ErrAbortHandler)
	case f != nil:
		if recording := s.opts.Recorded; recording != nil && recording.Refused != nil {
			recording.Refused(hr, f.code, f.message)
		}
		if s.opts.Recorded == nil || !describes(w, hr, path[len(path)-1], f) {
			f.send(w)
		}
	default:
		send(w, code, answer)
	}
}

func (s *Server) route(w http.ResponseWriter, hr *http.Request, path []string) (int, any, *failure) {
	if slices.Contains([]string{"healthz", "livez", "readyz"}, path[0]) {
		return http.StatusOK, "ok", nil
	}
	r, f := s.parse(hr, path)
	if f != nil {
		return 0, nil, f
	}
	if r == nil {
		found := discovery{s.kinds(), s.opts.Recorded}.answer(path)
		switch {
		case found == nil:
			return 0, nil, noSuchPath()
		case hr.Method != http.MethodGet:
			return 0, nil, methodNotAllowed()
		}
		return http.StatusOK, found, nil
	}
	if f := cmp.Or(r.kind.refuses(r), r.accept()); f != nil {
		return 0, nil, f
	}
	switch {
	case r.subresource == "" || r.subresource == "status" && r.kind.Status:
		return s.serve(w, r)
	case r.subresource == "scale" && r.kind.Scale:
		return s.scale(r)
	case r.subresource == "finalize" && r.kind.Kind == "Namespace":
		return s.finalize(r)
	case r.subresource == "eviction" && r.kind.Kind == "Pod":
		return s.evict(r)
	}
	return 0, nil, noSuchPath()
}

func (s *Server) serve(w http.ResponseWriter, r *request) (int, any, *failure) {
	code, v, f := http.StatusOK, (*version)(nil), (*failure)(nil)
	switch {
	case r.Method == http.MethodGet && r.name == "":
		return s.read(w, r)
	case r.Method == http.MethodGet:
		v, f = s.get(r)
	case r.Method == http.MethodPost && r.name == "" && (r.namespace != "" || r.kind.Cluster):
		code = http.StatusCreated
		v, f = s.create(r)
	case r.Method == http.MethodPut && r.name != "":
		v, f = s.update(r)
	case r.Method == http.MethodPatch && r.name != "":
		code, v, f = s.patch(r)
	case r.Method == http.MethodDelete && r.subresource == "" && r.name != "":
		return s.delete(r)
	case r.Method == http.MethodDelete && r.subresource == "":
		return s.deleteCollection(r)
	default:
		return 0, nil, r.noSuchMethod()
	}
	if f != nil {
		return 0, nil, f
	}
	for _, warning := range r.warnings {
		w.Header().Add("Warning", fmt.Sprintf("299 - %q", warning))
	}
	return code, r.representation(v), nil
}

// noSuchMethod refuses a method, as custom resources and the others do.
func (r *request) noSuchMethod() *failure {
	switch {
	case r.kind.custom() && r.Method == http.MethodPost && r.name == "":
		return noSuchPath() // without a namespace
	case r.kind.custom() && r.Method == http.MethodPut:
		return badRequest("name must be provided")
	}
	return methodNotAllowed()
}
