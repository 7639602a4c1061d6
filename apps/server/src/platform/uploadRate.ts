import { Transform } from 'node:stream'

/** Upload rate of one person, over all their files: bandwidth above it is left to others. */
const BYTES_A_SECOND = 6 * 1024 * 1024
/** Bytes that pass at full speed first. */
const BURST = 24 * 1024 * 1024
/** Shorter waits are accumulated. */
const MIN_WAIT_MS = 20

const msOf = (bytes: number): number => (bytes / BYTES_A_SECOND) * 1_000

/** Time at which each person's bytes would have passed at that rate, milliseconds of Date.now(). */
const through = new Map<string, number>()

/** Throttles the bytes of one person. @param who key of the person, the same for all their uploads */
export function paced(who: string): Transform {
  const idle = Date.now() - msOf(BURST)
  for (const [other, at] of through) if (at < idle) through.delete(other)
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const now = Date.now()
      const at = Math.max(through.get(who) ?? 0, now - msOf(BURST)) + msOf(chunk.length)
      through.set(who, at)
      if (at - now < MIN_WAIT_MS) done(null, chunk)
      else setTimeout(done, at - now, null, chunk)
    },
  })
}
