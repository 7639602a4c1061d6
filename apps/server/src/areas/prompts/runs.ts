/** Runs: requested by a call, answered by a job, cancelled by the user. A run changes only itself. */
import { readCallAnswer, readProtocolAnswer } from '@ordinator/model/areas/prompts/answer'
import { promptCalls } from '@ordinator/model/areas/prompts/calls'
import { strangeMarks, unmask } from '@ordinator/model/areas/prompts/mask'
import { isUnderWay, Prompt, PromptRun, PromptVersion, type RunStatus } from '@ordinator/model/areas/prompts/prompt'
import type { Row } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import { readCommonSettings } from '#areas/settings/index.ts'
import { HttpError, notFound } from '#platform/errors.ts'
import type { AppContext } from '#records/context.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { backgroundRun } from '#records/run.ts'
import { askModel, modelOf } from './llm.ts'
import { aboutCall, aboutExamination, aboutSample, type Prepared, prepare, promptOf, type Wording } from './talk.ts'

type Run = Row<typeof PromptRun>
const NOT_CONNECTED = 'Нейросеть не подключена: Настройки → Подключения'

async function leaving(app: AppContext, { model }: Wording, { original, masked }: Prepared) {
  const place = await modelOf(app)
  return {
    original,
    text: masked.text,
    found: masked.found,
    place: place?.name ?? NOT_CONNECTED,
    isReady: place !== undefined,
    model: model || place?.model || '',
  }
}

/** Queues a request. @throws HttpError 409 if nothing is connected, or the same request is in progress */
async function queue(
  app: AppContext,
  records: Records,
  prompt: { id: number; version: number },
  { model, temperature }: Wording,
  prepared: Prepared,
): Promise<Run> {
  const place = await modelOf(app)
  if (!place) throw new HttpError(409, NOT_CONNECTED, { code: 'off' })
  const { kind, subject, idEntity, idCustomer, system, masked, ask } = prepared
  return records.tx(async (inner, tx) => {
    if (idEntity !== null) {
      await tx.query(sql`select pg_advisory_xact_lock(hashtext('prompts_runs'), hashtext(${`${subject} ${idEntity}`}))`)
      const going = await tx.one<{ id: number }>(sql`select "id"::int as id from prompts_runs
        where "subject" = ${subject} and "idEntity" = ${idEntity} and "status" in ('queued', 'running') limit 1`)
      if (going)
        throw new HttpError(409, 'Нейросеть уже отвечает об этом: дождитесь ответа или отмените его', { code: 'going' })
    }
    const run = await inner.asSystem.create(PromptRun, {
      idPrompt: prompt.id,
      number: prompt.version,
      kind,
      subject,
      idEntity,
      idCustomer,
      system,
      ask,
      input: masked.text,
      marks: masked.found.map(({ mark, value }) => ({ mark, value })),
      masked: new Set(masked.found.map(({ mark }) => mark)).size,
      model: model || place.model || null,
      place: place.name,
      idUser: inner.actor.id,
      temperature: temperature ?? 0.2,
    })
    await promptAnswers.queue(app, tx, run.id)
    return run
  })
}

const wordingOf = (prompt: Row<typeof Prompt>): Wording => prompt

const previewCall = operation(promptCalls.previewCall, async ({ app, records, actor, params, body }) => {
  const prompt = await promptOf(records, body.idPrompt, 'call')
  return leaving(
    app,
    wordingOf(prompt),
    await prepare(app, actor, prompt, await aboutCall(records, app.db, actor, params.id)),
  )
})

const runCall = operation(promptCalls.runCall, async ({ app, records, actor, params, body }) => {
  const prompt = await promptOf(records, body.idPrompt, 'call')
  return shown(
    await queue(
      app,
      records,
      prompt,
      prompt,
      await prepare(app, actor, prompt, await aboutCall(records, app.db, actor, params.id)),
    ),
  )
})

const previewExamination = operation(promptCalls.previewExamination, async ({ app, records, actor, params, body }) => {
  const prompt = await promptOf(records, body.idPrompt, 'protocol')
  return leaving(
    app,
    prompt,
    await prepare(app, actor, prompt, await aboutExamination(records, app.db, actor, params.id, body.talk)),
  )
})

const runExamination = operation(promptCalls.runExamination, async ({ app, records, actor, params, body }) => {
  const prompt = await promptOf(records, body.idPrompt, 'protocol')
  const about = await aboutExamination(records, app.db, actor, params.id, body.talk)
  return shown(await queue(app, records, prompt, prompt, await prepare(app, actor, prompt, about)))
})

interface Tried {
  version?: number | undefined
  text?: string | undefined
  model?: string | null | undefined
  temperature?: number | undefined
  outputSchema?: Wording['outputSchema'] | undefined
}

