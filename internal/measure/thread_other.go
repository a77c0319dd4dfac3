//go:build !linux

package measure

import "time"

// ThreadTime returns the time since the program began, because systems other than Linux do not report the
// CPU time of a thread in the same way.
func ThreadTime() time.Duration { return time.Since(began) }

var began = time.Now()
