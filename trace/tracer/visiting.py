"""Sessions in a process that npdb did not start: npdb.set_trace(), npdb attach PID and
npdb.post_mortem().

A session begins in a running frame. The frames that are on the stack are adopted, as after an
unrecorded part, so that they are traced when the program returns to them. The session ends when
npdb leaves, when npdb is killed, or at the end of the program. Then nothing of npdb is left in
the program.
"""

import os
import sys

import _signal
from _npdb import activations, arming, attached, breaks, channel, ending, library, moves, settling, signals, tracer, unrecorded, usercode
from _npdb import render as values
from _npdb.bound import program_sys
from _npdb.raised import traceback_of

heard = ""  # what becomes of the program's output: "", "copy" or "divert"; see divert
held = []  # (write method, text) of diverted output
fatal = "", ""  # the place and the text of the exception that ends the program
left = None  # called when npdb has left, before the program runs on, with the reason: end, detach, quit or lost
hook = None  # the program's sys.excepthook
breakpoint_hook = None  # the program's sys.breakpointhook
interrupts = False  # the handler of Ctrl-C is npdb's


class Quit(SystemExit):
    """Ends the program when the user quits a session that the program itself has begun."""


def begin(frame, shares=False, after=None, at_once=False):
    """Begins a session in a frame. shares means that npdb uses the program's terminal. after is called
    with the reason when npdb has left. With at_once the program stops where it is, otherwise at the next line."""
    connect(shares, after)
    found = unrecorded.stack_of(frame)
    if not found or not at_once and found[0] is not frame:
        admit(frame)
        found = unrecorded.stack_of(frame)
    adopt(found)
    if not found or not at_once:
        tracer.check = moves.anywhere
        arming.arm()
        return
    moves.again(found[0])
    unrecorded.settle(found[0])
    arming.arm()
    moves.stop_outside(frame, "landed")


def begin_below(shares=False, after=None):
    """Begins a session that stops in the next function of the user that is called."""
    connect(shares, after)
    tracer.check = moves.anywhere
    arming.arm()


def admit(frame):
    """Makes the file of a frame user code: the user wants to look at it."""
    name = frame.f_code.co_filename
    if name.startswith("<"):
        return
    usercode.named.add(os.path.realpath(name))
    usercode.files.pop(name, None)
    tracer.infos.pop(id(frame.f_code), None)


def connect(shares, after):
    """Prepares the process for a session."""
    global left
    left = after
    channel.on_loss = lost
    attached.connect()
    patch(shares)
    if heard:
        attached.listen(((1, sys.stdout), (2, sys.stderr)), diverting if heard == "divert" else None)


def adopt(found, places={}):
    """Makes frames that run already the stack of the recording, innermost first."""
    for one in found:
        if activations.ours(one.f_trace):
            one.f_trace = None  # of a generator that an earlier session has seen
    arming.resynchronise(found, True, places)
    return found


def again(frame, header=None, commands=None):
    """Stops at a further call of npdb.set_trace()."""
    breaks.stop_in(frame, header=header, commands=commands)


def post_mortem(exception, shares=False, after=None):
    """Shows the frames of a traceback, and those that called them if they still run. The session ends
    when the user goes on or quits. Returns whether the user has quit."""
    connect(shares, after)
    frames = frames_of(traceback_of(exception))
    if not any([unrecorded.info_of(one.f_code) for one in frames]):
        admit(frames[-1])
        unrecorded.info_of(frames[-1].f_code)
    found = arming.traceback_frames(exception)
    callers = unrecorded.stack_of(frames[0].f_back)
    if found:
        adopt(found + callers, lines_of(traceback_of(exception)))
        found[0].f_trace(found[0], "exception", (type(exception), exception, None))
        innermost = moves.look_at(exception)
        moves.post_mortem, moves.reason = exception, "post_mortem"
        try:
            moves.serve(found + callers, innermost)
        except Quit:
            return True
        finally:
            moves.post_mortem = moves.chosen = None
            for one in found:
                one.f_trace = None
    end()
    return False


