/** Tests of the demo laboratory without a measured value: infections, allergens, results in words, panels. */
import { type Making, noMark, notFound, type TestBody, violetOf } from './demoMaking.ts'
import { readNorms } from './demoNorms.ts'
import { allergens, described, infections, panels, pcrAgents } from './demoTests.ts'

/** Infections: antibodies and PCR. */
export function infected(making: Making): void {
  const { idPartner, containerOf, tests, analyte } = making
  const violet = violetOf(making)
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
}

/** Allergens. */
export function allergic({ idPartner, containerOf, tests, analyte }: Making): void {
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
}

/** Tests with a result in words. */
export function inWords({ idOwn, idPartner, containerOf, tests, analyte }: Making): void {
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
}

/** Panels. */
export function complexes({ idOwn, tests }: Making): void {
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
}

const FASTING = 'Утром строго натощак, после 8–12 часов без еды; воду пить можно.'
