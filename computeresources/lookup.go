package computeresources

import "errors"

// Errors about something that is looked up, added, changed or removed by its name wrap one of these two, in all
// packages: ask errors.Is. The message names what it is about, such as `node "a" not found`.
var (
	// ErrNotFound means that there is nothing with this name.
	ErrNotFound = errors.New("not found")
	// ErrExists means that there is something with this name already.
	ErrExists = errors.New("already exists")
)
