/** Opening balances: debts, advances, bonuses and rests of certificates. Each is a transaction of the ledger. */
import { Bonus } from '@ordinator/model/areas/money/bonus'
import { CERTIFICATE_NUMBER, Certificate } from '@ordinator/model/areas/money/certificate'
import sql, { raw } from 'sql-template-tag'
import { type ImporterColumn, readBookSum, readDay, rowReader } from '#areas/imports/index.ts'
import { lockCustomers, type Opening, postOpenings } from '#areas/money/index.ts'
import type { FieldError } from '#platform/errors.ts'
import { signNames, signsOf } from '../persons.ts'
import { BUYER, codesOf, ORGANIZATION, openRefs, PATIENT } from '../refs.ts'
import {
  defineTable,
  type Group,
  type MovingContext,
  type Sum,
  type UnknownName,
  type Work,
  type Written,
} from '../table.ts'
import { patientColumns } from './simple.ts'

/** Transactions of the ledger made by a file. */
export const LEDGER = 'ledger'

const kopecksOf = (rubles: number | undefined): number => Math.round((rubles ?? 0) * 100)

const organizationColumn: ImporterColumn = {
  name: ORGANIZATION,
  also: ['юрлицо', 'юридическое лицо', 'наша организация', 'юр. лицо', 'исполнитель'],
  examples: ['', 'ООО «Клиника»'],
}

const balanceColumns: readonly ImporterColumn[] = [
  ...patientColumns,
  organizationColumn,
  {
    name: 'Долг',
    also: ['задолженность', 'долг пациента', 'должен', 'дебет', 'дт', 'сальдо дт', 'дебетовое сальдо'],
    examples: ['1500', ''],
  },
  {
    name: 'Аванс',
    also: ['депозит', 'предоплата', 'личный счёт', 'остаток аванса', 'кредит', 'кт', 'сальдо кт', 'кредитовое сальдо'],
    examples: ['', '3 000,00'],
  },
  { name: 'Баланс', also: ['сальдо', 'balance', 'баланс счёта'], examples: ['', ''] },
  { name: 'Бонусы', also: ['бонусный счёт', 'бонусный баланс', 'баллы'], examples: ['120', ''] },
  { name: 'Бонусы действуют по', also: ['срок бонусов'], examples: ['', ''] },
]

type Kind = 'debt' | 'advance' | 'bonus'
const kinds = ['debt', 'advance', 'bonus'] as const

interface Balance {
  idCustomer: number
  idOrganization: number
  left: Record<Kind, number>
  bonusTo: string | null
}

/** Columns of money with the kind that a cell that was not read counts as. */
const moneyColumns = { Долг: 'debt', Аванс: 'advance', Баланс: 'debt', Бонусы: 'bonus' } as const
type MoneyColumn = keyof typeof moneyColumns

