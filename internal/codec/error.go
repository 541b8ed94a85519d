package codec

import (
	"errors"
	"fmt"
)

// What is wrong with a value that is wrapped, or with wrapping it again. Always inside an [*Error].
var (
	// ErrTruncated: the wrapped bytes end too early.
	ErrTruncated = errors.New("ends too early")
	// ErrTrailing: other bytes stand behind the wrapped ones.
	ErrTrailing = errors.New("other bytes behind the end")
	// ErrCorrupt: the wrapped bytes break the rules of their format or do not fit their checksum.
	ErrCorrupt = errors.New("damaged")
	// ErrDictionary: the bytes can be opened only with a dictionary that is elsewhere.
	ErrDictionary = errors.New("needs a dictionary")
	// ErrWindow: a zstd stream looks further back than 128 MiB.
	ErrWindow = errors.New("needs a window of more than 128 MiB")
	// ErrExtra: the wrapping carries data of its own (a gzip extra field, a zstd skippable frame), which may
	// describe the compressed bytes, so that it could not be kept.
	ErrExtra = errors.New("carries extra data")
	// ErrParts: there are more members, frames or lines than are handled.
	ErrParts = errors.New("too many parts")
	// ErrDepth: there are more than [MaxDepth] layers.
	ErrDepth = fmt.Errorf("wrapped more than %d times", MaxDepth)

	// ErrSealed: the value can be read, but a prefix in it may be a checksum of the rest, see
	// [Unwrapped.Sealed].
	ErrSealed = errors.New("not written, since the bytes in front may be a checksum")
	// ErrAmbiguous: the old base64 text does not show which alphabet or padding the new one should have.
	ErrAmbiguous = errors.New("not written, since the old text does not show alphabet or padding")
	// ErrNotJSON: the new text is no JSON, or the value held none.
	ErrNotJSON = errors.New("not written, since it is no JSON")
	// ErrNotLines: the new text is no array of values that each fit on a line.
	ErrNotLines = errors.New("not written, since it is no array of values of one line each")
	// ErrReadBack: what was wrapped again did not open to the same text.
	ErrReadBack = errors.New("not written, since it does not read back as the same")
)

// An Error says which layer of a value could not be opened or made again, and why. It quotes no byte of the
// value.
type Error struct {
	Codec string
	Err   error // one of the errors above
}

func (e *Error) Error() string { return e.Codec + ": " + e.Err.Error() }

// Unwrap is the reason.
func (e *Error) Unwrap() error { return e.Err }

// A LimitError says that a value decompresses to more than [Options.MaxValue] bytes. Whether it goes on
// behind them is not known.
type LimitError struct {
	Codec string
	Limit int64
}

func (e *LimitError) Error() string {
	return fmt.Sprintf("%s: more than %d bytes when decompressed", e.Codec, e.Limit)
}
