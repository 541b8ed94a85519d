// Package page reads the bbolt file format by hand and says what is wrong
// with a file before anything opens it.
//
// bbolt trusts the pages it maps: on a damaged file it commits over live data,
// ends the process with a fault that cannot be caught, or never returns.
// [Check] therefore reads by pread alone, checks every number against the file
// before it uses it, and marks each page that it has seen, so that it ends on
// any input, allocates by no count of the file's own and never panics. Memory
// is two bits a page, a few buffers, and the open path from the root, which is
// bounded too.
//
// A file of some size is first read by several goroutines, each with all of
// that for itself, but a bit a page instead of two. They report nothing. Unless
// they find that all is well, one goroutine reads it again and reports.
//
// # What is an error
//
// An error is what makes bbolt lose data, crash or loop; a file with errors
// must not be opened for writing. An oddity is what no bbolt writes but any
// bbolt reads and writes safely: other programs and repairs by hand leave it.
// Values are not read: a damaged value is nobody's to find at this level.
//
// # The format relied on
//
// Integers are in the byte order of the machine. A file is an array of pages
// of one size, a power of two from 1 KiB to 16 MiB. A page starts with a
// header of 16 bytes: id u64, flags u16 (1 branch, 2 leaf, 4 meta, 16
// freelist, exactly one of them), count u16, overflow u32, the number of pages
// that follow it as one run and have no header of their own.
//
// Pages 0 and 1 are metas: behind the header 64 bytes, magic u32 0xED0CDAED,
// version u32 2, page size u32, flags u32 0, root page u64, sequence u64,
// freelist page u64 (all ones: none is stored), high water mark u64,
// transaction id u64, and FNV-1a-64 over those 56 bytes. The valid one with the
// higher transaction id counts; a tie is meta 0's.
//
// A branch has count elements of 16 bytes, pos u32, ksize u32, page u64, and a
// leaf of 16 bytes, flags u32 (1: a bucket), pos u32, ksize u32, vsize u32.
// pos counts from the element itself. Keys have 1 to 32768 bytes and increase
// strictly, on a page and across pages: the first key on the page below a
// branch element is that element's key, and all keys there are smaller than the
// next element's. A branch has two elements or more, and only a root may be an
// empty leaf. Writers lay keys and values down in element order without gaps,
// take no page more than needed, and leave zeros behind the last value.
//
// A bucket is a leaf element whose value is its root page u64 and a sequence
// u64. If the root page is 0, a leaf page of id 0 follows in the same value,
// without buckets in it. Keys of the top level are buckets, all of them.
//
// A freelist page has count ids u64, in increasing order; count 0xFFFF means
// that the first u64 is the count. Each page below the high water mark is
// reached from the root exactly once, or a page of the freelist, or listed in
// it.
package page
