/**
 * A second implementation of the encryption of ГОСТ messages, for the simulator: ГОСТ 28147-89 with the set Z of TK26
 * (RFC 7836), the key agreement VKO over the curve CryptoPro-A, and the wrap of a content key (RFC 4357 §6.3). The product uses
 * the ГОСТ engine of OpenSSL.
 */
import { randomBytes } from 'node:crypto'
import type { TestKey } from '#platform/gost.ts'
import { gost } from './xmlSignatures.ts'

const SBOX = [
  ...['c462a5b9e8d703f1', '68239a5c1e47bd0f', 'b3582fade174c960', 'c821d4f670a53e9b'],
  ...['7f5a816d093eb42c', '5df692cab78143e0', '8e25691cf4b0da37', '17ed05834fa69cb2'],
].map((row) => Array.from(row, (digit) => Number.parseInt(digit, 16)))
const FORWARD = [0, 1, 2, 3, 4, 5, 6, 7]
const BACKWARD = FORWARD.toReversed()
const ENCRYPT = [...FORWARD, ...FORWARD, ...FORWARD, ...BACKWARD]
const DECRYPT = [...FORWARD, ...BACKWARD, ...BACKWARD, ...BACKWARD]
const MAC = [...FORWARD, ...FORWARD]

const words = (bytes: Buffer) => Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readUInt32LE(at * 4))

function rounds(key: Buffer, block: Buffer, order: readonly number[]): [number, number] {
  const parts = words(key)
  let [a, b] = words(block) as [number, number]
  for (const at of order) {
    const sum = (a + (parts[at] as number)) >>> 0
    let mixed = 0
    for (let nibble = 0; nibble < 8; nibble++)
      mixed |= ((SBOX[nibble] as number[])[(sum >>> (nibble * 4)) & 15] as number) << (nibble * 4)
    ;[a, b] = [(b ^ ((mixed << 11) | (mixed >>> 21))) >>> 0, a]
  }
  return [a, b]
}

function bytesOf(...parts: number[]): Buffer {
  const bytes = Buffer.alloc(parts.length * 4)
  for (const [at, part] of parts.entries()) bytes.writeUInt32LE(part >>> 0, at * 4)
  return bytes
}
const ecb = (key: Buffer, bytes: Buffer, order: readonly number[]) =>
  Buffer.concat(blocks(bytes).map((one) => bytesOf(...(rounds(key, one, order).toReversed() as [number, number]))))
const blocks = (bytes: Buffer) =>
  Array.from({ length: bytes.length / 8 }, (_, at) => bytes.subarray(at * 8, at * 8 + 8))
const xor = (a: Buffer, b: Buffer) => Buffer.from(a.map((byte, at) => byte ^ (b[at] as number)))

function cbc(key: Buffer, iv: Buffer, bytes: Buffer, isEncrypting: boolean): Buffer {
  let last = iv
  return Buffer.concat(
    blocks(bytes).map((block) => {
      const made = isEncrypting ? ecb(key, xor(block, last), ENCRYPT) : xor(ecb(key, block, DECRYPT), last)
      last = isEncrypting ? made : block
      return made
    }),
  )
}

/** Diversifies a key by the UKM: RFC 4357 §6.5. */
function diversified(key: Buffer, ukm: Buffer): Buffer {
  let made = key
  for (const byte of ukm) {
    let [ones, zeros] = [0, 0]
    for (const [at, part] of words(made).entries()) (byte >> at) & 1 ? (ones += part) : (zeros += part)
    let gamma = bytesOf(ones, zeros)
    const under = made
    made = Buffer.concat(blocks(under).map((block) => (gamma = xor(ecb(under, gamma, ENCRYPT), block))))
  }
  return made
}
function macOf(key: Buffer, ukm: Buffer, bytes: Buffer): Buffer {
  let state = ukm
  for (const block of blocks(bytes)) state = bytesOf(...rounds(key, xor(state, block), MAC))
  return state.subarray(0, 4)
}

const P = (1n << 256n) - 617n
const Q = 0xffffffffffffffffffffffffffffffff6c611070995ad10045841b09b761b893n
const BASE: Point = [1n, 0x8d91e471e0989cda27df505a453f2b7635294f2ddf23e3b122acc99c9e9f1e14n]
type Point = [bigint, bigint]

