/** The demo laboratory: a catalogue of 300 tests in 30 panels, two analysers, a partner, three months of orders, controls. */
import { SERVICE, Service, ServiceGroup } from '@ordinator/model/areas/catalogue/service'
import { LabAnalyte, LabComponent, LabNorm, LabTest } from '@ordinator/model/areas/laboratory/catalogue'
import { LabControl, LabControlRun } from '@ordinator/model/areas/laboratory/control'
import { LabDevice, LabDeviceCode, LabStray } from '@ordinator/model/areas/laboratory/device'
import { LabContainer, Laboratory, LabUnit } from '@ordinator/model/areas/laboratory/laboratory'
import { brokenRules, isWarning } from '@ordinator/model/areas/laboratory/westgard'
import type { Create } from '@ordinator/model/entity'
import sql from 'sql-template-tag'
import type { Tx } from '#platform/db.ts'
import type { AppContext } from '#records/context.ts'
import type { Records } from '#records/records.ts'
import { type DemoDevices, demoOrders } from './demoOrders.ts'
import { allergens, bloodCount, described, infections, measuredGroups, panels, pcrAgents } from './demoTests.ts'

const pastHooks = { pastHooks: 'The demo clinic is laid out as a whole' }

const containers: readonly Create<typeof LabContainer>[] = [
  {
    name: 'Флакон для посева крови',
    cap: 'bottle',
    additive: 'Питательная среда',
    drawOrder: 1,
    fullVolume: 10,
    usableVolume: 10,
    usedFor: 'Посев крови',
  },
  {
    name: 'Голубая, цитрат',
    cap: 'blue',
    additive: 'Цитрат натрия 3,2 %',
    drawOrder: 2,
    fullVolume: 4,
    usableVolume: 2,
    usedFor: 'Коагулограмма; наполнить до метки, 1:9',
  },
  {
    name: 'Красная, активатор',
    cap: 'red',
    additive: 'Активатор сгустка',
    drawOrder: 3,
    fullVolume: 6,
    usableVolume: 2.5,
    usedFor: 'Биохимия, серология',
  },
  {
    name: 'Жёлтая, гель',
    cap: 'yellow',
    additive: 'Гель и активатор сгустка',
    drawOrder: 4,
    fullVolume: 5,
    usableVolume: 2,
    usedFor: 'Биохимия, гормоны, инфекции',
  },
  {
    name: 'Зелёная, гепарин',
    cap: 'green',
    additive: 'Гепарин лития',
    drawOrder: 5,
    fullVolume: 4,
    usableVolume: 2,
    usedFor: 'Плазма, срочная биохимия',
  },
  {
    name: 'Фиолетовая, ЭДТА',
    cap: 'violet',
    additive: 'ЭДТА К2',
    drawOrder: 6,
    fullVolume: 3,
    usableVolume: 3,
    usedFor: 'Общий анализ крови, HbA1c, группа крови',
  },
  {
    name: 'Серая, фторид',
    cap: 'grey',
    additive: 'Фторид натрия и оксалат',
    drawOrder: 7,
    fullVolume: 4,
    usableVolume: 2,
    usedFor: 'Глюкоза, лактат',
  },
  {
    name: 'Чёрная, цитрат',
    cap: 'black',
    additive: 'Цитрат натрия 3,8 %',
    drawOrder: 8,
    fullVolume: 2,
    usableVolume: 2,
    usedFor: 'СОЭ по Вестергрену',
  },
  { name: 'Контейнер для мочи', cap: 'white', fullVolume: 60, usableVolume: 50 },
  { name: 'Контейнер для кала', cap: 'none', fullVolume: 30, usableVolume: 20 },
  { name: 'Тампон с транспортной средой', cap: 'none', usableVolume: 1 },
  { name: 'Стекло предметное', cap: 'none', usableVolume: 1 },
  { name: 'Флакон для цитологии', cap: 'none', usableVolume: 10 },
  { name: 'Контейнер с формалином', cap: 'none', additive: 'Формалин 10 %', usableVolume: 20 },
]

