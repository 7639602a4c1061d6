import { setImmediate } from 'node:timers/promises'
import { can } from '@ordinator/model/access'
import {
  Customer,
  CustomerPolicy,
  CustomerSource,
  CustomerTag,
  phoneFields,
} from '@ordinator/model/areas/customers/customer'
import { documentNumber, documentTypes, policyDoubts, policyNumber } from '@ordinator/model/areas/customers/documents'
import { lifeErrors } from '@ordinator/model/areas/customers/lifeErrors'
import { sexes } from '@ordinator/model/areas/staff/user'
import type { Create, Row } from '@ordinator/model/entity'
import { phoneFromExchange, phonesIn, phoneText } from '@ordinator/model/phone'
import { nameParts, nameSpelling } from '@ordinator/model/spelling'
import { dayIn } from '@ordinator/model/zone'
import sql, { join, raw } from 'sql-template-tag'
import { z } from 'zod'
import {
  byNames,
  type Cells,
  type Checked,
  columnsFor,
  type ImportContext,
  type Importer,
  isNoDay,
  offerImporter,
  plainName,
  readDay,
  readList,
  rowReader,
} from '#areas/imports/index.ts'
import { readCommonSettings } from '#areas/settings/index.ts'
import { fioSql } from '#areas/staff/index.ts'
import { type FieldError, forbidden, ValidationError } from '#platform/errors.ts'
import type { AppContext } from '#records/context.ts'
import { journal, journalActor } from '#records/journal.ts'
import { countLinks } from '#records/merge.ts'
import { nextCardNumbers } from './customers.ts'
import { becauseSql, keysSql, soughtBecause } from './keys.ts'

const params = z.strictObject({
  /** Handling of a row whose patient has a card already. */
  twins: z.enum(['skip', 'update', 'create']).default('skip'),
  /** Creates missing sources. */
  createSources: z.boolean().default(false),
})
type Params = z.output<typeof params>

/** Rows compared with the clinic's cards per statement. */
const COMPARED = 2_000
/** Rows read between two yields to the event loop. */
const BREATH = 200
const MAX_ROWS = 100_000
const PAST = 'Rows are held to the rules of cards by the check of each'

const FULL_NAMES = ['клиент', 'пациент', 'фамилия имя отчество', 'фамилия, имя, отчество', 'ф.и.о', 'full name']
const BIRTHDAYS = [
  'др',
  'д.р',
  'день рождения',
  'дата рождения (дд.мм.гггг)',
  'дата рожд',
  'дата рожденья',
  'birthday',
  'date of birth',
]
const PHONES = [
  'мобильный',
  'телефон 1',
  'тел',
  'моб. телефон',
  'мобильный телефон',
  'контактный телефон',
  'номер телефона',
  'сотовый',
  'phone',
]

/** Named as in the list of customers and its export. */
const columns = columnsFor(Customer, [
  { name: 'ФИО', also: FULL_NAMES, examples: ['', 'Орлова Анна Ильинична'] },
  { field: 'surname', required: false, also: ['surname', 'last name'], examples: ['Орлов', ''] },
  { field: 'name', also: ['first name', 'name'], examples: ['Илья', ''] },
  { field: 'middleName', also: ['middle name', 'patronymic'], examples: ['Петрович', ''] },
  { field: 'birthday', also: BIRTHDAYS, examples: ['09.02.1981', '2015-11-23'] },
  { field: 'gender', examples: ['Мужской', 'ж'] },
  { field: 'phone', also: PHONES, examples: ['+7 912 000-11-22', ''] },
  {
    field: 'phoneExtended',
    also: ['телефон 2', 'доп. телефон', ...PHONES, 'телефон'],
    examples: ['', ''],
  },
  { field: 'phoneMother', examples: ['', '8 (912) 000-33-44'] },
  { field: 'phoneFather', examples: ['', ''] },
  { field: 'phoneWork', examples: ['', ''] },
  { field: 'email', also: ['почта', 'email', 'e-mail'], examples: ['orlov@example.ru', ''] },
  { field: 'snils', examples: ['112-233-445 95', ''] },
  { name: 'Полис ОМС', also: ['енп', 'полис', 'номер полиса'], examples: ['7757910848000014', ''] },
  { field: 'inn', examples: ['', ''] },
  { field: 'documentType', also: ['вид документа'], examples: ['Паспорт РФ', ''] },
  {
    field: 'numberPassport',
    also: ['паспорт', 'номер документа'],
    examples: ['4504 123456', ''],
  },
  { field: 'datePassport', examples: ['', ''] },
  { field: 'issuedByPassport', examples: ['', ''] },
  { field: 'issuedByPassportCode', examples: ['', ''] },
  { field: 'cardNumber', also: ['№ карты', 'карта'], examples: ['А-100', ''] },
  { field: 'idSource', examples: ['Сайт', ''] },
  { name: 'Метки', also: ['теги', 'метка'], examples: ['Постоянный, Скидка', ''] },
  { field: 'address', also: ['адрес'], examples: ['', ''] },
  { field: 'nameCity', examples: ['', ''] },
  { field: 'factAddressAsString', examples: ['', ''] },
  { field: 'work', examples: ['', ''] },
  { field: 'post', examples: ['', ''] },
  { field: 'allergies', examples: ['', ''] },
  { field: 'note', also: ['комментарий'], examples: ['', ''] },
])
const nameOfField = new Map(columns.flatMap(({ name, field }) => (field ? [[field, name] as const] : [])))

