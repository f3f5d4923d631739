#!/bin/sh
# @TITLE@: @TASKS@ tasks of a Slurm array.
#
# Keep this in FILE, be in a folder that all nodes share, and have destrier in the PATH of all. Then
#   sbatch FILE
# submits it; with --array=1-@TASKS@%64 before FILE no more than 64 tasks run at once.
#   destrier merge --estimate @FOLDER@
# shows how far all parts are, squeue --me what runs, and what begins with destrier: in @NAME@-JOB.log what went wrong.
#   destrier merge @FOLDER@
# puts the parts together, or says what is missing. Then submit it again: parts that are there are not made again, and those
# that were begun go on.
#
# A task makes the parts of its number, and every @TASKS@th after it, one after the other. A minute before its time is up it
# saves what it has and goes back into the queue, and so it does up to ten times when a part was killed. Of a node that
# fails Slurm puts the tasks back itself.
#
#SBATCH --job-name=@NAME@
#SBATCH --array=1-@TASKS@
#SBATCH --ntasks=1
#SBATCH --cpus-per-task=@THREADS@
#SBATCH --mem-per-cpu=256M
#SBATCH --time=01:00:00
#SBATCH --signal=B:USR1@@60
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=@NAME@-%A.log

running='' cancelled='' late='' failed=''
save() {
    [ -z "$running" ] || kill -TERM "$running"
}
trap 'late=1; save' USR1
trap 'cancelled=1; save' TERM

part=$SLURM_ARRAY_TASK_ID
while [ "$part" -le @PARTS@ ] && [ -z "$cancelled$late" ]; do
    @SEARCH@ > /dev/null &
    running=$!
    # It may have been told in between.
    [ -z "$cancelled$late" ] || save
    # A signal ends the first wait, and the second one then waits for what is saved.
    wait "$running" || wait "$running" || failed=1
    running=''
    part=$((part + @TASKS@))
done

[ -z "$cancelled" ] || exit 143
if [ -n "$late" ] || { [ -n "$failed" ] && [ "${SLURM_RESTART_COUNT:-0}" -lt 10 ]; }; then
    exec scontrol requeue "$SLURM_JOB_ID"
fi
[ -z "$failed" ]
