package trace

import (
	"strconv"
	"strings"

	"github.com/informerscope/informerscope/replay/jsonscan"
)

// broken are the texts by which client-go tells errors of a connection apart
// (net.IsConnectionReset, IsProbableEOF, IsHTTP2ConnectionLost and IsTimeout).
// The first text that is found counts.
var broken = []struct {
	text    string
	failure Failure
}{
	{"connection refused", Refused},
	{"connection reset by peer", Reset},
	{"http2: client connection lost", ConnectionLost},
	{"http2: server sent GOAWAY", BrokenOff},
	{"use of closed network connection", BrokenOff},
	{"http: can't write HTTP request on broken connection", BrokenOff},
	{"EOF", BrokenOff},
	{"i/o timeout", TimedOut},
	{"connection timed out", TimedOut},
	{"Client.Timeout exceeded", TimedOut},
	{"no such host", OtherFailure},
	{"x509: ", OtherFailure},
	{"tls: ", OtherFailure},
}

// failureOf returns what client-go takes the error of a connection for, by how the
// answer ended and by the error's text, "" where that was not recorded.
func failureOf(how, text string) Failure {
	for _, b := range broken {
		if strings.Contains(text, b.text) {
			return b.failure
		}
	}
	switch how {
	case "eof":
		return BrokenOff
	case "timeout":
		return TimedOut
	case "refused":
		return Refused
	case "reset":
		return Reset
	}
	return OtherFailure
}

// retryAfter reads the header Retry-After for a Record. client-go reads whole
// seconds and nothing else.
func retryAfter(header string) int32 {
	n, err := strconv.ParseInt(header, 10, 31)
	if err != nil || n < 0 {
		return 0
	}
	return int32(min(n, 1<<31-2)) + 1
}

// Status is the API server's answer in the place of what was asked for (metav1.Status).
type Status struct {
	Kind    string
	Status  string // Success or Failure
	Message string
	Reason  string
	Code    int
	tooNew  bool // one of the details' causes says that a resourceVersion is from the future
}

// DecodeStatus reads a Status. It returns an empty Status for anything else.
func DecodeStatus(b []byte) Status {
	var s Status
	r := jsonscan.NewReader(b)
	for range r.Members() {
		r.StringField("kind", &s.Kind)
		r.StringField("status", &s.Status)
		r.StringField("message", &s.Message)
		r.StringField("reason", &s.Reason)
		r.IntField("code", &s.Code)
		if r.Is("details") {
			for range r.Fields("causes") {
				for range r.Elements() {
					s.cause(&r)
				}
			}
		}
	}
	if r.End() != nil {
		return Status{}
	}
	return s
}

// cause reads a cause. A server says by one that a resourceVersion is from the future; before v1.17 it
// did so by the cause's message alone, and then in a time-out.
func (s *Status) cause(r *jsonscan.Reader) {
	var reason, message string
	for range r.Members() {
		r.TextField("reason", &reason)
		r.TextField("message", &message)
	}
	s.tooNew = s.tooNew || reason == "ResourceVersionTooLarge" || message == "Too large resource version"
}

// Failure returns what client-go's reflector takes the Status for.
func (s Status) Failure() Failure {
	switch s.Reason {
	case "Expired":
		return Expired
	case "Gone":
		return Gone
	case "TooManyRequests":
		return TooManyRequests
	case "InternalError":
		return InternalError
	}
	if s.tooNew {
		return TooLarge
	}
	switch {
	case s.Code == 429:
		return TooManyRequests
	case s.Reason == "" && s.Code == 410:
		return Gone
	case s.Kind != "Status" && s.Code == 500:
		return InternalError // what clients make of an answer without a Status
	}
	return OtherFailure
}
