// Package metadata reads of the API's objects what can be read without knowing their types: the
// kind, the metadata, and what a Status says. It reads JSON, and protobuf and CBOR as
// k8s.io/apimachinery encodes them. What it reads is untrusted.
package metadata

import (
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/informerscope/informerscope/replay/jsonscan"
)

// Form is an encoding of objects.
type Form uint8

// The encodings that a Kubernetes API server speaks.
const (
	Other    Form = iota // none that this package reads
	JSON                 // application/json
	Protobuf             // application/vnd.kubernetes.protobuf
	CBOR                 // application/cbor, and cbor-seq for watches
)

// FormOf returns the encoding of a Content-Type. Without one it is JSON.
func FormOf(contentType string) Form {
	media, _, _ := strings.Cut(contentType, ";")
	switch strings.ToLower(strings.TrimSpace(media)) {
	case "", "application/json", "application/merge-patch+json", "application/strategic-merge-patch+json", "application/json-patch+json", "application/apply-patch+yaml":
		return JSON // an apply patch in YAML is not read, and most clients send JSON
	case "application/vnd.kubernetes.protobuf":
		return Protobuf
	case "application/cbor", "application/cbor-seq", "application/apply-patch+cbor":
		return CBOR
	}
	return Other
}

// Object is what is read of an object. Its texts are parts of what it was read from.
type Object struct {
	Kind, APIVersion []byte

	Name, GenerateName, Namespace, UID, ResourceVersion []byte

	Generation       int64
	Created, Deleted []byte // RFC 3339; nil where there is none
	InitialEventsEnd []byte // the value of the annotation k8s.io/initial-events-end
	Labels           []Pair
	Owners           []Owner
	Finalizers       [][]byte

	Status Status // of the kind Status; empty for others
}

// Pair is a label.
type Pair struct{ Name, Value []byte }

// Owner is an OwnerReference.
type Owner struct {
	APIVersion, Kind, Name, UID []byte
	Controller                  bool
}

// Status is what a metav1.Status says.
type Status struct {
	Status, Message, Reason []byte
	Code, RetryAfterSeconds int64
	Causes                  []Cause
	Name, Kind, UID         []byte // of the object that it is about
}

// Cause is a StatusCause.
type Cause struct{ Reason, Message []byte }

// ListMeta is what is read of a list, beside its items.
type ListMeta struct {
	Kind, APIVersion          []byte
	ResourceVersion, Continue []byte
	Remaining                 int64
}

var (
	// ErrShape is returned for bytes that are not what the encoding wants.
	ErrShape = errors.New("the answer is not what its content type says")
	// ErrLong is returned if the result would be longer than it may be.
	ErrLong = errors.New("the answer holds more metadata than the recorder may keep")
)

// maxDepth is how deep CBOR may nest, as in apimachinery.
const maxDepth = 64

func (o *Object) reset() {
	*o = Object{Labels: o.Labels[:0], Owners: o.Owners[:0], Finalizers: o.Finalizers[:0], Status: Status{Causes: o.Status.Causes[:0]}}
}

// isStatus reports whether the object is a Status.
func (o *Object) isStatus() bool {
	return string(o.Kind) == "Status" && (len(o.APIVersion) == 0 || string(o.APIVersion) == "v1")
}

