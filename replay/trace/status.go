package trace

import (
	"slices"
	"strings"
)

// Status is the API server's answer in the place of what was asked for (metav1.Status).
type Status struct {
	Kind    string `json:"kind"`
	Status  string `json:"status"` // Success or Failure
	Message string `json:"message"`
	Reason  string `json:"reason"`
	Code    int    `json:"code"`
	Details struct {
		Causes []cause `json:"causes"`
	} `json:"details"`
}

type cause struct {
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

// DecodeStatus reads a Status. It returns an empty Status for anything else.
func DecodeStatus(b []byte) Status {
	var s Status
	if err := Decode(b, &s); err != nil {
		return Status{}
	}
	s.Message, s.Status = strings.Clone(s.Message), strings.Clone(s.Status)
	return s
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
	// A server says by a cause that a resourceVersion is from the future; before
	// v1.17 it did so by the cause's message alone, and then in a time-out.
	if slices.ContainsFunc(s.Details.Causes, func(c cause) bool {
		return c.Reason == "ResourceVersionTooLarge" || c.Message == "Too large resource version"
	}) {
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
