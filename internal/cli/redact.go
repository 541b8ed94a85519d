package cli

import (
	"crypto/sha256"
	"fmt"
	"regexp"

	"boltmend/migrate"
)

// Call ids and tool names come out of a database that may hold secrets, and a
// broken history can have any text in their place. They are shown as they are
// only if they look like what they are meant to be; else as
//
//	len=<bytes> sha256=<first 8 hex digits>
//
// which cannot be mistaken for one that is shown, and by which two of them
// can be compared. --show-content shows them all.

var plainID = regexp.MustCompile(`^[A-Za-z0-9_.:|-]{1,64}$`)

// redact returns an id or a name as it may be shown. An empty one stays
// empty.
func redact(s string) string {
	if s == "" || plainID.MatchString(s) {
		return s
	}
	return fmt.Sprintf("len=%d sha256=%.4x", len(s), sha256.Sum256([]byte(s)))
}

// redactFindings returns a copy of findings with every id and name redacted.
// It is never nil, which JSON would write as null.
func redactFindings(findings []migrate.Finding) []migrate.Finding {
	out := make([]migrate.Finding, len(findings))
	for i, f := range findings {
		f.ID, f.Name = redact(f.ID), redact(f.Name)
		out[i] = f
	}
	return out
}
