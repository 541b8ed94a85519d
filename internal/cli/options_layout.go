package cli

import (
	"errors"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/urfave/cli/v2"

	"boltmend/migrate"
)

// readLayout reads the flags about how conversations are stored.
func (o *options) readLayout(c *cli.Context) (err error) {
	switch how := c.String("rows"); how {
	case "", "report":
	case "shift":
		o.run.ShiftRows = true
	default:
		return usagef("--rows %s: use report or shift", how)
	}
	if name := c.String("layout"); name != "" {
		if o.run.Layouts, err = readLayoutFile(name); err != nil {
			return err
		}
	}
	if size := c.String("max-value"); size != "" {
		if o.run.MaxValue, err = readSize(size); err != nil {
			return usagef("--max-value %s: want a size as 512MiB or 2GiB", size)
		}
	}
	return nil
}

// readLayoutFile reads a layout file.
func readLayoutFile(name string) ([]migrate.BucketLayout, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, usagef("--layout %s: %s", name, cause(err))
	}
	defer f.Close()
	if st, err := f.Stat(); err != nil || !st.Mode().IsRegular() {
		return nil, usagef("--layout %s: not a file", name)
	}
	all, err := migrate.ReadLayout(f)
	if err != nil {
		return nil, usagef("--layout %s: %v", name, err)
	}
	return all, nil
}

// cause is an error without the path that the message has already.
func cause(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// sizeUnits are the units of a size, none being bytes.
var sizeUnits = []struct {
	suffix string
	bytes  int64
}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"", 1}}

// readSize reads a size in bytes, above 0.
func readSize(s string) (int64, error) {
	for _, u := range sizeUnits {
		digits, ok := strings.CutSuffix(s, u.suffix)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(digits, 10, 64)
		if err != nil || n <= 0 || n > (1<<62)/u.bytes {
			return 0, strconv.ErrRange
		}
		return n * u.bytes, nil
	}
	return 0, strconv.ErrSyntax
}