const genders: Readonly<Record<string, keyof typeof sexes>> = {
  ...Object.fromEntries(Object.entries(sexes).map(([key, label]) => [plainName(label), key as keyof typeof sexes])),
  м: 'male',
  муж: 'male',
  'муж.': 'male',
  ж: 'female',
  жен: 'female',
  'жен.': 'female',
}

/** What a card is found by, the surest first: the letters that keys of a row begin with, and their columns. */
const foundBy = {
  s: 'СНИЛС',
  e: 'Полис ОМС',
  i: 'ИНН',
  d: 'Серия и номер',
  c: 'Номер карты',
  f: 'ФИО',
  p: 'ФИО',
} as const
type By = keyof typeof foundBy
const SUREST = Object.keys(foundBy).join('')
/** Numbers that no two patients have in common. */
const isNumber = (by: By): boolean => by !== 'f' && by !== 'p'

/** A possible card of a row: an existing one, or, with id 0 until written, one of an earlier row. */
interface Card {
  id: number
  fio: string
  birthday: string | null
  surname: string | null
  name: string | null
  middleName: string | null
  snils: string | null
  inn: string | null
}
interface Found {
  card: Card
  by: By
}

/** A parsed and validated row. */
interface Said {
  body: Record<string, unknown>
  policy: string
  source: string
  tags: string[]
  errors: FieldError[]
  notes: FieldError[]
  /** By what its card may be another's too, the surest first. */
  keys: string[]
  /** Cards of the clinic that it may be of, the surest first. */
  found: Found[]
  /** The card that the row is known to be of. */
  own?: Card
}

interface Ready extends Params {
  said: Map<Cells, Said>
  sources: Map<string, { id: number }[]>
  /** Cards of the earlier rows, by their keys. */
  above: Map<string, Card>
}

interface CardValues {
  said: Said
  card: Card
  isNew: boolean
}

/** Importer of customers from a table, with their policy, tags and source. */
export function offerCustomers(app: AppContext): void {
  const importer: Importer<Params, Cells, Ready, CardValues> = {
    kind: 'customers',
    label: 'Клиенты',
    access: 'editCustomers',
    params,
    columns,
    changes: [Customer],
    maxRows: MAX_ROWS,
    open,
    check: checkRow,
    write: async (context, ready, values) => (await writeMany(context, ready, [values]))[0] ?? [],
    writeMany,
    keyed: {
      entity: Customer,
      body: ({ said }) => said.body,
      idOf: ({ card }) => card.id || undefined,
      isTwin: ({ said, isNew }) => !isNew && !said.own,
    },
    isHeld: async (db, { path, id }) => {
      const entity = path === CustomerSource.path ? CustomerSource : Customer
      return (await countLinks(db, app.registry, entity, id)).some((link) => !own.has(link.path))
    },
  }
  offerImporter(app, importer)
}

