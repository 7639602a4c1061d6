/** Patients that rows name by signs instead of a code: a phone, a name, a birthday, numbers. */
import { Customer, phoneFields } from '@ordinator/model/areas/customers/customer'
import type { MoveTableKey } from '@ordinator/model/areas/moving/tables'
import { schemes } from '@ordinator/model/identifiers'
import { phonesIn, phoneText } from '@ordinator/model/phone'
import sql, { join, raw } from 'sql-template-tag'
import { type Cells, type ImporterColumn, plainName, readDay } from '#areas/imports/index.ts'
import { fioSql } from '#areas/staff/index.ts'
import type { MovingContext, Person } from './table.ts'

/** Tables whose rows rarely have more data of a patient than a name: one card of that name is taken, with a doubt. */
export const isNameEnough = (table: MoveTableKey): boolean => table === 'certificates' || table === 'relations'

/** Names of the columns by sign. */
export const signColumns = {
  phone: 'Телефон пациента',
  name: 'ФИО пациента',
  birthday: 'Дата рождения пациента',
  card: 'Номер карты пациента',
  snils: 'СНИЛС пациента',
  policy: 'Полис пациента',
} as const
type Sign = keyof typeof signColumns
export const signNames: readonly string[] = Object.values(signColumns)

const heads: Readonly<Record<Sign, readonly string[]>> = {
  phone: ['телефон', 'телефон клиента', 'номер телефона', 'мобильный', 'контактный телефон', 'phone', 'client_phone'],
  name: ['пациент', 'клиент', 'имя клиента', 'имя пациента', 'фио', 'фио клиента', 'имя', 'контрагент', 'client'],
  birthday: ['дата рождения', 'др', 'д.р', 'день рождения', 'birthday'],
  card: ['номер карты', '№ карты', 'карта', 'медкарта', 'номер медкарты', '№ медкарты'],
  snils: ['снилс'],
  policy: ['полис омс', 'енп'],
}

/**
 * Columns of signs, beside the code of the patient.
 * @param isNamed the table has columns of another person with these heads: only the full names are known
 * @param more further heads of a sign in this table
 */
export const signsOf = (isNamed = false, more: Partial<Record<Sign, readonly string[]>> = {}): ImporterColumn[] =>
  (Object.keys(signColumns) as Sign[]).map((sign) => ({
    name: signColumns[sign],
    ...(!isNamed && { also: [...heads[sign], ...(more[sign] ?? [])] }),
    examples: ['', ''],
  }))

interface Candidate {
  /** 0: a row of a file of patients that is rehearsed. */
  id: number
  phones: readonly string[]
  words: readonly string[]
  birthday: string | null
  card: string | null
  snils: string | null
  policies: readonly string[]
}

const wordsOf = (name: string): string[] =>
  plainName(name)
    .replaceAll('-', ' ')
    .split(/[\s,.]+/)
    .filter(Boolean)

/** The person of a row; undefined where it has no sign. */
export function personOf(cells: Cells): Person | undefined {
  const text = (sign: Sign) => (cells[signColumns[sign]] ?? '').trim()
  const { phones } = phonesIn(text('phone'))
  const birthday = text('birthday') ? readDay(text('birthday'), new Date().getFullYear()) : undefined
  const snils = text('snils') ? schemes.snils.read(text('snils')) : undefined
  const policy = text('policy') ? schemes.enp.read(text('policy')) : undefined
  const person = {
    phones,
    words: wordsOf(text('name')),
    ...(birthday && { birthday }),
    ...(text('card') && { card: plainName(text('card')) }),
    ...(snils?.ok && { snils: snils.value }),
    ...(policy?.ok && { policy: policy.value }),
  }
  const label = [text('name'), phones[0] ? phoneText(phones[0]) : '', birthday ?? '', text('card')]
    .filter(Boolean)
    .join(', ')
    .slice(0, 200)
  if (!label) return undefined
  const cellsOf: Cells = {
    ФИО: text('name'),
    Телефон: text('phone'),
    'Дата рождения': birthday ?? '',
    'Номер карты': text('card'),
    СНИЛС: snils?.ok ? snils.value : '',
    'Полис ОМС': policy?.ok ? policy.value : '',
  }
  return { label, ...person, cells: Object.fromEntries(Object.entries(cellsOf).filter(([, value]) => value)) }
}

