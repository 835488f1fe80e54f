package decoder

import "context"

type OptionFlags uint8

// NoCopyStringOption makes the decoded strings refer to the input instead of a copy of their bytes.
const NoCopyStringOption OptionFlags = 1

// The other options can't be set. They are 0, so that the compiler leaves out what they would turn on.
const (
	FirstWinOption OptionFlags = 0 * iota
	ContextOption
	UseNumberOption
	DisallowUnknownFieldsOption
)

// V2Flags are the options of encoding/json/v2. They can't be set either.
type V2Flags uint32

const (
	// V2Semantics is not 0, because it is compared with.
	V2Semantics                       V2Flags = 1
	V2MergeWithLegacySemantics        V2Flags = 0
	V2ReportErrorsWithLegacySemantics V2Flags = 0
)

type Option struct {
	Flags   OptionFlags
	V2      V2Flags
	Context context.Context
	Path    *Path
}