// AppendJSON appends the object as JSON: its kind, apiVersion and metadata, or all of a Status.
func (o *Object) AppendJSON(b []byte) []byte {
	b = append(b, '{')
	b = text(b, "kind", o.Kind)
	b = text(b, "apiVersion", o.APIVersion)
	if o.isStatus() {
		return o.Status.appendJSON(b)
	}
	b = append(name(b, "metadata"), '{')
	b = text(b, "name", o.Name)
	b = text(b, "generateName", o.GenerateName)
	b = text(b, "namespace", o.Namespace)
	b = text(b, "uid", o.UID)
	b = text(b, "resourceVersion", o.ResourceVersion)
	b = number(b, "generation", o.Generation)
	b = text(b, "creationTimestamp", o.Created)
	b = text(b, "deletionTimestamp", o.Deleted)
	if len(o.Labels) > 0 {
		b = append(name(b, "labels"), '{')
		for _, l := range o.Labels {
			b = quote(append(quote(comma(b), l.Name), ':'), l.Value)
		}
		b = append(b, '}')
	}
	if o.InitialEventsEnd != nil {
		b = append(name(b, "annotations"), `{"k8s.io/initial-events-end":`...)
		b = append(quote(b, o.InitialEventsEnd), '}')
	}
	if len(o.Owners) > 0 {
		b = append(name(b, "ownerReferences"), '[')
		for _, w := range o.Owners {
			b = append(comma(b), '{')
			b = text(b, "apiVersion", w.APIVersion)
			b = text(b, "kind", w.Kind)
			b = text(b, "name", w.Name)
			b = text(b, "uid", w.UID)
			if w.Controller {
				b = append(name(b, "controller"), "true"...)
			}
			b = append(b, '}')
		}
		b = append(b, ']')
	}
	if len(o.Finalizers) > 0 {
		b = append(name(b, "finalizers"), '[')
		for _, f := range o.Finalizers {
			b = quote(comma(b), f)
		}
		b = append(b, ']')
	}
	return append(b, "}}"...)
}

// appendJSON appends the fields of a Status, and the bracket that closes it.
func (s *Status) appendJSON(b []byte) []byte {
	b = text(append(name(b, "metadata"), "{}"...), "status", s.Status)
	b = text(b, "message", s.Message)
	b = text(b, "reason", s.Reason)
	if len(s.Causes) > 0 || s.RetryAfterSeconds != 0 || s.Name != nil || s.Kind != nil || s.UID != nil {
		b = append(name(b, "details"), '{')
		b = text(b, "name", s.Name)
		b = text(b, "kind", s.Kind)
		b = text(b, "uid", s.UID)
		if len(s.Causes) > 0 {
			b = append(name(b, "causes"), '[')
			for _, c := range s.Causes {
				b = append(comma(b), '{')
				b = text(b, "reason", c.Reason)
				b = append(text(b, "message", c.Message), '}')
			}
			b = append(b, ']')
		}
		b = append(number(b, "retryAfterSeconds", s.RetryAfterSeconds), '}')
	}
	return append(number(b, "code", s.Code), '}')
}

// appendJSON appends the list's own part, up to the bracket that begins its items.
func (l *ListMeta) appendJSON(b []byte) []byte {
	b = append(b, '{')
	b = text(b, "kind", l.Kind)
	b = text(b, "apiVersion", l.APIVersion)
	b = append(name(b, "metadata"), '{')
	b = text(b, "resourceVersion", l.ResourceVersion)
	b = text(b, "continue", l.Continue)
	b = append(number(b, "remainingItemCount", l.Remaining), '}')
	return append(name(b, "items"), '[')
}

// comma appends what must stand between two members.
func comma(b []byte) []byte {
	if last := b[len(b)-1]; last != '{' && last != '[' {
		return append(b, ',')
	}
	return b
}

func name(b []byte, name string) []byte {
	return append(jsonscan.AppendString(comma(b), name), ':')
}

func quote(b, s []byte) []byte { return jsonscan.AppendString(b, string(s)) }

// text appends a member, unless it is nil or empty.
func text(b []byte, field string, s []byte) []byte {
	if len(s) == 0 {
		return b
	}
	return quote(name(b, field), s)
}

func number(b []byte, field string, n int64) []byte {
	if n == 0 {
		return b
	}
	return strconv.AppendInt(name(b, field), n, 10)
}

// stamp returns a metav1.Time in JSON.
func stamp(seconds int64) []byte {
	return time.Unix(seconds, 0).UTC().AppendFormat(nil, time.RFC3339)
}
