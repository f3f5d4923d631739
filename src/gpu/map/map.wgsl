// The batch of knights: one invocation moves one knight by Warnsdorff's rule.
//
// A board has a bit for every square, 1 where the knight has not been: `stride` words a row, with four columns of 0
// on both sides. Word w of a lane lies at `w * lanes + lane`, so that neighbouring lanes read neighbouring words. All
// that decides a move lies within four squares of the knight, in a window of nine rows of nine bits:
//
//     bit  8 . . . . . . . 0
//          . . . . . . . . .    row - 4
//          . . . . . . . . .
//          . . . 3 . 1 . . .    where moves lead (seen from below: bit 0 is the leftmost column)
//          . . 7 . . . 5 . .
//          . . . . K . . . .    row
//          . . 6 . . . 4 . .
//          . . . 2 . 0 . . .
//          . . . . . . . . .
//          . . . . . . . . .    row + 4
//
// An invocation does at most `budget` steps, where a step fills a word or makes a move. It leaves its state for the
// next dispatch: drivers reset a device that is busy for long, and the software driver ends an invocation after
// 65,535 iterations.

struct Input {
    rows: u32,
    cols: u32,
    // Words of a row.
    stride: u32,
    // The number of lanes, and how many of them have a knight.
    lanes: u32,
    knights: u32,
    // The order and the start of the first lane.
    order: u32,
    start: u32,
    // Steps of this dispatch, at most.
    budget: u32,
    // 1 in the first dispatch of a run, which sets up the boards.
    fresh: u32,
}

@group(0) @binding(0) var<storage, read> input: Input;
// By order: the place of each move in the order, in the four bits of the move.
@group(0) @binding(1) var<storage, read> orders: array<u32>;
@group(0) @binding(2) var<storage, read_write> open: array<u32>;
// By lane: squares visited, with ENDED added when no move is left; 0 while the board is being filled.
@group(0) @binding(3) var<storage, read_write> visited: array<u32>;
// By lane: the square of the knight, or the next word to fill.
@group(0) @binding(4) var<storage, read_write> places: array<u32>;

const ENDED = 0x80000000u;
const NO_CHOICE = 0xffffffffu;
// Columns of 0 on each side of the board.
const MARGIN = 4u;

// A word of a row before any visit.
fn unvisited(word: u32) -> u32 {
    let first = 32u * word;
    let end = max(input.cols + MARGIN, first) - first;
    let left = select(0xffffffffu, 0xfffffff0u, word == 0u);
    return select(left, left & ((1u << (end & 31u)) - 1u), end < 32u);
}

fn visit(lane: u32, row: i32, col: i32) {
    let bit = u32(col) + MARGIN;
    let word = (u32(row) * input.stride + bit / 32u) * input.lanes + lane;
    open[word] &= ~(1u << (bit % 32u));
}

// Nine squares of a row, around a column; none if there is no such row.
fn window(lane: u32, row: i32, col: i32) -> u32 {
    if row < 0 || row >= i32(input.rows) {
        return 0u;
    }
    let word = (u32(row) * input.stride + u32(col) / 32u) * input.lanes + lane;
    let shift = u32(col) % 32u;
    var bits = open[word] >> shift;
    if shift > 23u {
        bits |= open[word + input.lanes] << (32u - shift);
    }
    return bits & 0x1ffu;
}

// Packs the rank, the place in the order and the number of the move that leads to a bit of `here`; the knight takes
// the least. The other rows are one and two above and below `here`.
fn choice(
    order: u32, move_: u32, bit: u32, above_two: u32, above: u32, here: u32, below: u32, below_two: u32,
) -> u32 {
    if ((here >> bit) & 1u) == 0u {
        return NO_CHOICE;
    }
    let near = ((above >> (bit - 2u)) & 0x11u) | (((below >> (bit - 2u)) & 0x11u) << 1u);
    let far = ((above_two >> (bit - 1u)) & 0x5u) | (((below_two >> (bit - 1u)) & 0x5u) << 1u);
    let rank = countOneBits(near | (far << 8u));
    return (rank << 6u) | (((order >> (4u * move_)) & 7u) << 3u) | move_;
}

fn best(lane: u32, order: u32, row: i32, col: i32) -> u32 {
    let w0 = window(lane, row - 4, col);
    let w1 = window(lane, row - 3, col);
    let w2 = window(lane, row - 2, col);
    let w3 = window(lane, row - 1, col);
    let w4 = window(lane, row, col);
    let w5 = window(lane, row + 1, col);
    let w6 = window(lane, row + 2, col);
    let w7 = window(lane, row + 3, col);
    let w8 = window(lane, row + 4, col);
    let long = min(
        min(choice(order, 0u, 5u, w4, w5, w6, w7, w8), choice(order, 1u, 5u, w0, w1, w2, w3, w4)),
        min(choice(order, 2u, 3u, w4, w5, w6, w7, w8), choice(order, 3u, 3u, w0, w1, w2, w3, w4)),
    );
    let wide = min(
        min(choice(order, 4u, 6u, w3, w4, w5, w6, w7), choice(order, 5u, 6u, w1, w2, w3, w4, w5)),
        min(choice(order, 6u, 2u, w3, w4, w5, w6, w7), choice(order, 7u, 2u, w1, w2, w3, w4, w5)),
    );
    return min(long, wide);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>) {
    let lane = id.x;
    if lane >= input.knights {
        return;
    }
    let starts = input.rows * input.cols;
    let number = input.start + lane;
    let order = orders[input.order + number / starts];
    var budget = input.budget;
    var visits = 0u;
    var place = 0u;
    if input.fresh == 0u {
        visits = visited[lane];
        place = places[lane];
    }
    if visits == 0u {
        let words = input.rows * input.stride;
        while budget > 0u && place < words {
            open[place * input.lanes + lane] = unvisited(place % input.stride);
            place += 1u;
            budget -= 1u;
        }
        if place == words {
            place = number % starts;
            visits = 1u;
            visit(lane, i32(place / input.cols), i32(place % input.cols));
        }
    }
    if visits > 0u && visits < ENDED {
        var row = i32(place / input.cols);
        var col = i32(place % input.cols);
        while budget > 0u && visits < ENDED {
            let chosen = best(lane, order, row, col);
            if chosen == NO_CHOICE {
                visits |= ENDED;
            } else {
                // The bits of a move's number: 4 is wide, 2 is left, 1 is up.
                let wide = (chosen & 4u) != 0u;
                col += select(1, 2, wide) * select(1, -1, (chosen & 2u) != 0u);
                row += select(2, 1, wide) * select(1, -1, (chosen & 1u) != 0u);
                visit(lane, row, col);
                visits += 1u;
            }
            budget -= 1u;
        }
        place = u32(row) * input.cols + u32(col);
    }
    visited[lane] = visits;
    places[lane] = place;
}
