import { readCallAnswer, readProtocolAnswer } from '@ordinator/model/areas/prompts/answer'
import { callSystemMessage, protocolSystemMessage } from '@ordinator/model/areas/prompts/ask'
import { sense } from '@ordinator/model/areas/prompts/lexicon'
import { maskPersonal } from '@ordinator/model/areas/prompts/mask'
import { Prompt, PromptRun } from '@ordinator/model/areas/prompts/prompt'
import { fillPrompt } from '@ordinator/model/areas/prompts/template'
import { speakers } from '@ordinator/model/areas/transcripts/transcript'
import sql from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import { simulatedChat } from './simulated.ts'

const CALL_TEXT = `Разбери разговор администратора клиники с пациентом. Вид звонка: {{вид}}.
Итоги, принятые в клинике: {{итоги}}.
Сейчас: {{сейчас}}

{{разговор}}`
const PROTOCOL_TEXT = `По словам, сказанным на приёме, заполни поля осмотра «{{шаблон}}».
Пациент: пол {{пол}}, полных лет {{возраст}}.

{{разговор}}`
const TALK =
  'Жалуется на боль в горле третий день, температура вечером до 37,8. Аллергии нет. Зев красный, дыхание везикулярное. Назначить обильное питьё, полоскание, осмотр через неделю.'
/** Number of calls with runs. */
const RUNS = 10

/** Prompts of the clinic, and a dozen runs with the simulator's answers. */
export async function demo(records: Records, _app: AppContext, tx: Queryable): Promise<void> {
  const [admin] = await tx.query<{ id: number }>(sql`select "id"::int as id from users order by "id" limit 1`)
  const create = (values: {
    name: string
    kind: 'call' | 'protocol'
    text: string
    isDefault?: boolean
    outputSchema?: { key: string; label: string; hint?: string }[]
  }) => records.asSystem.create(Prompt, { temperature: 0.2, idUser: (admin as { id: number }).id, ...values })
  const main = await create({ name: 'Разбор разговора', kind: 'call', text: CALL_TEXT, isDefault: true })
  await create({
    name: 'Разбор продажи',
    kind: 'call',
    text: `${CALL_TEXT}\n\nОсобое внимание — почему пациент не записался.`,
    outputSchema: [{ key: 'потеря', label: 'Почему не записался', hint: 'одной фразой' }],
  })
  const protocol = await create({
    name: 'Осмотр по словам врача',
    kind: 'protocol',
    text: PROTOCOL_TEXT,
    isDefault: true,
  })
  // Another version of it, for comparison.
  await records.asSystem.update(Prompt, main.id, {
    text: CALL_TEXT.replace('Разбери разговор', 'Коротко и по делу разбери разговор'),
  })
  const calls = await tx.query<{ id: number; idCustomer: number | null; idUser: number; at: string; talk: string }>(sql`
    select c."id"::int as id, c."idCustomer"::int as "idCustomer", c."idUser"::int as "idUser", c."dateEnd"::text as at,
      (select string_agg(case l."speaker" when 'operator' then ${speakers.operator}::text else ${speakers.customer}::text end || ': ' || l."text",
        E'\n' order by l."fromMs", l."id") from calls_transcript_lines l where l."idCall" = c."id") as talk
    from calls c join calls_transcripts t on t."idCall" = c."id" and t."status" = 'done'
    order by c."dateCreate" desc limit ${RUNS}`)
  const system = callSystemMessage([])
  for (const [at, { id, idCustomer, idUser, at: moment, talk }] of calls.entries()) {
    const done = new Date(moment)
    const { text: input, found } = maskPersonal(
      fillPrompt(CALL_TEXT, { разговор: talk, вид: 'Входящий', сейчас: done.toISOString() }),
      // The demo's talks have no names that the patterns miss.
      () => sense.common,
    )
    const callAnswer = simulatedChat({ system, user: input })
    const read = readCallAnswer(callAnswer.text, [], done.getTime())
    await records.asSystem.create(PromptRun, {
      ...ran(callAnswer, found.length),
      idPrompt: main.id,
      number: 1 + (at % 2),
      kind: 'call',
      subject: 'calls',
      idEntity: id,
      idCustomer,
      idUser,
      system,
      input,
      ms: 1_200 + at * 173,
      ...('answer' in read
        ? { status: 'done', output: { ...read.answer } }
        : { status: 'nonsense', error: read.nonsense }),
      ...(at % 3 === 0 ? { rating: 'good' } : at === 4 ? { rating: 'bad' } : {}),
    })
  }
  const asked = protocolSystemMessage([{ key: 'жалобы', label: 'Жалобы', type: 'text' }])
  const input = fillPrompt(PROTOCOL_TEXT, { разговор: TALK, шаблон: 'Осмотр терапевта', пол: 'Женский', возраст: '34' })
  const protocolAnswer = simulatedChat({ system: asked, user: input })
  const read = readProtocolAnswer(protocolAnswer.text, [{ key: 'жалобы', label: 'Жалобы', type: 'text' }])
  const sample = {
    idPrompt: protocol.id,
    number: 1,
    kind: 'protocol',
    subject: 'sample',
    idUser: (admin as { id: number }).id,
    input,
    system: asked,
  } as const
  await records.asSystem.create(PromptRun, {
    ...sample,
    ...ran(protocolAnswer, 0),
    ms: 2_140,
    status: 'done',
    output: { ...('answer' in read ? read.answer : { parts: {} }) },
    rating: 'good',
  })
  await records.asSystem.create(PromptRun, {
    ...sample,
    place: 'имитатор',
    status: 'silent',
    error: 'Не ответил вовремя',
    ms: 120_000,
  })
}

const ran = ({ tokensIn, tokensOut }: { tokensIn: number; tokensOut: number }, masked: number) => ({
  tokensIn,
  tokensOut,
  cost: Math.round((tokensIn * 0.6 + tokensOut * 1.2) * 10) / 10_000,
  masked,
  place: 'имитатор',
  temperature: 0.2,
})
