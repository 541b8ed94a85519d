package migrate

import (
	"bytes"

	"boltmend/internal/jsonedit"
)

// Rows may name one another by key: the one before them, or the one that they
// reply to. What a repair moves or takes out would then be named wrongly, and a
// chain of rows would lack what comes. Links of messages themselves are package
// repair's.

// linkNames are members that name another row, folded.
var linkNames = map[string]bool{
	"replyto": true, "replytoid": true, "inreplyto": true, "inreplytoid": true, "quotedid": true, "quoteid": true,
	"prev": true, "previd": true, "previous": true, "previousid": true, "prevkey": true, "prevmessageid": true, "previousmessageid": true,
	"next": true, "nextid": true, "nextkey": true, "nextmessageid": true,
	"parent": true, "parentid": true, "parentkey": true, "parentmessageid": true, "parentuuid": true,
}

// links says why rows that name one another may not be put into other seats, ""
// if they may.
func links(l *layout, rows []row, seats []seat) string {
	hurt := make(map[int]bool) // rows that go, or get another spot
	for i := range rows {
		hurt[i] = true
	}
	moved := len(seats) != len(rows)
	for i := range seats {
		from := seats[i].from
		if from < 0 {
			continue
		}
		if bytes.Equal(seats[i].spot.key, rows[from].key) {
			delete(hurt, from)
		} else {
			moved = true
		}
	}
	if !moved && len(hurt) == 0 {
		return ""
	}
	named := make(map[string]int) // the rows by their names, as JSON
	for i := range rows {
		for _, f := range echoForms {
			key := rows[i].key
			if f.place {
				key = l.place(key)
			}
			if text := f.text(l.form, key); text != nil {
				named[string(text)] = i
			}
		}
		if id := memberText(rows[i].text, "id"); id != nil {
			named[string(id)] = i
		}
	}
	linking, name := 0, ""
	for i := range rows {
		to, member := linkOf(rows[i].text, named)
		if member == "" || to == i {
			continue
		}
		if to == i-1 {
			linking, name = linking+1, member
		}
		if hurt[to] && !common(rows, member) {
			return "rows name one another (" + member + "), and one that is named would go or move"
		}
	}
	if linking > 1 && linking >= len(rows)-1 {
		return "rows name one another (" + name + "), each the one before it"
	}
	return ""
}

// common reports whether all rows say the same by a member, as that of the
// folder that they are in.
func common(rows []row, member string) bool {
	for i := range rows {
		if !bytes.Equal(memberText(rows[i].text, member), memberText(rows[0].text, member)) {
			return false
		}
	}
	return true
}

// linkOf is the row that a row names, and the member that does, "" for none.
func linkOf(text []byte, named map[string]int) (to int, member string) {
	d, err := jsonedit.Parse(text)
	if err != nil {
		return 0, ""
	}
	for key, value := range membersOf(d, 0) {
		if name := d.Text(key); linkNames[fold([]byte(name))] {
			if to, ok := named[string(d.Raw(value))]; ok {
				return to, name
			}
		}
	}
	return 0, ""
}