/** Records that the import itself attaches to a card are removed with it. */
const own = new Set<string>([CustomerPolicy.path, CustomerTag.path])

async function open(context: ImportContext<Params>, rows: readonly Cells[]): Promise<Ready> {
  const { records, tx, params } = context
  if (!can(records.actor, 'create', Customer)) throw forbidden('Вам нельзя заводить клиентов')
  const sources = await tx.query<{ id: number; name: string; path: string }>(sql`with recursive tree as (
      select "id", "sourceName" as name, "sourceName" as path from customer_sources where "idParentSource" is null and not "deleted"
      union all
      select s."id", s."sourceName", tree.path || ' / ' || s."sourceName" from customer_sources s
      join tree on s."idParentSource" = tree."id" where not s."deleted"
    ) select * from tree order by "id"`)
  const ready: Ready = {
    ...params,
    said: new Map(),
    sources: byNames(sources, ({ name, path }) => [name, path]),
    above: new Map(),
  }
  for (const [at, cells] of rows.entries()) {
    if (at % BREATH === 0) await setImmediate()
    ready.said.set(cells, read(ready, cells, dayIn(records.actor.timeZone, Date.now())))
  }
  await findOwn(context, ready)
  const all = [...ready.said.values()].filter(({ own }) => !own)
  let known = 0
  for (let at = 0; at < all.length; at += COMPARED) known += await compare(context, all.slice(at, at + COMPARED))
  if (known)
    await journal(tx, {
      ...journalActor(records.actor),
      action: 'search',
      entityType: Customer.path,
      basis: `Сверка файла «${context.fileName.slice(0, 100)}» с картами: ${known}`,
    })
  return ready
}

/** The cards that rows are known to be of. */
async function findOwn({ tx, own }: ImportContext<Params>, ready: Ready): Promise<void> {
  if (!own?.size) return
  const cards = await tx.query<Card>(sql`select c."id"::int as id, ${fioSql(raw('c'))} as fio,
      to_char(c."birthday", 'DD.MM.YYYY') as birthday, c."surname", c."name", c."middleName", c."snils", true as "isCertain"
    from customers c where c."id" = any (${[...own.values()]}::bigint[]) and not c."deleted"`)
  const byId = new Map(cards.map((card) => [card.id, card]))
  for (const [cells, id] of own) {
    const said = ready.said.get(cells)
    const card = byId.get(id)
    if (said && card) said.own = card
  }
}

/** Parses a row; an empty cell sets nothing. */
function read(ready: Pick<Ready, 'sources' | 'createSources'>, cells: Cells, day: string): Said {
  const row = rowReader(columns, cells)
  const { errors, refuse, text } = row
  const body: Record<string, unknown> = row.fields()
  if (!body.surname && text('ФИО')) {
    const { surname, name, middleName } = nameParts(text('ФИО'))
    Object.assign(body, { surname, ...(name && { name }), ...(middleName && { middleName }) })
  }
  const told: FieldError[] = []
  readPhones(body, told)
  if (isNoDay(text('Дата рождения'))) delete body.birthday
  if (body.birthday) body.birthday = russianDay(text('Дата рождения'), Number(day.slice(0, 4))) ?? text('Дата рождения')
  if (body.datePassport) body.datePassport = row.day('Дата выдачи')
  if (body.gender) body.gender = genders[plainName(text('Пол'))] ?? row.chosen('Пол', sexes)
  if (body.documentType) body.documentType = row.chosen('Документ', documentTypes)
  if (body.numberPassport) {
    const number = documentNumber(
      (body.documentType as keyof typeof documentTypes) ?? 'passport',
      text('Серия и номер'),
    )
    if (number.ok) body.numberPassport = number.value
    else refuse('Серия и номер', number.message)
  }
  delete body.idSource
  const source = text('Источник')
  if (source && ready.createSources && !ready.sources.has(plainName(source)))
    row.check(CustomerSource, { sourceName: source }, 'create', 'Источник')
  else if (source) row.named('Источник', ready.sources, 'такого источника нет', 'таких несколько, укажите с разделом')
  const tags = readList(text('Метки'))
  for (const name of tags) row.check(CustomerTag, { idCustomer: 1, name }, 'create', 'Метки')
  const policy = text('Полис ОМС') ? policyNumber('oms', text('Полис ОМС')) : undefined
  if (policy && !policy.ok) refuse('Полис ОМС', policy.message)
  if (!body.surname) refuse('Фамилия', 'Впишите фамилию или ФИО')
  const value = row.check(Customer, body) ?? {}
  const birthday = value.birthday as string | undefined
  if (
    birthday &&
    birthday.split('.').reverse().join('-') > day &&
    !errors.some(({ field }) => field === 'Дата рождения')
  )
    refuse('Дата рождения', 'Этот день ещё не наступил')
  for (const { field, message } of lifeErrors(value)) refuse(nameOfField.get(field) ?? field, message)
  const number = policy?.ok ? policy.value : ''
  const doubt = number ? policyDoubts(number, value) : undefined
  return {
    body: value,
    policy: number,
    source,
    tags,
    errors,
    notes: doubt ? [...told, { field: 'Полис ОМС', message: doubt }] : told,
    keys: [],
    found: [],
  }
}