/** The tried text: as given, or of a saved version. */
async function tried(
  records: Records,
  prompt: Row<typeof Prompt>,
  body: Tried,
): Promise<{ number: number; words: Wording }> {
  if (body.text !== undefined) {
    const { text, model = prompt.model, temperature = prompt.temperature, outputSchema = prompt.outputSchema } = body
    const wrong = Prompt.fields.text.check(text)
    if (!wrong.ok) throw new HttpError(422, wrong.message, { body: [{ field: 'text', message: wrong.message }] })
    return { number: 0, words: { text, model, temperature, outputSchema } }
  }
  if (body.version === undefined || body.version === prompt.version) return { number: prompt.version, words: prompt }
  const [version] = await records.rows(PromptVersion, {
    'filter[idPrompt]': prompt.id,
    'filter[number]': body.version,
    limit: 1,
  })
  if (!version) throw notFound('Такой версии у подсказки нет')
  return { number: version.number, words: version }
}

const preview = operation(promptCalls.preview, async ({ app, records, actor, params, body }) => {
  const prompt = await records.row(Prompt, params.id)
  const { words } = await tried(records, prompt, body)
  return leaving(app, words, await prepare(app, actor, words, await aboutSample(app.db, actor, prompt, body.sample)))
})

const test = operation(promptCalls.test, async ({ app, records, actor, params, body }) => {
  const prompt = await records.row(Prompt, params.id)
  const { number, words } = await tried(records, prompt, body)
  const prepared = await prepare(app, actor, words, await aboutSample(app.db, actor, prompt, body.sample))
  return shown(await queue(app, records, { id: prompt.id, version: number }, words, prepared))
})

/** Removes internal fields from a run that was read with system rights. */
export const shown = ({ marks: _marks, ask: _ask, ...run }: Run): Run => ({ ...run, marks: null, ask: null })

const cancel = operation(promptCalls.cancel, ({ records, params }) =>
  records.tx(async (inner, tx) => {
    await tx.query(sql`select 1 from prompts_runs where "id" = ${params.id} for update`)
    const run = await inner.row(PromptRun, params.id)
    if (!isUnderWay(run.status)) return run
    return shown(await promptAnswers.cancel(inner, tx, run.id, ended({ status: 'cancelled' }), 'Ответ уже получен'))
  }),
)

const ended = (set: Partial<Run> & { status: RunStatus }) => ({
  marks: null,
  ...set,
  dateDone: new Date().toISOString(),
})

/** Sends the request, parses the answer and stores the outcome. A model is slow; an interrupted request is sent again. */
export const promptAnswers = backgroundRun<typeof PromptRun>(PromptRun, {
  job: 'prompts.run',
  state: 'status',
  going: ['queued', 'running'],
  seconds: 300,
  concurrency: 2,
  after: 'again',
  begun: { status: 'running' },
  failed: (error) => ended({ status: 'silent', error }),
  broken: 'Ответ не удалось разобрать: попробуйте ещё раз',
  async work(app, run) {
    const { row } = run
    const place = await modelOf(app)
    const start = performance.now()
    const answer = place
      ? await askModel(place, {
          system: row.system ?? '',
          user: row.input,
          model: row.model ?? '',
          temperature: Number(row.temperature ?? 0.2),
        })
      : ({ is: 'refused', reason: NOT_CONNECTED } as const)
    const ms = Math.round(performance.now() - start)
    const { llmPriceIn, llmPriceOut } = await readCommonSettings(app.db)
    await app.exchanged({
      adapter: 'llm',
      operation: 'Вопрос нейросети',
      key: `run-${row.id}`,
      about: { path: PromptRun.path, id: row.id },
      durationMs: ms,
      ...(answer.is === 'answered'
        ? { status: 'done' }
        : { status: answer.is === 'silent' ? 'network_error' : 'rejected', error: answer.reason }),
    })
    if (answer.is !== 'answered') return run.finish(ended({ status: answer.is, error: answer.reason, ms }))
    const { tokensIn, tokensOut } = answer
    const cost =
      tokensIn === null || tokensOut === null
        ? null
        : Math.round((tokensIn * llmPriceIn + tokensOut * llmPriceOut) * 10) / 10_000
    const counted = { tokensIn, tokensOut, cost, ms }
    const read =
      row.kind === 'call'
        ? readCallAnswer(answer.text, row.ask?.more ?? [], Date.now())
        : readProtocolAnswer(answer.text, row.ask?.fields ?? [])
    if ('nonsense' in read) return run.finish(ended({ status: 'nonsense', error: read.nonsense, ...counted }))
    const strange = strangeMarks(JSON.stringify(read.answer), row.marks ?? [])
    await run.finish(
      ended({
        status: 'done',
        output: restored(read.answer, row.marks ?? []),
        error:
          strange.length > 0
            ? `В ответе есть метки, которых не было в вопросе: ${strange.slice(0, 5).join(', ')}`
            : null,
        ...counted,
      }),
    )
  },
})

/** Replaces the masks in the answer by the original values. */
function restored<T extends object>(
  answer: T,
  marks: readonly { mark: string; value: string }[],
): Record<string, unknown> {
  const walk = (value: unknown): unknown =>
    typeof value === 'string'
      ? unmask(value, marks)
      : Array.isArray(value)
        ? value.map(walk)
        : value && typeof value === 'object'
          ? Object.fromEntries(Object.entries(value).map(([key, one]) => [key, walk(one)]))
          : value
  return walk(answer) as Record<string, unknown>
}

export const runOperations = [previewCall, runCall, previewExamination, runExamination, preview, test, cancel]
