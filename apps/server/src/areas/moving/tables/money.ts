/** Opening balances: debts, advances, bonuses and what is left of certificates. Each is a transaction of the ledger. */
import { Bonus } from '@ordinator/model/areas/money/bonus'
import { CERTIFICATE_NUMBER, Certificate } from '@ordinator/model/areas/money/certificate'
import sql from 'sql-template-tag'
import { type ImporterColumn, readDay, rowReader } from '#areas/imports/index.ts'
import { lockCustomers, type Opening, postOpenings } from '#areas/money/index.ts'
import { codesOf, openRefs } from '../refs.ts'
import { defineTable, type MovingContext, type Sum, type Work, type Written } from '../table.ts'
import { patientColumn } from './simple.ts'

/** Transactions of the ledger among what a file has made. */
export const LEDGER = 'ledger'

const kopecksOf = (rubles: number | undefined): number => Math.round((rubles ?? 0) * 100)

const balanceColumns: readonly ImporterColumn[] = [
  patientColumn(),
  { name: 'Долг', also: ['задолженность', 'долг пациента', 'должен'], examples: ['1500', ''] },
  { name: 'Аванс', also: ['депозит', 'предоплата', 'личный счёт', 'остаток аванса'], examples: ['', '3 000,00'] },
  { name: 'Баланс', also: ['сальдо', 'balance', 'баланс счёта'], examples: ['', ''] },
  { name: 'Бонусы', also: ['бонусный счёт', 'бонусный баланс', 'баллы'], examples: ['120', ''] },
  { name: 'Бонусы действуют по', also: ['срок бонусов'], examples: ['', ''] },
]

type Kind = 'debt' | 'advance' | 'bonus'
const kinds = ['debt', 'advance', 'bonus'] as const

interface Balance {
  idCustomer: number
  left: Record<Kind, number>
  bonusTo: string | null
}

export const balances = defineTable<Balance>({
  key: 'balances',
  columns: balanceColumns,
  path: 'moving/balances',
  natural: ['Код пациента'],
  compare: 'sum',
  portion: 1_000,
  async open(context, groups) {
    const refs = await openRefs(context, codesOf(groups, 'Код пациента'))
    return {
      check({ rows: [row] }) {
        const cells = row?.cells ?? {}
        const reader = rowReader(balanceColumns, cells)
        const { errors, text, refuse } = reader
        const idCustomer = refs.customer(cells, 'Код пациента', errors)
        const balance = reader.money('Баланс') ?? 0
        const left = {
          debt: kopecksOf(reader.money('Долг')) + Math.max(0, -kopecksOf(balance)),
          advance: kopecksOf(reader.money('Аванс')) + Math.max(0, kopecksOf(balance)),
          bonus: kopecksOf(reader.money('Бонусы')),
        }
        for (const kind of kinds)
          if (left[kind] < 0)
            refuse(kind === 'debt' ? 'Долг' : kind === 'advance' ? 'Аванс' : 'Бонусы', 'Нужно число не меньше нуля')
        const bonusTo = text('Бонусы действуют по') ? (readDay(text('Бонусы действуют по')) ?? null) : null
        if (text('Бонусы действуют по') && !bonusTo) refuse('Бонусы действуют по', 'Нужна дата: 31.12.2026')
        const who = text('Код пациента')
        // What is left counts too: the former program has it in its sum.
        const sums = kinds.flatMap((kind): Sum[] => (left[kind] > 0 ? [{ kind, who, kopecks: left[kind] }] : []))
        if (errors.length || idCustomer === undefined) return { errors, notes: [], sums }
        const notes =
          left.debt > 0 && left.advance > 0
            ? [{ field: 'Долг', message: 'И долг, и аванс: на счёте останется разница' }]
            : kinds.every((kind) => left[kind] === 0)
              ? [{ field: 'Код пациента', message: 'Остатков нет: ничего не заводится' }]
              : []
        return {
          values: { idCustomer, left, bonusTo },
          errors,
          notes,
          body: { ...left },
          sums,
        }
      },
      create: (works) => postBalances(context, works),
      change: (works) => postBalances(context, works),
    }
  },
})

