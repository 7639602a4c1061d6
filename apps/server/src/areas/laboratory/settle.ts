/**
 * The only writer of values (`scripts/imports.mjs` holds it): devices, people, partners, formulas, corrections, changed
 * norms and cards all pass `settleValue`. It writes one change and then redoes what follows from it, in the order that
 * the model declares (`dependencies.ts`): derived values, norms and flags, calls about critical ones, papers.
 */
import { type Fact, type Follower, followersOf } from '@ordinator/model/areas/laboratory/dependencies'
import { LabOrder, LabOrderItem } from '@ordinator/model/areas/laboratory/order'
import { LabResult, type Review } from '@ordinator/model/areas/laboratory/result'
import { type DropReason, isPublished } from '@ordinator/model/areas/laboratory/states'
import { normFor, type Patient } from '@ordinator/model/areas/laboratory/values'
import sql, { raw, type Sql } from 'sql-template-tag'
import { notify } from '#areas/notifications/index.ts'
import { holdsSql } from '#auth/actors.ts'
import type { Tx } from '#platform/db.ts'
import { ValidationError } from '#platform/errors.ts'
import type { Records } from '#records/records.ts'
import type { Change, Place, ResultRow, Work } from './change.ts'
import { derivedOf } from './derivedValues.ts'
import { type Analyte, analytesOf, judge, type Line, linesOf, normsOf, patientOf, type Standing } from './judging.ts'
import { settleOrder } from './orders.ts'

const facts: Readonly<Record<Change['how'], readonly Fact[]>> = {
  put: ['value'],
  drop: ['value'],
  choose: ['value'],
  comment: [],
  final: ['value'],
  check: [],
  publish: [],
  back: [],
  correct: ['value'],
  review: [],
  judge: ['patient', 'norm'],
  call: [],
}

const MAX_NUM = 1e11
/** The number as stored, or null: no number, or out of the column's range. */
const numberOf = (reading: Standing): number | null =>
  reading.kind === 'number' && Math.abs(reading.number) < MAX_NUM ? Math.round(reading.number * 1e6) / 1e6 : null

/** Writes one change of a value and what follows from it. @returns the row that it concerns */
export const settleValue = (work: Work, change: Change): Promise<ResultRow> =>
  settleValues(work, (settle) => settle(change))

/** Several changes; what follows from them is done once, at the end. */
export async function settleValues<T>(
  work: Work,
  run: (settle: (change: Change) => Promise<ResultRow>) => Promise<T>,
): Promise<T> {
  const settling = new Settling(work)
  const made = await run((change) => settling.write(change))
  await settling.follow()
  return made
}

class Settling {
  readonly #lines = new Map<number, Line>()
  readonly #analytes = new Map<number, Analyte>()
  readonly #items = new Set<number>()
  readonly #facts = new Set<Fact>()
  /** Published values that have changed, with the reason. */
  readonly #corrected: { idOrder: number; analyte: string; reason: string }[] = []
  readonly #reviews: { idOrder: number; analyte: string }[] = []
  readonly #records: Records
  readonly #tx: Tx

  constructor({ records, tx }: Work) {
    this.#records = records
    this.#tx = tx
  }

