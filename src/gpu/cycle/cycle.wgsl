// A cycle of the three-cycle board: computes every square at once, from the board before the cycle.
//
// The twin is CycleState::cell_after in state.rs, line by line; mod.rs explains the channels. The loop has eight
// iterations, so an invocation stays far below the number that the software driver allows.

struct Params {
    cols: i32,
    rows: i32,
    // Eight moves, four bits each, the first in the lowest.
    moves: u32,
}

@group(0) @binding(0) var<storage, read> cells: array<vec4<f32>>;
@group(0) @binding(1) var<storage, read_write> cells_after: array<vec4<f32>>;
@group(0) @binding(2) var<storage, read> params: Params;

const VISIT = 0;
const COUNT = 1;
const RANK = 2;
const NEXT = 3;

const NO_MOVE = 8.0;
const BACK = 3u;
const DECIDES_AT = 3.0;
const RANK_NONE = 9.0;
const STEPS = array<vec2<i32>, 8>(
    vec2(1, 2), vec2(1, -2), vec2(-1, 2), vec2(-1, -2), vec2(2, 1), vec2(2, -1), vec2(-2, 1), vec2(-2, -1),
);

fn cell_after(at: i32) -> vec4<f32> {
    let cols = params.cols;
    let rows = params.rows;
    let x = at % cols;
    let y = at / cols;
    var visit = cells[at][VISIT];
    var count = cells[at][COUNT];
    var leave = cells[at][NEXT];
    var rank = 0.0;
    var best = RANK_NONE;
    var next = NO_MOVE;
    var steps = STEPS;
    for (var k = 0u; k < 8u; k++) {
        let m = (params.moves >> (4u * k)) & 7u;
        let u = x + steps[m].x;
        let v = y + steps[m].y;
        if u < 0 || u >= cols || v < 0 || v >= rows {
            continue;
        }
        let other = cells[v * cols + u];
        if other[VISIT] == 0.0 {
            rank += 1.0;
            if other[RANK] < best {
                best = other[RANK];
                next = f32(m);
            }
        } else if visit == 0.0 && other[NEXT] == f32(m ^ BACK) {
            visit = other[VISIT] + 1.0;
        }
    }
    if visit != 0.0 && leave == NO_MOVE {
        count += 1.0;
        if count == DECIDES_AT {
            leave = next;
        }
    }
    return vec4(visit, count, rank, leave);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let at = i32(id.y * groups.x * 64u + id.x);
    if at < params.cols * params.rows {
        cells_after[at] = cell_after(at);
    }
}