/** Posts the difference to what the former file said. */
async function postBalances(context: MovingContext, works: readonly Work<Balance>[]): Promise<Written[]> {
  const { records, tx, move, file, day } = context
  const { idOrganization } = move
  await lockCustomers(
    tx,
    works.map(({ said }) => said.idCustomer),
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
  for (const [at, { said, group }] of works.entries()) {
    const before = (group.known?.file ?? {}) as Partial<Record<Kind, number>>
    const more = (kind: Kind) => said.left[kind] - (before[kind] ?? 0)
    if (more('bonus') < 0) {
      refused.set(at, 'Бонусов стало меньше, чем в прошлый раз: спишите разницу на счёте пациента')
      continue
    }
    const account = { kind: 'patient', idCustomer: said.idCustomer, idOrganization } as const
    // A debt and an advance of one patient are one balance.
    put(at, 'debt', { account, amount: more('debt') })
    put(at, 'advance', { account, amount: -more('advance') })
    if (more('bonus') > 0) {
      bonuses.push({ at, sum: more('bonus') })
      put(at, 'bonus', {
        account: { kind: 'bonus', idCustomer: said.idCustomer },
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
        const { idCustomer, bonusTo } = (works[at] as Work<Balance>).said
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
  const txs = await postOpenings(records, tx, rows, {
    localDate: day,
    comment: `Остаток на день переезда «${move.name}»`,
    idOrganization,
    mark: `move-${move.id}`,
  })
  for (const [key, id] of txs) made[owners.get(key) as number]?.push({ path: LEDGER, id })
  return works.map(({ said, group }, at) => {
    const why = refused.get(at)
    if (why) return { made: [], errors: [{ field: 'Бонусы', message: why }] }
    return { id: group.known?.id ?? said.idCustomer, made: made[at] ?? [] }
  })
}

const certificateColumns: readonly ImporterColumn[] = [
  {
    name: 'Номер',
    required: true,
    also: ['номер сертификата', 'сертификат', 'код сертификата'],
    examples: ['ПС-100', 'ПС-101'],
  },
  { ...patientColumn('Код покупателя'), also: ['покупатель', 'код пациента', 'код клиента', 'id клиента'] },
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
    const refs = await openRefs(context, codesOf(groups, 'Код покупателя'))
    const there = await context.tx.query<{ number: string }>(sql`select lower("number") as number from certificates
      where lower("number") = any (${codesOf(groups, 'Номер').map((one) => one.toLowerCase())}::text[]) and not "deleted"`)
    const taken = new Set(there.map(({ number }) => number))
    return {
      check({ rows: [row], known }) {
        const cells = row?.cells ?? {}
        const reader = rowReader(certificateColumns, cells)
        const { errors, text, refuse } = reader
        const idBuyer = refs.customer(cells, 'Код покупателя', errors)
        const number = text('Номер')
        const { min, max } = CERTIFICATE_NUMBER
        if (number.length < min || number.length > max) refuse('Номер', `Нужно от ${min} до ${max} знаков`)
        if (!known && taken.has(number.toLowerCase())) refuse('Номер', 'Сертификат с этим номером уже есть')
        const sum = kopecksOf(reader.money('Номинал'))
        const rest = text('Остаток') ? kopecksOf(reader.money('Остаток')) : sum
        if (sum <= 0) refuse('Номинал', 'Нужно число больше нуля')
        if (rest < 0 || rest > sum) refuse('Остаток', 'Остаток — от нуля до номинала')
        const dateTo = readDay(text('Действует по'))
        if (!dateTo) refuse('Действует по', 'Нужна дата: 31.12.2027')
        const sums: Sum[] = rest > 0 ? [{ kind: 'certificate', who: text('Код покупателя'), kopecks: rest }] : []
        if (errors.length || idBuyer === undefined || !dateTo) return { errors, notes: [], sums }
        const notes =
          dateTo < context.day ? [{ field: 'Действует по', message: 'Срок уже прошёл: оплатить им нельзя' }] : []
        return {
          values: { number, idBuyer, sum, rest, dateTo },
          errors,
          notes,
          body: { rest },
          sums,
        }
      },
      async create(works) {
        const rows = await context.records.asSystem.createMany(
          Certificate,
          works.map(({ said: { number, idBuyer, sum, dateTo } }) => ({
            number,
            idBuyer,
            sum: sum / 100,
            dateTo,
            idOrganization: context.move.idOrganization,
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
  const { idOrganization } = move
  const rows = works.map(({ said, group }, at) => ({
    key: `moving:${file.id}:${group.rows[0]?.row}:certificate`,
    account: { kind: 'certificate', idOrganization, mark: String(ids[at]) } as const,
    amount: Number((group.known?.file as { rest?: number } | undefined)?.rest ?? 0) - said.rest,
  }))
  const txs = await postOpenings(records, tx, rows, {
    localDate: day,
    comment: `Остаток сертификата на день переезда «${move.name}»`,
    idOrganization,
    mark: `move-${move.id}`,
  })
  return works.map((_, at) => {
    const id = ids[at] as number
    const idTx = txs.get(rows[at]?.key ?? '')
    return {
      id,
      made: [...(isNew ? [{ path: Certificate.path, id }] : []), ...(idTx ? [{ path: LEDGER, id: idTx }] : [])],
    }
  })
}
