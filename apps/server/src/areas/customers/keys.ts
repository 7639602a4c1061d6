import { phoneFields } from '@ordinator/model/areas/customers/customer'
import sql, { join, raw, type Sql } from 'sql-template-tag'

/**
 * SQL of the matching keys of a card; must equal the expression of the index `customers_keys_idx`: an array of texts,
 * prefixed by the reason: `s` СНИЛС, `f` names and birthday, `p` a phone and the first name.
 * @param row alias of a row with the fields of a card in their SQL types
 */
export const keysSql = (row: Sql): Sql =>
  sql`customer_keys(${join(['surname', 'name', 'birthday', 'snils'].map((field) => sql`${row}.${raw(`"${field}"`)}`))},
    array[${join(phoneFields.map((field) => sql`${row}.${raw(`"${field}"`)}`))}])`

/**
 * SQL condition: two cards can be of one patient at all. Cards that share a phone and a first name, or names and a
 * birthday, but differ in birthday or patronymic, are relatives.
 */
export const mayBeOne = (
  a: Sql,
  b: Sql,
): Sql => sql`(${a}."birthday" = ${b}."birthday" or ${a}."birthday" is null or ${b}."birthday" is null)
  and (lower(${a}."middleName") = lower(${b}."middleName") or coalesce(${a}."middleName", '') = '' or coalesce(${b}."middleName", '') = '')`

/**
 * SQL of the reasons why two cards may be of one patient, as in `sameReasons`, without policies: an array, empty for
 * different patients.
 */
export const becauseSql = (a: Sql, b: Sql): Sql => sql`array_remove(array[
    case when ${a}."snils" = ${b}."snils" then 'snils' end,
    case when ${mayBeOne(a, b)} and ${shares(a, b, 'f')} then 'fio' end,
    case when ${mayBeOne(a, b)} and ${shares(a, b, 'p')} then 'phone' end
  ], null)`

/** SQL of the reasons enabled in the clinic's settings: the certain ones always, the likely ones if set. */
export const soughtBecause = (because: Sql): Sql => sql`array(select why from unnest(${because}) why
  where why in ('snils', 'policy') or coalesce((select s."value" from common_settings s
    where s."name" = 'customerDuplicates') ? why, true))`

const shares = (a: Sql, b: Sql, kind: 'f' | 'p'): Sql =>
  sql`exists (select from unnest(${keysSql(a)}) k where k like ${`${kind}%`} and k = any (${keysSql(b)}))`
