/** Builds the request about a record: its text, and the same text without personal data. */
import { holds } from '@ordinator/model/access'
import { Call, callTypes } from '@ordinator/model/areas/calls/call'
import type { Customer } from '@ordinator/model/areas/customers/customer'
import { Examination, mayWrite } from '@ordinator/model/areas/examinations/examination'
import { type ExaminationForm, type FormField, readyForm } from '@ordinator/model/areas/examinations/form'
import { filledFields } from '@ordinator/model/areas/prompts/answer'
import { callSystemMessage, fieldWords, protocolSystemMessage } from '@ordinator/model/areas/prompts/ask'
import { type Known, type MaskResult, maskPersonal } from '@ordinator/model/areas/prompts/mask'
import { MAX_INPUT, Prompt, type PromptKind, type RunAsk, type RunSubject } from '@ordinator/model/areas/prompts/prompt'
import { fillPrompt, type OutputField, type PromptValues } from '@ordinator/model/areas/prompts/template'
import { sexes, User } from '@ordinator/model/areas/staff/user'
import { speakers } from '@ordinator/model/areas/transcripts/transcript'
import type { Row } from '@ordinator/model/entity'
import { formatDuration } from '@ordinator/model/format'
import { dayIn } from '@ordinator/model/zone'
import sql from 'sql-template-tag'
import type { Queryable } from '#platform/db.ts'
import { forbidden, HttpError, ValidationError } from '#platform/errors.ts'
import type { ServerActor } from '#records/actor.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import { lexiconFor } from './lexicon.ts'

/** The text of a version, or an unsaved one. */
export interface Wording {
  text: string
  outputSchema: OutputField[] | null
  model: string | null
  temperature: number | null
}

/** A request ready to be sent. */
export interface Prepared {
  kind: PromptKind
  subject: RunSubject
  idEntity: number | null
  idCustomer: number | null
  system: string
  original: string
  masked: MaskResult
  ask: RunAsk
}

interface About {
  kind: PromptKind
  subject: RunSubject
  idEntity: number | null
  idCustomer: number | null
  values: PromptValues
  known: Known[]
  fields: FormField[]
}

/** @throws ValidationError if it exceeds the size limit */
export async function prepare(
  app: AppContext,
  actor: ServerActor,
  { text, outputSchema }: Wording,
  about: About,
): Promise<Prepared> {
  const { kind, subject, idEntity, idCustomer } = about
  const schema = outputSchema ?? []
  const fields = kind === 'protocol' ? filledFields(about.fields, schema) : []
  const original = fillPrompt(text, { ...about.values, поля: fields.map(fieldWords).join('\n') })
  if (original.length > MAX_INPUT)
    throw new ValidationError([
      { field: 'talk', message: `Слишком длинный разговор: не больше ${MAX_INPUT} знаков вместе с подсказкой` },
    ])
  if (kind === 'protocol' && fields.length === 0)
    throw new HttpError(409, 'В форме осмотра нет полей, которые заполняет эта подсказка', { code: 'fields' })
  return {
    kind,
    subject,
    idEntity,
    idCustomer,
    original,
    system: kind === 'call' ? callSystemMessage(schema) : protocolSystemMessage(fields),
    masked: maskPersonal(original, await lexiconFor(app, original, actor.id), about.known),
    ask: kind === 'call' ? { more: schema } : { fields },
  }
}

/** A prompt that the user may use. @throws HttpError if it is of another kind or disabled */
export async function promptOf(records: Records, id: number, kind: PromptKind): Promise<Row<typeof Prompt>> {
  const prompt = await records.row(Prompt, id)
  if (prompt.kind !== kind) throw new ValidationError([{ field: 'idPrompt', message: 'Эта подсказка для другого' }])
  if (!prompt.active) throw new HttpError(409, 'Подсказка выключена', { code: 'off' })
  return prompt
}

