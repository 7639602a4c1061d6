/** Verification of a signature over given bytes, and its signer. */
import type { CertificateKind, SignatureState } from '@ordinator/model/areas/signatures/certificate'
import sql from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import type { AppContext } from '#records/context.ts'
import { gostOf } from './gostOf.ts'
import { type CertificateFacts, factsOf } from './readCertificate.ts'

export interface CheckedSignature {
  state: SignatureState
  words: string
  signer:
    | (Pick<CertificateFacts, 'owner' | 'thumbprint' | 'snils' | 'dateTo'> & {
        kind: CertificateKind
        idCertificate: number | null
      })
    | null
}

/** @param content the signed bytes @param signature detached CMS, DER */
export async function checkSignature(
  app: Pick<AppContext, 'scratch' | 'db'>,
  content: Uint8Array,
  signature: Uint8Array,
): Promise<CheckedSignature> {
  const verified = await gostOf(app).verify(content, signature)
  if (verified.state !== 'valid') return { state: verified.state, words: verified.reason, signer: null }
  const facts = factsOf(verified.signer)
  const idCertificate = await knownCertificate(app.db, facts.thumbprint)
  const { owner, thumbprint, snils, kind, dateTo } = facts
  const words =
    kind === 'test'
      ? 'Подпись верна. Она тестовая: юридической силы нет'
      : idCertificate === null
        ? 'Подпись верна. Такого сертификата среди подписей клиники нет'
        : 'Подпись верна'
  return { state: 'valid', words, signer: { owner, thumbprint, snils, kind, dateTo, idCertificate } }
}

async function knownCertificate(db: Queryable, thumbprint: string): Promise<number | null> {
  const row = await db.one<{ id: number }>(sql`select "id"::int as id from signatures_certificates
    where "thumbprint" = ${thumbprint} and not "deleted"`)
  return row?.id ?? null
}