const mod = (value: bigint, by = P) => ((value % by) + by) % by
function inverse(value: bigint): bigint {
  let [a, b, x, y] = [mod(value), P, 1n, 0n]
  while (b) [a, b, x, y] = [b, a % b, y, x - (a / b) * y]
  return mod(x)
}
function sum(a: Point | undefined, b: Point | undefined): Point | undefined {
  if (!a || !b) return a ?? b
  if (a[0] === b[0] && mod(a[1] + b[1]) === 0n) return undefined
  const slope = mod(a[0] === b[0] ? (3n * a[0] * a[0] - 3n) * inverse(2n * a[1]) : (b[1] - a[1]) * inverse(b[0] - a[0]))
  const x = mod(slope * slope - a[0] - b[0])
  return [x, mod(slope * (a[0] - x) - a[1])]
}
function times(by: bigint, point: Point): Point {
  let [made, step, left] = [undefined as Point | undefined, point as Point | undefined, by]
  for (; left > 0n; left >>= 1n, step = sum(step, step)) if (left & 1n) made = sum(made, step)
  return made as Point
}
const number = (bytes: Buffer) => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`)
const little = (value: bigint) => Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse()
const pointOf = (bytes: Buffer): Point => [number(bytes.subarray(0, 32)), number(bytes.subarray(32))]

async function agreed(ukm: Buffer, own: bigint, their: Point): Promise<Buffer> {
  const [x, y] = times(mod(number(ukm) * own, Q), their)
  const [key] = await gost.digests([Buffer.concat([little(x), little(y)])])
  return diversified(key as Buffer, ukm)
}

/** DER around a GostR3410-KeyTransport of 256 bits on this curve (RFC 4490 §4.2): its parts have fixed lengths. */
const TRANSPORT = [
  '3081a930280420',
  '0404',
  'a07d06092a85030701020501',
  '01a066301f06082a85030701010101301306072a85030202230106082a850307010102020343000440',
  '0408',
]
const LENGTHS = [32, 4, 0, 64, 8]

async function unsealed(key: Buffer, content: Buffer, own: bigint): Promise<Buffer> {
  let at = 0
  const parts = TRANSPORT.map((head, index) => {
    const found = key.subarray(at, (at += head.length / 2)).toString('hex')
    if (found !== head) throw new Error(`Ключ сообщения: ${found} вместо ${head}`)
    return key.subarray(at, (at += LENGTHS[index] as number))
  })
  const [wrapped, mac, , point, ukm] = parts as [Buffer, Buffer, Buffer, Buffer, Buffer]
  const kek = await agreed(ukm, own, pointOf(point))
  const session = ecb(kek, wrapped, DECRYPT)
  if (!macOf(kek, ukm, session).equals(mac)) throw new Error('Ключ сообщения не для этого сертификата')
  const plain = cbc(session, content.subarray(0, 8), content.subarray(8), false)
  return plain.subarray(0, plain.length - (plain.at(-1) as number))
}

async function sealed(plain: Buffer, their: Point): Promise<{ key: Buffer; content: Buffer }> {
  const [session, ukm, iv] = [randomBytes(32), randomBytes(8), randomBytes(8)]
  const own = mod(number(randomBytes(32)), Q)
  const kek = await agreed(ukm, own, their)
  const point = Buffer.concat(times(own, BASE).map(little))
  const values = [ecb(kek, session, ENCRYPT), macOf(kek, ukm, session), Buffer.alloc(0), point, ukm]
  const left = 8 - (plain.length % 8)
  return {
    key: Buffer.concat(TRANSPORT.flatMap((head, at) => [Buffer.from(head, 'hex'), values[at] as Buffer])),
    content: Buffer.concat([iv, cbc(session, iv, Buffer.concat([plain, Buffer.alloc(left, left)]), true)]),
  }
}

const ALGORITHMS = ['gost28147', 'transport-gost2012-256'].map(
  (name) => `Algorithm="urn:ietf:params:xml:ns:cpxmlsec:algorithms:${name}"`,
)
const CIPHERED =
  /^[\s\S]*<soapenv:Body><xenc:EncryptedData [^>]*><xenc:EncryptionMethod ([^>]+)\/><ds:KeyInfo [^>]*><xenc:EncryptedKey><xenc:EncryptionMethod ([^>]+)\/><ds:KeyInfo><ds:X509Data><ds:X509Certificate>([^<]+)<\/ds:X509Certificate><\/ds:X509Data><\/ds:KeyInfo><xenc:CipherData><xenc:CipherValue>([^<]+)<\/xenc:CipherValue><\/xenc:CipherData><\/xenc:EncryptedKey><\/ds:KeyInfo><xenc:CipherData><xenc:CipherValue>([^<]+)<\/xenc:CipherValue><\/xenc:CipherData><\/xenc:EncryptedData><\/soapenv:Body><\/soapenv:Envelope>$/

/** A message and the certificate of its sender, DER. */
export interface Opened {
  plain: string
  sender: Buffer
}

/** @throws Error with what is wrong, in Russian */
export async function opened(message: string, { key }: TestKey): Promise<Opened> {
  const found = CIPHERED.exec(message)
  if (!found || found[1] !== ALGORITHMS[0] || found[2] !== ALGORITHMS[1]) throw new Error('Шифрование не той формы')
  const [sender, wrapped, content] = found.slice(3).map((text) => Buffer.from(text, 'base64')) as [
    Buffer,
    Buffer,
    Buffer,
  ]
  // The last bytes of PKCS#8 are the number, little-endian.
  const own = number(Buffer.from(key.replace(/-----[^-]+-----|\s/g, ''), 'base64').subarray(-32))
  return { plain: (await unsealed(wrapped, content, own)).toString(), sender }
}

/** Bits of the public key in a certificate: 64 bytes, x and y little-endian. */
const PUBLIC = Buffer.from('0343000440', 'hex')

/** @param sender certificate, DER */
export async function encryptedReply(answer: string, sender: Buffer): Promise<string> {
  const at = sender.indexOf(PUBLIC) + PUBLIC.length
  const { key, content } = await sealed(Buffer.from(answer), pointOf(sender.subarray(at, at + 64)))
  const value = (bytes: Buffer) =>
    `<CipherData><CipherValue>${bytes.toString('base64').replace(/.{76}/g, '$&\n')}</CipherValue></CipherData>`
  return `<?xml version="1.0" encoding="UTF-8"?><soap:Envelope xmlns:soap="http://schemas.xmlsoap.org/soap/envelope/"><soap:Body><EncryptedData xmlns="http://www.w3.org/2001/04/xmlenc#" Type="http://www.w3.org/2001/04/xmlenc#Element"><EncryptionMethod ${ALGORITHMS[0]}/><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><EncryptedKey xmlns="http://www.w3.org/2001/04/xmlenc#"><EncryptionMethod ${ALGORITHMS[1]}/>${value(key)}</EncryptedKey></KeyInfo>${value(content)}</EncryptedData></soap:Body></soap:Envelope>`
}