const units: readonly (readonly [name: string, ucum: string, base?: string, factor?: string])[] = [
  ['ммоль/л', 'mmol/L'],
  ['мкмоль/л', 'umol/L', 'ммоль/л', '0,001'],
  ['нмоль/л', 'nmol/L', 'ммоль/л', '0,000001'],
  ['пмоль/л', 'pmol/L', 'ммоль/л', '0,000000001'],
  ['г/л', 'g/L'],
  ['мг/л', 'mg/L', 'г/л', '0,001'],
  ['г/дл', 'g/dL', 'г/л', '10'],
  ['мг/дл', 'mg/dL', 'г/л', '0,01'],
  ['нг/мл', 'ng/mL', 'г/л', '0,000001'],
  ['мкг/мл', 'ug/mL', 'г/л', '0,001'],
  ['пг/мл', 'pg/mL', 'г/л', '0,000000001'],
  ['нг/л', 'ng/L', 'г/л', '0,000000001'],
  ['Ед/л', 'U/L'],
  ['Ед/мл', 'U/mL', 'Ед/л', '1000'],
  ['МЕ/л', '[IU]/L'],
  ['МЕ/мл', '[IU]/mL', 'МЕ/л', '1000'],
  ['мкМЕ/мл', 'u[IU]/mL', 'МЕ/л', '0,001'],
  ['мМЕ/л', 'm[IU]/L', 'МЕ/л', '0,001'],
  ['мМЕ/мл', 'm[IU]/mL', 'МЕ/л', '1'],
  ['мкЕд/мл', 'uU/mL', 'Ед/л', '0,001'],
  ['%', '%'],
  ['с', 's'],
  ['фл', 'fL'],
  ['пг', 'pg'],
  ['10^9/л', '10*9/L'],
  ['10^12/л', '10*12/L'],
  ['мм/ч', 'mm/h'],
  ['мг/ммоль', 'mg/mmol'],
  ['ммоль/сут', 'mmol/d'],
  ['нмоль/сут', 'nmol/d', 'ммоль/сут', '0,000001'],
  ['г/сут', 'g/d'],
  ['мкг/сут', 'ug/d', 'г/сут', '0,000001'],
  ['мкг/г', 'ug/g'],
]

/** Default tubes and units of a laboratory. */
export async function ready(records: Records): Promise<void> {
  await records.asSystem.createMany(LabContainer, [...containers], pastHooks)
  await records.asSystem.createMany(
    LabUnit,
    units.map(([name, ucum, base, factor]) => ({ name, ucum, base: base ?? name, factor: factor ?? '1' })),
    pastHooks,
  )
}

type NormBody = Omit<Create<typeof LabNorm>, 'idAnalyte'>
const YEAR = 365

/** Parses `m 1.5..8.6 !0.5..20, f …`: see demoTests.ts. */
function readNorms(text: string): NormBody[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => {
      const found = /^(?:(m|f|<\d+|p[123]|c[fol])\s+)?([\d.]*?)\.\.([\d.]*?)(?:\s*!([\d.]*?)\.\.([\d.]*))?$/.exec(part)
      if (!found) throw new Error(`A norm cannot be read: ${part}`)
      const [, of = '', low = '', high = '', criticalLow = '', criticalHigh = ''] = found
      const number = (said: string) => (said === '' ? null : Number(said))
      const who: NormBody = of.startsWith('<')
        ? { ageFrom: 0, ageTo: Number(of.slice(1)) * YEAR - 1 }
        : of.startsWith('p')
          ? { sex: 'female', trimester: (['first', 'second', 'third'] as const)[Number(of[1]) - 1] ?? null }
          : of.startsWith('c')
            ? {
                sex: 'female',
                cyclePhase: { f: 'follicular', o: 'ovulatory', l: 'luteal' }[of[1] as 'f' | 'o' | 'l'] as 'follicular',
              }
            : of
              ? { sex: of === 'm' ? 'male' : 'female' }
              : {}
      return {
        ...who,
        low: number(low),
        high: number(high),
        criticalLow: number(criticalLow),
        criticalHigh: number(criticalHigh),
      }
    })
}

type TestBody = Create<typeof LabTest> & { analytes: string[]; parts?: string[]; price: number }
type AnalyteBody = Create<typeof LabAnalyte> & { norms: NormBody[] }

const notFound = [
  { value: 'не обнаружено', normal: true },
  { value: 'обнаружено', normal: false },
]
const noMark = [
  { value: 'отрицательно', normal: true },
  { value: 'сомнительно', normal: false },
  { value: 'положительно', normal: false },
]

