/** Signs items in sequence; a refused one does not stop the others. */
import type { CertificatePurpose } from '@ordinator/model/areas/signatures/certificate'
import { type SigningError, type SigningPlugin, signingError } from './plugin/plugin.ts'

/** An item to sign: a document, a part of a sheet. */
export interface ToSign {
  key: string
  /** Title in the list of refused items. */
  title: string
  purpose: CertificatePurpose
  /** Loads the content to sign. @returns base64 */
  read(): Promise<string>
  /**
   * Submits the signature. @param content result of `read` @param signature base64 @param thumbprint of the signer's
   * certificate @throws an error shown to the user
   */
  take(content: string, signature: string, thumbprint: string): Promise<unknown>
  /** For XMLDSig: a signature without a container. */
  isRaw?: true
}

export interface Signed {
  key: string
  title: string
  failure?: { message: string; mend: string; isRefusal: boolean }
}

/** Thumbprints of the signing certificates, by purpose. */
export type Chosen = Partial<Record<CertificatePurpose, string>>

/** @param onDone called after each item with all results @param signal stops before the next item */
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

async function signOne(plugin: SigningPlugin, { purpose, read, take, isRaw }: ToSign, chosen: Chosen): Promise<void> {
  const thumbprint = chosen[purpose]
  if (thumbprint === undefined) throw new Error('Нет сертификата для этой подписи')
  const content = await read()
  let signature: string
  try {
    signature = await (isRaw ? plugin.signRaw(thumbprint, content) : plugin.sign(thumbprint, content))
  } catch (error) {
    throw signingError(error)
  }
  await take(content, signature, thumbprint)
}

function failureOf(error: unknown): NonNullable<Signed['failure']> {
  const { message, mend = '', isRefusal = false } = error as Partial<SigningError> & Error
  return { message, mend, isRefusal }
}
