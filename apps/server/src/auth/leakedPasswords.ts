/**
 * The 100,000 most used leaked passwords of eight or more characters (Mark Burnett's ten million, by SecLists, MIT), as
 * sorted prefixes of their SHA-256: six bytes each, so that a false match has a chance of one in three billion. Generated
 * by scripts/leakedPasswords.mjs.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const SIZE = 6
const hashes = readFileSync(join(import.meta.dirname, 'leakedPasswords.bin'))
export const LEAKED = hashes.length / SIZE

/** True when the lower-cased password is one of them. */
export function isLeaked(password: string): boolean {
  const sought = createHash('sha256').update(password.toLowerCase()).digest().subarray(0, SIZE)
  let [low, high] = [0, LEAKED - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const order = hashes.compare(sought, 0, SIZE, middle * SIZE, middle * SIZE + SIZE)
    if (order === 0) return true
    if (order < 0) low = middle + 1
    else high = middle - 1
  }
  return false
}
