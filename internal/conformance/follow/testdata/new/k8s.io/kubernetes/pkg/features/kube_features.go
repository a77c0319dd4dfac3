package features

var gates = map[featuregate.Feature]featuregate.VersionedSpecs{
	Named:    {{Version: version.MustParse("1.35"), Default: false, PreRelease: featuregate.Alpha}, {Version: version.MustParse("1.37"), Default: true, PreRelease: featuregate.Beta}},
	Same:     {{Version: version.MustParse("1.30"), Default: true, PreRelease: featuregate.GA, LockToDefault: true}},
	Doubling: {{Version: version.MustParse("1.37"), Default: false, PreRelease: featuregate.Alpha}},
}
