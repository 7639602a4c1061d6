/** Single path for writing an examination: parts of a draft, from several people concurrently. */
import { examinationCalls } from '@ordinator/model/areas/examinations/calls'
import { Examination, examinationStatuses, mayWrite } from '@ordinator/model/areas/examinations/examination'
import { type ExaminationForm, type ReadyForm, readyForm } from '@ordinator/model/areas/examinations/form'
import { filledPercent, isFilled } from '@ordinator/model/areas/examinations/formValues'
import {
  type ExaminationContents,
  isSamePart,
  keyOfPart,
  type Parts,
  partIn,
  partLabel,
  withParts,
  wrongPart,
} from '@ordinator/model/areas/examinations/parts'
import type { Row } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import { type FieldError, forbidden, HttpError, ValidationError } from '#platform/errors.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { sanitize, whyNotCleaned } from '#records/sanitize.ts'

type ExaminationRow = Row<typeof Examination>

/** Maximum number of characters of a draft: the column's limit, less the overhead of JSON. */
const MAX_CONTENTS = 95_000

/** The examination in the actor's scope, locked until the end of the transaction, with its form. */
export async function heldExamination(
  records: Records,
  tx: Tx,
  id: number,
): Promise<{ examination: ExaminationRow; ready: ReadyForm }> {
  await tx.query(sql`select 1 from examinations where "id" = ${id} for update`)
  const examination = await records.row(Examination, id)
  const version = await tx.one<{ form: ExaminationForm }>(
    sql`select "form" from examination_templates_versions where "id" = ${examination.idVersion}`,
  )
  return { examination, ready: readyForm(version?.form ?? { sections: [] }) }
}

/** @throws HttpError 409 if it is no longer a draft */
export function assertDraft({ status }: ExaminationRow): void {
  if (status === 'draft') return
  throw new HttpError(
    409,
    `Осмотр уже ${examinationStatuses[status].toLowerCase()}: ваша правка не записана и осталась у вас на экране`,
    { code: 'status' },
  )
}

export const save = operation(examinationCalls.save, ({ records, actor, params, body }) =>
  records.tx(async (inner, tx) => {
    const { examination, ready } = await heldExamination(inner, tx, params.id)
    if (examination.status !== 'draft') assertDraft(examination)
    if (!mayWrite(actor, examination)) throw forbidden('Этот черновик ведёт другой врач')
    return writeParts(inner, examination, ready, body)
  }),
)

/**
 * Writes changed parts of a locked draft, unless another user has written them since `base`.
 * @param assisted runs of a language model by the parts taken over from them
 */
export async function writeParts(
  records: Records,
  examination: ExaminationRow,
  ready: ReadyForm,
  body: { changes: Parts; base: Parts },
  assisted: Readonly<Record<string, number>> = {},
): Promise<ExaminationRow> {
  const changes = cleaned(body.changes, ready)
  const errors: FieldError[] = Object.entries(changes).flatMap(([part, value]) => {
    const message = wrongPart(part, value, ready.fields)
    return message ? [{ field: part.slice(0, 60), message }] : []
  })
  if (errors.length) throw new ValidationError(errors.slice(0, 50))
  const disputed = Object.keys(changes).filter(
    (part) =>
      !isSamePart(partIn(examination, part), changes[part]) && !isSamePart(partIn(examination, part), body.base[part]),
  )
  if (disputed.length) throw disputeOf(disputed, ready)
  const next = withParts(examination, changes)
  if (JSON.stringify(next.values).length > MAX_CONTENTS)
    throw new ValidationError([{ field: 'values', message: 'В осмотре слишком много текста: вынесите часть в файл' }])
  return records.asSystem.update(Examination, examination.id, {
    ...storedOf(next, ready),
    ...markedParts(examination, next, assisted),
  })
}

/** Marks of a language model stay with a part until it is emptied. */
function markedParts(
  { assisted: before }: ExaminationRow,
  next: ExaminationContents,
  added: Readonly<Record<string, number>>,
): { assisted?: Record<string, number> | null } {
  const kept = Object.entries({ ...before, ...added }).filter(([part]) => isFilled(partIn(next, part)))
  const isSame = isSamePart(before ?? {}, Object.fromEntries(kept))
  return isSame ? {} : { assisted: kept.length ? Object.fromEntries(kept) : null }
}

/** Sanitises rich text by the product's list, from any source. */
function cleaned(changes: Parts, { fields }: ReadyForm): Parts {
  return Object.fromEntries(
    Object.entries(changes).map(([part, value]) => {
      const isRich = fields.get(keyOfPart(part) ?? '')?.type === 'rich'
      if (!isRich || typeof value !== 'string') return [part, value]
      const message = whyNotCleaned(value)
      if (message) throw new ValidationError([{ field: part, message }])
      return [part, sanitize(value)]
    }),
  )
}

/** Stored fields of the contents, with derived ones. */
export function storedOf(contents: ExaminationContents, ready: ReadyForm) {
  const { date, values } = contents
  const main = contents.diagnoses.find(({ kind }) => kind === 'main') ?? contents.diagnoses[0]
  return {
    date,
    values: { ...values },
    diagnoses: [...contents.diagnoses],
    prescriptions: [...contents.prescriptions],
    recommendations: [...contents.recommendations],
    code: main?.code ?? null,
    diagnosis: main ? `${main.code} ${main.name}` : null,
    filled: filledPercent(ready, values),
  }
}

/** The client reloads the record, and shows the other's value beside its own. */
function disputeOf(parts: readonly string[], { fields }: ReadyForm): HttpError {
  const names = parts.slice(0, 5).map((part) => `«${partLabel(part, fields)}»`)
  return new HttpError(409, `Это изменил другой сотрудник: ${names.join(', ')}. Выберите, что оставить`, {
    code: 'dispute',
  })
}
