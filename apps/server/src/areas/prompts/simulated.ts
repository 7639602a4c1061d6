/** Language model simulator: the same question has the same answer, chosen by its hash. Sends nothing. */
import { createHash } from 'node:crypto'
import { type CheckItem, checkItems } from '@ordinator/model/areas/calls/checkList'

/** A request to the model. */
export interface Question {
  system: string
  user: string
  model: string
  temperature: number
}

const summaries = [
  [
    'Пациент спросил, как попасть на приём, администратор предложил ближайшее время и записал.',
    'Запись на приём',
    'Записан на приём',
  ],
  [
    'Пациент уточнял стоимость и подготовку к исследованию. Администратор ответила и обещала перезвонить.',
    'Цена исследования',
    'Получил ответ',
  ],
  ['Пациент просил перенести визит на другой день, подходящего времени не нашлось.', 'Перенос визита', 'Ждёт звонка'],
  [
    'Пациент недоволен ожиданием результатов, администратор обещала узнать у лаборатории.',
    'Результаты анализов',
    'Жалоба принята',
  ],
] as const
const objections = ['Дорого', 'Далеко ехать', 'Нужно посоветоваться с семьёй', 'Хочу другого врача']
const steps = ['Перезвонить и предложить время', 'Уточнить у врача и ответить', 'Прислать памятку о подготовке', null]
const phrases: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    /жалоб/i,
    [
      'На боль в горле при глотании, слабость, температуру до 37,8 в течение трёх дней',
      'На кашель с мокротой, одышку при подъёме на второй этаж',
    ],
  ],
  [
    /анамн|истори/i,
    [
      'Болен третий день, лечился самостоятельно, эффекта нет. Аллергию отрицает',
      'Похожие жалобы год назад, получал лечение амбулаторно с улучшением',
    ],
  ],
  [
    /статус|осмотр|объектив/i,
    [
      'Состояние удовлетворительное. Кожа чистая. Зев гиперемирован. Дыхание везикулярное, хрипов нет',
      'Состояние удовлетворительное. Живот мягкий, безболезненный',
    ],
  ],
  [/заключ|диагн/i, ['Острый фарингит, лёгкое течение', 'Острый бронхит']],
]

/** @returns the JSON of an answer, and the token counts of a typical model */
export function simulatedChat({ system, user }: Pick<Question, 'system' | 'user'>): {
  text: string
  tokensIn: number
  tokensOut: number
} {
  const hash = createHash('sha256').update(user).digest()
  const at = (place: number, count: number): number => (hash[place] as number) % count
  const text = JSON.stringify(system.includes('"fields"') ? protocol(system, at) : conversation(system, user, at))
  return { text, tokensIn: Math.ceil((system.length + user.length) / 3), tokensOut: Math.ceil(text.length / 3) }
}

type Choose = (place: number, count: number) => number

function conversation(system: string, user: string, at: Choose) {
  const [summary, reason, outcome] = summaries[at(0, summaries.length)] as (typeof summaries)[number]
  const step = steps[at(1, steps.length)]
  const items = Object.keys(checkItems) as CheckItem[]
  const now = Date.parse(/Сейчас:?\s*(\d{4}-\d{2}-\d{2}T[\d:.]+(?:Z|[+-]\d{2}:\d{2}))/.exec(user)?.[1] ?? '')
  const date = Number.isNaN(now) ? null : new Date(now + (1 + at(3, 3)) * 86_400_000).toISOString()
  return {
    summary,
    reason,
    outcome,
    objections: at(4, 2) ? [objections[at(5, objections.length)]] : [],
    checks: Object.fromEntries(
      items.map((item, place) => [item, (['yes', 'yes', 'yes', 'no', 'na'] as const)[at(6 + place, 5)]]),
    ),
    nextStep: step ? { text: step, date } : null,
    ...Object.fromEntries(
      [...system.matchAll(/^"(?!summary|nextStep)([\p{L}\p{N}_]+)" — /gmu)].map(([, key], place) => [
        key,
        `Сказано о поле ${key}: ${at(14 + (place % 8), 100)}`,
      ]),
    ),
  }
}

function protocol(system: string, at: Choose) {
  const fields: Record<string, string | number> = {}
  for (const [place, [, key = '', label = '']] of [...system.matchAll(/^- ([\p{L}\p{N}_]+): (.+)$/gmu)].entries()) {
    const options = /\(одно из: ([^)]*)\)/.exec(label)?.[1]?.split('; ')
    const known = phrases.find(([find]) => find.test(label))?.[1]
    if (options) fields[key] = options[at(place % 24, options.length)] as string
    else if (known) fields[key] = known[at(place % 24, known.length)] as string
    // Other topics were not mentioned.
  }
  const cold = at(25, 2) === 0
  return {
    fields,
    diagnoses: [
      cold
        ? { code: 'J02.9', name: 'Острый фарингит неуточненный' }
        : { code: 'J20.9', name: 'Острый бронхит неуточненный' },
    ],
    recommendations: ['Обильное тёплое питьё', 'Контрольный осмотр через 7 дней'],
  }
}