export const balances = defineTable<Balance>({
  key: 'balances',
  columns: balanceColumns,
  path: 'moving/balances',
  natural: [PATIENT, ...signNames, ORGANIZATION],
  compare: 'sum',
  portion: 1_000,
  async open(context, groups) {
    const refs = await openRefs(context, groups, PATIENT)
    const minus = await signsOfColumns(context)
    return {
      check({ rows: [row], known }) {
        const cells = row?.cells ?? {}
        const reader = rowReader(balanceColumns, cells)
        const { errors, text, refuse } = reader
        const unknown: UnknownName[] = []
        const doubts: FieldError[] = []
        const idCustomer = refs.customer(cells, PATIENT, errors, unknown)
        const idOrganization = refs.organization(text(ORGANIZATION), unknown, doubts, errors)
        checkOrganization(known, idOrganization, context, refuse)
        const who = refs.who(cells)
        const unread: Sum[] = []
        /** Kopecks that the patient owes; a debt of the clinic is negative. */
        const owed = (column: MoneyColumn, sign: 1 | -1): number => {
          const read = text(column) ? readBookSum(text(column)) : { rubles: 0 }
          if (!read) {
            unread.push({ kind: moneyColumns[column], who, kopecks: 0, unread: true })
            refuse(column, 'Нужно число рублей: 1234,50')
            return 0
          }
          const { rubles, side } = read
          if (side) return kopecksOf(Math.abs(rubles)) * (side === 'debit' ? 1 : -1)
          return kopecksOf(minus.has(column) ? Math.abs(rubles) : rubles) * sign
        }
        const parts = [owed('Долг', 1), owed('Аванс', -1), owed('Баланс', -1)]
        const bonus = owed('Бонусы', 1)
        const left = {
          debt: parts.reduce((all, one) => all + Math.max(0, one), 0),
          advance: parts.reduce((all, one) => all + Math.max(0, -one), 0),
          bonus: Math.max(0, bonus),
        }
        if (bonus < 0) refuse('Бонусы', 'Нужно число не меньше нуля')
        const bonusTo = text('Бонусы действуют по') ? (readDay(text('Бонусы действуют по')) ?? null) : null
        if (text('Бонусы действуют по') && !bonusTo) refuse('Бонусы действуют по', 'Нужна дата: 31.12.2026')
        // Rows that are left count too: the former program has them in its sum.
        const sums = [
          ...kinds.flatMap((kind): Sum[] => (left[kind] > 0 ? [{ kind, who, kopecks: left[kind] }] : [])),
          ...unread,
        ]
        if (errors.length || idCustomer === undefined || idOrganization === undefined)
          return { errors, notes: [], unknown, sums }
        const [debt = 0, advance = 0] = parts
        const notes = [
          ...doubts,
          ...(debt < 0 ? [{ field: 'Долг', message: 'Долг с минусом: это переплата, она встанет авансом' }] : []),
          ...(advance > 0 ? [{ field: 'Аванс', message: 'Аванс с минусом: он встанет долгом' }] : []),
          ...(left.debt > 0 && left.advance > 0
            ? [{ field: 'Долг', message: 'И долг, и аванс: на счёте останется разница' }]
            : kinds.every((kind) => left[kind] === 0)
              ? [{ field: PATIENT, message: 'Остатков нет: ничего не заводится' }]
              : []),
        ]
        return {
          values: { idCustomer, idOrganization, left, bonusTo },
          errors,
          notes,
          unknown,
          body: { ...left, ...(text(ORGANIZATION) && { idOrganization }) },
          sums,
        }
      },
      create: (works) => postBalances(context, works),
      change: (works) => postBalances(context, works),
    }
  },
})

/** The difference to a former file belongs on the account that it is on. */
function checkOrganization(
  known: Group['known'],
  idOrganization: number | undefined,
  { move }: MovingContext,
  refuse: (column: string, message: string) => void,
): void {
  const before = known && (known.file?.idOrganization ?? move.idOrganization)
  if (before !== undefined && idOrganization !== undefined && Number(before) !== idOrganization)
    refuse(ORGANIZATION, 'Раньше эта строка была у другой организации: отмените прежний файл и загрузите заново')
}

/**
 * Columns with only negative sums: some programs write debts, and bookkeepers credit, with a minus. Where a column has
 * sums of both signs, the minus turns the side.
 */
async function signsOfColumns({ tx, file: { id, mapping } }: MovingContext): Promise<ReadonlySet<MoneyColumn>> {
  const negative = new Set<MoneyColumn>()
  for (const column of ['Долг', 'Аванс'] as const) {
    const at = mapping[column]
    if (at === undefined) continue
    const found = await tx.one<{ minus: boolean; plus: boolean }>(sql`
      select bool_or(c.minus and c.some) as minus, bool_or(not c.minus and c.some) as plus from moving_rows r
        cross join lateral (select r."cells"->>${raw(String(at))} ~ '^\\s*[-−–(]|\\d\\s*-\\s*$' as minus, r."cells"->>${raw(String(at))} ~ '[1-9]' as some) c
      where r."idFile" = ${id}`)
    if (found?.minus && !found.plus) negative.add(column)
  }
  return negative
}

