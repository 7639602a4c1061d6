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

/** The consent, which nobody else signs or revokes until the transaction ends, to whoever may change it. */
export async function lockedConsent(records: Records, tx: Tx, id: number): Promise<Row<typeof Consent>> {
  await tx.query(sql`select 1 from consents where "id" = ${id} for update`)
  return records.row(Consent, id)
}

/** @throws ValidationError at who signs */
export async function assertSigner(tx: Tx, { birthday, representative }: SignerFacts, day: string): Promise<void> {
  const { ownConsentAge } = await readCommonSettings(tx)
  const refused = signRefusal(birthday, representative, day, ownConsentAge)
  if (refused) throw new ValidationError([{ field: 'idRelation', message: refused }])
}

/** How and when a paper was signed. */
export interface Signing {
  signMethod: keyof typeof signMethods
  signedAt: string
  /** YYYY-MM-DD, by the clinic's clock. */
  day: string
  idFile?: number
}

/** A locked draft becomes a signed paper, with the data that stand in it and what it is signed by. */
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
 * A signature by hand, of today or of an earlier day. @param records of who brings it, who sees the scan
 * @throws ValidationError for a day that is still to come
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

/** Takes back a signed consent. @param reason in words of who asks for it */
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
