/** Plan of patients' actions in a run of the simulator: pure, and deterministic for a scenario and a seed. */
import type { Scenario } from '@ordinator/model/areas/centre/calls'
import { seeded } from '#platform/seeded.ts'

export interface Person {
  name: string
  /** E.164, of an unassigned range. */
  phone: string
}

/** Milliseconds after the previous step, at the run's own pace. */
interface After {
  after: number
  /** Index of the person. */
  who: number
}
/** Course of a call: ordinary, or transferred to a colleague. */
export type Course = 'plain' | 'transfer'

/** `call`: index of the call in the run; `operator`, `other`: index among employees with a phone. */
export type CallStep = { call: number; operator: number; other: number; course: Course } & (
  | { does: 'ring' }
  | { does: 'answer'; rangMs: number }
  | { does: 'hangUp'; rangMs: number; talkedMs: number | null }
)
export type Step = After & ({ does: 'say'; text: string } | CallStep)

export interface Plan {
  people: readonly Person[]
  steps: readonly Step[]
}

const SECOND = 1_000

const names = [
  'Светлана',
  'Рустам',
  'Ольга Петровна',
  'Мама Артёма',
  'Игорь',
  'Гульнара',
  'Виктор Павлович',
  'Аня',
] as const

const questions = [
  ['Здравствуйте! Можно записаться к терапевту на завтра?', 'Лучше после шести вечера', 'Спасибо, подойдёт'],
  ['Сколько стоит УЗИ брюшной полости?', 'А подготовка нужна?'],
  ['Добрый день, готовы ли мои анализы?', 'Сдавал во вторник, фамилия Петров'],
  ['Хочу перенести приём с четверга на пятницу', 'Да, к тому же врачу'],
  ['Вы работаете в воскресенье?'],
  ['Нужна справка для налоговой за прошлый год', 'ИНН пришлю сюда, можно?'],
] as const
const complaints = [
  ['Я жду ответа уже второй день!', 'Почему мне никто не перезвонил?', 'Соедините с главным врачом'],
  ['Приём задержали на сорок минут, это нормально?', 'Я хочу оставить жалобу', 'Кто у вас за это отвечает?'],
  ['С меня взяли деньги за услугу, которой не было', 'Верните деньги', 'Отвечайте, пожалуйста, быстрее'],
] as const

/** A visitor who exceeds the rate limit of messages. */
const floods = (random: () => number): string[] =>
  Array.from(
    { length: 25 },
    (_, at) => ['Вы тут?', 'Ответьте!', '?????', 'СРОЧНО', '🙏🙏🙏'][Math.floor(random() * 5)] + ` ${at}`,
  )
/** Milliseconds between messages of such a visitor. */
const FLOOD_MS = 150

/** Number of contacts, shares of calls, complaints and abandoned ones; and the pace. */
const shapes: Record<
  Scenario,
  { contacts: number; calls: number; complaints: number; missed: number; paceS: number; floods?: number }
> = {
  day: { contacts: 12, calls: 0.5, complaints: 0.15, missed: 0.25, paceS: 20 },
  rush: { contacts: 20, calls: 0.8, complaints: 0.1, missed: 0.45, paceS: 7 },
  chats: { contacts: 12, calls: 0, complaints: 0.15, missed: 0, paceS: 15 },
  flood: { contacts: 10, calls: 0.2, complaints: 0.3, missed: 0.3, paceS: 10, floods: 0.4 },
  complaints: { contacts: 8, calls: 0.3, complaints: 1, missed: 0.3, paceS: 15 },
}

/** The steps in order of time. */
export function planOf(scenario: Scenario, seed: number): Plan {
  const random = seeded(seed)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const between = (from: number, to: number) => from + Math.floor(random() * (to - from + 1))
  const shape = shapes[scenario]
  const people: Person[] = []
  const timed: { at: number; step: Step }[] = []
  let now = 0
  let calls = 0
  for (let who = 0; who < shape.contacts; who++) {
    people.push({ name: pick(names), phone: `+7900009${String(between(0, 9_999)).padStart(4, '0')}` })
    const isCall = random() < shape.calls
    const isComplaint = random() < shape.complaints
    if (isCall) {
      const call = calls++
      const operator = between(0, 99)
      const rangMs = between(4, 25) * SECOND
      const talkedMs = random() < shape.missed ? null : between(20, 90) * SECOND
      const course: Course = random() < 0.2 ? 'transfer' : 'plain'
      const own = { after: 0, who, call, operator, other: between(0, 99), course }
      timed.push({ at: now, step: { ...own, does: 'ring' } })
      if (talkedMs !== null) timed.push({ at: now + rangMs, step: { ...own, does: 'answer', rangMs } })
      timed.push({ at: now + rangMs + (talkedMs ?? 0), step: { ...own, does: 'hangUp', rangMs, talkedMs } })
    } else {
      let at = now
      const isFlood = shape.floods !== undefined && random() < shape.floods
      for (const text of isFlood ? floods(random) : pick<readonly string[]>(isComplaint ? complaints : questions)) {
        timed.push({ at, step: { after: 0, who, does: 'say', text } })
        at += isFlood ? FLOOD_MS : between(10, 45) * SECOND
      }
    }
    now += between(Math.ceil(shape.paceS / 2), shape.paceS * 2) * SECOND
  }
  // Steps at one moment keep their order.
  timed.sort((a, b) => a.at - b.at)
  let before = 0
  const steps = timed.map(({ at, step }) => {
    const after = at - before
    before = at
    return { ...step, after }
  })
  return { people, steps }
}
