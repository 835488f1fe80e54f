package ask

// Line is a line of help: what is written, and what it means. Name is the function's name,
// if the line is about a function.
type Line struct{ Form, Means, Name string }

// Section is a part of the page of help.
type Section struct {
	Title string
	Lines []Line
}

// Help is the language on one page.
func Help() []Section {
	all := []Section{
		{"An expression says something of each step of a run", []Line{
			{`"default/web" 'audit'`, "a string, and every name: of a key, a handler, a lock", ""},
			{`1000   10ms   1m30s`, `a number, a duration; duration("10ms") is the same`, ""},
			{`behind("audit") > 1000`, "< <= > >= == != compare two values; + and - add and subtract numbers and durations", ""},
			{`actor() in ["loop", "run"]`, "one of several values", ""},
			{`pop() && !synced()`, "! is not, && is and, || is or; operators and precedence are those of CEL, and durations are written 10ms", ""},
			{`delta("", "default/web")`, `arguments in brackets below may be left out; "" stands for any, too`, ""},
			{`pods.depth()`, `where there are several informers, the one that is meant; informer("deployments.apps").depth() if its name has a dot`, ""},
		}},
	}
	for _, g := range groups {
		s := Section{Title: g}
		for i := range functions {
			if f := &functions[i]; f.group == g {
				s.Lines = append(s.Lines, Line{f.form() + " " + f.result.String(), f.help, f.name})
			}
		}
		all = append(all, s)
	}
	return append(all, Section{"Examples", examples})
}

var examples = []Line{
	{`behind("audit") > 1000`, "where audit is more than 1000 notifications behind", ""},
	{`delta("Deleted", "default/web")`, "where a Deleted is queued for default/web", ""},
	{`relist("expired")`, "where a list is asked for because of a 410", ""},
	{`version("default/web") != seen("audit", "default/web")`, "where the cache has another version than audit saw last", ""},
	{`within(1s, relist(), call("audit", "OnDelete"))`, "where audit hears of a deletion within a second of a relist, or the other way round", ""},
	{`before(call("audit"), synced())`, "where audit is called before HasSynced", ""},
	{`!staleReconcile(1s)`, "an invariant: no reconcile begins with an older version than was written within a second before", ""},
	{`behind("audit") <= 1000`, "an invariant: audit is never further behind", ""},
}
