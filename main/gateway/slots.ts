/** Places of upstreams that have a cap, and the queue before them: first in, first out by arrival over all upstreams an exchange waits for (SPEC 9.3). */
export interface Slots {
  /** Takes a place now, or null: the upstream is full, or somebody older waits for it. `cap` 0 means no cap. Call `release` exactly once. */
  take(upstreamId: string, cap: number): Slot | null;
  /** Joins the queue for any of these upstreams. */
  wait(wanted: readonly { readonly upstreamId: string; readonly cap: number }[], arrivedMs: number): Ticket;
  inUse(upstreamId: string): number;
  /** Upstreams were edited: who waits is held against their caps as they are now, null for one that is gone. Who waits for nobody any more is let go without a place. */
  reconsider(capOf: (upstreamId: string) => number | null): void;
}

export interface Slot {
  readonly upstreamId: string;
  release(): void;
}

export interface Ticket {
  /** Aborts when a place was granted, or there is nobody left to wait for. */
  readonly granted: AbortSignal;
  /** The place, once granted. */
  slot(): Slot | null;
  /** Leaves the queue; gives a granted place back unless it was taken over by `slot`. */
  leave(): void;
}

interface Waiter {
  readonly caps: Map<string, number>;
  readonly arrivedMs: number;
  /** Null: there is nobody left to wait for. */
  grant(slot: Slot | null): void;
}

export function createSlots(): Slots {
  // Both end with the exchanges: a count falls with `release`, a waiter goes with its grant or `leave`.
  const used = new Map<string, number>();
  let queue: readonly Waiter[] = [];
  const free = (upstreamId: string, cap: number) => cap === 0 || (used.get(upstreamId) ?? 0) < cap;

  const occupy = (upstreamId: string): Slot => {
    used.set(upstreamId, (used.get(upstreamId) ?? 0) + 1);
    let held = true;
    return {
      upstreamId,
      release: () => {
        if (!held) return;
        held = false;
        const left = (used.get(upstreamId) ?? 1) - 1;
        if (left > 0) used.set(upstreamId, left);
        else used.delete(upstreamId);
        serve(upstreamId);
      },
    };
  };
  const serve = (upstreamId: string): void => {
    const next = queue.find((waiter) => waiter.caps.has(upstreamId) && free(upstreamId, waiter.caps.get(upstreamId) ?? 0));
    if (next === undefined) return;
    queue = queue.filter((waiter) => waiter !== next);
    next.grant(occupy(upstreamId));
    serve(upstreamId);
  };

  return {
    reconsider: (capOf) => {
      for (const waiter of queue) {
        for (const upstreamId of [...waiter.caps.keys()]) {
          const cap = capOf(upstreamId);
          if (cap === null) waiter.caps.delete(upstreamId);
          else waiter.caps.set(upstreamId, cap);
        }
      }
      const stranded = queue.filter((waiter) => waiter.caps.size === 0);
      queue = queue.filter((waiter) => waiter.caps.size > 0);
      for (const waiter of stranded) waiter.grant(null);
      for (const upstreamId of new Set(queue.flatMap((waiter) => [...waiter.caps.keys()]))) serve(upstreamId);
    },
    inUse: (upstreamId) => used.get(upstreamId) ?? 0,
    take: (upstreamId, cap) => (free(upstreamId, cap) && (cap === 0 || !queue.some((waiter) => waiter.caps.has(upstreamId))) ? occupy(upstreamId) : null),
    wait: (wanted, arrivedMs) => {
      const controller = new AbortController();
      const place: { slot: Slot | null; taken: boolean } = { slot: null, taken: false };
      const waiter: Waiter = {
        caps: new Map(wanted.map(({ upstreamId, cap }) => [upstreamId, cap])),
        arrivedMs,
        grant: (granted) => {
          place.slot = granted;
          controller.abort();
        },
      };
      const younger = queue.findIndex((other) => other.arrivedMs > arrivedMs);
      queue = younger < 0 ? [...queue, waiter] : [...queue.slice(0, younger), waiter, ...queue.slice(younger)];
      // A place may have come free since it was looked for.
      for (const { upstreamId } of wanted) if (place.slot === null) serve(upstreamId);
      return {
        granted: controller.signal,
        slot: () => {
          place.taken = true;
          return place.slot;
        },
        leave: () => {
          queue = queue.filter((other) => other !== waiter);
          if (!place.taken) place.slot?.release();
        },
      };
    },
  };
}
