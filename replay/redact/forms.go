package redact

import (
	"bytes"
	"strings"
)

// form is what a kept text must look like. A text of another look becomes a token: what a list keeps is then
// what the list means, and a field of the same name in a kind of somebody's own gives nothing away.
type form uint8

const (
	asToken     form = iota // becomes a token, whatever it is
	asName                  // of an object or a namespace
	asKey                   // of an object: NAMESPACE/NAME, or NAME
	asUID                   // of an object
	asVersion               // a resourceVersion
	asCount                 // a whole number as text
	asTime                  // RFC 3339
	asKind                  // of an object
	asGroup                 // of the API, with a version or without
	asWord                  // one word as programs write them: BackOff, *url.Error
	asLabelKey              // of a label, a finalizer
	asLabel                 // the value of a label
	asEnum                  // a word of the enumeration of the field
	asQuantity              // of a resource: 100m, 2Gi
	asPercent               // 25%
	asText                  // free text, whose words may stay
	asStatus                // free text of a Status, whose numbers may stay, too
	asURL                   // of a request
	asOwn                   // the program's own word: a handler, a controller, a queue
	asMediaType             // of an answer
	asMetric                // the name of a time series
	asServer                // the version of an API server
	asResource              // pods, deployments.apps
	asFuture                // a line of script
	asMoment                // a moment of a run
	asIs                    // the user's own list keeps it
	asCut                   // the rest of an event that was cut: nobody can tell what it holds
	asNothing               // the user takes it out
)

// formNames are the forms as list.txt calls them.
var formNames = map[string]form{
	"token": asToken, "name": asName, "key": asKey, "uid": asUID, "version": asVersion, "count": asCount, "time": asTime, "kind": asKind, "group": asGroup,
	"word": asWord, "labelKey": asLabelKey, "label": asLabel, "enum": asEnum, "quantity": asQuantity, "percent": asPercent, "text": asText, "status": asStatus,
	"url": asURL, "own": asOwn, "mediaType": asMediaType, "metric": asMetric, "server": asServer, "resource": asResource, "future": asFuture, "moment": asMoment,
	"is": asIs, "cut": asCut,
}

// madeOf reports whether s is made of letters, digits and others, and has at most most bytes.
func madeOf(s []byte, others string, most int) bool {
next:
	for _, c := range s {
		if isAlnum(c) {
			continue
		}
		for i := range len(others) {
			if c == others[i] {
				continue next
			}
		}
		return false
	}
	return 0 < len(s) && len(s) <= most
}

func isAlnum(c byte) bool { return c|0x20-'a' < 26 || c-'0' < 10 }

// isDigits reports whether s is a whole number of at most most digits.
func isDigits(s []byte, most int) bool {
	for _, c := range s {
		if c-'0' >= 10 {
			return false
		}
	}
	return 0 < len(s) && len(s) <= most
}

// isTime reports whether s is a time of RFC 3339.
func isTime(s []byte) bool {
	const like = "0000-00-00T00:00:00"
	if len(s) < len(like)+1 || len(s) > len("0000-00-00T00:00:00.000000000+00:00") {
		return false
	}
	for i := range len(like) {
		if like[i] == '0' && s[i]-'0' >= 10 || like[i] != '0' && s[i] != like[i] {
			return false
		}
	}
	for i, c := range s[len(like):] {
		if c-'0' >= 10 && c != '.' && c != ':' && (c != 'Z' && c != '+' && c != '-' || i == 0 && len(s) > len(like)+1 && c == 'Z') {
			return false
		}
	}
	return true
}

// isQuantity reports whether s is a quantity, as resource.ParseQuantity reads it.
func isQuantity(s []byte) bool {
	number := bytes.TrimRight(s, "numkMGTPEi")
	unit := s[len(number):]
	number = bytes.TrimPrefix(number, []byte("-"))
	if whole, rest, ok := bytes.Cut(number, []byte(".")); ok {
		return isDigits(whole, 20) && isDigits(rest, 20) && len(unit) <= 2
	}
	if whole, rest, ok := bytes.Cut(number, []byte("e")); ok {
		return isDigits(whole, 20) && isDigits(bytes.TrimLeft(rest, "+-"), 2) && len(unit) == 0
	}
	return isDigits(number, 20) && len(unit) <= 2
}

// isResource reports whether the key of a quantity is a resource of Kubernetes itself.
func isResource(name string) bool {
	name = strings.TrimPrefix(strings.TrimPrefix(name, "requests."), "limits.")
	if size, ok := strings.CutPrefix(name, "hugepages-"); ok {
		return isQuantity([]byte(size))
	}
	return sets["resources"][name]
}

// looks reports whether a text has a form. Forms that change their text are no matter of looks.
func (f form) looks(s []byte, k *key) bool {
	switch f {
	case asIs:
		return true
	case asName:
		return madeOf(s, "-.:_@", 253)
	case asKey:
		namespace, name, both := bytes.Cut(s, []byte{'/'})
		return asName.looks(namespace, k) && (!both || asName.looks(name, k))
	case asUID:
		return madeOf(s, "-", 64)
	case asVersion:
		return madeOf(s, "-._:", 64) && bytes.ContainsAny(s, "0123456789") || len(s) == 0
	case asCount:
		return isDigits(s, 20)
	case asTime:
		return isTime(s)
	case asKind:
		return madeOf(s, "", 63) && s[0]-'A' < 26
	case asGroup:
		group, version, both := bytes.Cut(s, []byte{'/'})
		return madeOf(group, "-.", 253) && (!both || madeOf(version, "", 63))
	case asWord:
		return madeOf(s, "*._/-:+", 100)
	case asLabelKey:
		domain, rest, both := bytes.Cut(s, []byte{'/'})
		if both {
			return madeOf(domain, "-.", 253) && madeOf(rest, "-._", 63)
		}
		return madeOf(s, "-._", 63)
	case asLabel:
		return len(s) == 0 || madeOf(s, "-._", 63)
	case asEnum:
		return k.enum[string(s)]
	case asQuantity:
		return isQuantity(s)
	case asPercent:
		return isDigits(bytes.TrimSuffix(s, []byte{'%'}), 3)
	case asServer:
		return isServer(s)
	case asMediaType:
		return sets["media types"][strings.ReplaceAll(string(bytes.ToLower(bytes.TrimSpace(s))), "; ", ";")]
	case asResource:
		return madeOf(s, "-.", 120) && s[0]-'a' < 26
	case asMoment:
		return madeOf(s, "-./", 100)
	}
	return false
}

// isServer reports whether s is a version as Kubernetes and its distributions write it.
func isServer(s []byte) bool {
	parts := bytes.FieldsFunc(bytes.TrimPrefix(s, []byte{'v'}), func(c rune) bool { return c == '.' || c == '-' || c == '+' })
	for _, part := range parts {
		if name := bytes.TrimRight(part, "0123456789"); len(name) > 0 && !sets["distributions"][string(name)] || len(part) > 12 {
			return false
		}
	}
	return len(parts) >= 2 && len(s) < 40
}
