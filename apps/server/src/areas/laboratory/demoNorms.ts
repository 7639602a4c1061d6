/** Containers, units and norms of the demo laboratory. */

import type { LabNorm } from '@ordinator/model/areas/laboratory/catalogue'
import type { LabContainer } from '@ordinator/model/areas/laboratory/laboratory'
import type { Create } from '@ordinator/model/entity'

export const containers: readonly Create<typeof LabContainer>[] = [
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

export const units: readonly (readonly [name: string, ucum: string, base?: string, factor?: string])[] = [
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

export type NormBody = Omit<Create<typeof LabNorm>, 'idAnalyte'>

const YEAR = 365

/** Parses `m 1.5..8.6 !0.5..20, f …`: see demoTests.ts. */
export function readNorms(text: string): NormBody[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => {
      const found = /^(?:(m|f|<\d+|p[123]|c[fol])\s+)?([\d.]*?)\.\.([\d.]*?)(?:\s*!([\d.]*?)\.\.([\d.]*))?$/.exec(part)
      if (!found) throw new Error(`A norm cannot be read: ${part}`)
      const [, of = '', low = '', high = '', criticalLow = '', criticalHigh = ''] = found
      const number = (text: string) => (text === '' ? null : Number(text))
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
