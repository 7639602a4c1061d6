/**
 * Entry point of signatures: every area with signed documents (ЕГИСЗ, sick leaves, МДЛП) submits signatures here. A
 * browser signs; no person's private key reaches the server.
 */
import type { CertificatePurpose } from '@ordinator/model/areas/signatures/certificate'
import sql from 'sql-template-tag'
import { readCommonSettings } from '#areas/settings/index.ts'
import type { Queryable } from '#platform/db.ts'
import { ValidationError } from '#platform/errors.ts'
import type { ServerActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { gostOf } from './gostOf.ts'
import { factsOf } from './readCertificate.ts'
import { isMarked, markedSignature } from './simulator.ts'
import { type CheckedSignature, checkSignature } from './verify.ts'

export interface SigningState {
  isSet: boolean
  /** The way the clinic signs, or the missing settings. In Russian. */
  words: string
}

/** Whether signing is possible. @param isWorking in production mode, which accepts no test signatures */
export async function signingState(
  app: Pick<AppContext, 'db'>,
  { isWorking }: { isWorking: boolean },
): Promise<SigningState> {
  const { signaturePlugin } = await readCommonSettings(app.db)
  if (signaturePlugin === 'simulator')
    return isWorking
      ? {
          isSet: false,
          words:
            'Подписи не настроены: в рабочем контуре имитатор не подписывает, выберите КриптоПро в настройках ЕГИСЗ',
        }
      : { isSet: true, words: 'Имитатор подписи: подписи помечены «ТЕСТОВАЯ ПОДПИСЬ»' }
  const known = await app.db.one(sql`select 1 from signatures_certificates
    where not "deleted" and "active" and "kind" <> 'test' and "dateTo" > now() limit 1`)
  return known
    ? { isSet: true, words: 'Подписывает КриптоПро на компьютере сотрудника' }
    : { isSet: false, words: 'Подписи не настроены: добавьте сертификаты в разделе «Электронные подписи»' }
}

interface Given {
  content: Uint8Array
  /** Detached CMS, DER. */
  signature: Uint8Array
  purpose: CertificatePurpose
  actor: ServerActor
  /** In production mode, which accepts no test signatures. */
  isWorking?: boolean
  /** The only certificate accepted for the clinic here; absent: any of the clinic's. */
  thumbprint?: string
}

/**
 * Verifies a person's signature.
 * @returns `valid`, or `unknown` if this server has no ГОСТ engine to verify it
 * @throws ValidationError at `signature` with the reason of a refusal
 */
export async function acceptSignature(app: AppContext, given: Given): Promise<CheckedSignature> {
  const { content, signature, purpose, actor, isWorking, thumbprint } = given
  const { signaturePlugin } = await readCommonSettings(app.db)
  const mayTest = signaturePlugin === 'simulator' && !isWorking
  if (isMarked(signature)) {
    if (!mayTest) throw refuse(TEST)
    if (!markedSignature(content).equals(signature)) throw refuse(NOT_OF_THIS)
  }
  const checked = await checkSignature(app, content, signature)
  if (checked.state === 'invalid') throw refuse(checked.words)
  if (!checked.signer) return checked
  await assertSigner(app.db, actor, purpose, checked.signer, mayTest)
  if (purpose === 'organization' && thumbprint && checked.signer.thumbprint !== thumbprint.toUpperCase())
    throw refuse('Клиника подписывает сертификатом, который назван в настройках')
  return checked
}

/**
 * Verifies a person's signature without a container, as XMLDSig carries it. Its certificate is one of the clinic's.
 * @returns the certificate, DER; null for a stand-in of the simulator, which has none
 * @throws ValidationError at `signature` with the reason of a refusal
 */
export async function acceptRawSignature(
  app: AppContext,
  { content, signature, purpose, actor, isWorking, thumbprint = '' }: Given,
): Promise<Buffer | null> {
  const { signaturePlugin } = await readCommonSettings(app.db)
  const mayTest = signaturePlugin === 'simulator' && !isWorking
  if (isMarked(signature)) {
    if (!mayTest) throw refuse(TEST)
    if (!markedSignature(content).equals(signature)) throw refuse(NOT_OF_THIS)
    return null
  }
  const known = await app.db.one<{ id: number; body: Buffer }>(sql`
    select c."id"::int as id, b."body" from signatures_certificates c
      join signature_certificates b on b."idCertificate" = c."id"
    where c."thumbprint" = ${thumbprint.toUpperCase()} and not c."deleted"`)
  if (!known) throw refuse(NOT_KNOWN)
  const checked = await gostOf(app).verifyRaw(content, signature, known.body)
  if (checked.state !== 'valid') throw refuse(checked.reason)
  const { kind, dateTo } = factsOf(checked.signer)
  await assertSigner(app.db, actor, purpose, { idCertificate: known.id, dateTo, kind }, mayTest)
  return known.body
}

/**
 * Digests by ГОСТ Р 34.11-2012; undefined without the engine: then only the simulator signs.
 */
export async function gostDigests(app: AppContext, contents: readonly Uint8Array[]): Promise<Buffer[] | undefined> {
  const gost = gostOf(app)
  return (await gost.isThere()) ? gost.digests(contents) : undefined
}

const NOT_KNOWN = 'Такого сертификата среди подписей клиники нет: добавьте его на странице «Электронные подписи»'
const TEST = 'Это тестовая подпись: в рабочем режиме она не принимается'
const NOT_OF_THIS = 'Подпись не от этого файла: он изменён после подписания'
const refuse = (message: string) => new ValidationError([{ field: 'signature', message }])

/** @throws ValidationError with the reason why this certificate is not accepted here */
async function assertSigner(
  db: Queryable,
  actor: ServerActor,
  purpose: CertificatePurpose,
  signer: { idCertificate: number | null; dateTo: string; kind: string },
  mayTest: boolean,
): Promise<void> {
  if (Date.parse(signer.dateTo) <= Date.now()) throw refuse('Сертификат закончился: подпишите действующим')
  if (signer.kind === 'test' && !mayTest) throw refuse(TEST)
  const known = await db.one<{ purpose: string; idUser: number | null; active: boolean }>(sql`
    select "purpose", "idUser"::int as "idUser", "active" from signatures_certificates where "id" = ${signer.idCertificate}`)
  if (!known) throw refuse(NOT_KNOWN)
  if (!known.active) throw refuse('Этот сертификат отмечен как неиспользуемый')
  if (purpose === 'organization') {
    if (known.purpose !== 'organization') throw refuse('За клинику подписывают сертификатом организации')
  } else if (known.idUser !== actor.id || known.purpose === 'organization')
    throw refuse('Это чужая подпись: каждый подписывает своей')
}

/**
 * A stand-in for the clinic's signature without a signer: accepted only by simulators of other systems.
 * The key of a real clinic is not on the server.
 */
export const signatureForSimulator = (content: Uint8Array): Buffer => markedSignature(content)
