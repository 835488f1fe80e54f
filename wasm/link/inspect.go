package link

// Inspect gets the JSON of an object version, and what has changed in it.
type Inspect struct {
	Ref   int32 `json:"ref,omitempty"`
	Other bool  `json:"other,omitempty"` // the object is of the second machine's capture
}

// AskIndexer asks the indexer, or its lister.
type AskIndexer struct {
	Query Query `json:"query"`
}

func (Inspect) op() {}

func (AskIndexer) op() {}

// Query is a question to the indexer, or to its lister.
type Query struct {
	Func      string `json:"func"`                // FuncGetByKey …
	Index     string `json:"index,omitempty"`     // of ByIndex, IndexKeys, ListIndexFuncValues
	Value     string `json:"value,omitempty"`     // the key, the indexed value, the label selector of List, or the name of Get
	Namespace string `json:"namespace,omitempty"` // of List and Get, "" for all or none
	Cell      int    `json:"cell,omitempty"`      // of ListKeys
	From      int    `json:"from,omitempty"`      // the first row wanted
}

// Object answers Inspect.
type Object struct {
	Ref    int32      `json:"ref"`
	Prev   int32      `json:"prev"` // the version of the object before it, 0 for none
	Next   int32      `json:"next"` // the version after it, 0 for none
	Key    string     `json:"key"`
	RV     string     `json:"rv"`
	PrevRV string     `json:"prevRV,omitempty"`
	Lines  []DiffLine `json:"lines"`           // the JSON, indented, with the lines that Prev had instead
	Other  bool       `json:"other,omitempty"` // the second machine alone has it
	Cut    bool       `json:"cut,omitempty"`   // it was too long to be shown whole
	Why    *Sentence  `json:"why,omitempty"`   // why there are no Lines
}

// DiffLine is a line of JSON. Mark is "+" for a new line, "-" for one of the version
// before, and "" for one that both have.
type DiffLine struct {
	Mark string `json:"m,omitempty"`
	Text string `json:"t"`
}

// Answer answers AskIndexer.
type Answer struct {
	Query Query       `json:"query"`
	Step  int64       `json:"step"` // at which it was asked
	Rows  []AnswerRow `json:"rows"`
	From  int         `json:"from"`  // the number of the first row
	Total int         `json:"total"` // how many rows there are
	Error *Sentence   `json:"error,omitempty"`
}

// AnswerRow is an object, or a value of an index.
type AnswerRow struct {
	Text string `json:"text"` // the object's key, or the value
	RV   string `json:"rv,omitempty"`
	Ref  int32  `json:"ref,omitempty"`  // of an object
	Keys int    `json:"keys,omitempty"` // of a value: how many keys it has
}
