module aorta.test/bench/bento

go 1.24

require github.com/warpstreamlabs/bento v1.10.0
