package wording

import "strings"

// DidYouMean returns ": did you mean diff?" if one of some words is spelled like a word, else "".
func DidYouMean(word string, words []string) string {
	least, like := min(3, len(word)/2+1), ""
	for _, other := range words {
		if n := distance(strings.ToLower(word), strings.ToLower(other)); n < least {
			least, like = n, ": did you mean "+other+"?"
		}
	}
	return like
}

// distance returns how many letters have to be added, removed or changed so that a word becomes another.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0]++
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
