// Package migrate runs one migration over a database: it discovers where
// histories live, plans what a repair would do, backs up, applies and
// verifies. It ties package store, which knows bytes and buckets, to package
// repair, which knows messages. It prints nothing: a run is reported as
// events.
package migrate
