/** Status changes of an examination: finish, reopen, sign, correct. */
import { createHash } from 'node:crypto'
import { examinationCalls } from '@ordinator/model/areas/examinations/calls'
import {
  Examination,
  ExaminationAttachment,
  mayCorrect,
  mayReopen,
  maySign,
  mayWrite,
} from '@ordinator/model/areas/examinations/examination'
import { missingOf, shownValues } from '@ordinator/model/areas/examinations/formValues'
import { ordered, partOf } from '@ordinator/model/areas/examinations/parts'
import type { Row } from '@ordinator/model/entity'
import sql, { raw } from 'sql-template-tag'
import { forbidden, HttpError, ValidationError } from '#platform/errors.ts'
import { journal, journalActor } from '#records/journal.ts'
import { operation } from '#records/operation.ts'
import { assertDraft, heldExamination } from './save.ts'

type ExaminationRow = Row<typeof Examination>

/** Throws if it was changed since it was read. */
function assertVersion(examination: ExaminationRow, version: number, what: string): void {
  if (examination._version === version) return
  throw new HttpError(409, `Осмотр изменили, пока вы его читали: ${what}`, { code: 'stale' })
}

const statusRefusal = (message: string): HttpError => new HttpError(409, message, { code: 'status' })

export const finish = operation(examinationCalls.finish, ({ records, actor, params, body }) =>
  records.tx(async (inner, tx) => {
    const { examination, ready } = await heldExamination(inner, tx, params.id)
    assertDraft(examination)
    if (!mayWrite(actor, examination)) throw forbidden('Этот черновик ведёт другой врач')
    assertVersion(examination, body._version, 'проверьте и завершите снова')
    const missing = missingOf(ready, examination.values)
    if (missing.length)
      throw new ValidationError(
        missing.map(({ key, label }) => ({ field: partOf(key), message: `Заполните: ${label}` })),
      )
    return inner.asSystem.update(Examination, examination.id, {
      values: shownValues(ready, examination.values),
      status: 'done',
      dateDone: new Date().toISOString(),
    })
  }),
)

export const reopen = operation(examinationCalls.reopen, ({ records, actor, params, body }) =>
  records.tx(async (inner, tx) => {
    const { examination } = await heldExamination(inner, tx, params.id)
    if (examination.status === 'draft') return examination
    if (examination.status !== 'done') throw statusRefusal('Подписанное не меняют: исправьте осмотр новой версией')
    if (!mayReopen(actor, examination)) throw forbidden('Этот осмотр ведёт другой врач')
    assertVersion(examination, body._version, 'прочтите его снова')
    return inner.asSystem.update(Examination, examination.id, { status: 'draft', dateDone: null })
  }),
)

/**
 * Digest of the signed content: equal contents give an equal digest, also after a merge of patient cards.
 * @param attached ids of its files; without files the digest is as before files were included
 */
export function digestOf(examination: ExaminationRow, attached: readonly number[] = []): string {
  const { idVersion, idUser, date, values, diagnoses, prescriptions, recommendations, number } = examination
  const contents = { idVersion, idUser, date, values, diagnoses, prescriptions, recommendations, number }
  const signed = attached.length ? { ...contents, files: attached.toSorted((a, b) => a - b) } : contents
  return createHash('sha256')
    .update(JSON.stringify(ordered(signed)))
    .digest('hex')
}

export const sign = operation(examinationCalls.sign, ({ records, actor, params, body }) =>
  records.tx(async (inner, tx) => {
    const { examination } = await heldExamination(inner, tx, params.id)
    if (examination.status === 'draft') throw statusRefusal('Осмотр ещё правят: завершите его и подпишите')
    if (examination.status !== 'done') throw statusRefusal('Осмотр уже подписан')
    if (!maySign(actor, examination)) throw forbidden('Подписывает врач, который вёл осмотр')
    assertVersion(examination, body._version, 'прочтите и подпишите снова')
    const files = await tx.query<{ id: number }>(
      sql`select "idFile"::int as "id" from examinations_files where "idExamination" = ${examination.id} and not "deleted"`,
    )
    const signed = await inner.asSystem.update(Examination, examination.id, {
      status: 'signed',
      dateSigned: new Date().toISOString(),
      idSigner: actor.id,
      digest: digestOf(
        examination,
        files.map(({ id }) => id),
      ),
    })
    if (examination.idCorrected !== null)
      await inner.asSystem.update(Examination, examination.idCorrected, { status: 'corrected' })
    await journal(tx, {
      ...journalActor(actor),
      action: 'sign',
      entityType: Examination.path,
      idEntity: examination.id,
      idCustomer: examination.idCustomer,
    })
    return signed
  }),
)

export const correct = operation(examinationCalls.correct, ({ records, actor, params, body }) =>
  records.tx(async (inner, tx) => {
    const { examination } = await heldExamination(inner, tx, params.id)
    if (examination.status === 'corrected') throw statusRefusal('У этого осмотра уже есть исправленная версия')
    if (examination.status !== 'signed') throw statusRefusal('Исправляют подписанное: этот осмотр правят прямо')
    if (!mayCorrect(actor, examination)) throw forbidden('Исправляет врач, который подписал осмотр')
    const begun = await tx.one<{ id: number }>(
      sql`select "id"::int as "id" from examinations where "idCorrected" = ${examination.id} and not "deleted"`,
    )
    if (begun)
      throw new HttpError(409, 'Исправление уже начато: откройте черновик новой версии', {
        code: `version:${begun.id}`,
      })
    const { idCustomer, idTemplate, idVersion, idAppointment, name, idUser, date, values, diagnoses, prescriptions } =
      examination
    const made = await inner.asSystem.create(Examination, {
      idCustomer,
      idTemplate,
      idVersion,
      idAppointment,
      name,
      idUser,
      date,
      values,
      diagnoses,
      prescriptions,
      recommendations: examination.recommendations,
      assisted: examination.assisted,
      code: examination.code,
      diagnosis: examination.diagnosis,
      filled: examination.filled,
      idCorrected: examination.id,
      correction: body.reason,
      number: examination.number + 1,
    })
    await inner.asSystem.createFrom(
      ExaminationAttachment,
      sql`examinations_files f where f."idExamination" = ${examination.id} and not f."deleted" order by f."id"`,
      { idExamination: made.id, idFile: raw('f."idFile"') },
      { pastHooks: 'The new version is a draft' },
    )
    return made
  }),
)
