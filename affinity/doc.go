package affinity
