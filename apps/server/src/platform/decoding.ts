import sharp from 'sharp'

// libvips would keep what it has decoded, and decode on as many threads as there are cores.
sharp.cache(false)
sharp.concurrency(1)

let last: Promise<unknown> = Promise.resolve()

/**
 * Runs after all that came before it has ended. A picture of few bytes may unfold to half a gigabyte, so one process
 * unfolds one at a time, however many are sent.
 */
export function decodeInTurn<T>(run: () => Promise<T>): Promise<T> {
  const mine = last.then(run)
  last = mine.catch(() => {})
  return mine
}
