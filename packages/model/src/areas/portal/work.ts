/**
 * Proof of work: what a browser computes before it holds a time while visitors without a confirmed phone hold half of the
 * free ones. PBKDF2 (RFC 8018) runs as native code in a browser too, so that a program gains little over a person.
 */

/** What the server asks for. */
export interface PortalWork {
  /** Signed by the server; it says what is being booked, from where, and until when it is valid. */
  challenge: string
  /** Zero bits with which the result begins. Each one doubles the work. */
  bits: number
  iterations: number
}

/** What the browser found. */
export interface PortalWorkDone {
  challenge: string
  nonce: number
}

/** About 3 ms of a processor. */
export const WORK_ITERATIONS = 10_000
export const WORK_MINUTES = 5
/** Attempts on average: 256 from half of the free times on, 1,024 from three quarters on. */
export const WORK_BITS = { half: 8, most: 10 }
/** Attempts that run together, for the cores of the visitor's device. */
const AT_ONCE = 8

const utf8 = new TextEncoder()

/** @returns 32 bytes */
export async function workResult({ challenge, nonce }: PortalWorkDone, iterations: number): Promise<Uint8Array> {
  const key = await crypto.subtle.importKey('raw', utf8.encode(challenge), 'PBKDF2', false, ['deriveBits'])
  const salt = utf8.encode(String(nonce))
  return new Uint8Array(await crypto.subtle.deriveBits({ name: 'PBKDF2', hash: 'SHA-256', salt, iterations }, key, 256))
}

/** Zero bits at the beginning. */
export function zeroBits(bytes: Uint8Array): number {
  const at = bytes.findIndex((byte) => byte !== 0)
  return at === -1 ? bytes.length * 8 : at * 8 + Math.clz32(bytes[at] as number) - 24
}

/** Tries nonces from 0 on until one serves. */
export async function solveWork({ challenge, bits, iterations }: PortalWork): Promise<PortalWorkDone> {
  for (let first = 0; ; first += AT_ONCE) {
    const tried = Array.from({ length: AT_ONCE }, (_, at) => ({ challenge, nonce: first + at }))
    const results = await Promise.all(tried.map((one) => workResult(one, iterations)))
    const found = results.findIndex((bytes) => zeroBits(bytes) >= bits)
    if (found !== -1) return tried[found] as PortalWorkDone
  }
}
