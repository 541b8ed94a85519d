// Boltmend audits and repairs the LLM conversations that chat apps keep in
// bbolt database files. See README.md for users and docs/design.md for how it
// is built.
package main

import "boltmend/internal/cli"

func main() { cli.Main() }
