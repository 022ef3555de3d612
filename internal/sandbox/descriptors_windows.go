package sandbox

// KeepDescriptors does nothing: on Windows a child process inherits only handles that are listed.
func KeepDescriptors() error { return nil }