/** Analytes, tests and panels, without ids. */
function catalogue(idOwn: number, idPartner: number, containerOf: ReadonlyMap<string, number>) {
  const analytes: AnalyteBody[] = []
  const tests: TestBody[] = []
  const line = (text: string) =>
    text
      .trim()
      .split('\n')
      .map((one) => one.split('|'))
  const analyte = (code: string, name: string, more: Partial<AnalyteBody>): void => {
    analytes.push({ code, name, norms: [], ...more })
  }
  for (const group of measuredGroups)
    for (const [
      code = '',
      name = '',
      unit = '',
      decimals = '2',
      norms = '',
      price = '',
      cost = '',
      nmu = '',
      fsli = '',
      loinc = '',
    ] of line(group.lines)) {
      analyte(code, name, {
        section: group.section,
        unit: unit || null,
        decimals: Number(decimals),
        norms: readNorms(norms),
        fsli: fsli || null,
        loinc: loinc || null,
        shortName: code,
        deltaLimit: 50,
      })
      tests.push({
        ...{
          name,
          code,
          section: group.section,
          idLaboratory: idOwn,
          biomaterial: group.material,
          tempMode: group.temp,
        },
        idContainer: containerOf.get(group.container) ?? null,
        minVolume: group.volume,
        termDays: group.term,
        method: group.method,
        preparation: group.preparation ?? null,
        stableHours: 48,
        ...{ medicalCode: nmu || null, fsli: fsli || null, loinc: loinc || null, labCode: code },
        ...{ price: Number(price), cost: Number(cost), analytes: [code] },
      })
    }
  analyte('LDL', 'Холестерин ЛПНП (расчётный)', {
    section: 'biochemistry',
    unit: 'ммоль/л',
    decimals: 2,
    formula: 'CHOL - HDL - TG / 2,2',
    norms: readNorms('..3.3'),
  })
  analyte('IBIL', 'Билирубин непрямой (расчётный)', {
    section: 'biochemistry',
    unit: 'мкмоль/л',
    decimals: 1,
    formula: 'TBIL - DBIL',
    norms: readNorms('..19'),
  })
  analyte('HOMA', 'Индекс HOMA', {
    section: 'biochemistry',
    decimals: 2,
    formula: 'GLU * INS / 22,5',
    norms: readNorms('..2.7'),
  })
  analyte('ATI', 'Индекс атерогенности', {
    section: 'biochemistry',
    decimals: 1,
    formula: '(CHOL - HDL) / HDL',
    norms: readNorms('..3'),
  })
  const derived = {
    idLaboratory: idOwn,
    section: 'biochemistry' as const,
    biomaterial: 'serum' as const,
    idContainer: containerOf.get('Жёлтая, гель') ?? null,
    minVolume: 0.1,
    termDays: 0,
    method: 'Расчёт',
  }
  tests.push({
    ...derived,
    name: 'Холестерин ЛПНП (расчётный)',
    code: 'LDL',
    price: 290,
    cost: 10,
    analytes: ['LDL', 'ATI'],
  })
  tests.push({
    ...derived,
    name: 'Билирубин непрямой (расчётный)',
    code: 'IBIL',
    price: 190,
    cost: 10,
    medicalCode: 'A09.05.022.002',
    analytes: ['IBIL'],
  })
  tests.push({ ...derived, name: 'Индекс HOMA', code: 'HOMA', price: 290, cost: 10, analytes: ['HOMA'] })
  const violet = containerOf.get('Фиолетовая, ЭДТА') ?? null
  for (const [code = '', name = '', unit = '', decimals = '2', norms = '', , , , fsli = '', loinc = ''] of line(
    bloodCount,
  ))
    analyte(code, name, {
      section: 'hematology',
      unit: unit || null,
      decimals: Number(decimals),
      norms: readNorms(norms),
      fsli: fsli || null,
      loinc: loinc || null,
      shortName: code,
      deltaLimit: 40,
    })
  tests.push({
    ...{
      name: 'Общий анализ крови с лейкоцитарной формулой',
      code: 'OAK',
      section: 'hematology',
      idLaboratory: idOwn,
      biomaterial: 'venous',
    },
    ...{
      idContainer: violet,
      minVolume: 1,
      tempMode: 'room',
      stableHours: 24,
      termDays: 0,
      method: 'Проточная цитометрия',
      medicalCode: 'B03.016.003',
    },
    ...{ preparation: 'Утром натощак или не раньше чем через 4 часа после еды.', price: 620, cost: 130 },
    analytes: line(bloodCount).map(([code = '']) => code),
  })
  analyte('ESR', 'СОЭ по Вестергрену', {
    section: 'hematology',
    unit: 'мм/ч',
    decimals: 0,
    norms: readNorms('m ..15, f ..20'),
    fsli: '1017854',
    loinc: '4537-7',
  })
  tests.push({
    name: 'СОЭ по Вестергрену',
    code: 'ESR',
    section: 'hematology',
    idLaboratory: idOwn,
    biomaterial: 'venous',
    idContainer: containerOf.get('Чёрная, цитрат') ?? null,
    minVolume: 1,
    tempMode: 'room',
    stableHours: 8,
    termDays: 0,
    method: 'Вестергрен',
    medicalCode: 'A12.05.001',
    price: 240,
    cost: 35,
    analytes: ['ESR'],
  })
  analyte('RETIC', 'Ретикулоциты', {
    section: 'hematology',
    unit: '%',
    decimals: 2,
    norms: readNorms('0.5..2'),
    shortName: 'RETIC',
  })
  tests.push({
    name: 'Ретикулоциты',
    code: 'RETIC',
    section: 'hematology',
    idLaboratory: idOwn,
    biomaterial: 'venous',
    idContainer: violet,
    minVolume: 0.5,
    tempMode: 'room',
    termDays: 0,
    method: 'Проточная цитометрия',
    price: 360,
    cost: 80,
    analytes: ['RETIC'],
  })
  analyte('HBA1C', 'Гликированный гемоглобин', {
    section: 'biochemistry',
    unit: '%',
    decimals: 1,
    norms: readNorms('4..6 !..14'),
    shortName: 'HbA1c',
  })
  tests.push({
    name: 'Гликированный гемоглобин',
    code: 'HBA1C',
    section: 'biochemistry',
    idLaboratory: idOwn,
    biomaterial: 'venous',
    idContainer: violet,
    minVolume: 0.5,
    tempMode: 'cold',
    stableHours: 72,
    termDays: 1,
    method: 'ВЭЖХ',
    medicalCode: 'A09.05.083',
    price: 690,
    cost: 160,
    analytes: ['HBA1C'],
  })
  const urine: [code: string, name: string, unit: string, norms: string][] = [
    ['UPH', 'pH мочи', '', '5..7'],
    ['USG', 'Относительная плотность', '', '1.01..1.025'],
    ['ULEU', 'Лейкоциты в осадке', 'в п/зр', '..5'],
    ['UERY', 'Эритроциты в осадке', 'в п/зр', '..2'],
  ]
  for (const [code, name, unit, norms] of urine)
    analyte(code, name, {
      section: 'urine',
      unit: unit || null,
      decimals: code === 'USG' ? 3 : code === 'UPH' ? 1 : 0,
      norms: readNorms(norms),
    })
  for (const [code, name] of [
    ['UPRO', 'Белок'],
    ['UGLC', 'Глюкоза'],
    ['UKET', 'Кетоны'],
    ['UBIL', 'Билирубин'],
    ['UBAC', 'Бактерии'],
  ] as const)
    analyte(code, `${name} в моче`, { section: 'urine', type: 'enum', choices: notFound })
  tests.push({
    name: 'Общий анализ мочи',
    code: 'OAM',
    section: 'urine',
    idLaboratory: idOwn,
    biomaterial: 'urine',
    idContainer: containerOf.get('Контейнер для мочи') ?? null,
    minVolume: 10,
    tempMode: 'cold',
    stableHours: 4,
    termDays: 0,
    method: 'Сухая химия, микроскопия',
    medicalCode: 'B03.016.006',
    preparation: 'Средняя порция утренней мочи после туалета, доставить за 2 часа.',
    price: 390,
    cost: 60,
    analytes: [...urine.map(([code]) => code), 'UPRO', 'UGLC', 'UKET', 'UBIL', 'UBAC'],
  })
  const qualitative = (
    name: string,
    code: string,
    section: TestBody['section'],
    more: Partial<TestBody>,
    choices = noMark,
  ) => {
    analyte(code, name, { section: section ?? 'immunology', type: 'enum', choices })
    tests.push({
      name,
      code,
      section,
      idLaboratory: idPartner,
      labCode: code,
      minVolume: 0.2,
      tempMode: 'cold',
      biomaterial: 'serum',
      idContainer: containerOf.get('Жёлтая, гель') ?? null,
      termDays: 2,
      stableHours: 120,
      price: 490,
      cost: 190,
      analytes: [code],
      ...more,
    } as TestBody)
  }
  infections.forEach(([agent, classes, medicalCode], at) => {
    for (const kind of classes ? classes.split(' ') : [''])
      qualitative(
        [agent, kind && `, ${kind}`].filter(Boolean).join(''),
        `INF${at + 1}${kind.replace('сумм', 'T')}`,
        'immunology',
        {
          method: 'ИФА',
          medicalCode: medicalCode || null,
          price: 520 + (at % 5) * 60,
        },
      )
  })
  pcrAgents.forEach((agent, at) => {
    const isBlood = agent.includes('гепатита')
    qualitative(
      `${agent}, ПЦР`,
      `PCR${at + 1}`,
      'pcr',
      {
        method: 'ПЦР в реальном времени',
        biomaterial: isBlood ? 'plasma' : 'scraping',
        idContainer: (isBlood ? violet : containerOf.get('Тампон с транспортной средой')) ?? null,
        price: 420 + (at % 6) * 70,
        cost: 180,
      },
      notFound,
    )
  })
  allergens.forEach((name, at) => {
    const code = `ALG${at + 1}`
    analyte(code, `IgE: ${name}`, { section: 'allergy', unit: 'кЕд/л', decimals: 2, norms: readNorms('..0.35') })
    tests.push({
      name: `IgE: ${name}`,
      code,
      labCode: code,
      section: 'allergy',
      idLaboratory: idPartner,
      biomaterial: 'serum',
      idContainer: containerOf.get('Жёлтая, гель') ?? null,
      minVolume: 0.1,
      tempMode: 'cold',
      termDays: 3,
      stableHours: 120,
      method: 'ImmunoCAP',
      price: 640,
      cost: 260,
      analytes: [code],
    })
  })
  described.forEach(([name, section, biomaterial, container, price, termDays, medicalCode, norm], at) => {
    const code = `DSC${at + 1}`
    const isOwn = ['Группа крови AB0', 'Резус-фактор', 'Мазок на флору'].includes(name)
    const own =
      name === 'Группа крови AB0'
        ? ['0 (I)', 'A (II)', 'B (III)', 'AB (IV)']
        : name === 'Резус-фактор'
          ? ['положительный', 'отрицательный']
          : undefined
    analyte(
      code,
      name,
      own
        ? { section, type: 'enum', choices: own.map((value) => ({ value, normal: true })) }
        : { section, type: 'text', norms: [{ text: norm ?? null }] },
    )
    tests.push({
      name,
      code,
      section,
      idLaboratory: isOwn ? idOwn : idPartner,
      ...(isOwn ? {} : { labCode: code }),
      biomaterial,
      idContainer: containerOf.get(container) ?? null,
      minVolume: 1,
      tempMode: section === 'cytology' ? 'room' : 'cold',
      termDays,
      price,
      cost: Math.round(price * 0.4),
      medicalCode: medicalCode || null,
      analytes: [code],
    })
  })
  for (const [at, [name, price, codes, medicalCode]] of panels.entries())
    tests.push({
      name,
      code: `P${String(at + 1).padStart(2, '0')}`,
      isPanel: true,
      idLaboratory: idOwn,
      section: 'biochemistry',
      price,
      medicalCode: medicalCode || null,
      preparation: FASTING,
      analytes: [],
      parts: codes.split(' '),
    })
  return { analytes, tests }
}
const FASTING = 'Утром строго натощак, после 8–12 часов без еды; воду пить можно.'