/**
 * Two numbers of one cell go to two fields, and what else stands there to the note, as do a local number and a foreign one
 * that no field takes.
 */
function readPhones(body: Record<string, unknown>, told: FieldError[]): void {
  const notes: string[] = []
  for (const field of phoneFields) {
    const written = body[field]
    if (typeof written !== 'string') continue
    const column = nameOfField.get(field) ?? field
    const { phones, note } = phonesIn(written)
    const [first, ...others] = phones
    if (!first) {
      if (!phoneFromExchange(written)) continue
      delete body[field]
      notes.push(`${column}: ${written}`)
      told.push({ field: column, message: `Номер не полный или не российский: «${written}» записано в примечание` })
      continue
    }
    body[field] = first
    const rest = note ? [note] : []
    for (const other of others)
      if (body.phoneExtended) rest.push(phoneText(other))
      else {
        body.phoneExtended = other
        told.push({ field: column, message: `Второй номер ${phoneText(other)} записан дополнительным` })
      }
    if (rest.length === 0) continue
    notes.push(`${column} ${phoneText(first)}: ${rest.join(', ')}`)
    told.push({ field: column, message: `«${rest.join(', ')}» записано в примечание` })
  }
  if (notes.length) body.note = [body.note, ...notes].filter(Boolean).join('\n')
}

