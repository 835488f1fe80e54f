package convert

// logs are the formats that are written line by line, or by programs that
// observe others.
var logs = []form{auditForm, klogForm, harForm, schedulerForm, sieveForm}