/** A call that the user may listen to, with its transcript. */
export async function aboutCall(records: Records, db: Queryable, actor: ServerActor, id: number): Promise<About> {
  const call = await listened(records, actor, id)
  const lines = await db.query<{ speaker: keyof typeof speakers; text: string }>(sql`
    select l."speaker", l."text" from calls_transcript_lines l join calls_transcripts t on t."id" = l."idTranscript"
    where t."idCall" = ${id} and t."status" = 'done' and not l."deleted" order by l."fromMs", l."id" limit 5000`)
  if (lines.length === 0)
    throw new HttpError(409, 'Сначала расшифруйте запись звонка: спрашивать пока не о чем', { code: 'transcript' })
  return {
    kind: 'call',
    subject: 'calls',
    idEntity: id,
    idCustomer: call.idCustomer,
    fields: [],
    values: {
      разговор: lines.map(({ speaker, text }) => `${speakers[speaker]}: ${text}`).join('\n'),
      вид: callTypes[call.callType],
      длительность: formatDuration(call.duration),
      итоги: await outcomesOf(db),
      сейчас: nowIn(actor.timeZone),
    },
    known: [
      ...(call.contactPhone ? [{ kind: 'phone', value: call.contactPhone } as const] : []),
      ...(await knownOfCustomer(db, call.idCustomer)),
      ...(await knownOfStaff(records, call.idUser)),
    ],
  }
}

/** The clinic's list of outcomes. */
async function outcomesOf(db: Queryable): Promise<string> {
  const outcomes = await db.query<{ name: string }>(
    sql`select "name" from appeals_outcomes where not "deleted" order by "order" limit 50`,
  )
  return outcomes.map(({ name }) => name).join('; ')
}

/** A call whose recording the user may listen to. */
export async function listened(records: Records, actor: ServerActor, id: number): Promise<Row<typeof Call>> {
  const call = await records.row(Call, id)
  if (!holds(actor, 'listenCalls') && call.idUser !== actor.id)
    throw forbidden('Спрашивать нейросеть можно только о своих разговорах')
  return call
}

/** An own draft of the user, with its conversation. */
export async function aboutExamination(
  records: Records,
  db: Queryable,
  actor: ServerActor,
  id: number,
  talk: string,
): Promise<About> {
  const examination = await records.row(Examination, id)
  if (!mayWrite(actor, examination)) throw forbidden('Подсказку просит тот, кто ведёт этот черновик')
  const customer = await db.one<{ birthday: string | null; gender: keyof typeof sexes }>(
    sql`select "birthday"::text as birthday, "gender" from customers where "id" = ${examination.idCustomer}`,
  )
  const version = await db.one<{ form: ExaminationForm }>(
    sql`select "form" from examination_templates_versions where "id" = ${examination.idVersion}`,
  )
  return {
    kind: 'protocol',
    subject: 'examinations',
    idEntity: id,
    idCustomer: examination.idCustomer,
    fields: [...readyForm(version?.form ?? { sections: [] }).fields.values()],
    values: {
      разговор: talk,
      шаблон: examination.name,
      возраст: yearsOf(customer?.birthday ?? null, dayIn(actor.timeZone, Date.now())),
      пол: customer && customer.gender !== 'none' ? sexes[customer.gender] : '',
      сейчас: nowIn(actor.timeZone),
    },
    known: [
      ...(await knownOfCustomer(db, examination.idCustomer)),
      ...(await knownOfStaff(records, examination.idUser)),
    ],
  }
}

