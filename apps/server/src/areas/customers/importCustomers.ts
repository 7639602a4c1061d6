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
import { checkBody } from '@ordinator/model/check'
import type { Create, Row } from '@ordinator/model/entity'
import { phonesIn, phoneText } from '@ordinator/model/phone'
import { nameParts, nameSpelling } from '@ordinator/model/spelling'
import { dayIn } from '@ordinator/model/zone'
import sql, { raw } from 'sql-template-tag'
import { z } from 'zod'
import {
  byNames,
  type Cells,
  type Checked,
  type ImportContext,
  type Importer,
  type ImporterColumn,
  offerImporter,
  plainName,
  readDay,
  readList,
} from '#areas/imports/index.ts'
import { readCommonSettings } from '#areas/settings/index.ts'
import { fioSql } from '#areas/staff/index.ts'
import { type FieldError, forbidden, ValidationError } from '#platform/errors.ts'
import type { AppContext } from '#records/context.ts'
import { journal, journalActor } from '#records/journal.ts'
import { countLinks } from '#records/merge.ts'
import { nextCardNumber } from './customers.ts'
import { becauseSql, keysSql, soughtBecause } from './keys.ts'

const params = z.strictObject({
  /** What is done with a row whose patient has a card already. */
  twins: z.enum(['skip', 'update', 'create']).default('skip'),
  /** Sources that the clinic lacks are made. */
  createSources: z.boolean().default(false),
})
type Params = z.output<typeof params>

/** Rows that are compared with the clinic's cards in one statement. */
const COMPARED = 2_000
/** Rows read between two looks at what else is to be done. */
const BREATH = 200
const MAX_ROWS = 100_000
const PAST = 'Rows are held to the rules of cards by the check of each'

/** Named as the list of customers and its export name them. */
const columns: readonly ImporterColumn[] = [
  { name: 'ФИО', also: ['клиент', 'пациент', 'фамилия имя отчество'], examples: ['', 'Орлова Анна Ильинична'] },
  { name: 'Фамилия', field: 'surname', examples: ['Орлов', ''] },
  { name: 'Имя', field: 'name', examples: ['Илья', ''] },
  { name: 'Отчество', field: 'middleName', examples: ['Петрович', ''] },
  { name: 'Дата рождения', field: 'birthday', also: ['др', 'день рождения'], examples: ['09.02.1981', '2015-11-23'] },
  { name: 'Пол', field: 'gender', examples: ['Мужской', 'ж'] },
  { name: 'Телефон', field: 'phone', also: ['мобильный', 'телефон 1'], examples: ['+7 912 000-11-22', ''] },
  { name: 'Дополнительный телефон', field: 'phoneExtended', also: ['телефон 2'], examples: ['', ''] },
  { name: 'Телефон матери', field: 'phoneMother', examples: ['', '8 (912) 000-33-44'] },
  { name: 'Телефон отца', field: 'phoneFather', examples: ['', ''] },
  { name: 'Рабочий телефон', field: 'phoneWork', examples: ['', ''] },
  { name: 'Электронная почта', field: 'email', also: ['почта', 'email', 'e-mail'], examples: ['orlov@example.ru', ''] },
  { name: 'СНИЛС', field: 'snils', examples: ['112-233-445 95', ''] },
  { name: 'Полис ОМС', also: ['енп', 'полис', 'номер полиса'], examples: ['7757910848000014', ''] },
  { name: 'ИНН', field: 'inn', examples: ['', ''] },
  { name: 'Документ', field: 'documentType', also: ['вид документа'], examples: ['Паспорт РФ', ''] },
  {
    name: 'Серия и номер',
    field: 'numberPassport',
    also: ['паспорт', 'номер документа'],
    examples: ['4504 123456', ''],
  },
  { name: 'Дата выдачи', field: 'datePassport', examples: ['', ''] },
  { name: 'Кем выдан', field: 'issuedByPassport', examples: ['', ''] },
  { name: 'Код подразделения', field: 'issuedByPassportCode', examples: ['', ''] },
  { name: 'Номер карты', field: 'cardNumber', also: ['№ карты', 'карта'], examples: ['А-100', ''] },
  { name: 'Источник', field: 'idSource', examples: ['Сайт', ''] },
  { name: 'Метки', also: ['теги', 'метка'], examples: ['Постоянный, Скидка', ''] },
  { name: 'Адрес регистрации', field: 'address', also: ['адрес'], examples: ['', ''] },
  { name: 'Город', field: 'nameCity', examples: ['', ''] },
  { name: 'Адрес проживания', field: 'factAddressAsString', examples: ['', ''] },
  { name: 'Место работы', field: 'work', examples: ['', ''] },
  { name: 'Должность', field: 'post', examples: ['', ''] },
  { name: 'Аллергии', field: 'allergies', examples: ['', ''] },
  { name: 'Примечание', field: 'note', also: ['комментарий'], examples: ['', ''] },
]
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

