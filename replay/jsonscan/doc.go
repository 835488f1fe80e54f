// Package jsonscan reads JSON in bytes without decoding it into types. It has four ways, from the most careful to
// the quickest:
//
//   - A Reader reads a value that must be JSON, field by field, as its caller asks for them. Valid, Check and
//     Compact need no caller.
//   - A Tape has where each value of a text begins and ends.
//   - Field, Fields and Elements find places in bytes that were read before. In what they pass over they check that
//     strings end and brackets pair, and nothing else.
//   - PlainMembers, PlainText and PlainNumber read JSON without spaces, as Go and the API server write it, eight bytes at a time. They
//     stop as soon as their caller has what it needs, and refuse whatever is unusual.
//
// All of them bound how deep a value nests (MaxDepth), recurse nowhere, and copy nothing that needs no unescaping.
// Their strings then are parts of the bytes, and hold as long as these don't change.
package jsonscan
