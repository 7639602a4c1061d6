/**
 * Encryption of stored secrets of outside systems: AES-256-GCM (NIST SP 800-38D) with a random 96-bit nonce, under a key
 * derived from `SECRET` by HKDF (RFC 5869). The column and the row id are authenticated too, so that a value copied to
 * another row does not decrypt.
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import { HttpError } from './errors.ts'

const ALGORITHM = 'aes-256-gcm'
const NONCE = 12
const TAG = 16
/** Prefix of every encrypted value; the digit is the version of the format. */
const MARK = 'enc1:'

export interface Cipher {
  /** Identifies the key in each value without revealing it. */
  readonly keyId: string
  /** @param place the column, `table.column` @param id of the row */
  encrypt(place: string, id: number | string, text: string): string
  /**
   * A value stored before encryption was introduced is returned unchanged.
   * @throws HttpError 409 `secret` when it was encrypted under another SECRET or is damaged
   */
  decrypt(place: string, id: number | string, stored: string): string
}

/** True when a stored value is encrypted, under any key. */
export const isEncrypted = (stored: string): boolean => stored.startsWith(MARK)

/** The id of the key that an encrypted value needs. */
export const keyIdOf = (stored: string): string => stored.slice(MARK.length).split(':')[0] as string

export function createCipher(secret: string): Cipher {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'ordinator secrets at rest', 32))
  const keyId = createHash('sha256').update('key id').update(key).digest('hex').slice(0, 12)
  const bound = (place: string, id: number | string) => Buffer.from(`${place} ${id}`)
  return {
    keyId,
    encrypt(place, id, text) {
      const nonce = randomBytes(NONCE)
      const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(bound(place, id))
      const bytes = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final()])
      return `${MARK}${keyId}:${Buffer.concat([bytes, cipher.getAuthTag()]).toString('base64url')}`
    },
    decrypt(place, id, stored) {
      if (!isEncrypted(stored)) return stored
      const [, value = ''] = stored.slice(MARK.length).split(':')
      const bytes = Buffer.from(value, 'base64url')
      try {
        const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, NONCE)).setAAD(bound(place, id))
        decipher.setAuthTag(bytes.subarray(-TAG))
        return decipher.update(bytes.subarray(NONCE, -TAG), undefined, 'utf8') + decipher.final('utf8')
      } catch {
        throw new HttpError(
          409,
          'Сохранённый ключ внешней системы не читается: SECRET сервера не тот, с которым его вписали. Впишите ключ заново',
          { code: 'secret' },
        )
      }
    },
  }
}

/** For a connection opened without `SECRET`: it neither stores nor reads secrets. */
export const noCipher: Cipher = {
  keyId: '',
  encrypt: refuse,
  decrypt: refuse,
}

function refuse(): never {
  throw new Error('this connection was opened without SECRET')
}
