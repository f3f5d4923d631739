//! The model under shuttle: plans of three to five workers, random schedules and PCT (priorities with few changes,
//! Burckhardt and others, "A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs", 2010).
//!
//! Seeds are fixed, so that a run can be repeated; `SHUTTLE_RANDOM_SEED` sets another.

use super::{
    model::{Leaving, Plan, run},
    slot::{Company, NominationScope},
};
use shuttle::{
    Config, MaxSteps, Runner,
    scheduler::{PctScheduler, RandomScheduler, Scheduler},
};

/// Random schedules of every plan.
pub fn random() {
    for (seed, plan) in plans().into_iter().enumerate() {
        check(RandomScheduler::new_from_seed(seed as u64, 400), plan);
    }
}

/// PCT schedules of every plan, up to three changes of priority.
pub fn pct() {
    for (seed, plan) in plans().into_iter().enumerate() {
        for depth in 1..=3 {
            check(PctScheduler::new_from_seed(seed as u64, depth, 400), plan.clone());
        }
    }
}

fn plans() -> Vec<Plan> {
    let mut plans = Vec::new();
    for company in [Company::Half, Company::None] {
        plans.push(Plan::new(3, company, &[8]));
        plans.push(Plan::new(4, company, &[16]));
        plans.push(Plan::new(4, company, &[3, 5]));
        plans.push(Plan::new(5, company, &[32]));
        plans.push(Plan { spin: 1, ..Plan::new(3, company, &[6]) });
        plans.push(Plan { stepwise: true, ..Plan::new(4, company, &[16]) });
        plans.push(Plan { choice: NominationScope::Drawn(2), ..Plan::new(4, company, &[16]) });
        plans.push(Plan { stop_after: 4, ..Plan::new(3, company, &[12]) });
        for how in [Leaving::Aloud, Leaving::Silently] {
            plans.push(Plan { leaver: Some((0, how)), ..Plan::new(3, company, &[4, 6]) });
            plans.push(Plan { leaver: Some((1, how)), ..Plan::new(3, company, &[9]) });
        }
    }
    plans.push(Plan::new(2, Company::Half, &[]));
    plans.push(Plan::new(2, Company::Half, &[1, 1]));
    plans
}

fn check(scheduler: impl Scheduler + 'static, plan: Plan) {
    let mut config = Config::new();
    // A run of these plans takes a few hundred steps: whatever takes this many goes round in circles.
    config.max_steps = MaxSteps::FailAfter(20_000);
    config.silence_warnings = true;
    Runner::new(scheduler, config).run(move || {
        run(&plan);
    });
}