export async function demo(records: Records, _app: AppContext, tx: Tx): Promise<void> {
  const system = records.asSystem
  const [filial] = await tx.query<{ id: number }>(
    sql`select "id" from filials where not "deleted" order by "id" limit 1`,
  )
  if (!filial) return
  const own = await system.create(Laboratory, {
    name: 'Своя лаборатория',
    kind: 'own',
    idFilial: filial.id,
    license: 'Л041-01182-64/00335421 от 12.03.2021',
    cutoff: '16:00',
  })
  const partner = await system.create(Laboratory, {
    ...{
      name: 'КДЛ «Северная»',
      kind: 'partner',
      contractNo: 'ЛИ-2026/118',
      clientCode: 'VD-0417',
      license: 'Л041-01137-77/00367219 от 05.08.2020',
    },
    ...{
      priceRule: 120,
      adapter: 'simulator',
      cutoff: '15:00',
      courier: 'Будни 15:30 и 18:00, суббота 13:00',
      contacts: 'Диспетчер: +7 (495) 000-00-00',
    },
  })
  await ready(records)
  const containerRows = await tx.query<{ id: number; name: string }>(
    sql`select "id", "name" from laboratory_containers`,
  )
  const { analytes, tests } = catalogue(own.id, partner.id, new Map(containerRows.map(({ id, name }) => [name, id])))
  await system.createMany(
    LabAnalyte,
    analytes.map(({ norms: _, ...body }) => body),
    pastHooks,
  )
  const analyteRows = await tx.query<{ id: number; code: string }>(sql`select "id", "code" from laboratory_analytes`)
  const analyteOf = new Map(analyteRows.map(({ id, code }) => [code, id]))
  await system.createMany(
    LabNorm,
    analytes.flatMap(({ code, norms }) => norms.map((norm) => ({ ...norm, idAnalyte: analyteOf.get(code) as number }))),
    pastHooks,
  )
  const serviceOf = await demoServices(records, tx, tests)
  await system.createMany(
    LabTest,
    tests.map(({ analytes: _, parts: __, price: ___, ...body }) => ({
      ...body,
      idService: serviceOf.get(body.name) ?? null,
    })),
    pastHooks,
  )
  const testRows = await tx.query<{ id: number; code: string }>(sql`select "id", "code" from laboratory_catalog`)
  const testOf = new Map(testRows.map(({ id, code }) => [code, id]))
  await system.createMany(
    LabComponent,
    tests.flatMap(({ code, analytes: of, parts = [] }) => {
      const idTest = testOf.get(code as string) as number
      return [
        ...of.map((one, at) => ({ idTest, idAnalyte: analyteOf.get(one) as number, order: at + 1 })),
        ...parts.map((one, at) => ({ idTest, idPart: testOf.get(one) as number, order: at + 1 })),
      ]
    }),
    pastHooks,
  )
  const devices = await demoDevices(records, analyteOf, filial.id)
  await demoControls(records, analyteOf, devices)
  await demoOrders(records, tx, { idOwn: own.id, idPartner: partner.id, idFilial: filial.id, devices })
}

