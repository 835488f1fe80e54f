package testserver

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/informerscope/informerscope/replay/testserver/builtin"
)

// request is what a client asks for.
type request struct {
	*http.Request
	kind        *kind
	namespace   string
	name        string
	subresource string
	query       url.Values
	applied     bool // the object is what server-side apply has made
	dry         bool // nothing is to be written
	warnings    []string
	newEvents   bool // the request is for Events of the group events.k8s.io, where fields have other names
	meta        bool // the answer is to be PartialObjectMetadata
	table       bool // the answer is to be a Table
}

// parse finds the resource that a path is of. It returns nil if it is of none.
func (s *Server) parse(hr *http.Request, path []string) (*request, *failure) {
	var group, version string
	switch {
	case len(path) >= 3 && path[0] == "api":
		version, path = path[1], path[2:]
	case len(path) >= 4 && path[0] == "apis":
		group, version, path = path[1], path[2], path[3:]
	default:
		return nil, nil
	}
	r := &request{Request: hr}
	if path[0] == "namespaces" && len(path) > 2 && !(len(path) == 3 && group == "" && (path[2] == "status" || path[2] == "finalize")) {
		r.namespace, path = path[1], path[2:]
	}
	r.kind = s.kindOf(group, version, path[0])
	if r.kind != nil && r.kind.builtIn && r.kind.recorded == nil && group == newEvents {
		r.kind, r.newEvents = s.kindOf("", "v1", "events"), true
	}
	if r.kind == nil && s.opts.Recorded != nil {
		return nil, s.notRecorded(strings.TrimSuffix(path[0]+"."+group, "."))
	}
	if r.kind == nil || len(path) > 3 || r.kind.Cluster && r.namespace != "" {
		return nil, noSuchPath()
	}
	if len(path) > 1 {
		r.name = path[1]
	}
	if len(path) > 2 {
		r.subresource = path[2]
	}
	if r.name != "" && !r.kind.Cluster && r.namespace == "" {
		return nil, noSuchPath()
	}
	var err error
	if r.query, err = url.ParseQuery(hr.URL.RawQuery); err != nil {
		return nil, badRequest("%v", err)
	}
	var f *failure
	r.dry, f = dryRun(r.query["dryRun"], hr.Method)
	return r, f
}

func (s *Server) kindOf(group, version, name string) *kind {
	for _, k := range s.kinds() {
		if k.Group == group && k.Version == version && k.Name == name {
			return k
		}
	}
	return nil
}

// dryRun reads the option of that name.
func dryRun(all []string, method string) (bool, *failure) {
	kind := map[string]string{http.MethodPost: "CreateOptions", http.MethodPut: "UpdateOptions", http.MethodPatch: "PatchOptions"}[method]
	for _, param := range all {
		if param != "All" {
			f := fail(http.StatusUnprocessableEntity, "Invalid", "%s.meta.k8s.io \"\" is invalid: dryRun: Unsupported value: %q: supported values: \"All\"", cmp.Or(kind, "DeleteOptions"), param)
			return false, f
		}
	}
	return len(all) > 0, nil
}

// accept finds the form of the answer. Nothing but JSON is spoken, and a Table is made of
// custom resources only: a real server has columns of their own for the other kinds.
func (r *request) accept() *failure {
	header := r.Header.Get("Accept")
	if header == "" {
		return nil
	}
	if first, _, _ := strings.Cut(header, ","); first == "application/json" {
		return nil
	}
	for _, part := range strings.Split(header, ",") {
		kind, params, err := mime.ParseMediaType(part)
		if err != nil || !slices.Contains([]string{"application/json", "application/*", "*/*"}, kind) {
			continue
		}
		switch as := params["as"]; as {
		case "":
			return nil
		case "PartialObjectMetadata", "PartialObjectMetadataList":
			r.meta = true
			return nil
		case "Table":
			if (r.kind.custom() || r.kind.recorded != nil) && params["v"] == "v1" {
				r.table = true
				return nil
			}
		}
	}
	return fail(http.StatusNotAcceptable, "NotAcceptable", "only the following media types are accepted: application/json")
}

