package kernel

// Lanes is how many numbers a vector register holds; the functions below take
// multiples of it where they say so.
const Lanes = 8

// Add adds y to x, of one length, a multiple of 8.
func Add(x, y []float32) {
	if n := eights(len(x), len(y)); n > 0 {
		add(&x[0], &y[0], n)
	}
}

// AddTwo adds y and z to x, of one length, a multiple of 8.
func AddTwo(x, y, z []float32) {
	eights(len(x), len(z))
	if n := eights(len(x), len(y)); n > 0 {
		addTwo(&x[0], &y[0], &z[0], n)
	}
}

// AddRectified adds y to x, of one length, a multiple of 8, and makes 0 of what is
// below it then (ReLU). What is no number stays none.
func AddRectified(x, y []float32) {
	if n := eights(len(x), len(y)); n > 0 {
		addRectified(&x[0], &y[0], n)
	}
}

// Normalise sets out to the layer normalisation of x (Ba et al. 2016). All are of
// one length, a multiple of 8.
func Normalise(out, x, weight, bias []float32, epsilon float32) {
	n := eights(len(x), len(out))
	eights(len(x), len(weight))
	if eights(len(x), len(bias)); n > 0 {
		normalise(&out[0], &x[0], &weight[0], &bias[0], n, float32(len(x)), epsilon)
	}
}

// Find is the first index of x with a number that is least or more, len(x)
// without one.
func Find(x []float32, least float32) int {
	at := 0
	if n := len(x) / Lanes; n > 0 {
		if at = find(&x[0], n, least); at < n*Lanes {
			return at
		}
	}
	for at < len(x) && !(x[at] >= least) {
		at++
	}
	return at
}

// eights is how many registers hold a vector, which another must be as long as.
func eights(n, other int) int {
	if n != other || n%Lanes != 0 {
		panic("kernel: the vectors do not fit")
	}
	return n / Lanes
}