/** A card that a row may be of: one of the clinic's, or, with the id 0 until it is written, one of a row above. */
interface Card {
  id: number
  fio: string
  birthday: string | null
  surname: string | null
  name: string | null
  middleName: string | null
  snils: string | null
  /** No two patients have in common what it was found by. */
  isCertain: boolean
}

/** What a row says, read and checked by itself. */
interface Said {
  body: Record<string, unknown>
  policy: string
  source: string
  tags: string[]
  errors: FieldError[]
  notes: FieldError[]
  /** By what its card may be another's too. */
  keys: string[]
  /** Cards of the clinic that it may be of, the certain ones first. */
  cards: Card[]
  /** The card that the row is known to be of. */
  own?: Card
}

interface Ready extends Params {
  said: Map<Cells, Said>
  sources: Map<string, { id: number }[]>
  /** Cards of the rows above, by what they may be found by. */
  above: Map<string, Card>
}

interface CardValues {
  said: Said
  card: Card
  isNew: boolean
}

/** Customers from a table, with their policy, tags and source. */
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

/** What an import itself hangs at a card goes with it. */
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

/** What a row says; a blank cell says nothing. */
function read(ready: Pick<Ready, 'sources' | 'createSources'>, cells: Cells, day: string): Said {
  const errors: FieldError[] = []
  const refuse = (field: string, message: string) => void errors.push({ field, message })
  const text = (column: string) => (cells[column] ?? '').trim()
  const body: Record<string, unknown> = {}
  for (const { name, field } of columns) if (field && text(name)) body[field] = text(name)
  if (!body.surname && text('ФИО')) {
    const { surname, name, middleName } = nameParts(text('ФИО'))
    Object.assign(body, { surname, ...(name && { name }), ...(middleName && { middleName }) })
  }
  const told: FieldError[] = []
  readPhones(body, told)
  if (body.birthday) body.birthday = russianDay(text('Дата рождения')) ?? text('Дата рождения')
  if (body.datePassport) body.datePassport = readDay(text('Дата выдачи')) ?? text('Дата выдачи')
  if (body.gender) {
    body.gender = genders[plainName(text('Пол'))]
    if (!body.gender) refuse('Пол', `Нужно одно из: ${Object.values(sexes).join(', ')}`)
  }
  if (body.documentType) {
    body.documentType = keyOf(documentTypes, text('Документ'))
    if (!body.documentType) refuse('Документ', `Нужно одно из: ${Object.values(documentTypes).join(', ')}`)
  }
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
  const sources = source ? (ready.sources.get(plainName(source)) ?? []) : []
  if (sources.length > 1) refuse('Источник', `«${source}»: таких несколько, укажите с разделом`)
  if (source && sources.length === 0 && !ready.createSources) refuse('Источник', `«${source}»: такого источника нет`)
  if (source && sources.length === 0)
    for (const { message } of checkBody(CustomerSource, { sourceName: source }, 'create').errors ?? [])
      refuse('Источник', message)
  const tags = readList(text('Метки'))
  for (const name of tags)
    for (const error of checkBody(CustomerTag, { idCustomer: 1, name }, 'create').errors ?? [])
      refuse('Метки', error.message)
  const policy = text('Полис ОМС') ? policyNumber('oms', text('Полис ОМС')) : undefined
  if (policy && !policy.ok) refuse('Полис ОМС', policy.message)
  const refused = new Set(errors.map(({ field }) => field))
  const checked = checkBody(Customer, body, 'create')
  for (const { field, message } of checked.errors ?? []) {
    const name = nameOfField.get(field) ?? ''
    if (!refused.has(name)) refuse(name, field === 'surname' && !body.surname ? 'Впишите фамилию или ФИО' : message)
  }
  const value = checked.value ?? {}
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
    cards: [],
  }
}