/** Posts the difference to the former file. */
async function postBalances(context: MovingContext, works: readonly Work<Balance>[]): Promise<Written[]> {
  const { records, tx, move, file, day } = context
  await lockCustomers(
    tx,
    works.map(({ values }) => values.idCustomer),
  )
  const rows: Opening[] = []
  const owners = new Map<string, number>()
  const put = (at: number, kind: Kind, opening: Omit<Opening, 'key'>) => {
    const key = `moving:${file.id}:${works[at]?.group.rows[0]?.row}:${kind}`
    rows.push({ key, ...opening })
    owners.set(key, at)
  }
  const bonuses: { at: number; sum: number }[] = []
  const refused = new Map<number, string>()
  for (const [at, { values, group }] of works.entries()) {
    const before = (group.known?.file ?? {}) as Partial<Record<Kind, number>>
    const more = (kind: Kind) => values.left[kind] - (before[kind] ?? 0)
    if (more('bonus') < 0) {
      refused.set(at, 'Бонусов стало меньше, чем в прошлый раз: спишите разницу на счёте пациента')
      continue
    }
    const account = { kind: 'patient', idCustomer: values.idCustomer, idOrganization: values.idOrganization } as const
    // A debt and an advance of one patient are one balance.
    put(at, 'debt', { account, amount: more('debt') })
    put(at, 'advance', { account, amount: -more('advance') })
    if (more('bonus') > 0) {
      bonuses.push({ at, sum: more('bonus') })
      put(at, 'bonus', {
        account: { kind: 'bonus', idCustomer: values.idCustomer },
        amount: -more('bonus'),
        unit: 'BONUS',
      })
    }
  }
  const made = works.map((): { path: string; id: number }[] => [])
  if (bonuses.length > 0) {
    const given = await records.asSystem.createMany(
      Bonus,
      bonuses.map(({ at, sum }) => {
        const { idCustomer, bonusTo } = (works[at] as Work<Balance>).values
        return {
          idCustomer,
          kind: 'opening',
          sum: sum / 100,
          left: sum / 100,
          dateFrom: day,
          dateTo: bonusTo,
          reason: `Переезд «${move.name}»`,
        }
      }),
      { pastHooks: 'The ledger is written beside them' },
    )
    for (const [n, { id }] of given.entries()) made[bonuses[n]?.at as number]?.push({ path: Bonus.path, id })
  }
  const ownerOf = ({ key }: Opening) => (works[owners.get(key) as number] as Work<Balance>).values.idOrganization
  for (const [idOrganization, own] of Map.groupBy(rows, ownerOf)) {
    const txs = await postOpenings(records, tx, own, {
      localDate: day,
      comment: `Остаток на день переезда «${move.name}»`,
      idOrganization,
      mark: `move-${move.id}`,
    })
    for (const [key, id] of txs) made[owners.get(key) as number]?.push({ path: LEDGER, id })
  }
  return works.map(({ values, group }, at) => {
    const why = refused.get(at)
    if (why) return { made: [], errors: [{ field: 'Бонусы', message: why }] }
    return { id: group.known?.id ?? values.idCustomer, made: made[at] ?? [] }
  })
}

const certificateColumns: readonly ImporterColumn[] = [
  {
    name: 'Номер',
    required: true,
    also: ['номер сертификата', 'сертификат', 'код сертификата'],
    examples: ['ПС-100', 'ПС-101'],
  },
  { name: BUYER, also: ['код пациента', 'код клиента', 'id клиента', 'id покупателя'], examples: ['10045', ''] },
  ...signsOf(false, {
    name: ['покупатель', 'фио покупателя', 'владелец', 'кому продан'],
    phone: ['телефон покупателя', 'телефон владельца'],
  }),
  organizationColumn,
  { name: 'Номинал', required: true, also: ['сумма', 'стоимость'], examples: ['5000', '3000'] },
  { name: 'Остаток', also: ['осталось', 'баланс'], examples: ['2500', ''] },
  {
    name: 'Действует по',
    required: true,
    also: ['действует до', 'срок действия', 'годен до'],
    examples: ['31.12.2027', '01.06.2027'],
  },
]

interface CertificateValues {
  number: string
  idBuyer: number
  idOrganization: number
  sum: number
  rest: number
  dateTo: string
}

