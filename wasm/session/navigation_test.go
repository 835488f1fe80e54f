package session

func init() { stops = func(what string) { panic(what) } }
