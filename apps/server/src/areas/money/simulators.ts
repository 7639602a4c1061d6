/**
 * Simulators of a register and a terminal: they store state outside our transactions, and fail on demand. They print
 * and charge nothing.
 */
import { SHIFT_HOURS } from '@ordinator/model/areas/money/desk'
import type { FiscalKind } from '@ordinator/model/areas/money/fiscal'
import { noTotals } from '@ordinator/model/areas/money/rules'
import sql from 'sql-template-tag'
import type { Db } from '#platform/db.ts'
import { ValidationError } from '#platform/errors.ts'
import { DeviceError, type Kkt, type PrintedDocument, type Terminal, type TerminalAnswer } from './devices.ts'

/** Persistent faults until repaired, and one-time faults. */
const faults = {
  kkt: {
    noPaper: 'Нет бумаги: вставьте ленту',
    driveFull: 'Фискальный накопитель заполнен: замените его',
    offline: 'Нет связи с регистратором чеков',
  },
  terminal: { offline: 'Нет связи с терминалом' },
}
/** Warnings of a register that still works. */
const signs: Readonly<Record<string, string>> = {
  driveEnding: 'Фискальный накопитель скоро закончится: закажите новый и вызовите сервисный центр',
  ofdSilent: 'Чеки не уходят в ОФД: проверьте интернет кассы и договор с ОФД, иначе она перестанет работать',
}
const onceFaults = {
  kkt: ['lostAnswer', 'break', 'silentBefore', 'silentAfter'],
  terminal: ['decline', 'lostAnswer', 'break', 'silentBefore', 'silentAfter'],
}
type Device = 'kkt' | 'terminal'

/** Sets the fault that a simulator plays; null: it works. */
export async function setFault(db: Db, idDesk: number, device: Device, fault: string | null): Promise<void> {
  const isSign = device === 'kkt' && fault !== null && fault in signs
  if (fault !== null && !isSign && !(fault in faults[device]) && !onceFaults[device].includes(fault))
    throw new ValidationError([{ field: 'fault', message: 'Имитатор такого не играет' }])
  await db.query(sql`insert into simulated_devices ("idDesk", "device", "fault") values (${idDesk}, ${device}, ${fault})
    on conflict ("idDesk", "device") do update set "fault" = excluded."fault"`)
}

/** The current fault of a device; a one-time fault is cleared. */
async function faultOf(db: Db, idDesk: number, device: Device): Promise<string | null> {
  const once = onceFaults[device]
  const row = await db.one<{ fault: string | null }>(sql`
    with was as (select "fault" from simulated_devices where "idDesk" = ${idDesk} and "device" = ${device} for update)
    update simulated_devices s set "fault" = case when was."fault" = any(${once}) then null else was."fault" end
    from was where s."idDesk" = ${idDesk} and s."device" = ${device} returning was."fault"`)
  const fault = row?.fault ?? null
  const words = fault === null ? undefined : (faults[device] as Record<string, string>)[fault]
  if (words) throw new DeviceError(words, { isCertain: true })
  return fault
}

const lateSql = sql`coalesce("shiftOpened" < now() - make_interval(hours => ${SHIFT_HOURS}), false)`
const silence = () => new Promise<never>(() => {})
const lost = () => new DeviceError('Ответ не пришёл', { isCertain: false })

/** Performs the action, or not, and replies, or not, by the fault. */
async function played<T>(fault: string | null, act: () => Promise<T>): Promise<T> {
  if (fault === 'break') throw lost()
  if (fault === 'silentBefore') return silence()
  const done = await act()
  if (fault === 'lostAnswer') throw lost()
  if (fault === 'silentAfter') return silence()
  return done
}

