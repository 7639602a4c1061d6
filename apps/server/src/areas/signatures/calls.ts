import { X509Certificate } from 'node:crypto'
import { holds } from '@ordinator/model/access'
import { signaturesCalls } from '@ordinator/model/areas/signatures/calls'
import { SignatureCertificate } from '@ordinator/model/areas/signatures/certificate'
import { User } from '@ordinator/model/areas/staff/user'
import sql from 'sql-template-tag'
import { readCommonSettings } from '#areas/settings/index.ts'
import { forbidden, HttpError, ValidationError } from '#platform/errors.ts'
import type { ServerActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { operation } from '#records/operation.ts'
import { assertVisible } from '#records/reference.ts'
import { gostOf } from './gostOf.ts'
import { factsOf, readCertificate } from './readCertificate.ts'
import { markedSignature, signForTest, signRawForTest, testKey } from './simulator.ts'
import { checkSignature } from './verify.ts'

const pluginOf = async (app: AppContext) => (await readCommonSettings(app.db)).signaturePlugin

const state = operation(signaturesCalls.state, async ({ app }) => ({
  hasGost: await gostOf(app).isThere(),
  plugin: await pluginOf(app),
}))

/** Without the right to manage signatures a user adds only own certificates. */
const add = operation(signaturesCalls.add, async ({ records, actor, body }) => {
  const managesAll = actor.system || holds(actor, 'manageSignatures')
  const purpose = body.purpose ?? 'doctor'
  const idUser = body.idUser === undefined ? (purpose === 'organization' ? null : actor.id) : body.idUser
  if (!managesAll && (idUser !== actor.id || purpose === 'organization'))
    throw forbidden('Подписи других и клиники добавляет тот, кто ведёт подписи')
  if (idUser !== null) await assertVisible(records, User, idUser, 'idUser')
  const { bytes, ...facts } = readCertificate(body.certificate)
  if (Date.parse(facts.dateTo) <= Date.now())
    throw new ValidationError([{ field: 'certificate', message: 'Этот сертификат уже закончился' }])
  return records.tx(async (own, tx) => {
    const known = await tx.one<{
      id: number
      deleted: boolean
      idUser: number | null
    }>(sql`select "id"::int as id, "deleted",
      "idUser"::int as "idUser" from signatures_certificates where "thumbprint" = ${facts.thumbprint} for update`)
    if (known && !known.deleted) {
      if (known.idUser !== idUser && !managesAll)
        throw new HttpError(409, 'Этот сертификат уже добавлен другим', { code: 'taken' })
      return own.asSystem.update(SignatureCertificate, known.id, { idUser, purpose, active: true })
    }
    if (known) {
      await own.asSystem.restore(SignatureCertificate, known.id)
      return own.asSystem.update(SignatureCertificate, known.id, { idUser, purpose, active: true })
    }
    const made = await own.asSystem.create(SignatureCertificate, { ...facts, purpose, idUser })
    await tx.query(sql`insert into signature_certificates ("idCertificate", "body") values (${made.id}, ${bytes})`)
    return made
  })
})

const verify = operation(signaturesCalls.verify, ({ app, body }) =>
  checkSignature(app, Buffer.from(body.content, 'base64'), Buffer.from(body.signature, 'base64')),
)

/** Simulator keys available to an employee: the own one, and with the right the clinic's. */
async function simulatedKeys(app: AppContext, actor: ServerActor) {
  if ((await pluginOf(app)) !== 'simulator')
    throw new HttpError(409, 'Имитатор подписи выключен: подписывают через КриптоПро', { code: 'off' })
  if (!(await gostOf(app).isThere())) return []
  const user = await app.db.one<{ name: string }>(
    sql`select concat_ws(' ', "surname", "name", "middleName") as name from users where "id" = ${actor.id}`,
  )
  const { companyBrand } = await readCommonSettings(app.db)
  const own = await testKey(app, `user-${actor.id}`, user?.name || 'Сотрудник')
  // Users who issue sick leaves sign them for the clinic too.
  const mayForClinic = holds(actor, 'manageSignatures') || holds(actor, 'editEln')
  const clinic = mayForClinic ? [await testKey(app, 'organization', companyBrand || 'Клиника')] : []
  return [own, ...clinic].map((key) => ({ key, facts: factsOf(new X509Certificate(key.certificate)) }))
}

const simulated = operation(signaturesCalls.simulated, async ({ app, actor }) => ({
  items: (await simulatedKeys(app, actor)).map(({ facts: { thumbprint, owner, bytes } }) => ({
    thumbprint,
    owner,
    certificate: bytes.toString('base64'),
  })),
}))

const simulate = operation(signaturesCalls.simulate, async ({ app, actor, body }) => {
  const keys = await simulatedKeys(app, actor)
  const content = Buffer.from(body.content, 'base64')
  const chosen = keys.find(({ facts }) => facts.thumbprint === body.thumbprint)
  if (keys.length > 0 && !chosen)
    throw new ValidationError([{ field: 'thumbprint', message: 'Такого сертификата у имитатора нет' }])
  const byKey = body.raw ? signRawForTest : signForTest
  const signature = chosen ? await byKey(app, chosen.key, content) : markedSignature(content)
  return { signature: signature.toString('base64') }
})

export const signatureOperations = [state, add, verify, simulated, simulate]
