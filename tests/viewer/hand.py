# hand.py - a mouse, keys and eyes on an X display, through Xlib's own libraries
# SPDX-License-Identifier: MIT
import ctypes
import time

import picture

try:
    X = ctypes.CDLL('libX11.so.6')
    T = ctypes.CDLL('libXtst.so.6')
except OSError:
    X = T = None

P, U, I = ctypes.c_void_p, ctypes.c_ulong, ctypes.c_int
if X:
    X.XOpenDisplay.restype = P
    X.XDefaultRootWindow.restype = X.XInternAtom.restype = X.XStringToKeysym.restype = U
    X.XGetImage.restype = P
    X.XGetPixel.restype = U
    X.XCreateSimpleWindow.restype = U


class Image(ctypes.Structure):  # the beginning of XImage
    _fields_ = [('width', I), ('height', I), ('xoffset', I), ('format', I), ('data', P), ('byte_order', I),
                ('bitmap_unit', I), ('bitmap_bit_order', I), ('bitmap_pad', I), ('depth', I), ('bytes_per_line', I),
                ('bits_per_pixel', I)]


class Message(ctypes.Structure):  # XClientMessageEvent, of format 32
    _fields_ = [('type', I), ('serial', U), ('send_event', I), ('display', P), ('window', U), ('message_type', U),
                ('format', I), ('data', ctypes.c_long * 5), ('room', ctypes.c_long * 24)]


class Request(ctypes.Structure):  # XSelectionRequestEvent, and XSelectionEvent without `owner`
    _fields_ = [('type', I), ('serial', U), ('send_event', I), ('display', P), ('owner', U), ('requestor', U),
                ('selection', U), ('target', U), ('property', U), ('time', U), ('room', ctypes.c_long * 24)]


class Answer(ctypes.Structure):
    _fields_ = [('type', I), ('serial', U), ('send_event', I), ('display', P), ('requestor', U), ('selection', U),
                ('target', U), ('property', U), ('time', U), ('room', ctypes.c_long * 24)]


class Hand:
    def __init__(self, name):
        self.display = P(X.XOpenDisplay(name.encode()))
        assert self.display, 'no display ' + name
        self.root = U(X.XDefaultRootWindow(self.display))
        self.window = None

    def atom(self, name):
        return X.XInternAtom(self.display, name.encode(), 0)

    def find_window(self):
        """The one window that somebody has mapped: there is no window manager."""
        root, parent, children, count = U(), U(), ctypes.POINTER(U)(), ctypes.c_uint()
        X.XQueryTree(self.display, self.root, ctypes.byref(root), ctypes.byref(parent), ctypes.byref(children),
                     ctypes.byref(count))
        sizes = {children[i]: self.size(U(children[i])) for i in range(count.value)}
        best = max(sizes, key=lambda w: sizes[w][0] * sizes[w][1], default=None)
        self.window = U(best) if best and sizes[best][0] > 100 else None
        return self.window

    def size(self, window=None):
        root, x, y, w, h, border, depth = U(), I(), I(), *(ctypes.c_uint() for _ in range(4))
        X.XGetGeometry(self.display, window or self.window, *(ctypes.byref(v) for v in (root, x, y, w, h, border, depth)))
        return w.value, h.value

    def focus(self):
        X.XSetInputFocus(self.display, self.window, 1, U(0))
        X.XSync(self.display, 0)

    def move(self, x, y):
        T.XTestFakeMotionEvent(self.display, -1, int(x), int(y), U(0))
        X.XSync(self.display, 0)

    def button(self, down, which=1):
        T.XTestFakeButtonEvent(self.display, which, int(down), U(0))
        X.XSync(self.display, 0)

    def key(self, name):
        code = X.XKeysymToKeycode(self.display, U(X.XStringToKeysym(name.encode())))
        for down in (1, 0):
            T.XTestFakeKeyEvent(self.display, code, down, U(0))
            X.XSync(self.display, 0)

    def resize(self, width, height):
        X.XResizeWindow(self.display, self.window, width, height)
        X.XSync(self.display, 0)

    def look(self):
        """What the window shows."""
        w, h = self.size()
        taken = P(X.XGetImage(self.display, self.window, 0, 0, w, h, U(0xffffffff), 2))
        image = ctypes.cast(taken, ctypes.POINTER(Image)).contents
        assert image.bits_per_pixel == 32
        raw = ctypes.string_at(image.data, image.bytes_per_line * h)
        rows = []
        for y in range(h):
            row = raw[y * image.bytes_per_line:y * image.bytes_per_line + 4 * w]
            line = bytearray(3 * w)
            line[0::3], line[1::3], line[2::3] = row[2::4], row[1::4], row[0::4]
            rows.append(bytes(line))
        X.XDestroyImage(taken) if hasattr(X, 'XDestroyImage') else X.XFree(taken)
        return picture.Picture(w, h, b''.join(rows))

    def drop(self, path, x, y):
        """A file dropped on the window, as a file manager does it (XDND 5)."""
        mine = U(X.XCreateSimpleWindow(self.display, self.root, 0, 0, 1, 1, 0, U(0), U(0)))
        selection, kind = self.atom('XdndSelection'), self.atom('text/uri-list')
        X.XSetSelectionOwner(self.display, U(selection), mine, U(0))

        def send(name, *data):
            event = Message(33, 0, 1, self.display, self.window, self.atom(name), 32)
            event.data[:] = list(data) + [0] * (5 - len(data))
            X.XSendEvent(self.display, self.window, 0, ctypes.c_long(0), ctypes.byref(event))
            X.XSync(self.display, 0)

        send('XdndEnter', mine.value, 5 << 24, kind, 0, 0)
        send('XdndPosition', mine.value, 0, int(x) << 16 | int(y), 0, self.atom('XdndActionCopy'))
        send('XdndDrop', mine.value, 0, 0)
        text = ('file://' + path + '\r\n').encode()
        end = time.time() + 30
        event = Request()
        while time.time() < end:
            if not X.XPending(self.display):
                time.sleep(0.02)
                continue
            X.XNextEvent(self.display, ctypes.byref(event))
            if event.type == 30:  # SelectionRequest
                X.XChangeProperty(self.display, U(event.requestor), U(event.property), U(event.target), 8, 0, text, len(text))
                answer = Answer(31, 0, 1, self.display, event.requestor, event.selection, event.target, event.property,
                                event.time)
                X.XSendEvent(self.display, U(event.requestor), 0, ctypes.c_long(0), ctypes.byref(answer))
                X.XSync(self.display, 0)
            elif event.type == 33 and ctypes.cast(ctypes.byref(event), ctypes.POINTER(Message)).contents.message_type == \
                    self.atom('XdndFinished'):
                return
        raise AssertionError('nobody took the file')
