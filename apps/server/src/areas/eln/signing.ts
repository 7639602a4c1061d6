/** Signatures of the parts of a sheet. A signature covers exact bytes: a change makes it stale. */
import { createHash } from 'node:crypto'
import { holds } from '@ordinator/model/access'
import { elnCalls, type signatureStates } from '@ordinator/model/areas/eln/calls'
import { SickLeave } from '@ordinator/model/areas/eln/sickLeave'
import sql from 'sql-template-tag'
import { readCommonSettings } from '#areas/settings/index.ts'
import { acceptRawSignature } from '#areas/signatures/index.ts'
import type { Queryable } from '#platform/db.ts'
import { HttpError, ValidationError } from '#platform/errors.ts'
import type { ServerActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { journal, journalActor } from '#records/journal.ts'
import { operation } from '#records/operation.ts'
import { type Facts, factsOf } from './facts.ts'
import { assertStep, lockedLeave } from './sickLeaves.ts'
import { type Part, partsOf } from './wire.ts'
import { type SignedPart, signedInfos } from './xmlSignature.ts'

interface Stored {
  part: string
  hash: string
  signature: string
  certificate: string | null
  verdict: 'valid' | 'unchecked'
  date: string
}

/** Of what is signed: a signature of another form (CMS, before 1.1) is stale. */
const hashOf = (xml: string): string => createHash('sha256').update(`xmldsig ${xml}`).digest('hex')

const storedOf = (db: Queryable, id: number): Promise<Stored[]> =>
  db.query<Stored>(sql`select "part", "hash", "signature", "verdict", encode("certificate", 'base64') as "certificate",
    to_char("date" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "date" from eln_signatures where "idSickLeave" = ${id}`)

export interface PartState extends Part {
  state: keyof typeof signatureStates
  signedAt: string | null
  signature: string | null
  /** Base64 of DER. */
  certificate: string | null
}

/** The parts of a sheet, each with its signature. */
export async function partStates(db: Queryable, facts: Facts): Promise<PartState[]> {
  const stored = new Map((await storedOf(db, facts.leave.id)).map((one) => [one.part, one]))
  return partsOf(facts).map((part) => {
    const found = stored.get(part.key)
    const isOf = found?.hash === hashOf(part.xml)
    return {
      ...part,
      state: !found ? 'none' : isOf ? found.verdict : 'stale',
      signedAt: found && isOf ? found.date : null,
      signature: found && isOf ? found.signature : null,
      certificate: found && isOf ? (found.certificate?.replace(/\s/g, '') ?? null) : null,
    }
  })
}

export const isSigned = ({ state }: Pick<PartState, 'state'>): boolean => state === 'valid' || state === 'unchecked'
export const leftOf = (parts: readonly PartState[]): number => parts.filter((part) => !isSigned(part)).length
export async function signedOf(app: AppContext, parts: readonly PartState[]): Promise<SignedPart[]> {
  const infos = await signedInfos(app, parts)
  return parts.flatMap(({ id, signature, certificate }, at) =>
    signature === null ? [] : [{ id, signature, certificate: certificate ?? '', signedInfo: infos[at] as string }],
  )
}

/** Whether the actor signs this part. */
export function isMine({ purpose, idUser }: Pick<Part, 'purpose' | 'idUser'>, actor: ServerActor): boolean {
  if (purpose === 'organization') return holds(actor, 'editEln')
  if (idUser !== actor.id) return false
  return purpose === 'doctor' ? holds(actor, 'editEln') : holds(actor, 'signElnChairman')
}

/** The parts for the screen. */
export async function shown(app: AppContext, parts: readonly PartState[], facts: Facts, actor: ServerActor) {
  const infos = await signedInfos(app, parts)
  return parts.map((part, at) => shownPart(part, infos[at] as string, facts, actor))
}

const shownPart = (part: PartState, info: string, facts: Facts, actor: ServerActor) => ({
  key: part.key,
  title: part.title,
  purpose: part.purpose,
  idUser: part.idUser,
  signer: part.idUser === null ? (facts.lpu?.name ?? null) : (facts.doctors.get(part.idUser)?.fio ?? null),
  state: part.state,
  signedAt: part.signedAt,
  isMine: isMine(part, actor),
  bytes: Buffer.from(info).toString('base64'),
})

export const sign = operation(elnCalls.sign, async ({ app, records, actor, body }) => {
  const refused: { id: number; key: string; message: string }[] = []
  let signed = 0
  for (const one of body.parts) {
    try {
      await signOne(app, records, actor, one)
      signed++
    } catch (error) {
      // The other parts are signed anyway.
      if (!(error instanceof HttpError) || error.status >= 500) throw error
      refused.push({ id: one.id, key: one.key, message: error.message })
    }
  }
  return { signed, refused }
})

async function signOne(
  app: AppContext,
  records: Parameters<typeof lockedLeave>[0],
  actor: ServerActor,
  {
    id,
    key,
    bytes,
    signature,
    thumbprint,
  }: { id: number; key: string; bytes: string; signature: string; thumbprint: string },
): Promise<void> {
  const asked = { app, key, bytes, actor }
  const { elnMode } = await readCommonSettings(app.db)
  const current = await partToSign(await factsOf(app.db, records, await records.row(SickLeave, id)), asked)
  // Verified outside of the transaction: openssl takes time.
  const certificate = await acceptRawSignature(app, {
    content: Buffer.from(bytes, 'base64'),
    signature: Buffer.from(signature, 'base64'),
    purpose: current.purpose === 'chairman' ? 'commission' : current.purpose,
    actor,
    isWorking: elnMode === 'prod',
    thumbprint,
  }).catch((error: unknown) => {
    if (!(error instanceof ValidationError)) throw error
    throw new HttpError(409, `${current.title}: ${error.message}`, {
      code: 'signature',
    })
  })
  const verdict = certificate ? 'valid' : 'unchecked'
  await records.tx(async (own, tx) => {
    const leave = await lockedLeave(own, tx, id)
    assertStep('sign', leave)
    const facts = await factsOf(tx, own, leave)
    const part = await partToSign(facts, asked)
    await tx.query(sql`insert into eln_signatures ("idSickLeave", "part", "hash", "signature", "certificate", "verdict", "idUser", "date")
      values (${id}, ${key}, ${hashOf(part.xml)}, ${signature}, ${certificate}, ${verdict}, ${actor.id}, now())
      on conflict ("idSickLeave", "part") do update set "hash" = excluded."hash", "signature" = excluded."signature",
        "certificate" = excluded."certificate", "verdict" = excluded."verdict", "idUser" = excluded."idUser", "date" = excluded."date"`)
    await own.asSystem.update(SickLeave, id, { signsLeft: leftOf(await partStates(tx, facts)) })
    await journal(tx, {
      ...journalActor(actor),
      action: 'sign',
      entityType: SickLeave.path,
      idEntity: id,
      idCustomer: leave.idCustomer,
      basis: part.title,
    })
  })
}

/** The part with exactly these bytes, if the actor signs it. @throws HttpError 403, 409 */
async function partToSign(
  facts: Facts,
  { app, key, bytes, actor }: { app: AppContext; key: string; bytes: string; actor: ServerActor },
): Promise<Part> {
  const part = partsOf(facts).find((one) => one.key === key)
  if (!part) throw new HttpError(409, 'Такой части в листе больше нет: откройте его заново', { code: 'stale' })
  if (!isMine(part, actor)) throw new HttpError(403, `${part.title}: подписывает другой человек`)
  const [info = ''] = await signedInfos(app, [part])
  if (Buffer.from(info).toString('base64') !== bytes)
    throw new HttpError(409, `${part.title}: лист изменился, прочитайте его и подпишите заново`, { code: 'stale' })
  return part
}

/** Maximum number of sheets searched for a person's pending parts. */
const MAX_WAITING = 100

export const waitingParts = operation(elnCalls.waitingParts, async ({ app, records, actor }) => {
  const leaves = await records.rows(SickLeave, {
    'filter[localStatus]': 'toSign',
    sort: 'id',
    limit: MAX_WAITING,
  })
  const parts = []
  for (const leave of leaves) {
    const facts = await factsOf(app.db, records, leave)
    const mine = (await partStates(app.db, facts)).filter(
      (part) => !isSigned(part) && part.purpose !== 'organization' && isMine(part, actor),
    )
    for (const part of await shown(app, mine, facts, actor))
      parts.push({ ...part, idSickLeave: leave.id, patient: facts.patient.fio })
  }
  return { parts }
})
