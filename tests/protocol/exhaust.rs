//! The model under loom: every schedule with few preemptions, and every value that the orderings written in the
//! protocol allow a load to see.

use super::{
    model::{Leaving, Plan, run},
    slot::{Company, NominationScope},
};

/// Two workers, up to three preemptions.
pub fn two_workers() {
    check(3, Plan::new(2, Company::Half, &[3]));
    check(3, Plan::new(2, Company::None, &[2, 1]));
    check(2, Plan { stepwise: true, ..Plan::new(2, Company::Half, &[3]) });
    check(3, Plan { choice: NominationScope::Drawn(1), ..Plan::new(2, Company::Half, &[3]) });
    for how in [Leaving::Aloud, Leaving::Silently] {
        check(3, Plan { leaver: Some((0, how)), ..Plan::new(2, Company::Half, &[3]) });
    }
}

/// Three workers, so that a list can have two helpers, and up to two preemptions.
pub fn three_workers() {
    check(2, Plan::new(3, Company::None, &[2]));
    for company in [Company::Half, Company::None] {
        check(1, Plan::new(3, company, &[4]));
    }
}

fn check(preemptions: usize, plan: Plan) {
    let mut builder = loom::model::Builder::new();
    builder.preemption_bound = Some(preemptions);
    builder.check(move || {
        run(&plan);
    });
}
