// Package jsonedit changes JSON texts in place, by span: what is not changed stays as it is, byte for byte.
//
// [Parse] checks a text and records where each value lies; nothing is decoded. A [Doc] is a flat list of
// nodes in document order, and a [Ref] is a place in that list. An [Edit] collects changes, named by Ref;
// [Edit.Bytes] writes the text anew with them. [Valid] checks a text without an index.
//
// # Promises
//
// Accepted is exactly what encoding/json.Valid accepts: invalid UTF-8 and lone surrogates in strings pass,
// 10,000 levels of nesting pass, 10,001 do not.
//
// The source is never written to, and no result of Bytes or Render shares memory with it. Outside a change
// every byte stays: numbers, the order of keys, duplicate keys, escapes, white space, also around the
// document. Parsing and rendering take time linear in the text (rendering, also a binary search among the
// edits for each element placed) and need no stack per level of the text.
//
// # Separators
//
// [Edit.SetElems], [Edit.AddMember] and [Edit.RemoveMember] put commas where they belong and take the white
// space around them from what stands in the container, so that a pretty-printed text stays so. The text
// behind the opening bracket (the lead) and the text before the closing one (the tail) stay. Two neighbours
// that stay neighbours keep the separator between them; any other two get, if it exists, the separator
// that stood before the second, else the one that stood behind the first, else the first of the container,
// else a comma and the lead. A container that has nothing left is [] or {}.
//
// # Caveats
//
// Text that a caller passes in is inserted as it is; only valid JSON in gives valid JSON out. Names and
// strings are compared decoded, as encoding/json decodes them. A Doc may be read by several goroutines; a
// Parser and an Edit belong to one at a time.
package jsonedit