/** Existing services of the catalogue keep their names and prices; the others are added to their group. */
async function demoServices(records: Records, tx: Tx, tests: readonly TestBody[]): Promise<Map<string, number>> {
  const system = records.asSystem
  const known = await tx.query<{ id: number; name: string; code: string | null }>(
    sql`select "id", "nameService" as name, "medicalCode" as code from services where "serviceCategory" = ${SERVICE} and not "deleted" and "active"`,
  )
  const lower = (text: string) => text.toLocaleLowerCase('ru').replaceAll('ё', 'е')
  const byName = new Map(known.map((one) => [lower(one.name), one.id]))
  const byCode = Map.groupBy(
    known.filter(({ code }) => code?.startsWith('A09.05')),
    ({ code }) => code as string,
  )
  const found = new Map<string, number>()
  const taken = new Set<number>()
  for (const { name, medicalCode } of tests) {
    const coded = byCode.get(medicalCode ?? '') ?? []
    const id = byName.get(lower(name)) ?? (coded.length === 1 ? coded[0]?.id : undefined)
    if (id === undefined || taken.has(id)) continue
    taken.add(id)
    found.set(name, id)
  }
  const [group] = await tx.query<{ id: number }>(
    sql`select "id" from services_groups where "nameServiceGroup" = 'Лаборатория' order by "id" limit 1`,
  )
  const [keeper] = await tx.query<{ id: number }>(sql`select "id" from users order by "id" limit 1`)
  const [type] = await tx.query<{ id: number }>(
    sql`select "id" from service_types where "nameServiceType" = 'Анализ' limit 1`,
  )
  const idGroup = group?.id ?? (await system.create(ServiceGroup, { nameServiceGroup: 'Лаборатория' })).id
  const made = keeper ? { userCreate: keeper.id, userChange: keeper.id } : {}
  await system.createMany(
    Service,
    tests
      .filter(({ name }) => !found.has(name))
      .map(({ name, price, medicalCode, code, preparation }) => ({
        nameService: name,
        priceService: price,
        medicalCode: medicalCode || null,
        labCode: code ?? null,
        code: `Л.${code}`,
        article: `Л-${code}`,
        idGroup,
        idType: type?.id ?? null,
        ...(preparation && { preparation: `<p>${preparation}</p>` }),
        ...made,
      })),
    { pastHooks: 'the demo names no ages' },
  )
  const rows = await tx.query<{ id: number; name: string }>(
    sql`select "id", "nameService" as name from services where "code" like 'Л.%'`,
  )
  for (const { id, name } of rows) if (!found.has(name)) found.set(name, id)
  return found
}

