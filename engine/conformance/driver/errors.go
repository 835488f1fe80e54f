package main

import (
	"strconv"

	"github.com/informerscope/informerscope/engine/apiserver"
)

// What the transcripts call the errors that client-go gives to WatchErrorHandler.
// The engine has no error values, only what can be told of them.

// reasonOf is the reason that a code stands for where there is no Status
// (NewGenericServerResponse).
func reasonOf(code int32) string {
	switch code {
	case 400:
		return "BadRequest"
	case 401:
		return "Unauthorized"
	case 403:
		return "Forbidden"
	case 404:
		return "NotFound"
	case 422:
		return "Invalid"
	case 429:
		return "TooManyRequests"
	case 503:
		return "ServiceUnavailable"
	case 504:
		return "Timeout"
	}
	if code >= 500 {
		return "InternalError"
	}
	return ""
}

// reason returns the reason of the Status in the answer. An answer without a Status
// gets the reason that its code stands for.
func (a *scriptedAnswer) reason() string {
	switch {
	case a.Reason != "":
		return a.Reason
	case a.Body == "" && a.Code == 410:
		return "Expired"
	}
	return reasonOf(a.Code)
}

// statusFailure is what a Status of that reason is taken for.
func statusFailure(code int32, reason string) apiserver.Failure {
	switch reason {
	case "Expired":
		return apiserver.Expired
	case "Gone":
		return apiserver.Gone
	case "TooManyRequests":
		return apiserver.TooManyRequests
	case "InternalError":
		return apiserver.InternalError
	}
	if code == 410 && reason == "" {
		return apiserver.Gone
	}
	return apiserver.OtherFailure
}

// statusClass is the class of an HTTP status's error.
func (t *transportRun) statusClass(a *scriptedAnswer, kind apiserver.RecordKind) string {
	if t.textOnly(kind) {
		return "*errors.errorString"
	}
	reason, seconds := a.reason(), ""
	if kind == apiserver.WatchError && !t.x.Config().Profile.Request.ReadsStatus {
		reason = reasonOf(a.Code)
		if a.Code == 503 && a.RetryAfter != "" {
			seconds = " retryAfterSeconds=" + a.RetryAfter
		}
	}
	return "Status " + strconv.Itoa(int(a.Code)) + " " + reason + seconds
}

// textOnly tells whether of a list's error only the text is left (up to v0.24).
func (t *transportRun) textOnly(kind apiserver.RecordKind) bool {
	return kind == apiserver.ListError && !t.x.Config().Profile.Reflector.WrapsErrors
}

// errorClass is the class of an error of the round trip.
func (t *transportRun) errorClass(name string, kind apiserver.RecordKind) string {
	class := map[string]string{
		"refused": "ECONNREFUSED", "reset": "ECONNRESET", "net-timeout": "text: connection timed out",
		"http2-lost": "http2 client connection lost", "x509": "x509.UnknownAuthorityError", "no-such-host": "*net.DNSError",
	}[name]
	if !t.textOnly(kind) {
		return "url.Error: " + class
	}
	text, known := map[string]string{
		"refused": "text: connection refused", "reset": "text: connection reset", "net-timeout": class, "http2-lost": class,
	}[name]
	if !known {
		return "*errors.errorString"
	}
	return text
}

// cutClass is the class of the error of a list that was cut.
func (t *transportRun) cutClass(end string) string {
	text := t.textOnly(apiserver.ListError)
	switch {
	case end == "eof":
		return "cannot decode: no version/kind"
	case end == "reset" && text:
		return "text: connection reset"
	case end == "reset":
		return "ECONNRESET"
	case text:
		return "text: unexpected EOF"
	}
	return "io.ErrUnexpectedEOF"
}
