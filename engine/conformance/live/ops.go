package live

// Op is one operation of a script.
type Op struct {
	Op string `json:"op"`

	Gates    map[string]bool `json:"gates,omitempty"`
	ResyncMs *int64          `json:"resyncMs,omitempty"`
	Indexers []string        `json:"indexers,omitempty"`
	Xform    string          `json:"xform,omitempty"`
	ID       string          `json:"id,omitempty"`
	Block    bool            `json:"block,omitempty"`
	Items    []Object        `json:"items,omitempty"`
	RV       string          `json:"rv,omitempty"`
	Cont     string          `json:"cont,omitempty"`
	Shard    string          `json:"shard,omitempty"` // of inf.new: KEY:INDEX/TOTAL; of inf.list: what ShardInfo says, "" for no ShardInfo
	Err      string          `json:"err,omitempty"`
	Events   []Event         `json:"events,omitempty"`
	N        int             `json:"n,omitempty"`
	Ms       int64           `json:"ms,omitempty"`
	NS       string          `json:"ns,omitempty"`
	Sel      string          `json:"sel,omitempty"`
	Value    string          `json:"value,omitempty"`

	L map[string]string `json:"l,omitempty"`

	Kind     string  `json:"kind,omitempty"` // of a queue; of the objects of inf.new, which are Unstructured then
	Known    *bool   `json:"known,omitempty"`
	Replaced bool    `json:"replaced,omitempty"`
	Keyfn    string  `json:"keyfn,omitempty"`
	O        *Object `json:"o,omitempty"`
	Batch    bool    `json:"batch,omitempty"`
	Ret      string  `json:"ret,omitempty"`
	Index    string  `json:"index,omitempty"`

	Limiter string  `json:"limiter,omitempty"`
	BaseMs  int64   `json:"baseMs,omitempty"`
	MaxMs   int64   `json:"maxMs,omitempty"`
	QPS     float64 `json:"qps,omitempty"`
	Burst   int     `json:"burst,omitempty"`
	Item    string  `json:"item,omitempty"`
}

// Object is an object as scripts write it.
type Object struct {
	K   string            `json:"k"`
	RV  string            `json:"rv"`
	UID string            `json:"uid,omitempty"`
	L   map[string]string `json:"l,omitempty"`
	T   string            `json:"t,omitempty"` // tomb, tombkey, bad
}

// Event is a watch event as scripts write it.
type Event struct {
	T   string  `json:"t"`
	O   *Object `json:"o,omitempty"`
	RV  string  `json:"rv,omitempty"`
	End bool    `json:"end,omitempty"`
	Err string  `json:"err,omitempty"`

	Other bool `json:"other,omitempty"` // its object is not of the kind that was asked for
}
