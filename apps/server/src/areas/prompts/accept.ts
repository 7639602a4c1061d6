/** Acceptance of a model's answer: fields of an examination, the check list of a call, its next step. */
import { CallCheck } from '@ordinator/model/areas/calls/call'
import { type Diagnosis, type Examination, mayWrite } from '@ordinator/model/areas/examinations/examination'
import { callAnswerOf } from '@ordinator/model/areas/prompts/answer'
import { promptCalls } from '@ordinator/model/areas/prompts/calls'
import { PromptRun, runStatuses } from '@ordinator/model/areas/prompts/prompt'
import type { Row } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import { endCall } from '#areas/calls/index.ts'
import { assertDraft, heldExamination, writeParts } from '#areas/examinations/index.ts'
import type { Tx } from '#platform/db.ts'
import { forbidden, HttpError, ValidationError } from '#platform/errors.ts'
import type { ServerActor } from '#records/actor.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { listened } from './talk.ts'

type Run = Row<typeof PromptRun>

/** A finished run, locked; accepting requires access to its record. @throws HttpError 409 if it is not finished */
async function finished(
  records: Records,
  tx: Tx,
  id: number,
  subject: Run['subject'],
): Promise<Run & { idEntity: number }> {
  await tx.query(sql`select 1 from prompts_runs where "id" = ${id} for update`)
  const run = await records.asSystem.row(PromptRun, id)
  if (run.subject !== subject || run.idEntity === null)
    throw new HttpError(409, 'Этот ответ о другом', { code: 'subject' })
  if (run.status !== 'done')
    throw new HttpError(409, `Принять нечего: ${runStatuses[run.status].toLowerCase()}`, { code: 'status' })
  return { ...run, idEntity: run.idEntity }
}

const noted = (records: Records, run: Run, actor: ServerActor, parts: readonly string[]): Promise<Run> =>
  records.asSystem.update(PromptRun, run.id, {
    accepted: [...new Set([...(run.accepted ?? []), ...parts])],
    acceptedBy: actor.id,
    dateAccepted: new Date().toISOString(),
  })

const acceptParts = operation(promptCalls.acceptParts, ({ records, actor, params, body }) =>
  records.tx(async (inner, tx) => {
    const run = await finished(inner, tx, params.id, 'examinations')
    const { examination, ready } = await heldExamination(inner, tx, run.idEntity)
    assertDraft(examination)
    if (!mayWrite(actor, examination)) throw forbidden('Этот черновик ведёт другой врач')
    const drafted = ((run.output ?? {}) as { parts?: Record<string, unknown> }).parts ?? {}
    const changes: Record<string, unknown> = {}
    for (const part of new Set(body.parts)) {
      if (!Object.hasOwn(drafted, part))
        throw new ValidationError([{ field: part, message: 'Этого поля в ответе нет' }])
      changes[part] = joined(examination, part, drafted[part])
    }
    await noted(inner, run, actor, Object.keys(changes))
    const assisted = Object.fromEntries(Object.keys(changes).map((part) => [part, run.id]))
    return writeParts(inner, examination, ready, { changes, base: body.base }, assisted)
  }),
)

/** Merges diagnoses and recommendations with existing ones; other parts are replaced. */
function joined(examination: Row<typeof Examination>, part: string, drafted: unknown): unknown {
  if (part === 'recommendations') return [...new Set([...examination.recommendations, ...(drafted as string[])])]
  if (part !== 'diagnoses') return drafted
  const codes = new Set(examination.diagnoses.map(({ code }) => code))
  const hasMain = examination.diagnoses.some(({ kind }) => kind === 'main')
  const added = (drafted as Diagnosis[])
    .filter(({ code }) => !codes.has(code))
    .map((one) => (hasMain ? { ...one, kind: 'accompanying' as const } : one))
  return [...examination.diagnoses, ...added]
}

const acceptChecks = operation(promptCalls.acceptChecks, ({ records, actor, params }) =>
  records.tx(async (inner, tx) => {
    const run = await finished(inner, tx, params.id, 'calls')
    await listened(inner, actor, run.idEntity)
    const { checks } = callAnswerOf(run)
    const [before] = await inner.rows(CallCheck, { 'filter[idCall]': run.idEntity, limit: 1 })
    const { id } = before
      ? await inner.update(CallCheck, before.id, checks)
      : await inner.create(CallCheck, { idCall: run.idEntity, ...checks })
    await noted(inner, run, actor, ['checks'])
    return { score: (await inner.row(CallCheck, id)).score }
  }),
)

const acceptStep = operation(promptCalls.acceptStep, ({ records, actor, params, body }) =>
  records.tx(async (inner, tx) => {
    const run = await finished(inner, tx, params.id, 'calls')
    await listened(inner, actor, run.idEntity)
    await endCall(inner, tx, actor, run.idEntity, { nextStep: body.text, dateNextStep: body.date })
    await noted(inner, run, actor, ['nextStep'])
  }),
)

export const acceptOperations = [acceptParts, acceptChecks, acceptStep]