/** Whether the row has nothing of the patient but a full name. */
export const hasNameAlone = ({ phones, words, birthday, card, snils, policy }: Person): boolean =>
  words.filter((word) => word.length > 1).length >= 2 && phones.length === 0 && !(birthday || card || snils || policy)

/**
 * Whether enough signs agree and none differs.
 * @param enough two, or one where the name alone will do
 */
export function isSame(person: Person, card: Candidate, enough = 2): boolean {
  let agree = 0
  const comparisons: (boolean | undefined)[] = [
    person.phones.length && card.phones.length ? person.phones.some((one) => card.phones.includes(one)) : undefined,
    person.words.length && card.words.length ? isOneName(person.words, card.words) : undefined,
    person.birthday && card.birthday ? person.birthday === card.birthday : undefined,
    person.card && card.card ? person.card === card.card : undefined,
    person.snils && card.snils ? person.snils === card.snils : undefined,
    person.policy && card.policies.length ? card.policies.includes(person.policy) : undefined,
  ]
  for (const one of comparisons) {
    if (one === false) return false
    if (one) agree++
  }
  return agree >= enough
}

/** One name may lack words of the other, or have initials for them. */
function isOneName(a: readonly string[], b: readonly string[]): boolean {
  const [few, many] = a.length <= b.length ? [a, b] : [b, a]
  const left = [...many]
  return few.every((word) => {
    const at = left.findIndex(
      (one) =>
        one === word || (word.length === 1 && one.startsWith(word)) || (one.length === 1 && word.startsWith(one)),
    )
    return at >= 0 && left.splice(at, 1).length > 0
  })
}

/** Cards that agree with each person, by label; several where the choice is open. */
export async function cardsOf(context: MovingContext, persons: readonly Person[]): Promise<Map<string, number[]>> {
  const found = new Map<string, number[]>()
  if (persons.length === 0) return found
  const all = (of: Exclude<keyof Person, 'cells'>): string[] =>
    persons.flatMap((one): readonly string[] => [one[of] ?? []].flat())
  const phones = all('phones')
  const any = (values: readonly string[]) => sql`any (${values}::text[])`
  const alone = isNameEnough(context.file.table) ? persons.filter(hasNameAlone) : []
  const c = raw('c')
  const ways = [
    ...phoneFields.map(
      (field) => sql`select "id" from customers where ${raw(`"${field}"`)} = ${any(phones)} and not "deleted"`,
    ),
    sql`select "id" from customers where "snils" = ${any(all('snils'))} and not "deleted"`,
    sql`select "id" from customers where lower("cardNumber") = ${any(all('card'))} and not "deleted"`,
    sql`select "id" from customers where "birthday" = any (${all('birthday')}::date[]) and replace(lower("surname"), 'ё', 'е') = ${any(all('words'))} and not "deleted"`,
    ...(alone.length > 0
      ? [
          sql`select "id" from customers where replace(lower("surname"), 'ё', 'е') = ${any(alone.flatMap(({ words }) => words))} and not "deleted"`,
        ]
      : []),
    sql`select "idCustomer" from customers_policies where "number" = ${any(all('policy'))} and not "deleted"`,
  ]
  const cards = await context.tx.query<Omit<Candidate, 'words'> & { fio: string }>(sql`
    select c."id"::int as id, ${fioSql(c)} as fio, to_char(c."birthday", 'YYYY-MM-DD') as birthday, lower(c."cardNumber") as card,
      c."snils", array_remove(array[${join(phoneFields.map((field) => raw(`c."${field}"`)))}], null) as phones,
      array(select p."number" from customers_policies p where p."idCustomer" = c."id" and not p."deleted") as policies
    from customers c where c."id" in (${join(ways, ' union ')}) and not c."deleted" order by c."id"`)
  const candidates: Candidate[] = cards.map(({ fio, ...card }) => ({ ...card, words: wordsOf(fio) }))
  if (context.isRehearsal) candidates.push(...(await soonCards(context, phones, all('words'))))
  // Most of a portion's cards differ by the phone or the surname: pairs are compared within these alone.
  const byKey = new Map<string, Candidate[]>()
  const keysOf = (one: Pick<Candidate, 'phones' | 'words'>, more: readonly (string | null | undefined)[]) =>
    new Set([...one.phones, ...one.words, ...more.flatMap((key) => key ?? [])])
  for (const card of candidates)
    for (const key of keysOf(card, [card.snils, card.card, ...card.policies]))
      byKey.set(key, [...(byKey.get(key) ?? []), card])
  for (const person of persons) {
    if (found.has(person.label)) continue
    const near = new Set(
      [...keysOf(person, [person.snils, person.card, person.policy])].flatMap((key) => byKey.get(key) ?? []),
    )
    const enough = alone.includes(person) ? 1 : 2
    const ids = new Set([...near].filter((card) => isSame(person, card, enough)).map(({ id }) => id))
    // A row of a file that is rehearsed is often of a card that is here already.
    if (ids.size > 1) ids.delete(0)
    found.set(person.label, [...ids])
  }
  return found
}

