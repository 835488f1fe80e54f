package trace

import (
	"strconv"
	"strings"
)

// broken are the texts by which client-go tells errors of a connection apart
// (net.IsConnectionReset, IsProbableEOF, IsHTTP2ConnectionLost and IsTimeout).
// The first text that is found counts.
var broken = []struct {
	text string
	is   Failure
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

// failureOf is what client-go takes the error of a connection for, by how the
// answer ended and by the error's text, "" where that was not recorded.
func failureOf(how, text string) Failure {
	for _, b := range broken {
		if strings.Contains(text, b.text) {
			return b.is
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
