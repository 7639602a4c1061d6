/**
 * Web push (RFC 8030), signed by the server (VAPID, RFC 8292). Nothing is sent in it: a device is only woken, and asks the
 * server for whatever it is to show.
 */
import { createECDH, hkdfSync } from 'node:crypto'
import { importJWK, SignJWT } from 'jose'
import type { Outbound } from './outbound.ts'

/** Seconds for which the maker's server keeps what a device that is off has not taken. */
export const PUSH_KEPT = 12 * 3600
const GONE = [404, 410]

/** The server's own pair of keys: made of its secret, so that all servers have one and none is stored. */
function keysOf(secret: string) {
  const ecdh = createECDH('prime256v1')
  ecdh.setPrivateKey(Buffer.from(hkdfSync('sha256', secret, '', 'web push', 32)))
  const point = ecdh.getPublicKey()
  const part = (from: number, to: number) => point.subarray(from, to).toString('base64url')
  return {
    publicKey: point.toString('base64url'),
    jwk: { kty: 'EC', crv: 'P-256', x: part(1, 33), y: part(33, 65), d: ecdh.getPrivateKey().toString('base64url') },
  }
}

export const pushKey = (secret: string): string => keysOf(secret).publicKey

/** Of a device that is gone nobody needs to know any more; `status` is what its maker's server said. */
export interface Woken {
  outcome: 'taken' | 'gone' | 'refused'
  status: number
}

/** @throws where the maker's server is not reached, or must not be */
export async function wake(
  { secret, publicUrl, outbound }: { secret: string; publicUrl: string; outbound: Outbound },
  endpoint: string,
): Promise<Woken> {
  const { jwk, publicKey } = keysOf(secret)
  const token = await new SignJWT()
    .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
    .setAudience(new URL(endpoint).origin)
    .setSubject(publicUrl)
    .setExpirationTime('1h')
    .sign(await importJWK(jwk, 'ES256'))
  const { status } = await outbound.post(endpoint, '', {
    headers: { authorization: `vapid t=${token}, k=${publicKey}`, ttl: String(PUSH_KEPT), urgency: 'normal' },
    maxAnswer: 1000,
  })
  return { outcome: GONE.includes(status) ? 'gone' : status >= 400 ? 'refused' : 'taken', status }
}
