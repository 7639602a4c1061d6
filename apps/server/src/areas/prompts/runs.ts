/** Runs: requested by a call, answered by a job, cancelled by the user. A run changes only itself. */
import { readCallAnswer, readProtocolAnswer } from '@ordinator/model/areas/prompts/answer'
import { promptCalls } from '@ordinator/model/areas/prompts/calls'
import { strangeMarks, unmask } from '@ordinator/model/areas/prompts/mask'
import { isUnderWay, Prompt, PromptRun, PromptVersion, type RunStatus } from '@ordinator/model/areas/prompts/prompt'
import type { Row } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import { readCommonSettings } from '#areas/settings/index.ts'
import { HttpError, notFound } from '#platform/errors.ts'
import { systemActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import { operation } from '#records/operation.ts'
import type { Records } from '#records/records.ts'
import { askModel, modelOf } from './llm.ts'
import { aboutCall, aboutExamination, aboutSample, type Prepared, prepare, promptOf, type Wording } from './talk.ts'

type Run = Row<typeof PromptRun>
const JOB = 'prompts.run'

export function startRuns(app: AppContext): void {
  // A model is slow; a run interrupted by a server stop is sent again.
  app.jobs.register<{ id: number }>(JOB, {
    handler: ({ id }) => answer(app, id),
    concurrency: 2,
    retries: 2,
    timeout: 300,
  })
}

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
    await app.jobs.send(JOB, { id: run.id }, { tx, key: String(run.id) })
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
    return shown(await end(inner, run.id, { status: 'cancelled' }))
  }),
)

const end = (records: Records, id: number, set: Partial<Run> & { status: RunStatus }): Promise<Run> =>
  records.asSystem.update(PromptRun, id, { marks: null, ...set, dateDone: new Date().toISOString() })

/** The job of a run: sends the request, parses the answer, and stores the outcome, unless cancelled meanwhile. */
async function answer(app: AppContext, id: number): Promise<void> {
  const all = app.engine.for(systemActor)
  const begun = await app.db.one<Run>(
    sql`select * from prompts_runs where "id" = ${id} and "status" in ('queued', 'running')`,
  )
  if (!begun) return
  if (begun.status === 'queued') await all.asSystem.update(PromptRun, id, { status: 'running' })
  const place = await modelOf(app)
  const start = performance.now()
  const said = place
    ? await askModel(place, {
        system: begun.system ?? '',
        user: begun.input,
        model: begun.model ?? '',
        temperature: Number(begun.temperature ?? 0.2),
      })
    : ({ is: 'refused', reason: NOT_CONNECTED } as const)
  const ms = Math.round(performance.now() - start)
  const { llmPriceIn, llmPriceOut } = await readCommonSettings(app.db)
  await app.exchanged({
    adapter: 'llm',
    operation: 'Вопрос нейросети',
    key: `run-${id}`,
    about: { path: PromptRun.path, id },
    durationMs: ms,
    ...(said.is === 'said'
      ? { status: 'done' }
      : { status: said.is === 'silent' ? 'network_error' : 'rejected', error: said.reason }),
  })
  await all.tx(async (inner, tx) => {
    const held = await tx.one<Run>(sql`select * from prompts_runs where "id" = ${id} for update`)
    if (!held || !isUnderWay(held.status)) return
    if (said.is !== 'said') return void (await end(inner, id, { status: said.is, error: said.reason, ms }))
    const { tokensIn, tokensOut } = said
    const cost =
      tokensIn === null || tokensOut === null
        ? null
        : Math.round((tokensIn * llmPriceIn + tokensOut * llmPriceOut) * 10) / 10_000
    const counted = { tokensIn, tokensOut, cost, ms }
    const read =
      held.kind === 'call'
        ? readCallAnswer(said.text, held.ask?.more ?? [], Date.now())
        : readProtocolAnswer(said.text, held.ask?.fields ?? [])
    if ('nonsense' in read) return void (await end(inner, id, { status: 'nonsense', error: read.nonsense, ...counted }))
    const strange = strangeMarks(JSON.stringify(read.answer), held.marks ?? [])
    await end(inner, id, {
      status: 'done',
      output: restored(read.answer, held.marks ?? []),
      error:
        strange.length > 0 ? `В ответе есть метки, которых не было в вопросе: ${strange.slice(0, 5).join(', ')}` : null,
      ...counted,
    })
  })
}

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