/** Rows of this move's files of patients that are rehearsed and not yet loaded. */
async function soonCards(
  { tx, move }: MovingContext,
  phones: readonly string[],
  words: readonly string[],
): Promise<Candidate[]> {
  const files = await tx.query<{ id: number; mapping: Record<string, number> | null }>(sql`
    select "id"::int as id, "mapping" from moving_files where "idMove" = ${move.id} and "table" = ${Customer.path}
      and not "deleted" and "state" in ('ready', 'checking', 'checked')`)
  const candidates: Candidate[] = []
  const tails = phones.map((phone) => phone.replace(/\D/g, '').slice(-10))
  for (const { id, mapping } of files) {
    const at = (name: string) => mapping?.[name]
    const cell = (name: string) => (at(name) === undefined ? raw(`''`) : raw(`coalesce(r."cells"->>${at(name)}, '')`))
    const rows = await tx.query<{ cells: string[] }>(sql`select r."cells" from moving_rows r where r."idFile" = ${id}
      and r."fate" is distinct from 'wrong' and (right(regexp_replace(${cell('Телефон')}, '\\D', '', 'g'), 10) = any (${tails}::text[])
        or replace(lower(split_part(btrim(${cell('ФИО')}), ' ', 1)), 'ё', 'е') = any (${words}::text[])
        or replace(lower(btrim(${cell('Фамилия')})), 'ё', 'е') = any (${words}::text[])) limit 20000`)
    for (const { cells } of rows) {
      const text = (name: string) => cells[at(name) ?? -1] ?? ''
      const person = personOf({
        [signColumns.phone]: text('Телефон'),
        [signColumns.name]: text('ФИО') || [text('Фамилия'), text('Имя'), text('Отчество')].join(' ').trim(),
        [signColumns.birthday]: text('Дата рождения'),
        [signColumns.card]: text('Номер карты'),
        [signColumns.snils]: text('СНИЛС'),
        [signColumns.policy]: text('Полис ОМС'),
      })
      if (!person) continue
      const { label: _, cells: __, birthday = null, card = null, snils = null, policy, ...rest } = person
      candidates.push({ id: 0, ...rest, birthday, card, snils, policies: policy ? [policy] : [] })
    }
  }
  return candidates
}
