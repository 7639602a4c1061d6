/** Steps of an application. */

import { AttachmentApplication } from '@ordinator/model/areas/attachment/application'
import { AttachmentArea } from '@ordinator/model/areas/attachment/area'
import { attachmentCalls } from '@ordinator/model/areas/attachment/calls'
import { type ApplicationStep, applicationSteps } from '@ordinator/model/areas/attachment/rules'
import { Customer, CustomerPolicy } from '@ordinator/model/areas/customers/customer'
import type { Create, Update } from '@ordinator/model/entity'
import { dayIn } from '@ordinator/model/zone'
import sql from 'sql-template-tag'
import { readCommonSettings } from '#areas/settings/index.ts'
import type { Tx } from '#platform/db.ts'
import { conflict, HttpError, ValidationError } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { type ApplicationRow, termOf } from './applications.ts'
import { attachTo } from './attachTo.ts'
import { notifyApplicant } from './notify.ts'
import { type CardField, cardFields, checked } from './state.ts'
import { queueApplication, tfomsState } from './tfoms.ts'

const wrong = (field: string, message: string) => new ValidationError([{ field, message }])

export async function lockedApplication(
  records: Records,
  tx: Tx,
  id: number,
  version?: number,
): Promise<ApplicationRow> {
  await tx.query(sql`select 1 from attachment_applications where "id" = ${id} for update`)
  const one = await records.row(AttachmentApplication, id)
  if (version !== undefined && version !== one._version) throw conflict(one)
  return one
}

/** @throws HttpError 409 @returns the state after the step */
function stepTo(step: ApplicationStep, { status }: ApplicationRow): ApplicationRow['status'] {
  const { from, to, else: words } = applicationSteps[step]
  if (!from.includes(status)) throw new HttpError(409, words, { code: 'transition' })
  return to
}

const write = async (own: Records, { id }: ApplicationRow, set: Partial<ApplicationRow>): Promise<ApplicationRow> => {
  await own.asSystem.update(AttachmentApplication, id, set)
  return own.row(AttachmentApplication, id)
}

const decided = (own: Records) => ({ idDecidedBy: own.actor.id, dateDecided: new Date().toISOString() })

export const check = operation(attachmentCalls.check, ({ records, actor, params, body }) =>
  records.tx(async (own, tx) => {
    const one = await lockedApplication(own, tx, params.id, body._version)
    return write(own, one, { status: stepTo('check', one), idResponsible: one.idResponsible ?? actor.id })
  }),
)

export const ask = operation(attachmentCalls.ask, ({ app, records, params, body }) =>
  records.tx(async (own, tx) => {
    const one = await lockedApplication(own, tx, params.id, body._version)
    const asked = await write(own, one, { status: stepTo('ask', one), question: body.question, answer: null })
    await notifyApplicant(app, tx, asked, 'asked')
    return asked
  }),
)

export const answer = operation(attachmentCalls.answer, ({ records, params, body }) =>
  records.tx(async (own, tx) => {
    const one = await lockedApplication(own, tx, params.id, body._version)
    const status = stepTo('answer', one)
    const term = await termOf(tx, one.idFilial, new Date().toISOString())
    return write(own, one, { status, answer: body.answer, ...term })
  }),
)

export const approve = operation(attachmentCalls.approve, ({ app, records, params, body }) =>
  records.tx(async (own, tx) => {
    const one = await lockedApplication(own, tx, params.id, body._version)
    const status = stepTo('approve', one)
    if (!one.idCustomer) throw wrong('idCustomer', 'Сначала свяжите заявление с картой')
    if (!one.idArea) throw wrong('idArea', 'Выберите участок')
    const { checks } = await checked(tx, own, one)
    const errors = checks.filter(({ level }) => level === 'error')
    if (errors.length && !body.despite?.trim())
      throw wrong(
        'despite',
        `Есть ошибки проверок: ${errors.map(({ words }) => words).join('; ')}. Напишите, почему всё же прикрепить`,
      )
    const area = await own.asSystem.row(AttachmentArea, one.idArea)
    const { timeZone } = await readCommonSettings(tx)
    const approved = await write(own, one, {
      status,
      ...decided(own),
      decisionReason: body.despite?.trim() || null,
      idDoctor: one.idDoctor ?? area.idUser,
      attachedFrom: body.attachedFrom ?? dayIn(timeZone, Date.now()),
    })
    await notifyApplicant(app, tx, approved, 'agreed')
    return approved
  }),
)