/** Two numbers of one cell go to two fields, and what else stands there to the note. */
function readPhones(body: Record<string, unknown>, told: FieldError[]): void {
  if (typeof body.phone !== 'string') return
  const { phones, note } = phonesIn(body.phone)
  const [first, second] = phones
  if (!first) return
  body.phone = first
  if (second && !body.phoneExtended) {
    body.phoneExtended = second
    told.push({ field: 'Телефон', message: `Второй номер ${phoneText(second)} записан дополнительным` })
  }
  if (!note) return
  body.note = [body.note, `Телефон ${phoneText(first)}: ${note}`].filter(Boolean).join('\n')
  told.push({ field: 'Телефон', message: `«${note}» записано в примечание` })
}

/** Finds the clinic's cards that the rows may be of. @returns how many it has found */
async function compare({ tx }: ImportContext<Params>, rows: readonly Said[]): Promise<number> {
  const given = rows.flatMap(({ body, policy, errors }, at) =>
    errors.length ? [] : [{ ...body, birthday: readDay(String(body.birthday ?? '')), at, policy: policy || null }],
  )
  if (given.length === 0) return 0
  const text = ['surname', 'name', 'middleName', 'snils', 'policy', ...phoneFields]
  const g = raw('g')
  const c = raw('c')
  const table = sql`given as materialized (select g.*, ${keysSql(g)} as keys from jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
    as g(at integer, "birthday" date, ${raw(text.map((name) => `"${name}" text`).join(', '))}))`
  const { customerDuplicates } = await readCommonSettings(tx)
  /** By the first letter of a key. */
  const likely: Record<string, boolean> = {
    f: customerDuplicates.includes('fio'),
    p: customerDuplicates.includes('phone'),
  }
  const keyed = await tx.query<{ at: number; keys: string[] }>(sql`with ${table} select at, keys from given`)
  for (const { at, keys } of keyed) {
    const said = rows[at] as Said
    const sought = keys.filter((key) => likely[key[0] ?? ''] !== false)
    said.keys = said.policy ? [`e${said.policy}`, ...sought] : sought
  }
  const found = await tx.query<Card & { at: number }>(sql`with ${table}
    select f.at, c."id"::int as id, ${fioSql(c)} as fio, to_char(c."birthday", 'DD.MM.YYYY') as birthday, c."surname", c."name", c."middleName", c."snils",
      bool_or(f."isCertain") as "isCertain"
    from (
      select g.at, c."id", coalesce(c."snils" = g."snils", false) as "isCertain" from given g
      join customers c on ${keysSql(c)} && g.keys and not c."deleted"
      where cardinality(${soughtBecause(becauseSql(c, g))}) > 0
      union all
      select g.at, p."idCustomer", true from given g join customers_policies p on p."number" = g."policy" and not p."deleted"
    ) f join customers c on c."id" = f."id" and not c."deleted"
    group by f.at, c."id" order by f.at, bool_or(f."isCertain") desc, c."id"`)
  for (const { at, ...card } of found) (rows[at] as Said).cards.push(card)
  return found.length
}

