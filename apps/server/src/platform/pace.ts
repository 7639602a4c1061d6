import { Transform } from 'node:stream'

/** What one person's files come in at, all of them together: what lies above it the others need for their own. */
const BYTES_A_SECOND = 6 * 1024 * 1024
/** As fast as they come, before that. */
const BURST = 24 * 1024 * 1024
/** Shorter waits are saved up. */
const MIN_WAIT_MS = 20

const msOf = (bytes: number): number => (bytes / BYTES_A_SECOND) * 1_000

/** When all that each has sent would have come in at that pace, milliseconds of Date.now(). */
const through = new Map<string, number>()

/** Lets the bytes of one person by at the pace that is left to them. @param who the same for all that one person sends */
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