// body reads what comes with the request.
func (r *request) body() ([]byte, *failure) {
	if r.Body == nil {
		return nil, nil
	}
	b, err := io.ReadAll(io.LimitReader(r.Body, MaxBody+1))
	if err != nil {
		return nil, badRequest("%v", err)
	}
	if len(b) > MaxBody {
		return nil, fail(http.StatusRequestEntityTooLarge, "RequestEntityTooLarge", "Request entity too large: limit is %d", MaxBody)
	}
	return b, nil
}

// contentType returns the type of the body, "" if the request doesn't say.
func (r *request) contentType() string {
	whole := r.Header.Get("Content-Type")
	if whole == "application/json" {
		return whole
	}
	kind, _, err := mime.ParseMediaType(whole)
	if err != nil {
		return whole
	}
	return kind
}

func unsupported(kind string, supported string) *failure {
	if kind == applyPatch {
		return fail(http.StatusUnsupportedMediaType, "UnsupportedMediaType", "server-side apply is not done here: it needs Options.ManagedFields, and is never done of a Scale or an Event of events.k8s.io")
	}
	return fail(http.StatusUnsupportedMediaType, "UnsupportedMediaType", "the body of the request was in an unknown format - accepted media types include: %s (and not %s)", supported, kind)
}

// written reads a body that is one object, and returns it in JSON. It may be protobuf if it is of one of Kubernetes' own kinds.
func (r *request) written() ([]byte, *failure) {
	kind := r.contentType()
	if kind != "" && kind != "application/json" && kind != builtin.MediaType {
		return nil, unsupported(kind, "application/json")
	}
	b, f := r.body()
	if f == nil && kind == builtin.MediaType && len(b) > 0 {
		text, err := builtin.JSON(b)
		switch {
		case errors.Is(err, builtin.ErrUnknown):
			return nil, unsupported(kind, "application/json")
		case err != nil:
			return nil, badRequest("%v", err)
		}
		return text, nil
	}
	return b, f
}

// object decodes a body that is one object.
func (r *request) object() (tree, *failure) {
	b, f := r.written()
	if f != nil {
		return nil, f
	}
	var o tree
	if err := decode(b, &o); err != nil || o == nil {
		return nil, badRequest("the object provided is unrecognized: %v", err)
	}
	return r.stored(o)
}

// checked returns an object that was sent, or made by a patch, if nothing speaks against it whatever is stored.
func (r *request) checked(o tree, f *failure) (tree, *failure) {
	if f == nil {
		f = r.kind.check(o)
	}
	if f == nil {
		f = r.conforms(o)
	}
	return o, f
}

// conforms does what the query's fieldValidation says of the fields that the object's schema doesn't know.
func (r *request) conforms(o tree) *failure {
	how := r.query.Get("fieldValidation")
	if !slices.Contains([]string{"", "Ignore", "Warn", "Strict"}, how) {
		return fail(http.StatusUnprocessableEntity, "Invalid", "fieldValidation: Unsupported value: %q: supported values: \"Ignore\", \"Strict\", \"Warn\"", how)
	}
	if how == "Ignore" || r.kind.schema == nil {
		if how == "Strict" {
			return badRequest("testserver has no schema of %s, so it can't do fieldValidation=Strict. Of a custom resource it has that of its CustomResourceDefinition", r.kind.qualified())
		}
		return nil
	}
	_, unknown, _ := r.kind.conforms(o) // what else is wrong is found later
	for i, name := range unknown {
		unknown[i] = fmt.Sprintf("unknown field %q", name)
	}
	if how == "Strict" && len(unknown) > 0 {
		return badRequest("strict decoding error: %s", strings.Join(unknown, ", "))
	}
	r.warnings = unknown
	return nil
}

// decode reads one JSON value. encoding/json bounds its nesting.
func decode(b []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); err != io.EOF {
		return errors.New("there is more than one value")
	}
	return nil
}