export function simulatedKkt(db: Db, idDesk: number): Kkt {
  const document = async (fd: number): Promise<PrintedDocument | undefined> => {
    const row = await db.one<{ key: string; kind: FiscalKind; shift: number }>(
      sql`select "key", "kind", "shift" from simulated_documents where "idDesk" = ${idDesk} and "fd" = ${fd}`,
    )
    if (!row) return undefined
    return {
      fd,
      fpd: String(1_000_000_000 + idDesk * 100_000 + fd),
      key: row.key,
      ...(row.kind === 'closeShift' && { zNumber: row.shift, totals: await totalsOf(db, idDesk, row.shift) }),
    }
  }
  return {
    async state() {
      const row = await db.one<{ lastFd: number; shift: number | null; late: boolean; fault: string | null }>(
        sql`select "lastFd", "shift", "fault", ${lateSql} as late from simulated_devices where "idDesk" = ${idDesk} and "device" = 'kkt'`,
      )
      if (row?.fault === 'offline') throw new DeviceError(faults.kkt.offline, { isCertain: true })
      return {
        fn: `99990000${String(idDesk).padStart(8, '0')}`,
        lastFd: row?.lastFd ?? 0,
        isShiftOpen: row?.shift != null,
        isShiftLate: row?.late ?? false,
      }
    },
    async signs() {
      const row = await db.one<{ fault: string | null; late: boolean }>(
        sql`select "fault", ${lateSql} as late from simulated_devices where "idDesk" = ${idDesk} and "device" = 'kkt'`,
      )
      const { fault = null, late = false } = row ?? {}
      if (fault === 'offline') throw new DeviceError(faults.kkt.offline, { isCertain: true })
      const words = fault === null ? undefined : (signs[fault] ?? (faults.kkt as Record<string, string>)[fault])
      return [
        ...(words ? [words] : []),
        ...(late ? ['Смена длится больше 24 часов: закройте её и откройте новую'] : []),
      ]
    },
    document: ({ expectedFd }) => document(expectedFd as number),
    async print({ key, kind, receipt }) {
      const fault = await faultOf(db, idDesk, 'kkt')
      return played(fault, async () => {
        const fd = await db.tx(async (tx) => {
          await tx.query(
            sql`insert into simulated_devices ("idDesk", "device") values (${idDesk}, 'kkt') on conflict do nothing`,
          )
          const now = await tx.one<{ shift: number | null; late: boolean }>(sql`select "shift", ${lateSql} as late
            from simulated_devices where "idDesk" = ${idDesk} and "device" = 'kkt' for update`)
          const refuse = (message: string) => new DeviceError(message, { isCertain: true, isOfShift: true })
          if (kind !== 'openShift' && now?.shift == null) throw refuse('Смена регистратора чеков закрыта')
          if (kind === 'openShift' && now?.shift != null) throw refuse('Смена регистратора чеков уже открыта')
          if (kind !== 'closeShift' && now?.late) throw refuse('Смена длится больше 24 часов')
          const next = await tx.one<{ lastFd: number; shift: number }>(sql`update simulated_devices set
            "lastFd" = "lastFd" + 1,
            "lastShift" = "lastShift" + ${kind === 'openShift' ? 1 : 0},
            "shift" = case ${kind}::text when 'openShift' then "lastShift" + 1 when 'closeShift' then null else "shift" end,
            "shiftOpened" = case ${kind}::text when 'openShift' then now() when 'closeShift' then null else "shiftOpened" end
            where "idDesk" = ${idDesk} and "device" = 'kkt' returning "lastFd", "lastShift" as shift`)
          await tx.query(sql`insert into simulated_documents ("idDesk", "fd", "key", "kind", "shift", "receipt")
            values (${idDesk}, ${next?.lastFd}, ${key}, ${kind}, ${next?.shift}, ${receipt && JSON.stringify(receipt)})`)
          return next?.lastFd as number
        })
        return (await document(fd)) as PrintedDocument
      })
    },
  }
}

async function totalsOf(db: Db, idDesk: number, shift: number) {
  const totals = noTotals()
  const rows = await db.query<{ kind: keyof typeof totals; type: string; sum: string }>(sql`
    select d."kind", p->>'type' as type, sum((p->>'sum')::bigint)::text as sum
    from simulated_documents d, jsonb_array_elements(d."receipt"->'payments') p
    where d."idDesk" = ${idDesk} and d."shift" = ${shift} and d."kind" in ('sell', 'sellReturn') group by 1, 2`)
  for (const { kind, type, sum } of rows)
    if (type === 'cash' || type === 'electronically') totals[kind][type] = Number(sum)
  return totals
}

export function simulatedTerminal(db: Db, idDesk: number): Terminal {
  const answer = (name: string): TerminalAnswer => {
    const seed = [...`${idDesk}/${name}`].reduce((sum, sign) => (sum * 31 + sign.charCodeAt(0)) % 1_000_000, 7)
    return {
      isApproved: true,
      rrn: String(800_000_000_000 + idDesk * 1_000_000 + seed),
      authCode: String(seed).padStart(6, '0'),
      card: '**** 4242',
    }
  }
  const carry = async (kind: 'pay' | 'refund', name: string, amount: number): Promise<TerminalAnswer> => {
    const fault = await faultOf(db, idDesk, 'terminal')
    if (fault === 'decline') return { isApproved: false, message: 'Недостаточно средств' }
    return played(fault, async () => {
      // A real terminal charges a repeated request twice: the simulator does too, and counts it.
      const done = await db.one<{
        kind: string
      }>(sql`insert into simulated_charges ("idDesk", "operation", "kind", "amount")
        values (${idDesk}, ${name}, ${kind}, ${amount}) on conflict ("idDesk", "operation")
        do update set "times" = simulated_charges."times" + 1 where simulated_charges."kind" <> 'never' returning "kind"`)
      return done ? answer(name) : { isApproved: false, message: 'Операция отменена' }
    })
  }
  return {
    pay: (name, amount) => carry('pay', name, amount),
    refund: (name, amount) => carry('refund', name, amount),
    async ask(name) {
      const state = await db.one<{ fault: string | null }>(
        sql`select "fault" from simulated_devices where "idDesk" = ${idDesk} and "device" = 'terminal'`,
      )
      if (state?.fault === 'offline') throw new DeviceError(faults.terminal.offline, { isCertain: true })
      await db.query(sql`insert into simulated_charges ("idDesk", "operation", "kind", "amount")
        values (${idDesk}, ${name}, 'never', 0) on conflict do nothing`)
      const known = await db.one<{ kind: string }>(
        sql`select "kind" from simulated_charges where "idDesk" = ${idDesk} and "operation" = ${name}`,
      )
      return known?.kind === 'never' ? undefined : answer(name)
    },
    async total(since) {
      const row = await db.one<{ sum: string }>(sql`select coalesce(sum(case "kind" when 'pay' then "amount" * "times"
        when 'refund' then -"amount" * "times" else 0 end), 0)::text as sum from simulated_charges
        where "idDesk" = ${idDesk} and "dateCreate" >= ${since}`)
      return Number(row?.sum)
    },
  }
}
