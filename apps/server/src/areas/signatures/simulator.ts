/**
 * Signatures without the plugin, for a demo and for tests: keys «ТЕСТОВАЯ ПОДПИСЬ» that the server makes for itself. They
 * are there only while the setting says so, and no key of a person is ever among them.
 */
import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readCommonSettings } from '#areas/settings/index.ts'
import type { TestKey } from '#platform/gost.ts'
import type { AppContext } from '#records/context.ts'
import { gostOf } from './gostOf.ts'

const DAYS = 365
/** Begins what stands for a signature where there is no engine: nobody could take it for one. */
const MARK = 'ТЕСТОВАЯ ПОДПИСЬ без ГОСТ: '
const MARKED = Buffer.from(MARK)

/** The key of one of the simulator's signers, made at its first use. @param code `user-5`, `organization` */
export async function testKey(app: AppContext, code: string, name: string): Promise<TestKey> {
  const folder = join(app.config.dataDir, 'test-signatures')
  const path = join(folder, `${code}.json`)
  const known = await readFile(path, 'utf8').catch(() => undefined)
  if (known) return JSON.parse(known) as TestKey
  const made = await gostOf(app).makeTestKey(name, DAYS)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const aside = `${path}.${process.pid}-${Math.random().toString(36).slice(2)}`
  await writeFile(aside, JSON.stringify(made), { mode: 0o600 })
  await rename(aside, path)
  return JSON.parse(await readFile(path, 'utf8')) as TestKey
}

/**
 * Signs for the clinic without a person, by its test key.
 * @returns detached signature; undefined where people sign by КриптоПро: no server has their keys
 */
export async function clinicTestSignature(app: AppContext, content: Buffer): Promise<Buffer | undefined> {
  const { signaturePlugin, companyBrand } = await readCommonSettings(app.db)
  if (signaturePlugin !== 'simulator') return undefined
  if (!(await gostOf(app).isThere())) return markedSignature(content)
  return signForTest(app, await testKey(app, 'organization', companyBrand || 'Клиника'), content)
}

export async function signForTest(app: AppContext, key: TestKey, content: Buffer): Promise<Buffer> {
  return gostOf(app).sign(content, key)
}

/** Whether it was made where there is no engine. */
export const isMarked = (signature: Uint8Array): boolean =>
  Buffer.from(signature.buffer, signature.byteOffset, Math.min(signature.length, MARKED.length)).equals(MARKED)

export const markedSignature = (content: Uint8Array): Buffer =>
  Buffer.from(`${MARK}${createHash('sha256').update(content).digest('hex')}`)
