/** Devices of the demo laboratory with their codes, messages and control materials. */
import { LabControl, LabControlRun } from '@ordinator/model/areas/laboratory/control'
import { LabDevice, LabDeviceCode, LabStray } from '@ordinator/model/areas/laboratory/device'
import { brokenRules, isWarning } from '@ordinator/model/areas/laboratory/westgard'
import type { Create } from '@ordinator/model/entity'
import type { Records } from '#records/records.ts'
import { pastHooks } from './demoCatalogue.ts'

export interface DemoDevices {
  blood: number
  chemistry: number
}

export async function demoDevices(
  records: Records,
  analyteOf: ReadonlyMap<string, number>,
  idFilial: number,
): Promise<DemoDevices> {
  const system = records.asSystem
  const blood = await system.create(LabDevice, {
    name: 'Mindray BC-6800',
    model: 'BC-6800',
    serial: 'MB-68-10442',
    section: 'hematology',
    idFilial,
    protocol: 'hl7',
    transport: 'tcp-server',
    port: 5101,
    direction: 'two',
    tubeField: 'OBR-3',
  })
  const chemistry = await system.create(LabDevice, {
    name: 'Roche cobas c311',
    model: 'cobas c311',
    serial: 'C311-2207',
    section: 'biochemistry',
    idFilial,
    protocol: 'astm',
    transport: 'tcp-server',
    port: 5102,
    direction: 'two',
    tubeField: 'O-3',
  })
  const loinc: [string, string, string][] = [
    ['6690-2', 'WBC', '10*9/L'],
    ['789-8', 'RBC', '10*12/L'],
    ['718-7', 'HGB', 'g/L'],
    ['4544-3', 'HCT', '%'],
    ['787-2', 'MCV', 'fL'],
    ['785-6', 'MCH', 'pg'],
    ['786-4', 'MCHC', 'g/L'],
    ['788-0', 'RDW', '%'],
    ['777-3', 'PLT', '10*9/L'],
    ['32623-1', 'MPV', 'fL'],
    ['770-8', 'NEUP', '%'],
    ['736-9', 'LYMP', '%'],
    ['5905-5', 'MONP', '%'],
    ['713-8', 'EOSP', '%'],
    ['706-2', 'BASP', '%'],
    ['751-8', 'NEU', '10*9/L'],
    ['731-0', 'LYM', '10*9/L'],
    ['742-7', 'MON', '10*9/L'],
    ['711-2', 'EOS', '10*9/L'],
    ['704-7', 'BAS', '10*9/L'],
  ]
  const roche: [string, string, string][] = [
    ['767/', 'GLU', 'mmol/l'],
    ['685/', 'ALT', 'U/l'],
    ['687/', 'AST', 'U/l'],
    ['690/', 'CREA', 'umol/l'],
    ['717/', 'UREA', 'mmol/l'],
    ['712/', 'TBIL', 'umol/l'],
    ['798/', 'CHOL', 'mmol/l'],
    ['781/', 'TG', 'mmol/l'],
    ['454/', 'HDL', 'mmol/l'],
    ['678/', 'TP', 'g/l'],
    ['413/', 'ALB', 'g/l'],
    ['701/', 'UA', 'umol/l'],
    ['158/', 'ALP', 'U/l'],
    ['480/', 'GGT', 'U/l'],
    ['19/', 'CRP', 'mg/l'],
    ['989/', 'NA', 'mmol/l'],
    ['990/', 'K', 'mmol/l'],
    ['991/', 'CL', 'mmol/l'],
  ]
  const codes = (idDevice: number, of: [string, string, string][]) =>
    of.map(([code, analyte, unit]) => ({ idDevice, code, idAnalyte: analyteOf.get(analyte) as number, unit }))
  await system.createMany(
    LabDeviceCode,
    [
      ...codes(blood.id, loinc),
      ...['08001', '08002', '08003', '01002', '30525-0', '01001'].map((code) => ({
        idDevice: blood.id,
        code,
        ignored: true,
      })),
      ...codes(chemistry.id, roche),
    ],
    pastHooks,
  )
  await system.createMany(LabStray, [
    {
      idDevice: chemistry.id,
      reason: 'unit',
      barcode: '2700000412',
      code: '690/',
      value: '0.9',
      unit: 'mg/dl',
      note: 'Ожидалась «umol/l»',
    },
    { idDevice: blood.id, reason: 'tube', barcode: '18B', code: '6690-2', value: '9.87', unit: '10*9/L' },
    { idDevice: chemistry.id, reason: 'code', barcode: '2700000398', code: '735/', value: '1.6', unit: 'umol/l' },
  ])
  return { blood: blood.id, chemistry: chemistry.id }
}

/**
 * Thirty days of controls. The high glucose control has drifted: its last run breaks 2-2s and holds the covered
 * results.
 */
export async function demoControls(
  records: Records,
  analyteOf: ReadonlyMap<string, number>,
  { blood, chemistry }: DemoDevices,
): Promise<void> {
  const system = records.asSystem
  const year = new Date().getUTCFullYear()
  const clinical = 'PreciControl ClinChem, уровень'
  const asked: [
    device: number,
    analyte: string,
    name: string,
    lot: string,
    level: 'normal' | 'high',
    norm: [mean: number, sd: number, tea: number],
    drift?: true,
  ][] = [
    [chemistry, 'GLU', `${clinical} 1`, '48271', 'normal', [5.6, 0.14, 8]],
    [chemistry, 'GLU', `${clinical} 2`, '48305', 'high', [13.4, 0.32, 8], true],
    [chemistry, 'ALT', `${clinical} 1`, '48271', 'normal', [47, 1.9, 15]],
    [chemistry, 'CREA', `${clinical} 1`, '48271', 'normal', [96, 3.1, 11]],
    [blood, 'WBC', 'BC-6D, норма', 'XM2610', 'normal', [7.3, 0.22, 10]],
    [blood, 'HGB', 'BC-6D, норма', 'XM2610', 'normal', [134, 1.6, 4]],
  ]
  const DAYS = 30
  for (const [n, [idDevice, analyte, name, lot, level, [mean, sd, tea], drift]] of asked.entries()) {
    const idAnalyte = analyteOf.get(analyte) as number
    const expiresOn = `${year + 1}-06-30`
    const control = await system.create(LabControl, { name, lot, expiresOn, level, idDevice, idAnalyte, mean, sd, tea })
    const series: number[] = []
    const rows: (Create<typeof LabControlRun> & Record<string, unknown>)[] = []
    for (let day = DAYS; day >= 0; day--) {
      const wave = Math.sin(day * 1.7 + n * 2.3) * 0.9 + Math.cos(day * 0.6 + n) * 0.5
      const z = drift && day < 2 ? 2.3 + (1 - day) * 0.2 : drift && day < 6 ? 0.8 + (6 - day) * 0.15 : wave
      const value = Math.round((mean + z * sd) * 100) / 100
      series.push(value)
      const broken = brokenRules(series.slice(-10), { mean, sd })
      rows.push({
        idControl: control.id,
        value: String(value),
        valueNum: value,
        z: Math.round(((value - mean) / sd) * 100) / 100,
        broken,
        rejected: broken.some((rule) => !isWarning(rule)),
        remark: drift && day === 1 ? 'Промыли кюветы, заменён реагент глюкозы; измерить повторно' : null,
        dateCreate: new Date(Date.now() - day * 86_400_000 - 3_600_000).toISOString(),
      })
    }
    await system.createMany(LabControlRun, rows, pastHooks)
  }
}