def lines_of(tb):
    """Returns the lines at which frames of a traceback were left, by the ids of the frames."""
    found = {}
    while tb is not None:
        found[id(tb.tb_frame)] = tb.tb_lineno
        tb = tb.tb_next
    return found


def frames_of(tb):
    found = []
    while tb is not None:
        found.append(tb.tb_frame)
        tb = tb.tb_next
    return found


def is_open():
    """Returns whether a session is going on."""
    return channel.open_here and attached.installed


def end():
    """Ends the session at the end of the program, and waits until the user has left it. The program
    may have replaced npdb's trace function before."""
    if channel.open_here and attached.begun:
        part("end")


def leave(how):
    """Ends the session because the user does. The program runs on, or is ended if how is quit."""
    part(how)
    if how == "quit":
        raise Quit(1)


def part(how):
    """Reports the end of the session, and removes npdb from the process."""
    unrecorded.settle(sys._getframe(1))
    attached.begun = False
    attached.release()
    settling.let_go()
    channel.send(b"V", *fatal)
    restore()
    channel.leave()
    forget()
    gone(how)


def check():
    """Ends the session if npdb has been killed. The program notices that only when it sends something."""
    if not is_open() or moves.serving:
        return
    select = library.take("select")
    poll = select.poll()
    poll.register(channel.events_fd, 0)
    if any(events & select.POLLERR for _, events in poll.poll(0)):
        channel.lost()


def lost():
    """Handles the end of npdb: the program runs on."""
    attached.begun = False
    attached.release()
    restore()
    forget()
    gone("lost")


def gone(how):
    """Lets the process go on, when npdb does not use its terminal any more."""
    if left is not None:
        left(how)
    while held:
        write, text = held.pop(0)
        write(text)


def diverting(number, write):
    """Returns a write method whose text npdb shows, because its screen has the terminal. The text is
    printed when the session has ended."""

    def writing(text):
        if not is_open() or type(text) is not str:
            return write(text)
        channel.output(number, channel.encode(text))
        held.append((write, text))
        return len(text)

    return writing


def forget():
    """Lets another session load the tracer again, which may be another version's."""
    for name in [name for name in sys.modules if name == "_npdb" or name.startswith("_npdb.")]:
        del sys.modules[name]


def patch(shares):
    global hook, breakpoint_hook, interrupts
    hook, breakpoint_hook = sys.excepthook, sys.breakpointhook
    program_sys.excepthook, program_sys.breakpointhook = uncaught, breaks.breakpoint_hook
    interrupts = shares and signals.original_getsignal(_signal.SIGINT) is _signal.default_int_handler
    if interrupts:
        signals.original_signal(_signal.SIGINT, on_interrupt)


def restore():
    global interrupts
    if sys.excepthook is uncaught:
        program_sys.excepthook = hook
    if sys.breakpointhook is breaks.breakpoint_hook:
        program_sys.breakpointhook = breakpoint_hook
    if interrupts:
        interrupts = False
        if signals.original_getsignal(_signal.SIGINT) is on_interrupt:
            signals.original_signal(_signal.SIGINT, _signal.default_int_handler)


def on_interrupt(number, frame):
    """Handles Ctrl-C in the terminal that npdb shares: npdb gets it too, and decides."""
    if not channel.open_here:
        _signal.default_int_handler(number, frame)


def uncaught(kind, exception, tb):
    """Replaces sys.excepthook: shows the exception, and then its frames."""
    hook(kind, exception, tb)
    if unrecorded.on_recorded():
        failed(exception)


def failed(exception):
    """Shows the frames of an exception that ends what the session is about."""
    global fatal
    if not is_open() or issubclass(type(exception), Quit):
        return
    unseen = tracer.original_gettrace() is None or unrecorded.running
    arming.disarm()
    tracer.check = None
    if unseen or unrecorded.hides(exception):
        moves.unreported.record_death(exception)
    act = moves.look_at(exception)
    ending.stop_at(exception)
    fatal = act or "", values.render(exception)
