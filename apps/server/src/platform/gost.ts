/**
 * Signatures by ГОСТ Р 34.10-2012, which Node does not support: the system's `openssl` with Debian's ГОСТ engine
 * (libengine-gost-openssl), in a child process with its own OPENSSL_CONF. Without the engine signatures cannot be
 * checked.
 */
import { type ExecFileException, execFile } from 'node:child_process'
import { randomBytes, X509Certificate } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Scratch } from './scratch.ts'

const WORK_MS = 15_000
/** s and r, 32 bytes each. */
const RAW_BYTES = 64
/** Of a content key, and of the block that begins a CBC. */
const [KEY_BYTES, BLOCK_BYTES] = [32, 8]
const CONFIG = `openssl_conf = openssl_def
[openssl_def]
engines = engine_section
[engine_section]
gost = gost_section
[gost_section]
engine_id = gost
default_algorithms = ALL
`

/**
 * - `valid`: it matches the bytes and the key of `signer`. Trust in the signer's authority is not checked.
 * - `invalid`: it does not match the bytes, or is not a signature.
 * - `unknown`: this server cannot check it.
 */
export type Verified =
  | { state: 'valid'; signer: X509Certificate }
  | { state: 'invalid'; reason: string }
  | { state: 'unknown'; reason: string }

export interface TestKey {
  /** PEM */
  key: string
  /** PEM */
  certificate: string
}

export interface Gost {
  /** True when the engine is installed. Checked once. */
  isThere(): Promise<boolean>
  /** A detached CMS signature (DER) of the content. */
  verify(content: Uint8Array, signature: Uint8Array): Promise<Verified>
  /** A key and a self-signed certificate for the simulator. @param name the subject's common name @throws without the engine */
  makeTestKey(name: string, days: number): Promise<TestKey>
  /** A detached CMS signature (DER) by a simulator key. @throws without the engine */
  sign(content: Uint8Array, key: TestKey): Promise<Buffer>
  /** Digests by ГОСТ Р 34.11-2012, 32 bytes each. @throws without the engine */
  digests(contents: readonly Uint8Array[]): Promise<Buffer[]>
  /**
   * A signature without a container, as XMLDSig carries it: s and r of ГОСТ Р 34.10-2012, 64 bytes, big-endian (RFC 9215).
   * @param certificate DER, of the signer
   */
  verifyRaw(content: Uint8Array, signature: Uint8Array, certificate: Uint8Array): Promise<Verified>
  /** The same by a key on this server. @throws without the engine */
  signRaw(content: Uint8Array, key: TestKey): Promise<Buffer>
  /** Encrypts for the owner of a certificate of ГОСТ Р 34.10-2012 (256 bits). @param certificate PEM @throws without the engine */
  encrypt(content: Uint8Array, certificate: string): Promise<Encrypted>
  /** @throws if it is not for this key, or without the engine */
  decrypt(encrypted: Encrypted, key: TestKey): Promise<Buffer>
}

/** Encrypted by ГОСТ 28147-89 with a key of its own, set Z of TK26. */
export interface Encrypted {
  /** The content key for its receiver: GostR3410-KeyTransport (RFC 4490 §4.2), DER. */
  key: Uint8Array
  /** IV, then CBC without key meshing, padded to whole blocks. */
  content: Uint8Array
}

const NO_ENGINE = 'На сервере нет движка ГОСТ: подпись не проверена'

/** @param engine the engine's name; tests pass another to simulate a server without it */
export const openGost = (scratch: Pick<Scratch, 'use'>, engine = 'gost'): Gost => new OpensslGost(scratch, engine)

class OpensslGost implements Gost {
  readonly #scratch: Pick<Scratch, 'use'>
  readonly #engine: string
  #there: Promise<boolean> | undefined

  constructor(scratch: Pick<Scratch, 'use'>, engine: string) {
    this.#scratch = scratch
    this.#engine = engine
  }

  isThere(): Promise<boolean> {
    this.#there ??= this.#scratch.use(async (folder) =>
      (await this.#openssl(folder, ['engine', '-t', this.#engine])).output.includes('[ available ]'),
    )
    return this.#there
  }

