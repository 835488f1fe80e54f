package desk

import "slices"

// Tab is a view of the inspector. Links and the palette name the views. The inspector has a tab
// for each Group of them.
type Tab string

// The inspector's views, in their order.
const (
	Lesson   Tab = "lesson" // only while one is open
	Explain  Tab = "explain"
	Object   Tab = "object"
	Cache    Tab = "cache"
	Actors   Tab = "actors"
	Log      Tab = "log" // only where the trace has one
	Search   Tab = "search"
	Why      Tab = "why"
	Compare  Tab = "compare"
	Gestures Tab = "gestures"
	Console  Tab = "console"
	Setup    Tab = "setup"
)

// Group is what one tab of the inspector is for, with its views. The catalogues have its title
// under "ui.group." and its name.
type Group struct {
	Name string
	Tabs []Tab
}

// Groups lists them with all views. The first is there only while a lesson is open.
var Groups = [...]Group{
	{"lesson", []Tab{Lesson}},
	{"explain", []Tab{Explain}},
	{"look", []Tab{Object, Cache, Actors, Log}},
	{"ask", []Tab{Search, Why, Compare}},
	{"change", []Tab{Gestures, Console, Setup}},
}

// Group returns the number of t's group in Groups.
func (t Tab) Group() int {
	return max(0, slices.IndexFunc(Groups[:], func(g Group) bool { return slices.Contains(g.Tabs, t) }))
}

// RemoveTab returns all groups without a view.
func RemoveTab(groups []Group, t Tab) (out []Group) {
	for _, g := range groups {
		if i := slices.Index(g.Tabs, t); i >= 0 {
			g.Tabs = append(g.Tabs[:i:i], g.Tabs[i+1:]...)
		}
		out = append(out, g)
	}
	return out
}

// Tabs returns the views of some groups, in their order.
func Tabs(groups []Group) (all []Tab) {
	for _, g := range groups {
		all = append(all, g.Tabs...)
	}
	return all
}