export const send = operation(attachmentCalls.send, async ({ app, records, params, body }) => {
  const { isSet, words } = await tfomsState(app)
  if (!isSet) throw new HttpError(409, words, { code: 'off' })
  return records.tx(async (own, tx) => {
    const one = await lockedApplication(own, tx, params.id, body._version)
    const sent = await own.asSystem.update(AttachmentApplication, one.id, {
      status: stepTo('send', one),
      protocol: null,
    })
    await queueApplication(app, tx, sent)
    return own.row(AttachmentApplication, one.id)
  })
})

export const attach = operation(attachmentCalls.attach, ({ records, params, body }) =>
  records.tx(async (own, tx) => {
    const one = await lockedApplication(own, tx, params.id, body._version)
    stepTo('attach', one)
    await attachTo(own, tx, one, body.attachedFrom ?? one.attachedFrom)
    return own.row(AttachmentApplication, one.id)
  }),
)

export const refuse = operation(attachmentCalls.refuse, ({ app, records, params, body }) =>
  records.tx(async (own, tx) => {
    const one = await lockedApplication(own, tx, params.id, body._version)
    const status = stepTo('refuse', one)
    const { attachmentRefusals } = await readCommonSettings(tx)
    if (!attachmentRefusals.includes(body.reason)) throw wrong('reason', 'Выберите причину из списка клиники')
    const refused = await write(own, one, { status, ...decided(own), decisionReason: body.reason })
    await notifyApplicant(app, tx, refused, 'refused')
    return refused
  }),
)

export const withdraw = operation(attachmentCalls.withdraw, ({ records, params, body }) =>
  records.tx(async (own, tx) => {
    const one = await lockedApplication(own, tx, params.id, body._version)
    return write(own, one, { status: stepTo('withdraw', one), ...decided(own), decisionReason: body.reason })
  }),
)

export const card = operation(attachmentCalls.card, ({ records, params, body }) =>
  records.tx(async (own, tx) => {
    const one = await lockedApplication(own, tx, params.id)
    const known = body.idCustomer ?? one.idCustomer
    const unknown = body.fields.find((field) => field !== 'enp' && !Object.hasOwn(cardFields, field))
    if (unknown) throw wrong('fields', `Поля «${unknown}» в карте нет`)
    const taken: readonly CardField[] = known
      ? (body.fields as CardField[])
      : [...(Object.keys(cardFields) as CardField[]), 'enp']
    const values: Record<string, unknown> = {}
    for (const field of taken) {
      if (field === 'enp') continue
      const value = one[field]
      if (value !== null && value !== undefined) values[cardFields[field]] = value
    }
    const idCustomer = known ?? (await own.create(Customer, values as Create<typeof Customer>)).id
    if (known && Object.keys(values).length) await own.update(Customer, known, values as Update<typeof Customer>)
    else if (known) await own.row(Customer, known)
    if (taken.includes('enp') && one.enp) await keepPolicy(own, idCustomer, one.enp)
    if (one.idCustomer !== idCustomer) await own.asSystem.update(AttachmentApplication, one.id, { idCustomer })
    return own.row(AttachmentApplication, one.id)
  }),
)

async function keepPolicy(own: Records, idCustomer: number, number: string): Promise<void> {
  const [there] = await own.rows(CustomerPolicy, {
    'filter[idCustomer]': idCustomer,
    'filter[number]': number,
    limit: 1,
  })
  if (!there) await own.create(CustomerPolicy, { idCustomer, type: 'oms', number })
}