/** Finds existing cards that may match the rows. @returns their number */
async function compare({ tx }: ImportContext<Params>, rows: readonly Said[]): Promise<number> {
  const given = rows.flatMap(({ body, policy, errors }, at) =>
    errors.length
      ? []
      : [
          {
            ...body,
            birthday:
              String(body.birthday ?? '')
                .split('.')
                .reverse()
                .join('-') || undefined,
            at,
            policy: policy || null,
          },
        ],
  )
  if (given.length === 0) return 0
  const text = ['surname', 'name', 'middleName', 'snils', 'policy', ...Object.values(ownNumbers), ...phoneFields]
  const g = raw('g')
  const c = raw('c')
  const table = sql`given as materialized (select g.*, ${keysSql(g)} as keys from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
    as g(at integer, "documentType" text, "birthday" date, ${raw(text.map((name) => `"${name}" text`).join(', '))}))`
  const { customerDuplicates } = await readCommonSettings(tx)
  /** By the first letter of a key. */
  const likely: Record<string, boolean> = {
    f: customerDuplicates.includes('fio'),
    p: customerDuplicates.includes('phone'),
  }
  const keyed = await tx.query<{ at: number; keys: string[] }>(sql`with ${table} select at, keys from given`)
  for (const { at, keys } of keyed) {
    const said = rows[at] as Said
    const numbers = Object.entries(ownNumbers).flatMap(([by, field]) =>
      said.body[field] ? [`${by}${by === 'd' ? documentOf(said.body) : ''}${said.body[field]}`] : [],
    )
    said.keys = [...(said.policy ? [`e${said.policy}`] : []), ...numbers, ...keys]
      .filter((key) => likely[key[0] ?? ''] !== false)
      .sort((one, other) => SUREST.indexOf(one[0] ?? '') - SUREST.indexOf(other[0] ?? ''))
  }
  const byNumber = Object.entries(ownNumbers).flatMap(([by, field]) => {
    if (!given.some((row) => (row as Record<string, unknown>)[field])) return []
    const [own, its] = [raw(`g."${field}"`), raw(`c."${field}"`)]
    const kind = by === 'd' ? sql`and coalesce(g."documentType", ${DOCUMENT}) = c."documentType"` : sql``
    return sql`union all select g.at, c."id", ${by} from given g join customers c on ${its} = ${own} ${kind}`
  })
  // The cards that have a key of any row are found by the index at once, not row by row: a plan of pairs of rows and
  // cards computes the keys of a card for each pair.
  const found = await tx.query<Card & { at: number; by: By }>(sql`with ${table},
    near as materialized (select c.*, ${keysSql(c)} as keys from customers c where not c."deleted"
      and ${keysSql(c)} && (select array_agg(distinct k) from given, unnest(keys) k)),
    pairs as materialized (select distinct g.at, n."id" from given g cross join unnest(g.keys) own(k)
      join (select near."id", its.k from near cross join unnest(near.keys) its(k)) n on n.k = own.k)
    select f.at, (array_agg(f.by order by position(f.by in ${SUREST})))[1] as by, c."id"::int as id, ${fioSql(c)} as fio,
      to_char(c."birthday", 'DD.MM.YYYY') as birthday, c."surname", c."name", c."middleName", c."snils", c."inn"
    from (
      select g.at, c."id", case when c."snils" = g."snils" then 's' else 'f' end as by from pairs
      join given g on g.at = pairs.at join near c on c."id" = pairs."id"
      where cardinality(${soughtBecause(becauseSql(c, g))}) > 0
      union all
      select g.at, p."idCustomer", 'e' from given g join customers_policies p on p."number" = g."policy" and not p."deleted"
      ${byNumber.length ? join(byNumber, ' ') : sql``}
    ) f join customers c on c."id" = f."id" and not c."deleted"
    group by f.at, c."id" order by f.at, min(position(f.by in ${SUREST})), c."id"`)
  for (const { at, by, ...card } of found) (rows[at] as Said).found.push({ card, by })
  return found.length
}

/** Other numbers of a card that are one patient's, by the letters of `foundBy`. */
const ownNumbers = { i: 'inn', d: 'numberPassport', c: 'cardNumber' } as const
/** The kind of a document that a row does not name. */
const DOCUMENT = 'passport'
const documentOf = (body: Readonly<Record<string, unknown>>): string => String(body.documentType ?? DOCUMENT)

/** The row as the card will store it: parsed names, dates, numbers and addresses. */
function shownOf(cells: Cells, body: Readonly<Record<string, unknown>>): Cells {
  const shown = { ...cells }
  if (cells.ФИО?.trim() && !cells.Фамилия?.trim())
    shown.ФИО = [body.surname, body.name, body.middleName].filter(Boolean).join(' ')
  for (const { name, field = '' } of columns) {
    const value = body[field]
    if (!cells[name]?.trim() || typeof value !== 'string') continue
    if ((phoneFields as readonly string[]).includes(field)) shown[name] = phoneText(value)
    else if (['surname', 'name', 'middleName', 'birthday', 'email'].includes(field)) shown[name] = value
  }
  return shown
}

