package main

import "golang.org/x/sys/unix"

// limitMemory keeps a child from taking the machine's.
func limitMemory() {
	const most = 4 << 30
	unix.Setrlimit(unix.RLIMIT_AS, &unix.Rlimit{Cur: most, Max: most})
}
