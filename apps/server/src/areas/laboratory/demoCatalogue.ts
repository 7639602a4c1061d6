/** The catalogue of the demo laboratory: tubes, units, analytes with norms, tests and panels. */

import { type AnalyteBody, line, type Making, notFound, type TestBody, violetOf } from './demoMaking.ts'
import { measuredGroups } from './demoMeasured.ts'
import { readNorms } from './demoNorms.ts'
import { allergic, complexes, infected, inWords } from './demoOther.ts'
import { bloodCount } from './demoTests.ts'

export const pastHooks = { pastHooks: 'The demo clinic is laid out as a whole' }

/** Analytes, tests and panels, without ids. */
export function catalogue(idOwn: number, idPartner: number, containerOf: ReadonlyMap<string, number>) {
  const analytes: AnalyteBody[] = []
  const tests: TestBody[] = []
  const making: Making = {
    ...{ idOwn, idPartner, containerOf, analytes, tests },
    analyte: (code, name, more) => void analytes.push({ code, name, norms: [], ...more }),
  }
  for (const make of [measured, derived, blood, urine, infected, allergic, inWords, complexes]) make(making)
  return { analytes, tests }
}

/** Measured analytes, each with its test. */
function measured({ idOwn, containerOf, tests, analyte }: Making): void {
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
}

/** Analytes computed by a formula. */
function derived({ idOwn, containerOf, tests, analyte }: Making): void {
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
  const common = {
    idLaboratory: idOwn,
    section: 'biochemistry' as const,
    biomaterial: 'serum' as const,
    idContainer: containerOf.get('Жёлтая, гель') ?? null,
    minVolume: 0.1,
    termDays: 0,
    method: 'Расчёт',
  }
  tests.push({
    ...common,
    name: 'Холестерин ЛПНП (расчётный)',
    code: 'LDL',
    price: 290,
    cost: 10,
    analytes: ['LDL', 'ATI'],
  })
  tests.push({
    ...common,
    name: 'Билирубин непрямой (расчётный)',
    code: 'IBIL',
    price: 190,
    cost: 10,
    medicalCode: 'A09.05.022.002',
    analytes: ['IBIL'],
  })
  tests.push({ ...common, name: 'Индекс HOMA', code: 'HOMA', price: 290, cost: 10, analytes: ['HOMA'] })
}

/** Blood counts and tests of the violet tube. */
function blood(making: Making): void {
  const { idOwn, containerOf, tests, analyte } = making
  const violet = violetOf(making)
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
}

/** The test of urine. */
function urine({ idOwn, containerOf, tests, analyte }: Making): void {
  const lines: [code: string, name: string, unit: string, norms: string][] = [
    ['UPH', 'pH мочи', '', '5..7'],
    ['USG', 'Относительная плотность', '', '1.01..1.025'],
    ['ULEU', 'Лейкоциты в осадке', 'в п/зр', '..5'],
    ['UERY', 'Эритроциты в осадке', 'в п/зр', '..2'],
  ]
  for (const [code, name, unit, norms] of lines)
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
    analytes: [...lines.map(([code]) => code), 'UPRO', 'UGLC', 'UKET', 'UBIL', 'UBAC'],
  })
}
