import { expect, it } from 'vitest'
import { wrongSteps } from './script.ts'

const step = (key: string, ...next: (string | null)[]) => ({
  key,
  title: 'Шаг',
  text: 'Здравствуйте!',
  answers: next.map((to) => ({ text: 'Да', next: to })),
})

it.each([
  [{}, undefined],
  [{ steps: [] }, undefined],
  [{ steps: [step('a', 'b', null), step('b', 'a')] }, undefined],
  [[], 'В скрипте нет шагов'],
  [{ other: 1 }, 'В скрипте нет шагов'],
  [{ steps: {} }, 'Шагов не больше'],
  [{ steps: [step('a'), step('a')] }, 'Шаг 2: ключ «a» уже есть'],
  [{ steps: [step('a', 'z')] }, 'Шаг 1: ответ «Да» ведёт к шагу, которого нет'],
  [{ steps: [step('')] }, 'Шаг 1: нужен ключ'],
  [{ steps: [{ ...step('a'), title: ' ' }] }, 'Шаг 1: нужно название'],
  [{ steps: [{ ...step('a'), answers: null }] }, 'Шаг 1: нужен список ответов'],
  [{ steps: [{ ...step('a'), extra: 1 }] }, 'Шаг 1: нужны key'],
  [{ steps: [{ ...step('a'), text: 'я'.repeat(5001) }] }, 'Шаг 1: нужен текст'],
  [{ steps: [null] }, 'Шаг 1: нужны key'],
])('%j', (params, message) => {
  const wrong = wrongSteps(params)
  if (message) expect(wrong).toContain(message)
  else expect(wrong).toBeUndefined()
})
