#!/usr/bin/env python3
"""The job files of `destrier shards`, given to the engines that they are for.

    tests/engines.py [PROGRAM]       PROGRAM: target/release/destrier, if nothing is said

Each engine makes all parts of one search. Meanwhile parts are killed by SIGKILL, a worker of HyperQueue is lost; the
engine makes them again, and no other engine does. Then `merge --json` must print what the undivided search does, tours and
nodes and all. An engine that is not there is skipped with a sentence:

    GNU parallel    parallel (Debian: parallel)
    HyperQueue      its Python package (pip install hyperqueue), for its cluster on one machine; hq itself is not needed
    Slurm           sbatch, slurmctld, slurmd, munged (Debian: slurm-wlm, munge), and root: a cluster of this one node
    Kubernetes      no cluster: the objects are checked against their schemas (pip install kubernetes-validate), and the
                    command of a pod is run for each index, as a Job does

Exit code: 0 when nothing failed, 1 otherwise; --need NAME,.. makes it a failure that one of these is not there.
"""

import argparse
import json
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from pathlib import Path

# A search of some seconds, in parts of some tenths of one: there is time to kill them.
QUESTION = ["6x8", "--solver", "path"]
PARTS = 12
# How long an engine may take, on a machine that is busy.
PATIENCE = 300
SAME = ["board", "ending", "solver", "tours", "convention", "nodes", "pruned", "nodes_by_depth", "complete"]


class Skipped(Exception):
    """That an engine is not there."""


def run(*words, **how):
    """What a command prints, which is to end well."""
    done = subprocess.run(words, capture_output=True, text=True, timeout=PATIENCE, **how)
    if done.returncode != 0:
        raise AssertionError(f"{shlex.join(map(str, words))} ended with {done.returncode}: {done.stdout}{done.stderr}")
    return done.stdout


def need(*programs):
    """Where these programs are."""
    found = [shutil.which(name, path=os.environ["PATH"] + ":/usr/sbin:/sbin") for name in programs]
    missing = [name for name, place in zip(programs, found) if place is None]
    if missing:
        raise Skipped(f"{', '.join(missing)} not found")
    return found


def until(holds, what):
    """Waits until something holds, and answers what it is."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        found = holds()
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError(f"{what}: not within {PATIENCE} s")


def searches(folder):
    """The parts that are being made from a folder: the process of each, by the number of the part."""
    found = {}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            words = (process / "cmdline").read_bytes().decode().split("\0")
            if Path(words[0]).name == "destrier" and (process / "cwd").resolve() == folder:
                found[words[words.index("--shard") + 1]] = int(process.name)
        except (OSError, ValueError):
            pass
    return found


class Killer(threading.Thread):
    """Kills some parts, each once, as soon as it has begun to keep itself."""

    def __init__(self, folder, parts, most):
        super().__init__(daemon=True)
        self.folder, self.parts, self.most = folder.resolve(), parts, most
        self.killed, self.over = [], threading.Event()

    def run(self):
        while len(self.killed) < self.most and not self.over.is_set():
            for shard, process in searches(self.folder).items():
                begun = (self.parts / (shard.replace("/", "-of-") + ".checkpoint")).exists()
                if begun and shard not in self.killed and len(self.killed) < self.most:
                    try:
                        os.kill(process, signal.SIGKILL)
                        self.killed.append(shard)
                    except ProcessLookupError:
                        pass
            time.sleep(0.01)

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.join()


class Trial:
    """One engine at work: a folder, the job file in it, and what is to come of it."""

    def __init__(self, engine, folder, whole, parts="my parts"):
        self.folder, self.whole = folder, whole
        self.parts = folder / parts
        words = ["shards", *QUESTION, "--parts", str(PARTS), "--out-dir", parts, "--for", engine]
        self.job = folder / ("job.yaml" if engine == "kubernetes" else "job.sh")
        self.job.write_text(run("destrier", *words))

    def killing(self, most=3):
        return Killer(self.folder, self.parts, most)

    def merged(self):
        """The parts are those of the search, and come to what it came to."""
        merged = json.loads(run("destrier", "merge", str(self.parts), "--json"))
        for key in SAME:
            assert merged[key] == self.whole[key], f"{key}: {merged[key]}, not {self.whole[key]}"
        assert merged["parts"] == PARTS
        return f"{merged['tours']:,} tours and {merged['nodes']:,} nodes, as undivided"


def killed(killer):
    assert killer.killed, "no part was killed: each had ended before"
    return f"killed {', '.join(killer.killed)}"


def parallel(folder, whole):
    """GNU parallel: parts that are killed are tried again; and when it is killed itself, the same command goes on."""
    (program,) = need("parallel")
    trial = Trial("parallel", folder, whole)
    run("sh", "-n", str(trial.job))
    with trial.killing() as killer:
        run("sh", "job.sh", "-j", "2", cwd=folder)
    said = [run(program, "--version").splitlines()[0], killed(killer), trial.merged()]

    shutil.rmtree(trial.parts)
    words, quiet = ["sh", "job.sh", "-j", "2"], subprocess.DEVNULL
    job = subprocess.Popen(words, cwd=folder, stderr=quiet, start_new_session=True)
    until(lambda: (trial.parts / f"2-of-{PARTS}.part").exists(), "a part")
    os.killpg(job.pid, signal.SIGKILL)
    job.wait()
    for process in searches(folder.resolve()).values():
        os.kill(process, signal.SIGKILL)
    there = len(list(trial.parts.glob("*.part")))
    run("sh", "job.sh", "-j", "2", cwd=folder)
    return [*said, f"was killed itself with parts to be made ({PARTS - there}), and run again: {trial.merged()}"]


def parallel_on_machines(folder, whole):
    """GNU parallel on two machines, reached by a stand-in for ssh: this one, under two names."""
    need("parallel")
    trial = Trial("parallel", folder, whole)
    ssh = folder / "ssh"
    # The words of ssh are options, a host, and a command, which a login shell is given.
    ssh.write_text("""#!/bin/sh
