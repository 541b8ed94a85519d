package store

import "testing"

func TestHolderIn(t *testing.T) {
	const id = "fe:01:1234"
	for line, want := range map[string]int{
		"1: FLOCK  ADVISORY  WRITE 4711 fe:01:1234 0 EOF":    4711,
		"1: FLOCK  ADVISORY  READ 12 fe:01:1234 0 EOF":       12,
		"1: -> FLOCK  ADVISORY  WRITE 4711 fe:01:1234 0 EOF": 0,
		"1: POSIX  ADVISORY  WRITE 4711 fe:01:1234 0 EOF":    0,
		"1: FLOCK  ADVISORY  WRITE 4711 fe:02:1234 0 EOF":    0,
		"1: FLOCK  ADVISORY  WRITE x fe:01:1234 0 EOF":       0,
		"": 0,
	} {
		if got := holderIn(line, id); got != want {
			t.Errorf("holderIn(%q) = %d, want %d", line, got, want)
		}
	}
}

func TestNetworkType(t *testing.T) {
	for magic, want := range map[uint32]string{
		0x6969: "NFS", 0xFE534D42: "SMB", 0xFF534D42: "SMB", 0x01021997: "9p", 0x65735546: "FUSE",
		0xEF53: "", 0x01021994: "",
	} {
		if got := networkType(magic); got != want {
			t.Errorf("networkType(%#x) = %q, want %q", magic, got, want)
		}
	}
}
