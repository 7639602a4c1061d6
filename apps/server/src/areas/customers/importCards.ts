/** The cards of the clinic that rows of an import may be of: found by numbers, names and phones. */
import { phoneFields } from '@ordinator/model/areas/customers/customer'
import { nameSpelling } from '@ordinator/model/spelling'
import sql, { join, raw } from 'sql-template-tag'
import { plainName } from '#areas/imports/index.ts'
import { readCommonSettings } from '#areas/settings/index.ts'
import { fioSql } from '#areas/staff/index.ts'
import type { Tx } from '#platform/db.ts'
import type { FieldError } from '#platform/errors.ts'
import { becauseSql, keysSql, soughtBecause } from './keys.ts'

/** What a card is found by, the surest first: the letters that keys of a row begin with, and their columns. */
export const foundBy = {
  s: 'СНИЛС',
  e: 'Полис ОМС',
  i: 'ИНН',
  d: 'Серия и номер',
  c: 'Номер карты',
  f: 'ФИО',
  p: 'ФИО',
} as const
export type By = keyof typeof foundBy
const SUREST = Object.keys(foundBy).join('')
/** Numbers that no two patients have in common. */
export const isNumber = (by: By): boolean => by !== 'f' && by !== 'p'

/** A possible card of a row: an existing one, or, with id 0 until written, one of an earlier row. */
export interface Card {
  id: number
  fio: string
  birthday: string | null
  surname: string | null
  name: string | null
  middleName: string | null
  snils: string | null
  inn: string | null
}
export interface Found {
  card: Card
  by: By
}

/** A parsed and validated row. */
export interface ReadRow {
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

/** Finds existing cards that may match the rows. @returns their number */
export async function compare(tx: Tx, rows: readonly ReadRow[]): Promise<number> {
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
    const row = rows[at] as ReadRow
    const numbers = Object.entries(ownNumbers).flatMap(([by, field]) =>
      row.body[field] ? [`${by}${by === 'd' ? documentOf(row.body) : ''}${row.body[field]}`] : [],
    )
    row.keys = [...(row.policy ? [`e${row.policy}`] : []), ...numbers, ...keys]
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
  for (const { at, by, ...card } of found) (rows[at] as ReadRow).found.push({ card, by })
  return found.length
}

/** Other numbers of a card that are one patient's, by the letters of `foundBy`. */
const ownNumbers = { i: 'inn', d: 'numberPassport', c: 'cardNumber' } as const
/** The kind of a document that a row does not name. */
const DOCUMENT = 'passport'
const documentOf = (body: Readonly<Record<string, unknown>>): string => String(body.documentType ?? DOCUMENT)

export const wordOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
/** A double surname is equal with a hyphen and with a space. */
const spelled = (name: string): string => plainName(nameSpelling(name).replaceAll('-', ' '))
export const differ = (a: string | null, b: unknown): boolean =>
  a !== null && wordOf(b) !== null && spelled(a) !== spelled(String(b))

/**
 * Whether a card with the number of a row is another person's: a row with the mother's СНИЛС and the child's name. Whoever
 * has married has the former name and birthday.
 */
export function isAlien(card: Card, body: Readonly<Record<string, unknown>>): boolean {
  const isNamed = differ(card.name, body.name)
  const isSurnamed = differ(card.surname, body.surname)
  const isBorn = differ(card.birthday, body.birthday)
  const isSameBirthday = card.birthday !== null && card.birthday === wordOf(body.birthday)
  return ((isNamed || isSurnamed) && isBorn) || (isNamed && isSurnamed && !isSameBirthday)
}

export const personOf = ({ fio, birthday }: Card): string => [fio, birthday].filter(Boolean).join(', ')

/** As `mayBeOne`: another birthday or patronymic means a relative. */
export const mayBe = (card: Card, body: Record<string, unknown>): boolean =>
  (!card.birthday || !body.birthday || card.birthday === body.birthday) &&
  (!card.middleName || !body.middleName || plainName(card.middleName) === plainName(String(body.middleName)))
