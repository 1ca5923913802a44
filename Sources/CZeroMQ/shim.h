#pragma once
#include <zmq.h>
#include <errno.h>

/* Deprecated in the headers of libzmq, but compiled in and effective. */
#ifndef ZMQ_IPC_FILTER_UID
#define ZMQ_IPC_FILTER_UID 59
#endif
