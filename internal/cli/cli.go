// Package cli is the command line of boltmend.
package cli

// Main runs the program.
func Main() {}
