package repair_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
)

// orderTells wants each element of the output to come from where Order says:
// no element comes twice, and a message of nothing but text stands there if it
// stands anywhere.
func orderTells(x trial) error {
	in, out := elements(x.src), elements(x.result.JSON)
	order := x.result.Order
	if order == nil {
		if len(in) != len(out) {
			return errors.New("elements came or went without an order")
		}
		return nil
	}
	if len(order) != len(out) {
		return fmt.Errorf("%d elements, order %v", len(out), order)
	}
	seen := make(map[int]bool)
	for i, from := range order {
		if from < -1 || from >= len(in) || seen[from] && from >= 0 {
			return fmt.Errorf("order %v of %d elements", order, len(in))
		}
		seen[from] = true
		if from >= 0 && onlyText(in[from]) && once(in, in[from]) && !bytes.Equal(in[from], out[i]) && place(out, in[from]) >= 0 {
			return fmt.Errorf("element %d is said to come from %d, which stands elsewhere", i, from)
		}
	}
	return nil
}

// onlyText reports whether an element is certainly no part of an exchange.
func onlyText(e json.RawMessage) bool {
	return !regexp.MustCompile(`(?i)tool|call|function`).Match(e)
}

// once reports whether a text stands in a list once.
func once(list []json.RawMessage, e json.RawMessage) bool {
	i := place(list, e)
	return i >= 0 && place(list[i+1:], e) < 0
}