  async write(change: Change): Promise<ResultRow> {
    for (const fact of facts[change.how]) this.#facts.add(fact)
    for (const id of itemsOf(change)) this.#items.add(id)
    switch (change.how) {
      case 'put':
        return this.#put(change)
      case 'drop':
        return this.#update(change.row.id, {
          ...this.#dropped(change.why),
          ...(change.reason && { reason: change.reason }),
        })
      case 'choose':
        await this.#dropOthers(change.row)
        return this.#update(change.row.id, { isMain: true })
      case 'comment':
        return this.#update(change.row.id, { comment: change.comment })
      case 'final':
        return this.#update(change.row.id, { preliminary: change.preliminary })
      case 'check':
      case 'publish':
      case 'back':
        return this.#advance(change.how, change.rows)
      case 'correct':
        return this.#correct(change)
      case 'review':
        return this.#review(change.row, change.review)
      case 'judge':
        return this.#judge(change.row, change.why)
      case 'call':
        return this.#update(change.row.id, {
          ...{ calledTo: change.to, calledAt: change.at, readBack: true },
          ...{ idCaller: this.#records.actor.id, callDue: false },
        })
    }
  }

  /** Redoes what follows, by the declared order. */
  async follow(): Promise<void> {
    const redo: Readonly<Record<Follower, () => Promise<unknown>>> = {
      derived: () => this.#derive(),
      // A value is judged as it is written; a changed norm or card comes as a change of its own.
      flag: async () => undefined,
      call: () => this.#ring(),
      paper: () => this.#papers(),
    }
    for (const follower of followersOf([...this.#facts])) await redo[follower]()
    await this.#notifyReviewers()
  }

  async #put({ at, reading, origin, as = 'main', former, replaced = 'hand' }: Extract<Change, { how: 'put' }>) {
    const [line, analyte] = await this.#about(at)
    const judged = await judge(this.#tx, line, analyte, reading, origin.idDevice ?? null)
    const struck = typeof as === 'object'
    if (former && as === 'main') await this.#update(former.id, this.#dropped(replaced))
    const made = await this.#records.asSystem.create(LabResult, {
      ...at,
      idCustomer: line.idCustomer,
      idSample: line.idSample,
      takenAt: line.takenAt ?? new Date().toISOString(),
      kind: reading.kind,
      source: origin.source,
      preliminary: origin.preliminary ?? false,
      value: reading.value,
      valueNum: numberOf(reading),
      said: origin.said && origin.said !== reading.value ? origin.said : null,
      unit: reading.kind === 'number' ? analyte.unit : null,
      ...judged,
      isMain: as === 'main',
      ...(struck && this.#dropped(as.struck)),
      ...(origin.comment !== undefined && { comment: origin.comment }),
      reason: origin.reason ?? null,
      idDevice: origin.idDevice ?? null,
      idMessage: origin.idMessage ?? null,
      deviceFlags: origin.deviceFlags?.slice(0, 64) ?? null,
      measuredText: origin.measuredText?.slice(0, 64) ?? null,
      idFormer: former?.id ?? null,
    })
    if (as === 'main') await this.#begin(line, origin.idDevice ?? null)
    return made
  }

  /** A line with a value is in work. */
  async #begin(line: Line, idDevice: number | null): Promise<void> {
    const begins = line.status !== 'inWork' && line.status !== 'done'
    if (!begins && !idDevice) return
    await this.#records.asSystem.updateWhere(LabOrderItem, ({ row }) => sql`${row}."id" = ${line.id}`, {
      ...(begins && { status: 'inWork' as const }),
      ...(idDevice && { idDevice }),
    })
    if (begins) line.status = 'inWork'
  }

  async #advance(how: 'check' | 'publish' | 'back', rows: readonly ResultRow[]): Promise<ResultRow> {
    const { id } = this.#records.actor
    const now = new Date().toISOString()
    const set = {
      check: { status: 'technical', idTechnical: id, technicalAt: now },
      publish: { status: 'medical', idMedical: id, medicalAt: now },
      back: { status: 'raw', idTechnical: null, technicalAt: null },
    } as const
    await this.#records.asSystem.updateWhere(
      LabResult,
      ({ row }) => sql`${row}."id" = any (${rows.map((one) => one.id)}::bigint[])`,
      set[how],
    )
    return rows[0] as ResultRow
  }

  async #correct({ row, reading, reason, source = 'hand', idDevice = null }: Extract<Change, { how: 'correct' }>) {
    const [line, analyte] = await this.#about(row)
    const system = this.#records.asSystem
    if (row.review?.idOther) await this.#update(row.review.idOther, this.#dropped('review'))
    await system.update(LabResult, row.id, { isMain: false, status: 'corrected', review: null })
    const byPerson = source !== 'formula'
    const made = await system.create(LabResult, {
      ...{ idItem: row.idItem, idAnalyte: row.idAnalyte, idCustomer: line.idCustomer, takenAt: row.takenAt },
      ...{ idSample: row.idSample, kind: reading.kind, source, value: reading.value, valueNum: numberOf(reading) },
      unit: reading.kind === 'number' ? (row.unit ?? analyte.unit) : null,
      ...(await judge(this.#tx, line, analyte, reading, idDevice)),
      ...{ status: 'corrected', idFormer: row.id, reason, idDevice },
      // A recalculation does not answer the question about the tube.
      ...(!byPerson && row.review?.why === 'tube' && { review: row.review }),
      ...{ idTechnical: row.idTechnical, technicalAt: row.technicalAt },
      // A recalculation depends on the approval of its sources.
      idMedical: byPerson ? this.#records.actor.id || row.idMedical : row.idMedical,
      medicalAt: new Date().toISOString(),
    })
    this.#corrected.push({ idOrder: line.idOrder, analyte: analyte.name, reason })
    return made
  }

  async #review(row: ResultRow, review: Review | null): Promise<ResultRow> {
    const [line, analyte] = await this.#about(row)
    if (review && JSON.stringify(row.review) !== JSON.stringify(review))
      this.#reviews.push({ idOrder: line.idOrder, analyte: analyte.name })
    // Left as it is: what was seen is not asked again.
    const judged = review === null && row.review?.why === 'card' && { judgedFor: patientOf(line) }
    return this.#update(row.id, { review, ...judged })
  }

  /** Judges a value by the current data. A published one keeps its judgement; its approver is asked. */
  async #judge(row: ResultRow, why: 'card' | 'norm'): Promise<ResultRow> {
    if (!row.isMain && row.status !== 'raw') return row
    const [line, analyte] = await this.#about(row)
    const now = await judge(this.#tx, line, analyte, { kind: row.kind, value: row.value }, row.idDevice)
    const isSame = now.flag === row.flag && now.normText === row.normText
    if (!isPublished(row.status))
      return isSame && row.judgedFor ? row : this.#update(row.id, { ...now, idCustomer: line.idCustomer })
    // Another question is answered first; its answer judges anew.
    if (why === 'norm' || (row.review && row.review.why !== 'card')) return row
    const other = isSame || !(await this.#concerns(row, line)) ? null : { normText: now.normText, flag: now.flag }
    if (other) return this.#review(row, { why: 'card', ...other })
    return row.review?.why === 'card' ? this.#update(row.id, { review: null }) : row
  }

  /** Whether the patient's change, and not a later change of the catalogue, leads to another norm. */
  async #concerns({ idAnalyte, idDevice, judgedFor }: ResultRow, line: Line): Promise<boolean> {
    if (!judgedFor) return true
    const norms = await normsOf(this.#tx, idAnalyte)
    const of = (patient: Patient) => normFor(norms, patient, { idDevice, method: line.method })
    return of(judgedFor) !== of(patientOf(line))
  }

  /** Derived values of the touched orders by their current sources. */
  async #derive(): Promise<void> {
    for (const { at, main, value, preliminary } of await derivedOf(this.#tx, [...this.#items])) {
      const reading: Standing | undefined =
        value === undefined ? undefined : { kind: 'number', value, number: Number(value) }
      if (main && isPublished(main.status)) {
        if (reading && main.kind === 'number' && main.value === reading.value) {
          if (main.review?.why === 'sources') await this.write({ how: 'review', row: main, review: null })
        } else if (reading && main.source === 'formula')
          await this.write({ how: 'correct', row: main, reading, reason: 'пересчитано', source: 'formula' })
        else if (main.review?.why !== 'tube') {
          const [line, analyte] = await this.#about(at)
          const judged = reading && (await judge(this.#tx, line, analyte, reading, null))
          const { normText, flag } = judged ?? main
          const review: Review = { why: 'sources', ...(reading && { value: reading.value }), normText, flag }
          await this.write({ how: 'review', row: main, review })
        }
      } else if (!reading) {
        if (main) await this.write({ how: 'drop', row: main, why: 'formula' })
      } else if (!main || main.value !== reading.value)
        await this.write({
          ...{ how: 'put', at, reading, origin: { source: 'formula', preliminary } },
          ...{ former: main, replaced: 'formula' },
        })
      else if (main.preliminary !== preliminary) await this.write({ how: 'final', row: main, preliminary })
    }
  }

  /** Asks for a call about each critical value that has none, and rings about new ones. */
  async #ring(): Promise<void> {
    const due = (row: Sql) => sql`(coalesce(${row}."flag" in ('LL', 'HH'), false) and ${row}."calledAt" is null
      and case when ${row}."isMain" then ${row}."status" <> 'dropped' else ${row}."status" = 'raw' end)`
    const changed = await this.#records.asSystem.updateWhere(
      LabResult,
      ({ row }) => sql`${row}."idItem" = any (${[...this.#items]}::bigint[]) and ${row}."callDue" <> ${due(row)}`,
      ({ row }) => ({ callDue: due(row) }),
      { fields: ['id', 'idItem', 'idAnalyte', 'callDue'] },
    )
    for (const row of changed) {
      if (!row.callDue) continue
      const [line, analyte] = await this.#about(row)
      // Notices do not contain the value: they may be sent by mail.
      await this.#notify(line.idOrder, {
        kind: 'laboratory.critical',
        title: (number) => `Критическое значение: заказ ${number}`,
        text: `${analyte.name}: сообщите лечащему врачу и запишите звонок`,
      })
    }
  }

  /** State of the orders; a form that was issued with another value is issued again, and its people are notified. */
  async #papers(): Promise<void> {
    const corrected = Map.groupBy(this.#corrected, ({ idOrder }) => idOrder)
    for (const [idOrder, changes] of corrected) {
      const order = await this.#records.asSystem.row(LabOrder, idOrder)
      const wasIssued = order.issuedAt !== null
      if (wasIssued) await this.#records.asSystem.update(LabOrder, idOrder, { issuedAt: null, reissue: true })
      const recipients = [order.idDoctor, order.idAuthor, ...(wasIssued ? [order.idIssuer] : [])]
      await notify(
        { actor: this.#records.actor, tx: this.#tx, records: this.#records },
        [...new Set(recipients.filter((id): id is number => id !== null))],
        {
          kind: 'laboratory.corrected',
          title: `Результат исправлен: заказ ${order.number}`,
          text: [
            ...changes.map(({ analyte, reason }) => `${analyte}: причина — ${reason}`),
            ...(wasIssued ? ['Бланк уже выдан: выдайте его заново'] : []),
          ].join('. '),
          ...aboutOrder(order.id),
        },
      )
    }
    const orders = await this.#tx.query<{ id: number }>(sql`select distinct "idOrder" as id from laboratory_order_items
      where "id" = any (${[...this.#items]}::bigint[]) order by 1`)
    for (const { id } of orders) await settleOrder(this.#records, this.#tx, id)
  }

  async #notifyReviewers(): Promise<void> {
    for (const [idOrder, reviews] of Map.groupBy(this.#reviews, ({ idOrder: of }) => of))
      await this.#notify(idOrder, {
        kind: 'laboratory.review',
        title: (number) => `Пересмотрите результат: заказ ${number}`,
        text: [...new Set(reviews.map(({ analyte }) => analyte))].join(', '),
      })
  }

  /** Notifies the ordering doctor and all approvers. */
  async #notify(
    idOrder: number,
    {
      kind,
      title,
      text,
    }: { kind: 'laboratory.critical' | 'laboratory.review'; title: (number: string | null) => string; text: string },
  ): Promise<void> {
    const order = await this.#records.asSystem.row(LabOrder, idOrder)
    const approvers = await this.#tx.query<{ id: number }>(
      sql`select u.id from users u where ${holdsSql(raw('u.id'), 'approveLabResults')} and not u.deleted and not u."isBlocked" limit 200`,
    )
    const recipients = [order.idDoctor, ...approvers.map(({ id }) => id)].filter((id): id is number => id !== null)
    await notify({ actor: this.#records.actor, tx: this.#tx, records: this.#records }, recipients, {
      ...{ kind, title: title(order.number), text, ...aboutOrder(order.id) },
    })
  }

  async #dropOthers({ id, idItem, idAnalyte }: ResultRow): Promise<void> {
    await this.#records.asSystem.updateWhere(
      LabResult,
      ({ row }) => sql`${row}."idItem" = ${idItem} and ${row}."idAnalyte" = ${idAnalyte}
        and ${row}."id" <> ${id} and ${row}."status" in ('raw', 'technical')`,
      this.#dropped('choice'),
    )
  }

  #dropped(why: DropReason) {
    return {
      ...{ status: 'dropped' as const, isMain: false, dropWhy: why, callDue: false },
      ...{ idDropper: this.#records.actor.id || null, droppedAt: new Date().toISOString() },
    }
  }

  #update = (id: number, set: Partial<ResultRow>): Promise<ResultRow> =>
    this.#records.asSystem.update(LabResult, id, set)

  async #about({ idItem, idAnalyte }: Place): Promise<[Line, Analyte]> {
    if (!this.#lines.has(idItem)) for (const [id, line] of await linesOf(this.#tx, [idItem])) this.#lines.set(id, line)
    if (!this.#analytes.has(idAnalyte))
      for (const [id, analyte] of await analytesOf(this.#tx, [idAnalyte])) this.#analytes.set(id, analyte)
    const [line, analyte] = [this.#lines.get(idItem), this.#analytes.get(idAnalyte)]
    if (!line || !analyte) throw new ValidationError([{ field: 'values', message: 'Такого исследования в заказе нет' }])
    return [line, analyte]
  }
}

const aboutOrder = (id: number) => ({ path: LabOrder.path, idEntity: id, link: `/laboratory/orders/${id}` })

const itemsOf = (change: Change): number[] => {
  if (change.how === 'put') return [change.at.idItem]
  return 'rows' in change ? change.rows.map(({ idItem }) => idItem) : [change.row.idItem]
}

const AT_ONCE = 500

/** Rows by their ids; what is not there is left out. */
export async function resultRows(records: Records, ids: readonly number[]): Promise<ResultRow[]> {
  const rows: ResultRow[] = []
  for (let from = 0; from < ids.length; from += AT_ONCE)
    rows.push(
      ...(await records.asSystem.rows(LabResult, {
        ...{ 'filter[id][in]': ids.slice(from, from + AT_ONCE).join(','), limit: String(AT_ONCE), sort: 'id' },
      })),
    )
  return rows
}

/** Rows of a line and analyte, in the order of their arrival. */
export async function rowsAt({ records }: Pick<Work, 'records'>, { idItem, idAnalyte }: Place): Promise<ResultRow[]> {
  return records.asSystem.rows(LabResult, {
    ...{ 'filter[idItem]': String(idItem), 'filter[idAnalyte]': String(idAnalyte), sort: 'id', limit: '500' },
  })
}
