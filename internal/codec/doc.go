// Package codec takes a stored value apart until JSON shows, and puts it together again the same way.
//
// [Codec.Unwrap] takes the layers off a whole value; [Codec.Strings] finds the strings of a JSON document that
// hold JSON in turn; [Unwrapped.Retry] shows JSON lines as one array, once the text turned out to be no JSON.
// An [Unwrapped] has one JSON text, and its Rewrap makes the value, or the JSON string, of a changed one.
//
// # Layers
//
//	gzip     one member or several; written as one, with the header of the first
//	zstd     one frame or several; written as one, with size and checksum
//	prefix   1, 4 or 8 bytes before JSON, gzip or zstd: kept, or the length or checksum that they were
//	base64   of JSON, gzip or zstd, in a JSON string or as the whole value: the same alphabet and padding
//	string   JSON or JSON lines in a JSON string: the same style of escapes
//	lines    JSON lines or JSON values without line breaks between them: each line keeps its ending
//
// Compressed is at the default level. There are [MaxDepth] layers at most, strings of documents counted in by
// [Unwrapped.Depth]. Refused with a plain error are data that is cut off, damaged or followed by other bytes, a
// zstd dictionary, and what would be lost: gzip extra fields and zstd skippable frames.
//
// Recognised by name and not opened are zlib, snappy and S2, lz4, xz, bzip2, MessagePack, CBOR, protobuf, gob,
// and some files that have no JSON in them, as pictures. Bytes without any form are Opaque. A text is never
// taken for any of them.
//
// Nothing of those comes out of Unwrap. [Codec.Peek] looks at a bounded beginning of what is in zlib, raw deflate,
// snappy, hex and UTF-16, alone and within one another, so that what they speak of can be said.
//
// # Promises
//
// Rewrap with the text as it was is the old value, byte for byte. With another text it makes a value that opens
// to that text, which is tried before it is returned; of a JSON string only what lies between the first change
// and the last is spelled anew, of JSON lines only the lines that differ.
//
// A prefix that may be a checksum of an unknown kind, or a base64 text that does not show how a longer one would
// look, can be read and is not written.
//
// No input makes it panic, or take more than a time linear in the value and in what comes out of it. Decompressed
// text is bounded by [Options.MaxValue], all layers of a value together, and at no time are more bytes than that (and
// one block of zstd) held for it, however the headers lie; the decoder of a zstd value that compresses unusually well has its window
// besides: 8 MiB, or as much again, but never more than 128 MiB.
//
// A value that begins as JSON costs one comparison.
package codec
