"""Where the kernels of ``least_norm`` find their sizes, lists and places in ``ic``."""

ROWS = 0  # n
COLUMNS = 1  # m
RANK = 2  # r
LANES = 3
ENTRIES = 4  # of the pattern of A, the first numbers of a sample
SLOTS = 5  # of A with what elimination fills in
COMPONENTS = 6  # nc
WEIGHTS_COUNT = 7  # entries of W, behind the right side b of a sample
WIDTH = 8  # numbers of a sample
# addresses of lists of integers
PLACES = 9  # slots of the entries of A, then rows of b, then places of the entries of W
STEPS = 10
LOWER = 11
LOWER_TRANSPOSED = 12
UPPER = 13
UPPER_TRANSPOSED = 14
WEIGHTS_AT = 15  # (component, column) of the entries of W
LEFT = 16  # slots of what is left of A behind the last pivot
LEFT_COUNT = 17
LOWER_COUNT = 18
UPPER_COUNT = 19
# offsets in w
VECTOR = 20  # (max(n, m))
SAVED = 21  # (max(n, m))
WEIGHTS = 22
PARTS = 23  # (nc)
LEFT_BASIS = 24  # (n − r, n)
RIGHT_BASIS = 25  # (m − r, m)
ALONG = 26  # (1)
TOLD = 27  # (4)
STRIDE = 28  # numbers from one sample to the next
SIZE = 29

# what a sample is judged by
NORM, LARGEST, REST, INVERSE = 0, 1, 2, 3
JUDGED = 4
