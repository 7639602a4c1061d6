import { filialCalls } from '@ordinator/model/areas/filials/calls'
import {
  namesFilial,
  numberText,
  periodOf,
  type Reset,
  Sequence,
  sequenceErrors,
} from '@ordinator/model/areas/filials/sequence'
import { dayIn, zoneFor } from '@ordinator/model/zone'
import sql from 'sql-template-tag'
import { clinicZone } from '#areas/settings/index.ts'
import type { Queryable, Tx } from '#platform/db.ts'
import { HttpError, notFound, ValidationError } from '#platform/errors.ts'
import { records } from '#records/define.ts'
import { journal, journalActor } from '#records/journal.ts'
import { operation } from '#records/operation.ts'

export const sequences = records(Sequence, {
  computed: {
    counters: ({ row }) => sql`(select coalesce(jsonb_agg(c order by c."idFilial"), '[]') from (
      select distinct on ("idFilial") "idFilial", "period", "next" from sequence_counters
      where "idSequence" = ${row}."id" order by "idFilial", "period" desc) c)`,
  },
  hooks: {
    prepare(value, before) {
      const errors = sequenceErrors({ ...before, ...value })
      if (errors.length) throw new ValidationError(errors)
    },
    async beforeUpdate({ tx }, value, before) {
      const changed = (['reset', 'perFilial'] as const).find(
        (field) => value[field] !== undefined && value[field] !== before[field],
      )
      if (!changed) return
      const issued = await tx.one(sql`select 1 from sequence_counters where "idSequence" = ${before.id} limit 1`)
      if (issued)
        throw new ValidationError([
          { field: changed, message: 'По этой нумерации уже выданы номера: заведите новую, иначе номера повторятся' },
        ])
    },
  },
})

interface Numbered {
  id: number
  mask: string
  reset: Reset
  perFilial: boolean
}

/** Branch and day of a number. */
interface Asked {
  /** Absent: a number of the whole clinic. */
  idFilial?: number | null | undefined
  /** YYYY-MM-DD; absent: today in the time zone of the branch, else of the clinic. */
  day?: string
}

/**
 * The next number of a sequence, formatted for documents. Its counter is locked until the end of the caller's
 * transaction: concurrent callers wait, and a rollback leaves no gap. So call it last, and in the same order if a
 * document needs numbers of two sequences.
 * @throws HttpError 409 if the sequence is not configured
 * @throws ValidationError at `idFilial` if the number needs a branch, or a code that the branch lacks
 */
export async function nextNumber(tx: Tx, code: string, asked: Asked = {}): Promise<string> {
  const [number] = await nextNumbers(tx, code, 1, asked)
  return number as string
}

/** The next numbers of a sequence, as many as are asked for; see `nextNumber`. */
export async function nextNumbers(
  tx: Tx,
  code: string,
  count: number,
  { idFilial, day }: Asked = {},
): Promise<string[]> {
  // Shared lock, so that its way of counting does not change meanwhile.
  const of = await tx.one<Numbered>(sql`select "id", "mask", "reset", "perFilial" from sequences
    where lower("code") = lower(${code}) and not "deleted" for share`)
  if (!of)
    throw new HttpError(409, `Нумерация «${code}» не настроена: её заводят в настройках, «Нумерация»`, {
      code: 'sequence',
    })
  const place = await placeOf(tx, of, idFilial, day)
  const made = await tx.one<{ number: number }>(sql`
    insert into sequence_counters ("idSequence", "idFilial", "period", "next")
    values (${of.id}, ${place.idFilial}, ${place.period}, ${count + 1})
    on conflict ("idSequence", "idFilial", "period") do update set "next" = sequence_counters."next" + ${count}
    returning "next" - ${count} as number`)
  const first = Number(made?.number)
  return Array.from({ length: count }, (_, at) => numberText(of.mask, { ...place, number: first + at }))
}

/** The counter to use, and the branch and day values for the number. */
async function placeOf(db: Queryable, of: Numbered, idFilial: number | null | undefined, asked?: string) {
  const refuse = (message: string) => new ValidationError([{ field: 'idFilial', message }])
  const filial = await db.one<{
    id: number | null
    name: string
    code: string | null
    zone: string | null
    clinic: string
  }>(
    sql`select f."id", f."nameFilial" as name, f."filialCode" as code, f."timeZone" as zone, ${clinicZone} as clinic
      from (select) one left join filials f on f."id" = ${idFilial ?? null} and not f."deleted"`,
  )
  const found = filial?.id ? filial : undefined
  if (idFilial && !found) throw refuse('Запись не найдена')
  if (of.perFilial && !found) throw refuse('Выберите филиал: в каждом свой счёт номеров')
  if (namesFilial(of.mask) && !found) throw refuse('Выберите филиал: его код стоит в номере')
  if (namesFilial(of.mask) && !found?.code) throw refuse(`У филиала «${found?.name}» нет кода, а он стоит в номере`)
  const day = asked ?? dayIn(zoneFor(filial?.clinic ?? 'Europe/Moscow', found?.zone), Date.now())
  return {
    idFilial: of.perFilial ? (found?.id ?? null) : null,
    filial: found?.code ?? '',
    day,
    period: periodOf(of.reset, day),
  }
}

/** Advances a counter, to continue a former numbering. Never back, because those numbers are issued. */
export const setNext = operation(filialCalls.setNext, async ({ records, actor, params: { id }, body }) =>
  records.tx(async (inside, tx) => {
    const of = await tx.one<Numbered>(
      sql`select "id", "mask", "reset", "perFilial" from sequences where "id" = ${id} and not "deleted" for share`,
    )
    if (!of) throw notFound()
    const { idFilial, period } = await placeOf(tx, of, body.idFilial)
    const set = await tx.one(sql`
      insert into sequence_counters ("idSequence", "idFilial", "period", "next")
      values (${id}, ${idFilial}, ${period}, ${body.next})
      on conflict ("idSequence", "idFilial", "period") do update set "next" = excluded."next"
      where sequence_counters."next" <= excluded."next" returning 1`)
    if (!set)
      throw new ValidationError([
        { field: 'next', message: 'Меньшие номера уже выданы: следующий может быть только больше' },
      ])
    const basis = `Следующий номер: ${body.next}${period && `, период ${period}`}${idFilial ? `, филиал № ${idFilial}` : ''}`
    await journal(tx, { ...journalActor(actor), action: 'update', entityType: Sequence.path, idEntity: id, basis })
    return inside.row(Sequence, id)
  }),
)
