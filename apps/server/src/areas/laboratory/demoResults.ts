/** Values of the demo orders, by the norms of their patients. */
import { derive } from '@ordinator/model/areas/laboratory/derived'
import { LabResult } from '@ordinator/model/areas/laboratory/result'
import type { ItemStatus, ResultStatus } from '@ordinator/model/areas/laboratory/states'
import {
  ageInDays,
  type Choice,
  flagOf,
  isCritical,
  type Norm,
  normFor,
  normText,
  withDecimals,
} from '@ordinator/model/areas/laboratory/values'
import type { ValueType } from '@ordinator/model/areas/laboratory/words'
import type { Create } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import type { Records } from '#records/records.ts'
import { pastHooks } from './demoCatalogue.ts'
import type { DemoDevices } from './demoDevices.ts'
import { chance, doneAfter, HOUR, type Planned, type Test } from './demoPlan.ts'

interface Analyte {
  id: number
  code: string
  type: ValueType
  unit: string | null
  decimals: number
  choices: Choice[] | null
  formula: string | null
  section: string
  norms: Norm[]
}

/** A line of a demo order. */
export interface DemoLine {
  id: number
  idSample: number | null
  status: ItemStatus
  test: Test
  /** Index of its order. */
  order: number
  plan: Planned
}

export async function demoResults(
  { asSystem }: Records,
  tx: Tx,
  lines: readonly DemoLine[],
  {
    idOwn,
    idPartner,
    idWorker,
    devices,
    iso,
  }: { idOwn: number; idPartner: number; idWorker: number; devices: DemoDevices; iso: (moment: number) => string },
): Promise<void> {
  const analytes =
    await tx.query<Analyte>(sql`select a."id", a."code", a."type", a."unit", coalesce(a."decimals", 2) as decimals, a."choices",
      a."formula", a."section", coalesce((select jsonb_agg(jsonb_build_object('sex', n."sex", 'ageFrom', n."ageFrom", 'ageTo', n."ageTo",
        'trimester', n."trimester", 'cyclePhase', n."cyclePhase", 'low', n."low", 'high', n."high", 'criticalLow', n."criticalLow",
        'criticalHigh', n."criticalHigh", 'text', n."text") order by n."id") from laboratory_norms n where n."idAnalyte" = a."id"), '[]') as norms
    from laboratory_analytes a`)
  const analyteById = new Map(analytes.map((one) => [one.id, one]))
  const results: (Create<typeof LabResult> & Record<string, unknown>)[] = []
  const seen = new Map<string, string>()
  let alarmed = false
  for (const [at, one] of lines.entries()) {
    const { status } = one
    if (status !== 'done' && status !== 'inWork') continue
    // Of orders in work a part was measured already.
    if (status === 'inWork' && chance(at + 61) < 0.4) continue
    const taken = one.plan.at + 0.3 * HOUR
    const { customer } = one.plan
    const patient = {
      sex: customer.gender,
      ageDays: ageInDays(customer.birthday, iso(taken).slice(0, 10)),
      pregnancyWeeks: null,
      cyclePhase: null,
    }
    for (const id of one.test.analytes) {
      const analyte = analyteById.get(id) as Analyte
      const norm = normFor(analyte.norms, patient)
      const key = `${one.order}:`
      // One value of today is critical, without a call yet.
      const alarming = !alarmed && status === 'inWork' && !analyte.formula && norm?.criticalHigh
      if (alarming) alarmed = true
      const value = alarming
        ? withDecimals(alarming * 1.07, analyte.decimals)
        : analyte.formula
          ? derive(analyte.formula, analyte.decimals, (code) => seen.get(key + code))
          : demoValue(analyte, norm, at * 131 + id)
      if (value === undefined) continue
      seen.set(key + analyte.code.toLowerCase(), value)
      const flag = flagOf(analyte.type, value, norm, analyte.choices ?? [])
      const wanted: ResultStatus = status === 'done' ? 'medical' : chance(at + 71) < 0.5 ? 'raw' : 'technical'
      const called = isCritical(flag) && !alarming
      const doneAt = iso(one.plan.at + doneAfter(one.plan, idPartner))
      const idDevice =
        analyte.section === 'hematology' && analyte.code !== 'ESR'
          ? devices.blood
          : one.test.section === 'biochemistry' && !analyte.formula
            ? devices.chemistry
            : null
      results.push({
        idItem: one.id,
        idAnalyte: id,
        idCustomer: customer.id,
        takenAt: iso(taken),
        kind: Number.isFinite(Number(value)) ? 'number' : 'word',
        source: analyte.formula ? 'formula' : idDevice !== null && one.test.idLaboratory === idOwn ? 'device' : 'hand',
        idSample: one.idSample,
        judgedFor: patient,
        callDue: isCritical(flag) && !called,
        value,
        valueNum: Number.isFinite(Number(value)) ? Number(value) : null,
        unit: analyte.unit,
        normText:
          normText(norm) ??
          (analyte.type === 'enum' ? (analyte.choices?.find(({ normal }) => normal)?.value ?? null) : null),
        flag,
        status: wanted,
        idDevice: one.test.idLaboratory === idOwn ? idDevice : null,
        ...(wanted !== 'raw' && { idTechnical: idWorker, technicalAt: doneAt }),
        ...(wanted === 'medical' && { idMedical: idWorker, medicalAt: doneAt }),
        ...(called && { calledTo: 'Лечащий врач', calledAt: doneAt, readBack: true, idCaller: idWorker }),
        idAuthor: idWorker,
        dateCreate: status === 'done' ? doneAt : iso(one.plan.at + 2 * HOUR),
      })
    }
  }
  for (let from = 0; from < results.length; from += 2_000)
    await asSystem.createMany(LabResult, results.slice(from, from + 2_000) as Create<typeof LabResult>[], pastHooks)
  // The change since the patient's former value.
  await tx.query(sql`update laboratory_results r set "delta" = round(100 * (r."valueNum" - p."valueNum") / abs(p."valueNum"), 1)
    from laboratory_results p where p."id" = (select x."id" from laboratory_results x where x."idCustomer" = r."idCustomer" and x."idAnalyte" = r."idAnalyte"
      and x."takenAt" < r."takenAt" and x."status" = 'medical' order by x."takenAt" desc limit 1) and p."valueNum" <> 0 and r."valueNum" is not null
      and abs(r."valueNum" / p."valueNum") < 100`)
}

/** Mostly within the norm, sometimes outside, rarely far outside. */
function demoValue({ type, choices, decimals, norms }: Analyte, norm: Norm | undefined, seed: number): string {
  const luck = chance(seed)
  if (type === 'enum') {
    const list = choices ?? []
    const wanted = list.filter(({ normal }) => normal === luck < 0.93)
    return (wanted[Math.floor(chance(seed + 1) * wanted.length)] ?? list[0])?.value ?? 'не обнаружено'
  }
  if (type === 'text') return luck < 0.85 ? (norm?.text ?? 'без патологии') : 'см. заключение'
  const { low, high } = norm ?? norms[0] ?? { low: 0, high: 1 }
  const from = low ?? (high === null ? 1 : high * 0.25)
  const to = high ?? from * 1.6
  const spread = to - from
  const at =
    luck < 0.82
      ? 0.15 + chance(seed + 2) * 0.7
      : luck < 0.99
        ? chance(seed + 3) < 0.5
          ? -0.12 - chance(seed + 4) * 0.15
          : 1.08 + chance(seed + 4) * 0.3
        : 4.5
  return withDecimals(Math.max(from * 0.3, from + at * spread), decimals)
}