/** A sample without a patient, masked by patterns only. */
export async function aboutSample(
  db: Queryable,
  actor: ServerActor,
  prompt: Pick<Row<typeof Prompt>, 'kind' | 'examinationTemplates'>,
  talk: string,
): Promise<About> {
  const [idTemplate] = prompt.examinationTemplates
  const template = idTemplate
    ? await db.one<{ form: ExaminationForm }>(sql`select "form" from examination_templates where "id" = ${idTemplate}`)
    : undefined
  return {
    kind: prompt.kind,
    subject: 'sample',
    idEntity: null,
    idCustomer: null,
    fields: template ? [...readyForm(template.form).fields.values()] : usualFields,
    values: {
      разговор: talk,
      шаблон: 'Осмотр',
      вид: callTypes[1],
      итоги: await outcomesOf(db),
      сейчас: nowIn(actor.timeZone),
    },
    known: [],
  }
}

/** Fields common to all protocols (screens.md §4), if the prompt names no template. */
const usualFields: FormField[] = [
  { key: 'жалобы', label: 'Жалобы', type: 'text' },
  { key: 'анамнез', label: 'Анамнез', type: 'text' },
  { key: 'статус', label: 'Объективный статус', type: 'text' },
]

/** With the offset, so that the model uses the same time zone. */
function nowIn(timeZone: string): string {
  const now = new Date()
  const wall = new Date(`${now.toLocaleString('sv-SE', { timeZone }).replace(' ', 'T')}Z`)
  const minutes = Math.round((wall.getTime() - now.getTime()) / 60_000)
  const two = (value: number) => String(Math.abs(Math.trunc(value))).padStart(2, '0')
  return `${wall.toISOString().slice(0, 19)}${minutes < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`
}

function yearsOf(birthday: string | null, today: string): string {
  if (!birthday) return ''
  const years = Number(today.slice(0, 4)) - Number(birthday.slice(0, 4)) - (today.slice(5) < birthday.slice(5) ? 1 : 0)
  return String(Math.max(0, years))
}

const names = ['surname', 'name', 'middleName'] as const
const phones = ['phone', 'phoneExtended', 'phoneMother', 'phoneFather', 'phoneWork'] as const
const addresses = ['address', 'factAddressAsString', 'nameStreet', 'nameStreetFact'] as const

/** Personal data of a patient and the representatives, for masking. Sealed cards too. */
async function knownOfCustomer(db: Queryable, id: number | null): Promise<Known[]> {
  if (id === null) return []
  const card = await db.one<Row<typeof Customer>>(
    sql`select *, "birthday"::text as birthday from customers where "id" = ${id}`,
  )
  if (!card) return []
  const policies = await db.query<{ number: string }>(
    sql`select "number" from customers_policies where "idCustomer" = ${id} and not "deleted"`,
  )
  const relatives = await db.query<{ fio: string | null; phone: string | null }>(sql`
    select coalesce(r."fio", concat_ws(' ', c."surname", c."name", c."middleName")) as fio, coalesce(r."phone", c."phone") as phone
    from customers_relations r left join customers c on c."id" = r."idRelative" where r."idCustomer" = ${id} and not r."deleted"`)
  const known: { kind: Known['kind']; value: string | null }[] = [
    ...names.map((field) => ({ kind: 'name', value: card[field] }) as const),
    ...phones.map((field) => ({ kind: 'phone', value: card[field] }) as const),
    ...addresses.map((field) => ({ kind: 'address', value: card[field] }) as const),
    { kind: 'email', value: card.email },
    { kind: 'snils', value: card.snils },
    { kind: 'number', value: card.inn },
    { kind: 'passport', value: card.numberPassport },
    { kind: 'birthday', value: card.birthday },
    ...policies.map(({ number }) => ({ kind: 'policy', value: number }) as const),
    ...relatives.flatMap(({ fio, phone }) => [
      { kind: 'name', value: fio } as const,
      { kind: 'phone', value: phone } as const,
    ]),
  ]
  return known.filter((one): one is Known => one.value !== null && one.value !== '')
}

async function knownOfStaff(records: Records, id: number | null): Promise<Known[]> {
  if (id === null) return []
  const user = await records.asSystem.row(User, id)
  return names.flatMap((field): Known[] => (user[field] ? [{ kind: 'name', value: user[field] }] : []))
}