async function demoDevices(
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
async function demoControls(
  records: Records,
  analyteOf: ReadonlyMap<string, number>,
  { blood, chemistry }: DemoDevices,
): Promise<void> {
  const system = records.asSystem
  const year = new Date().getUTCFullYear()
  const material = (name: string, lot: string) => ({ name, lot, expiresOn: `${year + 1}-06-30` })
  const asked: [Create<typeof LabControl>, drift: boolean][] = [
    [
      {
        ...material('PreciControl ClinChem, уровень 1', '48271'),
        level: 'normal',
        idDevice: chemistry,
        idAnalyte: analyteOf.get('GLU') as number,
        mean: 5.6,
        sd: 0.14,
        tea: 8,
      },
      false,
    ],
    [
      {
        ...material('PreciControl ClinChem, уровень 2', '48305'),
        level: 'high',
        idDevice: chemistry,
        idAnalyte: analyteOf.get('GLU') as number,
        mean: 13.4,
        sd: 0.32,
        tea: 8,
      },
      true,
    ],
    [
      {
        ...material('PreciControl ClinChem, уровень 1', '48271'),
        level: 'normal',
        idDevice: chemistry,
        idAnalyte: analyteOf.get('ALT') as number,
        mean: 47,
        sd: 1.9,
        tea: 15,
      },
      false,
    ],
    [
      {
        ...material('PreciControl ClinChem, уровень 1', '48271'),
        level: 'normal',
        idDevice: chemistry,
        idAnalyte: analyteOf.get('CREA') as number,
        mean: 96,
        sd: 3.1,
        tea: 11,
      },
      false,
    ],
    [
      {
        ...material('BC-6D, норма', 'XM2610'),
        level: 'normal',
        idDevice: blood,
        idAnalyte: analyteOf.get('WBC') as number,
        mean: 7.3,
        sd: 0.22,
        tea: 10,
      },
      false,
    ],
    [
      {
        ...material('BC-6D, норма', 'XM2610'),
        level: 'normal',
        idDevice: blood,
        idAnalyte: analyteOf.get('HGB') as number,
        mean: 134,
        sd: 1.6,
        tea: 4,
      },
      false,
    ],
  ]
  const DAYS = 30
  for (const [n, [body, drift]] of asked.entries()) {
    const control = await system.create(LabControl, body)
    const { mean, sd } = body as { mean: number; sd: number }
    const series: number[] = []
    const rows: (Create<typeof LabControlRun> & Record<string, unknown>)[] = []
    for (let day = DAYS; day >= 0; day--) {
      const wave = Math.sin(day * 1.7 + n * 2.3) * 0.9 + Math.cos(day * 0.6 + n) * 0.5
      const z = drift && day < 2 ? 2.3 + (1 - day) * 0.2 : drift && day < 6 ? 0.8 + (6 - day) * 0.15 : wave
      const value = Math.round((mean + z * sd) * 100) / 100
      series.push((value - mean) / sd)
      const broken = brokenRules(series.slice(-10))
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