function checkRow(ready: Ready, cells: Cells): Checked<CardValues> {
  const said = ready.said.get(cells)
  if (!said) throw new Error('a row that was not opened')
  const { body, errors, keys } = said
  if (errors.length) return { errors }
  const notes = [...said.notes]
  if (said.own) return { values: { said, card: said.own, isNew: false }, notes, shown: shownOf(cells, body) }
  const above = keys.flatMap((key): Found[] => {
    const by = key[0] as By
    const card = ready.above.get(key)
    return card && (isNumber(by) || mayBe(card, body)) ? [{ card, by }] : []
  })
  // Members of a family may share the number of a card: it is told, and is no reason to take one for another.
  const isShared = ({ card, by }: Found) => by === 'c' && (differ(card.name, body.name) || isAlien(card, body))
  const found = said.found.filter((one) => !isShared(one))
  const [top, next] = found
  const twin = top ?? above.find((one) => !isShared(one))
  const holder = twin ? undefined : [...said.found, ...above].find(isShared)
  if (holder) notes.push({ field: foundBy.c, message: `${foundBy.c} уже у другого пациента: ${personOf(holder.card)}` })
  const shown = shownOf(cells, body)
  if (twin) {
    const at = foundBy[twin.by]
    const isCertain = isNumber(twin.by)
    const told = top ? `Похожа карта «${twin.card.fio}»` : 'Повторяет строку выше'
    if (isCertain && isAlien(twin.card, body))
      return { errors: [{ field: at, message: `${at} принадлежит другому пациенту: ${personOf(twin.card)}` }] }
    const others = found.filter(({ by, card }) => isNumber(by) && card.id !== twin.card.id)
    if (isCertain && others[0])
      return {
        errors: [
          {
            field: foundBy[others[0].by],
            message: `${foundBy[others[0].by]} принадлежит другому пациенту: ${personOf(others[0].card)}`,
          },
        ],
      }
    if (ready.twins === 'create' && isCertain)
      return { errors: [{ field: at, message: `${told}: двух карт с таким номером не бывает` }] }
    if (ready.twins === 'skip')
      return { isSkipped: true, notes: [...notes, { field: at, message: `${told}: строка пропускается` }], shown }
    if (ready.twins === 'update') {
      if (next && !isCertain)
        return { errors: [{ field: at, message: 'Похожих карт несколько: сначала объедините их' }] }
      const number = (['snils', 'inn'] as const).find((field) => differ(twin.card[field], body[field]))
      if (number) {
        const column = nameOfField.get(number) ?? ''
        const message = `В карте «${twin.card.fio}» другой ${column}: проверьте, тот ли это пациент`
        return { errors: [{ field: column, message }] }
      }
      notes.push({ field: at, message: `${told}: она изменится` })
      return { values: { said, card: twin.card, isNew: false }, notes, shown }
    }
    notes.push({ field: at, message: `${told}: заводится ещё одна` })
  }
  const card: Card = {
    id: 0,
    fio: [body.surname, body.name, body.middleName].filter(Boolean).join(' '),
    birthday: wordOf(body.birthday),
    surname: wordOf(body.surname),
    name: wordOf(body.name),
    middleName: wordOf(body.middleName),
    snils: wordOf(body.snils),
    inn: wordOf(body.inn),
  }
  for (const key of keys) if (!ready.above.has(key)) ready.above.set(key, card)
  return { values: { said, card, isNew: true }, notes, shown }
}

const wordOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
/** A double surname is equal with a hyphen and with a space. */
const spelled = (name: string): string => plainName(nameSpelling(name).replaceAll('-', ' '))
const differ = (a: string | null, b: unknown): boolean =>
  a !== null && wordOf(b) !== null && spelled(a) !== spelled(String(b))

/**
 * Whether a card with the number of a row is another person's: a row with the mother's СНИЛС and the child's name. Whoever
 * has married has the former name and birthday.
 */
function isAlien(card: Card, body: Readonly<Record<string, unknown>>): boolean {
  const isNamed = differ(card.name, body.name)
  const isSurnamed = differ(card.surname, body.surname)
  const isBorn = differ(card.birthday, body.birthday)
  const isSameBirthday = card.birthday !== null && card.birthday === wordOf(body.birthday)
  return ((isNamed || isSurnamed) && isBorn) || (isNamed && isSurnamed && !isSameBirthday)
}

const personOf = ({ fio, birthday }: Card): string => [fio, birthday].filter(Boolean).join(', ')

/** As `mayBeOne`: another birthday or patronymic means a relative. */
const mayBe = (card: Card, body: Record<string, unknown>): boolean =>
  (!card.birthday || !body.birthday || card.birthday === body.birthday) &&
  (!card.middleName || !body.middleName || plainName(card.middleName) === plainName(String(body.middleName)))