/** The row as the card will have it: names, days, numbers and addresses as they were read. */
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
  const [top, next] = said.cards
  const above = keys.flatMap((key) => {
    const card = ready.above.get(key)
    const isCertain = /^[se]/.test(key)
    return card && (isCertain || mayBe(card, body)) ? [{ card, isCertain }] : []
  })[0]
  const twin = top ?? above?.card
  const isCertain = top ? top.isCertain : (above?.isCertain ?? false)
  const at = isCertain && (top ? !body.snils : !keys[0]?.startsWith('s')) ? 'Полис ОМС' : isCertain ? 'СНИЛС' : 'ФИО'
  const told = twin && (top ? `Похожа карта «${twin.fio}»` : 'Повторяет строку выше')
  const shown = shownOf(cells, body)
  if (twin && ready.twins === 'create' && isCertain)
    return { errors: [{ field: at, message: `${told}: двух карт с таким номером не бывает` }] }
  if (twin && ready.twins === 'skip')
    return { isSkipped: true, notes: [...notes, { field: at, message: `${told}: строка пропускается` }], shown }
  if (twin && ready.twins === 'update') {
    if (top && next && !top.isCertain)
      return {
        errors: [{ field: at, message: 'Похожих карт несколько: сначала объедините их' }],
      }
    const alien = isCertain ? anotherPatient(twin, body) : anotherNumber(twin, body)
    if (alien) return { errors: [{ field: isCertain ? at : 'СНИЛС', message: alien(at) }] }
    notes.push({ field: at, message: `${told}: она изменится` })
    return { values: { said, card: twin, isNew: false }, notes, shown }
  }
  if (twin) notes.push({ field: at, message: `${told}: заводится ещё одна` })
  const card: Card = {
    id: 0,
    fio: [body.surname, body.name, body.middleName].filter(Boolean).join(' '),
    birthday: wordOf(body.birthday),
    surname: wordOf(body.surname),
    name: wordOf(body.name),
    middleName: wordOf(body.middleName),
    snils: wordOf(body.snils),
    isCertain: false,
  }
  for (const key of keys) if (!ready.above.has(key)) ready.above.set(key, card)
  return { values: { said, card, isNew: true }, notes, shown }
}

const wordOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
/** A double surname is the same with a hyphen and with a space. */
const spelled = (name: string): string => plainName(nameSpelling(name).replaceAll('-', ' '))
const differ = (a: string | null, b: unknown): boolean =>
  a !== null && wordOf(b) !== null && spelled(a) !== spelled(String(b))

/**
 * A number alone makes nobody another person: a row with the mother's СНИЛС and the child's name is refused. Whoever has
 * married has the former name and birthday.
 */
function anotherPatient(card: Card, body: Record<string, unknown>): ((column: string) => string) | undefined {
  const isNamed = differ(card.name, body.name)
  const isSurnamed = differ(card.surname, body.surname)
  const isBorn = differ(card.birthday, body.birthday)
  const isSameBirthday = card.birthday !== null && card.birthday === wordOf(body.birthday)
  if (!((isNamed || isSurnamed) && isBorn) && !(isNamed && isSurnamed && !isSameBirthday)) return undefined
  return (column) => `${column} принадлежит другому пациенту: ${[card.fio, card.birthday].filter(Boolean).join(', ')}`
}

/** The same name and birthday with another СНИЛС: two people, or a slip of the pen. A person decides. */
const anotherNumber = (card: Card, body: Record<string, unknown>): (() => string) | undefined =>
  differ(card.snils, body.snils) ? () => `В карте «${card.fio}» другой СНИЛС: проверьте, тот ли это пациент` : undefined

/** As `mayBeOne`: who was born on another day or has another patronymic is of the same family. */
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
  if (customerSequence !== null)
    for (const body of bodies) if (!body.cardNumber) body.cardNumber = await nextCardNumber(tx, customerSequence)
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
  // What has come of a source stands for the portions that follow as for the rows of this one.
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

  /** Policies and tags of the rows; those that a card has already are left out. */
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
    // What hangs at a new card goes with it.
    for (const [at, { idCustomer }] of missing.entries()) {
      const of = values.findIndex(({ isNew, card }) => !isNew && card.id === idCustomer)
      if (of >= 0) made[of]?.push({ path: entity.path, id: (rows[at] as { id: number }).id })
    }
  }
}

const keyOf = (labels: Readonly<Record<string, string>>, written: string): string | undefined =>
  Object.entries(labels).find(([, label]) => plainName(label) === plainName(written))?.[0]

const russianDay = (written: string): string | undefined => readDay(written)?.split('-').reverse().join('.')
