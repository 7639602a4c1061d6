/** Signs documents one after another: one that is refused stays behind, and the others go on. */
import type { Semd, SignerRole } from '@ordinator/model/areas/egisz/semd'
import type { Row } from '@ordinator/model/entity'
import { api } from '../../base/api.ts'
import { type SigningError, type SigningPlugin, signingError } from '../signatures/index.ts'

export type SemdRow = Row<typeof Semd>

export interface Signed {
  id: number
  title: string
  failure?: { message: string; mend: string; isRefusal: boolean }
}

/** The certificates by role: of this person, and of the clinic. */
export type Chosen = Partial<Record<SignerRole, string>>

export async function signOne(
  plugin: SigningPlugin,
  { id, dueRole }: Pick<SemdRow, 'id' | 'dueRole'>,
  chosen: Chosen,
): Promise<void> {
  if (!dueRole) throw new Error('Подпись этого документа сейчас не нужна')
  const thumbprint = chosen[dueRole]
  if (!thumbprint) throw new Error('Нет сертификата для этой подписи')
  const { content, digest } = await api('GET /egisz/semds/:id/content', { params: { id } })
  let signature: string
  try {
    signature = await plugin.sign(thumbprint, content)
  } catch (error) {
    throw signingError(error)
  }
  await api('POST /egisz/semds/:id/sign', { params: { id }, body: { role: dueRole, digest, signature } })
}

/** @param onDone after each, with all that were tried @param signal stops before the next one */
export async function signAll(
  plugin: SigningPlugin,
  rows: readonly Pick<SemdRow, 'id' | 'dueRole' | 'title'>[],
  chosen: Chosen,
  onDone: (done: readonly Signed[]) => void,
  signal: AbortSignal,
): Promise<readonly Signed[]> {
  const done: Signed[] = []
  for (const row of rows) {
    if (signal.aborted) break
    try {
      await signOne(plugin, row, chosen)
      done.push({ id: row.id, title: row.title })
    } catch (error) {
      done.push({ id: row.id, title: row.title, failure: failureOf(error) })
    }
    onDone([...done])
  }
  return done
}

function failureOf(error: unknown): NonNullable<Signed['failure']> {
  const { message, mend = '', isRefusal = false } = error as Partial<SigningError> & Error
  return { message, mend, isRefusal }
}
