/**
 * Proof of work: the browser computes it before it holds a time, while visitors without a confirmed phone hold half of
 * the free times. PBKDF2 (RFC 8018) runs as native code in browsers too, so that a script gains little over a browser.
 */

/** A challenge of the server. */
export interface PortalWork {
  /** Signed by the server; contains the booking, the origin and the expiry. */
  challenge: string
  /** Required leading zero bits of the result. Each bit doubles the work. */
  bits: number
  iterations: number
}

/** The browser's solution. */
export interface PortalWorkDone {
  challenge: string
  nonce: number
}

/** About 3 ms of CPU time. */
export const WORK_ITERATIONS = 10_000
export const WORK_MINUTES = 5
/** Leading zero bits: 256 attempts on average from half of the free times on, 1,024 from three quarters on. */
export const WORK_BITS = { half: 8, most: 10 }
/** Parallel attempts, to use several cores. */
const AT_ONCE = 8

const utf8 = new TextEncoder()

/** @returns 32 bytes */
export async function workResult({ challenge, nonce }: PortalWorkDone, iterations: number): Promise<Uint8Array> {
  const key = await crypto.subtle.importKey('raw', utf8.encode(challenge), 'PBKDF2', false, ['deriveBits'])
  const salt = utf8.encode(String(nonce))
  return new Uint8Array(await crypto.subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt, iterations }, key, 256))
}

/** Number of leading zero bits. */
export function zeroBits(bytes: Uint8Array): number {
  const at = bytes.findIndex((byte) => byte !== 0)
  return at === -1 ? bytes.length * 8 : at * 8 + Math.clz32(bytes[at] as number) - 24
}

/** Tries nonces from 0 until one fits. */
export async function solveWork({ challenge, bits, iterations }: PortalWork): Promise<PortalWorkDone> {
  for (let first = 0; ; first += AT_ONCE) {
    const tried = Array.from({ length: AT_ONCE }, (_, at) => ({ challenge, nonce: first + at }))
    const results = await Promise.all(tried.map((one) => workResult(one, iterations)))
    const found = results.findIndex((bytes) => zeroBits(bytes) >= bits)
    if (found !== -1) return tried[found] as PortalWorkDone
  }
}
