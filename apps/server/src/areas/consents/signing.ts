import { consentCalls } from '@ordinator/model/areas/consents/calls'
import { Consent, type signMethods } from '@ordinator/model/areas/consents/consent'
import { lastDay, signRefusal } from '@ordinator/model/areas/consents/rules'
import { CustomerFile } from '@ordinator/model/areas/customers/files'
import type { Row } from '@ordinator/model/entity'
import { momentIn } from '@ordinator/model/zone'
import sql from 'sql-template-tag'
import { readCommonSettings } from '#areas/settings/index.ts'
import type { Tx } from '#platform/db.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import { journal, journalActor } from '#records/journal.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { assertDraft, clinicDay } from './consents.ts'
import { factsOf, journalled, type SignerFacts, signerOf } from './paper.ts'

/** A consent the user may change, locked against signing and revoking until the transaction ends. */
export async function lockedConsent(records: Records, tx: Tx, id: number): Promise<Row<typeof Consent>> {
  await tx.query(sql`select 1 from consents where "id" = ${id} for update`)
  return records.row(Consent, id)
}

/** @throws ValidationError at the signer */
export async function assertSigner(tx: Tx, { birthday, representative }: SignerFacts, day: string): Promise<void> {
  const { ownConsentAge } = await readCommonSettings(tx)
  const refused = signRefusal(birthday, representative, day, ownConsentAge)
  if (refused) throw new ValidationError([{ field: 'idRelation', message: refused }])
}

/** Method and time of a signature. */
export interface Signing {
  signMethod: keyof typeof signMethods
  signedAt: string
  /** YYYY-MM-DD, in the clinic's time zone. */
  day: string
  idFile?: number
}

/** Signs a locked draft, and stores its data with the signature. */
export async function signConsent(
  records: Records,
  tx: Tx,
  consent: Row<typeof Consent>,
  { day, ...signing }: Signing,
): Promise<Row<typeof Consent>> {
  assertDraft(consent)
  const facts = await factsOf(tx, consent, day)
  await assertSigner(tx, facts, day)
  const validTo = consent.validTo ?? lastDay(day, facts.months)
  if (validTo !== null && validTo < day)
    throw new ValidationError([{ field: 'validTo', message: 'Срок кончается раньше подписи' }])
  const signed = await records.asSystem.update(Consent, consent.id, {
    ...signing,
    validTo,
    representative: signerOf(facts),
    filled: facts.values,
  })
  await journal(tx, { ...journalActor(records.actor), action: 'sign', ...journalled(consent) })
  return signed
}

/**
 * A signature by hand, of today or an earlier day.
 * @param records of the user, who sees the scan
 * @throws ValidationError for a future day
 */
export async function byHand(
  records: Records,
  tx: Tx,
  { signedOn, idFile }: { signedOn?: string | undefined; idFile?: number | undefined },
): Promise<Signing & { signMethod: 'paper' }> {
  const today = await clinicDay(tx)
  const day = signedOn ?? today
  if (day > today) throw new ValidationError([{ field: 'signedOn', message: 'Этот день ещё не наступил' }])
  if (idFile !== undefined) await records.row(CustomerFile, idFile)
  const { timeZone } = await readCommonSettings(tx)
  const signedAt = day === today ? new Date().toISOString() : momentIn(timeZone, day, '12:00')
  return { signMethod: 'paper', signedAt, day, ...(idFile !== undefined && { idFile }) }
}

export const sign = operation(consentCalls.sign, async ({ records, params, body }) =>
  records.tx(async (inner, tx) => {
    const consent = await lockedConsent(inner, tx, params.id)
    return signConsent(inner, tx, consent, await byHand(inner, tx, body))
  }),
)

/** Revokes a signed consent. @param reason in the words of the requester */
export const revokeConsent = (records: Records, id: number, reason: string): Promise<Row<typeof Consent>> =>
  records.tx(async (inner, tx) => {
    const consent = await lockedConsent(inner, tx, id)
    if (consent.status !== 'signed')
      throw new HttpError(
        409,
        consent.status === 'revoked' ? 'Это согласие уже отозвано' : 'Отзывают подписанное согласие',
      )
    const revoked = await inner.asSystem.update(Consent, consent.id, {
      revokedAt: new Date().toISOString(),
      revokeReason: reason,
    })
    await journal(tx, {
      ...journalActor(inner.actor),
      action: 'update',
      basis: 'Отзыв согласия',
      ...journalled(consent),
    })
    return revoked
  })

export const revoke = operation(consentCalls.revoke, ({ records, params, body }) =>
  revokeConsent(records, params.id, body.reason),
)
