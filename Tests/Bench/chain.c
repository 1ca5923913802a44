/* A bare libzmq chain with the hops of Penstock's loop: client, router, feature, router, client, each a
   process, over ipc. What Deploy/bench compares the loop with; compiled by it:

     cc -O2 -o chain Tests/Bench/chain.c -lzmq && ./chain --messages 1000000 --in-flight 1000 */
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <zmq.h>

enum { BURST = 256, LARGEST = 65536 };

static char endpoint[128];

static void check(int ok, const char *what) {
  if (ok) return;
  fprintf(stderr, "chain: %s: %s\n", what, zmq_strerror(zmq_errno()));
  exit(1);
}

static int64_t nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static void *open_socket(void *context, int type) {
  void *socket = zmq_socket(context, type);
  int zero = 0;
  check(socket != NULL, "socket");
  zmq_setsockopt(socket, ZMQ_SNDHWM, &zero, sizeof zero);
  zmq_setsockopt(socket, ZMQ_RCVHWM, &zero, sizeof zero);
  zmq_setsockopt(socket, ZMQ_LINGER, &zero, sizeof zero);
  return socket;
}

static void wait_readable(void *socket) {
  zmq_pollitem_t item = {socket, 0, ZMQ_POLLIN, 0};
  while (zmq_poll(&item, 1, -1) < 0) check(errno == EINTR, "poll");
}

/* Passes what the feature sends to the client, and the client's to the feature. Who says "F" first is
   the feature. */
static void run_router(void) {
  void *context = zmq_ctx_new(), *socket = open_socket(context, ZMQ_ROUTER);
  check(zmq_bind(socket, endpoint) == 0, "bind");
  unsigned char client[8], feature[8], from[8];
  int has_client = 0, has_feature = 0;
  static char body[LARGEST];
  for (;;) {
    wait_readable(socket);
    for (int i = 0; i < BURST; i++) {
      int id_size = zmq_recv(socket, from, sizeof from, ZMQ_DONTWAIT);
      if (id_size < 0) break;
      int size = zmq_recv(socket, body, sizeof body, 0);
      check(size >= 0, "receive");
      if (size == 1) {
        memcpy(body[0] == 'F' ? feature : client, from, 5);
        if (body[0] == 'F') has_feature = 1;
        else has_client = 1;
        if (has_client && has_feature) {
          zmq_send(socket, client, 5, ZMQ_SNDMORE);
          zmq_send(socket, "R", 1, 0);
        }
        continue;
      }
      int is_client = memcmp(from, client, 5) == 0;
      zmq_send(socket, is_client ? feature : client, 5, ZMQ_SNDMORE);
      zmq_send(socket, body, (size_t)size, 0);
    }
  }
}

static void run_feature(void) {
  void *context = zmq_ctx_new(), *socket = open_socket(context, ZMQ_DEALER);
  check(zmq_connect(socket, endpoint) == 0, "connect");
  zmq_send(socket, "F", 1, 0);
  static char body[LARGEST];
  for (;;) {
    wait_readable(socket);
    for (int i = 0; i < BURST; i++) {
      int size = zmq_recv(socket, body, sizeof body, ZMQ_DONTWAIT);
      if (size < 0) break;
      zmq_send(socket, body, (size_t)size, 0);
    }
  }
}

static int compare(const void *a, const void *b) {
  int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

static void run_client(long messages, long in_flight, size_t size) {
  void *context = zmq_ctx_new(), *socket = open_socket(context, ZMQ_DEALER);
  check(zmq_connect(socket, endpoint) == 0, "connect");
  zmq_send(socket, "C", 1, 0);
  static char body[LARGEST];
  wait_readable(socket);
  zmq_recv(socket, body, sizeof body, 0);
  int64_t *latencies = malloc(sizeof *latencies * (size_t)messages);
  check(latencies != NULL, "memory");
  long sent = 0, received = 0;
  int64_t start = nanoseconds();
  while (received < messages) {
    while (sent < messages && sent - received < in_flight) {
      int64_t now = nanoseconds();
      memcpy(body, &now, sizeof now);
      zmq_send(socket, body, size, 0);
      sent++;
    }
    wait_readable(socket);
    for (int i = 0; i < BURST; i++) {
      int got = zmq_recv(socket, body, sizeof body, ZMQ_DONTWAIT);
      if (got < 0) break;
      int64_t then;
      memcpy(&then, body, sizeof then);
      latencies[received++] = nanoseconds() - then;
    }
  }
  double seconds = (double)(nanoseconds() - start) / 1e9;
  qsort(latencies, (size_t)messages, sizeof *latencies, compare);
  printf(
    "{\"messages\":%ld,\"inFlight\":%ld,\"bytes\":%zu,\"perSecond\":%.0f,\"p50\":%.1f,"
    "\"p99\":%.1f,\"p999\":%.1f}\n",
    messages, in_flight, size, (double)messages / seconds,
    (double)latencies[messages / 2] / 1e3, (double)latencies[messages * 99 / 100] / 1e3,
    (double)latencies[messages * 999 / 1000] / 1e3);
}

static pid_t start(void (*role)(void)) {
  pid_t parent = getpid(), child = fork();
  check(child >= 0, "fork");
  if (child > 0) return child;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) exit(1);
  role();
  exit(1);
}

int main(int count, char **arguments) {
  long messages = 1000000, in_flight = 1000, size = 64;
  for (int i = 1; i < count; i++) {
    long *value = !strcmp(arguments[i], "--messages") ? &messages
      : !strcmp(arguments[i], "--in-flight")          ? &in_flight
      : !strcmp(arguments[i], "--bytes")              ? &size
                                                      : NULL;
    if (!value || ++i == count || (*value = atol(arguments[i])) < 1) {
      fprintf(stderr, "usage: chain [--messages N] [--in-flight N] [--bytes N]\n"
        "  prints one JSON object: messages a second, and latency in microseconds\n");
      return 2;
    }
  }
  if (size < 8 || size > LARGEST) {
    fprintf(stderr, "chain: --bytes must be from 8 to %d\n", LARGEST);
    return 2;
  }
  char directory[] = "/tmp/penstock-chain-XXXXXX";
  check(mkdtemp(directory) != NULL, "mkdtemp");
  snprintf(endpoint, sizeof endpoint, "ipc://%s/s", directory);
  pid_t router = start(run_router), feature = start(run_feature);
  run_client(messages, in_flight, (size_t)size);
  kill(router, SIGKILL);
  kill(feature, SIGKILL);
  while (wait(NULL) > 0) {}
  unlink(endpoint + strlen("ipc://"));
  rmdir(directory);
  return 0;
}
