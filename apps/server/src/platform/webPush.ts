/**
 * Web push (RFC 8030), signed by the server (VAPID, RFC 8292). The push has no payload: it wakes the device, which then
 * requests the content from the server.
 */
import { createECDH, hkdfSync } from 'node:crypto'
import { importJWK, SignJWT } from 'jose'
import type { Outbound } from './outbound.ts'

/** Seconds for which the push service keeps an undelivered push. */
export const PUSH_KEPT = 12 * 3600
const GONE = [404, 410]

/** The server's key pair: derived from its secret, so that all processes share it and none is stored. */
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

/** A device that is `gone` can be forgotten; `status` is the push service's status. */
export interface Woken {
  outcome: 'taken' | 'gone' | 'refused'
  status: number
}

/** @throws when the push service is unreachable or not allowed */
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
