package event

// What the tests know of Fields.

const (
	OfListener = Handler | Worker | Index | Limit | Failure | Retry | Holder
	OfN        = RV | Code | Number | Duration | Value | Lock | Syncing | Skip | Refused | Revision | Until | Counts
)

// AllFields are all single fields by their names.
func AllFields() map[string]Fields {
	return map[string]Fields{
		"Delta": delta, "Flags": flags, "Key": key, "Old": oldObject, "New": newObject, "Cause": cause,
		"Handler": Handler, "Worker": Worker, "Index": Index, "Limit": Limit, "Retry": Retry, "Holder": Holder,
		"RV": RV, "Code": Code, "Number": Number, "Duration": Duration, "Value": Value, "Lock": Lock, "Syncing": Syncing, "Skip": Skip, "Refused": Refused, "Failure": Failure, "Revision": Revision, "Until": Until,
		"Items": Items, "Received": Received, "Queued": Queued, "Depth": Depth, "Length": Length, "Left": Left, "Pending": Pending, "Lost": Lost, "Requeues": Requeues, "Requests": Requests, "Reconciles": Reconciles, "Started": Started, "Priority": Priority,
	}
}