  async verify(content: Uint8Array, signature: Uint8Array): Promise<Verified> {
    if (!(await this.isThere())) return { state: 'unknown', reason: NO_ENGINE }
    return this.#scratch.use(async (folder): Promise<Verified> => {
      await writeFile(join(folder, 'content'), content)
      await writeFile(join(folder, 'signature'), signature)
      const { code, output } = await this.#openssl(folder, [
        ...['cms', '-verify', '-binary', '-inform', 'DER', '-in', 'signature', '-content', 'content'],
        // Trust in the authority is not part of this check.
        ...['-noverify', '-signer', 'signer.pem', '-out', '/dev/null'],
      ])
      if (code !== 0) return { state: 'invalid', reason: reasonOf(output) }
      const signer = await readFile(join(folder, 'signer.pem'), 'utf8')
      // With several signers it is unclear which one is meant.
      if (signer.split('BEGIN CERTIFICATE').length !== 2)
        return { state: 'invalid', reason: 'В файле подписи не один подписавший: нужна одна подпись' }
      return { state: 'valid', signer: new X509Certificate(signer) }
    })
  }

  makeTestKey(name: string, days: number): Promise<TestKey> {
    return this.#within(async (folder) => {
      await this.#did(folder, 'req', [
        ...['-x509', '-newkey', 'gost2012_256', '-pkeyopt', 'paramset:A', '-nodes', '-keyout', 'key.pem'],
        ...['-out', 'certificate.pem', '-days', String(days), '-utf8', '-subj', subjectOf(name)],
      ])
      const read = (file: string) => readFile(join(folder, file), 'utf8')
      return { key: await read('key.pem'), certificate: await read('certificate.pem') }
    })
  }

  sign(content: Uint8Array, { key, certificate }: TestKey): Promise<Buffer> {
    return this.#within(async (folder) => {
      await writeFile(join(folder, 'content'), content)
      await writeFile(join(folder, 'key.pem'), key, { mode: 0o600 })
      await writeFile(join(folder, 'certificate.pem'), certificate)
      await this.#did(folder, 'cms', [
        ...['-sign', '-binary', '-in', 'content', '-signer', 'certificate.pem', '-inkey', 'key.pem'],
        ...['-outform', 'DER', '-out', 'signature', '-md', 'md_gost12_256'],
      ])
      return readFile(join(folder, 'signature'))
    })
  }

  async digests(contents: readonly Uint8Array[]): Promise<Buffer[]> {
    if (contents.length === 0) return []
    return this.#within(async (folder) => {
      const names = contents.map((_content, at) => `content-${at}`)
      await Promise.all(contents.map((content, at) => writeFile(join(folder, names[at] as string), content)))
      const { code, output } = await this.#openssl(folder, ['dgst', '-md_gost12_256', '-r', ...names])
      const found = [...output.matchAll(/^([0-9a-f]{64}) \*content-\d+$/gm)].map(([, hex]) =>
        Buffer.from(hex as string, 'hex'),
      )
      if (code !== 0 || found.length !== contents.length) throw new Error(`openssl dgst: ${output.slice(0, 500)}`)
      return found
    })
  }

  async verifyRaw(content: Uint8Array, signature: Uint8Array, certificate: Uint8Array): Promise<Verified> {
    if (!(await this.isThere())) return { state: 'unknown', reason: NO_ENGINE }
    if (signature.length !== RAW_BYTES)
      return { state: 'invalid', reason: 'Это не подпись ГОСТ Р 34.10-2012 (256 бит)' }
    return this.#scratch.use(async (folder): Promise<Verified> => {
      await writeFile(join(folder, 'content'), content)
      await writeFile(join(folder, 'signature'), signature)
      await writeFile(join(folder, 'certificate'), certificate)
      const key = await this.#openssl(folder, [
        ...['x509', '-inform', 'DER', '-in', 'certificate', '-pubkey', '-noout', '-out', 'key.pem'],
      ])
      if (key.code !== 0) return { state: 'invalid', reason: 'Сертификат подписи не читается' }
      const { code } = await this.#openssl(folder, [
        ...['dgst', '-md_gost12_256', '-verify', 'key.pem', '-signature', 'signature', 'content'],
      ])
      return code === 0
        ? { state: 'valid', signer: new X509Certificate(certificate) }
        : { state: 'invalid', reason: 'Подпись не от этих данных или не от этого сертификата' }
    })
  }

  signRaw(content: Uint8Array, { key }: TestKey): Promise<Buffer> {
    return this.#within(async (folder) => {
      await writeFile(join(folder, 'content'), content)
      await writeFile(join(folder, 'key.pem'), key, { mode: 0o600 })
      await this.#did(folder, 'dgst', ['-md_gost12_256', '-sign', 'key.pem', '-out', 'signature', 'content'])
      return readFile(join(folder, 'signature'))
    })
  }

  encrypt(content: Uint8Array, certificate: string): Promise<Encrypted> {
    return this.#within(async (folder) => {
      const session = randomBytes(KEY_BYTES)
      const iv = randomBytes(BLOCK_BYTES)
      await writeFile(join(folder, 'session'), session, { mode: 0o600 })
      await writeFile(join(folder, 'content'), content, { mode: 0o600 })
      await writeFile(join(folder, 'certificate.pem'), certificate)
      await this.#did(folder, 'pkeyutl', [
        '-encrypt',
        '-certin',
        '-inkey',
        'certificate.pem',
        '-in',
        'session',
        '-out',
        'key',
      ])
      await this.#did(folder, 'enc', cbc(session, iv, '-e'))
      return {
        key: await readFile(join(folder, 'key')),
        content: Buffer.concat([iv, await readFile(join(folder, 'out'))]),
      }
    })
  }

  decrypt({ key: wrapped, content }: Encrypted, { key }: TestKey): Promise<Buffer> {
    return this.#within(async (folder) => {
      await writeFile(join(folder, 'key.pem'), key, { mode: 0o600 })
      await writeFile(join(folder, 'wrapped'), wrapped)
      await writeFile(join(folder, 'content'), content.subarray(BLOCK_BYTES))
      await this.#did(folder, 'pkeyutl', ['-decrypt', '-inkey', 'key.pem', '-in', 'wrapped', '-out', 'session'])
      const session = await readFile(join(folder, 'session'))
      await this.#did(folder, 'enc', cbc(session, content.subarray(0, BLOCK_BYTES), '-d'))
      return readFile(join(folder, 'out'))
    })
  }

  /** Runs work in an empty folder. @throws without the engine */
  async #within<T>(work: (folder: string) => Promise<T>): Promise<T> {
    if (!(await this.isThere())) throw new Error(NO_ENGINE)
    return this.#scratch.use(work)
  }

  /** @throws Error without the arguments, which may hold a key */
  async #did(folder: string, command: string, args: readonly string[]): Promise<void> {
    const { code, output } = await this.#openssl(folder, [command, ...args])
    if (code !== 0) throw new Error(`openssl ${command}: ${output.slice(0, 500)}`)
  }

  /** Runs openssl in an empty folder with the engine's configuration. */
  async #openssl(folder: string, args: readonly string[]): Promise<{ code: number; output: string }> {
    const config = join(folder, 'openssl.cnf')
    await writeFile(config, CONFIG.replaceAll('gost', this.#engine))
    return new Promise((done) => {
      execFile(
        'openssl',
        args,
        {
          cwd: folder,
          timeout: WORK_MS,
          maxBuffer: 1024 * 1024,
          // Nothing of the server's own environment: neither secrets nor its OPENSSL_CONF.
          env: { OPENSSL_CONF: config, PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C.UTF-8' },
        },
        (error: ExecFileException | null, stdout, stderr) =>
          done({ code: error ? (typeof error.code === 'number' ? error.code : 1) : 0, output: `${stdout}${stderr}` }),
      )
    })
  }
}

/** Arguments of `openssl enc`, which takes a key only here; it is the key of one message. */
const cbc = (key: Uint8Array, iv: Uint8Array, way: '-e' | '-d'): string[] => [
  ...[way, '-gost89-cbc', '-K', Buffer.from(key).toString('hex'), '-iv', Buffer.from(iv).toString('hex')],
  ...['-in', 'content', '-out', 'out'],
]

/** A subject name in openssl's syntax, where / and = separate the fields. */
const subjectOf = (name: string): string => `/O=ТЕСТОВАЯ ПОДПИСЬ/CN=${name.replace(/[/=+\\\n]/g, ' ')}`

function reasonOf(output: string): string {
  if (
    /digest failure|verification failure|content verify error|signature failure|digest_check_failure|bad signature/i.test(
      output,
    )
  )
    return 'Подпись не от этого файла: он изменён после подписания'
  if (/asn1|no content|wrong tag|not enough data|header too long/i.test(output)) return 'Это не подпись CMS'
  return 'Подпись не проходит проверку'
}
