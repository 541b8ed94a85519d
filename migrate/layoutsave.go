package migrate

import (
	"bytes"
	"errors"

	"boltmend/store"
)

// SaveLayout writes what was found in a database to a layout file that is not
// there yet. The error is nil, or one to report, with CodeUsage if there is a
// file of this name.
func SaveLayout(path, database string, all []BucketLayout) *Error {
	var text bytes.Buffer
	err := WriteLayout(&text, all)
	if err == nil {
		err = store.WriteNew(path, "save the layout", text.Bytes())
	}
	if err == nil {
		return nil
	}
	e := &Error{Type: "error", Database: database, Code: CodeIO, Message: err.Error()}
	var known *store.Error
	if errors.As(err, &known) {
		e.Code = known.Code
	}
	return e
}
