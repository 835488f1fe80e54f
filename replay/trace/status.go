package trace

import "github.com/informerscope/informerscope/replay/jsonscan"

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
	for name := range r.Fields("kind", "status", "message", "reason", "code", "details") {
		switch name {
		case "kind":
			r.String(&s.Kind)
		case "status":
			r.String(&s.Status)
		case "message":
			r.String(&s.Message)
		case "reason":
			r.String(&s.Reason)
		case "code":
			r.Int(&s.Code)
		case "details":
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
	for name := range r.Fields("reason", "message") {
		switch name {
		case "reason":
			r.Text(&reason)
		case "message":
			r.Text(&message)
		}
	}
	s.tooNew = s.tooNew || reason == "ResourceVersionTooLarge" || message == "Too large resource version"
}

// Failure tells what client-go's reflector takes the Status for.
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
