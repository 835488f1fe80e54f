package testserver

import (
	"fmt"
	"net/http"
	"strconv"

	"github.com/informerscope/informerscope/engine/apiserver"
)

// tree is decoded JSON. Numbers are json.Number, so that they stay as they were written.
type tree = map[string]any

// failure is an answer other than 200 and 201: a Status. With a code of 0 there is no answer,
// and the connection breaks.
type failure struct {
	code       int
	reason     string
	message    string
	details    tree
	retryAfter int // seconds
	token      string
}

func (f *failure) Error() string { return f.message }

// status is a Status object, written as a type because encoding/json takes a map three times as long.
type status struct {
	Kind       string `json:"kind"`
	APIVersion string `json:"apiVersion"`
	Metadata   struct {
		Continue string `json:"continue,omitempty"`
	} `json:"metadata"`
	Status  string `json:"status"`
	Message string `json:"message"`
	Reason  string `json:"reason,omitempty"`
	Details tree   `json:"details,omitempty"`
	Code    int    `json:"code"`
}

func (f *failure) status() *status {
	st := &status{Kind: "Status", APIVersion: "v1", Status: "Failure", Message: f.message, Reason: f.reason, Code: f.code}
	st.Metadata.Continue = f.token
	if f.retryAfter > 0 {
		if f.details == nil {
			f.details = tree{}
		}
		f.details["retryAfterSeconds"] = f.retryAfter
	}
	st.Details = f.details
	return st
}

func fail(code int, reason, format string, args ...any) *failure {
	return &failure{code: code, reason: reason, message: fmt.Sprintf(format, args...)}
}

func badRequest(format string, args ...any) *failure {
	return fail(http.StatusBadRequest, "BadRequest", format, args...)
}

func methodNotAllowed() *failure {
	return fail(http.StatusMethodNotAllowed, "MethodNotAllowed", "the server does not allow this method on the requested resource")
}

func noSuchPath() *failure {
	return fail(http.StatusNotFound, "NotFound", "the server could not find the requested resource")
}

// objectFailure returns a failure of a write to an object, or of reading it.
func (r *Resource) objectFailure(code int, reason, name, format string, args ...any) *failure {
	f := fail(code, reason, format, args...)
	f.details = tree{"name": name, "kind": r.Name}
	if r.Group != "" {
		f.details["group"] = r.Group
	}
	return f
}

func (r *Resource) notFound(name string) *failure {
	return r.objectFailure(http.StatusNotFound, "NotFound", name, "%s %q not found", r.qualified(), name)
}

func (r *Resource) alreadyExists(name string) *failure {
	return r.objectFailure(http.StatusConflict, "AlreadyExists", name, "%s %q already exists", r.qualified(), name)
}

func (r *Resource) conflict(name, why string) *failure {
	return r.objectFailure(http.StatusConflict, "Conflict", name, "Operation cannot be fulfilled on %s %q: %s", r.qualified(), name, why)
}

const modified = "the object has been modified; please apply your changes to the latest version and try again"

// invalid returns a refusal by validation.
func (r *Resource) invalid(name, field, why string) *failure {
	kind := r.Kind
	if r.Group != "" {
		kind += "." + r.Group
	}
	f := r.objectFailure(http.StatusUnprocessableEntity, "Invalid", name, "%s %q is invalid: %s: %s", kind, name, field, why)
	f.details["kind"] = r.Kind
	f.details["causes"] = []any{tree{"reason": "FieldValueInvalid", "message": why, "field": field}}
	return f
}

// refused returns the failure that the engine's server answers with.
func refused(r *apiserver.Record, message string) *failure {
	f := &failure{code: int(r.Code), message: message, reason: "InternalError"}
	if after := r.RetryAfter.Nanoseconds(); after > 0 {
		f.retryAfter = int(after / 1e9)
	}
	switch {
	case r.Failure == apiserver.Expired:
		f.reason = "Expired"
	case r.Failure == apiserver.TooLarge:
		f.reason = "Timeout"
		f.details = tree{"causes": []any{tree{"reason": "ResourceVersionTooLarge", "message": "Too large resource version"}}}
	case r.Failure == apiserver.TooManyRequests:
		f.reason = "TooManyRequests"
	case f.code == http.StatusUnprocessableEntity:
		f.reason = "Invalid"
	case f.code == http.StatusBadRequest:
		f.reason = "BadRequest"
	}
	return f
}

// send writes an answer.
func send(w http.ResponseWriter, code int, body any) {
	b := asJSON(body)
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(b)))
	w.WriteHeader(code)
	w.Write(b) // a client that is gone needs no answer
}

func (f *failure) send(w http.ResponseWriter) {
	if f.code == 0 {
		panic(http.ErrAbortHandler)
	}
	if f.retryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(f.retryAfter))
	}
	send(w, f.code, f.status())
}
