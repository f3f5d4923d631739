// Subtrees searched side by side, one lane for each. The twin is lane.rs, function by function; next_steps is in
// rules.rs.
//
// Every loop is bounded: a lane takes at most `budget` steps, each of at most eight iterations, and continues in the
// next dispatch where it stopped. Some drivers bound the iterations of lanes that run side by side together. A step
// is nine iterations for all lanes together, and each lane may copy prefixes and tours of up to `budget` squares
// alone. That is 34,816 for 8 lanes and 2048 steps, 51,200 for 16 lanes; each copy that a lane starts with its last
// steps adds up to 64.

struct Control {
    budget: u32,
    lanes: u32,
    squares: u32,
    room: u32,
    end: u32,
    next: atomic<u32>,
    live: atomic<u32>,
    nodes: atomic<u32>,
    tours: atomic<u32>,
    steps: atomic<u32>,
    most: atomic<u32>,
    stored: atomic<u32>,
    depth: u32,
    lane0_path: array<u32, 64>,
}

struct Head {
    depth: u32,
    base: u32,
    vacant: vec2<u32>,
    last: vec2<u32>,
    unused: vec2<u32>,
}

struct Lane {
    depth: u32,
    base: u32,
    vacant: vec2<u32>,
    last: vec2<u32>,
    // Untried steps from the square that the lane stands on.
    open: vec2<u32>,
    at: u32,
}

const WORDS = 24u;
const PATH = 8u;

@group(0) @binding(0) var<storage, read_write> control: Control;
@group(0) @binding(1) var<storage, read_write> near: array<vec2<u32>>;
@group(0) @binding(2) var<storage, read_write> queue: array<u32>;
@group(0) @binding(3) var<storage, read_write> heads: array<Head>;
// Level by level, the lanes side by side.
@group(0) @binding(4) var<storage, read_write> untried: array<vec2<u32>>;
@group(0) @binding(5) var<storage, read_write> path: array<u32>;
@group(0) @binding(6) var<storage, read_write> tour_squares: array<u32>;

fn none(squares: vec2<u32>) -> bool {
    return (squares.x | squares.y) == 0u;
}

fn bit(square: u32) -> vec2<u32> {
    let word = 1u << (square & 31u);
    return select(vec2(0u, word), vec2(word, 0u), square < 32u);
}

fn has(squares: vec2<u32>, square: u32) -> bool {
    return !none(squares & bit(square));
}

fn first(squares: vec2<u32>) -> u32 {
    if squares.x != 0u {
        return firstTrailingBit(squares.x);
    }
    return 32u + firstTrailingBit(squares.y);
}

fn size(squares: vec2<u32>) -> u32 {
    let counts = countOneBits(squares);
    return counts.x + counts.y;
}

// The steps from `at`, which has just been entered from `left`; none in a dead end.
fn next_steps(left: u32, at: u32, vacant: vec2<u32>, last: vec2<u32>) -> vec2<u32> {
    let ends = vacant & last;
    if none(ends) {
        return vec2(0u, 0u);
    }
    let usable = vacant | bit(at);
    var beside = near[left] & vacant;
    while !none(beside) {
        let square = first(beside);
        let needed = select(2u, 1u, has(last, square));
        if size(near[square] & usable) < needed {
            return vec2(0u, 0u);
        }
        beside ^= bit(square);
    }
    let steps = near[at] & vacant;
    if size(ends) == 1u && any(ends != vacant) {
        return steps & ~ends;
    }
    return steps;
}

// Takes a prefix from the queue.
fn take(lane: ptr<function, Lane>, id: u32, slot: u32) {
    let word = slot * WORDS;
    (*lane).depth = queue[word];
    (*lane).base = queue[word];
    (*lane).vacant = vec2(queue[word + 2u], queue[word + 3u]);
    (*lane).last = vec2(queue[word + 4u], queue[word + 5u]);
    (*lane).open = vec2(queue[word + 6u], queue[word + 7u]);
    for (var level = 0u; level < (*lane).depth; level++) {
        (*lane).at = (queue[word + PATH + level / 4u] >> (8u * (level % 4u))) & 0xffu;
        let here = (level + 1u) * control.lanes + id;
        path[here] = (*lane).at;
        untried[here] = vec2(0u, 0u);
    }
}

// Stores the tour that ends on `next`; returns whether there was room.
fn keep(lane: ptr<function, Lane>, id: u32, next: u32) -> bool {
    let slot = atomicAdd(&control.stored, 1u);
    if slot >= control.room {
        return false;
    }
    let to = slot * control.squares;
    for (var level = 1u; level <= (*lane).depth; level++) {
        tour_squares[to + level - 1u] = path[level * control.lanes + id];
    }
    tour_squares[to + (*lane).depth] = next;
    return true;
}

// Enters a square.
fn enter(lane: ptr<function, Lane>, id: u32, next: u32, rest: vec2<u32>) {
    untried[(*lane).depth * control.lanes + id] = (*lane).open ^ bit(next);
    (*lane).open = next_steps((*lane).at, next, rest, (*lane).last);
    (*lane).depth += 1u;
    (*lane).vacant = rest;
    (*lane).at = next;
    path[(*lane).depth * control.lanes + id] = next;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) global: vec3<u32>) {
    let id = global.x;
    if id >= control.lanes {
        return;
    }
    let head = heads[id];
    var here = head.depth * control.lanes + id;
    var lane = Lane(head.depth, head.base, head.vacant, head.last, untried[here], path[here]);
    let budget = control.budget;
    let keeps = control.room > 0u;
    var spent = 0u;
    var nodes = 0u;
    var tours = 0u;
    while spent < budget {
        if lane.depth == lane.base && none(lane.open) {
            let slot = atomicAdd(&control.next, 1u);
            if slot >= control.end {
                lane = Lane();
                break;
            }
            take(&lane, id, slot);
            spent += lane.depth;
            continue;
        }
        if none(lane.open) {
            lane.vacant |= bit(lane.at);
            lane.depth -= 1u;
            here = lane.depth * control.lanes + id;
            lane.open = untried[here];
            lane.at = path[here];
        } else {
            let next = first(lane.open);
            let rest = lane.vacant ^ bit(next);
            if none(rest) && keeps {
                if !keep(&lane, id, next) {
                    break;
                }
                spent += lane.depth;
            }
            enter(&lane, id, next, rest);
            nodes += 1u;
            tours += select(0u, 1u, none(rest));
        }
        spent += 1u;
    }
    untried[lane.depth * control.lanes + id] = lane.open;
    heads[id] = Head(lane.depth, lane.base, lane.vacant, lane.last, vec2(0u, 0u));
    atomicAdd(&control.live, select(0u, 1u, lane.depth > 0u));
    atomicAdd(&control.nodes, nodes);
    atomicAdd(&control.tours, tours);
    atomicAdd(&control.steps, spent);
    atomicMax(&control.most, spent);
    if id == 0u {
        control.depth = lane.depth;
        for (var level = 1u; level <= lane.depth; level++) {
            control.lane0_path[level - 1u] = path[level * control.lanes + id];
        }
    }
}