export const certificates = defineTable<CertificateValues>({
  key: 'certificates',
  columns: certificateColumns,
  path: Certificate.path,
  natural: ['Номер'],
  compare: 'sum',
  portion: 1_000,
  async open(context, groups) {
    const refs = await openRefs(context, groups, BUYER)
    const there = await context.tx.query<{ number: string }>(sql`select lower("number") as number from certificates
      where lower("number") = any (${codesOf(groups, 'Номер').map((one) => one.toLowerCase())}::text[]) and not "deleted"`)
    const taken = new Set(there.map(({ number }) => number))
    return {
      check({ rows: [row], known }) {
        const cells = row?.cells ?? {}
        const reader = rowReader(certificateColumns, cells)
        const { errors, text, refuse } = reader
        const unknown: UnknownName[] = []
        const notes: FieldError[] = []
        const idBuyer = refs.customer(cells, BUYER, errors, unknown, notes)
        const idOrganization = refs.organization(text(ORGANIZATION), unknown, notes, errors)
        checkOrganization(known, idOrganization, context, refuse)
        const number = text('Номер')
        const { min, max } = CERTIFICATE_NUMBER
        if (number.length < min || number.length > max) refuse('Номер', `Нужно от ${min} до ${max} знаков`)
        if (!known && taken.has(number.toLowerCase())) refuse('Номер', 'Сертификат с этим номером уже есть')
        const sum = kopecksOf(reader.money('Номинал'))
        const readRest = text('Остаток') ? reader.money('Остаток') : undefined
        const rest = text('Остаток') ? kopecksOf(readRest) : sum
        const isUnread = text('Остаток') ? readRest === undefined : sum === 0 && text('Номинал') !== ''
        if (sum <= 0) refuse('Номинал', 'Нужно число больше нуля')
        if (rest < 0 || rest > sum) refuse('Остаток', 'Остаток — от нуля до номинала')
        const dateTo = readDay(text('Действует по'))
        if (!dateTo) refuse('Действует по', 'Нужна дата: 31.12.2027')
        const who = refs.who(cells)
        const sums: Sum[] = isUnread
          ? [{ kind: 'certificate', who, kopecks: 0, unread: true }]
          : rest > 0
            ? [{ kind: 'certificate', who, kopecks: rest }]
            : []
        if (errors.length || idBuyer === undefined || idOrganization === undefined || !dateTo)
          return { errors, notes: [], unknown, sums }
        if (dateTo < context.day) notes.push({ field: 'Действует по', message: 'Срок уже прошёл: оплатить им нельзя' })
        return {
          values: { number, idBuyer, idOrganization, sum, rest, dateTo },
          errors,
          notes,
          unknown,
          body: { rest, ...(text(ORGANIZATION) && { idOrganization }) },
          sums,
        }
      },
      async create(works) {
        const rows = await context.records.asSystem.createMany(
          Certificate,
          works.map(({ values: { number, idBuyer, idOrganization, sum, dateTo } }) => ({
            number,
            idBuyer,
            sum: sum / 100,
            dateTo,
            idOrganization,
          })),
          { pastHooks: 'The ledger is written beside them' },
        )
        return postRests(
          context,
          works,
          rows.map(({ id }) => id),
          true,
        )
      },
      change: (works) =>
        postRests(
          context,
          works,
          works.map(({ group }) => group.known?.id as number),
          false,
        ),
    }
  },
})

async function postRests(
  { records, tx, move, file, day }: MovingContext,
  works: readonly Work<CertificateValues>[],
  ids: readonly number[],
  isNew: boolean,
): Promise<Written[]> {
  const rows = works.map(({ values, group }, at) => ({
    key: `moving:${file.id}:${group.rows[0]?.row}:certificate`,
    account: { kind: 'certificate', idOrganization: values.idOrganization, mark: String(ids[at]) } as const,
    amount: Number((group.known?.file as { rest?: number } | undefined)?.rest ?? 0) - values.rest,
  }))
  const txs = new Map<string, number>()
  for (const [idOrganization, own] of Map.groupBy(rows, ({ account }) => account.idOrganization)) {
    const posted = await postOpenings(records, tx, own, {
      localDate: day,
      comment: `Остаток сертификата на день переезда «${move.name}»`,
      idOrganization,
      mark: `move-${move.id}`,
    })
    for (const [key, id] of posted) txs.set(key, id)
  }
  return works.map((_, at) => {
    const id = ids[at] as number
    const idTx = txs.get(rows[at]?.key ?? '')
    return {
      id,
      made: [...(isNew ? [{ path: Certificate.path, id }] : []), ...(idTx ? [{ path: LEDGER, id: idTx }] : [])],
    }
  })
}