async function writeMany(
  { records, tx, fileName }: ImportContext<Params>,
  ready: Ready,
  values: readonly CardValues[],
) {
  const made = values.map((): { path: string; id: number }[] => [])
  const idSources = new Map<string, number>()
  for (const [at, { said }] of values.entries()) {
    const name = plainName(said.source)
    if (!name || idSources.has(name)) continue
    const there = ready.sources.get(name)?.[0]?.id
    const id = there ?? (await records.create(CustomerSource, { sourceName: said.source })).id
    if (!there) made[at]?.push({ path: CustomerSource.path, id })
    idSources.set(name, id)
  }
  const bodyOf = ({ said }: CardValues) => ({
    ...said.body,
    ...(said.source && { idSource: idSources.get(plainName(said.source)) }),
  })
  const fresh = values.filter(({ isNew }) => isNew)
  for (const { card } of fresh) card.id = 0
  const system = records.asSystem
  const bodies = fresh.map(bodyOf) as Create<typeof Customer>[]
  const { customerSequence } = await readCommonSettings(tx)
  const unnumbered = customerSequence === null ? [] : bodies.filter(({ cardNumber }) => !cardNumber)
  if (customerSequence !== null && unnumbered.length > 0) {
    const numbers = await nextCardNumbers(tx, customerSequence, unnumbered.length)
    for (const [at, body] of unnumbered.entries()) body.cardNumber = numbers?.[at]
  }
  const rows = await system.createMany(Customer, bodies, { pastHooks: PAST })
  for (const [at, one] of fresh.entries()) one.card.id = (rows[at] as { id: number }).id
  for (const [at, { isNew, card }] of values.entries()) if (isNew) made[at]?.push({ path: Customer.path, id: card.id })
  const known = values.filter(({ isNew }) => !isNew)
  for (const one of known) {
    if (!one.card.id)
      throw new ValidationError([{ field: '', message: 'Строка выше, которую эта дополняет, не принята' }])
    await records.update(Customer, one.card.id, bodyOf(one) as Partial<Row<typeof Customer>>)
  }
  await hang(CustomerPolicy, 'number', (said) => (said.policy ? [said.policy] : []))
  await hang(CustomerTag, 'name', (said) => said.tags)
  // The chosen source applies to the following batches as to the rows of this one.
  for (const [name, id] of idSources) ready.sources.set(name, [{ id }])
  const basis = `Импорт из файла «${fileName.slice(0, 200)}»`
  await journal(
    tx,
    ...values.map(({ isNew, card: { id } }) => ({
      ...journalActor(records.actor),
      action: isNew ? ('create' as const) : ('update' as const),
      entityType: Customer.path,
      idEntity: id,
      idCustomer: id,
      basis,
    })),
  )
  return made

  /** Creates policies and tags of the rows; those that a card has already are skipped. */
  async function hang(
    entity: typeof CustomerPolicy | typeof CustomerTag,
    field: 'number' | 'name',
    of: (said: Said) => string[],
  ): Promise<void> {
    const wanted = values.flatMap(({ said, card }) =>
      of(said).map((value) => ({ idCustomer: card.id, [field]: value })),
    )
    if (wanted.length === 0) return
    const ids = [...new Set(known.map(({ card }) => card.id))]
    const there = ids.length
      ? await tx.query<{ key: string }>(sql`select "idCustomer" || ' ' || lower(${raw(`"${field}"`)}) as key
          from ${raw(entity.table)} where "idCustomer" = any (${ids}::bigint[]) ${raw(entity.soft ? 'and not "deleted"' : '')}`)
      : []
    const has = new Set(there.map(({ key }) => key))
    const missing = wanted.filter((one) => {
      const key = `${one.idCustomer} ${String(one[field]).toLowerCase()}`
      return !has.has(key) && has.add(key)
    })
    const rows = await system.createMany(entity, missing as never, { pastHooks: PAST })
    // Records attached to a new card are removed with it.
    for (const [at, { idCustomer }] of missing.entries()) {
      const of = values.findIndex(({ isNew, card }) => !isNew && card.id === idCustomer)
      if (of >= 0) made[of]?.push({ path: entity.path, id: (rows[at] as { id: number }).id })
    }
  }
}

const russianDay = (written: string, latest: number): string | undefined =>
  readDay(written, latest)?.split('-').reverse().join('.')
