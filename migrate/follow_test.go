package migrate

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"

	"boltmend/repair"
)

// TestPlanOptionsAreComplete: an option that decides what is written has to be
// in a plan, so that a plan made with another is refused.
func TestPlanOptionsAreComplete(t *testing.T) {
	decides := map[string]any{
		"Buckets": []string{"x"}, "Only": []string{"a/b"}, "IDs": []string{"x"}, "MaxValue": int64(5), "ShiftRows": true,
		"Dialects": []repair.Dialect{"pi"}, "Layouts": []BucketLayout{{Bucket: "x"}},
	}
	aside := []string{
		"All", "Strict", "Workers", "Live", "LockWait", "DryRun", "NoBackup", "BackupDir", "Journal", "Output",
		"BatchBytes", "Progress", "Force", "SavePlan", "Plan",
	}
	plain := planOptions(&Options{})
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Options]()) {
		var o Options
		switch v, ok := decides[f.Name]; {
		case ok:
			reflect.ValueOf(&o).Elem().FieldByName(f.Name).Set(reflect.ValueOf(v))
			if len(otherOptions(plain, planOptions(&o))) != 1 {
				t.Errorf("option %s is not in a plan", f.Name)
			}
		case f.Name != "Repair" && !slices.Contains(aside, f.Name):
			t.Errorf("option %s: does it decide what a repair writes? then a plan has to hold it; else list it here", f.Name)
		}
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[repair.Options]()) {
		if f.Name == "Dialect" {
			continue // migrate has Dialects for it
		}
		var o Options
		v := reflect.ValueOf(&o.Repair).Elem().FieldByName(f.Name)
		switch v.Kind() {
		case reflect.Bool:
			v.SetBool(true)
		case reflect.String:
			v.SetString("other")
		case reflect.Int:
			v.SetInt(7)
		case reflect.Slice:
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		default:
			t.Fatalf("option %s is of a kind that this test does not know", f.Name)
		}
		if got := otherOptions(plain, planOptions(&o)); !reflect.DeepEqual(got, []string{flagName(f.Name)}) {
			t.Errorf("with another %s these differ: %q", f.Name, got)
		}
	}
	// What is the same is the same in words.
	same := Options{Repair: repair.Options{OnMissing: repair.Answer, Marker: repair.DefaultMarker, Placeholders: []string{}}, MaxValue: DefaultMaxValue}
	if other := otherOptions(plain, planOptions(&same)); len(other) > 0 {
		t.Errorf("the defaults in words differ: %q", other)
	}
	for name, value := range plain {
		if !json.Valid([]byte(value)) {
			t.Errorf("%s is %s", name, value)
		}
	}
}
