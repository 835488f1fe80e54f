package redact

import (
	"errors"
	"strings"

	"github.com/informerscope/informerscope/engine/fault"
)

// What a line was taken for that can't be looked at.
const (
	lineNoJSON  = "a line that is no JSON"
	lineTooLong = "a line that is too long to be looked at"
)

// takenFor are the faults that say what secrets are taken for. The others have a name that
// is the same in every language, such as "GitLab token".
var takenFor = map[string]fault.Plain{
	lineNoJSON:                               fault.Plain("lineNoJSON"),
	lineTooLong:                              fault.Plain("lineTooLong"),
	"PEM block":                              fault.Plain("pemBlock"),
	"address of a webhook":                   fault.Plain("webhookAddress"),
	"authorization":                          fault.Plain("authorization"),
	"base64 of a secret":                     fault.Plain("secretBase64"),
	"bootstrap token":                        fault.Plain("bootstrapToken"),
	"copy of the object":                     fault.Plain("objectCopy"),
	"cut event":                              fault.Plain("cutEvent"),
	"data of a Secret":                       fault.Plain("secretData"),
	"env value":                              fault.Plain("envValue"),
	"managed fields":                         fault.Plain("managedFields"),
	"maybe a key: a long hexadecimal number": fault.Plain("maybeHexKey"),
	"maybe a key: random characters":         fault.Plain("maybeRandomKey"),
	"part of a secret":                       fault.Plain("secretPart"),
	"password before a host":                 fault.Plain("hostPassword"),
	"password of a netrc":                    fault.Plain("netrcPassword"),
	"password of a statement":                fault.Plain("statementPassword"),
	"quoted input":                           fault.Plain("quotedInput"),
	"random characters":                      fault.Plain("randomCharacters"),
	"user and password of an address":        fault.Plain("addressUser"),
	"webhook secret":                         fault.Plain("webhookSecret"),
}

// Said returns what the Finding was taken for, as an error that can be said in any language.
func (f Finding) Said() error {
	if name, ok := strings.CutPrefix(f.Why, "value of "); ok {
		return fault.Of("secretValue name", shortened(name))
	}
	if p, ok := takenFor[f.Why]; ok {
		return p
	}
	return errors.New(shortened(f.Why))
}
