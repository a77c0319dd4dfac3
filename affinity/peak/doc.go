package peak
