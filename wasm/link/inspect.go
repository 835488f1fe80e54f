package link

// Inspect gets the JSON of an object version, and what has changed in it.
type Inspect struct {
	Ref    int32
	Second bool // the object is of the second machine's capture
}

func (x *Inspect) fields(c *coder) { c.fields(&x.Ref, &x.Second) }

// AskIndexer asks the indexer, or its lister.
type AskIndexer struct {
	Query Query
}

func (x *AskIndexer) fields(c *coder) { c.fields(&x.Query) }

func (Inspect) op()    {}
func (AskIndexer) op() {}

// Query is a question to the indexer, or to its lister.
type Query struct {
	Func      string // FuncGetByKey …
	Index     string // of ByIndex, IndexKeys, ListIndexFuncValues
	Value     string // the key, the indexed value, the label selector of List, or the name of Get
	Namespace string // of List and Get, "" for all or none
	Cell      int    // of ListKeys
	From      int    // the first row wanted
}

func (x *Query) fields(c *coder) {
	c.fields(&x.Func, &x.Index, &x.Value, &x.Namespace, &x.Cell, &x.From)
}

// Object answers Inspect.
type Object struct {
	Ref        int32
	Prev       int32 // the version of the object before it, 0 for none
	Next       int32 // the version after it, 0 for none
	Key        string
	RV         string
	PrevRV     string
	Lines      []DiffLine // the JSON, indented, with the lines that Prev had instead
	SecondOnly bool       // the second machine alone has it
	Cut        bool       // it was too long to be shown whole
	Reason     *Sentence  // why there are no Lines
}

func (x *Object) fields(c *coder) {
	c.fields(&x.Ref, &x.Prev, &x.Next, &x.Key, &x.RV, &x.PrevRV, &x.Lines, &x.SecondOnly, &x.Cut,
		&x.Reason)
}

// DiffLine is a line of JSON. Mark is "+" for a new line, "-" for one of the version
// before, and "" for one that both have.
type DiffLine struct {
	Mark string
	Text string
}

func (x *DiffLine) fields(c *coder) { c.fields(&x.Mark, &x.Text) }

// Answer answers AskIndexer.
type Answer struct {
	Query Query
	Step  int64 // at which it was asked
	Rows  []AnswerRow
	From  int // the number of the first row
	Total int // how many rows there are
	Error *Sentence
}

func (x *Answer) fields(c *coder) {
	c.fields(&x.Query, &x.Step, &x.Rows, &x.From, &x.Total, &x.Error)
}

// AnswerRow is an object, or a value of an index.
type AnswerRow struct {
	Text string // the object's key, or the value
	RV   string
	Ref  int32 // of an object
	Keys int   // of a value: how many keys it has
}

func (x *AnswerRow) fields(c *coder) { c.fields(&x.Text, &x.RV, &x.Ref, &x.Keys) }
