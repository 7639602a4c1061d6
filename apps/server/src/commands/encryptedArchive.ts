/**
 * An archive encrypted with a passphrase: `ORDENC1\n`, salt, then chunks of AES-256-GCM. A chunk is its length (4 bytes,
 * big endian), the ciphertext and the tag; the nonce is the chunk's number with a flag for the last one, so that chunks
 * cannot be removed, reordered or cut off unnoticed (STREAM, Hoang et al., https://eprint.iacr.org/2015/189).
 * The key is derived by scrypt (RFC 7914) with N = 2^17, r = 8, p = 1, as OWASP recommends.
 */
import { createCipheriv, createDecipheriv, randomBytes, scryptSync } from 'node:crypto'
import { Transform, type TransformCallback } from 'node:stream'

export const ENCRYPTED_MARK = Buffer.from('ORDENC1\n')
const SALT = 16
const TAG = 16
const PIECE = 64 * 1024

const keyOf = (passphrase: string, salt: Buffer): Buffer =>
  scryptSync(passphrase.normalize('NFKC'), salt, 32, { N: 2 ** 17, r: 8, p: 1, maxmem: 256 * 1024 * 1024 })

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeBigUInt64BE(BigInt(number), 0)
  nonce.writeUInt32BE(isLast ? 1 : 0, 8)
  return nonce
}

/** Encrypts a stream of bytes. */
export class Encrypting extends Transform {
  private readonly salt = randomBytes(SALT)
  private readonly key: Buffer
  private held = Buffer.alloc(0)
  private number = 0

  constructor(passphrase: string) {
    super()
    this.key = keyOf(passphrase, this.salt)
    this.push(Buffer.concat([ENCRYPTED_MARK, this.salt]))
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.held = Buffer.concat([this.held, chunk])
    // One chunk is held back, since the last one is flagged.
    while (this.held.length > PIECE) this.put(this.held.subarray(0, PIECE), false)
    done()
  }

  override _flush(done: TransformCallback): void {
    this.put(this.held, true)
    done()
  }

  private put(text: Buffer, isLast: boolean): void {
    const cipher = createCipheriv('aes-256-gcm', this.key, nonceOf(this.number++, isLast))
    const length = Buffer.alloc(4)
    length.writeUInt32BE(text.length)
    this.push(Buffer.concat([length, cipher.update(text), cipher.final(), cipher.getAuthTag()]))
    this.held = this.held.subarray(text.length)
  }
}

/** Decrypts the output of `Encrypting`. Fails with a readable error for a wrong passphrase or a changed or cut archive. */
export class Decrypting extends Transform {
  private readonly passphrase: string
  private key: Buffer | undefined
  private held = Buffer.alloc(0)
  private number = 0

  constructor(passphrase: string) {
    super()
    this.passphrase = passphrase
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.held = Buffer.concat([this.held, chunk])
    try {
      if (this.hasKey())
        // The last chunk is known only at the end.
        for (let size = this.next(); size !== undefined && this.held.length > size; size = this.next())
          this.decrypt(false)
      done()
    } catch (error) {
      done(error as Error)
    }
  }

  override _flush(done: TransformCallback): void {
    try {
      if (this.next() !== this.held.length) throw new Error('архив обрезан')
      this.decrypt(true)
      done()
    } catch (error) {
      done(error as Error)
    }
  }

  /** True when the key is available: it needs the salt. */
  private hasKey(): boolean {
    const head = ENCRYPTED_MARK.length + SALT
    if (!this.key && this.held.length >= head) {
      this.key = keyOf(this.passphrase, this.held.subarray(ENCRYPTED_MARK.length, head))
      this.held = this.held.subarray(head)
    }
    return this.key !== undefined
  }

  /** Length of the next chunk. */
  private next(): number | undefined {
    if (this.held.length < 4) return undefined
    const length = this.held.readUInt32BE(0)
    if (length > PIECE) throw new Error('архив повреждён')
    return 4 + length + TAG
  }

  private decrypt(isLast: boolean): void {
    const size = this.next() as number
    const decipher = createDecipheriv('aes-256-gcm', this.key as Buffer, nonceOf(this.number++, isLast))
    decipher.setAuthTag(this.held.subarray(size - TAG, size))
    try {
      this.push(Buffer.concat([decipher.update(this.held.subarray(4, size - TAG)), decipher.final()]))
    } catch {
      throw new Error(this.number === 1 ? 'BACKUP_PASSPHRASE не подходит' : 'архив повреждён')
    }
    this.held = this.held.subarray(size)
  }
}
