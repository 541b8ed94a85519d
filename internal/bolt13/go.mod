module boltmend/internal/bolt13

go 1.26.8

require go.etcd.io/bbolt v1.3.12

require golang.org/x/sys v0.4.0 // indirect
