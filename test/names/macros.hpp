// Copyright the tutti authors. Distributed under the Boost Software License, Version 1.0.
//
// Macros that headers included before tutti's may have defined. Each stands for a text that no place can take where a
// header has the name for something of its own. Standard headers are included before.
#include <complex.h>
#include <sys/ioctl.h>
#include <sys/param.h>
#include <sys/sysmacros.h>
#include <termios.h>

// C's complex.h with g++ in gnu++ modes; where it has them they are these
#undef I
#define I (__extension__ 1.0iF)

// ncurses
#define border(ls, rs, ts, bs, tl, tr, bl, br) @
#define filter(x, y, z) @
#define refresh(x, y, z) @
#define timeout(delay, other) @

// X11
#define Above @
#define Always @
#define Below @
#define Bool @
#define Complex @
#define Convex @
#define CurrentTime @
#define DestroyAll @
#define Expose @
#define False @
#define KeyPress @
#define Never @
#define None @
#define Nonconvex @
#define Opposite @
#define Status @
#define Success @
#define True @
#define Unsorted @

// Windows
#define ERROR @
#define IN @
#define OPTIONAL @
#define OUT @
#define far @
#define interface @
#define near @
#define small @

// macOS, R, and others
#define DEBUG @
#define check(x, y, z, a, b, c) @
#define length(x, y, z, a, b, c) @
#undef major
#undef makedev
#undef minor
#define major @
#define makedev @
#define minor @