while [ "${1#-}" != "$1" ]; do shift; done
echo "$1" >> hosts
shift
[ "$1" != -- ] || shift
cd / && exec sh -c "$*"
""")
    ssh.chmod(0o755)
    (folder / "machines").write_text("1/one\n1/two\n")
    with trial.killing() as killer:
        run("sh", "job.sh", "--ssh", str(ssh), "--sshloginfile", "machines", cwd=folder)
    hosts = sorted(set((folder / "hosts").read_text().split()))
    assert hosts == ["one", "two"], hosts
    return [f"hosts {', '.join(hosts)}", killed(killer), trial.merged()]


def sockets():
    """The connections of this process, by number and ends."""
    found = set()
    for number in os.listdir("/proc/self/fd"):
        try:
            with socket.socket(fileno=os.dup(int(number))) as one:
                if one.family == socket.AF_INET:
                    found.add((int(number), one.getsockname(), one.getpeername()))
        except OSError:
            pass
    return found


def hyperqueue(folder, whole):
    """HyperQueue: the parts of a worker that is lost are made by others; those that were killed are submitted again."""
    os.environ["TQDM_DISABLE"] = "1"
    try:
        from hyperqueue import Job, LocalCluster
        from hyperqueue.cluster import WorkerConfig
        from hyperqueue.ffi.protocol import ResourceRequest
    except ImportError as error:
        raise Skipped(f"no Python package hyperqueue: {error}") from error
    trial = Trial("hyperqueue", folder, whole)
    run("sh", "-n", str(trial.job))
    lines = [line for line in trial.job.read_text().splitlines() if line.startswith("#HQ ")]
    asked = dict(word.lstrip("-").split("=", 1) for line in lines for word in shlex.split(line[4:]))
    first, last = map(int, asked["array"].split("-"))
    assert (first, last, asked["stdout"]) == (1, PARTS, "none"), asked
    assert asked["stderr"].endswith(":rm-if-finished"), asked

    def job(numbers):
        """What `hq submit job.sh` submits, of these numbers: the tasks of its Python package are numbered from 0 on."""
        job = Job(name=asked["name"], max_fails=None)
        for number in range(PARTS + 1):
            how = {"cwd": str(folder), "stdout": None, "stderr": None}
            words = ["sh", str(trial.job)] if number in numbers else ["true"]
            cpus = ResourceRequest(cpus=int(asked["cpus"]))
            job.program(words, resources=cpus, crash_limit=int(asked["crash-limit"]), **how)
        return job

    with LocalCluster(server_dir=str(folder / "server")) as cluster:
        before = sockets()
        cluster.start_worker(WorkerConfig(cores=1))
        one = until(lambda: sockets() - before, "the connection of a worker")
        cluster.start_worker(WorkerConfig(cores=1))
        client = cluster.client()
        submitted = client.submit(job(range(first, last + 1)))
        here = folder.resolve()
        busy = until(lambda: len(searches(here)) == 2 and searches(here), "two workers at work")
        # The first worker is lost, as when its machine is: its connection ends.
        with socket.socket(fileno=os.dup(min(one)[0])) as connection:
            connection.shutdown(socket.SHUT_RDWR)
        same = lambda: set(busy.values()) & set(searches(here).values())
        until(lambda: len(same()) < 2, "the end of a part on the lost worker")
        cluster.start_worker(WorkerConfig(cores=1))
        with trial.killing(2) as killer:
            client.wait_for_jobs([submitted], raise_on_error=False)
        failed = sorted(client.get_failed_tasks(submitted))
        assert failed == sorted(int(shard.split("/")[0]) for shard in killer.killed), failed
        client.wait_for_jobs([client.submit(job(failed))])
    lost = f"a worker lost with parts {' and '.join(busy)} at work"
    return [lost, killed(killer), f"submitted {failed} again", trial.merged()]


class Slurm:
    """A cluster of this node."""

    def __init__(self, folder):
        self.folder, self.started = folder, []
        self.munged, self.slurmctld, self.slurmd = need("munged", "slurmctld", "slurmd")
        need("sbatch", "scontrol", "squeue", "scancel")
        if os.geteuid() != 0:
            raise Skipped("not root: slurmd cannot be started")

    def start(self, *words):
        log = (self.folder / f"{Path(words[0]).name}.log").open("w")
        self.started.append(subprocess.Popen(words, stdout=log, stderr=log))

    def __enter__(self):
        here, node = self.folder, socket.gethostname().split(".")[0]
        ports = []
        for _ in range(2):
            with socket.socket() as one:
                one.bind(("127.0.0.1", 0))
                ports.append(one.getsockname()[1])
        for name in ["state", "spool"]:
            (here / name).mkdir()
        (here / "key").write_bytes(os.urandom(1024))
        (here / "key").chmod(0o400)
        files = {"key-file": "key", "socket": "munge", "pid-file": "pid", "log-file": "log", "seed-file": "seed"}
        options = [f"--{option}={here / name}" for option, name in files.items()]
        self.start(self.munged, "--force", "--foreground", *options)
        until((here / "munge").exists, "munged")
        (here / "slurm.conf").write_text(f"""ClusterName=trial
