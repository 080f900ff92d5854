"""Ctrl-C ends long work, and the process goes on; other threads run meanwhile."""
import os
import signal
import threading
import time

import pytest

import crosstalk

pytestmark = pytest.mark.slow

MODEL = {"L_s": 1e-6, "o_s": 1e-6, "G_s_per_byte": 1e-9}
LONG = os.environ.get("CROSSTALK_LONG", "halo:8x8x8,levels=4")  # smaller where all is slower


@pytest.fixture(scope="module")
def program():
    return crosstalk.Schedule(LONG)


def interrupt(after_s):
    """A while after a long call has begun."""
    def send():
        while not any(thread.name.startswith("crosstalk_") for thread in threading.enumerate()):
            time.sleep(0.01)
        time.sleep(after_s)
        os.kill(os.getpid(), signal.SIGINT)
    threading.Thread(target=send).start()


def works(program):
    """Each takes far longer than a second when nobody stops it."""
    return {"simulate": lambda: crosstalk.simulate(*[program] * 8, **MODEL),
            "place": lambda: crosstalk.place(program, crosstalk.Topology("fat-tree:16"), wire_s=1e-6, switch_s=1e-6,
                                             evaluations=10**6, **MODEL)}


@pytest.mark.parametrize("name", ["simulate", "place"])
def test_an_interrupt_ends_it(program, name):
    work = works(program)[name]
    interrupt(0.3)
    with pytest.raises(KeyboardInterrupt) as raised:
        work()
    assert raised.value.__cause__.status == "ECANCELED"
    assert crosstalk.Topology("tree:2x4").n_nodes == 8


def test_a_flag_is_of_its_thread(program):
    """A simulation that is stopped does not stop that of another thread."""
    small, found = crosstalk.Schedule("allreduce:8"), []
    other = threading.Thread(target=lambda: found.extend(crosstalk.simulate(small, **MODEL) for _ in range(20)))
    other.start()
    interrupt(0.2)
    with pytest.raises(KeyboardInterrupt):
        crosstalk.simulate(*[program] * 8, **MODEL)
    other.join()
    assert len(found) == 20 and all(one == found[0] for one in found)


def test_a_stopped_campaign_says_so(lab8):
    campaign = crosstalk.Campaign(lab8)
    interrupt(0.2)
    with pytest.raises(KeyboardInterrupt):
        campaign.matrix(model="packets")
    with pytest.raises(crosstalk.Error, match="open it again") as failed:
        campaign.load("milc")
    assert failed.value.status == "ECANCELED"
    campaign.close()


def test_other_threads_run_meanwhile(program):
    """The GIL is free: this thread counts while another one computes."""
    begin, counted = threading.Event(), 0
    done = []
    thread = threading.Thread(target=lambda: (begin.set(), done.append(program.curve(**MODEL).at(1e-6))))
    thread.start()
    begin.wait()
    while thread.is_alive():
        counted += 1
    assert done and counted > 1000
