package a

func Sum(x, y int) int { return x }