SlurmctldHost={node}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmdPort={ports[1]}
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={here}/munge,cred_expire=5
SlurmUser=root
SlurmdUser=root
StateSaveLocation={here}/state
SlurmdSpoolDir={here}/spool
SlurmctldPidFile={here}/ctld.pid
SlurmdPidFile={here}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=1,sched_interval=1
SwitchType=switch/none
MpiDefault=none
NodeName={node} NodeAddr=127.0.0.1 CPUs=2 RealMemory=1000 State=UNKNOWN
PartitionName=main Nodes={node} Default=YES MaxTime=INFINITE State=UP
""")
        os.environ["SLURM_CONF"] = str(here / "slurm.conf")
        self.start(self.slurmctld, "-D")
        self.start(self.slurmd, "-D", "-N", node)
        state = lambda: subprocess.run(["sinfo", "-h", "-o", "%t"], capture_output=True, text=True).stdout.strip()
        until(lambda: state() == "idle", f"a Slurm cluster; see the logs in {here}")
        return self

    def __exit__(self, *_):
        for process in reversed(self.started):
            process.terminate()
        for process in reversed(self.started):
            try:
                process.wait(30)
            except subprocess.TimeoutExpired:
                process.kill()


def slurm(folder, whole):
    """Slurm: a task goes back into the queue when its part was killed, and when its time is up, which it is told."""
    trial = Trial("slurm", folder, whole)
    run("sh", "-n", str(trial.job))
    with Slurm(folder):
        tested = subprocess.run(["sbatch", "--test-only", "job.sh"], cwd=folder, capture_output=True, text=True)
        assert tested.returncode == 0, tested.stderr
        with trial.killing(2) as killer:
            number = run("sbatch", "--parsable", "job.sh", cwd=folder).strip()
            log = folder / f"destrier-6x8-closed-{number}.log"
            saved = lambda: log.exists() and "to go on: destrier resume" in log.read_text()

            def time_is_up():
                """What the end of its time sends, to the shell of the task alone; it may have ended meanwhile."""
                for shard in [] if saved() else searches(folder.resolve()):
                    task = f"{number}_{shard.split('/')[0]}"
                    subprocess.run(["scancel", "--batch", "--signal=USR1", task], stderr=subprocess.DEVNULL)
                return saved()

            until(lambda: len(killer.killed) == 2 and time_is_up(), "a task that saves its part")
            until(lambda: not run("squeue", "-h", "-j", number), "the end of all tasks")
            restarts = re.findall(r"Restarts=(\d+)", run("scontrol", "show", "job", number))
    requeued = sum(map(int, restarts))
    assert requeued >= 3, (restarts, log.read_text())
    version = re.search(r"\S+$", run("sbatch", "--version")).group()
    late = f"a task whose time was up saved its part, {requeued} requeued"
    return [f"Slurm {version}, {tested.stderr.strip()}", killed(killer), late, trial.merged()]


def kubernetes(folder, whole):
    """Kubernetes: the objects are what their schemas say; and the command of a pod, run for each index."""
    try:
        import kubernetes_validate
        import yaml
    except ImportError as error:
        raise Skipped(f"no Python package kubernetes-validate: {error}") from error
    # A pod sees the volume in its own place; here that is this folder.
    trial = Trial("kubernetes", folder, whole, str(folder / "volume"))
    objects = list(yaml.safe_load_all(trial.job.read_text()))
    assert [one["kind"] for one in objects] == ["PersistentVolumeClaim", "Job", "Pod"]
    versions = ["1.29", kubernetes_validate.latest_version()]
    for one in objects:
        for version in versions:
            kubernetes_validate.validate(one, version, strict=True)
    job = objects[1]["spec"]
    (container,) = job["template"]["spec"]["containers"]
    # What no schema says: when failures are counted by index, pods are never restarted in place.
    assert job["completionMode"] == "Indexed" and job["template"]["spec"]["restartPolicy"] == "Never"
    assert job["completions"] == PARTS and container["volumeMounts"][0]["mountPath"] == str(trial.parts)

    def pod(index):
        done = subprocess.run(container["command"], cwd=folder, env={**os.environ, "JOB_COMPLETION_INDEX": str(index)})
        return done.returncode == 0

    with trial.killing() as killer:
        failures = [sum(1 for _ in iter(lambda: pod(index), True)) for index in range(PARTS)]
    assert max(failures) <= job["backoffLimitPerIndex"]
    return [f"valid as of Kubernetes {' and '.join(versions)}", killed(killer), trial.merged()]


STEPS = [parallel, parallel_on_machines, hyperqueue, slurm, kubernetes]


def main():
    words = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    words.add_argument("program", nargs="?", default="target/release/destrier", type=Path)
    names = ", ".join(step.__name__ for step in STEPS)
    words.add_argument("--need", default="", metavar="NAME,..", help=f"engines that must be there: {names}")
    asked = words.parse_args()
    needed = [name for name in asked.need.split(",") if name]
    if not asked.program.is_file():
        sys.exit(f"{asked.program} is not there: build it, or name it")
    os.environ["PATH"] = f"{asked.program.resolve().parent}:{os.environ['PATH']}"
    whole = json.loads(run("destrier", "search", *QUESTION, "--json"))
    print(f"{shlex.join(QUESTION)}: {whole['tours']:,} tours, {whole['nodes']:,} nodes; in {PARTS} parts:")
    failed = False
    for step in STEPS:
        began = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="engines-") as folder:
            try:
                said = "; ".join(step(Path(folder), whole))
            except Skipped as why:
                failed |= step.__name__ in needed
                said = f"skipped: {why}"
            except Exception:
                failed = True
                said = f"FAILED\n{traceback.format_exc()}"
        print(f"{step.__name__} ({time.monotonic() - began:.0f} s): {said}", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
