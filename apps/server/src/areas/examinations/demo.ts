import { Dictionary, DictionaryTerm, ICD10 } from '@ordinator/model/areas/examinations/dictionary'
import { type Diagnosis, Examination } from '@ordinator/model/areas/examinations/examination'
import { type FormField, type ReadyForm, readyForm } from '@ordinator/model/areas/examinations/form'
import { filledPercent, shownValues } from '@ordinator/model/areas/examinations/formValues'
import { ExaminationTemplate, ExaminationTemplateVersion } from '@ordinator/model/areas/examinations/template'
import { Speciality } from '@ordinator/model/areas/staff/user'
import type { Create, Row } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import { seeded } from '#platform/seeded.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import { type DemoTemplate, demoAllergens, demoTemplates } from './demoTemplates.ts'
import { digestOf } from './signing.ts'

/** Examinations of the last two months. */
const COUNT = 400

interface Made extends Pick<DemoTemplate, 'post' | 'codes' | 'prescriptions' | 'recommendations' | 'name'> {
  id: number
  idVersion: number
  ready: ReadyForm
}

interface Visit {
  id: number
  idCustomer: number
  idUser: number
  day: string
  at: string
  post: string
}
type Body = Create<typeof Examination> & Partial<Row<typeof Examination>>

/** The clinic's own dictionary used by the standard forms, unless it exists. */
export async function ready(records: Records, tx: Tx): Promise<void> {
  if (await tx.one(sql`select 1 from dictionaries where "code" = 'allergens' and not "deleted"`)) return
  const system = records.asSystem
  const { id: idDictionary } = await system.create(Dictionary, {
    name: 'Аллергены',
    code: 'allergens',
    source: 'Список клиники',
  })
  await system.createMany(
    DictionaryTerm,
    demoAllergens.map(([code, name]) => ({ idDictionary, code, name, dateFrom: '2020-01-01' })),
    { pastHooks: 'Their codes are the clinic’s own' },
  )
}

/** The forms of eight specialities, a dictionary of the clinic's own, and examinations of past visits. */
export async function demo(records: Records, _app: AppContext, tx: Tx): Promise<void> {
  const system = records.asSystem
  await ready(records, tx)
  const author = await tx.one<{ id: number }>(sql`select "id"::int as "id" from users where "login" = 'doctor'`)
  const made: Made[] = []
  for (const { name, speciality, form, ...rest } of demoTemplates) {
    const there = (await records.rows(Speciality, { 'filter[name][ilike]': speciality, limit: 1 }))[0]
    const idSpeciality = (there ?? (await system.create(Speciality, { name: speciality }))).id
    const { id } = await system.create(ExaminationTemplate, {
      name,
      idSpeciality,
      isShared: true,
      forPatient: true,
      form,
      idUser: author?.id as number,
    })
    const [version] = await records.rows(ExaminationTemplateVersion, { 'filter[idTemplate]': id, limit: 1 })
    made.push({ ...rest, id, name, ready: readyForm(form), idVersion: version?.id as number })
  }
  const visits = await tx.query<Visit>(sql`select a."id"::int as "id", a."idCustomer"::int as "idCustomer",
      a."idUser"::int as "idUser", a."localDate"::text as day, a."dateFrom"::text as at, coalesce(u."post", '') as post
    from appointments a join users u on u."id" = a."idUser"
    where a."visitStatus" in ('completed', 'inProgress') order by hashint8(a."id"), a."id" limit ${COUNT}`)
  const random = seeded(20_261_124)
  const named = await tx.query<{ code: string; name: string }>(sql`
    select t."code", t."name" from dictionaries_terms t join dictionaries d on d."id" = t."idDictionary"
    where d."code" = ${ICD10} and t."code" = any(${made.flatMap(({ codes }) => codes)}::text[]) and t."dateTo" is null`)
  const names = new Map(named.map(({ code, name }) => [code, name]))
  const bodies = visits.map(({ id, idCustomer, idUser, day, at, post }, number): Body => {
    const template =
      made.find((one) => post.toLocaleLowerCase('ru').includes(one.post)) ??
      (made[number % made.length] as (typeof made)[number])
    const { ready } = template
    const likelyValues = Object.fromEntries(
      [...ready.fields.values()].flatMap((field) => {
        const value = likely(field, random)
        return value === undefined ? [] : [[field.key, value]]
      }),
    )
    const values = shownValues(ready, likelyValues)
    const code = pick(template.codes, random)
    const diagnoses: Diagnosis[] = [
      { code, name: names.get(code) ?? code, kind: 'main', type: random() < 0.6 ? 'preliminary' : 'final' },
    ]
    const status = number % 25 === 3 ? 'draft' : number % 12 === 5 ? 'done' : 'signed'
    const end = new Date(new Date(at).getTime() + 25 * 60_000).toISOString()
    const body = {
      idCustomer,
      idTemplate: template.id,
      idVersion: template.idVersion,
      idAppointment: id,
      name: template.name,
      idUser,
      idEditor: idUser,
      date: day,
      status,
      values,
      diagnoses,
      prescriptions: template.prescriptions.map(([name, how, term]) => ({ name, how, term })),
      recommendations: template.recommendations.filter(() => random() < 0.7),
      code,
      diagnosis: `${code} ${names.get(code) ?? ''}`,
      filled: filledPercent(ready, values),
      number: 1,
      dateCreate: new Date(at).toISOString(),
      dateChange: end,
      ...(status !== 'draft' && { dateDone: end }),
    } as const satisfies Body
    return status === 'signed'
      ? { ...body, dateSigned: end, idSigner: idUser, digest: digestOf(body as unknown as Row<typeof Examination>) }
      : body
  })
  await system.createMany(Examination, bodies, { pastHooks: 'Each brings all that the hook would give it' })
}

const pick = <T>(all: readonly T[], random: () => number): T => all[Math.floor(random() * all.length)] as T

/** A plausible value; rarely used fields stay empty. */
function likely(field: FormField, random: () => number): unknown {
  const { type, label, options = [], phrases = [], min = 0, max = 10, digits = 0 } = field
  switch (type) {
    case 'text':
      return phrases.length ? pick(phrases, random) : undefined
    case 'rich':
      return `<p>${phrases.length ? pick(phrases, random) : 'Состояние стабильное, динамика положительная.'}</p>`
    case 'number': {
      if (label === 'Беременностей') return Math.floor(random() * 4)
      if (label === 'Рост') return 155 + Math.floor(random() * 35)
      if (label === 'Масса тела') return 55 + Math.floor(random() * 45)
      const spread = (max - min) * 1.15
      return Number(Math.max(0, min + (random() - 0.05) * spread).toFixed(digits))
    }
    case 'choice':
      return random() < 0.7 ? options[0] : pick(options, random)
    case 'multi':
      return options
        .slice(1)
        .filter(() => random() < 0.3)
        .slice(0, 3)
    case 'scale':
      return min + Math.floor(random() * (max - min + 1) * 0.6)
    case 'teeth':
      return { '16': 'filling', '26': 'caries', '36': 'crown', '46': 'pulpitis', '18': 'missing' }
    case 'picture':
      return random() < 0.5 ? [{ x: 50, y: 30 + Math.floor(random() * 20), text: 'Болезненность' }] : []
    case 'table':
      return label === 'Рефракция'
        ? [
            ['OD', '-1,25', '-0,50', '180'],
            ['OS', '-1,50', '', ''],
          ]
        : [['26', 'Лечение кариеса', 'в течение месяца']]
    default:
      return undefined
  }
}
