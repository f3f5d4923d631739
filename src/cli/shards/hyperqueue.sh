#!/bin/sh
# @TITLE@: a HyperQueue array.
#
# Keep this in FILE.sh, be in a folder that all workers share, and have destrier in the PATH of all. Then
#   hq submit FILE.sh
# submits it.
#   destrier merge --estimate @FOLDER@
# shows how far all parts are, hq job progress last how many tasks have ended, and @NAME@-JOB-PART.log why one failed.
#   destrier merge @FOLDER@
# puts the parts together, or says what is missing. Then submit it again: parts that are there are not made again, and those
# that were begun go on.
#
# The tasks of a worker that is lost HyperQueue gives to others, up to a hundred times each. One that was itself killed has
# failed, and
#   hq submit --array="$(hq job task-ids last --filter=failed)" FILE.sh
# does those again.
#
#HQ --name=@NAME@
#HQ --array=1-@PARTS@
#HQ --cpus=@THREADS@
#HQ --crash-limit=100
#HQ --stdout=none
#HQ --stderr=@NAME@-%{JOB_ID}-%{TASK_ID}.log:rm-if-finished

exec @SEARCH@
