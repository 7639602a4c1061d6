/** Signs things one after another: one that is refused stays behind, and the others go on. */
import type { CertificatePurpose } from '@ordinator/model/areas/signatures/certificate'
import { type SigningError, type SigningPlugin, signingError } from './plugin/plugin.ts'

/** What is to be signed: a document, a part of a sheet. */
export interface ToSign {
  key: string
  /** What it is, for the list of what was refused. */
  title: string
  purpose: CertificatePurpose
  /** Reads what is signed now. @returns base64 */
  read(): Promise<string>
  /** Hands the signature over. @param content what `read` gave @param signature base64 @throws what is told to the person */
  take(content: string, signature: string): Promise<unknown>
}

export interface Signed {
  key: string
  title: string
  failure?: { message: string; mend: string; isRefusal: boolean }
}

/** Thumbprints of the certificates to sign by. */
export type Chosen = Partial<Record<CertificatePurpose, string>>

/** @param onDone after each, with all that were tried @param signal stops before the next one */
export async function signAll(
  plugin: SigningPlugin,
  items: readonly ToSign[],
  chosen: Chosen,
  onDone: (done: readonly Signed[]) => void,
  signal: AbortSignal,
): Promise<readonly Signed[]> {
  const done: Signed[] = []
  for (const item of items) {
    if (signal.aborted) break
    const { key, title } = item
    try {
      await signOne(plugin, item, chosen)
      done.push({ key, title })
    } catch (error) {
      done.push({ key, title, failure: failureOf(error) })
    }
    onDone([...done])
  }
  return done
}

async function signOne(plugin: SigningPlugin, { purpose, read, take }: ToSign, chosen: Chosen): Promise<void> {
  const thumbprint = chosen[purpose]
  if (thumbprint === undefined) throw new Error('Нет сертификата для этой подписи')
  const content = await read()
  let signature: string
  try {
    signature = await plugin.sign(thumbprint, content)
  } catch (error) {
    throw signingError(error)
  }
  await take(content, signature)
}

function failureOf(error: unknown): NonNullable<Signed['failure']> {
  const { message, mend = '', isRefusal = false } = error as Partial<SigningError> & Error
  return { message, mend, isRefusal }
}
