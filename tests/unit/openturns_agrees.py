"""A second opinion on calibrate/surrogate, by OpenTURNS:  openturns_agrees.py SURROGATE_FOR_OPENTURNS

It skips without python3-openturns, whatever is promised: with what it depends on, the package takes 260 MB,
and packages.txt does without it."""
import math
import subprocess
import sys

try:
    import openturns as ot
except ImportError as missing:
    print(f"skipped: {missing} (package python3-openturns)")
    sys.exit(77)

DIMS = 3


def ishigami(z):
    x, y, w = (math.pi * value for value in z)
    return [math.sin(x) + 7 * math.sin(y) ** 2 + 0.1 * w**4 * math.sin(x)]


def chaos(points, outputs, order):
    """First and total indices of a polynomial chaos of total order `order` by least squares."""
    distribution = ot.ComposedDistribution([ot.Uniform(-1, 1)] * DIMS)
    basis = ot.OrthogonalProductPolynomialFactory([ot.LegendreFactory()] * DIMS, ot.LinearEnumerateFunction(DIMS))
    n_terms = math.comb(DIMS + order, DIMS)
    algorithm = ot.FunctionalChaosAlgorithm(points, outputs, distribution, ot.FixedStrategy(basis, n_terms),
                                            ot.LeastSquaresStrategy())
    algorithm.run()
    indices = ot.FunctionalChaosSobolIndices(algorithm.getResult())
    return [indices.getSobolIndex(d) for d in range(DIMS)] + [indices.getSobolTotalIndex(d) for d in range(DIMS)]


def furthest(ours, theirs):
    return max(abs(a - b) for a, b in zip(ours, theirs))


lines = [[float(word) for word in line.split()]
         for line in subprocess.run(sys.argv[1:], check=True, capture_output=True, text=True).stdout.splitlines()]
order, ours = int(lines[0][0]), lines[0][1:1 + 2 * DIMS]
points, outputs = ot.Sample([line[:DIMS] for line in lines[1:]]), ot.Sample([line[DIMS:] for line in lines[1:]])

same = furthest(ours, chaos(points, outputs, order))
# Its own simulations, of its own number.
ot.RandomGenerator.SetSeed(1)
others = ot.LHSExperiment(ot.ComposedDistribution([ot.Uniform(-1, 1)] * DIMS), 1500).generate()
own = furthest(ours, chaos(others, ot.PythonFunction(DIMS, 1, ishigami)(others), order))
print(f"order {order}: indices differ by {same:.2g} for the same simulations, by {own:.2g} for others")
if not (same < 1e-8 and own < 0.01):
    sys.exit("failed: OpenTURNS has other indices")
